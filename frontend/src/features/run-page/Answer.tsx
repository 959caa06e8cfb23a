// The answer of a run in its first screen: the verdict that decides, in a sentence, as a room bar, and what is missing to be sure.
import type { ReactNode } from "react";
import type { ExceedanceFinding, RunDetail, Verdict } from "@/api/types";
import { operationName } from "@/entities/run/words";
import { AnswerHeader } from "@/entities/verdict/AnswerHeader";
import { type Meter, type RoomSource, roomOf, type Sentence, verdictSentence } from "@/entities/verdict/answer";
import { EvidenceMeter } from "@/entities/verdict/EvidenceMeter";
import { RoomBar } from "@/entities/verdict/RoomBar";
import { VerdictBadge } from "@/entities/verdict/VerdictBadge";
import { formatExactLatency, formatExactPercent, formatPercent } from "@/lib/format";
import { nanoseconds, ratio } from "@/lib/units";
import { sentence as capitalised, plural } from "@/lib/words";
import classes from "./Answer.module.css";
import { decidingRow } from "./ExceedanceCard";
import { GENERATOR_ID } from "./generator/anchor";

/** A broken hour, in the words of the verdict. */
const hourSentence = (verdict: Verdict): Sentence | null =>
  verdict.verdict === "FAIL" && verdict.exceedance !== null && verdict.reason_text !== null
    ? { before: "Too slow: ", key: "", after: `${verdict.reason_text}.` }
    : null;

type AnswerStageProps = {
  name: string;
  question: string;
  verdict: Verdict["verdict"];
  provisional: boolean;
  reason: Verdict["reason"];
  reasonText: string | null;
  /** Beside a verdict that needs no reason: the interval that decides it. */
  otherwise: string | null;
  meter: Meter | null;
  /** Null where no transaction was asked about. */
  room: RoomSource | null;
  /** In place of the words for any budget. */
  sentence?: Sentence | null;
  children?: ReactNode;
};

/** A verdict in a sentence, as a room bar, and what is missing to be sure. */
export function AnswerStage({ name, verdict, reason, reasonText, meter, children, ...props }: AnswerStageProps) {
  const room = props.room === null ? null : roomOf(verdict, props.room);
  return (
    <section className={classes["stage"]} aria-label={name}>
      <AnswerHeader
        question={props.question}
        verdict={verdict}
        provisional={props.provisional}
        sentence={props.sentence ?? verdictSentence(verdict, reason, meter, room)}
        reason={
          reasonText === null ? (
            props.otherwise
          ) : (
            <>
              {capitalised(reasonText)}.
              {reason === "generator" ? (
                <>
                  {" "}
                  See <a href={`#${GENERATOR_ID}`}>the load generator</a>.
                </>
              ) : null}
            </>
          )
        }
      />
      {room === null ? null : <RoomBar room={room} size="hero" />}
      {meter === null ? null : <EvidenceMeter meter={meter} />}
      {children}
    </section>
  );
}

/** Decided limits in a sentence, by the limit that decides: a FAIL by the one that is broken the most. */
function limitSentence(verdict: Verdict["verdict"], finding: ExceedanceFinding | null): Sentence | null {
  const row = verdict === "INDETERMINATE" || finding === null ? null : decidingRow(verdict, finding.rows);
  if (row === null || row.ratio_lower === null || row.ratio_upper === null) return null;
  const at = formatExactLatency(nanoseconds(row.threshold_ns));
  const limit = formatExactPercent(ratio(row.limit_ratio));
  return verdict === "FAIL"
    ? {
        before: "Too slow: at least ",
        key: formatPercent(ratio(row.ratio_lower), "down"),
        after: ` take ${at} or longer, and the limit is ${limit}.`,
      }
    : {
        before: "Every limit is kept: at most ",
        key: formatPercent(ratio(row.ratio_upper), "up"),
        after: ` take ${at} or longer, and the limit is ${limit}.`,
      };
}

function judgedText(finding: ExceedanceFinding | null): string | null {
  const total = finding?.rows[0]?.total_count;
  if (finding == null || total == null) return null;
  return `Judged by ${plural(total, operationName(finding.operation).toLowerCase())}, with 95\u00a0% confidence.`;
}

/** What else this run was asked, in a word each. */
function Besides({ verdicts }: { verdicts: readonly Verdict[] }) {
  if (verdicts.length === 0) return null;
  return (
    <ul className={classes["besides"]} aria-label="Asked besides">
      {verdicts.map(({ budget, verdict, reason, provisional }) => (
        <li key={budget.name}>
          <a href="#verdict">{budget.title === "" ? budget.name : budget.title}</a>
          <VerdictBadge verdict={verdict} reason={reason} provisional={provisional} />
        </li>
      ))}
    </ul>
  );
}

export function Answer({ run }: { run: RunDetail }) {
  // The API puts the answer of the run first, as in its lists.
  const verdict = run.verdicts[0];
  if (verdict === undefined) return null;
  const limits = limitSentence(verdict.verdict, verdict.exceedance) ?? hourSentence(verdict);
  return (
    <AnswerStage
      name="Answer"
      question={verdict.budget.question}
      verdict={verdict.verdict}
      provisional={verdict.provisional}
      reason={verdict.reason}
      // The sentence has the number already, rounded outwards; the card below has the whole reason.
      reasonText={limits === null ? verdict.reason_text : null}
      otherwise={limits === null ? (verdict.headline?.text ?? null) : judgedText(verdict.exceedance)}
      meter={verdict.meter ?? null}
      room={verdict.transaction}
      sentence={limits}
    >
      <Besides verdicts={run.verdicts.slice(1)} />
    </AnswerStage>
  );
}
