// The evidence in the page: what the judge counted, as backend/src/tailroom/reports/offline_evidence.py writes it. Times are whole
// nanoseconds, shares are ratios; what is unknown is null.
import type { FixedStage, Plan } from "./plans";
import type { Scope } from "./words";

export type Cells = {
  /** Ascending; an operation of cell i took at least `lower_ns[i]` and less than `upper_ns[i]` (null: no upper end). */
  readonly lower_ns: readonly number[];
  readonly upper_ns: readonly (number | null)[];
  readonly counts: readonly number[];
  /** Errors, time-outs and operations that never ended: at or over every time. */
  readonly misses: number;
  readonly edge_tolerance_ns: number;
  /** Exact numbers at or over a time, without misses. */
  readonly pins: readonly (readonly [number, number])[];
  /** How many operations are worth one independent one, at and beyond these times. */
  readonly places_ns: readonly number[];
  readonly factors: readonly number[];
  readonly pin_factors: readonly (readonly [number, number])[];
};

/** Slices in which the load generator was late or busy, by the lateness that a question tolerates. */
export type Reliability = {
  readonly limit_ns: number;
  readonly text: string;
  /** The same operations with every unreliable slice at its best; null where all are reliable. */
  readonly at_best: number | null;
};

/** A full hour, or another length: operations at or over each limit, at most and at least. */
export type FullSlice = {
  readonly total: number;
  readonly over: readonly number[];
  readonly certain: readonly number[];
};

/** Every full slice must keep every limit, for the whole duration; an entry of slices for each operation of the question. */
export type Certification = {
  readonly duration_ns: number;
  readonly slice_ns: number;
  /** Whether the verdict itself depends on it; else it stands beside. */
  readonly decides: boolean;
  readonly slices: readonly (readonly FullSlice[])[];
  readonly slices_at_best: readonly (readonly FullSlice[])[];
};

export type Operation = {
  readonly name: string;
  readonly clock: string;
  readonly measured_ns: number;
  readonly cells: Cells;
  readonly best: readonly Cells[];
  readonly reliability: readonly Reliability[];
  readonly load: {
    readonly intended: number | null;
    readonly counted: number;
    readonly missing_intervals: number;
    readonly closed_loop: boolean;
    readonly fell_behind: boolean;
    readonly is_production: boolean;
  };
  readonly course: Course | null;
  /** What a model of transactions of this operation needs; null where it is not in the page. */
  readonly model: SliceModel | null;
  readonly best_models: readonly (SliceModel | null)[];
  /** Of measured transactions: the operations of each, and whether they refute the model. */
  readonly issued: (FixedStage & { readonly contradicts: boolean }) | null;
};

/** Cells of a group of slices: the gap to the cell before, the width (null: no upper end), the operations. */
export type GroupCells = {
  readonly total: number;
  readonly gaps: readonly number[];
  readonly widths: readonly (number | null)[];
  readonly counts: readonly number[];
};

/** Slices of one length in groups of similar ones. */
export type GroupsOfSlices = {
  readonly pieces: number;
  /** Share of the operations outside all slices. */
  readonly outside: number;
  readonly operations_of_a_piece: number;
  readonly weights: readonly number[];
  /** Of each operation the cells of every group. */
  readonly cells: readonly (readonly GroupCells[])[];
  /** The same in wider buckets. */
  readonly coarser: readonly (readonly GroupCells[])[] | null;
};

/** What a model of transactions needs of its operations, which are in common slices. */
export type SliceModel = {
  readonly most_steps: number;
  readonly parts: readonly ModelPart[];
  readonly groups: GroupsOfSlices | null;
  readonly shorter: GroupsOfSlices | null;
};

/** One operation of a model. */
export type ModelPart = {
  readonly mean_upper_ns: number | null;
  readonly sum_ns: number | null;
  readonly slice_totals: readonly [readonly number[], readonly number[]];
  readonly block_factors: readonly number[];
};

/** A model of several operations, which are named by their places in the run. */
export type JointModel = {
  readonly operations: readonly number[];
  readonly model: SliceModel;
  /** With unreliable slices at their best, by the place of each operation's counts in its `best`; null: reliable. */
  readonly best: readonly { readonly at_best: readonly (number | null)[]; readonly model: SliceModel | null }[];
};

/** Totals of the run. */
export type RunTotals = {
  readonly rates: Readonly<Record<string, readonly [number, number]>>;
  readonly completed: boolean | null;
  readonly lasted_ns: number;
  readonly is_load_unclear: boolean;
};

/** Percentiles of consecutive pieces: for each quantile the ends of every piece. */
export type Course = {
  readonly start_ns: readonly number[];
  readonly duration_ns: readonly number[];
  readonly quantiles: readonly {
    readonly quantile: number;
    readonly lower_ns: readonly (number | null)[];
    readonly upper_ns: readonly (number | null)[];
  }[];
};

export type Limit =
  | { readonly kind: "exceedance"; readonly threshold_ns: number; readonly ratio: number }
  | { readonly kind: "percentile"; readonly threshold_ns: number; readonly quantile: number };

export type LimitsQuestion = {
  readonly kind: "limits";
  readonly operation: string;
  readonly clock: string | null;
  readonly limits: readonly Limit[];
  readonly certification?: Certification | null;
};

/** A share `objective` of transactions must end their plan within the window. */
export type TransactionsQuestion = {
  readonly kind: "transactions";
  readonly plan: Plan;
  readonly window_ns: number;
  readonly objective: number;
};

export type RatesQuestion = {
  readonly kind: "rates";
  readonly floors: readonly { readonly quantity: string; readonly above: number }[];
};

export type CompletionQuestion = { readonly kind: "completion"; readonly duration_ns: number };

export type Question =
  | LimitsQuestion
  | TransactionsQuestion
  | RatesQuestion
  | CompletionQuestion
  | { readonly kind: "parts"; readonly parts: readonly Question[] };

/** A verdict as the judge reached it when the page was made. */
export type StoredVerdict = {
  readonly title: string;
  readonly question: string;
  readonly words: string;
  readonly headline: string;
  readonly reason_text: string;
  readonly observed: Scope;
  readonly proven: Scope;
  readonly asked: number | null;
  readonly is_counted: boolean;
  /** Null for a question that the page cannot judge, such as of percentiles without counts. */
  readonly asked_again: Question | null;
};

export type Run = {
  readonly title: string;
  readonly facts: readonly (readonly [string, string])[];
  /** Facts that the file does not state and without which nothing is judged, in words. */
  readonly unknown: string;
  readonly operations: readonly Operation[];
  /** Models of transactions of several operations. */
  readonly joint: readonly JointModel[];
  /** Which operation answers to a name; a text says why none does. */
  readonly named: Readonly<Record<string, number | string>>;
  readonly every: readonly number[];
  readonly own: readonly string[];
  readonly verdicts: readonly StoredVerdict[];
  /** Null where no requests were measured. */
  readonly whole: RunTotals | null;
};

export type Evidence = {
  readonly tailroom_page: 1;
  readonly method_version: number;
  readonly tailroom_version: string;
  readonly made_at: string;
  readonly title: string;
  readonly files: readonly { readonly name: string; readonly sha256: string; readonly bytes: number }[];
  readonly runs: readonly Run[];
};

/** Return the evidence of a page: deflated JSON in base64. */
export async function unpack(text: string): Promise<Evidence> {
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text()) as Evidence;
}
