// Overview of the installation for its operator; work that needs attention comes first.
import { Button, PasswordInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { importOrganisation, type Operations, operationsQuery, useOperatorToken } from "@/api/operations";
import { ApiProblem } from "@/api/problem";
import { formatAgo, formatBytes, formatDay, formatInteger, formatMoment, plural } from "@/lib/format";
import { Command } from "@/ui/Command";
import { RIGHT } from "@/ui/DataTable";
import { FilesButton } from "@/ui/FilesButton";
import { Failed, QueryView } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";
import { Objections } from "./Objections";
import { Organisations } from "./Organisations";
import { Part } from "./Part";
import { Suggestions } from "./Suggestions";
import { WorkQueue } from "./WorkQueue";

export function OperationsPage() {
  usePageTitle("Operations");
  const setToken = useOperatorToken();
  const operations = useQuery(operationsQuery());
  return (
    <div className="stack-32">
      <header>
        <h1>Operations</h1>
        <p>The whole installation, for its operators. No measurements are shown here.</p>
      </header>
      {operations.data !== undefined ? (
        <OperationsContent operations={operations.data} />
      ) : operations.error instanceof ApiProblem && operations.error.status === 403 ? (
        <TokenForm onToken={setToken} />
      ) : (
        <QueryView query={operations} what="the installation" lines={6} height={40} />
      )}
    </div>
  );
}

/** Asks for the operator's token, for operators whose e-mail address the installation does not list. */
function TokenForm({ onToken }: { onToken: (token: string) => void }) {
  const form = useForm({ initialValues: { text: "" } });
  return (
    <form className="form panel" onSubmit={form.onSubmit(({ text }) => onToken(text.trim()))}>
      <h2>For operators</h2>
      <p>
        This page is for operators. Set your e-mail address in <code>TAILROOM_OPERATORS</code>, or enter the operator’s
        token. It is stored in this tab only.
      </p>
      <PasswordInput label="Operator’s token" autoComplete="off" {...form.getInputProps("text")} />
      <Button variant="filled" type="submit" disabled={form.values.text.trim() === ""}>
        Show the installation
      </Button>
    </form>
  );
}

function OperationsContent({ operations }: { operations: Operations }) {
  const { concerns, backup, now } = operations;
  const ago = (iso: string) => formatAgo(Date.parse(now) - Date.parse(iso));
  return (
    <>
      <section className="stack-8" aria-label="What needs somebody">
        {concerns.length === 0 ? (
          <p>
            <strong>Nothing needs you.</strong>
          </p>
        ) : (
          <ul style={{ margin: "0", paddingLeft: 20 }}>
            {concerns.map((concern) => (
              <li key={concern}>{concern}</li>
            ))}
          </ul>
        )}
        <dl className="tiles figures" style={{ gridTemplateColumns: "repeat(auto-fit, minmax(150px, 1fr))", gap: 12 }}>
          <Figure name="Database" value={formatBytes(operations.database_bytes)} />
          <Figure
            name="Uploaded files"
            value={`${formatBytes(operations.raw_file_bytes)} in ${formatInteger(operations.raw_files)}`}
          />
          <Figure name="Organisations" value={formatInteger(operations.organisation_count)} />
          <Figure name="Partitions ahead" value={`${formatInteger(operations.partition_days_ahead)} days`} />
          <Figure name="Last backup" value={backup === null ? "none" : ago(backup.made_at)} />
        </dl>
      </section>
      <WorkQueue operations={operations} />
      <Organisations operations={operations} />
      <ImportPack />
      <Suggestions />
      <Objections />
      <Part
        title="Agents"
        empty={operations.agents.length === 0 ? "No agent measured in the last 30 days." : null}
        rows={operations.agents}
        columns={[
          { header: "Version", accessorKey: "version" },
          { header: "Serving", accessorFn: ({ serving }) => formatInteger(serving), meta: RIGHT },
          { header: "Runs in 30 days", accessorFn: ({ runs }) => formatInteger(runs), meta: RIGHT },
          {
            header: "Last seen",
            accessorFn: ({ last_at }) => <span title={formatMoment(last_at)}>{ago(last_at)}</span>,
          },
        ]}
      />
      <Part
        title="Partitions of intervals"
        rows={operations.partitions}
        columns={[
          { header: "Day", accessorFn: ({ name }) => dayOf(name) },
          { header: "Size", accessorFn: ({ size_bytes }) => formatBytes(size_bytes), meta: RIGHT },
        ]}
      />
      <Part
        title="Largest tables"
        rows={operations.tables}
        columns={[
          { header: "Table", accessorFn: ({ name }) => name.replaceAll("_", " ") },
          { header: "Size", accessorFn: ({ size_bytes }) => formatBytes(size_bytes), meta: RIGHT },
          { header: "Rows, estimated", accessorFn: (table) => formatInteger(table.estimated_rows), meta: RIGHT },
        ]}
      />
    </>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div className="panel">
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function dayOf(partition: string): string {
  const day = /^interval_(\d{4})(\d{2})(\d{2})$/.exec(partition);
  return day === null ? "all other days" : formatDay(`${day[1]}-${day[2]}-${day[3]}`);
}

function ImportPack() {
  const read = useMutation({ mutationFn: (pack: File, { client }) => importOrganisation(client, pack) });
  const imported = read.data;
  return (
    <div className="stack-8">
      <div className="row">
        <FilesButton
          isSingle
          size="xs"
          accept=".zip,application/zip"
          label="Pack of an organisation"
          loading={read.isPending}
          onFiles={([pack]) => pack && read.mutate(pack)}
        >
          Import an organisation
        </FilesButton>
        <span className="dim">A pack that its owner exported in another installation, read whole or not at all</span>
      </div>
      <Failed error={read.error} what="The pack" />
      {imported === undefined ? null : (
        <div role="status">
          <p>
            <strong>{imported.organisation}</strong>{" "}
            {imported.new_rows === 0
              ? "was here already; nothing changed."
              : `is here, with ${plural(imported.new_runs, "new run")} in ${formatInteger(imported.new_rows)} rows. Published runs are private.`}
            {imported.drives_left_out > 0
              ? ` ${plural(imported.drives_left_out, "drive")} left out: others here have the name.`
              : ""}
          </p>
          {imported.new_rows === 0 ? null : (
            <>
              <p>
                Let somebody in
                {imported.members.length === 0 ? "" : `; its members were ${imported.members.join(", ")}`}:
              </p>
              <Command text={`tailroom organisation invite ${imported.organisation_id} --email …`} />
            </>
          )}
        </div>
      )}
    </div>
  );
}
