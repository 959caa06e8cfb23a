// Answers that public/ahead.js asked for before any other script was there. Each is handed out once, and only while the page opens.

declare global {
  interface Window {
    tailroomAhead?: Map<string, Promise<Response>>;
  }
}

/** Later the page fetches again: data from the time it opened may be outdated. */
const FRESH_MS = 20_000;

/** The answer to a request that is already under way. */
export function takenAhead({ method, url }: Request): Promise<Response> | undefined {
  const ahead = globalThis.window?.tailroomAhead;
  const answer = method === "GET" && performance.now() < FRESH_MS ? ahead?.get(url) : undefined;
  ahead?.delete(url);
  return answer;
}
