// Search parameters of a publication's page: listed findings, marked finding, and whether tables show rounding bounds.
// The fragment is the current row.
import { type Change, compact, oneOf, type RawSearch, text } from "@/lib/search";

export function publicationSearch(raw: RawSearch) {
  return compact({
    severity: oneOf(raw["severity"], ["high", "medium", "low", "info"]),
    origin: oneOf(raw["origin"], ["computed", "reviewed"]),
    /** Id of the finding whose rows are marked. */
    finding: text(raw["finding"], 100),
    ends: oneOf(raw["ends"], ["shown"]),
  });
}

export type PublicationSearch = ReturnType<typeof publicationSearch>;
export type PublicationChange = Change<PublicationSearch>;

/** Returns the parameters with one finding marked and the list's filter removed; null marks none. */
export function marking({ ends }: PublicationSearch, finding: string | null): PublicationSearch {
  return compact({ ends, finding: finding ?? undefined });
}
