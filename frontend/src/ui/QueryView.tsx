// Renders the loading, not-found or error state of a query, with a retry button.
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { sentence } from "@/lib/words";
import { Failed, Loading } from "./states";

type QueryViewProps = {
  query: Pick<UseQueryResult, "error" | "refetch">;
  /** Noun for the data, used in sentences: `the runs`. */
  what: string;
  lines?: number;
  height?: number;
  /** Shown instead of an error if the server answers 404. */
  missing?: ReactNode;
};

export function QueryView({ query, what, missing, ...space }: QueryViewProps) {
  if (query.error === null) return <Loading what={what} {...space} />;
  if (missing !== undefined && "status" in query.error && query.error.status === 404) return missing;
  return <Failed error={query.error} what={sentence(what)} onRetry={() => void query.refetch()} />;
}
