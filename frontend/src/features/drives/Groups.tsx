// All drives, in groups of equal conditions: each with the loads it held and failed on one axis that all groups share.
import { Button } from "@mantine/core";
import { Link, useRouterState } from "@tanstack/react-router";
import { useEffect, useMemo, useRef } from "react";
import type { LeaderboardRow } from "@/api/types";
import { axisTicks, type LoadAxis, LoadTrack, loadAxis, placeOf } from "@/entities/drive/LoadTrack";
import { costParts, driveName, formatCapacity, LOAD_MEANING, loadText, ratingParts } from "@/entities/drive/ratings";
import { Term } from "@/entities/glossary/Term";
import { formatExactLatency, formatExactPercent } from "@/lib/format";
import { nanoseconds, ratio } from "@/lib/units";
import classes from "./Groups.module.css";
import { type Group, groupsOf } from "./groups";
import type { Measure } from "./measure";
import { SlowReads } from "./SlowReads";
import { pickOf } from "./shortlist";
import { TrackLegend } from "./TrackLegend";

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
    ...picking,
  };
  const current = groups.filter((group) => group.isCurrent);
  const older = groups.filter((group) => !group.isCurrent);
  // Whoever hears the page tells groups of one title apart by their conditions.
  const nameOf = ({ title, conditions }: Group) =>
    current.filter((group) => group.title === title).length > 1 ? `${title}, ${conditions}` : title;
  return (
    <div className={classes["groups"]}>
      <TrackLegend />
      {current.map((group) => (
        <section key={group.key} aria-label={nameOf(group)}>
          <div className={classes["title"]}>
            <h2>
              {group.title} <span className="dim num">{group.rows.length}</span>
            </h2>
            <p className="dim">{group.conditions}</p>
          </div>
          <Rows group={group} {...shared} />
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
              <Rows group={group} {...shared} />
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

type RowsProps = Pick<GroupsProps, "picks" | "full" | "measure" | "onPick"> & {
  group: Group;
  axis: LoadAxis;
  /** The row that the address names. */
  meant: string;
  hasShares: boolean;
  hasEndurance: boolean;
  hasPrice: boolean;
};

function Rows(props: RowsProps) {
  const { group, axis, meant, hasShares, hasEndurance, hasPrice, picks, full, measure, onPick } = props;
  const meantRow = useRef<HTMLTableRowElement>(null);
  const isHere = group.rows.some((row) => row.row_id === meant);
  useEffect(() => {
    if (isHere) meantRow.current?.scrollIntoView({ block: "center" });
  }, [isHere]);
  const threshold = group.rows.map((row) => decidingRange(row)?.threshold_ns).find((one) => one !== undefined);
  const limit = measure.limits.find((one) => one.threshold_ns === threshold);
  const slowReads = (row: LeaderboardRow) => {
    const range = decidingRange(row);
    return range === null || range.threshold_ns !== threshold ? null : <SlowReads range={range} limit={limit} />;
  };
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
        {group.rows.map((row) => {
          const picked = picks.includes(pickOf(row));
          const { holds, beyond } = ratingParts(row.rating);
          return (
            <tr
              key={row.row_id}
              ref={row.row_id === meant ? meantRow : undefined}
              aria-current={row.row_id === meant || undefined}
              data-picked={picked || undefined}
            >
              <td className={classes["pick"]}>
                <input
                  type="checkbox"
                  className={`${classes["check"]} no-print`}
                  checked={picked}
                  disabled={full && !picked}
                  onChange={() => onPick(pickOf(row))}
                  aria-label={`Put ${driveName(row.drive)} on the shortlist`}
                />
              </td>
              <th scope="row" className={classes["drive"]}>
                <Link to="/drives/$slug" params={{ slug: row.drive.slug }} preload="intent">
                  {driveName(row.drive)}
                </Link>
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
                <LoadTrack cells={row.cells} rating={row.rating} axis={axis} />
              </td>
              <td className={classes["load"]}>
                <strong>{holds}</strong>
                <span className="dim">{beyond}</span>
              </td>
              {hasShares ? <td className={classes["figure"]}>{slowReads(row)}</td> : null}
              {hasEndurance ? <td className={classes["figure"]}>{row.dwpd ?? ""}</td> : null}
              {hasPrice ? (
                <td className={classes["cost"]}>
                  <Cost row={row} />
                </td>
              ) : null}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

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
