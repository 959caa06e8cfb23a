// Verdict on a transaction: bounds of the success rate, headroom, number of reads that would fit, measured and
// modelled.
import { Link } from "@tanstack/react-router";
import type { TransactionFinding, Verdict } from "@/api/types";
import { fieldsOfFinding } from "@/entities/question/budgets";
import { roomEnds, roomOf, roomText } from "@/entities/verdict/answer";
import { RoomBar } from "@/entities/verdict/RoomBar";
import { Fact, Facts } from "@/entities/verdict/VerdictFacts";
import { dependenceText } from "@/entities/verdict/words";
import {
  exactPercent,
  formatExactLatency,
  formatExactPercent,
  formatInteger,
  formatLatencyInterval,
  formatPercent,
  formatPercentInterval,
  sentence,
  unbroken,
} from "@/lib/format";
import { compact } from "@/lib/search";
import { provenShareText } from "@/lib/shares";
import { Unknown, Value } from "@/ui/Value";
import { VerdictCard } from "./VerdictCard";

type TransactionCardProps = { verdict: Verdict; finding: TransactionFinding; runId: string };

export function TransactionCard({ verdict, finding, runId }: TransactionCardProps) {
  const objective = formatExactPercent(finding.objective_ratio);
  return (
    <VerdictCard
      verdict={verdict}
      headline={verdict.headline == null ? null : sentence(unbroken(verdict.headline.text))}
      picture={
        <>
          <RoomBar room={roomOf(verdict.verdict, finding)} size="hero" />
          <p className="no-print">
            <Link
              to="/sla"
              search={compact({ run: runId, ...(fieldsOfFinding(finding) ?? { budget: verdict.budget.name }) })}
            >
              What if it were other reads, another window, another share?
            </Link>
          </p>
        </>
      }
    >
      <Facts>
        <Fact name={`Room at ${objective}`}>
          <Room finding={finding} verdict={verdict} /> of {formatExactLatency(finding.window_ns)}
          {finding.reserve_ns > 0 ? `, ${formatExactLatency(finding.reserve_ns)} kept for other work` : ""}
          {BASIS[finding.evidence ?? "model"]}
        </Fact>
        {finding.n_text == null ? null : (
          <Fact name="Reads that fit">
            {finding.n_text}; asked {formatInteger(finding.reads)}, {SCHEDULINGS[finding.scheduling]}
            {finding.measured === null ? "" : "; by the model"}
          </Fact>
        )}
        <Fact name="The next run">
          {verdict.proven?.lower == null || verdict.proven.upper === null ? (
            <Unknown reason="no confidence could be given" />
          ) : (
            `${provenShareText(verdict.proven.lower, verdict.proven.upper, { limit: finding.objective_ratio, counted: false })}, with 95\u00a0% confidence`
          )}
          ; from {formatInteger(finding.samples)} operations
        </Fact>
        <Fact name="Measured">
          <MeasuredShare finding={finding} />
        </Fact>
      </Facts>
    </VerdictCard>
  );
}

/** Source of the headroom, which is the evidence of the verdict. */
const BASIS = { measured: ", as measured", model: ", by the model" } as const;

function Room({ finding, verdict }: Pick<TransactionCardProps, "finding" | "verdict">) {
  const ends = roomEnds(roomOf(verdict.verdict, finding));
  if (ends === null) return finding.room_upper_ns === null ? <Unknown reason="nothing was measured" /> : "none";
  return (
    <Value
      text={roomText(ends)}
      exact={formatLatencyInterval(finding.room_lower_ns ?? 0, finding.room_upper_ns ?? 0)}
    />
  );
}

const SCHEDULINGS: Record<TransactionFinding["scheduling"], string> = {
  sequential: "one after another",
  parallel: "all at once",
  waves: "in waves",
  pool: "several at a time",
  plan: "in several stages",
};

function MeasuredShare({ finding }: { finding: TransactionFinding }) {
  const { measured } = finding;
  if (measured === null)
    return <span className="dim">not here: this run issued single reads, not whole transactions</span>;
  if (measured.ratio === null || measured.ratio_lower === null || measured.ratio_upper === null) {
    return <Unknown reason="no transaction has completed yet" />;
  }
  if (measured.is_asked === false) {
    const counts = `${formatInteger(measured.within_count)} of ${formatInteger(measured.total_count)} transactions of ${measured.plan_text ?? "another plan"} were in time`;
    return <>{measured.contradicts_model === true ? `${counts}; they refute the model` : counts}</>;
  }
  return (
    <>
      <Value
        text={`${formatPercent(measured.ratio)} (${formatPercentInterval(measured.ratio_lower, measured.ratio_upper)})`}
        exact={exactPercent(measured.ratio)}
      />{" "}
      of {formatInteger(measured.total_count)} transactions were in time; {dependenceText(measured.dependence_factor)}
    </>
  );
}
