// When a chart is drawn for the first time: at once where it is near the screen; the others one by one, whenever the page has nothing
// else to do. A long page has ten charts, and those that are out of sight must not delay the others.
import { type RefObject, useEffect, useLayoutEffect, useState } from "react";
import { flushSync } from "react-dom";

/** The longest delay of the last chart, however busy the page is. */
const LATEST_MS = 2_000;
/** Screens below the lower edge that count as near. */
const NEAR = 0.25;

const waiting = new Set<() => void>();
let isAsked = false;

function drawNext(): void {
  isAsked = false;
  const [first] = waiting;
  if (first === undefined) return;
  waiting.delete(first);
  first();
  askForTime();
}

function askForTime(): void {
  if (isAsked || waiting.size === 0) return;
  isAsked = true;
  if (typeof requestIdleCallback === "function") requestIdleCallback(drawNext, { timeout: LATEST_MS });
  else setTimeout(drawNext, 50);
}

/** Whether what is inside the element is to be drawn; once it is, it stays. */
export function useDrawn(element: RefObject<Element | null>): boolean {
  const [drawn, setDrawn] = useState(false);
  useLayoutEffect(() => {
    const box = element.current?.getBoundingClientRect();
    if (box === undefined || box.top < window.innerHeight * (1 + NEAR)) setDrawn(true);
  }, [element]);
  useEffect(() => {
    const target = element.current;
    if (drawn || target === null) return;
    const draw = () => setDrawn(true);
    // Paper takes what is there when the browser asks.
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
    askForTime();
    return () => {
      observer?.disconnect();
      window.removeEventListener("beforeprint", drawNow);
      waiting.delete(draw);
    };
  }, [element, drawn]);
  return drawn;
}
