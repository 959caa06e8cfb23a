// Budget document as form texts: times with units, shares in percent. The schema parses them back.
import * as z from "zod/mini";
import type { BudgetDocument, TransactionDocument } from "@/api/types";
import { schedulingIn } from "@/entities/question/budgets";
import { needsFanOut, SCHEDULINGS } from "@/entities/question/scheduling";
import {
  type Parsed,
  parseAmount,
  parseDuration,
  parsePercent,
  parseWhole,
  writeDuration,
  writePercent,
} from "@/lib/parse";

type Kind = BudgetDocument["kind"];
type Stage = TransactionDocument["plan"]["stages"][number];
type Count = Stage["count"];

export const KIND_NAMES: Readonly<Record<Kind, string>> = {
  transaction: "Transactions inside a deadline",
  exceedance: "Share of slow operations",
  percentile: "Percentiles",
  throughput: "Rates to exceed",
  completion: "Reach the end of the load",
  rule_set: "Several rules together",
};
export const CLOCK_NAMES = {
  "": "the user's wait, else the service time",
  response: "response time (from schedule)",
  service: "service time",
  operation: "time of the operation",
  queue: "time in the queue",
} as const;
export const QUANTITY_NAMES = {
  operations_per_s: "operations/s",
  disk_bytes_per_s: "disk bytes/s",
  network_bits_per_s: "network bits/s",
} as const;

/** Longest time in hours (100 days): longer times exceed exact integers in nanoseconds. */
const MOST_HOURS = 2400;
const MOST_COUNT = 1e9;
const MOST_RATE = 1e18;

/** Returns a schema that parses a typed text, or reports the parser's problem. */
const read = <Value>(parse: (text: string) => Parsed<Value>) =>
  z.pipe(
    z.string(),
    z.transform((text, context): Value => {
      const { value, problem } = parse(text);
      if (problem === null) return value;
      context.issues.push({ code: "custom", message: problem, input: text });
      return z.NEVER;
    }),
  );
const keys = <Key extends string>(names: Readonly<Record<Key, string>>) => z.enum(Object.keys(names) as Key[]);

const stated = z.string().check(z.trim(), z.minLength(1, "Fill this in."));
const share = read(parsePercent);
const time = read((text) => parseDuration(text, MOST_HOURS));
const timeAboveZero = read((text): Parsed<number> => {
  const duration = parseDuration(text, MOST_HOURS);
  return duration.value === 0 ? { value: null, problem: "The time must be more than 0." } : duration;
});
const clock = z.pipe(
  keys(CLOCK_NAMES),
  z.transform((name) => (name === "" ? null : name)),
);

const HEAD = {
  name: z
    .string()
    .check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "Lower-case words joined by hyphens, such as fast-reads.")),
  version: z.number(),
  title: z.string(),
  question: z.string(),
};

function readCount(text: string): Parsed<Count> {
  if (!text.includes(":")) return parseWhole(text, { least: 1, most: MOST_COUNT, what: "how many" });
  const weights: Record<string, number> = {};
  for (const part of text.split(";")) {
    const [count = "", percent = ""] = part.split(":");
    const times = parseWhole(count, { least: 1, most: MOST_COUNT, what: "how many" });
    const weight = parseAmount(percent.replace("%", ""), { least: 0, most: 100, what: "its share in per cent" });
    if (times.problem !== null) return times;
    if (weight.problem !== null) return weight;
    weights[times.value] = Number((weight.value / 100).toPrecision(14));
  }
  const sum = Object.values(weights).reduce((total, weight) => total + weight, 0);
  return Math.abs(sum - 1) < 1e-9
    ? { value: { weights }, problem: null }
    : { value: null, problem: "The shares of the counts must add up to 100\u00a0%." };
}

const largestOf = (count: Count): number =>
  typeof count === "number" ? count : Math.max(...Object.keys(count.weights).map(Number));

const STAGE = z.pipe(
  z.object({
    operation: stated,
    count: read(readCount),
    scheduling: z.enum(SCHEDULINGS),
    fan_out: z.string(),
    overhead_ns: time,
  }),
  z.transform(({ fan_out: typed, ...stage }, context): Stage => {
    const { count, scheduling } = stage;
    const most = largestOf(count);
    if (!needsFanOut(scheduling)) return { ...stage, fan_out: scheduling === "parallel" ? most : 1 };
    const { value, problem } = parseWhole(typed, { least: 1, most, what: "how many at a time" });
    if (problem === null) return { ...stage, fan_out: value };
    context.issues.push({ code: "custom", message: problem, input: typed, path: ["fan_out"] });
    return z.NEVER;
  }),
);

const TRANSACTION = z
  .object({
    kind: z.literal("transaction"),
    ...HEAD,
    plan: z.object({ stages: z.array(STAGE) }),
    window_ns: timeAboveZero,
    reserve_ns: time,
    objective_ratio: share,
  })
  .check(
    z.refine(({ reserve_ns, window_ns }) => reserve_ns < window_ns, {
      path: ["reserve_ns"],
      message: "The reserve must be shorter than the window.",
    }),
  );

const CERTIFICATION = z.object({ duration_ns: timeAboveZero, slice_ns: timeAboveZero, decides: z.boolean() }).check(
  z.refine(({ duration_ns, slice_ns }) => slice_ns <= duration_ns, {
    path: ["slice_ns"],
    message: "A slice cannot be longer than the whole time.",
  }),
);

const EXCEEDANCE = z.object({
  kind: z.literal("exceedance"),
  ...HEAD,
  operation: stated,
  clock,
  limits: z.array(z.object({ threshold_ns: timeAboveZero, ratio: share })),
  certification: z.nullable(CERTIFICATION),
});

const PERCENTILE = z.object({
  kind: z.literal("percentile"),
  ...HEAD,
  operation: stated,
  clock,
  limits: z.array(z.object({ quantile: share, below_ns: timeAboveZero })),
});

const THROUGHPUT = z.object({
  kind: z.literal("throughput"),
  ...HEAD,
  floors: z.array(
    z.object({
      quantity: keys(QUANTITY_NAMES),
      above: read((text) => parseAmount(text, { least: 0, most: MOST_RATE, what: "a rate" })),
    }),
  ),
});

const COMPLETION = z.object({ kind: z.literal("completion"), ...HEAD, duration_ns: timeAboveZero });

const CRITERIA = [TRANSACTION, EXCEEDANCE, PERCENTILE, THROUGHPUT, COMPLETION] as const;

export const BUDGET = z.discriminatedUnion("kind", [
  ...CRITERIA,
  z.object({
    kind: z.literal("rule_set"),
    ...HEAD,
    criteria: z.array(z.discriminatedUnion("kind", [...CRITERIA])),
  }),
]);

export type BudgetTexts = z.input<typeof BUDGET>;
export type CriterionTexts = Exclude<BudgetTexts, { kind: "rule_set" }>;

const FIRST = { name: "", version: 1, title: "", question: "" };
export const NEW_STAGE = {
  operation: "read",
  count: "1",
  scheduling: "sequential",
  fan_out: "",
  overhead_ns: "0",
} as const;
export const NEW_CERTIFICATION = { duration_ns: "24 h", slice_ns: "1 h", decides: false };

/** Initial texts of each kind of budget. */
const NEW: { [Name in Kind]: Extract<BudgetTexts, { kind: Name }> } = {
  transaction: {
    kind: "transaction",
    ...FIRST,
    plan: { stages: [NEW_STAGE] },
    window_ns: "1 s",
    reserve_ns: "0",
    objective_ratio: "99.9",
  },
  exceedance: {
    kind: "exceedance",
    ...FIRST,
    operation: "read",
    clock: "",
    limits: [{ threshold_ns: "", ratio: "" }],
    certification: null,
  },
  percentile: {
    kind: "percentile",
    ...FIRST,
    operation: "read",
    clock: "",
    limits: [{ quantile: "99", below_ns: "" }],
  },
  throughput: { kind: "throughput", ...FIRST, floors: [{ quantity: "operations_per_s", above: "" }] },
  completion: { kind: "completion", ...FIRST, duration_ns: "1 h" },
  rule_set: { kind: "rule_set", ...FIRST, criteria: [] },
};

/** Returns the initial texts of another kind with the same name; a rule set begins with the present budget as rule. */
export function inKind(texts: BudgetTexts, kind: Kind): BudgetTexts {
  const { name, version, title, question } = texts;
  const next = { ...NEW[kind], name, version, title, question };
  if (next.kind !== "rule_set" || texts.kind === "rule_set") return next;
  return { ...next, criteria: [{ ...texts, name: `${name}-1` }] };
}

export const newCriterion = (name: string): CriterionTexts => ({ ...NEW.exceedance, name });

function timeText(ns: number): string {
  if (ns > 0 && ns % 3600e9 === 0) return `${ns / 3600e9} h`;
  return writeDuration(ns).replace(/(?<=\d)(?=[a-z])/, " ");
}

function stageTexts({ operation = "read", count, overhead_ns = 0, ...stage }: Stage) {
  const fanOut = stage.fan_out ?? 1;
  const scheduling = schedulingIn({ count: largestOf(count), fan_out: fanOut, scheduling: stage.scheduling ?? null });
  return {
    operation,
    count:
      typeof count === "number"
        ? String(count)
        : Object.entries(count.weights)
            .map(([times, weight]) => `${times}: ${writePercent(weight)} %`)
            .join("; "),
    scheduling,
    fan_out: needsFanOut(scheduling) ? String(fanOut) : "",
    overhead_ns: timeText(overhead_ns),
  };
}

/** Returns the form texts of a document. */
export function textsOf(document: BudgetDocument): BudgetTexts {
  const { name, version = 1, title = "", question = "" } = document;
  const head = { name, version, title, question };
  switch (document.kind) {
    case "transaction":
      return {
        ...head,
        kind: "transaction",
        plan: { stages: document.plan.stages.map(stageTexts) },
        window_ns: timeText(document.window_ns),
        reserve_ns: timeText(document.reserve_ns ?? 0),
        objective_ratio: writePercent(document.objective_ratio),
      };
    case "exceedance": {
      const { certification } = document;
      return {
        ...head,
        kind: "exceedance",
        operation: document.operation,
        clock: document.clock ?? "",
        limits: document.limits.map(({ threshold_ns, ratio: value }) => ({
          threshold_ns: timeText(threshold_ns),
          ratio: writePercent(value),
        })),
        certification:
          certification == null
            ? null
            : {
                duration_ns: timeText(certification.duration_ns),
                slice_ns: timeText(certification.slice_ns ?? 3600e9),
                decides: certification.decides ?? false,
              },
      };
    }
    case "percentile":
      return {
        ...head,
        kind: "percentile",
        operation: document.operation,
        clock: document.clock ?? "",
        limits: document.limits.map(({ quantile, below_ns }) => ({
          quantile: writePercent(quantile),
          below_ns: timeText(below_ns),
        })),
      };
    case "throughput":
      return {
        ...head,
        kind: "throughput",
        floors: document.floors.map(({ quantity, above }) => ({ quantity, above: String(above) })),
      };
    case "completion":
      return { ...head, kind: "completion", duration_ns: timeText(document.duration_ns) };
    case "rule_set":
      return { ...head, kind: "rule_set", criteria: document.criteria.map((rule) => textsOf(rule) as CriterionTexts) };
  }
}
