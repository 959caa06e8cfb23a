// What was typed about a run and not saved yet. It lives beside the page: looking at something else meanwhile loses nothing.
import { useCallback, useState } from "react";
import type { Draft } from "./disclosureFields";

const drafts = new Map<string, Draft>();

type DraftAccess = {
  readonly draft: Draft;
  readonly write: (change: Draft) => void;
  /** Lets go of what is saved now, unless something else has been typed there since. */
  readonly saved: (texts: Draft) => void;
};

export function useDraft(runId: string): DraftAccess {
  const [draft, setDraft] = useState<Draft>(() => drafts.get(runId) ?? {});
  const change = useCallback(
    (next: (before: Draft) => Draft) =>
      setDraft((before) => {
        const after = next(before);
        drafts.set(runId, after);
        return after;
      }),
    [runId],
  );
  const write = useCallback((texts: Draft) => change((before) => ({ ...before, ...texts })), [change]);
  const saved = useCallback(
    (texts: Draft) =>
      change((before) => Object.fromEntries(Object.entries(before).filter(([field, text]) => text !== texts[field]))),
    [change],
  );
  return { draft, write, saved };
}
