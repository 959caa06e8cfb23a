// The answer: the word with its reason and what would decide it, the least and the most, the room left, the largest
// transaction that fits, and the models it could rest on.
import type { Evaluation } from "@/api/types";
import { Term } from "@/entities/glossary/Term";
import { AnswerHeader } from "@/entities/verdict/AnswerHeader";
import { exactBounds, type Room, roomOf, type Sentence, verdictSentence } from "@/entities/verdict/answer";
import { EvidenceMeter } from "@/entities/verdict/EvidenceMeter";
import { HowWeKnow } from "@/entities/verdict/HowWeKnow";
import { LimitTable } from "@/entities/verdict/LimitTable";
import { largestText } from "@/entities/verdict/largest";
import { RoomBar } from "@/entities/verdict/RoomBar";
import { VerdictBadge } from "@/entities/verdict/VerdictBadge";
import { Fact, Facts, StageTag } from "@/entities/verdict/VerdictFrame";
import {
  exactNanoseconds,
  exactPercent,
  formatAtLeastPercent,
  formatExactPercent,
  formatInteger,
  formatLatencyInterval,
  formatPercent,
} from "@/lib/format";
import { nanoseconds, ratio } from "@/lib/units";
import { sentence, unbroken } from "@/lib/words";
import { IconWarning } from "@/ui/icons";
import { Unknown, Value } from "@/ui/Value";
import classes from "./AnswerCard.module.css";
import { shareInterval } from "./shares";
import { CLOSED_LOOP, headlineText, modelLines, recordText, reserveText, roomText, worstCaseText } from "./wording";

export function AnswerCard({ evaluation, question }: { evaluation: Evaluation; question: string }) {
  const { subject, verdict } = evaluation;
  const { document } = evaluation.budget;
  const meter = evaluation.meter ?? null;
  const room = roomIn(evaluation);
  return (
    <article className={classes["stage"]} aria-label={question}>
      <div className={classes["head"]}>
        <AnswerHeader
          question={question}
          verdict={verdict}
          provisional={subject.provisional}
          sentence={sentenceOf(evaluation)}
          reason={<Reason evaluation={evaluation} />}
        />
        <StageTag stage={subject.measured_ns === null ? null : evaluation.stage} />
      </div>
      {subject.closed_loop ? (
        <p className={classes["warning"]}>
          <IconWarning /> {CLOSED_LOOP}
        </p>
      ) : null}
      {room === null ? null : <RoomBar size="hero" room={room} />}
      {meter === null ? null : <EvidenceMeter meter={meter} />}
      {document.kind === "transaction" ? <Left evaluation={evaluation} reserveNs={document.reserve_ns} /> : null}
      {evaluation.criteria.length === 0 ? null : <Criteria evaluation={evaluation} />}
      {evaluation.rows.length === 0 ? null : <Limits evaluation={evaluation} />}
      <HowWeKnow>
        {evaluation.decided_by === null ? null : (
          <p>
            <strong>Would be decided by:</strong> {evaluation.decided_by}
          </p>
        )}
        {document.kind === "transaction" ? (
          <TransactionFacts evaluation={evaluation} objectiveRatio={document.objective_ratio} />
        ) : null}
        <Facts>
          <Fact name="Judged">{recordText(subject)}</Fact>
          {evaluation.certification === null ? null : (
            <Fact name="Certification">
              <VerdictBadge verdict={evaluation.certification.verdict} /> {evaluation.certification.reason_text}
            </Fact>
          )}
        </Facts>
        {document.kind === "transaction" ? (
          <Models evaluation={evaluation} objective={document.objective_ratio} />
        ) : null}
        <p className={classes["foot"]}>
          {document.title === "" ? document.name : unbroken(document.title)}, version {document.version} · method{" "}
          {evaluation.method_version} · on {subject.label} · {formatInteger(evaluation.resolution_bins)} steps
          {evaluation.detail === "display" ? ", bounds a little wider than those of a stored verdict" : ""}
        </p>
      </HowWeKnow>
    </article>
  );
}

/** The room of a transaction; null where limits were judged. */
function roomIn({ verdict, budget: { document }, ...ends }: Evaluation): Room | null {
  if (document.kind !== "transaction") return null;
  return roomOf(verdict, { window_ns: document.window_ns, reserve_ns: document.reserve_ns, ...ends });
}

export const sentenceOf = (evaluation: Evaluation): Sentence =>
  verdictSentence(evaluation.verdict, evaluation.reason, evaluation.meter ?? null, roomIn(evaluation));

/** Why it is so. It names the share in time; where there is no reason, the share stands by itself. */
function Reason({ evaluation }: { evaluation: Evaluation }) {
  const said = evaluation.reason_text ?? headlineText(evaluation);
  return said === null ? null : <>{sentence(said).replace(/\.$/, "")}.</>;
}

/** What the answer leaves: room, and how large the transaction may be. */
function Left({ evaluation, reserveNs }: { evaluation: Evaluation; reserveNs: number }) {
  const room = roomText(evaluation);
  const reserve = reserveText(evaluation, reserveNs);
  return (
    <Facts>
      <Fact name={<Term id="headroom">Room left</Term>}>
        {room === null ? (
          <Unknown reason="the record does not say how long this share takes" />
        ) : (
          <strong title={exactRoom(evaluation)}>{room}</strong>
        )}
        {reserve === null ? null : <span className="dim"> · {reserve}</span>}
      </Fact>
      <Fact name="Reads that fit">
        {largestText(evaluation) ?? <Unknown reason="the record does not decide it for any number" />}
      </Fact>
    </Facts>
  );
}

function TransactionFacts({ evaluation, objectiveRatio }: { evaluation: Evaluation; objectiveRatio: number }) {
  const objective = formatExactPercent(ratio(objectiveRatio));
  const estimate = evaluation.p_estimate;
  const confident = evaluation.p_lower_confident;
  const { quantile_lower_ns: low, quantile_upper_ns: high } = evaluation;
  return (
    <Facts>
      <Fact name="In time">
        {evaluation.p_lower === null || evaluation.p_upper === null ? (
          <Unknown reason="the record does not say" />
        ) : (
          <>
            <Value
              text={shareInterval(evaluation.p_lower, evaluation.p_upper)}
              exact={`at least ${exactPercent(ratio(evaluation.p_lower))}, at most ${exactPercent(ratio(evaluation.p_upper))}`}
            />{" "}
            by the buckets, before sampling error
          </>
        )}
      </Fact>
      <Fact name="Estimate">
        {estimate === null ? (
          <Unknown reason="the record gives no estimate" />
        ) : (
          <>
            <Value text={formatPercent(ratio(estimate))} exact={exactPercent(ratio(estimate))} />{" "}
            <span className="dim">lies between the bounds and decides nothing</span>
          </>
        )}
      </Fact>
      <Fact name="How sure">
        {confident === null ? (
          <Unknown reason="the size of the sample is not known" />
        ) : (
          <>
            <Value text={formatAtLeastPercent(ratio(confident))} exact={exactPercent(ratio(confident))} />{" "}
            {evaluation.evidence === "measured" ? "by the model alone, " : ""}with sampling error (95&nbsp;%
            confidence); <Term id="objective">objective</Term> {objective}
          </>
        )}
      </Fact>
      <Fact name={`Reads take`}>
        {low === null ? (
          <Unknown reason="this share never finishes inside the range that was calculated" />
        ) : high === null ? (
          <>
            at {objective} at least {formatLatencyInterval(nanoseconds(low), nanoseconds(low))}, no upper end is certain
          </>
        ) : (
          <>
            <Value
              text={formatLatencyInterval(nanoseconds(low), nanoseconds(high))}
              exact={`${exactNanoseconds(nanoseconds(low))} to ${exactNanoseconds(nanoseconds(high))}`}
            />{" "}
            at {objective}
          </>
        )}
      </Fact>
    </Facts>
  );
}

/** Every digit of the room's ends, for hover. */
function exactRoom({ room_lower_ns: lower, room_upper_ns: upper }: Evaluation): string | undefined {
  return lower === null || upper === null ? undefined : exactBounds(lower, upper);
}

function Models({ evaluation, objective }: { evaluation: Evaluation; objective: number }) {
  const worst = worstCaseText(evaluation.models.worst_case, objective);
  return (
    <section className={classes["models"]}>
      <h3>By model</h3>
      <dl className={classes["lines"]}>
        {modelLines(evaluation).map((line) => (
          <div key={line.key} data-decides={line.decides || undefined}>
            <dt>
              {line.name}
              {line.decides ? <span className={classes["decides"]}>decides</span> : null}
            </dt>
            <dd className={classes["bounds"]}>
              {line.bounds === null ? <Unknown reason={line.words} /> : line.bounds}
              {line.estimate === null || line.bounds === null ? null : (
                <span className="dim" title={exactPercent(ratio(line.estimate))}>
                  {" "}
                  · {line.key === "measured" ? "seen" : "estimate"} {formatPercent(ratio(line.estimate))}
                </span>
              )}
            </dd>
            <dd className="dim">{line.words}</dd>
          </div>
        ))}
      </dl>
      {worst === null ? null : <p className={classes["worst"]}>{worst}</p>}
    </section>
  );
}

function Criteria({ evaluation }: { evaluation: Evaluation }) {
  return (
    <section className={classes["models"]}>
      <h3>Criteria</h3>
      <ul className={classes["criteria"]}>
        {evaluation.criteria.map((one) => (
          <li key={one.name}>
            <VerdictBadge verdict={one.verdict} reason={one.reason} /> <strong>{one.name}</strong>
            {one.reason_text === null ? null : <span className="dim"> {one.reason_text}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Limits({ evaluation }: { evaluation: Evaluation }) {
  return (
    <section className={classes["models"]}>
      <h3>Limits</h3>
      <LimitTable rows={evaluation.rows} />
    </section>
  );
}
