// Question of the leaderboard, and its answer in a sentence if there is one: drives that may be first, with their loads.
// Valid only if rows are ordered by rating.
import type { Leaderboard, LeaderboardRow } from "@/api/types";
import { latestYear, loadText, OLD_YEARS, ratingMeaning, rowName, testYearText } from "@/entities/drive/ratings";
import { plainSentence, type Sentence } from "@/entities/verdict/answer";
import { plural } from "@/lib/format";
import type { DrivesSearch } from "./address";
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

/** Highest number of drives listed by name; more are counted. */
const MOST_NAMED = 4;

/** Sentence with its key number, and a second sentence with the reason. */
type DrivesAnswer = Sentence & { readonly reason: string | null };

const plainly = (text: string, reason: string | null = null): DrivesAnswer => ({ ...plainSentence(text), reason });

/** Returns the leading drives as a sentence, for rows in order of rating; null if no test decides anything. */
export function answerOf(rows: readonly LeaderboardRow[]): DrivesAnswer | null {
  const ranked = rows.filter((row) => row.rank !== null);
  const [first] = ranked;
  if (first === undefined) return null;
  if (first.rating.passed_load === null)
    return plainly("None of these is known to pass any load that it was tested at.");
  const leading = ranked.filter((row) => row.rank?.best === 1);
  const [only] = leading;
  if (leading.length === 1 && only !== undefined)
    return plainly(`${rowName(only)} comes first: ${ratingMeaning(only.rating)}.`);
  const named = leading.slice(0, MOST_NAMED).map(rowName);
  const others = leading.length - named.length;
  const list =
    others > 0
      ? `${named.join(", ")} and ${plural(others, "other")}`
      : `${named.slice(0, -1).join(", ")} and ${named.at(-1)}`;
  return plainly(`${leading.length} drives tie for first: the tests cannot separate them.`, `They are ${list}.`);
}

/** Returns the key of a drive model and capacity, whatever its test conditions. */
const driveKey = (row: LeaderboardRow): string => `${row.drive.slug} ${row.capacity_bytes}`;

/** Returns how many drives hold a load, as a sentence without a winner, because groups have different conditions. */
export function passedLoadsAnswer(rows: readonly LeaderboardRow[]): DrivesAnswer | null {
  const loads = rows.flatMap(({ rating }) => rating.passed_load ?? []);
  if (loads.length === 0) return null;
  const [least, most] = [Math.min(...loads), Math.max(...loads)].map(loadText);
  // A drive has one row per set of conditions.
  const holding = new Set(rows.filter(({ rating }) => rating.passed_load !== null).map(driveKey));
  const all = new Set(rows.map(driveKey)).size;
  return {
    before: "",
    key: `${holding.size} of ${all}`,
    after: ` ${all === 1 ? "drive" : "drives"} kept it in ${all === 1 ? "its" : "their"} tests, ${least === most ? `at ${least}` : `at loads from ${least} to ${most}`}.`,
    reason: "Ranks and best drives exist only inside a group of equal conditions.",
  };
}

/** Returns the age of the newest public test: `newest published test: by 2019, 7 years old`; null if it is recent. */
export function ageText(rows: readonly LeaderboardRow[], year: number): string | null {
  const published = rows.filter(({ visibility }) => visibility === "public");
  const newest = published.toSorted((a, b) => (latestYear(b) ?? 0) - (latestYear(a) ?? 0))[0];
  const latest = newest === undefined ? null : latestYear(newest);
  const age = latest === null ? 0 : year - latest;
  if (newest === undefined || age < OLD_YEARS) return null;
  return `newest published test: ${testYearText(newest)}, ${age} years old`;
}

/** Reciprocal of the share of decided rows below which the list counts as hardly decided. */
const FEW = 4;

/** Returns how few rows are decided as a sentence; null if enough are. */
export function fewDecided(rows: readonly LeaderboardRow[]): string | null {
  const decided = rows.filter(({ rating }) => rating.passed_load !== null || rating.failed_load !== null).length;
  if (decided * FEW >= rows.length) return null;
  return decided === 0 ? "No test here decides it." : `Only ${decided} of ${plural(rows.length, "row")} are decided.`;
}
