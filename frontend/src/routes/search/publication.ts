// Validation of a publication page's search parameters.
import type { PublicationSearch } from "@/features/publications/address";
import { compact, oneOf, type RawSearch, text } from "@/lib/search";

export function publicationSearch(raw: RawSearch): PublicationSearch {
  return compact({
    severity: oneOf(raw["severity"], ["high", "medium", "low", "info"]),
    origin: oneOf(raw["origin"], ["computed", "reviewed"]),
    finding: text(raw["finding"], 100),
    ends: oneOf(raw["ends"], ["shown"]),
  });
}
