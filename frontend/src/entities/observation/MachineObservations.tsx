// Renders machine figures during a run or campaign on its time axis: processors and power at once, the rest on request.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Efficiency, type GaugeGroup, gaugesQuery, type Observation, type Observations } from "@/api/observations";
import { ChartFigure } from "@/charts/ChartFigure";
import type { Span } from "@/entities/run/runAxes";
import { operationName } from "@/entities/run/words";
import { formatCount, formatLatency, formatRate, formatSpan } from "@/lib/format";
import { type Columns, DataTable, RIGHT, ROW_HEADER } from "@/ui/DataTable";
import { Section } from "@/ui/Section";
import { Failed } from "@/ui/states";
import { gaugeSpecs } from "./gaugeSpec";

type Axis = { since: string; until: string; span: Span; reachNs: number; byOneClock: boolean };
const AT_ONCE: readonly GaugeGroup[] = ["cpu", "power"];
const MORE: readonly GaugeGroup[] = ["disk", "network", "pressure", "memory", "temperature", "core", "observer"];
const HEIGHT = 200;

/** Renders a section per observed machine; `null` without observations. */
export function MachineObservations({ observations, axis }: { observations: Observations; axis: Axis }) {
  if (observations.observations.length === 0) return null;
  return (
    <Section title="Machines meanwhile" className="stack-12">
      {observations.observations.map((observation) => (
        <Machine
          key={observation.observation_id}
          observation={observation}
          efficiency={observations.efficiency.filter(
            ({ observation_id }) => observation_id === observation.observation_id,
          )}
          axis={axis}
        />
      ))}
    </Section>
  );
}

type MachineProps = { observation: Observation; efficiency: readonly Efficiency[]; axis: Axis };

function Machine({ observation, efficiency, axis }: MachineProps) {
  const [open, setOpen] = useState(false);
  const has = (group: GaugeGroup) => group === "core" || observation.gauges.some((gauge) => gauge.group === group);
  return (
    <article className="stack-12">
      <h3>
        {observation.host_name} <span className="dim">{RELATIONS[observation.relation]}</span>
      </h3>
      <p className="dim">{placeOf(observation, axis.byOneClock)}</p>
      {efficiency.length === 0 ? null : <EfficiencyTable rows={efficiency} />}
      <div className="charts">
        {AT_ONCE.filter(has).map((group) => (
          <Group key={group} observation={observation} group={group} axis={axis} />
        ))}
      </div>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Disks, network, pressure, memory, temperature, cores</summary>
        {open ? (
          <div className="charts">
            {MORE.filter(has).map((group) => (
              <Group key={group} observation={observation} group={group} axis={axis} />
            ))}
          </div>
        ) : null}
        {observation.unknown.map(({ group, reason }) => (
          <p key={group + reason} className="dim">
            No {group}: {reason}.
          </p>
        ))}
      </details>
    </article>
  );
}

function Group({ observation, group, axis }: { observation: Observation; group: GaugeGroup; axis: Axis }) {
  const { since, until, span, reachNs } = axis;
  const gauges = useQuery(gaugesQuery(observation.observation_id, group, since, until));
  if (gauges.error !== null && gauges.data === undefined)
    return <Failed error={gauges.error} what="The machine" onRetry={() => void gauges.refetch()} />;
  if (gauges.data === undefined) return <p className="dim">Loading…</p>;
  return gaugeSpecs(gauges.data, observation.host_name, span, reachNs).map((spec) => (
    <ChartFigure key={spec.title} spec={spec} height={HEIGHT} fileSuffix={observation.observation_id.slice(-8)} />
  ));
}

const COLUMNS: Columns<Efficiency> = [
  { header: "Operation", accessorFn: ({ operation }) => operationName(operation), meta: ROW_HEADER },
  {
    header: "Operations per joule",
    accessorFn: ({ operations_per_joule }) => formatCount(operations_per_joule),
    meta: RIGHT,
  },
  { header: "Rate", accessorFn: ({ operations_per_s }) => formatRate(operations_per_s), meta: RIGHT },
  { header: "Watts", accessorFn: ({ watts }) => Number(watts.toFixed(1)), meta: RIGHT },
  { header: "Watts of", accessorFn: wattsOf },
  {
    header: "From, to",
    accessorFn: ({ from_ns, until_ns }) => `${formatSpan(Math.max(0, from_ns))}, ${formatSpan(until_ns)}`,
  },
];

/** Renders operations per joule of one run. `of` names the run if a page shows several. */
export function EfficiencyTable({ rows, of = "" }: { rows: readonly Efficiency[]; of?: string }) {
  return <DataTable label={`Operations for each joule${of}, as a table`} plain columns={COLUMNS} rows={rows} />;
}

const RELATIONS: Record<Observation["relation"], string> = {
  server: "the server measured",
  "load-generator": "a load generator",
  both: "server and load generator",
  meanwhile: "not named by it",
};

/** Returns the observed time and the accuracy of its position on the axis. */
export function placeOf({ clock_error_ns, seconds, is_live }: Observation, byOneClock: boolean): string {
  const lasted = `${formatSpan(seconds * 1e9)} observed${is_live ? " so far" : ""}`;
  if (clock_error_ns === null) return `${lasted}, by its own clock: its error is not known.`;
  const error = `${lasted}, placed within ${formatLatency(clock_error_ns, "up")}`;
  return byOneClock ? `${error}.` : `${error} of this installation's clock; the run began by its agent's own clock.`;
}

/** Returns the source of a power figure, and how it was read. */
export function wattsOf({ gauge, of, seconds }: Efficiency): string {
  const how =
    gauge === "processors"
      ? `mean of ${seconds}\u00a0s, from counters of energy`
      : `mean of ${seconds} readings, one a second`;
  return `${of.join(" + ")} (${how})`;
}
