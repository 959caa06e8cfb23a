// Members and invitations of the organisation, with the actions of admins and owners.
import { NativeSelect, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  changeRole,
  invite,
  type Member,
  memberFactorsQuery,
  membersQuery,
  type Role,
  removeMember,
  revokeInvitation,
} from "@/api/organisation";
import type { Session } from "@/api/types";
import { formatMoment, plural } from "@/lib/format";
import { ConfirmButton } from "@/ui/ConfirmDialog";
import { ACTIONS, type Columns, DataTable, NAME_CELL } from "@/ui/DataTable";
import { SubmitButton } from "@/ui/SubmitButton";
import { Failed, QueryView } from "@/ui/states";
import { OneTimeSecret, TabLead } from "./Section";

const FACTORS = { app: "app", passkey: "passkey", both: "app and passkey", none: "none" } as const;
const ROLES: readonly Role[] = ["viewer", "engineer", "admin", "owner"];

export function Members({ session }: { session: Session }) {
  const queries = useQueryClient();
  const query = useQuery(membersQuery());
  const [link, setLink] = useState<string | null>(null);
  const change = useMutation({
    mutationFn: ({ personId, role }: { personId: string; role: Role }) => changeRole(queries, personId, role),
  });
  const manages = session.capabilities.includes("manage-members");
  const factors = useQuery({ ...memberFactorsQuery(), enabled: manages }).data?.factors ?? [];
  const factorOf = (personId: string): string => {
    const own = factors.find(({ person_id }) => person_id === personId);
    return own === undefined ? "" : FACTORS[own.factor];
  };
  const roles = session.scope === "owner" ? ROLES : ROLES.filter((role) => role !== "owner");
  if (query.data === undefined) return <QueryView query={query} what="the members" lines={3} height={40} />;
  const { members, invitations } = query.data;
  const mayChange = (member: Member) => manages && (session.scope === "owner" || member.role !== "owner");
  const columns: Columns<Member> = [
    {
      header: "Name",
      accessorFn: (member) => (
        <>
          {member.name}
          {member.is_me ? <span className="dim"> (you)</span> : null}
        </>
      ),
      meta: NAME_CELL,
    },
    { header: "E-mail address", accessorKey: "email", meta: NAME_CELL },
    {
      header: "Role",
      accessorFn: (member) =>
        mayChange(member) ? (
          <NativeSelect
            size="xs"
            miw={112}
            aria-label={`Role of ${member.email}`}
            data={[...roles]}
            value={member.role}
            onChange={(event) => change.mutate({ personId: member.person_id, role: event.currentTarget.value as Role })}
          />
        ) : (
          member.role
        ),
    },
    {
      header: "Since",
      accessorFn: (member) => formatMoment(member.joined_at),
      meta: { className: "nowrap" },
    },
    ...(manages ? [{ header: "Second factor", accessorFn: (member: Member) => factorOf(member.person_id) }] : []),
    {
      ...ACTIONS,
      accessorFn: (member) =>
        mayChange(member) && !member.is_me ? (
          <ConfirmButton
            label="Remove"
            name={`Remove ${member.email}`}
            action={() => removeMember(queries, member.person_id)}
            what="The member"
            confirm="Remove the member"
            keep="Keep the member"
          >
            <p>
              The invitations, enrolment codes and tokens that they made end with it: replace tokens that programs use
              first. Runs and budgets stay.
            </p>
          </ConfirmButton>
        ) : null,
    },
  ];
  return (
    <>
      <TabLead
        title={`${plural(members.length, "member")}${invitations.length === 0 ? "" : `, ${plural(invitations.length, "open invitation")}`}`}
      >
        {manages ? "A lower role or removal ends the invitations, codes and tokens that a member made." : null}
      </TabLead>
      <Failed error={change.error} what="The members" />
      <DataTable label="Members, as a table" plain="cards" columns={columns} rows={members} rowId="person_id" />
      {manages ? <InviteForm roles={roles} onLink={setLink} /> : null}
      {link === null ? null : <OneTimeSecret what="the invitation’s link" text={link} />}
      {invitations.length === 0 ? null : (
        <section className="stack-8">
          <h3>Open invitations</h3>
          <ul className="stack-8 plain-list">
            {invitations.map((invitation) => (
              <li key={invitation.invitation_id} className="row">
                <span>
                  {invitation.email}{" "}
                  <span className="dim">{`as ${invitation.role}, until ${formatMoment(invitation.expires_at)}`}</span>
                </span>
                <ConfirmButton
                  label="Take back"
                  name={`Take back the invitation of ${invitation.email}`}
                  action={() => revokeInvitation(queries, invitation.invitation_id)}
                  what="The invitation"
                  confirm="Take it back"
                >
                  <p>The link in the mail stops working.</p>
                </ConfirmButton>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function InviteForm({ roles, onLink }: { roles: readonly Role[]; onLink: (link: string) => void }) {
  const form = useForm({ initialValues: { email: "", role: "engineer" as Role } });
  const send = useMutation({
    mutationFn: ({ email, role }: typeof form.values, { client }) => invite(client, { email: email.trim(), role }),
    onSuccess: (link) => {
      form.setFieldValue("email", "");
      onLink(link);
    },
  });
  return (
    <form className="form panel" onSubmit={form.onSubmit((values) => send.mutate(values))}>
      <h3>Invite a person</h3>
      <TextInput label="E-mail address" type="email" autoComplete="off" required {...form.getInputProps("email")} />
      <NativeSelect
        label="Role"
        description="Viewers read. Engineers also upload, publish and edit. Admins also manage members and tokens."
        data={[...roles]}
        {...form.getInputProps("role")}
      />
      <SubmitButton mutation={send} what="The invitation">
        Send the invitation
      </SubmitButton>
    </form>
  );
}
