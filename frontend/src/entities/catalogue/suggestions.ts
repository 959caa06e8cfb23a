// Texts for catalogue suggestions.
import type { Suggestion } from "@/api/catalogue";
import { formatCapacity } from "@/entities/drive/ratings";

export const STATES: Readonly<Record<Suggestion["state"], string>> = {
  open: "waits for a moderator",
  accepted: "accepted",
  refused: "refused",
  withdrawn: "withdrawn",
  "taken-back": "taken back",
};

type Fact = Suggestion["facts"][number];

/** Returns the published values, grouped by source: `power 7.2 W · capacity 1 TB (data sheet)`. */
export function factsText(facts: readonly Fact[]): string {
  const sources = [...new Set(facts.map(({ source_text }) => source_text))];
  const bySource = sources.map((source) => {
    const stated = facts.filter(({ source_text }) => source_text === source).map(valueText);
    return `${stated.join(" · ")}${source === null ? "" : ` (${source})`}`;
  });
  return bySource.join(" · ");
}

function valueText({ field, as_printed, unit }: Fact): string {
  const bytes = field === "capacity" ? Number(as_printed) : Number.NaN;
  const value = Number.isFinite(bytes) ? formatCapacity(bytes) : unit === null ? as_printed : `${as_printed} ${unit}`;
  return `${field.replaceAll("_", " ")} ${value}`;
}
