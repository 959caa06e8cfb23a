// The address of a publication's page: the listed findings, the finding whose rows are marked, and whether the tables
// show the room that rounding leaves. The current row is the fragment.
import { compact } from "@/lib/search";

export type PublicationSearch = {
  severity?: "high" | "medium" | "low" | "info";
  origin?: "computed" | "reviewed";
  /** Id of the finding whose rows are marked. */
  finding?: string;
  ends?: "shown";
};

/** What is to change in it; undefined takes away. */
export type PublicationChange = { [Key in keyof PublicationSearch]?: PublicationSearch[Key] | undefined };

/** The address with one finding marked, shown whatever was filtered out; null marks none. */
export function marking({ ends }: PublicationSearch, finding: string | null): PublicationSearch {
  return compact({ ends, finding: finding ?? undefined });
}
