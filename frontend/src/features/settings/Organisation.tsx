// Organisations of the reader: switch, leave, rename, transfer, delete, create.
import { Accordion, Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { accountQuery, optionsQuery } from "@/api/account";
import {
  chooseOrganisation,
  leaveOrganisation,
  makeOrganisation,
  renameOrganisation,
  requireSecondFactor,
} from "@/api/organisation";
import type { Session } from "@/api/types";
import { SubmitButton } from "@/ui/SubmitButton";
import { Failed, QueryView } from "@/ui/states";
import { Lifecycle } from "./Lifecycle";
import { Section } from "./Section";

export function Organisation({ session }: { session: Session }) {
  const account = useQuery(accountQuery());
  const options = useQuery(optionsQuery());
  const queries = useQueryClient();
  const choose = useMutation({ mutationFn: (id: string) => chooseOrganisation(queries, id) });
  const leave = useMutation({ mutationFn: (id: string) => leaveOrganisation(queries, id) });
  if (account.data === undefined) return <QueryView query={account} what="your organisations" lines={3} height={40} />;
  const { organisations } = account.data;
  const current = organisations.find(({ is_current }) => is_current);
  const problem = choose.error ?? leave.error;
  return (
    <>
      <Failed error={problem} what="The organisation" />
      {organisations.length === 0 ? <p>You belong to no organisation. You see what is published.</p> : null}
      <ul className="stack-8 plain-list">
        {organisations.map(({ id, name, role, is_current, needs_second_factor }) => (
          <li key={id} className="row">
            <span>
              <strong>{name}</strong> <span className="dim">{role}</span>
              {needs_second_factor ? <span className="dim"> · asks for a second factor</span> : null}
            </span>
            {is_current ? (
              <span className="dim">you act for it now</span>
            ) : (
              <Button size="compact-xs" aria-label={`Switch to ${name}`} onClick={() => choose.mutate(id)}>
                Switch
              </Button>
            )}
            <Button size="compact-xs" aria-label={`Leave ${name}`} onClick={() => leave.mutate(id)}>
              Leave
            </Button>
          </li>
        ))}
      </ul>
      {organisations.length > 0 && current === undefined ? (
        <p>
          You act for none of them now. Switch to one. If it asks for a second factor, set yours in the profile first.
        </p>
      ) : null}
      <Accordion multiple order={2} chevronPosition="left">
        {session.capabilities.includes("manage-organisation") ? (
          <>
            <Rule needed={current?.needs_second_factor === true} />
            <NameForm
              key={session.organisation.id}
              title="Rename the organisation"
              label="Name"
              first={session.organisation.name}
              action="Store the name"
              store={(name) => renameOrganisation(queries, name)}
            />
            <Lifecycle organisation={session.organisation} deletionDueAt={current?.deletion_due_at ?? null} />
          </>
        ) : null}
        {options.data?.sign_up === "open" ? (
          <NameForm
            title="Make another organisation"
            label="Name of the new organisation"
            first=""
            action="Make it"
            store={(name) => makeOrganisation(queries, name)}
          />
        ) : null}
      </Accordion>
    </>
  );
}

/** Sets whether members need a second factor to act for the organisation. */
function Rule({ needed }: { needed: boolean }) {
  const store = useMutation({ mutationFn: (_: undefined, { client }) => requireSecondFactor(client, !needed) });
  return (
    <Section name="Second factor" state={needed ? "asked of every member" : "left to each member"}>
      {needed ? <p>Members without one see nothing of the organisation.</p> : null}
      <Failed error={store.error} what="The rule" />
      <Button loading={store.isPending} className="self-start" onClick={() => store.mutate()}>
        {needed ? "Ask no more" : "Ask members for one"}
      </Button>
    </Section>
  );
}

type NameFormProps = {
  title: string;
  label: string;
  first: string;
  action: string;
  store: (name: string) => Promise<void>;
};

function NameForm({ title, label, first, action, store }: NameFormProps) {
  const form = useForm({ initialValues: { name: first } });
  const { name } = form.values;
  const stored = useMutation({ mutationFn: () => store(name) });
  return (
    <Section name={title}>
      <form className="stack-12" onSubmit={form.onSubmit(() => stored.mutate())}>
        <TextInput label={label} maxLength={100} required withAsterisk={false} {...form.getInputProps("name")} />
        <SubmitButton
          mutation={stored}
          what="The organisation"
          disabled={name.trim() === "" || name === first}
          className="self-start"
        >
          {action}
        </SubmitButton>
      </form>
    </Section>
  );
}
