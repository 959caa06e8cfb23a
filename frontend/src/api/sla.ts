// Requests of the SLA page. They store nothing on the server, so each question is a query; the previous answer is shown
// until the next arrives.
import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import { addressOf, client, getQuery, refetchAfter, unwrap } from "./client";
import type { BudgetChoice, Schemas, SizeQuestion, SlaSubject, SubjectKind } from "./types";

export const MATCH_PAGE = 50;
/** Age in milliseconds at which answers are refetched. Results and budgets do not change; live runs are polled. */
const FRESH_MS = 30_000;
const LIVE_MS = 5_000;
/** Pause before the next request, in milliseconds. Each response adds rows judged within its time limit. */
const CONTINUE_MS = 250;
const MOST_ROUNDS = 30;

/** A subject and its cache key. The key of a pasted distribution is its given name, since its content can be long. */
export type KeyedSubject = { readonly key: string; readonly subject: SlaSubject };

export const slaKeys = {
  all: ["sla"] as const,
  budgets: ["budgets"] as const,
};

export const budgetsQuery = () => getQuery(slaKeys.budgets, "/api/v1/budgets", {}, { staleTime: 60_000 });

export const evaluateQuery = (subject: KeyedSubject, budget: BudgetChoice) =>
  queryOptions({
    queryKey: [...slaKeys.all, "evaluate", subject.key, budget],
    queryFn: ({ signal }) => evaluate(subject, budget, "display", signal),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    refetchInterval: ({ state }) => (state.data?.subject.provisional === true ? LIVE_MS : false),
  });

/** Returns the same verdict in the full detail of stored verdicts. Takes seconds for a long run. */
export const exactQuery = (subject: KeyedSubject, budget: BudgetChoice) =>
  queryOptions({
    queryKey: [...slaKeys.all, "evaluate", subject.key, budget, "full"],
    queryFn: ({ signal }) => evaluate(subject, budget, "full", signal),
    staleTime: FRESH_MS,
    retry: false,
  });

const evaluate = ({ subject }: KeyedSubject, budget: BudgetChoice, detail: "display" | "full", signal: AbortSignal) =>
  unwrap(client.POST("/api/v1/sla/evaluate", { body: { subject, budget, detail }, signal }));

/** Returns the smallest change of the question with which the subject passes. */
export const relaxQuery = (subject: KeyedSubject, budget: BudgetChoice) =>
  queryOptions({
    queryKey: [...slaKeys.all, "relax", subject.key, budget],
    queryFn: ({ signal }) =>
      unwrap(client.POST("/api/v1/sla/relax", { body: { subject: subject.subject, budget }, signal })),
    staleTime: FRESH_MS,
  });

/** Judges all matching configurations, published ones included. `kinds` restricts them by kind; `null` means all. */
export const matchQuery = (budget: BudgetChoice, kinds: SubjectKind[] | null) =>
  infiniteQueryOptions({
    queryKey: [...slaKeys.all, "match", budget, kinds],
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        client.POST("/api/v1/sla/match", {
          body: { budget, published: true, kinds, limit: MATCH_PAGE, cursor: pageParam },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      needsRefetch(leftOut(data?.pages ?? []), dataUpdateCount) ? CONTINUE_MS : false,
  });

type MatchPage = { not_looked_at: number; next_cursor: string | null; items: readonly unknown[] };

/**
 * Returns the number of configurations that time-limited responses omit: missing on the last page, or unjudged when any
 * page was made. One that was judged after a page may belong on that page, and is on no later one.
 */
export function leftOut(pages: readonly MatchPage[]): number {
  const last = pages.at(-1);
  const missing = last === undefined || last.next_cursor === null ? 0 : MATCH_PAGE - last.items.length;
  return missing + Math.max(0, ...pages.map((page) => page.not_looked_at));
}

/** Judges the runs of a list, at most one page of them. */
export const matchRunsQuery = (budget: BudgetChoice, runs: readonly string[]) =>
  queryOptions({
    queryKey: [...slaKeys.all, "match", budget, runs],
    queryFn: ({ signal }) =>
      unwrap(
        client.POST("/api/v1/sla/match", {
          body: { budget, runs: [...runs], published: false, limit: MATCH_PAGE },
          signal,
        }),
      ),
    // While the list grows, its previous answers are shown.
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      needsRefetch(leftOut(data === undefined ? [] : [data]), dataUpdateCount) ? CONTINUE_MS : false,
  });

/** Returns whether to request again: configurations are unjudged, and the limit of requests is not reached. */
export const needsRefetch = (notLookedAt: number, rounds: number): boolean => notLookedAt > 0 && rounds < MOST_ROUNDS;

export type SizeRequest = Omit<SizeQuestion, "subject" | "budget">;

export const sizeQuery = (subject: KeyedSubject, budget: BudgetChoice, size: SizeRequest) =>
  queryOptions({
    queryKey: [...slaKeys.all, "size", subject.key, budget, size],
    queryFn: ({ signal }) =>
      unwrap(client.POST("/api/v1/sla/size", { body: { ...size, subject: subject.subject, budget }, signal })),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });

const carryQuestion = (
  production: string,
  subjects: readonly string[],
  budget: BudgetChoice | null,
  operationsPerRequest: number | null,
) => ({
  production: { run_id: production },
  subjects: [...subjects],
  budget: budget ?? {},
  operations_per_request: operationsPerRequest,
});
type CarryQuestion = Parameters<typeof carryQuestion>;

/** Returns which subjects would meet the load that a production run recorded. */
export const carryQuery = (...asked: CarryQuestion) => {
  const body = carryQuestion(...asked);
  return queryOptions({
    queryKey: [...slaKeys.all, "carry", body],
    queryFn: ({ signal }) => unwrap(client.POST("/api/v1/sla/carry", { body, signal })),
    enabled: asked[2] !== null,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });
};

/** Returns the URL of the same answer as a printable page. */
export const carryReportAddress = (...asked: CarryQuestion): string =>
  addressOf("/api/v1/sla/carry/report.html", { question: JSON.stringify(carryQuestion(...asked)) });

/** Stores a new version of a budget. Versions are permanent; runs of the named workloads use the newest version. */
export const storeBudget = (queries: QueryClient, body: Schemas["BudgetIn"]) =>
  refetchAfter(queries, slaKeys.budgets, client.POST("/api/v1/budgets", { body }));
