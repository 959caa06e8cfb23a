// Search parameter of the sign-in page: the page to return to.
import { compact, type RawSearch, text } from "@/lib/search";

/** Returns the page to open after sign-in; only paths of this site, so that a crafted link cannot lead elsewhere. */
export function signInSearch(raw: RawSearch): { from?: string } {
  const from = text(raw["from"], 500);
  return compact({ from: from !== undefined && /^\/(?![/\\])/.test(from) ? from : undefined });
}
