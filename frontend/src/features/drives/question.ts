// Conversion of the address to a query of the API: judgement, filters and order. The query is null if a typed field is
// unreadable; the API itself refuses unknown values.
import type { LeaderboardFilter } from "@/api/leaderboard";
import { asksTransaction, type TransactionKey, transactionOf } from "@/entities/question/address";
import { type LimitsState, limitsParameter, readLimits, readLimitTexts } from "@/entities/question/limits";
import { readQuestion as readTransactionFields, TRANSACTION_DEFAULTS } from "@/entities/question/question";
import { type Transaction, transactionParameters } from "@/entities/question/readerQuestion";
import { schedulingText } from "@/entities/question/scheduling";
import { formatExactLatency, formatExactPercent, plural } from "@/lib/format";
import { type Parsed, parseAmount, parseBytes } from "@/lib/parse";
import { compact } from "@/lib/search";
import { type DrivesChange, type DrivesSearch, LIST_FILTERS, shownText, type TypedFilter, valuesOf } from "./address";
import { showsTable } from "./filters";

/** Bases of the judgement. */
const BASES = ["rules", "limits", "transaction", "budget"] as const;
export type Basis = (typeof BASES)[number];

export function basisOf(search: DrivesSearch): Basis {
  if (search.budget !== undefined) return "budget";
  if (search.limits !== undefined) return "limits";
  return asksTransaction(search) ? "transaction" : "rules";
}

/** Change that removes the basis of the judgement from the address. */
export const NO_BASIS: DrivesChange = {
  rules: undefined,
  budget: undefined,
  limits: undefined,
  reads: undefined,
  sched: undefined,
  fan: undefined,
  window: undefined,
  reserve: undefined,
  objective: undefined,
};

type FieldName = TransactionKey | TypedFilter;

export type QuestionState = {
  readonly basis: Basis;
  /** Query for the API; null while a field is unreadable. */
  readonly query: LeaderboardFilter | null;
  readonly problems: { readonly [Key in FieldName]?: string };
  readonly limits: LimitsState;
  readonly transaction: Transaction | null;
};

const NO_LIMITS: LimitsState = { limits: null, problems: [] };

export function readQuestion(search: DrivesSearch): QuestionState {
  const basis = basisOf(search);
  const problems: { [Key in FieldName]?: string } = {};
  const report = (field: FieldName, problem: string): void => {
    problems[field] = problem;
  };
  const limits = basis === "limits" ? readLimits(readLimitTexts(shownText(search, "limits"))) : NO_LIMITS;
  const transaction = basis === "transaction" ? readTransaction(search, report) : null;
  const filters = readFilters(search, report);
  const judged = basisParameters(search, basis, limits, transaction);
  const query =
    judged === null || Object.keys(problems).length > 0
      ? null
      : {
          ...judged,
          ...filters,
          ...(search.equal === "no" || !showsTable(search) ? { equal: false } : {}),
          ...(search.sort === undefined ? {} : { sort: search.sort }),
        };
  return { basis, query, problems, limits, transaction };
}

function basisParameters(
  search: DrivesSearch,
  basis: Basis,
  limits: LimitsState,
  transaction: Transaction | null,
): LeaderboardFilter | null {
  switch (basis) {
    case "budget":
      return { budget: shownText(search, "budget") };
    case "limits":
      return limits.limits === null ? null : { limits: limitsParameter(limits.limits) };
    case "transaction":
      return transaction === null ? null : transactionParameters(transaction);
    default:
      return search.rules === undefined ? {} : { rule_set: shownText(search, "rules") };
  }
}

type ReportProblem = (field: FieldName, problem: string) => void;

function readTransaction(search: DrivesSearch, report: ReportProblem): Transaction | null {
  const { question, problems } = readTransactionFields({ sched: TRANSACTION_DEFAULTS.sched, ...transactionOf(search) });
  for (const [field, problem] of Object.entries(problems)) report(field as TransactionKey, problem);
  const [stage] = question?.stages ?? [];
  if (question === null || stage === undefined) return null;
  const { windowNs, reserveNs, objective } = question;
  const { count, scheduling, fanOut } = stage;
  return { count, scheduling, fanOut, windowNs, reserveNs, objective };
}

/** Returns a transaction as text: `250 reads one after another within 1 s, for 99.9 % of transactions`. */
export function transactionText({ windowNs, reserveNs, objective, ...counts }: Transaction): string {
  const reserveText = reserveNs === 0 ? "" : ` (${formatExactLatency(windowNs)} less ${formatExactLatency(reserveNs)})`;
  const reads = [plural(counts.count, "read"), schedulingText(counts)].filter((part) => part !== "").join(" ");
  const allowed = formatExactLatency(windowNs - reserveNs);
  return `${reads} within ${allowed}${reserveText}, for ${formatExactPercent(objective)} of transactions`;
}

const YEAR = { least: 1990, most: 2100, what: "a year, such as 2019" } as const;
const DWPD = { least: 0, most: 1_000, what: "drive writes per day, such as 3" } as const;
const LOAD = { least: 0.001, most: 1e6, what: "a load, such as 10" } as const;
const PRICE = { least: 0, most: 1e9, what: "a price, such as 500" } as const;

function readFilters(search: DrivesSearch, report: ReportProblem): LeaderboardFilter {
  const typed = <Value>(key: TypedFilter, parse: (text: string) => Parsed<Value>): Value | undefined => {
    if (search[key] === undefined) return undefined;
    const { value, problem } = parse(shownText(search, key));
    if (problem !== null) report(key, problem);
    return value ?? undefined;
  };
  const least = typed("capacity_min", parseBytes);
  const most = typed("capacity_max", parseBytes);
  if (least !== undefined && most !== undefined && least > most)
    report("capacity_max", "This is less than the least capacity.");
  const lists = Object.fromEntries(
    LIST_FILTERS.map((key) => [key, valuesOf(search, key)] as const).filter(([, values]) => values.length > 0),
  );
  return compact({
    // Values of the address are sent unchecked, because the API names unknown values.
    ...(lists as Pick<LeaderboardFilter, (typeof LIST_FILTERS)[number]>),
    capacity_min_bytes: least,
    capacity_max_bytes: most,
    price_max: typed("price_max", (text) => parseAmount(text, PRICE)),
    year_min: typed("year_min", (text) => parseAmount(text, YEAR)),
    dwpd_min: typed("dwpd_min", (text) => parseAmount(text, DWPD)),
    load_min: typed("load_min", (text) => parseAmount(text.replace(/x$/i, ""), LOAD)),
    tested_to_failure: search.failed === undefined ? undefined : true,
    search: search.search === undefined ? undefined : shownText(search, "search"),
    scope: search.scope === undefined ? undefined : (shownText(search, "scope") as "mine"),
  });
}
