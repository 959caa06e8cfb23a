// What of an address a page shows. The router hands on what no rule of the page knows, so the rules are applied once more: a value that
// cannot be meant is as good as none.
import { useMemo, useState } from "react";
import { type AskedSearch, askedSearch } from "@/entities/question/address";
import { compact, type RawSearch } from "@/lib/search";

export function useView<View extends object>(raw: object, read: (raw: RawSearch) => View): View {
  return useMemo(() => read(raw as RawSearch), [raw, read]);
}

/** The part of the address that no request carries, such as the code of a link; as it was when the page opened. */
export function useAddressCode(): string {
  const [code] = useState(() => window.location.hash.slice(1));
  return code;
}

/** With the question that travels. */
export function useAskingView<View extends object>(raw: object, read: (raw: RawSearch) => View): View & AskedSearch {
  return useMemo(
    () => ({ ...(compact(askedSearch(raw as RawSearch)) as AskedSearch), ...read(raw as RawSearch) }),
    [raw, read],
  );
}
