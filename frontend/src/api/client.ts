// The page's only API client, typed by the OpenAPI schema. Failures surface as `ApiProblem` or `BackendUnreachable`.
import type { paths } from "@generated/api";
import {
  infiniteQueryOptions,
  type QueryClient,
  type QueryKey,
  queryOptions,
  type UndefinedInitialDataOptions,
} from "@tanstack/react-query";
import createClient, { createQuerySerializer, type Middleware } from "openapi-fetch";
import { earlyResponse } from "./earlyRequests";
import { ApiProblem, BackendUnreachable } from "./problem";
import { readable } from "./sentences";
import { updateServerTime } from "./serverClock";

const clock: Middleware = {
  onResponse({ response }) {
    updateServerTime(response.headers.get("date"));
    return undefined;
  },
  onError({ error }) {
    return error instanceof DOMException && error.name === "AbortError" ? undefined : new BackendUnreachable();
  },
};

export const client = createClient<paths>({
  baseUrl: globalThis.location?.origin ?? "",
  credentials: "same-origin",
  // `fetch` is looked up at each call, so that tests can replace it.
  fetch: (request) => earlyResponse(request) ?? globalThis.fetch(request),
});
client.use(clock);

const serializeQuery = createQuerySerializer();

/** Returns the URL of a GET request, for links: parameters without a value are left out. */
export function addressOf(path: string, query: object): string {
  const text = serializeQuery(query);
  return text === "" ? path : `${path}?${text}`;
}

/** Returns the options of a request with parameters in its path. */
export const inPath = <Path>(path: Path) => ({ params: { path } });

type Answer<Data> = { data?: Data; error?: unknown; response: Response };

/** Returns the data of a response. Throws `ApiProblem` if its status is an error. */
export async function unwrap<Data>(answer: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await answer;
  if (!response.ok) throw ApiProblem.from(response.status, error);
  return readable(data as Data);
}

/** Paths that return JSON. */
type GetPath = {
  [Path in keyof paths]: paths[Path] extends {
    get: { responses: { 200: { content: { "application/json": unknown } } } };
  }
    ? Path
    : never;
}[keyof paths];
/** Paths that return a page of a list, by its cursor. */
type PagedPath = {
  [Path in GetPath]: Body<Path> extends { next_cursor?: string | null } ? Path : never;
}[GetPath];
type Operation<Path extends GetPath> = paths[Path]["get"];
type Params<Path extends GetPath> = Pick<Operation<Path>["parameters"], "path" | "query">;
type Body<Path extends GetPath> = Operation<Path>["responses"][200]["content"]["application/json"];

export const get = <Path extends GetPath>(
  path: Path,
  params: Params<Path>,
  signal?: AbortSignal,
): Promise<Body<Path>> => unwrap(client.GET(path as never, { params, signal } as never));

/** Returns the query of a GET request, with the further options of the query. */
export const getQuery = <Path extends GetPath>(
  queryKey: QueryKey,
  path: Path,
  params: Params<Path>,
  options: Omit<UndefinedInitialDataOptions<Body<Path>>, "queryKey" | "queryFn"> = {},
) => queryOptions({ queryKey, queryFn: ({ signal }) => get(path, params, signal), ...options });

/** Returns the query of a list in pages, each of which names the cursor of the next. */
export const pagesQuery = <Path extends PagedPath>(queryKey: QueryKey, path: Path, query: Params<Path>["query"]) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      get(path, { query: pageParam === null ? query : { ...query, cursor: pageParam } } as Params<Path>, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
  });

/** Stores the response of a change as the answer of a query, and returns it. */
export async function storeAnswer<Data>(
  queries: QueryClient,
  queryKey: QueryKey,
  request: Promise<Answer<Data>>,
): Promise<Data> {
  const data = await unwrap(request);
  await replaceAnswer(queries, queryKey, data);
  return data;
}

/** Sends a change, refetches the queries that it affects, and returns the response. */
export async function refetchAfter<Data>(
  queries: QueryClient,
  queryKey: QueryKey,
  request: Promise<Answer<Data>>,
): Promise<Data> {
  const data = await unwrap(request);
  await queries.invalidateQueries({ queryKey });
  return data;
}

/** Stores a mutation's response in the cache. Cancels pending requests, which may return older data. */
export async function replaceAnswer<Answer>(queries: QueryClient, queryKey: QueryKey, answer: Answer): Promise<void> {
  await queries.cancelQueries({ queryKey, exact: true });
  queries.setQueryData(queryKey, answer);
}
