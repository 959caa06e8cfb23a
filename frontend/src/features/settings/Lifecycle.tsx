// Transfer, export and deletion of an organisation, for its owners.
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { cancelDeletion, EXPORT_ADDRESS, handOver, membersQuery, requestDeletion } from "@/api/organisation";
import type { Session } from "@/api/types";
import { formatMoment } from "@/lib/format";
import { SubmitButton } from "@/ui/SubmitButton";
import { Failed } from "@/ui/states";
import { Section } from "./Section";

type LifecycleProps = { organisation: Session["organisation"]; deletionDueAt: string | null };

export function Lifecycle({ organisation, deletionDueAt }: LifecycleProps) {
  return (
    <>
      <Section name="Export everything">
        <p>All data of the organisation in one file, which another installation can read. No passwords, no tokens.</p>
        <Button component="a" href={EXPORT_ADDRESS} download className="self-start">
          Export
        </Button>
      </Section>
      <HandOver />
      <Deletion organisation={organisation} dueAt={deletionDueAt} />
    </>
  );
}

function HandOver() {
  const members = useQuery(membersQuery()).data?.members.filter(({ is_me }) => !is_me) ?? [];
  const form = useForm({ initialValues: { to: "" } });
  const change = useMutation({ mutationFn: (to: string, { client }) => handOver(client, to) });
  return (
    <Section name="Transfer the organisation">
      <form className="stack-12" onSubmit={form.onSubmit(({ to }) => change.mutate(to))}>
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
            <SubmitButton
              mutation={change}
              what="The organisation"
              variant="default"
              disabled={form.values.to === ""}
              className="self-start"
            >
              Hand it over
            </SubmitButton>
          </>
        )}
      </form>
    </Section>
  );
}

function Deletion({ organisation, dueAt }: { organisation: Session["organisation"]; dueAt: string | null }) {
  const form = useForm({ initialValues: { name: "" } });
  const ask = useMutation({ mutationFn: (name: string, { client }) => requestDeletion(client, name) });
  const back = useMutation({ mutationFn: (_: undefined, { client }) => cancelDeletion(client) });
  const problem = ask.error ?? back.error;
  return (
    <Section name="Delete the organisation" state={dueAt === null ? undefined : `due ${formatMoment(dueAt)}`}>
      <form className="stack-12" onSubmit={form.onSubmit(({ name }) => ask.mutate(name))}>
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
      </form>
    </Section>
  );
}
