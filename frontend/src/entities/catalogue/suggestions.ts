// Words about suggestions for the catalogue.
import type { Suggestion } from "@/api/catalogue";

export const STATES: Readonly<Record<Suggestion["state"], string>> = {
  open: "waits for a moderator",
  accepted: "accepted",
  refused: "refused",
  withdrawn: "withdrawn",
  "taken-back": "taken back",
};

type Fact = Suggestion["facts"][number];

/** `power 7.2 W (data sheet)`. */
export function factText({ field, as_printed, unit, source_text }: Fact): string {
  const value = unit === null ? as_printed : `${as_printed} ${unit}`;
  return `${field.replaceAll("_", " ")} ${value}${source_text === null ? "" : ` (${source_text})`}`;
}
