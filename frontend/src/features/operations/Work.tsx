// What workers have to do: by lane, what waits longest, and what was given up, which can be tried again.
import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Operations, type OperatorToken, retryWork } from "@/api/operations";
import { formatAgo, formatInteger, formatMoment, formatSpan } from "@/lib/format";
import { Failed } from "@/ui/states";
import classes from "./Operations.module.css";
import { Part } from "./Part";

type WorkProps = { operations: Operations; token: OperatorToken };

export function Work({ operations, token }: WorkProps) {
  const { lanes, due, given_up } = operations;
  const queries = useQueryClient();
  const retry = useMutation({ mutationFn: (subject: string | undefined) => retryWork(queries, token, subject) });
  const ago = (iso: string) => formatAgo(Date.parse(operations.now) - Date.parse(iso));
  return (
    <>
      <Part title="Work" empty={null}>
        <table className="data">
          <thead>
            <tr>
              <th scope="col">Lane</th>
              <th scope="col" className="right">
                Due
              </th>
              <th scope="col" className="right">
                Oldest waits
              </th>
              <th scope="col" className="right">
                Being done
              </th>
              <th scope="col" className="right">
                Later
              </th>
              <th scope="col" className="right">
                Given up
              </th>
            </tr>
          </thead>
          <tbody>
            {lanes.map((lane) => (
              <tr key={lane.lane}>
                <td>{lane.lane}</td>
                <td className="right">{formatInteger(lane.due)}</td>
                <td className="right">{lane.due === 0 ? "" : formatSpan((lane.oldest_due_s * 1e9) as never)}</td>
                <td className="right">{formatInteger(lane.claimed)}</td>
                <td className="right">{formatInteger(lane.later)}</td>
                <td className="right">{formatInteger(lane.given_up)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Part>
      <Failed error={retry.error} what="The retry" />
      <Part title="Given up" empty={given_up.length === 0 ? "Nothing was given up." : null}>
        <Listed
          works={given_up}
          when={ago}
          action={(subject) => (
            <Button
              size="compact-xs"
              variant="default"
              loading={retry.isPending && retry.variables === subject}
              onClick={() => retry.mutate(subject)}
            >
              Try again
            </Button>
          )}
        />
      </Part>
      {given_up.length > 1 ? (
        <div className={classes["row"]}>
          <Button size="xs" variant="default" loading={retry.isPending} onClick={() => retry.mutate(undefined)}>
            Try everything again
          </Button>
        </div>
      ) : null}
      {due.length === 0 ? null : (
        <Part title="Waits longest" empty={null}>
          <Listed works={due} when={ago} />
        </Part>
      )}
    </>
  );
}

type ListedProps = {
  works: Operations["due"];
  when: (iso: string) => string;
  action?: (subject: string) => React.ReactNode;
};

function Listed({ works, when, action }: ListedProps) {
  return (
    <table className="data">
      <thead>
        <tr>
          <th scope="col">Work</th>
          <th scope="col">Organisation</th>
          <th scope="col">About</th>
          <th scope="col">Since</th>
          <th scope="col" className="right">
            Attempts
          </th>
          <th scope="col">Reason</th>
          {action === undefined ? null : (
            <th scope="col">
              <span className="visually-hidden">Action</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {works.map((work) => (
          <tr key={`${work.kind} ${work.subject}`}>
            <td>{work.kind.replaceAll("_", " ")}</td>
            <td>{work.organisation}</td>
            <td className={classes["id"]}>{work.subject}</td>
            <td title={formatMoment(work.at)}>{when(work.at)}</td>
            <td className="right">{formatInteger(work.attempts)}</td>
            <td className={classes["error"]}>{work.error}</td>
            {action === undefined ? null : <td>{action(work.subject)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
