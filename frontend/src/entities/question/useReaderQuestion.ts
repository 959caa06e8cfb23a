// Returns the question in the current URL; `null` if there is none or it is invalid.
import { useRouterState } from "@tanstack/react-router";
import { useMemo } from "react";
import type { ReaderQuestionSearch } from "./address";
import { type Asked, asksOwn, readReaderQuestion } from "./readerQuestion";

export function useReaderQuestion(): Asked | null {
  const search: ReaderQuestionSearch = useRouterState({ select: (state) => state.location.search });
  return useMemo(() => (asksOwn(search) ? readReaderQuestion(search).question : null), [search]);
}
