// Campaigns that measure drives of each agent's own machine instead of a database.
import type { TemplateName } from "./templates";

type LocalTarget = { readonly target: string; readonly description: string; readonly agents: string };

/** What stands as the server where each agent measures what the policy of its machine lists, and not a database. */
export const LOCAL_TARGETS: { readonly [Name in TemplateName]?: LocalTarget } = {
  drives: {
    target: "drives:",
    description: "drives: reads all that each agent's policy lists",
    agents: "Each reads its own drives.",
  },
  syncWrites: {
    target: "folders:",
    description: "folders: writes a file of 64\u00a0MiB in the folder that each agent's policy lists",
    agents: "Each writes to its own drive.",
  },
};

/** Returns the server of a campaign after another template was chosen. */
export function targetFor(template: TemplateName, target: string): string {
  const isLocal = Object.values(LOCAL_TARGETS).some((local) => target.startsWith(local.target));
  return LOCAL_TARGETS[template]?.target ?? (isLocal ? "" : target);
}
