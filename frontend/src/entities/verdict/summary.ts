// A verdict of a list: its room as a picture, and the answer in a few words.
import type { VerdictSummary } from "@/api/types";
import { plural, unbroken } from "@/lib/words";
import { briefAnswer, type Room, roomOf } from "./answer";

/** Return the room of a verdict, to be drawn; null where no transaction was judged. */
export const roomIn = ({ room, verdict }: VerdictSummary): Room | null => (room == null ? null : roomOf(verdict, room));

/** Return `at least 570 ms to spare`, why there are too few operations, else the share beside what was asked. */
export function briefOf(summary: VerdictSummary): string | null {
  const brief = briefAnswer(roomIn(summary), summary);
  if (brief !== null) return brief;
  // An interval on the right side of the objective does not say why a verdict is undecided.
  const isShort = summary.verdict === "INDETERMINATE" && summary.reason === "samples";
  const text = (isShort ? summary.reason_text : null) ?? summary.headline;
  return text == null ? null : unbroken(text);
}

const COUNTED = { PASS: "passed", INDETERMINATE: "undecided" } as const;

/** Return what a list shows of the verdicts of a run: its answer, every failure, and the others by their number. */
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
