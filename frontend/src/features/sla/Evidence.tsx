// Figures and models behind the answer of the SLA page, folded.
import type { Evaluation } from "@/api/types";
import { boundsText } from "@/entities/verdict/answer";
import { EvidenceDetails, EvidenceMeter } from "@/entities/verdict/EvidenceDetails";
import { VerdictBadge } from "@/entities/verdict/VerdictBadge";
import { Fact, Facts, StageTag } from "@/entities/verdict/VerdictFacts";
import { exactNanoseconds, exactPercent, formatExactPercent, formatLatencyInterval, unbroken } from "@/lib/format";
import { shareText } from "@/lib/shares";
import { Unknown, Value } from "@/ui/Value";
import { modelLines, recordText, worstCaseText } from "./wording";

/** Shows the figures and models behind the answer. */
export function Evidence({ evaluation }: { evaluation: Evaluation }) {
  const { subject } = evaluation;
  const { document } = evaluation.budget;
  const meter = evaluation.meter ?? null;
  return (
    <EvidenceDetails>
      {meter === null ? null : <EvidenceMeter meter={meter} verdict={evaluation.verdict} />}
      {document.kind === "transaction" ? (
        <TransactionFacts evaluation={evaluation} objectiveRatio={document.objective_ratio} />
      ) : null}
      <Facts>
        <Fact name="Judged">{recordText(subject)}</Fact>
        {evaluation.certification === null ? null : (
          <Fact name="Certification">
            <VerdictBadge of={evaluation.certification} /> {evaluation.certification.reason_text}
          </Fact>
        )}
      </Facts>
      {document.kind === "transaction" ? <Models evaluation={evaluation} objective={document.objective_ratio} /> : null}
      <p className="dim smaller">
        {document.title === "" ? document.name : unbroken(document.title)}, version {document.version} · method{" "}
        {evaluation.method_version} · on {subject.label}
        {evaluation.detail === "display" ? " · bounds a little wider than those of a stored verdict" : ""}{" "}
        <StageTag stage={subject.measured_ns === null ? null : evaluation.stage} />
      </p>
    </EvidenceDetails>
  );
}

function TransactionFacts({ evaluation, objectiveRatio }: { evaluation: Evaluation; objectiveRatio: number }) {
  const objective = formatExactPercent(objectiveRatio);
  const { quantile_lower_ns: low, quantile_upper_ns: high } = evaluation;
  return (
    <Facts>
      <Fact name="Reads take">
        {low === null ? (
          <Unknown reason="this share never finishes inside the range that was calculated" />
        ) : high === null ? (
          <>
            at {objective} at least {formatLatencyInterval(low, low)}, no upper end is certain
          </>
        ) : (
          <>
            <Value text={boundsText(low, high)} exact={`${exactNanoseconds(low)} to ${exactNanoseconds(high)}`} /> at{" "}
            {objective}
          </>
        )}
      </Fact>
    </Facts>
  );
}

function Models({ evaluation, objective }: { evaluation: Evaluation; objective: number }) {
  const worst = worstCaseText(evaluation.models.worst_case, objective);
  return (
    <section className="stack-8 divided">
      <h3 className="small">By model</h3>
      <Facts>
        {modelLines(evaluation).map(({ key, name, bounds, estimate, words, decides }) => (
          <Fact
            key={key}
            name={
              <>
                {name} {decides ? <span className="smaller tag">decides</span> : null}
              </>
            }
          >
            {bounds === null ? <Unknown reason={words} /> : bounds}
            {estimate === null || bounds === null ? null : (
              <span title={exactPercent(estimate)}>
                {" "}
                · {key === "measured" ? "seen" : "estimate"} {shareText(estimate, estimate, { limit: objective })}
              </span>
            )}
            <p className="dim">{words}</p>
          </Fact>
        ))}
      </Facts>
      {worst === null ? null : <p style={{ paddingLeft: 12, borderLeft: "3px solid var(--line)" }}>{worst}</p>}
    </section>
  );
}
