// Name of a row's drive, with the conditions that distinguish its rows.
import type { ReactNode } from "react";
import type { LeaderboardRow } from "@/api/types";
import { driveName } from "@/entities/drive/ratings";
import { IconLock } from "@/ui/icons";
import { DriveLink } from "@/ui/links";
import { rowConditions } from "./cellWords";
import classes from "./DriveName.module.css";

/** `children`: replacement for the router's link, which costs more time than the rest of the row. */
type DriveNameProps = { row: LeaderboardRow; mixed: boolean; children?: ReactNode };

export function DriveName({ row, mixed, children }: DriveNameProps) {
  const conditions = rowConditions(row, mixed);
  return (
    <div className={classes["name"]}>
      <div className="icon-text" style={{ minWidth: 0 }}>
        {children ?? (
          <DriveLink slug={row.drive.slug} className={classes["link"]} title={driveName(row.drive)}>
            {driveName(row.drive)}
          </DriveLink>
        )}
        {row.visibility === "private" ? (
          <span className="tag icon-text dim fine" title="Only your organisation sees this row.">
            <IconLock size={11} />
            private
          </span>
        ) : null}
      </div>
      <div className={classes["conditions"]} title={conditions}>
        {row.marks.map((mark) => (
          <span
            key={mark}
            className={`tag fine ${classes["mark"]} ${mark === "disputed" || mark === "retracted" ? "unsure" : "dim"}`}
          >
            {mark}
          </span>
        ))}
        {conditions}
      </div>
    </div>
  );
}
