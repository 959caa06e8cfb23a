// Search parameters of the comparison page.

import type { Alignment } from "@/api/comparisons";
import type { Change } from "@/lib/search";

export const TEMPLATE_NAMES = [
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

export type CompareSearch = {
  /** Subjects by their API names, separated by commas; the base first. */
  of?: string;
  operation?: string;
  /** Compared phase of campaigns. */
  phase?: string;
  /** Load of the compared drive tests, as a multiple of 1x. */
  load?: number;
  /** Id of the shown chain of linked runs. */
  chain?: string;
  template?: TemplateName;
  /** Judged operations per request, for comparisons with production. */
  operations?: number;
  scale?: "linear" | "log";
};

export type CompareChange = Change<CompareSearch>;

/** Returns the parameters of the API request besides the subjects. */
export const alignmentOf = ({ operation, phase, load, template }: CompareSearch): Alignment => ({
  operation,
  phase,
  load,
  perDrive: template === "drives-in-server",
});
