// Target of an invitation's link: its content, and the button that accepts it.
import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { signUp } from "@/api/account";
import { acceptInvitation, invitationQuery } from "@/api/organisation";
import { sessionQuery } from "@/api/queries";
import { Failed, QueryView } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";
import { MailSent } from "./EmailForm";

/** Shows the invitation; `code`: code in the fragment of the address. */
export function Invitation({ code, onDone }: { code: string; onDone: () => void }) {
  usePageTitle("Invitation");
  const invitation = useQuery(invitationQuery(code));
  const session = useQuery({ ...sessionQuery(), retry: false });
  const accept = useMutation({
    mutationFn: (_: undefined, { client }) => acceptInvitation(client, code),
    onSuccess: onDone,
  });
  const ask = useMutation({ mutationFn: (email: string) => signUp({ email, invitation: code }) });
  const person = session.data?.person ?? null;
  const isMine = person !== null && person.email === invitation.data?.email;
  const problem = accept.error ?? ask.error;
  return (
    <section className="form entrance panel">
      <h1>Invitation</h1>
      {invitation.data === undefined ? (
        <QueryView query={invitation} what="the invitation" />
      ) : (
        <>
          <p>
            {invitation.data.invited_by} invites {invitation.data.email} into{" "}
            <strong>{invitation.data.organisation}</strong> as {invitation.data.role}.
          </p>
          <Failed error={problem} what="The invitation" />
          {isMine ? (
            <Button variant="filled" loading={accept.isPending} onClick={() => accept.mutate()}>
              Accept
            </Button>
          ) : ask.data === undefined ? (
            <>
              {person === null ? null : <p>You are signed in as {person.email}, and it is for another address.</p>}
              <Button variant="filled" loading={ask.isPending} onClick={() => ask.mutate(invitation.data.email)}>
                Make an account with {invitation.data.email}
              </Button>
              <p>
                Have an account? <Link to="/sign-in">Sign in</Link>, then open the link of the invitation again.
              </p>
            </>
          ) : (
            <MailSent detail={ask.data.detail} />
          )}
        </>
      )}
    </section>
  );
}
