// What the SLA page asks of the API. Nothing is stored by asking, so every question is a query like any other: kept under what
// was asked, and the answer before stays on screen until the next has come.
import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "./client";
import type { components } from "./generated/schema";
import type { BudgetChoice, SizeQuestion, SlaSubject, SubjectKind } from "./types";

export const MATCH_PAGE = 50;
/** Records and budgets do not change under a question; live runs do, and are asked about anew. */
const FRESH_MS = 30_000;
const LIVE_MS = 5_000;
/** An answer comes after seconds with the rows judged by then; the server caches them, so the next request continues. */
const GOES_ON_MS = 250;
const MOST_ROUNDS = 30;

/** A distribution can be long: it is known by the name it was given when it was pasted, not by its content. */
export type AskedSubject = { readonly key: string; readonly subject: SlaSubject };

export const slaKeys = {
  all: ["sla"] as const,
  budgets: ["budgets"] as const,
};

export const budgetsQuery = () =>
  queryOptions({
    queryKey: slaKeys.budgets,
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/budgets", { signal })),
    staleTime: 60_000,
  });

export const evaluateQuery = (subject: AskedSubject, budget: BudgetChoice) =>
  queryOptions({
    queryKey: [...slaKeys.all, "evaluate", subject.key, budget],
    queryFn: ({ signal }) => evaluate(subject, budget, "display", signal),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    refetchInterval: ({ state }) => (state.data?.subject.provisional === true ? LIVE_MS : false),
  });

/** The same question, calculated as stored verdicts are: seconds for a long run. */
export const exactQuery = (subject: AskedSubject, budget: BudgetChoice) =>
  queryOptions({
    queryKey: [...slaKeys.all, "evaluate", subject.key, budget, "full"],
    queryFn: ({ signal }) => evaluate(subject, budget, "full", signal),
    staleTime: FRESH_MS,
    retry: false,
  });

const evaluate = ({ subject }: AskedSubject, budget: BudgetChoice, detail: "display" | "full", signal: AbortSignal) =>
  unwrap(client.POST("/api/v1/sla/evaluate", { body: { subject, budget, detail }, signal }));

/** The smallest change of the question with which the subject passes. */
export const relaxQuery = (subject: AskedSubject, budget: BudgetChoice) =>
  queryOptions({
    queryKey: [...slaKeys.all, "relax", subject.key, budget],
    queryFn: ({ signal }) =>
      unwrap(client.POST("/api/v1/sla/relax", { body: { subject: subject.subject, budget }, signal })),
    staleTime: FRESH_MS,
  });

/** `published`: also configurations that others have published figures of. */
/** `kinds`: of which records; null: of all. */
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
      goesOn(leftOut(data?.pages.at(-1)), dataUpdateCount) ? GOES_ON_MS : false,
  });

/** Return how many configurations an answer leaves out for want of time: unjudged, or missing on a page that ended early. */
export function leftOut(
  page: { not_looked_at: number; next_cursor: string | null; items: readonly unknown[] } | undefined,
): number {
  if (page === undefined) return 0;
  return page.not_looked_at + (page.next_cursor === null ? 0 : MATCH_PAGE - page.items.length);
}

/** The same question, of runs that a list shows: a page of them at most. */
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
    // While a list grows, the answers before stand.
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      goesOn(leftOut(data), dataUpdateCount) ? GOES_ON_MS : false,
  });

/** Whether configurations remain to be judged; those beyond the limit remain unjudged. */
export const goesOn = (notLookedAt: number, rounds: number): boolean => notLookedAt > 0 && rounds < MOST_ROUNDS;

export type SizeAsked = Omit<SizeQuestion, "subject" | "budget">;

export const sizeQuery = (subject: AskedSubject, budget: BudgetChoice, size: SizeAsked) =>
  queryOptions({
    queryKey: [...slaKeys.all, "size", subject.key, budget, size],
    queryFn: ({ signal }) =>
      unwrap(client.POST("/api/v1/sla/size", { body: { ...size, subject: subject.subject, budget }, signal })),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });

/** Which subjects would have carried the load that a run of production counted. */
export const carryQuery = (
  production: string,
  subjects: readonly string[],
  budget: BudgetChoice | null,
  operationsPerRequest: number | null,
) =>
  queryOptions({
    queryKey: [...slaKeys.all, "carry", production, subjects, budget, operationsPerRequest],
    queryFn: ({ signal }) =>
      unwrap(
        client.POST("/api/v1/sla/carry", {
          body: {
            production: { run_id: production },
            subjects: [...subjects],
            budget: budget ?? {},
            operations_per_request: operationsPerRequest,
          },
          signal,
        }),
      ),
    enabled: budget !== null,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });

/** The same as a page that prints. */
export function carryReportAddress(
  production: string,
  subjects: readonly string[],
  budget: BudgetChoice,
  operationsPerRequest: number | null,
): string {
  const question = {
    production: { run_id: production },
    subjects,
    budget,
    operations_per_request: operationsPerRequest,
  };
  return `/api/v1/sla/carry/report.html?${new URLSearchParams({ question: JSON.stringify(question) })}`;
}

/** Keeps a version for ever; runs of the named workloads are judged by the newest one of each name. */
export async function storeBudget(queries: QueryClient, body: components["schemas"]["BudgetIn"]): Promise<void> {
  await unwrap(client.POST("/api/v1/budgets", { body }));
  await queries.invalidateQueries({ queryKey: slaKeys.budgets });
}
