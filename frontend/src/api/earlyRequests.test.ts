import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { QueryClient } from "@tanstack/react-query";
import { defaultParseSearch } from "@tanstack/react-router";
import { afterEach, describe, expect, it, vi } from "vitest";
import { drivesSearch } from "@/features/drives/address";
import { readQuestion } from "@/features/drives/question";
import { earlyResponse } from "./earlyRequests";
import { leaderboardQuery } from "./leaderboard";
import { firstHeatmapQuery, runDetailQuery, timelineQuery } from "./queries";

const SCRIPT = readFileSync(resolve(import.meta.dirname, "../../public/ahead.js"), "utf8");
const ORIGIN = "http://localhost:3000";

/** Returns the URLs that the script requests for a page. */
function askedAhead(page: string): string[] {
  const { pathname, search } = new URL(page, ORIGIN);
  const window = { location: { pathname, search, origin: ORIGIN } };
  const asked: string[] = [];
  const fetch = (path: string) => {
    asked.push(path);
    return Promise.resolve(new Response("{}"));
  };
  new Function("window", "fetch", SCRIPT)(window, fetch);
  return asked;
}

/** Returns the URLs that the page's own queries request. */
async function askedByPage(...queries: { queryKey: readonly unknown[] }[]): Promise<string[]> {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async ({ url }: Request) => {
    asked.push(url.slice(new URL(url).origin.length));
    return Response.json({ rows: [], next_cursor: null });
  });
  const client = new QueryClient();
  for (const query of queries) {
    if ("initialPageParam" in query) await client.fetchInfiniteQuery(query as never);
    else await client.fetchQuery(query as never);
  }
  return asked;
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  delete window.tailroomAhead;
});

describe("what is asked for ahead is what the page asks for", () => {
  it.each([
    "/drives",
    "/drives?view=table",
    "/drives?view=table&equal=no&pick=a.1",
    "/drives?equal=no&reads=250&view=table",
    "/drives?reads=40&sched=parallel&window=2s&reserve=100ms&objective=99.9",
  ])("on %s", async (page) => {
    const { query: asked } = readQuestion(drivesSearch(defaultParseSearch(new URL(page, ORIGIN).search)));
    expect(askedAhead(page)).toEqual(await askedByPage(leaderboardQuery(asked ?? {})));
  });

  it("on a run", async () => {
    const run = crypto.randomUUID();
    const queries = [runDetailQuery(run), firstHeatmapQuery(run), timelineQuery(run)];
    expect(askedAhead(`/runs/${run}`)).toEqual(await askedByPage(...queries));
  });

  it.each(["/", "/runs", "/drives?limits=1ms_1", "/drives?reads=40&objective=99", "/drives?reads=4&window=1h"])(
    "and nothing on %s",
    (page) => expect(askedAhead(page)).toEqual([]),
  );
});

it("an answer is handed out once, only to who asks the same, and only while the page opens", async () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(1_000);
  const answer = Promise.resolve(Response.json({}));
  window.tailroomAhead = new Map([[`${ORIGIN}/api/v1/a`, answer]]);
  expect(earlyResponse(new Request(`${ORIGIN}/api/v1/b`))).toBeUndefined();
  expect(earlyResponse(new Request(`${ORIGIN}/api/v1/a`))).toBe(answer);
  expect(earlyResponse(new Request(`${ORIGIN}/api/v1/a`))).toBeUndefined();
  window.tailroomAhead = new Map([[`${ORIGIN}/api/v1/a`, answer]]);
  now.mockReturnValue(20_000);
  expect(earlyResponse(new Request(`${ORIGIN}/api/v1/a`))).toBeUndefined();
});
