// Answer of the API to a question that is not stored: verdict, sentence, both scopes, criteria and limits.
import type { Evaluation } from "@/api/types";
import { AnswerStage, factOf, type TextLink } from "./AnswerStage";
import { roomSource } from "./answer";
import { LimitTable } from "./LimitTable";
import { VerdictBadge } from "./VerdictBadge";
import type { Judged } from "./words";

type EvaluationAnswerProps = {
  evaluation: Evaluation;
  name: string;
  /** Question, if the page does not show it elsewhere. */
  question?: string;
  generatorLink?: TextLink;
};

export function EvaluationAnswer({ evaluation, ...texts }: EvaluationAnswerProps) {
  const { subject, criteria, rows } = evaluation;
  const { document } = evaluation.budget;
  return (
    <AnswerStage
      {...texts}
      answer={{ ...evaluation, provisional: subject.provisional }}
      kind={document.kind}
      scope={subject.source === "publication" ? "test" : "run"}
      fact={factOf(subject.measured_ns, subject.samples, subject.operation)}
      closedLoop={subject.closed_loop}
      room={document.kind === "transaction" ? roomSource(evaluation, document) : null}
      what={document.kind === "transaction" ? "transactions in time" : "operations"}
    >
      {criteria.length === 0 ? null : (
        <section className="stack-8 divided">
          <h3 className="small">Criteria</h3>
          <Criteria criteria={criteria} />
        </section>
      )}
      {rows.length === 0 ? null : <LimitTable rows={rows} />}
    </AnswerStage>
  );
}

type Criterion = Judged & Pick<Evaluation["criteria"][number], "name" | "reason_text">;

/** Lists the verdicts of a budget's parts, each with its reason. */
export const Criteria = ({ criteria }: { criteria: readonly Criterion[] }) => (
  <ul className="stack-8 plain-list">
    {criteria.map((criterion) => (
      <li key={criterion.name}>
        <VerdictBadge of={criterion} /> <strong>{criterion.name}</strong>
        {criterion.reason_text ? <span className="dim"> {criterion.reason_text}</span> : null}
      </li>
    ))}
  </ul>
);
