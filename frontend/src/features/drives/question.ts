// Conversion of the address to a query of the API: judgement, filters and order. The query is null if a typed field is
// unreadable; the API itself refuses unknown values.
import type { LeaderboardFilter } from "@/api/leaderboard";
import { asksTransaction, QUESTION_KEYS, type TransactionKey } from "@/entities/question/address";
import { planText, type Question } from "@/entities/question/question";
import { readReaderQuestion, readTransaction, transactionParameters } from "@/entities/question/readerQuestion";
import { formatExactLatency, formatExactPercent } from "@/lib/format";
import { type Parsed, parseAmount, parseBytes } from "@/lib/parse";
import { compact } from "@/lib/search";
import { type DrivesChange, type DrivesSearch, LIST_FILTERS, shownText, type TypedFilter, valuesOf } from "./address";
import { showsTable } from "./filters";

export type Basis = "rules" | "limits" | "transaction" | "budget";

export function basisOf(search: DrivesSearch): Basis {
  if (search.budget !== undefined) return "budget";
  if (search.limits !== undefined) return "limits";
  return asksTransaction(search) ? "transaction" : "rules";
}

/** Change that removes the basis of the judgement from the address. */
export const NO_BASIS: DrivesChange = Object.fromEntries(
  ["rules", "budget", ...QUESTION_KEYS].map((key) => [key, undefined]),
);

type FieldName = TransactionKey | TypedFilter;

export type QuestionState = {
  readonly basis: Basis;
  /** Query for the API; null while a field is unreadable. */
  readonly query: LeaderboardFilter | null;
  readonly problems: { readonly [Key in FieldName]?: string };
  readonly transaction: Question | null;
};

export function readQuestion(search: DrivesSearch): QuestionState {
  const basis = basisOf(search);
  const read = basis === "transaction" ? readTransaction(search) : null;
  const transaction = read?.question ?? null;
  const problems: { [Key in FieldName]?: string } = { ...read?.problems };
  const filters = readFilters(search, (field, problem) => {
    problems[field] = problem;
  });
  const judged = basisParameters(search, basis, transaction);
  const query =
    judged === null || Object.keys(problems).length > 0
      ? null
      : {
          ...judged,
          ...filters,
          ...(search.equal === "no" || !showsTable(search) ? { equal: false } : {}),
          ...(search.sort === undefined ? {} : { sort: search.sort }),
        };
  return { basis, query, problems, transaction };
}

function basisParameters(search: DrivesSearch, basis: Basis, transaction: Question | null): LeaderboardFilter | null {
  switch (basis) {
    case "budget":
      return { budget: shownText(search, "budget") };
    case "limits":
      return readReaderQuestion({ limits: shownText(search, "limits") }).question?.leaderboard ?? null;
    case "transaction":
      return transaction === null ? null : transactionParameters(transaction);
    default:
      return search.rules === undefined ? {} : { rule_set: shownText(search, "rules") };
  }
}

/** Returns a transaction as text: `250 reads one after another within 1 s, for 99.9 % of transactions`. */
export function transactionText({ stages, windowNs, reserveNs, objective }: Question): string {
  const reserveText = reserveNs === 0 ? "" : ` (${formatExactLatency(windowNs)} less ${formatExactLatency(reserveNs)})`;
  const allowed = formatExactLatency(windowNs - reserveNs);
  return `${planText(stages)} within ${allowed}${reserveText}, for ${formatExactPercent(objective)} of transactions`;
}

const YEAR = { least: 1990, most: 2100, what: "a year, such as 2019" } as const;
const DWPD = { least: 0, most: 1_000, what: "drive writes per day, such as 3" } as const;
const LOAD = { least: 0.001, most: 1e6, what: "a load, such as 10" } as const;
const PRICE = { least: 0, most: 1e9, what: "a price, such as 500" } as const;

function readFilters(search: DrivesSearch, report: (field: FieldName, problem: string) => void): LeaderboardFilter {
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
