// How long what is stored, as whoever looks after the installation has set it.
import { useQuery } from "@tanstack/react-query";
import { quotaQuery } from "@/api/organisation";
import { formatInteger } from "@/lib/format";
import { ScrollRegion } from "@/ui/ScrollRegion";
import { Failed, Loading } from "@/ui/states";

export function Retention() {
  const found = useQuery(quotaQuery());
  if (found.data === undefined) {
    return found.error === null ? (
      <Loading what="the retention" lines={4} height={32} />
    ) : (
      <Failed error={found.error} what="The retention" onRetry={() => void found.refetch()} />
    );
  }
  const { tick_days, interval_days, minute_days, raw_file_days } = found.data.retention;
  const rows = [
    { what: "Seconds, as they are shown live", days: tick_days, after: "Nothing is judged by them." },
    {
      what: "Intervals with their histograms",
      days: interval_days,
      after: "Minutes and hours are added up from them first.",
    },
    { what: "Minutes: the course over time", days: minute_days, after: "Hours, percentiles and whole runs stay." },
    { what: "Uploaded files", days: raw_file_days, after: "Runs that were read from them stay." },
    { what: "Whole runs, hours, verdicts, audit trail", days: null, after: "They go when you delete them." },
  ];
  return (
    <>
      <p>
        Days count from the last data of a run. Nothing goes before it is added up, and no verdict changes by it.
        Whoever looks after this installation sets the days for everybody; delete runs and uploads on their pages.
      </p>
      <ScrollRegion label="Retention, as a table">
        <table className="data">
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col" className="right">
                Stays for
              </th>
              <th scope="col">Then</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ what, days, after }) => (
              <tr key={what}>
                <td>{what}</td>
                <td className="right">{days === null ? "no end" : `${formatInteger(days)} days`}</td>
                <td>{after}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </>
  );
}
