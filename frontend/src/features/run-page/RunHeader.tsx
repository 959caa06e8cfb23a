// The title line: what ran where, how it stands, and what can be done about it.
import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { FeedState } from "@/api/runFeed";
import { serverNow } from "@/api/serverClock";
import type { RunDetail } from "@/api/types";
import { CompareLink } from "@/entities/comparison/CompareLink";
import { DeleteButton } from "@/entities/removal/DeleteButton";
import { plannedEnd } from "@/entities/run/plannedEnd";
import { Simulated } from "@/entities/run/Simulated";
import { outcomeName, workloadName } from "@/entities/run/words";
import { runItem } from "@/entities/saved/items";
import { SaveButton } from "@/entities/saved/SaveButton";
import { formatAgo, formatClock, formatMoment, formatSpan } from "@/lib/format";
import { type Nanoseconds, nanoseconds } from "@/lib/units";
import { plural } from "@/lib/words";
import { useNow } from "@/ui/useNow";
import { isLive, LATE_AFTER_MS, silenceMs } from "./liveness";
import classes from "./RunHeader.module.css";
import { StopButton } from "./StopButton";
import { ShareButton } from "./share/ShareButton";

/** Who sees it, in a word; the link leads to where that is changed. */
const VISIBILITY: Record<RunDetail["visibility"], string> = {
  private: "private",
  public: "published",
  retracted: "withdrawn",
};

type RunHeaderProps = { run: RunDetail; elapsed: Nanoseconds; feed: FeedState };

export function RunHeader({ run, elapsed, feed }: RunHeaderProps) {
  const navigate = useNavigate();
  const parts = [workloadName(run.workload), run.target_name, run.host_name].filter(
    (part) => part !== null && part !== "",
  );
  return (
    <header className={classes["header"]}>
      <div className={classes["titles"]}>
        <h1>{run.title}</h1>
        <p className="dim">
          <Simulated run={run} /> {parts.join(" · ")}
          {run.is_own && run.state === "finished" ? (
            <>
              {parts.length === 0 ? "" : " · "}
              <a href="#evidence">{VISIBILITY[run.visibility]}</a>
            </>
          ) : null}
        </p>
      </div>
      <div className={classes["side"]}>
        {isLive(run) ? (
          <LiveState run={run} elapsed={elapsed} feed={feed} />
        ) : (
          <FinalState run={run} elapsed={elapsed} />
        )}
        <div className={`${classes["actions"]} no-print`}>
          {run.state === "running" ? <StopButton run={run} /> : null}
          {run.is_own && run.state === "finished" ? (
            <DeleteButton
              subject={{ kind: "run", id: run.run_id }}
              title={run.title}
              onDeleted={() => void navigate({ to: "/runs" })}
            />
          ) : null}
          <CompareLink subject={`run:${run.run_id}`} />
          <SaveButton item={runItem(run.run_id, run.title)} />
          <Button size="xs" variant="default" onClick={() => window.print()}>
            Print
          </Button>
          <ShareButton run={run} />
        </div>
      </div>
    </header>
  );
}

function LiveState({ run, elapsed, feed }: RunHeaderProps) {
  const now = useNow(serverNow, 1_000);
  const lastTickAgo = feed.lastTickAtMs === null ? null : performance.now() - feed.lastTickAtMs;
  const silent = silenceMs(run, now, lastTickAgo);
  const late = run.state === "running" && silent > LATE_AFTER_MS;
  return (
    <div className={classes["state"]}>
      <p className={classes["live"]} data-late={late || undefined}>
        <span className={classes["dot"]} aria-hidden="true" />
        {run.state === "finishing" ? "finishing" : run.stop_requested_at === null ? "live" : "stopping"}{" "}
        <span className="num">
          {formatClock(elapsed)}
          {run.planned_operations === null
            ? ` / ${formatClock(nanoseconds(run.planned_duration_ns))}`
            : `, until ${plannedEnd(run)}`}
        </span>
      </p>
      {late ? (
        <p className={classes["warning"]} role="status">
          silent for <span className="num">{formatSpan(nanoseconds(Math.floor(silent / 1000) * 1e9))}</span>
        </p>
      ) : run.state === "finishing" ? (
        <p className="dim">waiting for the last {plural(missingCount(run), "interval")}</p>
      ) : (
        <p className="dim">started {formatMoment(run.started_at)}</p>
      )}
    </div>
  );
}

const missingCount = (run: RunDetail): number =>
  run.missing.reduce((sum, range) => sum + range.to_seq - range.from_seq + 1, 0);

function FinalState({ run, elapsed }: { run: RunDetail; elapsed: Nanoseconds }) {
  const now = useNow(serverNow, 60_000);
  const complete = run.outcome === "completed";
  return (
    <div className={classes["state"]}>
      <p>
        <strong>{run.outcome === null ? "finished" : outcomeName(run.outcome)}</strong>{" "}
        <span className="num">
          after {formatSpan(elapsed)}
          {complete ? "" : ` of ${plannedEnd(run)}`}
        </span>
      </p>
      <p className="dim" title={formatAgo(now - Date.parse(run.started_at))}>
        {run.outcome_reason ?? `started ${formatMoment(run.started_at)}`}
      </p>
    </div>
  );
}
