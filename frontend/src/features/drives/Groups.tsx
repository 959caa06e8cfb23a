// All drives, in groups of equal conditions: each with the loads it held and failed on one axis that all groups share.
import { Button } from "@mantine/core";
import { useNavigate, useRouter, useRouterState } from "@tanstack/react-router";
import { type MouseEvent, memo, type Ref, useDeferredValue, useEffect, useMemo, useRef } from "react";
import type { LeaderboardRow } from "@/api/types";
import { axisTicks, type LoadAxis, LoadTrack, loadAxis, placeOf } from "@/entities/drive/LoadTrack";
import { costParts, driveName, formatCapacity, LOAD_MEANING, loadText, ratingParts } from "@/entities/drive/ratings";
import { Term } from "@/entities/glossary/Term";
import { formatExactLatency, formatExactPercent } from "@/lib/format";
import { nanoseconds, ratio } from "@/lib/units";
import { opensElsewhere, useDriveAddress } from "./driveAddress";
import classes from "./Groups.module.css";
import { type Group, groupsOf } from "./groups";
import type { Measure } from "./measure";
import { SlowReads } from "./SlowReads";
import { pickOf } from "./shortlist";
import { TrackLegend } from "./TrackLegend";

/** As many as a screen shows: they are drawn at once, and the others after the page has answered. */
const FIRST_ROWS = 16;

type GroupsProps = {
  rows: readonly LeaderboardRow[];
  loads: readonly number[];
  picks: readonly string[];
  full: boolean;
  /** What the shares of slow reads are held against. */
  measure: Measure;
  onPick: (pick: string) => void;
  hasMore: boolean;
  loadingMore: boolean;
  onMore: () => void;
};

export function Groups({ rows, loads, hasMore, loadingMore, onMore, ...picking }: GroupsProps) {
  const groups = useMemo(() => groupsOf(rows), [rows]);
  const most = useDeferredValue(rows.length, FIRST_ROWS);
  const opens = useOpening();
  // Whoever comes from a run is led to its row, also where its group is folded.
  const meant = useRouterState({ select: (state) => state.location.hash });
  const axis = useMemo(() => loadAxis(loads), [loads]);
  // Columns of all groups are the same, so that their axes stand below each other.
  const shared = {
    axis,
    meant,
    hasShares: rows.some((row) => decidingRange(row) !== null),
    hasEndurance: rows.some((row) => row.dwpd !== null),
    hasPrice: rows.some((row) => row.price !== null),
    hrefOf: useDriveAddress(),
    ...picking,
  };
  const current = groups.filter((group) => group.isCurrent);
  const older = groups.filter((group) => !group.isCurrent);
  // Whoever hears the page tells groups of one title apart by their conditions.
  const nameOf = ({ title, conditions }: Group) =>
    current.filter((group) => group.title === title).length > 1 ? `${title}, ${conditions}` : title;
  let left = most;
  const drawn = new Map<string, number>();
  for (const { key, rows: own } of [...current, ...older]) {
    drawn.set(key, Math.min(left, own.length));
    left = Math.max(0, left - own.length);
  }
  return (
    <div className={classes["groups"]} {...opens}>
      <TrackLegend />
      {current.map((group) => (
        <section key={group.key} aria-label={nameOf(group)}>
          <div className={classes["title"]}>
            <h2>
              {group.title} <span className="dim num">{group.rows.length}</span>
            </h2>
            <p className="dim">{group.conditions}</p>
          </div>
          <Rows group={group} drawn={drawn.get(group.key) ?? 0} {...shared} />
        </section>
      ))}
      {older.length === 0 ? null : (
        <div className={classes["older"]}>
          {older.map((group) => (
            <details
              key={group.key}
              open={current.length === 0 || group.rows.some((row) => row.row_id === meant) || undefined}
            >
              <summary>
                <strong>{group.title}</strong> <span className="dim num">{group.rows.length}</span>{" "}
                <span className="dim">{group.conditions}</span>
              </summary>
              <Rows group={group} drawn={drawn.get(group.key) ?? 0} {...shared} />
            </details>
          ))}
        </div>
      )}
      {hasMore ? (
        <Button className={classes["more"]} variant="default" loading={loadingMore} onClick={onMore}>
          Show more drives
        </Button>
      ) : null}
    </div>
  );
}

/** What a link to a drive does, for all of them at once: it opens here, and what it opens is fetched as soon as somebody points at it. */
function useOpening() {
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

type Columns = {
  axis: LoadAxis;
  hasShares: boolean;
  hasEndurance: boolean;
  hasPrice: boolean;
  hrefOf: (slug: string) => string;
};

type RowsProps = Columns &
  Pick<GroupsProps, "picks" | "full" | "measure" | "onPick"> & {
    group: Group;
    /** How many of its rows are there so far. */
    drawn: number;
    /** The row that the address names. */
    meant: string;
  };

function Rows(props: RowsProps) {
  const { group, drawn, meant, picks, full, measure, onPick, ...columns } = props;
  const { axis, hasShares, hasEndurance, hasPrice } = columns;
  const meantRow = useRef<HTMLTableRowElement>(null);
  const rows = drawn < group.rows.length ? group.rows.slice(0, drawn) : group.rows;
  const isHere = rows.some((row) => row.row_id === meant);
  useEffect(() => {
    if (isHere) meantRow.current?.scrollIntoView({ block: "center" });
  }, [isHere]);
  const threshold = group.rows.map((row) => decidingRange(row)?.threshold_ns).find((one) => one !== undefined);
  const limit = measure.limits.find((one) => one.threshold_ns === threshold);
  return (
    <table className={classes["rows"]}>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">Shortlist</span>
          </th>
          <th scope="col">Drive</th>
          <th scope="col" className={classes["axis"]} title={LOAD_MEANING}>
            <span className="visually-hidden">Loads</span>
            <div className={classes["ticks"]} aria-hidden="true">
              {axisTicks(axis).map((tick) => (
                <span key={tick} style={{ left: `${100 * placeOf(tick, axis)}%` }}>
                  {loadText(tick)}
                </span>
              ))}
            </div>
          </th>
          <th scope="col">
            <Term id="load">Load</Term>
          </th>
          {hasShares ? (
            <th scope="col" className={`${classes["figure"]} ${classes["slow"]}`}>
              {threshold === undefined ? null : `Over ${formatExactLatency(nanoseconds(threshold))}`}
              {limit === undefined ? null : `, limit ${formatExactPercent(ratio(limit.limit_ratio))}`}
            </th>
          ) : null}
          {hasEndurance ? (
            <th scope="col" className={classes["figure"]}>
              <Term id="dwpd">DWPD</Term>
            </th>
          ) : null}
          {hasPrice ? (
            <th scope="col" className={`${classes["figure"]} ${classes["price"]}`}>
              Cost
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row
            key={row.row_id}
            ref={row.row_id === meant ? meantRow : undefined}
            row={row}
            isMeant={row.row_id === meant}
            picked={picks.includes(pickOf(row))}
            full={full}
            threshold={threshold}
            limit={limit}
            onPick={onPick}
            {...columns}
          />
        ))}
      </tbody>
    </table>
  );
}

type RowProps = Columns & {
  ref: Ref<HTMLTableRowElement> | undefined;
  row: LeaderboardRow;
  isMeant: boolean;
  picked: boolean;
  full: boolean;
  threshold: number | undefined;
  limit: Measure["limits"][number] | undefined;
  onPick: (pick: string) => void;
};

const Row = memo(function Row(props: RowProps) {
  const { ref, row, isMeant, picked, full, threshold, limit, onPick } = props;
  const { holds, beyond } = ratingParts(row.rating);
  const range = decidingRange(row);
  return (
    <tr ref={ref} aria-current={isMeant || undefined} data-picked={picked || undefined}>
      <td className={classes["pick"]}>
        <input
          type="checkbox"
          className={`${classes["check"]} no-print`}
          checked={picked}
          disabled={full && !picked}
          onChange={() => onPick(pickOf(row))}
          aria-label={`Put ${driveName(row.drive)}${row.capacity_bytes === null ? "" : ` ${formatCapacity(row.capacity_bytes)}`} on the shortlist`}
        />
      </td>
      <th scope="row" className={classes["drive"]}>
        <a href={props.hrefOf(row.drive.slug)} data-slug={row.drive.slug}>
          {driveName(row.drive)}
        </a>
        <span className="dim">
          {[
            row.capacity_bytes === null ? "" : formatCapacity(row.capacity_bytes),
            row.visibility === "private" ? "private" : "",
            ...row.marks,
          ]
            .filter((part) => part !== "")
            .join(" · ")}
        </span>
      </th>
      <td className={classes["loads"]}>
        <LoadTrack cells={row.cells} rating={row.rating} axis={props.axis} />
      </td>
      <td className={classes["load"]}>
        <strong>{holds}</strong>
        <span className="dim">{beyond}</span>
      </td>
      {props.hasShares ? (
        <td className={classes["figure"]}>
          {range === null || range.threshold_ns !== threshold ? null : <SlowReads range={range} limit={limit} />}
        </td>
      ) : null}
      {props.hasEndurance ? <td className={classes["figure"]}>{row.dwpd ?? ""}</td> : null}
      {props.hasPrice ? (
        <td className={classes["cost"]}>
          <Cost row={row} />
        </td>
      ) : null}
    </tr>
  );
});

function Cost({ row }: { row: LeaderboardRow }) {
  const cost = costParts(row);
  if (cost === null) return null;
  return (
    <>
      <span title={cost.meaning}>{cost.price}</span>
      {cost.per === null ? null : (
        <span className="dim" title="at the highest load that it holds">
          {cost.per}
        </span>
      )}
    </>
  );
}

/** The share over the first threshold at the load that decides the row: the highest passed, else the lowest failed. */
function decidingRange(row: LeaderboardRow) {
  const load = row.rating.passed_load ?? row.rating.failed_load;
  return row.cells.find((cell) => cell.load === load)?.exceedances[0] ?? null;
}
