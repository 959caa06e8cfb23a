// Encodes rows as CSV (RFC 4180), and saves files through a download link without leaving the page.

export type Cell = string | number | null;

export type CsvTable = { readonly header: readonly string[]; readonly rows: readonly (readonly Cell[])[] };

function encode(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return Number.isFinite(cell) ? String(cell) : "";
  // Spreadsheets run text with a leading =, +, - or @ as a formula.
  const guarded = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  // Programs that read CSV expect ordinary spaces; no-break spaces are only for the page.
  const text = guarded.replaceAll("\u00a0", " ");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const toCsv = (header: CsvTable["header"], rows: CsvTable["rows"]): string =>
  `${[header, ...rows].map((row) => row.map(encode).join(",")).join("\r\n")}\r\n`;

/** Returns CSV as a file. Excel reads UTF-8 only behind a byte order mark. */
export const csvFile = (text: string): Blob => new Blob(["\uFEFF", text], { type: "text/csv;charset=utf-8" });

/** Returns a lower-case file name with hyphens: `Read latency over time` becomes `read-latency-over-time`. */
export function fileStem(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
}

export const saveCsv = (name: string, { header, rows }: CsvTable): void => saveFile(name, csvFile(toCsv(header, rows)));

export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The delay is for old Safari: every other engine has read the blob by the next turn of the event loop.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
