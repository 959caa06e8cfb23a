// Decides when a chart is first drawn: at once near the viewport, otherwise one by one when the browser is idle. A long
// page has ten charts, and off-screen charts must not delay the visible ones.
import { type RefObject, useEffect, useLayoutEffect, useState } from "react";
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
    // The browser prints the page as it is when the event handler returns.
    const drawNow = () => flushSync(draw);
    const observer =
      typeof IntersectionObserver === "undefined"
        ? null
        : new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && draw(), {
            rootMargin: "25%",
          });
    observer?.observe(target);
    window.addEventListener("beforeprint", drawNow);
    waiting.add(draw);
    scheduleNext();
    return () => {
      observer?.disconnect();
      window.removeEventListener("beforeprint", drawNow);
      waiting.delete(draw);
    };
  }, [element, drawn]);
  return drawn;
}
