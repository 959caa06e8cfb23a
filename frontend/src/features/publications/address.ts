// Search parameters of a publication's page: listed findings, marked finding, and whether tables show rounding bounds.
// The fragment is the current row.
import { compact } from "@/lib/search";

export type PublicationSearch = {
  severity?: "high" | "medium" | "low" | "info";
  origin?: "computed" | "reviewed";
  /** Id of the finding whose rows are marked. */
  finding?: string;
  ends?: "shown";
};

/** Changes to the parameters; undefined removes a parameter. */
export type PublicationChange = { [Key in keyof PublicationSearch]?: PublicationSearch[Key] | undefined };

/** Returns the parameters with one finding marked and the list's filter removed; null marks none. */
export function marking({ ends }: PublicationSearch, finding: string | null): PublicationSearch {
  return compact({ ends, finding: finding ?? undefined });
}
