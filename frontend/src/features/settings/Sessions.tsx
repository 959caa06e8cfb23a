// Sessions of the reader, each with a button that ends it.
import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { endOtherSessions, endSession, personSessionsQuery } from "@/api/account";
import { formatMoment } from "@/lib/format";
import { RowButton } from "@/ui/ConfirmDialog";
import { ACTIONS, type Columns, DataTable } from "@/ui/DataTable";
import { Failed, QueryView } from "@/ui/states";
import { TabLead } from "./Section";

const MOMENT = { className: "nowrap" };

export function Sessions() {
  const sessionsQuery = useQuery(personSessionsQuery());
  const end = useMutation({ mutationFn: (sessionId: string, { client }) => endSession(client, sessionId) });
  const endOthers = useMutation({ mutationFn: (_: undefined, { client }) => endOtherSessions(client) });
  if (sessionsQuery.data === undefined)
    return <QueryView query={sessionsQuery} what="your sessions" lines={3} height={40} />;
  const { sessions } = sessionsQuery.data;
  const problem = end.error ?? endOthers.error;
  const columns: Columns<(typeof sessions)[number]> = [
    { header: "Browser", accessorFn: ({ browser }) => <span title={browser}>{browserName(browser)}</span> },
    { header: "Address", accessorKey: "address" },
    { header: "Signed in", accessorFn: ({ created_at }) => formatMoment(created_at), meta: MOMENT },
    { header: "Last used", accessorFn: ({ last_used_at }) => formatMoment(last_used_at), meta: MOMENT },
    {
      ...ACTIONS,
      accessorFn: (session) =>
        session.is_current ? (
          "this one"
        ) : (
          <RowButton
            label="End"
            name={`End the session of ${browserName(session.browser)} from ${formatMoment(session.created_at)}`}
            onClick={() => end.mutate(session.session_id)}
          />
        ),
    },
  ];
  return (
    <>
      <TabLead
        title={`You are signed in on ${sessions.length === 1 ? "this browser alone" : `${sessions.length} browsers`}`}
      >
        Ending a session ends every copy of its cookie at once.
      </TabLead>
      <Failed error={problem} what="The sessions" />
      <DataTable label="My sessions, as a table" plain="cards" columns={columns} rows={sessions} rowId="session_id" />
      <Button
        size="xs"
        className="self-start"
        disabled={sessions.length < 2}
        loading={endOthers.isPending}
        onClick={() => endOthers.mutate()}
      >
        Sign out everywhere else
      </Button>
    </>
  );
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/Chrom(e|ium)\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/Linux/, "Linux"],
];

const named = (agent: string, names: typeof BROWSERS): string | undefined =>
  names.find(([pattern]) => pattern.test(agent))?.[1];

/** Returns "Firefox on Linux", or the first word of `agent` if the browser is not in the list. */
export function browserName(agent: string): string {
  const browser = named(agent, BROWSERS);
  const system = named(agent, SYSTEMS);
  if (browser === undefined) return agent.split(/[ /]/)[0] || "unknown";
  return system === undefined ? browser : `${browser} on ${system}`;
}
