// Returns the question in the current URL; `null` if there is none or it is invalid.
import { useRouterState } from "@tanstack/react-router";
import { useMemo } from "react";
import type { AskedSearch } from "./address";
import { type Asked, asksOwn, readAsked } from "./asked";

export function useAsked(): Asked | null {
  const search: AskedSearch = useRouterState({ select: (state) => state.location.search });
  return useMemo(() => (asksOwn(search) ? readAsked(search).question : null), [search]);
}
