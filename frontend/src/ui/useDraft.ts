// Edits go into the address, and with it to the API, once the reader pauses; until then they are shown as typed.
import { useCallback, useEffect, useRef, useState } from "react";
import type { Change } from "@/lib/search";

const PAUSE_MS = 250;

export type Draft<Search> = {
  /** The address with what was typed since. */
  readonly shown: Search;
  /** Something was typed that the address does not have yet. */
  readonly pending: boolean;
  readonly edit: (change: Change<Search>) => void;
  /** Without waiting for a pause: a choice rather than typing. */
  readonly choose: (change: Change<Search>) => void;
};

export function useDraft<Search extends object>(view: Search, onView: (change: Change<Search>) => void): Draft<Search> {
  const [typed, setTyped] = useState<Change<Search>>({});
  const latest = useRef<Change<Search>>({});
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const send = useRef(onView);
  send.current = onView;

  // The address has changed: by what was typed here, or by going back. Either way it is what counts now.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the change of the address is the occasion
  useEffect(() => {
    if (timer.current !== null) return;
    latest.current = {};
    setTyped({});
  }, [view]);
  useEffect(() => () => void (timer.current === null || clearTimeout(timer.current)), []);

  const change = useCallback((next: Change<Search>, afterMs: number) => {
    latest.current = { ...latest.current, ...next };
    setTyped(latest.current);
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = null;
    if (afterMs === 0) send.current(latest.current);
    else {
      timer.current = setTimeout(() => {
        timer.current = null;
        send.current(latest.current);
      }, afterMs);
    }
  }, []);
  const edit = useCallback((next: Change<Search>) => change(next, PAUSE_MS), [change]);
  const choose = useCallback((next: Change<Search>) => change(next, 0), [change]);

  const keys = Object.keys(typed) as (keyof Search)[];
  return {
    shown: { ...view, ...typed } as Search,
    pending: keys.some((key) => String(typed[key] ?? "").trim() !== String(view[key] ?? "")),
    edit,
    choose,
  };
}
