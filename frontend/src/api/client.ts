// One client for the whole page, typed by the contract. Every failure leaves here as ApiProblem or BackendUnreachable.
import createClient, { type Middleware } from "openapi-fetch";
import { takenAhead } from "./ahead";
import type { paths } from "./generated/schema";
import { ApiProblem, BackendUnreachable } from "./problem";
import { readable } from "./sentences";
import { learnServerTime } from "./serverClock";

const clock: Middleware = {
  onResponse({ response }) {
    learnServerTime(response.headers.get("date"));
    return undefined;
  },
  onError({ error }) {
    return error instanceof DOMException && error.name === "AbortError" ? undefined : new BackendUnreachable();
  },
};

export const client = createClient<paths>({
  baseUrl: globalThis.location?.origin ?? "",
  credentials: "same-origin",
  // Resolved at the time of the call, so that a test can replace the network.
  fetch: (request) => takenAhead(request) ?? globalThis.fetch(request),
});
client.use(clock);

type Answer<Data> = { data?: Data; error?: unknown; response: Response };

/** The data of an answer, or the problem thrown. */
export async function unwrap<Data>(answer: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await answer;
  if (!response.ok) throw ApiProblem.from(response.status, error);
  return readable(data as Data);
}
