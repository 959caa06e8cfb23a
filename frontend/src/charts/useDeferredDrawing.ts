// Decides when a chart is first drawn: at once near the viewport, otherwise one by one when the browser is idle. A long
// page has ten charts, and off-screen charts must not delay the visible ones.

import { useElementSize, useWindowEvent } from "@mantine/hooks";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

/** Longest wait for an idle moment, in milliseconds, before the next chart is drawn anyway. */
const LATEST_MS = 2_000;
/** Distance below the viewport that still counts as near, in viewport heights. */
const NEAR = 0.25;

const waiting = new Set<() => void>();
let isAsked = false;

function drawNext(): void {
  isAsked = false;
  const [first] = waiting;
  if (first === undefined) return;
  waiting.delete(first);
  first();
  scheduleNext();
}

function scheduleNext(): void {
  if (isAsked || waiting.size === 0) return;
  isAsked = true;
  if (typeof requestIdleCallback === "function") requestIdleCallback(drawNext, { timeout: LATEST_MS });
  else setTimeout(drawNext, 50);
}

/** Returns whether the element's content should be drawn. Once true, it stays true. */
export function useDeferredDrawing(element: RefObject<Element | null>): boolean {
  const [drawn, setDrawn] = useState(false);
  useLayoutEffect(() => {
    const box = element.current?.getBoundingClientRect();
    if (box === undefined || box.top < window.innerHeight * (1 + NEAR)) setDrawn(true);
  }, [element]);
  useEffect(() => {
    const target = element.current;
    if (drawn || target === null) return;
    const draw = () => setDrawn(true);
    const stop = observeNear(target, "25%", (isNear) => isNear && draw());
    waiting.add(draw);
    scheduleNext();
    return () => {
      stop();
      waiting.delete(draw);
    };
  }, [element, drawn]);
  // The browser prints the page as it is when the event handler returns.
  useWindowEvent("beforeprint", () => flushSync(() => setDrawn(true)));
  return drawn;
}

/** Calls back when the element enters or leaves the viewport with a margin. Returns a function that ends it. */
function observeNear(target: Element, rootMargin: string, onChange: (isNear: boolean) => void): () => void {
  if (typeof IntersectionObserver === "undefined") return () => undefined;
  const observer = new IntersectionObserver((entries) => onChange(entries.at(-1)?.isIntersecting ?? true), {
    rootMargin,
  });
  observer.observe(target);
  return () => observer.disconnect();
}

type Drawing = typeof import("./Plot").Plot;

let loaded: Drawing | null = null;

async function loadPlot(): Promise<Drawing> {
  const { Plot } = await import("./Plot");
  loaded = Plot;
  return Plot;
}

/** Returns the `Plot` component; `null` until it is loaded. */
export function usePlot(): Drawing | null {
  const [plot, setPlot] = useState(() => loaded);
  useEffect(() => {
    if (plot === null) void loadPlot().then((drawing) => setPlot(() => drawing));
  }, [plot]);
  return plot;
}

/** Returns the latest value while the element is near the viewport or printed, else its last value on screen. */
export function useValueOnScreen<Value>(element: RefObject<Element | null>, latest: Value): Value {
  const [seen, setSeen] = useState(true);
  const lastShown = useRef(latest);
  useEffect(() => {
    if (element.current !== null) return observeNear(element.current, "200px", setSeen);
  }, [element]);
  useWindowEvent("beforeprint", () => setSeen(true));
  if (seen) lastShown.current = latest;
  return lastShown.current;
}

/** Width of A4 inside the margins of a browser, in CSS pixels. */
const PAPER_PX = 718;

/** Returns the width of the element with the ref; in print at most that of paper. */
export function useDrawnWidth() {
  const { ref, width } = useElementSize();
  const [isPrinted, setPrinted] = useState(false);
  // The browser prints the page as it is when the event handler returns.
  useWindowEvent("beforeprint", () => flushSync(() => setPrinted(true)));
  useWindowEvent("afterprint", () => setPrinted(false));
  return { ref, width: isPrinted ? Math.min(width, PAPER_PX) : width };
}
