// The picture of the answer: the distribution of the transaction's time between its bounds.
import type { Evaluation } from "@/api/types";
import type { ScaleChoice } from "@/charts/scales";
import type { ChartSpec } from "@/charts/spec";
import { stageOf } from "@/entities/question/budgets";
import { planText } from "@/entities/question/question";
import { transactionTimeSpec } from "@/entities/verdict/transactionTime";

/** Null where there is no transaction, or nothing to draw. */
export function timeSpec(evaluation: Evaluation, scale: ScaleChoice): ChartSpec | null {
  const { document } = evaluation.budget;
  if (document.kind !== "transaction" || evaluation.cdf.length === 0) return null;
  return transactionTimeSpec({
    title: `Time of a transaction: ${planText(document.plan.stages.map(stageOf))}`,
    note: `The success rate is where the band crosses the deadline.${
      evaluation.cdf_model === "independent" && evaluation.models.interval_mixture !== null
        ? " Drawn with all operations together; the verdict is computed per slice."
        : ""
    }`,
    cdf: evaluation.cdf,
    windowNs: document.window_ns,
    reserveNs: document.reserve_ns,
    objectiveRatio: document.objective_ratio,
    room: {
      lowerNs: evaluation.room_lower_ns,
      upperNs: evaluation.room_upper_ns,
      label: evaluation.evidence === "measured" ? "room as measured" : "room by the model",
    },
    measured: null,
    scale,
  });
}
