// Verdict of the API on the reader's own question about this run.
import type { UseQueryResult } from "@tanstack/react-query";
import { ApiProblem } from "@/api/problem";
import type { Evaluation } from "@/api/types";
import type { Asked } from "@/entities/question/readerQuestion";
import { EvaluationAnswer } from "@/entities/verdict/EvaluationAnswer";
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
  return (
    <EvaluationAnswer
      evaluation={answer.data}
      name="Answer to my question"
      question={`My question: ${question.text}.`}
      generatorLink={(text) => <a href={`#${GENERATOR_ID}`}>{text}</a>}
    />
  );
}
