// Buffers edits: typed values appear at once, and are sent to the URL and the API when the reader pauses.
import { useDebouncedCallback } from "@mantine/hooks";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Change } from "@/lib/search";

const PAUSE_MS = 250;

export type Draft<Search> = {
  /** Search parameters with the edits that are not sent yet. */
  readonly shown: Search;
  /** True if an edit has not reached the URL yet. */
  readonly pending: boolean;
  readonly edit: (change: Change<Search>) => void;
  /** Sends the change at once, without a pause. For selects and buttons. */
  readonly choose: (change: Change<Search>) => void;
};

export function useDraft<Search extends object>(view: Search, onView: (change: Change<Search>) => void): Draft<Search> {
  const [typed, setTyped] = useState<Change<Search>>({});
  const latest = useRef<Change<Search>>({});
  const send = useDebouncedCallback(() => onView(latest.current), PAUSE_MS);

  // The URL changed, by an edit from here or by back navigation. Its values replace the buffered edits.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the change of the address is the occasion
  useEffect(() => {
    if (send.isPending()) return;
    latest.current = {};
    setTyped({});
  }, [view]);

  const edit = useCallback(
    (next: Change<Search>) => {
      latest.current = { ...latest.current, ...next };
      setTyped(latest.current);
      send();
    },
    [send],
  );
  const choose = useCallback(
    (next: Change<Search>) => {
      edit(next);
      send.flush();
    },
    [edit, send],
  );

  const keys = Object.keys(typed) as (keyof Search)[];
  return {
    shown: { ...view, ...typed } as Search,
    pending: keys.some((key) => String(typed[key] ?? "").trim() !== String(view[key] ?? "")),
    edit,
    choose,
  };
}
