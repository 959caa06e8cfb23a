// Work queue by lane, its oldest tasks, and given-up tasks, which can be retried.
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type Operations, retryWork } from "@/api/operations";
import { formatAgo, formatInteger, formatMoment, formatSpan } from "@/lib/format";
import { ACTIONS, type Columns, NAME_CELL, RIGHT } from "@/ui/DataTable";
import { Failed } from "@/ui/states";
import { Part } from "./Part";

type DueWork = Operations["due"][number];

const LANES: Columns<Operations["lanes"][number]> = [
  { header: "Lane", accessorKey: "lane" },
  { header: "Due", accessorFn: ({ due }) => formatInteger(due), meta: RIGHT },
  {
    header: "Oldest waits",
    accessorFn: ({ due, oldest_due_s }) => (due === 0 ? "" : formatSpan((oldest_due_s * 1e9) as never)),
    meta: RIGHT,
  },
  { header: "Being done", accessorFn: ({ claimed }) => formatInteger(claimed), meta: RIGHT },
  { header: "Later", accessorFn: ({ later }) => formatInteger(later), meta: RIGHT },
  { header: "Given up", accessorFn: ({ given_up }) => formatInteger(given_up), meta: RIGHT },
];

const idOf = ({ kind, subject }: DueWork): string => `${kind} ${subject}`;

export function WorkQueue({ operations }: { operations: Operations }) {
  const { lanes, due, given_up } = operations;
  const retry = useMutation({
    mutationFn: (subject: string | undefined, { client }) => retryWork(client, subject),
  });
  const ago = (iso: string) => formatAgo(Date.parse(operations.now) - Date.parse(iso));
  const columns: Columns<DueWork> = [
    { header: "Work", accessorFn: ({ kind }) => kind.replaceAll("_", " ") },
    { header: "Organisation", accessorKey: "organisation" },
    { header: "About", accessorKey: "subject", meta: { className: "mono small" } },
    { header: "Since", accessorFn: ({ at }) => <span title={formatMoment(at)}>{ago(at)}</span> },
    { header: "Attempts", accessorFn: ({ attempts }) => formatInteger(attempts), meta: RIGHT },
    { header: "Reason", accessorKey: "error", meta: NAME_CELL },
  ];
  return (
    <>
      <Part title="Work" columns={LANES} rows={lanes} />
      <Failed error={retry.error} what="The retry" />
      <Part
        title="Given up"
        empty={given_up.length === 0 ? "Nothing was given up." : null}
        rows={given_up}
        rowId={idOf}
        columns={[
          ...columns,
          {
            ...ACTIONS,
            accessorFn: ({ subject }) => (
              <Button
                size="compact-xs"
                loading={retry.isPending && retry.variables === subject}
                onClick={() => retry.mutate(subject)}
              >
                Try again
              </Button>
            ),
          },
        ]}
      />
      {given_up.length > 1 ? (
        <div className="row">
          <Button size="xs" loading={retry.isPending} onClick={() => retry.mutate(undefined)}>
            Try everything again
          </Button>
        </div>
      ) : null}
      {due.length === 0 ? null : <Part title="Waits longest" columns={columns} rows={due} rowId={idOf} />}
    </>
  );
}
