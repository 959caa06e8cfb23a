// Organisations of the reader: switch, leave, rename, transfer, delete, create.
import { Accordion, Button, NativeSelect, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { accountQuery, optionsQuery } from "@/api/account";
import {
  cancelDeletion,
  chooseOrganisation,
  EXPORT_ADDRESS,
  handOver,
  leaveOrganisation,
  makeOrganisation,
  membersQuery,
  renameOrganisation,
  requestDeletion,
  requireSecondFactor,
} from "@/api/organisation";
import type { Session } from "@/api/types";
import { formatMoment } from "@/lib/format";
import { RowButton } from "@/ui/ConfirmDialog";
import { SubmitButton } from "@/ui/SubmitButton";
import { Failed, QueryView } from "@/ui/states";
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
              <RowButton label="Switch" name={`Switch to ${name}`} onClick={() => choose.mutate(id)} />
            )}
            <RowButton label="Leave" name={`Leave ${name}`} onClick={() => leave.mutate(id)} />
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
            <Section name="Export everything">
              <p>
                All data of the organisation in one file, which another installation can read. No passwords, no tokens.
              </p>
              <Button component="a" href={EXPORT_ADDRESS} download className="self-start">
                Export
              </Button>
            </Section>
            <HandOver />
            <Deletion organisation={session.organisation} dueAt={current?.deletion_due_at ?? null} />
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
    <Section name={title} onSubmit={form.onSubmit(() => stored.mutate())}>
      <TextInput label={label} maxLength={100} required {...form.getInputProps("name")} />
      <SubmitButton mutation={stored} what="The organisation" disabled={name.trim() === "" || name === first}>
        {action}
      </SubmitButton>
    </Section>
  );
}

function HandOver() {
  const members = useQuery(membersQuery()).data?.members.filter(({ is_me }) => !is_me) ?? [];
  const form = useForm({ initialValues: { to: "" } });
  const change = useMutation({ mutationFn: (to: string, { client }) => handOver(client, to) });
  return (
    <Section name="Transfer the organisation" onSubmit={form.onSubmit(({ to }) => change.mutate(to))}>
      {members.length === 0 ? (
        <p>You are its only member. Invite a person first.</p>
      ) : (
        <>
          <p>The other member becomes an owner, and you become an admin. Both of you get a mail.</p>
          <NativeSelect
            label="New owner"
            data={[
              { value: "", label: "Choose a member" },
              ...members.map(({ person_id, email }) => ({ value: person_id, label: email })),
            ]}
            {...form.getInputProps("to")}
          />
          <SubmitButton mutation={change} what="The organisation" variant="default" disabled={form.values.to === ""}>
            Hand it over
          </SubmitButton>
        </>
      )}
    </Section>
  );
}

function Deletion({ organisation, dueAt }: { organisation: Session["organisation"]; dueAt: string | null }) {
  const form = useForm({ initialValues: { name: "" } });
  const ask = useMutation({ mutationFn: (name: string, { client }) => requestDeletion(client, name) });
  const back = useMutation({ mutationFn: (_: undefined, { client }) => cancelDeletion(client) });
  const problem = ask.error ?? back.error;
  return (
    <Section
      name="Delete the organisation"
      state={dueAt === null ? undefined : `due ${formatMoment(dueAt)}`}
      onSubmit={form.onSubmit(({ name }) => ask.mutate(name))}
    >
      <Failed error={problem} what="The organisation" />
      {dueAt === null ? (
        <>
          <p>Everything it has is deleted after some days. Until then you can cancel. Members get a mail.</p>
          <TextInput
            label={`Write “${organisation.name}” to delete it`}
            autoComplete="off"
            {...form.getInputProps("name")}
          />
          <Button
            type="submit"
            color="red"
            variant="outline"
            loading={ask.isPending}
            disabled={form.values.name.trim() !== organisation.name}
            className="self-start"
          >
            Delete it
          </Button>
        </>
      ) : (
        <>
          <p>
            <strong>It will be deleted on {formatMoment(dueAt)}.</strong> Until then everything works as before.
          </p>
          <Button loading={back.isPending} className="self-start" onClick={() => back.mutate()}>
            Let it stay
          </Button>
        </>
      )}
    </Section>
  );
}
