"""Figures of the whole installation for its operator: work, sizes, partitions. No contents.

Counts of rows are PostgreSQL's estimates, because counting a million runs on each request takes too long.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import case, func, select, text
from sqlalchemy.orm import Session

from tailroom.kit.lanes import LANES
from tailroom.operations.installation_schemas import LaneOut, TableOut
from tailroom.storage.backup_made import BackupMade
from tailroom.storage.partitions import partition_days
from tailroom.storage.sizes import database_bytes, part_sizes
from tailroom.storage.upload import RawFile
from tailroom.storage.work import WorkRow

LANE_STATES = ("due", "claimed", "later", "given_up")


@dataclass(frozen=True, slots=True)
class InstallationFigures:
    """Figures of the installation at one moment."""

    lanes: list[LaneOut]
    tables: list[TableOut]
    """The largest first."""
    database_bytes: int
    raw_file_bytes: int
    """Total size of uploaded files; a file of two organisations counts twice."""
    raw_files: int
    partition_days_ahead: int
    """Number of existing daily partitions of intervals that begin after now."""
    oldest_transaction_s: float
    """Seconds for which the oldest transaction in the database has been open; 0 without one."""
    last_backup_at: datetime | None
    """None if no backup was made."""


def figures(session: Session, now: datetime) -> InstallationFigures:
    """Return the figures of the installation; `session` is bound to no organisation."""
    days = partition_days(session)
    size, count = session.execute(select(func.coalesce(func.sum(RawFile.size_bytes), 0), func.count())).one()
    return InstallationFigures(
        lanes=_lanes(session, now),
        tables=_tables(session),
        database_bytes=database_bytes(session),
        raw_file_bytes=int(size),
        raw_files=int(count),
        partition_days_ahead=sum(day > now for day in days),
        oldest_transaction_s=float(
            session.scalar(
                text(
                    "SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0)"
                    " FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
            )
            or 0.0
        ),
        last_backup_at=session.scalar(select(func.max(BackupMade.made_at))),
    )


def _lanes(session: Session, now: datetime) -> list[LaneOut]:
    """Return the figures of every lane, also of lanes without work, in the order of `LANES`."""
    is_given_up = WorkRow.given_up_at.is_not(None)
    is_claimed = WorkRow.claimed_until.is_not(None) & (WorkRow.claimed_until > now)
    state = case(
        (is_given_up, "given_up"), (is_claimed, "claimed"), (WorkRow.due_at <= now, "due"), else_="later"
    )
    query = select(WorkRow.lane, state, func.count(), func.min(WorkRow.due_at)).group_by(WorkRow.lane, state)
    counts: dict[str, dict[str, int]] = {}
    oldest: dict[str, float] = {}
    for lane, name, count, first_due_at in session.execute(query):
        counts.setdefault(lane, {})[name] = count
        if name == "due":
            oldest[lane] = max(0.0, (now - first_due_at).total_seconds())
    return [
        LaneOut(
            lane=lane,
            oldest_due_s=oldest.get(lane, 0.0),
            **{state: counts.get(lane, {}).get(state, 0) for state in LANE_STATES},
        )
        for lane in LANES
    ]


def _tables(session: Session) -> list[TableOut]:
    tables: dict[str, TableOut] = {}
    for part in part_sizes(session):
        table = tables.setdefault(part.table, TableOut(name=part.table, size_bytes=0, estimated_rows=0))
        table.size_bytes += part.size_bytes
        table.estimated_rows += part.estimated_rows
    return sorted(tables.values(), key=lambda table: (-table.size_bytes, table.name))
