// Verdict of the API on the reader's own question about this run.
import type { UseQueryResult } from "@tanstack/react-query";
import { ApiProblem } from "@/api/problem";
import type { Evaluation } from "@/api/types";
import type { Asked } from "@/entities/question/readerQuestion";
import { AnswerStage, factOf } from "@/entities/verdict/AnswerStage";
import { roomSource } from "@/entities/verdict/answer";
import { LimitTable } from "@/entities/verdict/LimitTable";
import { QueryView } from "@/ui/states";
import { GENERATOR_ID } from "./generator/anchor";

export function OwnAnswer({ question, answer }: { question: Asked; answer: UseQueryResult<Evaluation> }) {
  if (answer.error instanceof ApiProblem && answer.error.status < 500) {
    return (
      <section className="panel" aria-label="Answer to my question">
        <h2>This run does not answer my question</h2>
        <p className="dim">{answer.error.message}</p>
      </section>
    );
  }
  if (answer.data === undefined)
    return <QueryView query={answer} what="the answer to my question" lines={3} height={96} />;
  const evaluation = answer.data;
  const { document } = evaluation.budget;
  const { measured_ns, samples, operation, closed_loop, provisional } = evaluation.subject;
  const { rows } = evaluation;
  return (
    <AnswerStage
      name="Answer to my question"
      question={`My question: ${question.text}.`}
      answer={{ ...evaluation, provisional }}
      kind={document.kind}
      fact={factOf(measured_ns, samples, operation)}
      closedLoop={closed_loop}
      room={document.kind === "transaction" ? roomSource(evaluation, document) : null}
      generatorLink={(text) => <a href={`#${GENERATOR_ID}`}>{text}</a>}
      what={document.kind === "transaction" ? "transactions in time" : "operations"}
    >
      {rows.length === 0 ? null : <LimitTable rows={rows} />}
    </AnswerStage>
  );
}
