import { useState } from "react";

/** Returns the value, or the last that was not null, so that an unreadable field leaves the previous answer shown. */
export function useLastNonNull<Value>(value: Value | null): Value | null {
  const [last, setLast] = useState(value);
  if (value !== null && value !== last) setLast(value);
  return value ?? last;
}
