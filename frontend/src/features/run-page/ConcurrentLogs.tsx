// Logs of iostat, sar, mpstat and vmstat from the time of the run; each is a run of its own.
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { concurrentLogsQuery } from "@/api/queries";
import type { ConcurrentLog } from "@/api/types";
import { formatSpan } from "@/lib/format";
import { RunLink } from "@/ui/links";
import { Section } from "@/ui/Section";
import { Loading } from "@/ui/states";

const MachineCharts = lazy(() => import("./MachineCharts").then((module) => ({ default: module.MachineCharts })));

/** Shows the logs of the same time; null without any. */
export function ConcurrentLogs({ runId }: { runId: string }) {
  const logs = useQuery(concurrentLogsQuery(runId)).data?.logs ?? [];
  if (logs.length === 0) return null;
  const isItself = logs.every((log) => log.run_id === runId);
  return (
    <Section title={isItself ? "Over time" : "Devices meanwhile"} className="stack-8">
      {logs.some((log) => log.courses.length > 0) ? (
        <Suspense fallback={<Loading what="the charts of the machine" lines={3} height={40} />}>
          <MachineCharts logs={logs} runId={runId} />
        </Suspense>
      ) : null}
      {isItself ? null : <Logs logs={logs} />}
    </Section>
  );
}

function Logs({ logs }: { logs: readonly ConcurrentLog[] }) {
  return (
    <ul className="stack-4 plain-list wrap-anywhere">
      {logs.map((log) => (
        <li key={log.run_id}>
          <RunLink id={log.run_id}>{log.title}</RunLink> <span className="dim">{whereOf(log)}</span>
          {log.devices.map(({ device, busy_percent_max, queue_length_max }) => (
            <p key={device}>
              {device}: busiest interval {busy_percent_max === null ? "not printed" : `${busy_percent_max}\u00a0% busy`}
              {queue_length_max === null ? "" : `, longest queue ${queue_length_max}`}
            </p>
          ))}
        </li>
      ))}
    </ul>
  );
}

/** Returns when the log begins relative to the run as text, and the assumptions about both clocks. */
export function whereOf({ start_ns, shared_ns, clock, same_host }: ConcurrentLog): string {
  if (start_ns === null || shared_ns === null) return "sent with this run; the clocks do not say when it began";
  const begins =
    start_ns === 0
      ? "begins with this run"
      : `begins ${formatSpan(Math.abs(start_ns))} ${start_ns < 0 ? "before" : "after"} it`;
  const sure = [
    clock === "local" ? "if both clocks have one time zone" : "",
    same_host === null ? "the machine is not named by both" : "",
  ].filter((word) => word !== "");
  return [`${begins}, covers ${formatSpan(shared_ns)} of it`, ...sure].join("; ");
}
