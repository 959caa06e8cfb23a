// Machines observed during the run, on its time axis.
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useMemo } from "react";
import { runObservationsQuery } from "@/api/observations";
import type { RunDetail } from "@/api/types";

const MachineObservations = lazy(() =>
  import("@/entities/observation/MachineObservations").then((module) => ({ default: module.MachineObservations })),
);
const STEP_NS = 5e9;

export function Machines({ run, reachNs, live }: { run: RunDetail; reachNs: number; live: boolean }) {
  const runObservations = useQuery(runObservationsQuery(run.run_id, live)).data;
  // The window of a live run grows in steps, so that not every tick causes a request.
  const windowNs = live ? Math.ceil(reachNs / STEP_NS) * STEP_NS : reachNs;
  const axis = useMemo(
    () => ({
      since: run.started_at,
      until: new Date(Date.parse(run.started_at) + windowNs / 1e6).toISOString(),
      span: { plannedNs: run.planned_duration_ns, live },
      reachNs,
      byOneClock: run.plan["campaign"] != null,
    }),
    [run.started_at, run.planned_duration_ns, run.plan, windowNs, reachNs, live],
  );
  if (runObservations === undefined || runObservations.observations.length === 0 || reachNs === 0) return null;
  return (
    <Suspense fallback={null}>
      <MachineObservations observations={runObservations} axis={axis} />
    </Suspense>
  );
}
