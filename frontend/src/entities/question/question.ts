// Parses typed fields into a question. Problems are reported by field; the question is `null` if there are any.
import { operationCountText, operationsName } from "@/entities/run/words";
import { formatExactLatency, formatExactPercent, joinParts } from "@/lib/format";
import { type Parsed, parseDuration, parsePercent } from "@/lib/parse";
import type { QuestionSearch, TransactionKey } from "./address";
import { readCounts, type Scheduling, schedulingText } from "./scheduling";

export const DEFAULTS = {
  reads: "250",
  fan: "10",
  window: "1 s",
  reserve: "0",
  objective: "99.9",
  overhead: "0",
  op: "read",
} as const;

/** The card-fraud check: 250 reads before a score that is due within a second. */
export const TRANSACTION_DEFAULTS: Record<TransactionKey, string> = { ...DEFAULTS, sched: "sequential" };

type Stage = {
  readonly operation: string;
  readonly count: number;
  readonly scheduling: Scheduling;
  readonly fanOut: number;
  readonly overheadNs: number;
};

export type Question = {
  readonly stages: readonly Stage[];
  readonly windowNs: number;
  readonly reserveNs: number;
  readonly objective: number;
};

export type FieldName = TransactionKey | "overhead";

export type StageProblems = { readonly [Key in keyof StageText]?: string };

export type QuestionState = {
  readonly question: Question | null;
  readonly problems: { readonly [Key in FieldName]?: string };
  readonly stageProblems: readonly StageProblems[];
  /** Warnings about values that are valid but may be mistakes. */
  readonly hints: { readonly [Key in FieldName]?: string };
};

const shownText = (search: QuestionSearch, key: keyof QuestionSearch, otherwise = ""): string =>
  String(search[key] ?? otherwise);

/** Returns the scheduling of a URL. Without one, a fan-out above 1 means a pool. */
export function schedulingOf(search: QuestionSearch): string {
  if (search.sched !== undefined) return String(search.sched);
  return search.fan === undefined || search.fan === 1 ? "sequential" : "pool";
}

export function readQuestion(search: QuestionSearch): QuestionState {
  const problems: { [Key in FieldName]?: string } = {};
  const hints: { [Key in FieldName]?: string } = {};
  const field = <Value>(name: FieldName, parsed: Parsed<Value>): Value | null => {
    if (parsed.problem !== null) problems[name] = parsed.problem;
    return parsed.value;
  };

  const first = readCounts(
    {
      count: shownText(search, "reads", DEFAULTS.reads),
      scheduling: schedulingOf(search),
      fanOut: shownText(search, "fan", DEFAULTS.fan),
    },
    (part, problem) => {
      problems[({ count: "reads", scheduling: "sched", fanOut: "fan" } as const)[part]] = problem;
    },
  );
  const windowNs = field("window", positive(parseDuration(shownText(search, "window", DEFAULTS.window))));
  const reserveNs = field("reserve", parseDuration(shownText(search, "reserve", DEFAULTS.reserve)));
  const objective = field("objective", parsePercent(shownText(search, "objective", DEFAULTS.objective)));
  const overheadNs = field("overhead", parseDuration(shownText(search, "overhead", DEFAULTS.overhead)));
  const further = readFurther(readStages(shownText(search, "also")));

  if (windowNs !== null && reserveNs !== null && reserveNs >= windowNs) {
    problems.reserve = `Nothing is left for the reads: the window is ${formatExactLatency(windowNs)}.`;
  } else if (windowNs !== null && reserveNs !== null && overheadNs !== null && reserveNs + overheadNs >= windowNs) {
    problems.overhead = `Reserve and overhead use up the window of ${formatExactLatency(windowNs)}.`;
  }
  if (objective !== null && objective < 0.5) {
    hints.objective = `Fewer than half of the transactions. For 99.9 % write 99.9.`;
  }

  const broken = Object.keys(problems).length > 0 || further.stages === null;
  if (broken || first === null || windowNs === null || reserveNs === null || objective === null || overheadNs === null)
    return { question: null, problems, stageProblems: further.problems, hints };
  const stages: Stage[] = [
    { operation: shownText(search, "op", DEFAULTS.op), ...first, overheadNs },
    ...(further.stages ?? []),
  ];
  return { question: { stages, windowNs, reserveNs, objective }, problems, stageProblems: further.problems, hints };
}

function positive(parsed: Parsed<number>): Parsed<number> {
  return parsed.value === 0 ? { value: null, problem: "The window must be longer than nothing." } : parsed;
}

function readFurther(texts: readonly StageText[]): { stages: Stage[] | null; problems: StageProblems[] } {
  const stages: Stage[] = [];
  const problems = texts.map((text, index): StageProblems => {
    const stageProblem: { -readonly [Key in keyof StageProblems]: StageProblems[Key] } = {};
    const counts = readCounts(text, (part, problem) => {
      stageProblem[part] = problem;
    });
    const overhead = parseDuration(text.overhead === "" ? "0" : text.overhead);
    if (overhead.problem !== null) stageProblem.overhead = overhead.problem;
    if (text.operation === "") stageProblem.operation = "Write the operation, such as read.";
    if (index >= MOST_FURTHER_STAGES) stageProblem.operation = `At most ${MOST_FURTHER_STAGES + 1} stages.`;
    if (counts !== null && overhead.value !== null)
      stages.push({ operation: text.operation, ...counts, overheadNs: overhead.value });
    return stageProblem;
  });
  return { stages: problems.some((stageProblem) => Object.keys(stageProblem).length > 0) ? null : stages, problems };
}

const NAME = "my-transaction";

export function documentOf(question: Question) {
  return {
    kind: "transaction" as const,
    name: NAME,
    version: 1,
    title: "My transaction",
    question: questionText(question),
    plan: {
      stages: question.stages.map((stage) => ({
        operation: stage.operation,
        count: stage.count,
        fan_out: stage.fanOut,
        scheduling: stage.scheduling,
        overhead_ns: stage.overheadNs,
      })),
    },
    window_ns: question.windowNs,
    reserve_ns: question.reserveNs,
    objective_ratio: question.objective,
  };
}

/** A stage for display. `count` is `null` if it varies between transactions. */
export type PlannedStage = Omit<Stage, "count" | "overheadNs"> & { readonly count: number | null };

/** Returns a stage's operations in words: `250 reads`, `1 write`, `10 large-block reads`. */
function operations({ count, operation }: PlannedStage): string {
  return count === null ? `a varying number of ${operationsName(operation)}` : operationCountText(operation, count);
}

/** Returns all stages in words: `250 reads, 10 at a time, then 2 writes`. */
export function planText(stages: readonly PlannedStage[]): string {
  return stages.map((stage) => joinParts([operations(stage), schedulingText(stage)], " ")).join(", then ");
}

/** Returns the full question: `Do 99.9 % of transactions finish 250 reads one after another within 600 ms …?` */
export function questionText({ stages, windowNs, reserveNs, objective }: Question): string {
  const allowed = windowNs - reserveNs;
  const reserveText =
    reserveNs === 0 ? "" : ` (${formatExactLatency(windowNs)} less ${formatExactLatency(reserveNs)} kept for scoring)`;
  return `Do ${formatExactPercent(objective)} of transactions finish ${planText(stages)} within ${formatExactLatency(allowed)}${reserveText}?`;
}

/** Returns the question in short: `250 reads one after another within 1 s, for 99.9 % of transactions`. */
export function wordsOf({ stages, windowNs, reserveNs, objective }: Question): string {
  const reserveText = reserveNs === 0 ? "" : `, ${formatExactLatency(reserveNs)} kept for scoring`;
  return `${planText(stages)} within ${formatExactLatency(windowNs)}${reserveText}, for ${formatExactPercent(objective)} of transactions`;
}

/** A transaction that published tests can decide: their share over 64 ms bounds ten reads, but not 250. */
export const FEW_READS = { reads: 10, window: "1 s", reserve: "300 ms", objective: 99.9 } as const;
export const FEW_READS_TEXT = "10 reads in 1\u00a0s, with 300\u00a0ms for scoring";

export type StageText = {
  readonly count: string;
  readonly operation: string;
  readonly scheduling: string;
  readonly fanOut: string;
  readonly overhead: string;
};

export const MOST_FURTHER_STAGES = 7;

export const NEW_STAGE: StageText = { count: "1", operation: "read", scheduling: "", fanOut: "", overhead: "" };

export function readStages(text: string): StageText[] {
  if (text === "") return [];
  return text.split("*").map((stage) => {
    const [count = "", operation = "", scheduling = "", fanOut = "", ...overhead] = stage.split("_");
    return { count, operation, scheduling, fanOut, overhead: overhead.join("_") };
  });
}

/** Replaces the two separators, which cannot be part of a field. */
const plain = (text: string): string => text.trim().replaceAll(/[_*\s]+/g, "-");

export function writeStages(stages: readonly StageText[]): string {
  return stages
    .map(({ count, operation, scheduling, fanOut, overhead }) =>
      [count, operation, scheduling, fanOut, overhead.replaceAll(" ", "")].map(plain).join("_").replace(/_+$/, ""),
    )
    .join("*");
}
