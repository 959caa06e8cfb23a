// Which part of the run is shown: at once in the picture, a moment later in the address and in what the API is asked.
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type Extent, isWhole, within } from "@/entities/run/heatmap/extent";

const WRITE_AFTER_MS = 300;

/** The visible part, in seconds since the start of the run, in the form of the address. */
export type PartView = { from?: number; to?: number };
export type PartChange = { [Key in keyof PartView]: PartView[Key] | undefined };

/** What is shown, at once in the picture and a moment later in the address. */
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
