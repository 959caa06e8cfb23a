// Drives, nodes or links of a campaign that differ from the others: the answer, the outliers, all units on request.
import { Button, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Campaign, type NotMeasuredAgent, type SiblingUnit, siblingsQuery, siblingsTable } from "@/api/campaigns";
import { formatInteger, formatPercent, plural } from "@/lib/format";
import { writeDuration } from "@/lib/parse";
import { type Columns, DataTable, RIGHT, ROW_HEADER } from "@/ui/DataTable";
import { RunLink } from "@/ui/links";
import { Section } from "@/ui/Section";
import { QueryView } from "@/ui/states";
import { Unknown } from "@/ui/Value";
import { isOver } from "./words";

const FIRST_SHOWN = 20;
/** Lowest number of units for a judgement: fewer do not show how much such units usually differ. */
const FEWEST_UNITS = 8;

/** Shows outliers among the units (an agent's drives count singly); null before a phase ended or with few units. */
export function Siblings({ campaign }: { campaign: Campaign }) {
  const [phase, setPhase] = useState<string | null>(null);
  const hasEnded = campaign.phases.some((phase) => phase.kind === "measure" && isOver(phase));
  const query = useQuery({ ...siblingsQuery(campaign.campaign_id, phase), enabled: hasEnded });
  const siblings = query.data;
  const units = siblings === undefined ? campaign.agents.length : siblings.units.length + siblings.not_measured.length;
  if (!hasEnded || units < FEWEST_UNITS) return null;
  return (
    <Section title="Unlike its siblings">
      {query.error !== null || siblings === undefined ? (
        <QueryView query={query} what="the comparison of the units" lines={2} height={24} />
      ) : (
        <>
          <p>
            <strong>{siblings.answer}</strong>
          </p>
          {siblings.phases.length > 1 ? (
            <NativeSelect
              label="Phase of which units are compared"
              size="xs"
              data={siblings.phases}
              value={siblings.phase}
              onChange={({ currentTarget }) => setPhase(currentTarget.value)}
            />
          ) : null}
          <p className="dim">
            {siblings.operation}, phase {siblings.phase}; the chance that any unit of an even fleet is named is{" "}
            {formatPercent(siblings.error)}.{" "}
            <a href={siblingsTable(campaign.campaign_id, siblings.phase)}>All units as CSV</a>
          </p>
          <UnitTable units={siblings.units} />
          <UnmeasuredAgents agents={siblings.not_measured} />
        </>
      )}
    </Section>
  );
}

/** Lists agents that did not start, were lost, or delivered no data. */
function UnmeasuredAgents({ agents }: { agents: readonly NotMeasuredAgent[] }) {
  if (agents.length === 0) return null;
  return (
    <details open={agents.length <= FIRST_SHOWN}>
      <summary>Not measured: {plural(agents.length, "agent")}</summary>
      <ul>
        {agents.map(({ agent, reason }) => (
          <li key={agent}>
            {agent}: {reason}
          </li>
        ))}
      </ul>
    </details>
  );
}

const COLUMNS: Columns<SiblingUnit> = [
  { header: "Unit", accessorFn: ({ run_id, name }) => <RunLink id={run_id}>{name}</RunLink>, meta: ROW_HEADER },
  {
    header: "Against its siblings",
    accessorFn: ({ reason, effect }) => (reason === "" ? EFFECTS[effect] : `not judged: ${reason}`),
  },
  {
    header: "Largest difference",
    accessorFn: (unit) => {
      const largest = largestOf(unit);
      return largest === undefined ? <Unknown reason="nothing to compare" /> : deviationText(largest);
    },
  },
  {
    header: "Differs in",
    accessorFn: (unit) =>
      unit.causes.length === 0
        ? isOutlier(unit)
          ? "nothing that its inventory states"
          : ""
        : unit.causes.map(({ name, value, usual }) => (
            <div key={name}>
              {name}: {value} <span className="dim">(siblings: {usual})</span>
            </div>
          )),
  },
  {
    header: "Measured",
    accessorFn: ({ measured_ns }) => (measured_ns === 0 ? null : writeDuration(measured_ns)),
    meta: RIGHT,
  },
];

function UnitTable({ units }: { units: readonly SiblingUnit[] }) {
  const [isWhole, setWhole] = useState(false);
  const first = units.filter((unit) => isOutlier(unit) || unit.reason !== "").slice(0, FIRST_SHOWN);
  const shown = isWhole ? units : first;
  return (
    <>
      {shown.length === 0 ? null : (
        <DataTable label="Units against their siblings, as a table" plain columns={COLUMNS} rows={shown} />
      )}
      {units.length === first.length ? null : (
        <Button size="xs" className="no-print" onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Only those that stand out" : `All ${formatInteger(units.length)} units`}
        </Button>
      )}
    </>
  );
}

type Deviation = SiblingUnit["deviations"][number];

export const EFFECTS: Record<SiblingUnit["effect"], string> = {
  worse: "worse",
  better: "better",
  same: "alike",
  open: "not judged",
};

export const isOutlier = ({ effect }: SiblingUnit): boolean => effect === "worse" || effect === "better";

const away = ({ ratio }: Deviation): number => (ratio === null ? Number.POSITIVE_INFINITY : Math.abs(Math.log(ratio)));

/** Returns the largest deviation, from those that are judged worse or better if there are any. */
export function largestOf({ deviations }: SiblingUnit): Deviation | undefined {
  const out = deviations.filter(({ effect }) => effect === "worse" || effect === "better");
  return [...(out.length > 0 ? out : deviations)].sort((first, second) => away(second) - away(first))[0];
}

/** Returns a deviation as text: `p99: 1.042 to 1.058 times its siblings`. */
export function deviationText({ label, ratio_lower, ratio_upper }: Deviation): string {
  if (ratio_lower === null || ratio_upper === null) return `${label}: its siblings have none`;
  return `${label}: ${ratio_lower.toFixed(3)} to ${ratio_upper.toFixed(3)} times its siblings`;
}
