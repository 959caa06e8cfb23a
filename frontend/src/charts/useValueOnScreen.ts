// Pauses the updates of off-screen charts: they show their last data and catch up when scrolled into view.
import { type RefObject, useEffect, useRef, useState } from "react";

/** Returns the latest value while the element is near the viewport or printed, else its last value on screen. */
export function useValueOnScreen<Value>(element: RefObject<Element | null>, latest: Value): Value {
  const [seen, setSeen] = useState(true);
  const lastShown = useRef(latest);
  useEffect(() => {
    const target = element.current;
    if (target === null || typeof IntersectionObserver === "undefined") return;
    const observer = new IntersectionObserver((entries) => setSeen(entries.at(-1)?.isIntersecting ?? true), {
      rootMargin: "200px",
    });
    observer.observe(target);
    const onPrint = () => setSeen(true);
    window.addEventListener("beforeprint", onPrint);
    return () => {
      observer.disconnect();
      window.removeEventListener("beforeprint", onPrint);
    };
  }, [element]);
  if (seen) lastShown.current = latest;
  return lastShown.current;
}
