// Campaigns that measure drives of each agent's own machine instead of a database.
import { OF_SERVERS, type SearchSubject } from "./search";
import type { TemplateName } from "./templates";

type LocalTarget = {
  readonly target: string;
  readonly description: string;
  readonly agents: string;
  /** What its search for the highest load is about; none where its plan has no rate. */
  readonly search: SearchSubject | null;
};

/** What stands as the server where each agent measures what the policy of its machine lists, and not a database. */
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

/** What a search is about with a template; none where nothing can be sought. */
export function searchSubjectOf(template: TemplateName): SearchSubject | null {
  const local = LOCAL_TARGETS[template];
  return local === undefined ? OF_SERVERS : local.search;
}

/** Returns the server of a campaign after another template was chosen. */
export function targetFor(template: TemplateName, target: string): string {
  const isLocal = Object.values(LOCAL_TARGETS).some((local) => target.startsWith(local.target));
  return LOCAL_TARGETS[template]?.target ?? (isLocal ? "" : target);
}
