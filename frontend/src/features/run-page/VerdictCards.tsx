// The verdicts of a run, side by side; before the first, what is being waited for.
import type { RunDetail, Verdict } from "@/api/types";
import { ExceedanceCard } from "./ExceedanceCard";
import { isLive } from "./liveness";
import { TransactionCard } from "./TransactionCard";
import { VerdictCard } from "./VerdictCard";
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
      {run.verdicts.map((verdict) => (
        <Card key={verdict.budget.name} verdict={verdict} runId={run.run_id} />
      ))}
    </div>
  );
}

/** By what was found, not by the kind of budget: kinds that this page has no figures for still have their word and reason. */
function Card({ verdict, runId }: { verdict: Verdict; runId: string }) {
  if (verdict.exceedance !== null) return <ExceedanceCard verdict={verdict} finding={verdict.exceedance} />;
  if (verdict.transaction !== null)
    return <TransactionCard verdict={verdict} finding={verdict.transaction} runId={runId} />;
  return (
    <VerdictCard verdict={verdict} headline={null}>
      {null}
    </VerdictCard>
  );
}
