// The verdicts of a run, side by side; before the first, what is being waited for.
import type { RunDetail } from "@/api/types";
import { ExceedanceCard } from "./ExceedanceCard";
import { isLive } from "./liveness";
import { TransactionCard } from "./TransactionCard";
import classes from "./VerdictCards.module.css";

export function VerdictCards({ run }: { run: RunDetail }) {
  if (run.verdicts.length === 0) {
    return (
      <div className={`${classes["none"]} panel`} role="status">
        <p>
          <strong>No verdict yet.</strong>{" "}
          {isLive(run)
            ? "The first follows a few seconds after the first histograms."
            : run.outcome === "failed"
              ? "The run failed before there was enough to judge."
              : "The measurements are being judged."}
        </p>
      </div>
    );
  }
  return (
    <div className={classes["cards"]}>
      {run.verdicts.map((verdict) =>
        verdict.kind === "exceedance" ? (
          <ExceedanceCard key={verdict.budget.name} verdict={verdict} />
        ) : (
          <TransactionCard key={verdict.budget.name} verdict={verdict} runId={run.run_id} />
        ),
      )}
    </div>
  );
}
