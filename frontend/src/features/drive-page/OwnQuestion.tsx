// Answer to the question in the address from the drive's tests, per set of conditions; judged by the API.
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { rowsOfDrivesQuery } from "@/api/leaderboard";
import { measureOf } from "@/entities/drive/measure";
import type { Asked } from "@/entities/question/readerQuestion";
import { AnswerHeader } from "@/entities/verdict/AnswerHeader";
import { sentence } from "@/lib/format";
import { QueryView } from "@/ui/states";
import { LoadLadder } from "./Answer";
import { answerOf } from "./words";

export function OwnQuestion({ slug, name, question }: { slug: string; name: string; question: Asked }) {
  const titleId = useId();
  const answer = useQuery(rowsOfDrivesQuery(question.leaderboard, [slug]));
  if (answer.data === undefined)
    return <QueryView query={answer} what="the answer to my question" lines={2} height={227} />;
  const { rows, loads } = answer.data;
  const thresholdNs = rows.flatMap((row) => row.cells.flatMap((cell) => cell.exceedances))[0]?.threshold_ns ?? null;
  return (
    <section className="stack-12 panel" aria-labelledby={titleId} data-outdated={answer.isPlaceholderData || undefined}>
      <p className="dim">
        <span id={titleId}>Which load does it hold for my question?</span> {sentence(question.text)}.
      </p>
      {rows.length === 0 ? (
        <p>No test of {name} is on record, so nothing answers it.</p>
      ) : (
        <>
          <AnswerHeader {...answerOf(rows)} scope="tests" reason={null} />
          <LoadLadder
            rows={rows}
            loads={loads}
            limits={measureOf(answer.data).limits}
            thresholdNs={thresholdNs}
            share={
              question.kind === "transaction"
                ? "share of late transactions"
                : "share of slow reads over the first limit"
            }
          />
        </>
      )}
    </section>
  );
}
