// Formats sentences of the API for display. The API uses plain spaces; pages join numbers and units with no-break
// spaces.
import { unbroken } from "@/lib/format";

/** Fields with sentences of the product. Names and user input are not changed. */
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

/** Sentence fields of a budget reference. Full budget documents, which have a `kind`, are not changed. */
const OF_BUDGET: ReadonlySet<string> = new Set(["question", "title"]);

/** Formats all sentences in `data`, in place, and returns it. */
export function readable<Data>(data: Data): Data {
  visit(data);
  return data;
}

function visit(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    // Long lists of numbers are skipped: they contain no sentences.
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
