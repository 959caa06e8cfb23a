// Name and password of the person who is signed in.
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { accountQuery, changeName, changePassword } from "@/api/account";
import { codeOf } from "@/api/problem";
import { PasswordLength } from "@/ui/PasswordLength";
import { QueryView } from "@/ui/QueryView";
import { Failed } from "@/ui/states";
import { submits } from "@/ui/submits";
import { AccountDeletion } from "./AccountDeletion";
import { Identities } from "./Identities";
import { Passkeys } from "./Passkeys";
import { SecondFactor } from "./SecondFactor";
import classes from "./Settings.module.css";

export function Profile() {
  const account = useQuery(accountQuery());
  if (account.data === undefined) return <QueryView query={account} what="your profile" lines={3} height={40} />;
  return (
    <>
      <NameForm email={account.data.person.email} name={account.data.person.name} />
      <PasswordForm email={account.data.person.email} />
      <SecondFactor />
      <Passkeys />
      <Identities />
      <AccountDeletion email={account.data.person.email} />
    </>
  );
}

function NameForm({ email, name }: { email: string; name: string }) {
  const queries = useQueryClient();
  const [draft, setDraft] = useState(name);
  const store = useMutation({ mutationFn: () => changeName(queries, draft) });
  return (
    <form className={`${classes["form"]} panel`} onSubmit={submits(() => store.mutate())}>
      <h2>Profile</h2>
      <p>{email}</p>
      <TextInput
        label="Name"
        description="As members of your organisations see it"
        autoComplete="name"
        maxLength={100}
        required
        withAsterisk={false}
        value={draft}
        onChange={(event) => setDraft(event.currentTarget.value)}
      />
      {store.error === null ? null : <Failed error={store.error} what="The name" />}
      <Button
        type="submit"
        loading={store.isPending}
        disabled={draft.trim() === name}
        className={classes["submit"] ?? ""}
      >
        Store the name
      </Button>
    </form>
  );
}

function PasswordForm({ email }: { email: string }) {
  const [present, setPresent] = useState("");
  const [password, setPassword] = useState("");
  const change = useMutation({
    mutationFn: () => changePassword({ present, password }),
    onSuccess: () => {
      setPresent("");
      setPassword("");
    },
  });
  return (
    <form className={`${classes["form"]} panel`} onSubmit={submits(() => change.mutate())}>
      <h2>Password</h2>
      {/* For password managers, which store the new one with it. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label="Present password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        value={present}
        onChange={(event) => setPresent(event.currentTarget.value)}
        error={codeOf(change.error) === "password-wrong" ? change.error?.message : null}
      />
      <PasswordInput
        label="New password"
        description="At least 12 characters. It ends your other sessions."
        autoComplete="new-password"
        required
        withAsterisk={false}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={codeOf(change.error) === "password-weak" ? change.error?.message : null}
      />
      <PasswordLength password={password} least={12} />
      {change.error === null || ["password-wrong", "password-weak"].includes(codeOf(change.error)) ? null : (
        <Failed error={change.error} what="The password" />
      )}
      {change.isSuccess ? <p role="status">The password is changed. Your other sessions have ended.</p> : null}
      <Button type="submit" loading={change.isPending} className={classes["submit"] ?? ""}>
        Change the password
      </Button>
    </form>
  );
}
