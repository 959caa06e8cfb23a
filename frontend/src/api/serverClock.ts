// The server's clock, learned from its answers: "12 s ago" must not depend on the reader's clock being right.

let offsetMs = 0;

/** Takes the `Date` header of an answer; half a second is the mean of its cut-off fraction. */
export function learnServerTime(header: string | null, receivedAtMs: number = Date.now()): void {
  const server = header === null ? Number.NaN : Date.parse(header);
  if (Number.isNaN(server)) return;
  const offset = server + 500 - receivedAtMs;
  // Clocks that agree within the header's resolution are left alone, so that times do not jitter from answer to answer.
  offsetMs = Math.abs(offset) < 1500 ? 0 : offset;
}

/** Milliseconds since 1970 by the server's clock. */
export const serverNow = (): number => Date.now() + offsetMs;
