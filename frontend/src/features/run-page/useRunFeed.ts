// Hook that opens a RunFeed for the life of the page.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { type FeedState, RunFeed } from "@/api/runFeed";

const IDLE: FeedState = { connection: "closed", attempt: 0, lastTickAtMs: null };
const idle = (): FeedState => IDLE;
const never = (): (() => void) => () => undefined;

/** Returns the state of the feed while `enabled`, and a function that reconnects at once. */
export function useRunFeed(runId: string, enabled: boolean): { state: FeedState; retry: () => void } {
  const queries = useQueryClient();
  const [feed, setFeed] = useState<RunFeed | null>(null);
  useEffect(() => {
    if (!enabled) return;
    const opened = new RunFeed(queries, runId);
    opened.start();
    setFeed(opened);
    return () => {
      opened.stop();
      setFeed(null);
    };
  }, [queries, runId, enabled]);
  const state = useSyncExternalStore(feed?.subscribe ?? never, feed?.state ?? idle);
  return { state, retry: () => feed?.retry() };
}
