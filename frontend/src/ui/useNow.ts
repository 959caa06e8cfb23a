// The present moment, as often as a display of it needs.
import { useEffect, useState } from "react";

/** Milliseconds since 1970 by the given clock, renewed every `everyMs`; stands still while `running` is false. */
export function useNow(clock: () => number, everyMs: number, running = true): number {
  const [now, setNow] = useState(clock);
  useEffect(() => {
    if (!running) return;
    setNow(clock());
    const timer = setInterval(() => setNow(clock()), everyMs);
    return () => clearInterval(timer);
  }, [clock, everyMs, running]);
  return now;
}
