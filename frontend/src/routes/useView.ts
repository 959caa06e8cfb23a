// Hooks that return a page's validated search parameters. The router passes unvalidated parameters on, so validation is
// repeated here, which drops invalid values.

import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { type ReaderQuestionSearch, readerQuestionSearch } from "@/entities/question/address";
import { compact, type RawSearch } from "@/lib/search";

export function useView<View extends object>(raw: object, read: (raw: RawSearch) => View): View {
  return useMemo(() => read(raw as RawSearch), [raw, read]);
}

/** Returns the code of a link, which is the address's fragment as requests never contain it, and how to open the home page. */
export function useCodeOfLink(): { code: string; onDone: () => void } {
  const navigate = useNavigate();
  const [code] = useState(() => window.location.hash.slice(1));
  return { code, onDone: () => void navigate({ to: "/", replace: true }) };
}

/** Returns the page's parameters and the reader's question. */
export function useViewWithQuestion<View extends object>(
  raw: object,
  read: (raw: RawSearch) => View,
): View & ReaderQuestionSearch {
  return useMemo(
    () => ({ ...(compact(readerQuestionSearch(raw as RawSearch)) as ReaderQuestionSearch), ...read(raw as RawSearch) }),
    [raw, read],
  );
}
