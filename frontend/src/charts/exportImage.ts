// Turns the drawing on screen into a file that looks the same elsewhere: colours that came from style sheets are written
// into the drawing, and the title goes with it.

const TAKEN = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-linecap",
  "stroke-linejoin",
  "paint-order",
  "stroke-dasharray",
  "stroke-opacity",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
] as const;

const HEAD = 34;
const SVG = "http://www.w3.org/2000/svg";

type LegendEntry = { label: string; color: string };

/** A free-standing copy of `source` with title and legend above it. */
export function standaloneSvg(source: SVGSVGElement, title: string, legend: readonly LegendEntry[]): string {
  const width = source.clientWidth || Number(source.getAttribute("width"));
  const height = source.clientHeight || Number(source.getAttribute("height"));
  const copy = source.cloneNode(true) as SVGSVGElement;
  const originals = [source, ...source.querySelectorAll<SVGElement>("*")];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  for (const [index, original] of originals.entries()) {
    const style = getComputedStyle(original);
    const target = copies[index];
    target?.removeAttribute("style");
    target?.removeAttribute("class");
    for (const property of TAKEN) {
      const value = style.getPropertyValue(property);
      if (value !== "" && original !== source) target?.setAttribute(property, value);
    }
  }
  const page = getComputedStyle(document.body);
  const font = page.fontFamily;
  const sheet = document.createElementNS(SVG, "svg");
  sheet.setAttribute("xmlns", SVG);
  sheet.setAttribute("width", String(width));
  sheet.setAttribute("height", String(height + 2 * HEAD));
  sheet.setAttribute("viewBox", `0 0 ${width} ${height + 2 * HEAD}`);

  const ground = document.createElementNS(SVG, "rect");
  ground.setAttribute("width", "100%");
  ground.setAttribute("height", "100%");
  ground.setAttribute("fill", page.getPropertyValue("--panel").trim() || page.backgroundColor);
  sheet.append(ground, label(title, 12, 22, page.color, font, 14, 600));

  let x = 12;
  for (const entry of legend) {
    const swatch = document.createElementNS(SVG, "rect");
    swatch.setAttribute("x", String(x));
    swatch.setAttribute("y", String(HEAD + 8));
    swatch.setAttribute("width", "14");
    swatch.setAttribute("height", "4");
    swatch.setAttribute("fill", page.getPropertyValue(entry.color).trim() || entry.color);
    sheet.append(swatch, label(entry.label, x + 20, HEAD + 14, page.color, font, 12, 400));
    x += 40 + entry.label.length * 6.6;
  }
  copy.setAttribute("y", String(2 * HEAD - 8));
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  sheet.append(copy);
  return new XMLSerializer().serializeToString(sheet);
}

function label(
  text: string,
  x: number,
  y: number,
  color: string,
  font: string,
  sizePx: number,
  weight: number,
): SVGTextElement {
  const element = document.createElementNS(SVG, "text");
  element.setAttribute("x", String(x));
  element.setAttribute("y", String(y));
  element.setAttribute("fill", color);
  element.setAttribute("font-family", font);
  element.setAttribute("font-size", String(sizePx));
  element.setAttribute("font-weight", String(weight));
  element.textContent = text;
  return element;
}

/** The drawing as PNG, twice as fine as a plain screen. */
export async function pngOf(svg: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth * 2;
    canvas.height = image.naturalHeight * 2;
    const context = canvas.getContext("2d");
    if (context === null)
      throw new Error("This browser gives the page no canvas to draw on. Download the SVG instead.");
    context.scale(2, 2);
    context.drawImage(image, 0, 0);
    return await new Promise((resolve, reject) => {
      canvas.toBlob(
        (blob) => (blob === null ? reject(new Error("The drawing is too large for a PNG here.")) : resolve(blob)),
        "image/png",
      );
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}
