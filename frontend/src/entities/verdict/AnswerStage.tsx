// Renders an answer: the verdict line, a sentence, the room bar, and the results for this run and the next on one
// scale.
import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import type { Evaluation } from "@/api/types";
import { operationCountText, operationsName } from "@/entities/run/words";
import { sentence as capitalised, formatExactLatency, formatInteger, formatSpan, unbroken } from "@/lib/format";
import { Loading } from "@/ui/states";
import { answerSentence, type RoomSource, roomOf, type Sentence } from "./answer";
import type { LimitLike } from "./limits";
import { RoomBar } from "./RoomBar";
import { ScopeBar } from "./ScopeBar";
import { VerdictLine } from "./VerdictBadge";
import { type Judged, type Scope, weakenings } from "./words";

/** Common fields of a stored verdict and an answer to the user's own question. */
type Answered = Judged &
  Pick<Evaluation, "reason_text" | "decided_by"> & {
    readonly headline?: Evaluation["headline"];
    readonly observed?: Evaluation["observed"] | null;
    readonly proven?: Evaluation["proven"] | null;
    readonly validity?: Evaluation["validity"];
    readonly rows?: readonly LimitLike[];
  };

export type TextLink = (text: string) => ReactNode;

type AnswerStageProps = {
  name: string;
  /** Question, if the page does not show it elsewhere. */
  question?: ReactNode;
  answer: Answered;
  kind: string;
  scope?: Scope;
  /** Measured time and counts. */
  fact: string | null;
  closedLoop: boolean;
  /** Titles of other questions that the same result fails. */
  fails?: readonly string[];
  /** Room of the transaction; `null` if the question is not about one. */
  room: RoomSource | null;
  /** Returns a link to the facts about the load generator, for runs with unreliable slices. */
  generatorLink?: TextLink;
  /** Replaces the general sentence. */
  sentence?: Sentence | null;
  /** Noun for the share in the scope bar. */
  what: string;
  /** Whether the answer has a panel of its own; false inside a card. */
  framed?: boolean;
  children?: ReactNode;
};

/** Kinds whose share must be large. For other kinds it is the share of slow operations. */
const MORE = new Set(["transaction", "percentile"]);

const SAME_SHARE = 1e-9;

/** Returns limit and noun of the share that the scopes state, which may be another than that of the headline; null if
 * no row has that share.
 */
function limitOf(
  { observed, rows = [], headline }: Answered,
  what: string,
): { objective: number; what: string } | null {
  if (headline?.unit !== "ratio" || headline.asked === null) return null;
  const shares = rows.filter(({ kind }) => kind === "exceedance" || kind === "percentile");
  if (shares.length < 2) return { objective: headline.asked, what };
  const isSame = (end: number | null | undefined, other: number | null | undefined): boolean =>
    end != null && other != null && Math.abs(end - other) < SAME_SHARE;
  const row = shares.find(
    ({ observed_lower, observed_upper }) =>
      isSame(observed_lower, observed?.lower) && isSame(observed_upper, observed?.upper),
  );
  if (row?.threshold_ns == null) return null;
  const end = formatExactLatency(row.threshold_ns);
  const operations = row.operation === null ? "operations" : operationsName(row.operation);
  return {
    objective: row.limit,
    what: `${operations} ${row.kind === "percentile" ? `under ${end}` : `of ${end} or longer`}`,
  };
}

export function AnswerStage({ name, question, answer, kind, room: source, children, ...props }: AnswerStageProps) {
  const { framed = true } = props;
  const { headline = null, observed, proven } = answer;
  const room = source === null ? null : roomOf(answer.verdict, source);
  // Without bounds, the headline would only repeat the reason.
  const isMeasured = headline !== null && (headline.unit === null || headline.lower !== null);
  const limit = limitOf(answer, props.what);
  return (
    <section className={framed ? "stage" : "stack-24"} aria-label={name}>
      <AnswerHeader
        {...(question === undefined ? {} : { question })}
        of={answer}
        scope={props.scope ?? "run"}
        fact={props.fact}
        weakenings={[
          ...(props.fails ?? []).map((title) => `fails ${title}`),
          ...weakenings({ closed_loop: props.closedLoop, validity: answer.validity }),
        ]}
        sentence={props.sentence ?? answerSentence(answer, room, isMeasured ? (headline?.text ?? null) : null)}
        reason={<Carries answer={answer} generatorLink={props.generatorLink} />}
      />
      {room === null || room.usedLowerNs === null ? null : <RoomBar room={room} size="hero" />}
      {limit === null || observed?.lower == null || proven?.lower == null ? null : (
        <ScopeBar
          observed={observed}
          proven={proven}
          objective={limit.objective}
          more={MORE.has(kind)}
          what={limit.what}
          counted={headline?.basis !== "model"}
        />
      )}
      {children}
    </section>
  );
}

/** Renders placeholder shapes of an answer while it loads. */
export function AnswerSkeleton() {
  return (
    <div className="stage">
      <Loading what="the answer">
        <Skeleton height={44} width="70%" />
        <Skeleton height={20} width="45%" />
        <Skeleton height={56} mt={24} />
      </Loading>
    </div>
  );
}

/** Renders the reason of a verdict, and the cheapest way to decide or prove it. */
function Carries({ answer, generatorLink }: { answer: Answered; generatorLink: TextLink | undefined }) {
  const { verdict, strength, reason_text: text, decided_by: way } = answer;
  if (text === null && way === null) return null;
  const unreliable = (answer.validity?.doubtful ?? 0) > 0;
  return (
    <>
      {text === null ? null : `${capitalised(unbroken(text))}. `}
      {way === null || strength === "proven" ? null : (
        <>
          {verdict === "INDETERMINATE" ? "To decide it" : "To prove it for the next run"}: {unbroken(way)}.{" "}
        </>
      )}
      {unreliable ? generatorLink?.("Was the load applied?") : null}
    </>
  );
}

/** Returns measured time and counts, `24 h, 172,800,000 reads`; `null` if both are unknown. */
export function factOf(measuredNs: number | null, count: number | null, operation: string | null): string | null {
  const parts = [
    measuredNs === null || measuredNs === 0 ? null : formatSpan(measuredNs),
    count === null || count === 0
      ? null
      : operation === null
        ? `${formatInteger(count)} operations`
        : operationCountText(operation, count),
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(", ");
}

type AnswerHeaderProps = {
  /** Question, if the page does not show it elsewhere. */
  question?: ReactNode;
  of: Judged;
  scope?: Scope;
  fact?: string | null;
  weakenings?: readonly string[];
  sentence: Sentence;
  reason: ReactNode;
  /** Heading level; 2 if the page has its title elsewhere. */
  level?: 1 | 2;
};

export function AnswerHeader({ question, of, sentence, reason, level = 2, ...line }: AnswerHeaderProps) {
  const Title = level === 1 ? "h1" : "h2";
  return (
    <div className="stack-8 items-start">
      {question === undefined ? null : <p className="measure muted">{question}</p>}
      <VerdictLine of={of} {...line} />
      <Title className="answer-title">
        {sentence.before}
        {sentence.key === "" ? null : (
          <span style={{ color: "var(--verdict-ink)" }} data-verdict={of.verdict}>
            {sentence.key}
          </span>
        )}
        {sentence.after}
      </Title>
      {reason === null ? null : <div className="measure">{reason}</div>}
    </div>
  );
}
