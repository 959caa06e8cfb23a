// Summaries of verdicts for lists: the room as a picture, the answer in a few words.
import type { VerdictSummary } from "@/api/types";
import { plural, unbroken } from "@/lib/format";
import { briefAnswer, type Room, roomOf } from "./answer";

/** Returns the room of a verdict for drawing; `null` if it is not about a transaction. */
export const roomIn = ({ room, verdict }: VerdictSummary): Room | null => (room == null ? null : roomOf(verdict, room));

/** Returns the result for lists: `at least 570 ms to spare`, the reason for too few operations, else the headline. */
export function briefOf(summary: VerdictSummary): string | null {
  const brief = briefAnswer(roomIn(summary), summary);
  if (brief !== null) return brief;
  // If operations are too few, the headline's interval would not explain why the verdict is undecided.
  const isShort = summary.verdict === "INDETERMINATE" && summary.reason === "samples";
  const text = (isShort ? summary.reason_text : null) ?? summary.headline;
  return text == null ? null : unbroken(text);
}

const COUNTED = { PASS: "passed", INDETERMINATE: "undecided" } as const;

/** Returns the verdicts that a list shows, the first and all failures, and the number of the others. */
export function verdictsInList(verdicts: readonly VerdictSummary[]): {
  readonly shown: readonly VerdictSummary[];
  readonly others: string;
} {
  const shown = verdicts.filter(({ verdict }, index) => index === 0 || verdict === "FAIL");
  const rest = verdicts.filter((verdict) => !shown.includes(verdict));
  const counts = (["PASS", "INDETERMINATE"] as const).flatMap((word) => {
    const count = rest.filter(({ verdict }) => verdict === word).length;
    return count === 0 ? [] : [`${count} ${COUNTED[word]}`];
  });
  return { shown, others: counts.length === 0 ? "" : `${plural(rest.length, "other question")}: ${counts.join(", ")}` };
}
