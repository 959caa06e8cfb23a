// A verdict of a list: its room as a picture, and the answer in a few words.
import type { VerdictSummary } from "@/api/types";
import { briefAnswer, type Meter, type Room, roomOf } from "./answer";

/** The room of a verdict, to be drawn; null where no transaction was judged. */
export const roomIn = ({ room, verdict }: VerdictSummary): Room | null => (room == null ? null : roomOf(verdict, room));

/** `at least 570 ms to spare`, `72 % of the operations needed`. */
export const briefOf = (summary: VerdictSummary): string =>
  briefAnswer(roomIn(summary), summary.verdict, meterOf(summary), summary.reason);

const meterOf = ({ evidence_share, evidence_unit }: VerdictSummary): Meter | null =>
  evidence_share == null || evidence_unit == null
    ? null
    : { share: evidence_share, effective: null, needed: null, unit: evidence_unit, ways: [] };
