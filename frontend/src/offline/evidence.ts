// Types of the evidence in the page, as written by backend/src/tailroom/reports/offline_evidence.py. Times are whole
// nanoseconds, shares are ratios, and unknown values are `null`.
import type { FixedStage, Plan } from "./plans";
import type { Scope } from "./words";

export type Cells = {
  /** Ascending. Latencies in bucket i are at least `lower_ns[i]`, below `upper_ns[i]` (`null`: unlimited). */
  readonly lower_ns: readonly number[];
  readonly upper_ns: readonly (number | null)[];
  readonly counts: readonly number[];
  /** Errors, time-outs and unfinished operations. They count as at or over every time. */
  readonly misses: number;
  readonly edge_tolerance_ns: number;
  /** Pairs of a time and the exact number of operations at or over it, without misses. */
  readonly pins: readonly (readonly [number, number])[];
  /** Operations per independent operation (`factors`), at and beyond these times. */
  readonly places_ns: readonly number[];
  readonly factors: readonly number[];
  readonly pin_factors: readonly (readonly [number, number])[];
};

/** Slices with a late or overloaded load generator, by the lateness that a question tolerates. */
export type Reliability = {
  readonly limit_ns: number;
  readonly text: string;
  /** Index in `best` of the counts with unreliable slices at their best; `null` if all slices are reliable. */
  readonly at_best: number | null;
};

/** A slice of full length, such as an hour: operations at or over each limit, at most and at least. */
export type FullSlice = {
  readonly total: number;
  readonly over: readonly number[];
  readonly certain: readonly number[];
};

/** Requires every full slice to meet every limit for the whole duration. `slices` has an entry per operation. */
export type Certification = {
  readonly duration_ns: number;
  readonly slice_ns: number;
  /** Whether the certification decides the verdict; otherwise it is shown beside it. */
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
  /** Model for transactions of this operation; `null` if the page does not contain it. */
  readonly model: SliceModel | null;
  readonly best_models: readonly (SliceModel | null)[];
  /** For measured transactions: the operations of each, and whether they contradict the model. */
  readonly issued: (FixedStage & { readonly contradicts: boolean }) | null;
};

/** Buckets of a group of slices: gap to the previous bucket, width (`null`: unlimited), and operations. */
export type GroupCells = {
  readonly total: number;
  readonly gaps: readonly number[];
  readonly widths: readonly (number | null)[];
  readonly counts: readonly number[];
};

/** Slices of one length, in groups of similar slices. */
export type GroupsOfSlices = {
  readonly pieces: number;
  /** Share of the operations outside all slices. */
  readonly outside: number;
  readonly operations_of_a_piece: number;
  readonly weights: readonly number[];
  /** Buckets of every group, by operation. */
  readonly cells: readonly (readonly GroupCells[])[];
  /** The same groups in wider buckets. */
  readonly coarser: readonly (readonly GroupCells[])[] | null;
};

/** Data for modelling transactions of operations measured in the same slices. */
export type SliceModel = {
  readonly most_steps: number;
  readonly parts: readonly ModelPart[];
  readonly groups: GroupsOfSlices | null;
  readonly shorter: GroupsOfSlices | null;
};

/** Data of one operation in a model. */
export type ModelPart = {
  readonly mean_upper_ns: number | null;
  readonly sum_ns: number | null;
  /** Operations per slice: the distinct numbers of operations, and how many slices have each. */
  readonly slice_totals: readonly [readonly number[], readonly number[]];
  /** Dependent blocks per independent block, for block lengths from 1, 4, 16 … operations on. */
  readonly block_factors: readonly number[];
};

/** A model of several operations. `operations` are indices into the run's operations. */
export type JointModel = {
  readonly operations: readonly number[];
  readonly model: SliceModel;
  /** Models with unreliable slices at their best, by each operation's index in its `best` (`null`: reliable). */
  readonly best: readonly { readonly at_best: readonly (number | null)[]; readonly model: SliceModel | null }[];
};

/** Totals of the run. */
export type RunTotals = {
  readonly rates: Readonly<Record<string, readonly [number, number]>>;
  readonly completed: boolean | null;
  readonly lasted_ns: number;
  readonly is_load_unclear: boolean;
};

/** Percentiles of consecutive slices: bounds by quantile and slice. */
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

/** A share `objective` of transactions must end within the window. */
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

/** A verdict from the time when the page was created. */
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
  /** The question for the page; `null` if the page cannot judge it, such as percentiles without counts. */
  readonly asked_again: Question | null;
};

export type Run = {
  readonly title: string;
  readonly facts: readonly (readonly [string, string])[];
  /** Facts that the file does not state and that any verdict requires, in words; empty if there are none. */
  readonly unknown: string;
  readonly operations: readonly Operation[];
  /** Models for transactions of several operations. */
  readonly joint: readonly JointModel[];
  /** Index of the operation by name, or the reason why there is none. */
  readonly named: Readonly<Record<string, number | string>>;
  readonly every: readonly number[];
  readonly own: readonly string[];
  readonly verdicts: readonly StoredVerdict[];
  /** `null` if no requests were measured. */
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

/** Decodes the evidence of a page: deflated JSON in base64. */
export async function unpack(text: string): Promise<Evidence> {
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text()) as Evidence;
}
