// Who stores how much, the largest first.
import { Button } from "@mantine/core";
import { useState } from "react";
import type { Operations, OperatorToken } from "@/api/operations";
import { formatBytes, formatInteger, formatMoment } from "@/lib/format";
import { Part } from "./Part";
import { QuotaForm } from "./QuotaForm";

const quotaAction = ({ limits }: Operations["organisations"][number]): string =>
  Object.values(limits).some((limit) => limit !== null) ? "Change" : "Set";

export function Organisations({ operations, token }: { operations: Operations; token: OperatorToken }) {
  const { organisations, organisation_count } = operations;
  const more = organisation_count - organisations.length;
  const [edited, setEdited] = useState<string | null>(null);
  const chosen = organisations.find(({ organisation_id }) => organisation_id === edited);
  return (
    <>
      <Part title={more > 0 ? `Organisations, the ${organisations.length} largest` : "Organisations"} empty={null}>
        <table className="data">
          <thead>
            <tr>
              <th scope="col">Organisation</th>
              <th scope="col" className="right">
                Members
              </th>
              <th scope="col" className="right">
                Runs
              </th>
              <th scope="col" className="right">
                Running
              </th>
              <th scope="col" className="right">
                Uploads
              </th>
              <th scope="col" className="right">
                Files
              </th>
              <th scope="col">Last run</th>
              <th scope="col">Quota</th>
            </tr>
          </thead>
          <tbody>
            {organisations.map((organisation) => (
              <tr key={organisation.organisation_id} title={organisation.organisation_id}>
                <td>{organisation.name}</td>
                <td className="right">{formatInteger(organisation.members)}</td>
                <td className="right">{formatInteger(organisation.runs)}</td>
                <td className="right">{formatInteger(organisation.running)}</td>
                <td className="right">{formatInteger(organisation.uploads)}</td>
                <td className="right">{formatBytes(organisation.raw_bytes)}</td>
                <td>{organisation.last_run_at === null ? "" : formatMoment(organisation.last_run_at)}</td>
                <td>
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={`${quotaAction(organisation)} the quota of ${organisation.name}`}
                    onClick={() => setEdited(organisation.organisation_id)}
                  >
                    {quotaAction(organisation)}
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Part>
      {chosen === undefined ? null : (
        <QuotaForm key={chosen.organisation_id} organisation={chosen} token={token} onDone={() => setEdited(null)} />
      )}
    </>
  );
}
