// Charts of the machine during the run, one small chart per quantity, on one time axis.
import { useMemo } from "react";
import type { ConcurrentLog } from "@/api/types";
import { ChartFigure } from "@/charts/ChartFigure";
import { machineSpecs } from "./specs/machineSpecs";

export function MachineCharts({ logs, runId }: { logs: readonly ConcurrentLog[]; runId: string }) {
  const specs = useMemo(() => {
    const ends = logs.flatMap((log) =>
      log.courses.flatMap((course) => course.start_ns.map((start, at) => start + (course.duration_ns[at] ?? 0))),
    );
    return machineSpecs(
      logs,
      ends.reduce((most, end) => Math.max(most, end), 0),
    );
  }, [logs]);
  return specs.map((spec) => <ChartFigure key={spec.title} spec={spec} height={150} fileSuffix={runId.slice(-8)} />);
}
