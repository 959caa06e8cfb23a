// Search parameters of a publication's page: listed findings, marked finding, and whether tables show rounding bounds.
// The fragment is the current row.
import { type Change, compact } from "@/lib/search";

export type PublicationSearch = {
  severity?: "high" | "medium" | "low" | "info";
  origin?: "computed" | "reviewed";
  /** Id of the finding whose rows are marked. */
  finding?: string;
  ends?: "shown";
};

export type PublicationChange = Change<PublicationSearch>;

/** Returns the parameters with one finding marked and the list's filter removed; null marks none. */
export function marking({ ends }: PublicationSearch, finding: string | null): PublicationSearch {
  return compact({ ends, finding: finding ?? undefined });
}
