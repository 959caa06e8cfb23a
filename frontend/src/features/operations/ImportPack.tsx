// An organisation of another installation: its pack is read here, and nobody is let in by it.
import { Button, FileButton } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Imported, importOrganisation, type OperatorToken } from "@/api/operations";
import { formatInteger } from "@/lib/format";
import { plural } from "@/lib/words";
import { Command } from "@/ui/Command";
import { Failed } from "@/ui/states";
import classes from "./Operations.module.css";

export function ImportPack({ token }: { token: OperatorToken }) {
  const queries = useQueryClient();
  const read = useMutation({ mutationFn: (pack: File) => importOrganisation(queries, token, pack) });
  return (
    <div className={classes["section"]}>
      <div className={classes["row"]}>
        <FileButton
          accept=".zip,application/zip"
          inputProps={{ "aria-label": "Pack of an organisation" }}
          onChange={(pack) => {
            if (pack !== null) read.mutate(pack);
          }}
        >
          {(props) => (
            <Button {...props} size="xs" variant="default" loading={read.isPending}>
              Import an organisation
            </Button>
          )}
        </FileButton>
        <span className="dim">A pack that its owner exported in another installation, read whole or not at all</span>
      </div>
      {read.error === null ? null : <Failed error={read.error} what="The pack" />}
      {read.data === undefined ? null : <Done found={read.data} />}
    </div>
  );
}

function Done({ found }: { found: Imported }) {
  return (
    <div role="status">
      <p>
        <strong>{found.organisation}</strong>{" "}
        {found.new_rows === 0
          ? "was here already; nothing changed."
          : `is here, with ${plural(found.new_runs, "new run")} in ${formatInteger(found.new_rows)} rows. Published runs are private.`}
        {found.drives_left_out > 0
          ? ` ${plural(found.drives_left_out, "drive")} left out: others here have the name.`
          : ""}
      </p>
      {found.new_rows === 0 ? null : <LetIn found={found} />}
    </div>
  );
}

function LetIn({ found }: { found: Imported }) {
  return (
    <>
      <p>Let somebody in{found.members.length === 0 ? "" : `; its members were ${found.members.join(", ")}`}:</p>
      <Command text={`tailroom organisation invite ${found.organisation_id} --email …`} />
    </>
  );
}
