// All drives in groups of equal conditions: tested loads on one axis, rating, slow reads, cost, and source of the
// tests.
import { useNavigate, useRouter, useRouterState } from "@tanstack/react-router";
import type { OnChangeFn, SortingState } from "@tanstack/react-table";
import { type MouseEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { serverNow } from "@/api/serverClock";
import type { LeaderboardRow } from "@/api/types";
import { loadAxis } from "@/entities/drive/LoadTrack";
import { OLD_YEARS } from "@/entities/drive/ratings";
import { plural } from "@/lib/format";
import { DataTable } from "@/ui/DataTable";
import { MoreButton, type Pages } from "@/ui/states";
import { opensElsewhere, useDriveAddress } from "./driveAddress";
import { columnsFor, groupColumns } from "./groupColumns";
import { countsText, type Group, groupsOf } from "./groups";
import { TrackLegend } from "./Legend";
import { pickOf, type RowsView } from "./shortlist";

/** Rows of about one screen; they are rendered first, the others after the page has become responsive. */
const FIRST_ROWS = 16;

type GroupsProps = Pick<RowsView, "rows" | "picks" | "full" | "measure"> & {
  loads: readonly number[];
  onPick: RowsView["onPick"] | null;
  onCompare: () => void;
  pages?: Pages;
};

export function Groups({ rows, loads, picks, full: isFull, measure, onPick, onCompare, pages }: GroupsProps) {
  const groups = useMemo(() => groupsOf(rows, new Date(serverNow()).getFullYear()), [rows]);
  const most = useDeferredValue(rows.length, FIRST_ROWS);
  const opens = useDriveLinks();
  const [sorting, setSorting] = useState<SortingState>([]);
  // The address of a link to a row names the row, which opens its group if folded.
  const meant = useRouterState({ select: (state) => state.location.hash });
  const hrefOf = useDriveAddress();
  // Groups without prices have equal columns, so that their axes align.
  const columns = useMemo(
    () => groupColumns(rows, { axis: loadAxis(loads), measure, picks, isFull, onPick, onCompare, hrefOf }),
    [rows, loads, measure, picks, isFull, onPick, onCompare, hrefOf],
  );
  const shared = { columns, meant, picks, sorting, onSorting: setSorting };
  const current = groups.filter((group) => group.isCurrent);
  const older = groups.filter((group) => !group.isCurrent);
  // Groups of equal title need their conditions in the name for screen readers.
  const nameOf = ({ title, conditions }: Group) =>
    current.filter((group) => group.title === title).length > 1 ? `${title}, ${conditions}` : title;
  let left = most;
  const drawn = new Map<string, number>();
  for (const { key, rows: own } of [...current, ...older]) {
    drawn.set(key, Math.min(left, own.length));
    left = Math.max(0, left - own.length);
  }
  return (
    <div style={{ display: "grid", gap: "var(--section)" }} {...opens}>
      <TrackLegend />
      {current.map((group) => (
        <section key={group.key} aria-label={nameOf(group)}>
          <div style={{ marginBottom: 8 }}>
            <h2>
              {group.title} <span className="dim num">{group.rows.length}</span>
            </h2>
            <p>{group.finding}</p>
            <p className="dim">{group.conditions}</p>
          </div>
          <Rows rows={youngRows(group)} name={nameOf(group)} drawn={drawn.get(group.key) ?? 0} {...shared} />
          {group.old.length === 0 ? null : (
            <details open={group.old.some((row) => row.row_id === meant) || undefined}>
              <summary className="dim">
                {plural(group.old.length, "row")} tested more than {OLD_YEARS} years ago
              </summary>
              <Rows
                rows={group.old}
                name={`${nameOf(group)}, tested more than ${OLD_YEARS} years ago`}
                drawn={Math.max(0, (drawn.get(group.key) ?? 0) - youngRows(group).length)}
                {...shared}
              />
            </details>
          )}
        </section>
      ))}
      {older.length === 0 ? null : (
        <div className="stack-12">
          <h2>Older tests, and tests whose tool is not stated</h2>
          {older.map((group) => (
            <details
              key={group.key}
              open={current.length === 0 || group.rows.some((row) => row.row_id === meant) || undefined}
            >
              <summary style={{ padding: "4px 0" }}>
                <strong>{group.title}</strong> <span className="dim num">{group.rows.length}</span>{" "}
                <span className="dim">{group.conditions}</span>{" "}
                <span style={{ marginLeft: 8, fontSize: "0.875rem" }}>{countsText(group.rows)}</span>
              </summary>
              <p>{group.finding}</p>
              <Rows
                rows={group.rows}
                name={`${group.title}, ${group.conditions}`}
                drawn={drawn.get(group.key) ?? 0}
                {...shared}
              />
            </details>
          ))}
        </div>
      )}
      <MoreButton pages={pages} className="self-start">
        Show more drives
      </MoreButton>
    </div>
  );
}

/** Returns the shared handlers of drive links: a click opens the drive in this tab, hovering prefetches its data. */
function useDriveLinks() {
  const navigate = useNavigate();
  const router = useRouter();
  const slugAt = ({ target }: { target: EventTarget }): string | undefined =>
    target instanceof Element ? target.closest<HTMLElement>("a[data-slug]")?.dataset["slug"] : undefined;
  return {
    onClick: (event: MouseEvent) => {
      const slug = slugAt(event);
      if (slug === undefined || opensElsewhere(event)) return;
      event.preventDefault();
      void navigate({ to: "/drives/$slug", params: { slug } });
    },
    onPointerOver: (event: MouseEvent) => {
      const slug = slugAt(event);
      if (slug !== undefined) void router.preloadRoute({ to: "/drives/$slug", params: { slug } });
    },
  };
}

const youngRows = ({ rows, old }: Group): readonly LeaderboardRow[] => rows.filter((row) => !old.includes(row));

type RowsProps = {
  rows: readonly LeaderboardRow[];
  name: string;
  columns: ReturnType<typeof groupColumns>;
  /** Number of the group's rows that are rendered so far. */
  drawn: number;
  /** Id of the row in the fragment of the address. */
  meant: string;
  picks: readonly string[];
  sorting: SortingState;
  onSorting: OnChangeFn<SortingState>;
};

function Rows({ rows: all, name, columns, drawn, meant, picks, sorting, onSorting }: RowsProps) {
  const meantRow = useRef<HTMLTableRowElement>(null);
  const rows = all.slice(0, drawn);
  const own = useMemo(() => columnsFor(all, columns), [all, columns]);
  const isHere = rows.some((row) => row.row_id === meant);
  useEffect(() => {
    if (isHere) meantRow.current?.scrollIntoView({ block: "center" });
  }, [isHere]);
  return (
    <DataTable
      label={name}
      columns={own}
      rows={rows}
      rowId="row_id"
      rowAttributes={(row) => ({
        ref: row.row_id === meant ? meantRow : undefined,
        "aria-current": row.row_id === meant || undefined,
        "data-picked": picks.includes(pickOf(row)) || undefined,
      })}
      sorting={sorting}
      onSorting={onSorting}
    />
  );
}
