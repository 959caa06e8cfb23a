// Passkeys of whoever is signed in: make one, name it, remove it.
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { hasPasskeys, makePasskey, passkeysQuery, removePasskey, renamePasskey } from "@/api/passkeys";
import { formatMoment } from "@/lib/format";
import { Failed, Loading } from "@/ui/states";
import classes from "./Settings.module.css";
import { ShownOnce } from "./ShownOnce";

export function Passkeys() {
  const queries = useQueryClient();
  const found = useQuery(passkeysQuery());
  const [password, setPassword] = useState("");
  const [name, setName] = useState("");
  const [codes, setCodes] = useState<string[]>([]);
  const make = useMutation({
    mutationFn: () => makePasskey(queries, password, name),
    onSuccess: (given) => {
      setCodes(given);
      setName("");
      setPassword("");
    },
  });
  const rename = useMutation({ mutationFn: (passkeyId: string) => renamePasskey(queries, passkeyId, name) });
  const remove = useMutation({ mutationFn: (passkeyId: string) => removePasskey(queries, passkeyId, password) });
  const problem = make.error ?? rename.error ?? remove.error;
  return (
    <section className={`${classes["form"]} panel`} aria-labelledby="passkeys">
      <h2 id="passkeys">Passkeys</h2>
      <p>
        A passkey opens the account with a finger, a face or a PIN of your device. After that, a password alone is not
        enough.
      </p>
      {codes.length === 0 ? null : <ShownOnce what="the recovery codes" text={codes.join("\n")} />}
      {found.data === undefined && found.error === null ? <Loading what="your passkeys" lines={1} height={40} /> : null}
      {found.error === null ? null : (
        <Failed error={found.error} what="Your passkeys" onRetry={() => void found.refetch()} />
      )}
      <ul className={classes["list"]}>
        {(found.data?.passkeys ?? []).map((one) => (
          <li key={one.passkey_id} className={classes["row"]}>
            <span>
              <strong>{one.name}</strong>{" "}
              <span className="dim">
                {one.last_used_at === null
                  ? `made ${formatMoment(one.created_at)}`
                  : `last used ${formatMoment(one.last_used_at)}`}
                {one.is_synced ? " · kept by several devices" : ""}
              </span>
            </span>
            <Button
              size="compact-xs"
              variant="default"
              disabled={name.trim() === ""}
              aria-label={`Rename ${one.name}`}
              onClick={() => rename.mutate(one.passkey_id)}
            >
              Rename
            </Button>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Remove ${one.name}`}
              onClick={() => remove.mutate(one.passkey_id)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <form
        className={classes["fields"]}
        onSubmit={(event) => {
          event.preventDefault();
          make.mutate();
        }}
      >
        <TextInput
          label="Name of the passkey"
          description="So that you recognise the device"
          maxLength={100}
          required
          withAsterisk={false}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <PasswordInput
          label="Your password, for passkeys"
          description="Needed to add or remove a passkey. Leave it empty if you have none."
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {problem === null ? null : <Failed error={problem} what="The passkey" />}
        {hasPasskeys() ? null : (
          <p>This browser cannot add passkeys here. They need a host name, such as http://localhost, not a number.</p>
        )}
        <Button type="submit" loading={make.isPending} disabled={!hasPasskeys()} className={classes["submit"] ?? ""}>
          Make a passkey
        </Button>
      </form>
    </section>
  );
}
