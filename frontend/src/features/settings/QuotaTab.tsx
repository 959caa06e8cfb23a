// Quota and use of the organisation. The operator sets the limits.
import { useQuery } from "@tanstack/react-query";
import { quotaQuery } from "@/api/organisation";
import { formatBytes, formatInteger } from "@/lib/format";
import { QueryView } from "@/ui/QueryView";
import { ScrollRegion } from "@/ui/ScrollRegion";

export function QuotaTab() {
  const quota = useQuery(quotaQuery());
  if (quota.data === undefined) return <QueryView query={quota} what="the quota" lines={4} height={32} />;
  const { limits, usage } = quota.data;
  const rows = [
    { name: "Runs", has: usage.runs, limit: limits.runs, write: formatInteger },
    { name: "Uploaded files", has: usage.stored_bytes, limit: limits.stored_bytes, write: formatBytes },
    { name: "Uploads in 24 hours", has: usage.uploads_per_day, limit: limits.uploads_per_day, write: formatInteger },
    { name: "Agents", has: usage.agents, limit: limits.agents, write: formatInteger },
    { name: "Requests a minute", has: null, limit: limits.requests_per_minute, write: formatInteger },
  ];
  return (
    <>
      <p>
        An operator sets the limits. What exceeds one is refused with the reason. A run that has begun is measured to
        its end.
      </p>
      <ScrollRegion label="Quota, as a table">
        <table className="data">
          <thead>
            <tr>
              <th scope="col">Of what</th>
              <th scope="col" className="right">
                There is
              </th>
              <th scope="col" className="right">
                There may be
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, has, limit, write }) => (
              <tr key={name}>
                <td>{name}</td>
                <td className="right">{has === null ? "" : write(has)}</td>
                <td className="right">{limit == null ? "any number" : write(limit)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </>
  );
}
