// What the address of a comparison says.
import type { Alignment } from "@/api/comparisons";

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
  /** Subjects by the names of the API, the base first, with commas between. */
  of?: string;
  operation?: string;
  /** Of campaigns: the phase that is compared. */
  phase?: string;
  /** Of drives: the load of the tests that are compared. */
  load?: number;
  /** Linked runs by their number. */
  chain?: string;
  template?: TemplateName;
  /** Of production: how many of the judged operations a request takes. */
  operations?: number;
  scale?: "linear" | "log";
};

export type CompareChange = { [Key in keyof CompareSearch]?: CompareSearch[Key] | undefined };

/** What the address asks of the API besides its subjects. */
export const alignmentOf = ({ operation, phase, load, template }: CompareSearch): Alignment => ({
  operation,
  phase,
  load,
  perDrive: template === "drives-in-server",
});
