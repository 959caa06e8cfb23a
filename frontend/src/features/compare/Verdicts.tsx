// Verdicts of the API on the reader's question, one per subject.
import { useQueries } from "@tanstack/react-query";
import type { Comparison } from "@/api/comparisons";
import { evaluateQuery, type KeyedSubject } from "@/api/sla";
import type { Evaluation } from "@/api/types";
import type { ReaderQuestionSearch } from "@/entities/question/address";
import { readReaderQuestion } from "@/entities/question/readerQuestion";
import { roomOf, roomSource } from "@/entities/verdict/answer";
import { RoomBar } from "@/entities/verdict/RoomBar";
import { VerdictBadge, Weakening } from "@/entities/verdict/VerdictBadge";
import { weakenings } from "@/entities/verdict/words";
import { sentence, unbroken } from "@/lib/format";
import { SubjectName } from "./Subjects";

/** Returns the subject in the form that the API judges: a run or a published configuration; null without either. */
function recordOf(subject: Comparison["subjects"][number]): KeyedSubject["subject"] | null {
  if (subject.run_id != null) return { run_id: subject.run_id };
  if (subject.source === "publication") return { publication: subject.subject };
  return subject.publication_slug == null
    ? null
    : { publication: `publication:${subject.publication_slug}#${subject.publication_row}` };
}

/** Returns the headline of a verdict; the reason for an undecided verdict, because it says what is missing. */
const wordsOf = ({ verdict, headline, reason_text }: Evaluation): string =>
  sentence(unbroken((verdict === "INDETERMINATE" ? reason_text : headline?.text) ?? reason_text ?? ""));

export function Verdicts({ comparison, view }: { comparison: Comparison; view: ReaderQuestionSearch }) {
  const { question } = readReaderQuestion(view);
  const subjects = comparison.subjects.flatMap((subject) => {
    const record = recordOf(subject);
    return record === null ? [] : [{ subject, record }];
  });
  const answers = useQueries({
    queries:
      question === null
        ? []
        : subjects.map(({ subject, record }) =>
            evaluateQuery({ key: subject.subject, subject: record }, question.budget),
          ),
  });
  return (
    <section className="stack-12" aria-label="Verdicts beside each other">
      <h2>Do they meet my SLA?</h2>
      {question === null ? (
        <p className="dim">The question in the bar above is not complete.</p>
      ) : (
        <p className="dim">{question.text}</p>
      )}
      <ul className="stack-16 plain-list ruled">
        {subjects.map(({ subject }, index) => {
          const answer = answers[index];
          const judged = answer?.data;
          const document = judged?.budget.document;
          return (
            <li key={subject.subject} className="tiles">
              <p className="strong wrap-anywhere">
                <SubjectName subject={subject} />
              </p>
              {judged === undefined ? (
                <p className="dim">{answer?.error ? answer.error.message : "being judged"}</p>
              ) : (
                <div>
                  <VerdictBadge
                    of={{ ...judged, provisional: judged.subject.provisional }}
                    scope={judged.subject.source === "publication" ? "test" : "run"}
                  />{" "}
                  {weakenings({ closed_loop: judged.subject.closed_loop, validity: judged.validity }).map((text) => (
                    <Weakening key={text} text={text} />
                  ))}
                  <p>{wordsOf(judged)}</p>
                </div>
              )}
              {judged === undefined || document?.kind !== "transaction" ? null : (
                <RoomBar room={roomOf(judged.verdict, roomSource(judged, document))} />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
