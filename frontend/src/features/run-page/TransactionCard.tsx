// Do all reads of a transaction fit the window? Guaranteed and possible share, the room left, how many reads would fit, and
// what was measured beside the model.
import type { TransactionFinding, Verdict } from "@/api/types";
import {
  exactNanoseconds,
  exactPercent,
  formatAtLeastPercent,
  formatExactLatency,
  formatExactPercent,
  formatInteger,
  formatLatencyInterval,
  formatPercent,
  formatPercentInterval,
} from "@/lib/format";
import { nanoseconds, ratio } from "@/lib/units";
import { Unknown, Value } from "@/ui/Value";
import { verdictTone } from "@/ui/VerdictBadge";
import { Fact, Facts, VerdictCard } from "./VerdictCard";
import classes from "./VerdictCard.module.css";

export function TransactionCard({ verdict }: { verdict: Verdict }) {
  const finding = verdict.transaction;
  if (finding === null)
    return (
      <VerdictCard verdict={verdict} headline={null}>
        {null}
      </VerdictCard>
    );
  const objective = formatExactPercent(ratio(finding.objective_ratio));
  return (
    <VerdictCard verdict={verdict} headline={<Headline finding={finding} />}>
      <WindowBar finding={finding} tone={verdictTone(verdict.verdict)} />
      <Facts>
        <Fact name={`Room at ${objective}`}>
          {finding.room_lower_ns === null || finding.room_upper_ns === null ? (
            <Unknown reason={`the histograms do not reach the quantile ${objective}`} />
          ) : (
            <Value
              text={formatLatencyInterval(nanoseconds(finding.room_lower_ns), nanoseconds(finding.room_upper_ns))}
              exact={`${exactNanoseconds(nanoseconds(finding.room_lower_ns))} to ${exactNanoseconds(nanoseconds(finding.room_upper_ns))}`}
            />
          )}{" "}
          of {formatExactLatency(nanoseconds(finding.window_ns))}
          {finding.reserve_ns > 0 ? `, ${formatExactLatency(nanoseconds(finding.reserve_ns))} kept for other work` : ""}
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

function Headline({ finding }: { finding: TransactionFinding }) {
  if (finding.p_lower === null || finding.p_upper === null) return null;
  return (
    <Value
      text={`${formatPercentInterval(ratio(finding.p_lower), ratio(finding.p_upper))} of transactions`}
      exact={`${exactPercent(ratio(finding.p_lower))} guaranteed, ${exactPercent(ratio(finding.p_upper))} possible`}
    />
  );
}

/** The window as a bar: what the reads use at the objective's quantile, what is left, what is kept for other work. */
function WindowBar({ finding, tone }: { finding: TransactionFinding; tone: "pass" | "fail" | "open" }) {
  const { quantile_lower_ns: lower, quantile_upper_ns: upper, window_ns: window, reserve_ns: reserve } = finding;
  if (lower === null || upper === null) return null;
  const at = (time: number): string => `${Math.min(100, (100 * time) / window)}%`;
  return (
    <div className={classes["window"]}>
      <div className={classes["bar"]} aria-hidden="true">
        <div className={classes["used"]} data-tone={tone} style={{ width: at(lower) }} />
        <div
          className={`${classes["used"]} ${classes["span"]}`}
          data-tone={tone}
          style={{ left: at(lower), width: `calc(${at(upper)} - ${at(lower)})` }}
        />
        {reserve > 0 ? <div className={classes["reserve"]} style={{ width: at(reserve) }} /> : null}
      </div>
      <div className={classes["ends"]}>
        <span>
          reads use {formatLatencyInterval(nanoseconds(lower), nanoseconds(upper))} at{" "}
          {formatExactPercent(ratio(finding.objective_ratio))}
        </span>
        <span>window {formatExactLatency(nanoseconds(window))}</span>
      </div>
    </div>
  );
}

function LargestN({ finding }: { finding: TransactionFinding }) {
  if (finding.n_guaranteed === null)
    return <Unknown reason="the histograms do not decide it for any number of reads" />;
  return (
    <>
      N ≤ {formatInteger(finding.n_guaranteed)} guaranteed
      {finding.n_possible === null || finding.n_possible === finding.n_guaranteed
        ? ""
        : `, up to ${formatInteger(finding.n_possible)} possible`}
      ; asked {formatInteger(finding.reads)}, one after another
    </>
  );
}

/** Within this factor of the model either way, measured and modelled misses count as agreeing (METHOD: dependence factor). */
const AGREES = 2;

function Measured({ finding }: { finding: TransactionFinding }) {
  const { measured } = finding;
  if (measured === null)
    return <span className="dim">not here: this run issued single reads, not whole transactions</span>;
  if (measured.ratio === null || measured.ratio_lower === null || measured.ratio_upper === null) {
    return <Unknown reason="no transaction has completed yet" />;
  }
  const factor = measured.dependence_factor;
  return (
    <>
      <Value
        text={`${formatPercent(ratio(measured.ratio))} (${formatPercentInterval(ratio(measured.ratio_lower), ratio(measured.ratio_upper))})`}
        exact={exactPercent(ratio(measured.ratio))}
      />{" "}
      of {formatInteger(measured.total_count)} transactions made it;{" "}
      {factor === null ? (
        <>
          D = <Unknown reason="too few slow transactions to compare with the model" />
        </>
      ) : (
        `${factor >= 1 / AGREES && factor <= AGREES ? "model agrees" : "model differs"}, D = ${factor.toPrecision(2)}`
      )}
    </>
  );
}
