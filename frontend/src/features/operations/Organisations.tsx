// Stored amounts per organisation, the largest first.
import { Button } from "@mantine/core";
import { useState } from "react";
import type { Operations, OperatorToken } from "@/api/operations";
import { formatBytes, formatInteger, formatMoment } from "@/lib/format";
import { RIGHT } from "@/ui/DataTable";
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
      <Part
        title={more > 0 ? `Organisations, the ${organisations.length} largest` : "Organisations"}
        rows={organisations}
        rowId={({ organisation_id }) => organisation_id}
        rowAttributes={({ organisation_id }) => ({ title: organisation_id })}
        columns={[
          { header: "Organisation", accessorKey: "name", meta: { className: "name-cell" } },
          { header: "Members", accessorFn: ({ members }) => formatInteger(members), meta: RIGHT },
          { header: "Runs", accessorFn: ({ runs }) => formatInteger(runs), meta: RIGHT },
          { header: "Running", accessorFn: ({ running }) => formatInteger(running), meta: RIGHT },
          { header: "Uploads", accessorFn: ({ uploads }) => formatInteger(uploads), meta: RIGHT },
          { header: "Files", accessorFn: ({ raw_bytes }) => formatBytes(raw_bytes), meta: RIGHT },
          {
            header: "Last run",
            accessorFn: ({ last_run_at }) => (last_run_at === null ? "" : formatMoment(last_run_at)),
          },
          {
            header: "Quota",
            accessorFn: (organisation) => (
              <Button
                size="compact-xs"
                aria-label={`${quotaAction(organisation)} the quota of ${organisation.name}`}
                onClick={() => setEdited(organisation.organisation_id)}
              >
                {quotaAction(organisation)}
              </Button>
            ),
          },
        ]}
      />
      {chosen === undefined ? null : (
        <QuotaForm key={chosen.organisation_id} organisation={chosen} token={token} onDone={() => setEdited(null)} />
      )}
    </>
  );
}
