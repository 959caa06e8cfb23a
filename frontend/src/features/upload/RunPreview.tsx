// Charts of an uploaded run: percentile curve with bounds, and shares over each limit over time. Loaded lazily with the
// chart code.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { percentilesQuery, timelineQuery } from "@/api/queries";
import type { Percentiles, Timeline } from "@/api/types";
import { ChartFigure } from "@/charts/ChartFigure";
import { isDrawable, percentileSpec } from "@/entities/run/percentileSpec";
import { shareSpec } from "@/entities/run/shareSpec";
import { Failed, Loading } from "@/ui/states";

const WHILE_EMPTY_MS = 2_000;

export function RunPreview({ runId, state: judging }: { runId: string; state: "open" | "judged" | "settled" }) {
  // Curves are computed shortly after the upload, so they are polled until verdicts, which come last, exist.
  const poll = judging === "open" ? WHILE_EMPTY_MS : false;
  const percentiles = useQuery({ ...percentilesQuery(runId), refetchInterval: poll });
  const timeline = useQuery({ ...timelineQuery(runId), refetchInterval: poll });
  const specs = useMemo(() => previewSpecs(percentiles.data, timeline.data), [percentiles.data, timeline.data]);
  const failed = [percentiles, timeline].find((query) => query.error !== null && query.data === undefined);
  if (failed?.error) return <Failed error={failed.error} what="The preview" onRetry={() => void failed.refetch()} />;
  if (percentiles.data === undefined || timeline.data === undefined)
    return <Loading what="the preview" lines={1} height={264} />;
  if (specs.length === 0)
    return (
      <p className="dim">
        {judging !== "open"
          ? "No picture: the file states figures, but no distribution that could be drawn."
          : "The pictures follow once the run is judged."}
      </p>
    );
  return (
    <div className={specs.length === 1 ? undefined : "halves"}>
      {specs.map((spec) => (
        <ChartFigure key={spec.title} spec={spec} fileSuffix={runId.slice(-8)} />
      ))}
    </div>
  );
}

function previewSpecs(percentiles: Percentiles | undefined, timeline: Timeline | undefined) {
  const drawable = percentiles?.curves.filter(isDrawable) ?? [];
  const operations = [...drawable, ...(timeline?.series ?? [])].map((measured) => measured.operation);
  // Most questions are about reads.
  const operation = operations.includes("read") ? "read" : operations[0];
  if (operation === undefined) return [];
  const series = timeline?.series.filter((candidate) => candidate.operation === operation) ?? [];
  const main = series.find((candidate) => candidate.clock === "response") ?? series[0];
  const curves = drawable.filter((curve) => curve.operation === operation);
  const { start_ns: starts, duration_ns: durations } = main?.ticks ?? { start_ns: [], duration_ns: [] };
  const reachNs = (starts.at(-1) ?? 0) + (durations.at(-1) ?? 0);
  return [
    ...(curves.length === 0 ? [] : [percentileSpec(operation, curves, main?.limits ?? [], "auto")]),
    // A single interval has no change over time.
    ...(main === undefined || main.pin_thresholds_ns.length === 0 || starts.length < 2
      ? []
      : [shareSpec(main, { plannedNs: reachNs, live: false }, reachNs)]),
  ];
}
