// Rows as CSV (RFC 4180), and a file handed to the reader without leaving the page.

export type Cell = string | number | null;

function encode(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return Number.isFinite(cell) ? String(cell) : "";
  // A leading =, +, - or @ would be run as a formula by a spreadsheet.
  const guarded = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  // Programs read plain spaces; only lines on a page need others.
  const text = guarded.replaceAll("\u00a0", " ");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function toCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return `${[header, ...rows].map((row) => row.map(encode).join(",")).join("\r\n")}\r\n`;
}

/** A file name of plain characters: `Read latency over time` is `read-latency-over-time`. */
export function fileStem(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
}

export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken the blob by the next turn of the event loop in every engine but old Safari.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
