// Name and password of the reader.
import { Accordion, Button, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  accountQuery,
  changeName,
  changePassword,
  connectIdentity,
  deleteAccount,
  disconnect,
  identitiesQuery,
  optionsQuery,
} from "@/api/account";
import { codeOf } from "@/api/problem";
import { formatMoment } from "@/lib/format";
import { ConfirmButton } from "@/ui/ConfirmDialog";
import { PasswordLength } from "@/ui/PasswordLength";
import { SubmitButton } from "@/ui/SubmitButton";
import { Failed, QueryView } from "@/ui/states";
import { Passkeys } from "./Passkeys";
import { SecondFactor } from "./SecondFactor";
import { OwnPassword, Section } from "./Section";

export function Profile() {
  const account = useQuery(accountQuery());
  if (account.data === undefined) return <QueryView query={account} what="your profile" lines={3} height={40} />;
  return (
    <Accordion multiple order={2} chevronPosition="left" defaultValue={["Name"]}>
      <NameForm email={account.data.person.email} name={account.data.person.name} />
      <PasswordForm email={account.data.person.email} />
      <SecondFactor />
      <Passkeys />
      <Identities />
      <AccountDeletion email={account.data.person.email} />
    </Accordion>
  );
}

function NameForm({ email, name }: { email: string; name: string }) {
  const form = useForm({ initialValues: { draft: name } });
  const { draft } = form.values;
  const store = useMutation({ mutationFn: (_: undefined, { client }) => changeName(client, draft) });
  return (
    <Section name="Name" state={email} onSubmit={form.onSubmit(() => store.mutate())}>
      <TextInput
        label="Name"
        description="As members of your organisations see it"
        autoComplete="name"
        maxLength={100}
        required
        {...form.getInputProps("draft")}
      />
      <SubmitButton mutation={store} what="The name" disabled={draft.trim() === name}>
        Store the name
      </SubmitButton>
    </Section>
  );
}

function PasswordForm({ email }: { email: string }) {
  const form = useForm({ initialValues: { present: "", password: "" } });
  const change = useMutation({ mutationFn: changePassword, onSuccess: form.reset });
  return (
    <Section name="Password" onSubmit={form.onSubmit((values) => change.mutate(values))}>
      {/* Password managers store the user name with the new password. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label="Present password"
        autoComplete="current-password"
        required
        {...form.getInputProps("present")}
        error={codeOf(change.error) === "password-wrong" ? change.error?.message : null}
      />
      <PasswordInput
        label="New password"
        description="At least 12 characters. It ends your other sessions."
        autoComplete="new-password"
        required
        {...form.getInputProps("password")}
        error={codeOf(change.error) === "password-weak" ? change.error?.message : null}
      />
      <PasswordLength password={form.values.password} least={12} />
      {change.error === null || ["password-wrong", "password-weak"].includes(codeOf(change.error)) ? null : (
        <Failed error={change.error} what="The password" />
      )}
      {change.isSuccess ? <p role="status">The password is changed. Your other sessions have ended.</p> : null}
      <Button variant="filled" type="submit" loading={change.isPending} className="self-start">
        Change the password
      </Button>
    </Section>
  );
}

function AccountDeletion({ email }: { email: string }) {
  const form = useForm({ initialValues: { typed: "", password: "" } });
  const remove = useMutation({ mutationFn: deleteAccount });
  return (
    <Section name="Delete the account" onSubmit={form.onSubmit(({ password }) => remove.mutate(password))}>
      <p>
        Everything that is stored of you is deleted at once. Your organisations keep runs and tokens, and their audit
        trails keep what you did.
      </p>
      <TextInput label={`Write “${email}” to delete it`} autoComplete="off" {...form.getInputProps("typed")} />
      <OwnPassword label="Your password, to delete the account" {...form.getInputProps("password")} />
      <SubmitButton
        mutation={remove}
        what="The account"
        color="red"
        variant="outline"
        disabled={form.values.typed.trim().toLowerCase() !== email}
      >
        Delete the account
      </SubmitButton>
    </Section>
  );
}

function Identities() {
  const queries = useQueryClient();
  const name = useQuery(optionsQuery()).data?.single_sign_on ?? null;
  const identities = useQuery({ ...identitiesQuery(), enabled: name !== null });
  const form = useForm({ initialValues: { password: "" } });
  const connect = useMutation({ mutationFn: (password: string) => connectIdentity(password, "/settings") });
  if (name === null) return null;
  const problem = identities.error ?? connect.error;
  return (
    <Section name={`Sign in with ${name}`}>
      <p>A connected account opens this one without a password or code.</p>
      <ul className="stack-8 plain-list">
        {(identities.data?.identities ?? []).map((identity) => (
          <li key={identity.identity_id} className="row">
            <span>
              {identity.email} <span className="dim">{`last used ${formatMoment(identity.last_used_at)}`}</span>
            </span>
            <ConfirmButton
              label="Disconnect"
              name={`Disconnect ${identity.email}`}
              action={() => disconnect(queries, identity.identity_id)}
              what={name}
              confirm="Disconnect it"
            >
              <p>It no longer opens this account.</p>
            </ConfirmButton>
          </li>
        ))}
      </ul>
      <form className="stack-12" onSubmit={form.onSubmit(({ password }) => connect.mutate(password))}>
        <OwnPassword label="Your password, to connect" {...form.getInputProps("password")} />
        <Failed error={problem} what={name} />
        <Button type="submit" loading={connect.isPending} className="self-start">
          Connect an account
        </Button>
      </form>
    </Section>
  );
}
