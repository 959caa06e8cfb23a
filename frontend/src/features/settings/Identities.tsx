// Single sign-on identities linked to the reader's account.
import { Button, PasswordInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { connectIdentity, disconnect, identitiesQuery, optionsQuery } from "@/api/account";
import { formatMoment } from "@/lib/format";
import { ConfirmButton } from "@/ui/ConfirmDialog";
import { Failed } from "@/ui/states";
import { Section } from "./Section";

export function Identities() {
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
        <PasswordInput
          label="Your password, to connect"
          description="Leave it empty if you have none."
          autoComplete="current-password"
          {...form.getInputProps("password")}
        />
        <Failed error={problem} what={name} />
        <Button type="submit" loading={connect.isPending} className="self-start">
          Connect an account
        </Button>
      </form>
    </Section>
  );
}
