// Which drive, node or link of a campaign is not like its siblings: the answer, those that stand out, and every unit on request.
import { Button, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type Campaign, type NotMeasuredAgent, type SiblingUnit, siblingsQuery, siblingsTable } from "@/api/campaigns";
import { formatInteger, formatPercent } from "@/lib/format";
import { writeDuration } from "@/lib/parse";
import { nanoseconds, ratio } from "@/lib/units";
import { plural } from "@/lib/words";
import { ScrollRegion } from "@/ui/ScrollRegion";
import { Failed, Loading } from "@/ui/states";
import { Unknown } from "@/ui/Value";
import { deviationText, EFFECTS, largestOf, standsOut } from "./siblingWords";

const FIRST_SHOWN = 20;
/** With fewer units nothing is judged: they do not show how much such units differ. */
const FEWEST_UNITS = 8;

/** Nothing while no phase has ended, or for few units. An agent with several drives is as many units. */
export function Siblings({ campaign }: { campaign: Campaign }) {
  const [phase, setPhase] = useState<string | null>(null);
  const hasEnded = campaign.phases.some(({ kind, state }) => kind === "measure" && state === "ended");
  const query = useQuery({ ...siblingsQuery(campaign.campaign_id, phase), enabled: hasEnded });
  const siblings = query.data;
  const units = siblings === undefined ? campaign.agents.length : siblings.units.length + siblings.not_measured.length;
  if (!hasEnded || units < FEWEST_UNITS) return null;
  return (
    <section aria-labelledby="siblings">
      <h2 id="siblings">Unlike its siblings</h2>
      {query.error !== null ? (
        <Failed error={query.error} what="The comparison of the units" onRetry={() => void query.refetch()} />
      ) : siblings === undefined ? (
        <Loading what="the comparison of the units" lines={2} height={24} />
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
            {formatPercent(ratio(siblings.error))}.{" "}
            <a href={siblingsTable(campaign.campaign_id, siblings.phase)}>All units as CSV</a>
          </p>
          <UnitTable units={siblings.units} />
          <NotMeasured agents={siblings.not_measured} />
        </>
      )}
    </section>
  );
}

/** Agents that did not start, were lost, or have not delivered. */
function NotMeasured({ agents }: { agents: readonly NotMeasuredAgent[] }) {
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

function UnitTable({ units }: { units: readonly SiblingUnit[] }) {
  const [isWhole, setWhole] = useState(false);
  const first = units.filter((unit) => standsOut(unit) || unit.reason !== "").slice(0, FIRST_SHOWN);
  const shown = isWhole ? units : first;
  return (
    <>
      {shown.length === 0 ? null : (
        <ScrollRegion label="Units against their siblings, as a table">
          <table className="data">
            <thead>
              <tr>
                <th scope="col">Unit</th>
                <th scope="col">Against its siblings</th>
                <th scope="col">Largest difference</th>
                <th scope="col">Differs in</th>
                <th scope="col" className="right">
                  Measured
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((unit) => (
                <UnitRow key={`${unit.run_id} ${unit.device ?? ""}`} unit={unit} />
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      {units.length === first.length ? null : (
        <Button size="xs" variant="default" className="no-print" onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Only those that stand out" : `All ${formatInteger(units.length)} units`}
        </Button>
      )}
    </>
  );
}

function UnitRow({ unit }: { unit: SiblingUnit }) {
  const largest = largestOf(unit);
  return (
    <tr>
      <th scope="row">
        <Link to="/runs/$runId" params={{ runId: unit.run_id }}>
          {unit.name}
        </Link>
      </th>
      <td>{unit.reason === "" ? EFFECTS[unit.effect] : `not judged: ${unit.reason}`}</td>
      <td>{largest === undefined ? <Unknown reason="nothing to compare" /> : deviationText(largest)}</td>
      <td>
        {unit.causes.length === 0
          ? standsOut(unit)
            ? "nothing that its inventory states"
            : ""
          : unit.causes.map(({ name, value, usual }) => (
              <div key={name}>
                {name}: {value} <span className="dim">(siblings: {usual})</span>
              </div>
            ))}
      </td>
      <td className="right">{unit.measured_ns === 0 ? null : writeDuration(nanoseconds(unit.measured_ns))}</td>
    </tr>
  );
}
