"""Daily partitions of the interval table, created and dropped without blocking ingest for long.

A partition holds the runs whose ids were made on one UTC day. Rows without a partition go to the default
partition, where only retention is slower. Requests queue behind a waiter for the lock of the whole table, so
attaching and detaching give up after `_LOCK_TIMEOUT` and retry.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from uuid import UUID

import structlog
from psycopg.errors import LockNotAvailable
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from tailroom.kit.identifiers import first_id_at

_PREFIX = "interval_"
_LOCK_KEY = 0x7A11_0002
_DAY = timedelta(days=1)
_LOCK_TIMEOUT = "100ms"
_ATTEMPTS = 20
_PAUSE_S = 0.25
_log = structlog.get_logger(__name__)


def create_partitions(engine: Engine, now: datetime, days_ahead: int) -> list[str]:
    """Create the missing partitions of today and the next `days_ahead` days (UTC); return their names.

    A day with runs in the default partition gets none, because moving rows would stop ingest; nor does a day
    whose lock stays taken.
    """
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    created = []
    for ahead in range(days_ahead + 1):
        day = today + ahead * _DAY
        if _run_with_retries(engine, f"attach {_partition_name(day)}", partial(_attach, day=day)):
            created.append(_partition_name(day))
    return created


def drop_partition(engine: Engine, day: datetime) -> bool:
    """Delete the partition of a day; return False if there is none, or the lock was never free."""
    name = _partition_name(day)

    def detach(connection: Connection) -> bool:
        if day not in partition_days(connection):
            return False
        connection.execute(text(f"ALTER TABLE interval DETACH PARTITION {name}"))
        return True

    if not _run_with_retries(engine, f"detach {name}", detach):
        return False
    with engine.begin() as connection:
        connection.execute(text(f"DROP TABLE {name}"))
    return True


def partition_days(connection: Connection | Session) -> list[datetime]:
    """Return the days (midnight UTC) that have a partition, in order."""
    rows = connection.execute(
        text(
            "SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid"
            " WHERE i.inhparent = 'interval'::regclass ORDER BY c.relname"
        )
    )
    days = (str(name).removeprefix(_PREFIX) for (name,) in rows)
    return [datetime.strptime(day, "%Y%m%d").replace(tzinfo=UTC) for day in days if day.isdecimal()]


def ids_of(day: datetime) -> tuple[UUID, UUID]:
    """Return the lowest possible run id of a day, and that of the next day."""
    return first_id_at(day), first_id_at(day + _DAY)


def _attach(connection: Connection, *, day: datetime) -> bool:
    """Create and attach the partition of a day; return False if it exists, or the default has its rows."""
    if day in partition_days(connection):
        return False
    name, (low, high) = _partition_name(day), ids_of(day)
    has_rows = text("SELECT EXISTS (SELECT 1 FROM interval_default WHERE run_id >= :low AND run_id < :high)")
    if connection.scalar(has_rows, {"low": low, "high": high}):
        return False
    # A table of this name was detached, but not dropped.
    connection.execute(text(f"DROP TABLE IF EXISTS {name}"))
    connection.execute(text(f"CREATE TABLE {name} (LIKE interval INCLUDING ALL)"))
    bounds = f"FOR VALUES FROM ('{low}') TO ('{high}')"
    connection.execute(text(f"ALTER TABLE interval ATTACH PARTITION {name} {bounds}"))
    return True


def _partition_name(day: datetime) -> str:
    return f"{_PREFIX}{day:%Y%m%d}"


def _run_with_retries(engine: Engine, what: str, act: Callable[[Connection], bool]) -> bool:
    """Return the result of `act`, run in a transaction; False if its lock was taken at every attempt."""
    for attempt in range(_ATTEMPTS):
        if attempt:
            time.sleep(_PAUSE_S)
        try:
            with engine.begin() as connection:
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK_KEY})
                connection.execute(text(f"SET LOCAL lock_timeout = '{_LOCK_TIMEOUT}'"))
                return act(connection)
        except OperationalError as error:
            if not isinstance(error.orig, LockNotAvailable):
                raise
    _log.warning("partition_put_off", what=what, attempts=_ATTEMPTS)
    return False
