// The server's clock, estimated from its responses: "12 s ago" must not depend on the client's clock.

let offsetMs = 0;

/** Updates the offset from a `Date` header, which drops fractions of a second: half a second on average. */
export function updateServerTime(header: string | null, receivedAtMs: number = Date.now()): void {
  const server = header === null ? Number.NaN : Date.parse(header);
  if (Number.isNaN(server)) return;
  const offset = server + 500 - receivedAtMs;
  // Offsets within the header's resolution count as zero, so that times do not jitter between responses.
  offsetMs = Math.abs(offset) < 1500 ? 0 : offset;
}

/** Returns milliseconds since 1970 by the server's clock. */
export const serverNow = (): number => Date.now() + offsetMs;
