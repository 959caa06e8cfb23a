// Room of an answer about a transaction.
import type { BudgetDocument, Evaluation, MatchItem } from "@/api/types";
import { operationCountText } from "@/entities/run/words";
import type { RoomSource } from "./answer";

type Transaction = Extract<BudgetDocument, { kind: "transaction" }>;
type Answered = Pick<Evaluation | MatchItem, "room_lower_ns" | "room_upper_ns"> & {
  readonly quantile_lower_ns?: number | null;
};

export function roomSource(answer: Answered, { window_ns, reserve_ns, plan }: Transaction): RoomSource {
  const [stage] = plan.stages;
  const only = plan.stages.length === 1 ? stage : undefined;
  return {
    window_ns,
    reserve_ns: reserve_ns ?? 0,
    room_lower_ns: answer.room_lower_ns,
    room_upper_ns: answer.room_upper_ns,
    quantile_lower_ns: answer.quantile_lower_ns ?? null,
    what: typeof only?.count === "number" ? operationCountText(only.operation, only.count) : undefined,
  };
}
