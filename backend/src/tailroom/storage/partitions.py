"""Makes and drops the daily partitions of the interval table.

A partition holds the runs whose ids were made on one UTC day. Without one, rows go to the default
partition: nothing is refused, only retention is slower there. A partition is made before its day, and
dropped when its runs are older than the retention; what was rolled up out of it stays.
"""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from tailroom.kit.identifiers import first_id_at
from tailroom.storage.run import Run

_PREFIX = "interval_"
_LOCK_KEY = 0x7A11_0002
_DAY = timedelta(days=1)


def create_partitions(session: Session, now: datetime, days_ahead: int) -> list[str]:
    """Makes the partitions of today and the coming days that are not there yet; their names.

    A day whose runs have already begun in the default partition keeps using that one: moving rows would
    stop ingest.
    """
    _lock(session)
    made = []
    existing = set(partition_days(session))
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    for ahead in range(days_ahead + 1):
        day = today + ahead * _DAY
        low, high = first_id_at(day), first_id_at(day + _DAY)
        if day in existing or _default_holds(session, low, high):
            continue
        name = f"{_PREFIX}{day:%Y%m%d}"
        session.execute(
            text(f"CREATE TABLE {name} PARTITION OF interval FOR VALUES FROM ('{low}') TO ('{high}')")
        )
        made.append(name)
    return made


def drop_expired_partitions(session: Session, now: datetime, retention_days: int) -> list[str]:
    """Drops the partitions whose runs all have had no new data for the length of the retention; their names.

    A long run keeps its partition, and the later ones, for as long as it sends. Expired rows of the default
    partition are deleted.
    """
    _lock(session)
    limit = now.astimezone(UTC) - timedelta(days=retention_days)
    # PostgreSQL has no min() of UUIDs.
    active = select(Run.run_id).where(Run.last_data_at >= limit).order_by(Run.run_id).limit(1)
    oldest_active = session.scalar(active)
    keep_from = first_id_at(limit) if oldest_active is None else min(first_id_at(limit), oldest_active)
    dropped = []
    for day in partition_days(session):
        if first_id_at(day + _DAY) <= keep_from:
            name = f"{_PREFIX}{day:%Y%m%d}"
            session.execute(text(f"DROP TABLE {name}"))
            dropped.append(name)
    session.execute(text("DELETE FROM interval_default WHERE run_id < :limit"), {"limit": keep_from})
    return dropped


def partition_days(session: Session) -> list[datetime]:
    """The days that have a partition, in order."""
    names = session.scalars(
        text(
            "SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid"
            " WHERE i.inhparent = 'interval'::regclass ORDER BY c.relname"
        )
    )
    days = (name.removeprefix(_PREFIX) for name in names)
    return [datetime.strptime(day, "%Y%m%d").replace(tzinfo=UTC) for day in days if day.isdecimal()]


def _default_holds(session: Session, low: UUID, high: UUID) -> bool:
    return bool(
        session.scalar(
            text("SELECT EXISTS (SELECT FROM interval_default WHERE run_id >= :low AND run_id < :high)"),
            {"low": low, "high": high},
        )
    )


def _lock(session: Session) -> None:
    """One at a time, until the transaction ends."""
    session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK_KEY})
