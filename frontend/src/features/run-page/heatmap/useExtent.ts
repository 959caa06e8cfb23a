// Shown time range of the heatmap: updated at once in the picture, debounced in the address and in requests.
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type Extent, isWhole, within } from "@/entities/run/heatmap/extent";

const WRITE_AFTER_MS = 300;

/** Visible range in seconds since the start of the run, as search parameters. */
export type PartView = { from?: number; to?: number };
export type PartChange = { [Key in keyof PartView]: PartView[Key] | undefined };

/** Returns the shown range and its setter; the setter updates the address with a delay. */
export function useExtent(
  full: Extent,
  view: PartView,
  onView: (change: PartChange) => void,
): [Extent, (next: Extent) => void] {
  const requested = useMemo(
    () =>
      view.from === undefined || view.to === undefined
        ? full
        : within(full, { fromNs: view.from * 1e9, toNs: view.to * 1e9 }),
    [full, view.from, view.to],
  );
  const [own, setOwn] = useState<Extent | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const write = useRef(onView);
  write.current = onView;
  useEffect(() => () => void (timer.current === null || clearTimeout(timer.current)), []);
  const show = useCallback(
    (next: Extent) => {
      setOwn(next);
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        timer.current = null;
        setOwn(null);
        const isAll = isWhole(full, next);
        write.current({ from: isAll ? undefined : next.fromNs / 1e9, to: isAll ? undefined : next.toNs / 1e9 });
      }, WRITE_AFTER_MS);
    },
    [full],
  );
  return [own ?? requested, show];
}
