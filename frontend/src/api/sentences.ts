// The API writes its sentences for terminals and programs too, with plain spaces. On a page a number and its unit stay on one line.
import { unbroken } from "@/lib/words";

/** Fields that hold sentences of the product; names and texts that people typed keep their characters. */
const SENTENCES: ReadonlySet<string> = new Set([
  "answer",
  "as_printed",
  "backing_device_as_printed",
  "budget_title",
  "capacity_as_printed",
  "changes",
  "changes_text",
  "decided_by",
  "detail",
  "factors_text",
  "headline",
  "label",
  "leaves",
  "mark_notes",
  "meaning",
  "not_disclosed",
  "notes",
  "ratio_text",
  "reads",
  "reason",
  "reason_text",
  "reasons",
  "refusal",
  "semantics",
  "sentence",
  "statement",
  "text",
  "usable_as_printed",
  "value_text",
  "warning",
  "why",
]);

/** Of a budget that is referred to. Whole documents, with a kind, may be sent back and stay as they are. */
const OF_BUDGET: ReadonlySet<string> = new Set(["question", "title"]);

/** The same data with its sentences unbroken. */
export function readable<Data>(data: Data): Data {
  visit(data);
  return data;
}

function visit(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    // Figures come in long lists, and hold no sentences.
    if (typeof value[0] === "object") for (const element of value) visit(element);
    return;
  }
  const record = value as Record<string, unknown>;
  const isBudget = typeof record["question"] === "string" && record["kind"] === undefined;
  for (const key in record) {
    const held = record[key];
    if (typeof held === "string") {
      if (SENTENCES.has(key) || (isBudget && OF_BUDGET.has(key))) record[key] = unbroken(held);
    } else if (Array.isArray(held) && typeof held[0] === "string") {
      if (SENTENCES.has(key)) record[key] = held.map((item) => (typeof item === "string" ? unbroken(item) : item));
    } else visit(held);
  }
}
