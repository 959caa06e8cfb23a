// Who stores how much, the largest first.
import type { Operations, OperatorToken } from "@/api/operations";
import { formatBytes, formatInteger, formatMoment } from "@/lib/format";
import { Part } from "./Part";

export function Organisations({ operations }: { operations: Operations; token: OperatorToken }) {
  const { organisations, organisation_count } = operations;
  const more = organisation_count - organisations.length;
  return (
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
          </tr>
        </thead>
        <tbody>
          {organisations.map((one) => (
            <tr key={one.organisation_id} title={one.organisation_id}>
              <td>{one.name}</td>
              <td className="right">{formatInteger(one.members)}</td>
              <td className="right">{formatInteger(one.runs)}</td>
              <td className="right">{formatInteger(one.running)}</td>
              <td className="right">{formatInteger(one.uploads)}</td>
              <td className="right">{formatBytes(one.raw_bytes)}</td>
              <td>{one.last_run_at === null ? "" : formatMoment(one.last_run_at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Part>
  );
}
