// Logs of iostat, sar, mpstat and vmstat from the time of the run; each is a run of its own.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { concurrentLogsQuery } from "@/api/queries";
import type { ConcurrentLog } from "@/api/types";
import { ChartFigure } from "@/charts/ChartFigure";
import { formatSpan } from "@/lib/format";
import { RunLink } from "@/ui/links";
import { Section } from "@/ui/Section";
import { machineSpecs } from "./specs/machineSpecs";

/** Shows the logs of the same time; null without any. */
export function ConcurrentLogs({ runId }: { runId: string }) {
  const logs = useQuery(concurrentLogsQuery(runId)).data?.logs ?? [];
  if (logs.length === 0) return null;
  const isItself = logs.every((log) => log.run_id === runId);
  return (
    <Section title={isItself ? "Over time" : "Devices meanwhile"} className="stack-8">
      {logs.some((log) => log.courses.length > 0) ? <MachineCharts logs={logs} runId={runId} /> : null}
      {isItself ? null : <Logs logs={logs} />}
    </Section>
  );
}

/** Shows a small chart per quantity of the machine, on the run's time axis. */
function MachineCharts({ logs, runId }: { logs: readonly ConcurrentLog[]; runId: string }) {
  const specs = useMemo(() => {
    const courses = logs.flatMap((log) => log.courses);
    const ends = courses.flatMap(({ start_ns, duration_ns }) =>
      start_ns.map((start, at) => start + (duration_ns[at] ?? 0)),
    );
    return machineSpecs(
      logs,
      ends.reduce((most, end) => Math.max(most, end), 0),
    );
  }, [logs]);
  return specs.map((spec) => <ChartFigure key={spec.title} spec={spec} height={150} fileSuffix={runId.slice(-8)} />);
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
