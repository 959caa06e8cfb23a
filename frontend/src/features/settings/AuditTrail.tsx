// Audit trail of the organisation, newest first.
import { Button, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type TrailEvent, type TrailFilter, trailCsvAddress, trailQuery } from "@/api/organisation";
import { formatMoment } from "@/lib/format";
import { compact } from "@/lib/search";
import { type Columns, DataTable, NAME_CELL } from "@/ui/DataTable";
import { MoreButton, QueryView } from "@/ui/states";

const COLUMNS: Columns<TrailEvent> = [
  { header: "Time", accessorFn: (event) => formatMoment(event.happened_at), meta: { className: "nowrap" } },
  { header: "Who", accessorKey: "actor", meta: NAME_CELL },
  { header: "Action", accessorFn: (event) => event.action.replaceAll("_", " ") },
  { header: "Subject", accessorKey: "subject", meta: NAME_CELL },
  { header: "Change", accessorFn: (event) => changeOf(event), meta: NAME_CELL },
  { header: "Address", accessorKey: "address" },
];

export function AuditTrail() {
  const [actor, setActor] = useState("");
  const [action, setAction] = useState("");
  const [filter] = useDebouncedValue(filterOf(actor, action), 200);
  const trail = useInfiniteQuery(trailQuery(filter));
  const events = trail.data?.pages.flatMap((page) => page.events) ?? [];
  return (
    <>
      <p className="dim">
        <code>tailroom audit verify</code> shows whether an event was changed or removed.
      </p>
      <div className="row" style={{ alignItems: "end" }}>
        <TextInput label="Who" value={actor} onChange={(event) => setActor(event.currentTarget.value)} />
        <TextInput label="Action" value={action} onChange={(event) => setAction(event.currentTarget.value)} />
        <Button component="a" href={trailCsvAddress(filter)} download>
          CSV
        </Button>
      </div>
      {trail.data === undefined ? (
        <QueryView query={trail} what="the trail" lines={4} height={32} />
      ) : events.length === 0 ? (
        <p>No event matches.</p>
      ) : (
        <DataTable
          label="Audit trail, as a table"
          plain="cards"
          columns={COLUMNS}
          rows={events}
          rowAttributes={(event) => ({ title: `Event ${event.number}, SHA-256 ${event.sha256}` })}
        />
      )}
      <MoreButton pages={trail} size="xs" className="self-start">
        Show older events
      </MoreButton>
    </>
  );
}

function filterOf(actor: string, action: string): TrailFilter {
  // Actions are displayed with spaces in place of underscores.
  const actionKey = action.trim().replaceAll(" ", "_");
  return compact({ actor: actor.trim() || undefined, action: actionKey || undefined });
}

type Change = Pick<TrailEvent, "before" | "after">;

/** Returns each value that an event changed, added, set or removed; empty if the event states none. */
export function changeOf({ before, after }: Change): string {
  if (!before || !after) {
    return textOf(before ?? after ?? {});
  }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((name) => (before[name] ?? null) !== (after[name] ?? null))
    .map((name) => `${labelOf(name)}: ${String(before[name] ?? "none")} → ${String(after[name] ?? "none")}`)
    .join(", ");
}

const labelOf = (name: string): string => name.replaceAll("_", " ");

const textOf = (values: Record<string, unknown>): string =>
  Object.entries(values)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${labelOf(name)}: ${String(value)}`)
    .join(", ");
