// Campaigns that measure drives of each agent's own machine instead of a database.
import { OF_SERVERS, type SearchSubject } from "./search";
import type { TemplateName } from "./templates";

type LocalTarget = {
  readonly target: string;
  readonly description: string;
  readonly agents: string;
  /** Explanations of the search fields; null if the plan has no rate to search for. */
  readonly search: SearchSubject | null;
};

/** Targets of the templates whose agents measure the devices listed in their own policies instead of a server. */
export const LOCAL_TARGETS: { readonly [Name in TemplateName]?: LocalTarget } = {
  drives: {
    target: "drives:",
    description: "drives: reads all that each agent's policy lists",
    agents: "Each reads its own drives.",
    search: {
      example: "p99.9 read < 2ms",
      hasPhases: false,
      start: "Else the first of the plan. ACT's load of 1x is 2,000",
      top: "Of the one drive that is read, by one agent; no load is higher",
    },
  },
  syncWrites: {
    target: "folders:",
    description: "folders: writes a file of 64\u00a0MiB in the folder that each agent's policy lists",
    agents: "Each writes to its own drive.",
    search: null,
  },
};

/** Returns the explanations of the search fields for a template; null if the template supports no search. */
export function searchSubjectOf(template: TemplateName): SearchSubject | null {
  const local = LOCAL_TARGETS[template];
  return local === undefined ? OF_SERVERS : local.search;
}

/** Returns the server field after a change of template: the template's local target, or the typed server. */
export function targetFor(template: TemplateName, target: string): string {
  const isLocal = Object.values(LOCAL_TARGETS).some((local) => target.startsWith(local.target));
  return LOCAL_TARGETS[template]?.target ?? (isLocal ? "" : target);
}
