// Who did what in the organisation, the newest first.
import { Button, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type TrailEvent, type TrailFilter, trailCsvAddress, trailQuery } from "@/api/organisation";
import { formatMoment } from "@/lib/format";
import { QueryView } from "@/ui/QueryView";
import { ScrollRegion } from "@/ui/ScrollRegion";
import classes from "./Settings.module.css";

export function Trail() {
  const [actor, setActor] = useState("");
  const [action, setAction] = useState("");
  const [filter] = useDebouncedValue(filterOf(actor, action), 200);
  const trail = useInfiniteQuery(trailQuery(filter));
  const events = trail.data?.pages.flatMap((page) => page.events) ?? [];
  return (
    <>
      <p>
        Each event holds the hash of the one before. <code>tailroom audit verify</code> finds what was changed or
        removed.
      </p>
      <div className={classes["row"]}>
        <TextInput label="Who" value={actor} onChange={(event) => setActor(event.currentTarget.value)} />
        <TextInput label="Action" value={action} onChange={(event) => setAction(event.currentTarget.value)} />
        <Button component="a" href={trailCsvAddress(filter)} download variant="default">
          CSV
        </Button>
      </div>
      {trail.data === undefined ? (
        <QueryView query={trail} what="the trail" lines={4} height={32} />
      ) : events.length === 0 ? (
        <p>No event matches.</p>
      ) : (
        <ScrollRegion label="Audit trail, as a table" cards>
          <table className="data">
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Who</th>
                <th scope="col">Action</th>
                <th scope="col">Subject</th>
                <th scope="col">Change</th>
                <th scope="col">Address</th>
              </tr>
            </thead>
            <tbody>
              {events.map((event) => (
                <tr key={event.number} title={`Event ${event.number}, SHA-256 ${event.sha256}`}>
                  <td className={classes["moment"]}>{formatMoment(event.happened_at)}</td>
                  <td>{event.actor}</td>
                  <td>{event.action.replaceAll("_", " ")}</td>
                  <td>{event.subject}</td>
                  <td>{changeOf(event)}</td>
                  <td>{event.address}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      {trail.hasNextPage ? (
        <Button
          variant="default"
          size="xs"
          className={classes["submit"] ?? ""}
          loading={trail.isFetchingNextPage}
          onClick={() => void trail.fetchNextPage()}
        >
          Show older events
        </Button>
      ) : null}
    </>
  );
}

function filterOf(actor: string, action: string): TrailFilter {
  // Actions are shown with spaces.
  const actionKey = action.trim().replaceAll(" ", "_");
  return {
    ...(actor.trim() === "" ? {} : { actor: actor.trim() }),
    ...(actionKey === "" ? {} : { action: actionKey }),
  };
}

const textOf = (values: TrailEvent["before"]): string =>
  Object.entries(values ?? {})
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.replaceAll("_", " ")}: ${String(value)}`)
    .join(", ");

function changeOf({ before, after }: TrailEvent): string {
  return [textOf(before), textOf(after)].filter(Boolean).join(" → ");
}
