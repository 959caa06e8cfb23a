// Passkeys of the reader: add, rename, remove.
import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { hasPasskeys, makePasskey, passkeysQuery, removePasskey, renamePasskey } from "@/api/passkeys";
import { formatMoment, sentence } from "@/lib/format";
import { ConfirmDialog, RowButton } from "@/ui/ConfirmDialog";
import { SubmitButton } from "@/ui/SubmitButton";
import { QueryView } from "@/ui/states";
import { OneTimeSecret, OwnPassword, Section } from "./Section";

export function Passkeys() {
  const passkeys = useQuery(passkeysQuery());
  const form = useForm({ initialValues: { password: "", name: "" } });
  const [codes, setCodes] = useState<string[]>([]);
  const make = useMutation({
    mutationFn: ({ password, name }: typeof form.values, { client }) => makePasskey(client, password, name),
    onSuccess: (recoveryCodes) => {
      setCodes(recoveryCodes);
      form.reset();
    },
  });
  const count = passkeys.data?.passkeys.length;
  const [changed, setChanged] = useState<Change | null>(null);
  return (
    <Section name="Passkeys" state={count === undefined ? undefined : count === 0 ? "none" : String(count)}>
      <p>
        A passkey opens the account with a finger, a face or a PIN of your device. After that, a password alone is not
        enough.
      </p>
      {codes.length === 0 ? null : <OneTimeSecret what="the recovery codes" text={codes.join("\n")} />}
      {passkeys.data === undefined ? <QueryView query={passkeys} what="your passkeys" lines={1} height={40} /> : null}
      <ul className="stack-8 plain-list">
        {(passkeys.data?.passkeys ?? []).map((passkey) => (
          <li key={passkey.passkey_id} className="row">
            <span>
              <strong>{passkey.name}</strong>{" "}
              <span className="dim">
                {passkey.last_used_at === null
                  ? `made ${formatMoment(passkey.created_at)}`
                  : `last used ${formatMoment(passkey.last_used_at)}`}
                {passkey.is_synced ? " · on several devices" : ""}
              </span>
            </span>
            {(["rename", "remove"] as const).map((what) => (
              <RowButton
                key={what}
                label={sentence(what)}
                name={`${sentence(what)} ${passkey.name}`}
                onClick={() => setChanged({ what, passkey })}
              />
            ))}
          </li>
        ))}
      </ul>
      <form className="stack-12" onSubmit={form.onSubmit((values) => make.mutate(values))}>
        <TextInput
          label="Name of the new passkey"
          description="So that you recognise the device"
          maxLength={100}
          required
          {...form.getInputProps("name")}
        />
        <OwnPassword label="Your password, for passkeys" {...form.getInputProps("password")} />
        {hasPasskeys() ? null : (
          <p>This browser cannot add passkeys here. They need a host name, such as http://localhost, not a number.</p>
        )}
        <SubmitButton mutation={make} what="The passkey" disabled={!hasPasskeys()}>
          Make a passkey
        </SubmitButton>
      </form>
      {changed === null ? null : <ChangeDialog key={changed.what} change={changed} onDone={() => setChanged(null)} />}
    </Section>
  );
}

type Change = { what: "rename" | "remove"; passkey: { passkey_id: string; name: string } };

/** Asks for a new name, or for the password that a removal requires. */
function ChangeDialog({ change: { what, passkey }, onDone }: { change: Change; onDone: () => void }) {
  const form = useForm({ initialValues: { text: what === "rename" ? passkey.name : "" } });
  const { text } = form.values;
  const apply = useMutation({
    mutationFn: (_: undefined, { client }): Promise<unknown> =>
      what === "rename"
        ? renamePasskey(client, passkey.passkey_id, text.trim())
        : removePasskey(client, passkey.passkey_id, text),
    onSuccess: onDone,
  });
  const renames = what === "rename";
  return (
    <ConfirmDialog
      opened
      onClose={onDone}
      title={renames ? `Rename ${passkey.name}` : `Remove ${passkey.name}?`}
      mutation={apply}
      what="The passkey"
      confirm={renames ? "Save the name" : "Remove the passkey"}
      keep="Cancel"
      harmless={renames}
    >
      {renames ? (
        <TextInput label="New name" maxLength={100} required data-autofocus {...form.getInputProps("text")} />
      ) : (
        <OwnPassword label="Your password" data-autofocus {...form.getInputProps("text")} />
      )}
    </ConfirmDialog>
  );
}
