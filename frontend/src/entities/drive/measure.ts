// Meaning of the shares in the cells: slow reads over a threshold, or late transactions.
import type { Leaderboard, LeaderboardRow } from "@/api/types";
import { formatExactLatency, formatExactPercent } from "@/lib/format";
import { type LimitOfRating, loadText, type RangeLike, shareRangeText } from "./ratings";

export type Measure = {
  readonly of: "reads" | "transactions";
  /** Limits of the shares; empty if the question has none. */
  readonly limits: readonly LimitOfRating[];
};

const numberIn = (document: Readonly<Record<string, unknown>>, key: string): number | null => {
  const value = document[key];
  return typeof value === "number" ? value : null;
};

export function measureOf({ question, rule_set }: Pick<Leaderboard, "question" | "rule_set">): Measure {
  if (question === null) return { of: "reads", limits: rule_set.limits };
  const document = question.document ?? {};
  if (document["kind"] !== "transaction") return { of: "reads", limits: question.limits };
  const window = numberIn(document, "window_ns");
  const objective = numberIn(document, "objective_ratio");
  return {
    of: "transactions",
    limits:
      window === null || objective === null
        ? []
        : // Allowed share of late transactions (0.1 % for 99.9 %), without floating-point error.
          [{ threshold_ns: window, limit_ratio: Number((1 - objective).toPrecision(12)) }],
  };
}

/** Returns the label of a share: `over 1 ms`, `late`. */
export const shareName = (measure: Measure, threshold_ns: number): string =>
  measure.of === "transactions" ? "late" : `over ${formatExactLatency(threshold_ns)}`;

/** Returns a share with its label: `over 1 ms: 5.35–5.45 %`. */
export const shareText = (measure: Measure, range: RangeLike): string =>
  `${shareName(measure, range.threshold_ns)}: ${shareRangeText(range, measure.limits) ?? "not known"}`;

/** Returns the limit as text: `< 5 %`; a share of late transactions may equal its limit. */
export function allowedText(measure: Measure, threshold_ns: number): string {
  const limit = measure.limits.find((candidate) => candidate.threshold_ns === threshold_ns);
  if (limit === undefined) return "no limit";
  const sign = measure.of === "transactions" ? "≤" : "<";
  return `${sign}\u00a0${formatExactPercent(limit.limit_ratio)}`;
}

/** Returns the label of the shares at the most common load: `≥ 1 ms at 3x`, `late at 3x`; null without one. */
export function commonLabel(measure: Measure, rows: readonly LeaderboardRow[]): string | null {
  const at = rows.find((row) => row.exceedance_at_common !== null)?.exceedance_at_common;
  if (at == null) return null;
  const what = measure.of === "transactions" ? "late" : `≥\u00a0${formatExactLatency(at.threshold_ns)}`;
  return `${what} at ${loadText(at.load)}`;
}
