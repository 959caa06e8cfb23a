// Subjects grouped by verdict: proven, passed while tested, too slow, undecided by missing evidence.
import type { MatchItem, MatchPage, RecordCost } from "@/api/types";
import { reasonName, verdictRank } from "@/entities/verdict/words";
import type { Cell } from "@/lib/csv";

export type Undecided = { readonly why: string; readonly way: string | null; readonly items: readonly MatchItem[] };

export type Groups = {
  readonly proven: readonly MatchItem[];
  readonly observed: readonly MatchItem[];
  readonly tooSlow: readonly MatchItem[];
  readonly undecided: readonly Undecided[];
};

/** Returns the subjects in groups, each in the API's order. */
export function groupsOf(items: readonly MatchItem[]): Groups {
  const of = (ranks: readonly number[]) => items.filter((item) => ranks.includes(verdictRank(item)));
  const undecided = new Map<string, Undecided>();
  for (const item of of([2])) {
    const why = item.reason === null ? "not decided" : reasonName(item.reason);
    const way = neededEvidence(item);
    const key = `${why}\n${way ?? ""}`;
    undecided.set(key, { why, way, items: [...(undecided.get(key)?.items ?? []), item] });
  }
  return { proven: of([0]), observed: of([1]), tooSlow: of([3, 4]), undecided: [...undecided.values()] };
}

/** Returns the evidence that would decide a subject; those that lack counts share one text, because amounts differ. */
const neededEvidence = ({ decided_by: way, reason }: MatchItem): string | null =>
  reason === "samples" ? "more operations" : way;

const COLUMNS: readonly (readonly [string, (item: MatchItem) => Cell])[] = [
  ["configuration", (item) => item.subject.label],
  ["source", (item) => item.subject.source],
  ["run_id", (item) => item.subject.run_id ?? null],
  ["publication", (item) => item.subject.publication_slug ?? null],
  ["publication_row", (item) => item.subject.publication_row ?? null],
  ["operation", (item) => item.subject.operation],
  ["clock", (item) => item.subject.clock],
  ["samples", (item) => item.subject.samples],
  ["measured_ns", (item) => item.subject.measured_ns],
  ["verdict", (item) => item.verdict],
  ["strength", (item) => item.strength],
  ["reason", (item) => item.reason],
  ["reason_text", (item) => item.reason_text],
  ["decided_by", (item) => item.decided_by],
  ["observed_lower", (item) => item.observed.lower],
  ["observed_upper", (item) => item.observed.upper],
  ["proven_lower", (item) => item.proven.lower],
  ["proven_upper", (item) => item.proven.upper],
  ["room_lower_ns", (item) => item.room_lower_ns],
  ["room_upper_ns", (item) => item.room_upper_ns],
  ["n_guaranteed", (item) => item.n_guaranteed],
  ["n_possible", (item) => item.n_possible],
];

const COST_COLUMNS: readonly (readonly [string, (cost: RecordCost) => Cell])[] = [
  ["price_lower", ({ price }) => price.lower],
  ["price_upper", ({ price }) => price.upper],
  ["price_currency", ({ price }) => price.currency],
  ["price_per", ({ price }) => price.per],
  ["price_date", ({ price }) => price.date],
  ["price_source", ({ price }) => price.source],
  ["price_per_ktps_lower", (cost) => cost.price_per_ktps?.lower ?? null],
  ["price_per_ktps_upper", (cost) => cost.price_per_ktps?.upper ?? null],
  ["price_per_thousand_transactions_lower", (cost) => cost.price_per_thousand_transactions?.lower ?? null],
  ["price_per_thousand_transactions_upper", (cost) => cost.price_per_thousand_transactions?.upper ?? null],
  ["price_per_million_transactions_lower", (cost) => cost.price_per_million_transactions?.lower ?? null],
  ["price_per_million_transactions_upper", (cost) => cost.price_per_million_transactions?.upper ?? null],
];

export type Costs = MatchPage["costs"];

/** Returns the cost of a subject; undefined if it does not pass or has no price. */
export const costOf = ({ subject }: MatchItem, costs: Costs): RecordCost | undefined =>
  costs[subject.run_id ?? subject.publication ?? ""];

/** Returns the subjects as a CSV table, without cost columns if no subject has a cost. */
export function csvOf(
  items: readonly MatchItem[],
  costs: Costs,
  question: string,
): { header: string[]; rows: Cell[][] } {
  const costColumns = items.some((item) => costOf(item, costs) !== undefined) ? COST_COLUMNS : [];
  return {
    header: ["question", ...[...COLUMNS, ...costColumns].map(([name]) => name)],
    rows: items.map((item) => {
      const cost = costOf(item, costs);
      return [
        question,
        ...COLUMNS.map(([, value]) => value(item)),
        ...costColumns.map(([, value]) => (cost === undefined ? null : value(cost))),
      ];
    }),
  };
}
