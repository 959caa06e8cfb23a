// State of a comparison without data: loading, or why it failed.
import { Button } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { isTransient } from "@/api/problem";
import { sentence } from "@/lib/format";
import { Failed, Loading } from "@/ui/states";

type QueryStateProps = { query: Pick<UseQueryResult, "error" | "refetch">; what: string; onBegin: () => void };

export function QueryState({ query: { error, refetch }, what, onBegin }: QueryStateProps) {
  if (error === null) return <Loading what={what} lines={4} height={96} />;
  const retry = isTransient(error) ? { onRetry: () => void refetch() } : {};
  return (
    <>
      <Failed error={error} what={sentence(what)} {...retry} />
      <Button className="self-start" size="xs" onClick={onBegin}>
        Begin again
      </Button>
    </>
  );
}
