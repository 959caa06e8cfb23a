// Heatmaps of several runs on shared colour, latency and time scales, aligned by run start or by clock time.
import { SegmentedControl } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import type { ComparedSubject, Comparison } from "@/api/comparisons";
import { heatmapQuery } from "@/api/queries";
import type { Heatmap } from "@/api/types";
import { useCursor } from "@/charts/cursor";
import { type Domain, logTicks } from "@/charts/scales";
import { columnAt, columnText, depthOf, findingText, latencyDomain, mostIn } from "@/entities/run/heatmap/cells";
import { type Extent, lengthOf } from "@/entities/run/heatmap/extent";
import { useHeatmapCanvas } from "@/entities/run/heatmap/paint";
import { formatExactLatency, formatSpan } from "@/lib/format";
import classes from "./ComparePage.module.css";
import { colorOf } from "./curves";

const HEIGHT = 140;
const FEWEST = 2;
const AXIS = "compared time";

export function Heatmaps({ comparison }: { comparison: Comparison }) {
  const [byClock, setByClock] = useState(false);
  const runs = comparison.subjects.flatMap((subject, index) =>
    subject.run_id == null ? [] : [{ subject, index, runId: subject.run_id }],
  );
  const answers = useQueries({
    queries: runs.map(({ subject, runId }) =>
      heatmapQuery(runId, { operation: subject.operation, clock: subject.clock }),
    ),
  });
  const drawn = runs.flatMap((run, place) => {
    const map = answers[place]?.data;
    return map === undefined || map.columns.length === 0 ? [] : [{ ...run, map }];
  });
  if (drawn.length < FEWEST) return null;
  const clocked = drawn.map(({ map, subject }) => ({ map, startedAt: subject.started_at ?? null }));
  const canClock = haveCommonClock(clocked);
  const { domain, most, extents } = sharedOf(clocked, byClock && canClock);
  return (
    <section className="stack-12" aria-label="Heatmaps">
      <div className="row between">
        <h2>Every bucket over time, on one scale</h2>
        {canClock ? (
          <SegmentedControl
            className="no-print"
            size="xs"
            aria-label="Align by"
            data={[
              { value: "start", label: "Since each start" },
              { value: "clock", label: "By clock" },
            ]}
            value={byClock ? "clock" : "start"}
            onChange={(value) => setByClock(value === "clock")}
          />
        ) : null}
      </div>
      {drawn.map(({ subject, index, map }, place) => (
        <SubjectHeatmap
          key={subject.subject}
          subject={subject}
          color={colorOf(index)}
          map={map}
          domain={domain}
          most={most}
          shown={extents[place] ?? { fromNs: 0, toNs: map.to_ns }}
        />
      ))}
      <p className="dim">
        The same colour is the same number of operations in every picture. The axis is{" "}
        {formatSpan(lengthOf(extents[0] ?? { fromNs: 0, toNs: 0 }))} long.
      </p>
    </section>
  );
}

type SubjectHeatmapProps = {
  subject: ComparedSubject;
  color: string;
  map: Heatmap;
  domain: Domain;
  most: number;
  shown: Extent;
};

function SubjectHeatmap({ subject, color, map, domain, most, shown }: SubjectHeatmapProps) {
  const { ref, width } = useElementSize();
  const canvas = useHeatmapCanvas(map, null, { domain, height: HEIGHT, width, shown, most });
  const [cursor, setCursor] = useCursor(AXIS);
  const { fromNs, toNs } = shown;
  const column = cursor === null ? undefined : map.columns[columnAt(map.columns, fromNs + cursor)];
  return (
    <figure className="stack-6" style={{ breakInside: "avoid" }}>
      <figcaption className="row">
        <span
          className="dot"
          style={{ flex: "none", width: 12, height: 12, background: `var(${color})` }}
          aria-hidden="true"
        />
        <span className="strong wrap-anywhere">{subject.label}</span>
        <span className="dim">{column === undefined ? findingText(map) : `${columnText(map, column)}.`}</span>
      </figcaption>
      <div className={classes["cells"]}>
        <ul aria-hidden="true">
          {logTicks(domain, 4).map((tick) => (
            <li key={tick} style={{ top: HEIGHT * depthOf(tick, domain) }}>
              {formatExactLatency(tick)}
            </li>
          ))}
        </ul>
        <div
          ref={ref}
          onPointerMove={({ clientX, currentTarget }) => {
            const box = currentTarget.getBoundingClientRect();
            setCursor(((clientX - box.left) / Math.max(1, box.width)) * (toNs - fromNs));
          }}
          onPointerLeave={() => setCursor(null)}
        >
          <canvas ref={canvas} role="img" aria-label={`${subject.label}: ${findingText(map)}`} />
          {cursor === null ? null : <div style={{ ...CURSOR, left: `${(100 * cursor) / (toNs - fromNs)}%` }} />}
        </div>
      </div>
    </figure>
  );
}

const CURSOR = {
  position: "absolute",
  insetBlock: 0,
  width: 1,
  background: "var(--ink)",
  pointerEvents: "none",
} as const;

type DatedHeatmap = { readonly map: Heatmap; readonly startedAt: string | null };

/** Returns the shared scales; `byClock` aligns the heatmaps by clock time, otherwise by the start of each run. */
export function sharedOf(all: readonly DatedHeatmap[], byClock: boolean) {
  const domains = all.map(({ map }) => latencyDomain(map.rows, []));
  const starts = all.map(({ startedAt }) => (startedAt === null || !byClock ? 0 : Date.parse(startedAt) * 1e6));
  const first = Math.min(...starts);
  const last = Math.max(...all.map(({ map }, index) => (starts[index] ?? 0) - first + map.to_ns));
  const domain: Domain = [Math.min(...domains.map(([low]) => low)), Math.max(...domains.map(([, high]) => high))];
  return {
    domain,
    most: Math.max(1, ...all.map(({ map }) => mostIn(map))),
    extents: starts.map((start) => ({ fromNs: first - start, toNs: first - start + Math.max(last, 1) })),
  };
}

/** Largest difference of start times for a view by clock time, in milliseconds. */
const MOST_APART_MS = 48 * 3_600_000;

export function haveCommonClock(all: readonly DatedHeatmap[]): boolean {
  const starts = all.map(({ startedAt }) => (startedAt === null ? Number.NaN : Date.parse(startedAt)));
  return starts.every(Number.isFinite) && Math.max(...starts) - Math.min(...starts) <= MOST_APART_MS;
}
