// Chart of a transaction's time from a verdict, with the measured transactions if there are any.
import type { PercentileCurve, TransactionFinding } from "@/api/types";
import type { ChartSpec } from "@/charts/spec";
import { transactionTimeSpec } from "@/entities/verdict/transactionTime";

export function transactionSpec(finding: TransactionFinding, measured: PercentileCurve | null): ChartSpec {
  return transactionTimeSpec({
    title: `Time of a transaction of ${finding.reads} reads`,
    note: `Where the band meets the window, the success rate can be read off.${
      finding.models?.["interval_mixture"]
        ? " Verdict and room are computed per slice; the band of a finished run takes all slices together."
        : ""
    }`,
    cdf: finding.cdf,
    windowNs: finding.window_ns,
    reserveNs: finding.reserve_ns,
    objectiveRatio: finding.objective_ratio,
    room: {
      lowerNs: finding.room_lower_ns,
      upperNs: finding.room_upper_ns,
      label: finding.evidence === "measured" ? "room as measured" : "room by the model",
    },
    measured: measured?.points ?? null,
    scale: "log",
  });
}
