// The rows of configurations: to which group a verdict belongs, in which order rows stand, and how they are exported.
import type { MatchItem } from "@/api/types";
import type { Cell } from "@/lib/csv";
import type { Group, SortField, SortKey } from "./address";

export const GROUP_OF: Record<MatchItem["verdict"], Group> = {
  PASS: "meets",
  INDETERMINATE: "undecided",
  FAIL: "misses",
};

/** The share in time that the verdict rests on: of measured transactions where they decide, else of the model. */
export const shareOf = ({ headline, p_lower, p_upper }: MatchItem): { lower: number | null; upper: number | null } =>
  headline?.basis === "measured"
    ? { lower: headline.lower, upper: headline.upper }
    : { lower: p_lower, upper: p_upper };

const KEYS: Record<SortField, (item: MatchItem) => string | number | null> = {
  name: (item) => item.subject.label.toLowerCase(),
  // By what is certain: a possible share or room is no merit.
  share: (item) => shareOf(item).lower,
  room: (item) => item.room_lower_ns,
  largest: (item) => item.n_guaranteed,
};

/** What is not known stands last either way; without an order the API's own stays: what meets it first. */
export function sortItems(items: readonly MatchItem[], sort: SortKey | undefined): MatchItem[] {
  if (sort === undefined) return [...items];
  const descending = sort.startsWith("-");
  const key = KEYS[(descending ? sort.slice(1) : sort) as SortField];
  return [...items].sort((a, b) => {
    const [left, right] = [key(a), key(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    const order = left < right ? -1 : left > right ? 1 : 0;
    return descending ? -order : order;
  });
}

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
  ["reason", (item) => item.reason],
  ["reason_text", (item) => item.reason_text],
  ["decided_by", (item) => item.decided_by],
  ["share_lower", (item) => shareOf(item).lower],
  ["share_upper", (item) => shareOf(item).upper],
  ["p_lower", (item) => item.p_lower],
  ["p_estimate", (item) => item.p_estimate],
  ["p_upper", (item) => item.p_upper],
  ["room_lower_ns", (item) => item.room_lower_ns],
  ["room_upper_ns", (item) => item.room_upper_ns],
  ["n_guaranteed", (item) => item.n_guaranteed],
  ["n_possible", (item) => item.n_possible],
];

export function csvOf(items: readonly MatchItem[]): { header: string[]; rows: Cell[][] } {
  return {
    header: COLUMNS.map(([name]) => name),
    rows: items.map((item) => COLUMNS.map(([, value]) => value(item))),
  };
}
