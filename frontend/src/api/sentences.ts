// The API writes its sentences for terminals and programs too, with plain spaces. On a page a number and its unit stay on one line.
import { unbroken } from "@/lib/words";

/** Fields that hold sentences of the product; names and texts that people typed keep their characters. */
const SENTENCES: ReadonlySet<string> = new Set([
  "answer",
  "changes",
  "changes_text",
  "decided_by",
  "detail",
  "factors_text",
  "headline",
  "meaning",
  "notes",
  "ratio_text",
  "reason",
  "reason_text",
  "reasons",
  "sentence",
  "statement",
  "text",
  "value_text",
  "warning",
  "why",
]);

/** The same data with its sentences unbroken. */
export function readable<Data>(data: Data): Data {
  visit(data);
  return data;
}

function visit(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    // Figures come in long lists, and hold no sentences.
    if (typeof value[0] === "object") for (const one of value) visit(one);
    return;
  }
  const record = value as Record<string, unknown>;
  for (const key in record) {
    const held = record[key];
    if (typeof held === "string") {
      if (SENTENCES.has(key)) record[key] = unbroken(held);
    } else if (Array.isArray(held) && typeof held[0] === "string") {
      if (SENTENCES.has(key)) record[key] = held.map((one) => (typeof one === "string" ? unbroken(one) : one));
    } else visit(held);
  }
}
