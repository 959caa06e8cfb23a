// What was typed about a run and not saved yet. It lives beside the page: looking at something else meanwhile loses nothing.
import { useCallback, useState } from "react";
import type { Draft } from "./disclosureFields";

const kept = new Map<string, Draft>();

export function useDraft(runId: string): [draft: Draft, write: (change: Draft) => void, clear: () => void] {
  const [draft, setDraft] = useState<Draft>(() => kept.get(runId) ?? {});
  const write = useCallback(
    (change: Draft) =>
      setDraft((before) => {
        const next = { ...before, ...change };
        kept.set(runId, next);
        return next;
      }),
    [runId],
  );
  const clear = useCallback(() => {
    kept.delete(runId);
    setDraft({});
  }, [runId]);
  return [draft, write, clear];
}
