// Verdicts of a run; before the first, the state of the judgement.
import { useId } from "react";
import type { PercentileCurve, RunDetail, Verdict } from "@/api/types";
import { hasQuestion, operationsName, p99UpperNs } from "@/entities/run/words";
import { Criteria } from "@/entities/verdict/EvaluationAnswer";
import { LimitTable } from "@/entities/verdict/LimitTable";
import { limitsOf } from "@/entities/verdict/limits";
import type { Judged } from "@/entities/verdict/words";
import { formatLatency } from "@/lib/format";
import { ExceedanceCard } from "./ExceedanceCard";
import { isLive } from "./liveness";
import { TransactionCard } from "./TransactionCard";
import { VerdictCard } from "./VerdictCard";

/** Returns the heading: `1 of 4 questions fails: ACT performance test`, `All 3 questions pass`. */
export function headingOf(verdicts: readonly Verdict[]): string {
  const count = verdicts.length;
  if (count === 1) return "1 question asked of this run";
  const named = (word: Verdict["verdict"]) => verdicts.filter(({ verdict }) => verdict === word);
  const failed = named("FAIL");
  if (failed.length > 0) {
    const titles = failed.map(({ budget }) => budget.title || budget.name).join(", ");
    return `${failed.length} of ${count} questions ${failed.length === 1 ? "fails" : "fail"}: ${titles}`;
  }
  const open = named("INDETERMINATE").length;
  if (open === 0) return `All ${count} questions pass`;
  return `${count - open} of ${count} questions pass, ${open} undecided`;
}

const MOST_OPERATIONS = 3;

/** Returns the p99 bounds as a sentence: `99 of 100 gets end within 1.20 ms.`; null without bounds. */
export function speedText(curves: readonly PercentileCurve[]): string | null {
  const first = curves.filter((curve, at) => curves.findIndex(({ operation }) => operation === curve.operation) === at);
  const parts = first.flatMap((curve) => {
    const upperNs = p99UpperNs(curve);
    if (upperNs === null) return [];
    return [`99 of 100 ${operationsName(curve.operation)} end within ${formatLatency(upperNs, "up")}`];
  });
  return parts.length === 0 ? null : `${parts.slice(0, MOST_OPERATIONS).join(", ")}.`;
}

/** Shows the verdicts; `curves`: percentile curves, the most important operation first; null while loading. */
export function VerdictCards({ run, curves = [] }: { run: RunDetail; curves?: readonly PercentileCurve[] | null }) {
  const titleId = useId();
  if (run.verdicts.length === 0) {
    const isBefore = run.phase_kind !== null;
    const isJudged = run.state === "finished" && run.judged_at !== null;
    const isAwaited = hasQuestion(run) && !isBefore && !isJudged;
    const speed = curves === null ? "\u00a0" : speedText(curves);
    return (
      <div className="panel" style={{ minHeight: 64 }} role="status">
        {isBefore || isAwaited || speed === null ? null : <h2>{speed}</h2>}
        <p>
          <strong>{isAwaited ? "No verdict yet." : "No verdict."}</strong>{" "}
          {isBefore
            ? "This phase fills the database or warms it up: its operations are not requests of users. The phases after it are judged."
            : !hasQuestion(run)
              ? "No built-in question is about this workload. Set a question of your own, or read what was measured below."
              : isJudged
                ? "Nothing that was measured answers a built-in question. Set a question of your own, or read what was measured below."
                : isLive(run)
                  ? "The first follows a few seconds after the first histograms."
                  : run.outcome === "failed"
                    ? "The run failed before there was enough to judge."
                    : "The measurements are being judged."}
        </p>
      </div>
    );
  }
  return (
    <section aria-labelledby={titleId}>
      <h2 id={titleId} style={{ marginBottom: 16 }}>
        {headingOf(run.verdicts)}
      </h2>
      {run.verdicts.map((verdict) => (
        <Card key={verdict.budget.name} verdict={verdict} runId={run.run_id} />
      ))}
    </section>
  );
}

/** Chooses the card by the finding, not by the kind of budget: unknown kinds still show verdict and reason. */
function Card({ verdict, runId }: { verdict: Verdict; runId: string }) {
  if (verdict.exceedance !== null) return <ExceedanceCard verdict={verdict} finding={verdict.exceedance} />;
  if (verdict.transaction !== null)
    return <TransactionCard verdict={verdict} finding={verdict.transaction} runId={runId} />;
  return <OtherCard verdict={verdict} />;
}

type StoredCriterion = Judged & {
  readonly reason_text: string | null;
  readonly budget: { title: string; name: string };
};

/** Shows verdicts on percentiles, rates and rule sets: each criterion's verdict, each limit with its measured value. */
function OtherCard({ verdict }: { verdict: Verdict }) {
  // The API describes the parts of a stored verdict as free-form.
  const limits = limitsOf(verdict);
  const criteria = (verdict.criteria ?? []) as unknown as readonly StoredCriterion[];
  return (
    <VerdictCard
      verdict={verdict}
      picture={
        <>
          {criteria.length === 0 ? null : (
            <Criteria criteria={criteria.map(({ budget, ...of }) => ({ ...of, name: budget.title || budget.name }))} />
          )}
          {limits.length === 0 ? null : <LimitTable rows={limits} />}
        </>
      }
    />
  );
}
