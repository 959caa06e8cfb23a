// Hands over responses that public/ahead.js requested before the other scripts loaded. Each is used once, during page
// load.

declare global {
  interface Window {
    tailroomAhead?: Map<string, Promise<Response>>;
  }
}

/** Age in milliseconds since page load from which early responses count as outdated. */
const FRESH_MS = 20_000;

/** Returns the early response to the same request; `undefined` if there is none or it is outdated. */
export function earlyResponse({ method, url }: Request): Promise<Response> | undefined {
  const ahead = globalThis.window?.tailroomAhead;
  const answer = method === "GET" && performance.now() < FRESH_MS ? ahead?.get(url) : undefined;
  ahead?.delete(url);
  return answer;
}
