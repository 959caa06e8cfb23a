// Exports the rendered drawing as a file: copies style sheet colours into the SVG and adds the title.

const COPIED_STYLES = [
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

/** Vertical positions in pixels above the drawing: title, legend, y-axis label. The x axis is labelled inside. */
const TITLE_AT = 22;
const LEGEND_AT = 48;
const Y_LABEL_AT = 72;
const HEAD = 78;
const SVG = "http://www.w3.org/2000/svg";

type LegendEntry = { label: string; color: string };

/** Returns a standalone copy of `source` as SVG text, with title, legend and y-axis label above it. */
export function standaloneSvg(
  source: SVGSVGElement,
  title: string,
  yLabel: string,
  legend: readonly LegendEntry[],
): string {
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
    for (const property of COPIED_STYLES) {
      const value = style.getPropertyValue(property);
      if (value !== "" && original !== source) target?.setAttribute(property, value);
    }
  }
  const page = getComputedStyle(document.body);
  const text = (content: string, x: number, y: number, size = 12, weight = 400): SVGElement => {
    const font = { "font-family": page.fontFamily, "font-size": size, "font-weight": weight };
    const label = svgElement("text", { x, y, fill: page.color, ...font });
    label.textContent = content;
    return label;
  };
  const colorOf = (property: string, otherwise: string) => page.getPropertyValue(property).trim() || otherwise;
  const viewBox = `0 0 ${width} ${height + HEAD}`;
  const sheet = svgElement("svg", { xmlns: SVG, width, height: height + HEAD, viewBox });
  sheet.append(
    svgElement("rect", { width: "100%", height: "100%", fill: colorOf("--canvas", page.backgroundColor) }),
    text(title, 12, TITLE_AT, 14, 600),
  );
  let x = 12;
  for (const entry of legend) {
    const fill = colorOf(entry.color, entry.color);
    sheet.append(
      svgElement("rect", { x, y: LEGEND_AT - 6, width: 14, height: 4, fill }),
      text(entry.label, x + 20, LEGEND_AT),
    );
    x += 40 + entry.label.length * 6.6;
  }
  sheet.append(text(yLabel, 12, Y_LABEL_AT), copy);
  setAttributes(copy, { y: HEAD, width, height });
  return new XMLSerializer().serializeToString(sheet);
}

type Attributes = Readonly<Record<string, string | number>>;

function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}

function svgElement(name: "svg" | "rect" | "text", attributes: Attributes): SVGElement {
  const element = document.createElementNS(SVG, name);
  setAttributes(element, attributes);
  return element;
}

/** A canvas drawn below an SVG, with its offset in pixels. */
export type Raster = { readonly canvas: HTMLCanvasElement; readonly x: number; readonly y: number };

/** Returns a standalone SVG whose cells come from a canvas, as in the heatmap. */
export function standaloneRaster(
  source: SVGSVGElement,
  { canvas, x, y }: Raster,
  title: string,
  yLabel: string,
): string {
  const sheet = standaloneSvg(source, title, yLabel, []);
  const { clientWidth: width, clientHeight: height } = canvas;
  const image =
    `<image x="${x}" y="${y + HEAD}" width="${width}" height="${height}" preserveAspectRatio="none"` +
    ` href="${canvas.toDataURL("image/png")}"/>`;
  // Inserts the image before the drawing, so that lines are painted over it.
  const at = sheet.lastIndexOf("<svg");
  return sheet.slice(0, at) + image + sheet.slice(at);
}

/** Returns the drawing as PNG at twice its pixel size. Throws if the browser cannot draw it. */
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
