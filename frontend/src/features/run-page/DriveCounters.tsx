// Counters of the measured drives themselves, independent of the measured latencies.
import { useQuery } from "@tanstack/react-query";
import { driveCountersQuery } from "@/api/queries";
import type { DriveCounters as Counters } from "@/api/types";
import { type Columns, DataTable, ROW_HEADER } from "@/ui/DataTable";
import { Section } from "@/ui/Section";

type Drive = Counters["drives"][number];

const COLUMNS: Columns<Drive["figures"][number]> = [
  { header: "Counter", accessorKey: "label", meta: ROW_HEADER },
  { header: "Counted", accessorKey: "text" },
];

/** Shows a section per measured drive; null without any. */
export function DriveCounters({ runId }: { runId: string }) {
  const counters = useQuery(driveCountersQuery(runId)).data;
  if (counters === undefined || counters.drives.length === 0) return null;
  return counters.drives.map((drive) => <DriveSection key={drive.disk} drive={drive} />);
}

export function DriveSection({ drive }: { drive: Drive }) {
  const unknown = drive.figures.filter(({ lower }) => lower === null);
  return (
    <Section title={`Counters of ${drive.disk}`} className="stack-8">
      <p className="dim">
        {drive.is_to_the_end
          ? "From before the load to after the last operation, as drive and kernel count."
          : "The agent was cut off, so the counters end before the measurement does."}
      </p>
      {drive.reason === null ? null : <p>{`Not known: ${drive.reason}.`}</p>}
      <DataTable
        label={`Counters of ${drive.disk}`}
        plain
        columns={COLUMNS}
        rows={drive.figures.filter(({ lower }) => lower !== null)}
      />
      {unknown.length === 0 ? null : (
        <details>
          <summary>{`Not known (${unknown.length})`}</summary>
          <ul>
            {unknown.map(({ key, label, reason }) => (
              <li key={key}>{`${label}: ${reason ?? "not stated"}`}</li>
            ))}
          </ul>
        </details>
      )}
    </Section>
  );
}
