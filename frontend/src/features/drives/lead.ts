// Question of the leaderboard, and its answer in a sentence if there is one.
import type { Leaderboard, LeaderboardRow } from "@/api/types";
import type { DrivesSearch } from "./address";
import { answerOf, type DrivesAnswer, fewDecided, passedLoadsAnswer } from "./answerText";
import { showsTable } from "./filters";
import { type QuestionState, transactionText } from "./question";

export const NO_ANSWER = "Which drive holds your load?";

export function questionAndAnswer(
  answer: Leaderboard | undefined,
  rows: readonly LeaderboardRow[],
  view: DrivesSearch,
  state: QuestionState,
): { question: string; answer: DrivesAnswer | null } {
  const questionText =
    state.transaction !== null
      ? `${transactionText(state.transaction)}.`
      : state.basis === "budget" && answer?.question != null
        ? `${answer.question.title}.`
        : null;
  const isUndecided = state.transaction !== null && fewDecided(rows) !== null;
  const lead =
    answer === undefined || answer.tests_waiting > 0 || view.sort !== undefined || view.equal === "no" || isUndecided
      ? null
      : showsTable(view)
        ? answerOf(rows)
        : passedLoadsAnswer(rows);
  const question = lead === null ? "Drives by the load they were tested at, each with how sure it is." : NO_ANSWER;
  return { question: questionText ?? question, answer: lead };
}
