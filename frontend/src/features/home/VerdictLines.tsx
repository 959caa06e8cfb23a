// List of runs with their verdicts: sign, workload, headroom bar of a judged transaction, result in a few words.
import { serverNow } from "@/api/serverClock";
import type { RunSummary } from "@/api/types";
import { Simulated } from "@/entities/run/Simulated";
import { workloadName } from "@/entities/run/words";
import { briefOf, roomIn, verdictsInList } from "@/entities/verdict/answer";
import { RoomBar } from "@/entities/verdict/RoomBar";
import { VerdictBadge, Weakening } from "@/entities/verdict/VerdictBadge";
import { weakeningsInList } from "@/entities/verdict/words";
import { formatAgo, formatSpan, joinParts, sentence } from "@/lib/format";
import { RunLink } from "@/ui/links";
import { useNow } from "@/ui/useNow";
import classes from "./VerdictLines.module.css";

export function VerdictLines({ runs }: { runs: readonly RunSummary[] }) {
  const now = useNow(serverNow, 10_000);
  return (
    <ul className="plain-list">
      {runs.map((run) => (
        <VerdictLine key={run.run_id} run={run} ago={now - Date.parse(run.started_at)} />
      ))}
    </ul>
  );
}

function VerdictLine({ run, ago }: { run: RunSummary; ago: number }) {
  const { shown, others } = verdictsInList(run.verdicts);
  const [answer, ...failures] = shown;
  const room = answer === undefined ? null : roomIn(answer);
  const facts = [
    workloadName(run.workload),
    run.host_name,
    run.measured_duration_ns === null || run.measured_duration_ns === 0 ? null : formatSpan(run.measured_duration_ns),
    run.simulated || !run.started_at_known ? null : formatAgo(ago),
  ];
  return (
    <li className={classes["line"]}>
      <div className="stack-4 wrap-anywhere">
        <span>
          <RunLink id={run.run_id} className="strong" preload="intent">
            {run.title}
          </RunLink>{" "}
          <Simulated run={run} />
        </span>
        <span className="dim">{joinParts(facts)}</span>
      </div>
      <div className="stack-4">
        {answer === undefined ? null : <span className="dim">{answer.budget_title}</span>}
        {room === null ? null : <RoomBar room={room} />}
      </div>
      <div className="stack-4" style={{ minWidth: 0 }}>
        {answer === undefined ? (
          <span className="dim">{run.state === "finished" ? "No verdict yet" : "Running"}</span>
        ) : (
          <>
            <VerdictBadge of={answer} />
            <span>{sentence(briefOf(answer) ?? "")}</span>
            {weakeningsInList(run, answer).map((text) => (
              <Weakening key={text} text={text} />
            ))}
            {failures.map((failure) => (
              <span key={failure.budget_name}>
                <VerdictBadge of={failure} /> <span className="dim">{failure.budget_title}</span>
              </span>
            ))}
            <span className="dim">{others}</span>
          </>
        )}
      </div>
    </li>
  );
}
