// Import of an organisation from another installation's pack; its members get no access.
import { useMutation } from "@tanstack/react-query";
import { type Imported, importOrganisation, type OperatorToken } from "@/api/operations";
import { formatInteger, plural } from "@/lib/format";
import { Command } from "@/ui/Command";
import { FilePicker } from "@/ui/FilePicker";
import { Failed } from "@/ui/states";

export function ImportPack({ token }: { token: OperatorToken }) {
  const read = useMutation({ mutationFn: (pack: File, { client }) => importOrganisation(client, token, pack) });
  return (
    <div className="stack-8">
      <div className="row">
        <FilePicker
          accept=".zip,application/zip"
          label="Pack of an organisation"
          loading={read.isPending}
          onFile={(pack) => read.mutate(pack)}
        >
          Import an organisation
        </FilePicker>
        <span className="dim">A pack that its owner exported in another installation, read whole or not at all</span>
      </div>
      <Failed error={read.error} what="The pack" />
      {read.data === undefined ? null : <ImportResult imported={read.data} />}
    </div>
  );
}

function ImportResult({ imported }: { imported: Imported }) {
  return (
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
      {imported.new_rows === 0 ? null : <InviteCommand imported={imported} />}
    </div>
  );
}

function InviteCommand({ imported }: { imported: Imported }) {
  return (
    <>
      <p>Let somebody in{imported.members.length === 0 ? "" : `; its members were ${imported.members.join(", ")}`}:</p>
      <Command text={`tailroom organisation invite ${imported.organisation_id} --email …`} />
    </>
  );
}
