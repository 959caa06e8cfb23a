import { useEffect, useState } from "react";

/** Returns the clock's time in milliseconds since 1970, updated every `everyMs`; frozen while not `running`. */
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
