// Header of a run: title, state and actions; irreversible actions come last.
import { Button, Group, Menu } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { requestStop } from "@/api/queries";
import type { FeedState } from "@/api/runFeed";
import { serverNow } from "@/api/serverClock";
import type { RunDetail } from "@/api/types";
import { CompareLink } from "@/entities/comparison/CompareLink";
import { useDeletion } from "@/entities/removal/DeleteButton";
import { Simulated } from "@/entities/run/Simulated";
import { plannedEnd, workloadName } from "@/entities/run/words";
import { runItem } from "@/entities/saved/items";
import { SaveItem } from "@/entities/saved/SaveButton";
import { formatClock, formatMoment, formatSpan, plural } from "@/lib/format";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { Dialog } from "@/ui/Dialog";
import { IconLink, IconStop } from "@/ui/icons";
import { Loading } from "@/ui/states";
import { useNow } from "@/ui/useNow";
import { isLive, LATE_AFTER_MS, missingCount, silenceMs } from "./liveness";

const Share = lazy(() => import("./share/Share").then((module) => ({ default: module.Share })));

/** Visibility of the run in a word; its link leads to the control that changes it. */
const VISIBILITY: Record<RunDetail["visibility"], string> = {
  private: "private",
  public: "published",
  retracted: "withdrawn",
};

type RunHeaderProps = { run: RunDetail; elapsed: number; feed: FeedState };

export function RunHeader({ run, elapsed, feed }: RunHeaderProps) {
  const navigate = useNavigate();
  const deletion = useDeletion({
    subject: { kind: "run", id: run.run_id },
    title: run.title,
    onDeleted: () => void navigate({ to: "/runs" }),
  });
  const parts = [workloadName(run.workload), run.target_name, run.host_name].filter(
    (part) => part !== null && part !== "",
  );
  return (
    <Group component="header" justify="space-between" align="flex-start" gap="8px 24px">
      <div style={{ flex: "1 1 480px", minWidth: 0 }}>
        <Group align="baseline" gap="0 8px">
          <Link to="/runs">Runs</Link> <span aria-hidden="true">/</span> <h1 className="place">{run.title}</h1>{" "}
          <Simulated run={run} />
        </Group>
        <p className="pointed small">
          {parts.map((part) => (
            <span key={part}>{part}</span>
          ))}
          {isLive(run) ? null : <FinalState run={run} elapsed={elapsed} />}
          {run.is_own && run.state === "finished" ? <a href="#evidence">{VISIBILITY[run.visibility]}</a> : null}
        </p>
      </div>
      <div className="wrap">
        {isLive(run) ? <LiveState run={run} elapsed={elapsed} feed={feed} /> : null}
        <div className="row no-print">
          <ShareButton run={run} />
          <CompareLink subject={`run:${run.run_id}`} button />
          <Button size="xs" onClick={() => window.print()}>
            Print
          </Button>
          {run.state === "running" ? <StopButton run={run} /> : null}
          <Menu position="bottom-end">
            <Menu.Target>
              <Button size="xs" aria-label="More actions">
                •••
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <SaveItem item={runItem(run.run_id, run.title)} />
              {run.is_own && run.state === "finished" && deletion.may ? (
                <>
                  <Menu.Divider />
                  <Menu.Item color="red" onClick={deletion.ask}>
                    Delete
                  </Menu.Item>
                </>
              ) : null}
            </Menu.Dropdown>
          </Menu>
          {deletion.dialog}
        </div>
      </div>
    </Group>
  );
}

function LiveState({ run, elapsed, feed }: RunHeaderProps) {
  const now = useNow(serverNow, 1_000);
  const lastTickAgo = feed.lastTickAtMs === null ? null : performance.now() - feed.lastTickAtMs;
  const silent = silenceMs(run, now, lastTickAgo);
  const late = run.state === "running" && silent > LATE_AFTER_MS;
  return (
    <div style={{ maxWidth: "48ch" }}>
      <p className="strong">
        <span className="dot" style={late ? { background: "var(--unsure-fill)" } : undefined} aria-hidden="true" />{" "}
        {run.state === "finishing" ? "finishing" : run.stop_requested_at === null ? "live" : "stopping"}{" "}
        <span className="num">
          {formatClock(elapsed)}
          {run.planned_operations === null
            ? ` / ${formatClock(run.planned_duration_ns)}`
            : `, until ${plannedEnd(run)}`}
        </span>
      </p>
      {late ? (
        <p className="strong" style={{ color: "var(--unsure-ink)" }} role="status">
          silent for <span className="num">{formatSpan(Math.floor(silent / 1000) * 1e9)}</span>
        </p>
      ) : run.state === "finishing" ? (
        <p className="dim">waiting for the last {plural(missingCount(run), "interval")}</p>
      ) : (
        <p className="dim">started {formatMoment(run.started_at)}</p>
      )}
    </div>
  );
}

/** Returns outcome and length: `10 s, complete`, `failed after 8 s of 10 s`. A file does not state what was planned. */
function endOf(run: RunDetail, elapsed: number): string {
  const length = elapsed === 0 ? "length not stated" : formatSpan(elapsed);
  if (run.outcome === "completed") return `${length}, complete`;
  const outcome = run.outcome ?? "finished";
  if (elapsed === 0) return `${outcome}, ${length}`;
  return `${outcome} after ${length}${run.source === "upload" ? "" : ` of ${plannedEnd(run)}`}`;
}

/** Shows outcome, length and start of a finished run. */
function FinalState({ run, elapsed }: { run: RunDetail; elapsed: number }) {
  return (
    <>
      <span>
        {endOf(run, elapsed)}
        {run.outcome_reason === null ? "" : `: ${run.outcome_reason}`}
      </span>
      {run.simulated ? null : (
        <span>
          {run.started_at_known
            ? `started ${formatMoment(run.started_at)}`
            : `start not stated, uploaded ${formatMoment(run.started_at)}`}
        </span>
      )}
    </>
  );
}

function ShareButton({ run }: { run: RunDetail }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button size="xs" leftSection={<IconLink size={14} />} onClick={() => setOpened(true)}>
        Share
      </Button>
      <Dialog opened={opened} onClose={() => setOpened(false)} title="Share this run">
        <Suspense fallback={<Loading what="ways to share" />}>
          <Share run={run} />
        </Suspense>
      </Dialog>
    </>
  );
}

function StopButton({ run }: { run: RunDetail }) {
  const [asking, setAsking] = useState(false);
  const stop = useMutation({
    mutationFn: (_: undefined, { client }) => requestStop(client, run.run_id),
    onSuccess: () => setAsking(false),
  });
  const stopping = run.stop_requested_at !== null;
  return (
    <>
      <Button size="xs" leftSection={<IconStop size={14} />} disabled={stopping} onClick={() => setAsking(true)}>
        {stopping ? "Stopping" : "Stop"}
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title="Stop this run?"
        mutation={stop}
        what="Stopping"
        confirm="Stop the run"
        keep="Keep running"
        harmless
      >
        <p>
          The agent stops issuing operations within a second or two and sends what it has measured. What is measured
          stays and is judged; the run cannot be continued.
        </p>
      </ConfirmDialog>
    </>
  );
}
