// Chart of the answer: distribution of the transaction's time between its bounds.
import type { Evaluation, TransactionDocument } from "@/api/types";
import type { ScaleChoice } from "@/charts/scales";
import type { ChartSpec } from "@/charts/spec";
import { stageOf } from "@/entities/question/budgets";
import { planText } from "@/entities/question/question";
import { roomOf, roomSource, usedText } from "@/entities/verdict/answer";
import { type MeasuredPoint, transactionTimeSpec } from "@/entities/verdict/transactionTime";
import { exactShare } from "@/lib/shares";

/** Returns the chart; null for other questions, and without a distribution. */
export function timeSpec(evaluation: Evaluation, scale: ScaleChoice): ChartSpec | null {
  const { document } = evaluation.budget;
  if (document.kind !== "transaction" || evaluation.cdf.length === 0) return null;
  return transactionTimeSpec({
    ...evaluation,
    ...document,
    title: titleOf(evaluation, document),
    note: `${
      evaluation.models.measured?.contradicts_model === true
        ? "Measured transactions refute the model: the dots count, not the band."
        : "The success rate is where the band crosses the deadline."
    }${
      evaluation.cdf_model === "independent" && evaluation.models.interval_mixture !== null
        ? " Drawn with all operations together; the verdict is computed per slice."
        : ""
    }`,
    measured: measuredPoints(evaluation, document.window_ns - document.reserve_ns, document.objective_ratio),
    scale,
  });
}

/** Returns the title, with the time at the objective if it is bounded. */
function titleOf(evaluation: Evaluation, document: TransactionDocument): string {
  const room = roomOf(evaluation.verdict, roomSource(evaluation, document));
  const plan = planText(document.plan.stages.map(stageOf));
  if (room.usedLowerNs === null) return `Time of a transaction: ${plan}`;
  return `${exactShare(document.objective_ratio)} of transactions (${plan}) take ${usedText(room)}`;
}

/** Returns success rate and time at the objective of measured transactions of this plan; null without any. */
function measuredPoints({ models }: Evaluation, allowedNs: number, objective: number): MeasuredPoint[] | null {
  const { measured } = models;
  if (measured === null || measured.is_asked === false) return null;
  return [
    { quantile: measured.within_count / measured.total_count, upper_ns: allowedNs },
    { quantile: objective, upper_ns: measured.quantile_upper_ns },
  ].sort((a, b) => a.quantile - b.quantile);
}
