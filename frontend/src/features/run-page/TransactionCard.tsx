// Do all reads of a transaction fit the window? Its share at least and at most, the room left, how many reads would fit, and
// what was measured beside the model.
import { Link } from "@tanstack/react-router";
import type { TransactionFinding, Verdict } from "@/api/types";
import { fieldsOfFinding } from "@/entities/question/budgets";
import { boundsText, boundText, roomOf } from "@/entities/verdict/answer";
import { largestText } from "@/entities/verdict/largest";
import { RoomBar } from "@/entities/verdict/RoomBar";
import { Fact, Facts } from "@/entities/verdict/VerdictFrame";
import {
  exactNanoseconds,
  exactPercent,
  formatAtLeastPercent,
  formatExactLatency,
  formatExactPercent,
  formatInteger,
  formatPercent,
  formatPercentInterval,
} from "@/lib/format";
import { compact } from "@/lib/search";
import { nanoseconds, ratio } from "@/lib/units";
import { Unknown, Value } from "@/ui/Value";
import { VerdictCard } from "./VerdictCard";

type TransactionCardProps = { verdict: Verdict; finding: TransactionFinding; runId: string };

export function TransactionCard({ verdict, finding, runId }: TransactionCardProps) {
  const objective = formatExactPercent(ratio(finding.objective_ratio));
  return (
    <VerdictCard
      verdict={verdict}
      headline={<Headline verdict={verdict} finding={finding} />}
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
          <Room finding={finding} /> of {formatExactLatency(nanoseconds(finding.window_ns))}
          {finding.reserve_ns > 0 ? `, ${formatExactLatency(nanoseconds(finding.reserve_ns))} kept for other work` : ""}
          {BASIS[finding.evidence ?? "model"]}
        </Fact>
        <Fact name="Reads that fit">
          <LargestN finding={finding} />
        </Fact>
        <Fact name="How sure">
          {finding.p_lower_confident === null ? (
            <Unknown reason="no sampling error could be given" />
          ) : (
            <Value
              text={`${formatAtLeastPercent(ratio(finding.p_lower_confident))} with sampling error`}
              exact={exactPercent(ratio(finding.p_lower_confident))}
            />
          )}
          , from {formatInteger(finding.samples)} reads; objective {objective}
        </Fact>
        <Fact name="Measured">
          <Measured finding={finding} />
        </Fact>
      </Facts>
    </VerdictCard>
  );
}

/** What the room rests on: the same evidence as the verdict. */
const BASIS = { measured: ", as measured", model: ", by the model" } as const;

function Room({ finding }: { finding: TransactionFinding }) {
  const { room_lower_ns: lower, room_upper_ns: upper } = finding;
  if (upper === null) return <Unknown reason="nothing has been measured yet" />;
  if (lower === null) {
    return (
      <Value
        text={`≤\u00a0${boundText(upper, "up")}`}
        exact={`at most ${exactNanoseconds(nanoseconds(upper))}; the slowest of this share may have used up everything`}
      />
    );
  }
  return (
    <Value
      text={boundsText(lower, upper)}
      exact={`${exactNanoseconds(nanoseconds(lower))} to ${exactNanoseconds(nanoseconds(upper))}`}
    />
  );
}

function Headline({ verdict, finding }: Pick<TransactionCardProps, "verdict" | "finding">) {
  const { measured, p_lower: lower, p_upper: upper } = finding;
  const model =
    lower === null || upper === null ? null : (
      <Value
        text={formatPercentInterval(ratio(lower), ratio(upper))}
        exact={`at least ${exactPercent(ratio(lower))}, at most ${exactPercent(ratio(upper))}`}
      />
    );
  if (measured === null || measured.ratio_lower === null || measured.ratio_upper === null) {
    return model === null ? null : <>{model} of transactions</>;
  }
  // Of transactions of another plan only what they prove about this one counts, which the answer says.
  if (measured.is_asked === false) return <>{verdict.headline?.text ?? null}</>;
  return (
    <>
      <Value
        text={formatPercentInterval(ratio(measured.ratio_lower), ratio(measured.ratio_upper))}
        exact={`${formatInteger(measured.within_count)} of ${formatInteger(measured.total_count)}`}
      />{" "}
      of transactions{model === null ? "" : <>, by the model {model}</>}
    </>
  );
}

function LargestN({ finding }: { finding: TransactionFinding }) {
  if (finding.n_guaranteed === null || largestText(finding) === null)
    return <Unknown reason="the histograms do not decide it for any number of reads" />;
  return (
    <>
      {largestText(finding)}; asked {formatInteger(finding.reads)}, {SCHEDULINGS[finding.scheduling]}
      {finding.measured === null ? "" : "; by the model"}
    </>
  );
}

const SCHEDULINGS: Record<TransactionFinding["scheduling"], string> = {
  sequential: "one after another",
  parallel: "all at once",
  waves: "in waves",
  pool: "several at a time",
  plan: "in several stages",
};

/** Beyond a thousandfold either way the figure says nothing more than that the model does not hold. */
function formatFactor(factor: number): string {
  if (factor > 1000) return "> 1,000";
  return factor > 0 && factor < 0.001 ? "< 0.001" : `= ${factor.toPrecision(2)}`;
}

/** Within this factor of the model either way, measured and modelled misses count as agreeing (docs/method.md 1.5: dependence factor). */
const AGREES = 2;

function Measured({ finding }: { finding: TransactionFinding }) {
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
  const factor = measured.dependence_factor;
  return (
    <>
      <Value
        text={`${formatPercent(ratio(measured.ratio))} (${formatPercentInterval(ratio(measured.ratio_lower), ratio(measured.ratio_upper))})`}
        exact={exactPercent(ratio(measured.ratio))}
      />{" "}
      of {formatInteger(measured.total_count)} transactions were in time;{" "}
      {factor === null ? (
        <>
          D = <Unknown reason="too few slow transactions, measured or modelled, to compare" />
        </>
      ) : (
        `${factor >= 1 / AGREES && factor <= AGREES ? "model agrees" : "model differs"}, D ${formatFactor(factor)}`
      )}
    </>
  );
}
