// Search parameters of the comparison page.

import type { Alignment } from "@/api/comparisons";
import { type Change, compact, oneOf, type RawSearch, text } from "@/lib/search";

const TEMPLATE_NAMES = [
  "drives",
  "before-after",
  "drives-in-server",
  "cost",
  "chain",
  "server-generations",
  "networks",
  "production",
] as const;
export type TemplateName = (typeof TEMPLATE_NAMES)[number];

export function compareSearch(raw: RawSearch) {
  return compact({
    /** Subjects by their API names, separated by commas; the base first. */
    of: text(raw["of"], 2_000),
    operation: text(raw["operation"], 100),
    /** Compared phase of campaigns. */
    phase: text(raw["phase"], 200),
    /** Load of the compared drive tests, as a multiple of 1x. */
    load: Number(raw["load"]) > 0 ? Number(raw["load"]) : undefined,
    /** Id of the shown chain of linked runs. */
    chain: text(raw["chain"], 36),
    template: oneOf(raw["template"], TEMPLATE_NAMES),
    /** Judged operations per request, for comparisons with production. */
    operations: Number(raw["operations"]) > 0 ? Number(raw["operations"]) : undefined,
    scale: oneOf(raw["scale"], ["linear", "log"]),
  });
}

export type CompareSearch = ReturnType<typeof compareSearch>;
export type CompareChange = Change<CompareSearch>;

/** Returns the parameters of the API request besides the subjects. */
export const alignmentOf = ({ operation, phase, load, template }: CompareSearch): Alignment => ({
  operation,
  phase,
  load,
  perDrive: template === "drives-in-server",
});
