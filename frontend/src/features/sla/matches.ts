// Subjects grouped by verdict: proven, passed while tested, too slow, undecided by missing evidence.
import type { MatchItem, MatchPage, RecordCost } from "@/api/types";
import { reasonName, verdictRank } from "@/entities/verdict/words";
import type { Cell } from "@/lib/csv";
import { groupBy } from "@/lib/groupBy";

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
  const whyOf = ({ reason }: MatchItem): string => (reason === null ? "not decided" : reasonName(reason));
  const undecided = groupBy(of([2]), (item) => `${whyOf(item)}\n${neededEvidence(item) ?? ""}`);
  return {
    proven: of([0]),
    observed: of([1]),
    tooSlow: of([3, 4]),
    undecided: [...undecided.values()].map((own) => ({ why: whyOf(own[0]), way: neededEvidence(own[0]), items: own })),
  };
}

/** Returns the evidence that would decide a subject; those that lack counts share one text, because amounts differ. */
const neededEvidence = ({ decided_by: way, reason }: MatchItem): string | null =>
  reason === "samples" ? "more operations" : way;

type Column<Source> = readonly [name: string, value: (source: Source) => Cell];

const COLUMNS: readonly Column<MatchItem>[] = [
  ["configuration", ({ subject }) => subject.label],
  ["source", ({ subject }) => subject.source],
  ["run_id", ({ subject }) => subject.run_id ?? null],
  ["publication", ({ subject }) => subject.publication_slug ?? null],
  ["publication_row", ({ subject }) => subject.publication_row ?? null],
  ...(["operation", "clock", "samples", "measured_ns"] as const).map(
    (name): Column<MatchItem> => [name, ({ subject }) => subject[name]],
  ),
  ...(["verdict", "strength", "reason", "reason_text", "decided_by"] as const).map(
    (name): Column<MatchItem> => [name, (item) => item[name]],
  ),
  ...(["observed", "proven"] as const).flatMap((name): Column<MatchItem>[] => [
    [`${name}_lower`, (item) => item[name].lower],
    [`${name}_upper`, (item) => item[name].upper],
  ]),
  ...(["room_lower_ns", "room_upper_ns", "n_guaranteed", "n_possible"] as const).map(
    (name): Column<MatchItem> => [name, (item) => item[name]],
  ),
];

const COST_COLUMNS: readonly Column<RecordCost>[] = [
  ...(["lower", "upper", "currency", "per", "date", "source"] as const).map(
    (name): Column<RecordCost> => [`price_${name}`, ({ price }) => price[name]],
  ),
  ...(["ktps", "thousand_transactions", "million_transactions"] as const).flatMap((name): Column<RecordCost>[] => [
    [`price_per_${name}_lower`, (cost) => cost[`price_per_${name}`]?.lower ?? null],
    [`price_per_${name}_upper`, (cost) => cost[`price_per_${name}`]?.upper ?? null],
  ]),
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
