// A verdict of a list: its room as a picture, and the answer in a few words.
import type { VerdictSummary } from "@/api/types";
import { unbroken } from "@/lib/words";
import { briefAnswer, type Room, roomOf } from "./answer";

/** Return the room of a verdict, to be drawn; null where no transaction was judged. */
export const roomIn = ({ room, verdict }: VerdictSummary): Room | null => (room == null ? null : roomOf(verdict, room));

/** Return `at least 570 ms to spare`, else the share beside what was asked. */
export const briefOf = (summary: VerdictSummary): string | null =>
  briefAnswer(roomIn(summary), summary) ?? (summary.headline == null ? null : unbroken(summary.headline));
