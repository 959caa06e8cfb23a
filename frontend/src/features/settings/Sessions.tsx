// Where one is signed in, and the ends of it.
import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { endOtherSessions, endSession, personSessionsQuery } from "@/api/account";
import { browserName } from "@/lib/browserName";
import { formatMoment } from "@/lib/format";
import { QueryView } from "@/ui/QueryView";
import { ScrollRegion } from "@/ui/ScrollRegion";
import { Failed } from "@/ui/states";
import classes from "./Settings.module.css";

export function Sessions() {
  const queries = useQueryClient();
  const sessionsQuery = useQuery(personSessionsQuery());
  const end = useMutation({ mutationFn: (sessionId: string) => endSession(queries, sessionId) });
  const endOthers = useMutation({ mutationFn: () => endOtherSessions(queries) });
  if (sessionsQuery.data === undefined)
    return <QueryView query={sessionsQuery} what="your sessions" lines={3} height={40} />;
  const { sessions } = sessionsQuery.data;
  const problem = end.error ?? endOthers.error;
  return (
    <>
      <p>Each browser that is signed in as you. Ending a session ends every copy of its cookie at once.</p>
      <Failed error={problem} what="The sessions" />
      <ScrollRegion label="My sessions, as a table" cards>
        <table className="data">
          <thead>
            <tr>
              <th scope="col">Browser</th>
              <th scope="col">Address</th>
              <th scope="col">Signed in</th>
              <th scope="col">Last used</th>
              <th scope="col">
                <span className="visually-hidden">What to do with it</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {sessions.map((session) => (
              <tr key={session.session_id}>
                <td title={session.browser}>{browserName(session.browser)}</td>
                <td>{session.address}</td>
                <td className={classes["moment"]}>{formatMoment(session.created_at)}</td>
                <td className={classes["moment"]}>{formatMoment(session.last_used_at)}</td>
                <td>
                  {session.is_current ? (
                    "this one"
                  ) : (
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={`End the session of ${browserName(session.browser)} from ${formatMoment(session.created_at)}`}
                      onClick={() => end.mutate(session.session_id)}
                    >
                      End
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <Button
        variant="default"
        size="xs"
        className={classes["submit"] ?? ""}
        disabled={sessions.length < 2}
        loading={endOthers.isPending}
        onClick={() => endOthers.mutate()}
      >
        Sign out everywhere else
      </Button>
    </>
  );
}
