// Subjects that meet a question, in the groups of the list: proven, passed in a run or test, too slow, undecided by missing evidence.
import type { MatchItem } from "@/api/types";
import { reasonName, verdictRank } from "@/entities/verdict/words";
import type { Cell } from "@/lib/csv";

export type Undecided = { readonly why: string; readonly way: string | null; readonly items: readonly MatchItem[] };

export type Groups = {
  readonly proven: readonly MatchItem[];
  readonly observed: readonly MatchItem[];
  readonly tooSlow: readonly MatchItem[];
  readonly undecided: readonly Undecided[];
};

/** Return the records in groups; inside a group the order of the API stays. */
export function groupsOf(items: readonly MatchItem[]): Groups {
  const of = (ranks: readonly number[]) => items.filter((item) => ranks.includes(verdictRank(item)));
  const undecided = new Map<string, Undecided>();
  for (const item of of([2])) {
    const why = item.reason === null ? "not decided" : reasonName(item.reason);
    const way = wayOf(item);
    const key = `${why}\n${way ?? ""}`;
    undecided.set(key, { why, way, items: [...(undecided.get(key)?.items ?? []), item] });
  }
  return { proven: of([0]), observed: of([1]), tooSlow: of([3, 4]), undecided: [...undecided.values()] };
}

/** What would decide it; amounts differ from record to record, so records that lack counts share one line. */
const wayOf = ({ decided_by: way, reason }: MatchItem): string | null =>
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

export function csvOf(items: readonly MatchItem[], question: string): { header: string[]; rows: Cell[][] } {
  return {
    header: ["question", ...COLUMNS.map(([name]) => name)],
    rows: items.map((item) => [question, ...COLUMNS.map(([, value]) => value(item))]),
  };
}
