// Shown in place of a query's data: still loading, missing, or failed with another try.
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { sentence } from "@/lib/words";
import { Failed, Loading } from "./states";

type QueryViewProps = {
  query: Pick<UseQueryResult, "error" | "refetch">;
  /** The data as a noun in a sentence: `the runs`. */
  what: string;
  lines?: number;
  height?: number;
  /** For a subject that does not exist. */
  missing?: ReactNode;
};

export function QueryView({ query, what, missing, ...space }: QueryViewProps) {
  if (query.error === null) return <Loading what={what} {...space} />;
  if (missing !== undefined && "status" in query.error && query.error.status === 404) return missing;
  return <Failed error={query.error} what={sentence(what)} onRetry={() => void query.refetch()} />;
}
