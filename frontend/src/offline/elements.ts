// Creates DOM elements. Text is set as text content, so that nothing in a file becomes markup.

type Attributes = Readonly<Record<string, string | number>>;
type Child = Node | string;

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  return filled(document.createElement(name), attributes, children);
}

export function drawing<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes,
  ...children: readonly Child[]
): SVGElementTagNameMap[Name] {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function filled<Made extends Element>(made: Made, attributes: Attributes, children: readonly Child[]): Made {
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/** Returns a table in a scrolling region. The first column has the row headers. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): HTMLElement {
  const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
  const body = rows.map(([name = "", ...cells]) =>
    element("tr", {}, element("th", { scope: "row" }, name), ...cells.map((text) => element("td", {}, text))),
  );
  const made = element(
    "table",
    {},
    ...(heads.length > 0 ? [element("thead", {}, head)] : []),
    element("tbody", {}, ...body),
  );
  return element("div", { class: "scroll", tabindex: 0 }, made);
}
