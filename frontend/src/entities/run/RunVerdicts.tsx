// Verdicts of a listed run, each with its result in words and the room of a judged transaction.
import type { RunSummary } from "@/api/types";
import { briefOf, roomIn, verdictsInList } from "@/entities/verdict/answer";
import { RoomBar } from "@/entities/verdict/RoomBar";
import { VerdictBadge, Weakening } from "@/entities/verdict/VerdictBadge";
import { weakeningsInList } from "@/entities/verdict/words";

export function RunVerdicts({ run }: { run: RunSummary }) {
  const { shown, others } = verdictsInList(run.verdicts);
  return (
    <ul className="stack-4 plain-list">
      {shown.map((verdict) => {
        const room = roomIn(verdict);
        return (
          <li key={verdict.budget_name} className="row">
            <VerdictBadge of={verdict} />
            <span className="dim">{verdict.budget_title}</span>
            {weakeningsInList(run, verdict).map((text) => (
              <Weakening key={text} text={text} />
            ))}
            {room === null ? null : (
              <div style={{ flex: "1 1 120px", maxWidth: 240 }}>
                <RoomBar room={room} />
              </div>
            )}
            <span className="dim" style={{ flex: "1 1 240px" }}>
              {briefOf(verdict)}
            </span>
          </li>
        );
      })}
      {others === "" ? null : <li className="dim">{others}</li>}
    </ul>
  );
}
