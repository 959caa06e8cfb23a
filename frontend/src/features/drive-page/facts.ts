// Facts of a drive in order of importance, and their sources.
import type { DriveFact, TestSource } from "@/api/drivePage";
import { formatCapacity } from "@/entities/drive/ratings";
import { sentence } from "@/lib/format";
import { groupBy } from "@/lib/groupBy";

/** Facts in order of importance for a purchase; other facts follow by name. */
const ORDER = [
  "interface",
  "form_factor",
  "flash",
  "capacity",
  "endurance",
  "dwpd",
  "random_read",
  "random_write",
  "sequential_read",
  "sequential_write",
  "read_latency",
  "write_latency",
  "power",
  "price",
];

/** Names of the facts that the words of their field do not name. */
const NAMES: Record<string, string> = {
  nand: "Flash",
  dwpd: "Endurance",
  random_read: "Random reads",
  random_write: "Random writes",
  sequential_read: "Sequential reads",
  sequential_write: "Sequential writes",
};

export const factName = (field: string): string =>
  NAMES[field] ?? sentence(field.replace(/_(bytes|ns|w|ratio)$/, "").replaceAll("_", " "));

export type FactGroup = { readonly field: string; readonly facts: readonly DriveFact[]; readonly disagrees: boolean };

const place = (field: string): number => {
  const index = ORDER.indexOf(field);
  return index < 0 ? ORDER.length : index;
};

export function groupFacts(facts: readonly DriveFact[]): FactGroup[] {
  return [...groupBy(facts, ({ field }) => field)]
    .sort(([a], [b]) => place(a) - place(b) || a.localeCompare(b))
    .map(([field, values]) => ({
      field,
      facts: [...values].sort((a, b) => (a.capacity_bytes ?? 0) - (b.capacity_bytes ?? 0)),
      disagrees: values.some((fact) => fact.disagrees),
    }));
}

/** Source of a fact or a test: a row of a publication, a run, or the text of a citation. */
export type Source =
  | { readonly kind: "publication"; readonly slug: string; readonly row: string | null; readonly text: string }
  | { readonly kind: "run"; readonly runId: string; readonly text: string }
  | { readonly kind: "text"; readonly text: string; readonly url: string | null };

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** Returns the source of a fact; `titleOf` returns the title of a publication for its slug. */
export function sourceOf(
  raw: Readonly<Record<string, unknown>> | null,
  titleOf: (slug: string) => string = (slug) => slug,
): Source {
  const slug = textOf(raw?.["publication"]);
  const text = textOf(raw?.["text"]);
  if (slug !== null) return { kind: "publication", slug, row: null, text: titleOf(slug) };
  return { kind: "text", text: text ?? "not stated", url: text !== null && /^https?:/.test(text) ? text : null };
}

export function sourceOfTest(source: TestSource): Source {
  if (source.kind === "run" && source.run_id !== null) return { kind: "run", runId: source.run_id, text: source.title };
  if (source.slug !== null) return { kind: "publication", slug: source.slug, row: source.row, text: source.title };
  return { kind: "text", text: source.title, url: null };
}

/** Returns the conditions of a fact as text: `4 KB, sustained`; empty without conditions. */
export function conditionsText(conditions: Readonly<Record<string, unknown>> | null): string {
  if (conditions === null) return "";
  return Object.entries(conditions)
    .flatMap(([key, value]) => {
      if (value === null || value === undefined || value === "") return [];
      if (key.endsWith("_bytes") && typeof value === "number")
        return [`${factName(key).toLowerCase()} ${formatCapacity(value)}`];
      if (key === "years") return [`over ${String(value)} years`];
      if (key === "statistic") return [String(value)];
      if (typeof value === "boolean")
        return [value ? factName(key).toLowerCase() : `not ${factName(key).toLowerCase()}`];
      return [`${factName(key).toLowerCase()} ${String(value)}`];
    })
    .join(", ");
}

/** Returns the capacities and conditions that a fact holds for: `1.6 TB · sustained`. A capacity holds for itself. */
export function scopeText({ field, capacity_bytes, conditions }: DriveFact): string {
  const parts = [capacity_bytes === null ? "" : formatCapacity(capacity_bytes), conditionsText(conditions)].filter(
    (part) => part !== "",
  );
  if (parts.length > 0) return parts.join(" · ");
  return field === "capacity" ? "" : "all capacities";
}
