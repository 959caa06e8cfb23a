"""How intervals get into the database: one statement for many, one array for a column, each row at most once.

The statement selects from series, so that it stores nothing for a series that is not there, and so that the
number of rows it reports is the number it stored (docs/architecture.md).
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np
import numpy.typing as npt
from psycopg import Connection
from sqlalchemy.orm import Session

from tailroom.kit.pg_arrays import ByteaArray, Int8Array

_INSERT = """
WITH stored AS (
  INSERT INTO interval (run_id, series_no, seq, organisation_id, start_ns, duration_ns, count, errors,
  timeouts, unfinished, sum_ns, min_ns, max_ns, target_count, lateness_max_ns, pins, histogram, received_at,
  lateness_p99_ns, busy_ns, in_flight, oldest_in_flight_ns, temperature_millicelsius)
  SELECT s.run_id, s.series_no, b.seq, s.organisation_id, b.start_ns, b.duration_ns, b.count, b.errors,
  b.timeouts, b.unfinished, nullif(b.sum_ns, -1), nullif(b.min_ns, -1), nullif(b.max_ns, -1),
  nullif(b.target_count, -1), b.lateness_max_ns, b.pins, b.histogram, %(now)s::timestamptz,
  nullif(b.lateness_p99_ns, -1), nullif(b.busy_ns, -1), nullif(b.in_flight, -1),
  nullif(b.oldest_in_flight_ns, -1), nullif(b.temperature_millicelsius, -1000000)
  FROM unnest(%(series)s, %(seq)s,
  %(start_ns)s, %(duration_ns)s, %(count)s, %(errors)s, %(timeouts)s, %(unfinished)s, %(sum_ns)s,
  %(min_ns)s, %(max_ns)s, %(target_count)s, %(lateness_max_ns)s, %(pins)s, %(histogram)s,
  %(lateness_p99_ns)s, %(busy_ns)s, %(in_flight)s, %(oldest_in_flight_ns)s, %(temperature_millicelsius)s)
  AS b (series_no, seq, start_ns, duration_ns, count, errors, timeouts, unfinished, sum_ns, min_ns, max_ns,
  target_count, lateness_max_ns, pins, histogram, lateness_p99_ns, busy_ns, in_flight, oldest_in_flight_ns,
  temperature_millicelsius) JOIN series s ON s.run_id = %(run_id)s AND s.series_no = b.series_no
  WHERE s.run_id = %(run_id)s ON CONFLICT DO NOTHING RETURNING series_no, seq, start_ns + duration_ns AS
  end_ns ) SELECT series_no, count(*), min(seq), max(seq), max(end_ns) FROM stored GROUP BY series_no ORDER
  BY series_no
"""

NUMBER_COLUMNS = (
    "series",
    "seq",
    "start_ns",
    "duration_ns",
    "count",
    "errors",
    "timeouts",
    "unfinished",
    "sum_ns",
    "lateness_max_ns",
    "min_ns",
    "max_ns",
    "target_count",
    "lateness_p99_ns",
    "busy_ns",
    "in_flight",
    "oldest_in_flight_ns",
    "temperature_millicelsius",
)
"""−1 stands for a number that is not known (sum, ends, target and what follows it), but for a temperature,
which may be below zero.
"""

UNKNOWN_TEMPERATURE = -1_000_000
"""Stands for a temperature (m°C) that is not known: nothing is colder than −273,150 m°C."""


class Stored(NamedTuple):
    """What was added to one series."""

    series_no: int
    added: int
    first_seq: int
    last_seq: int
    end_ns: int


def insert_rows(
    session: Session,
    run_id: UUID,
    *,
    numbers: Mapping[str, npt.NDArray[np.int64]],
    pins: Sequence[bytes],
    histograms: Sequence[bytes | None],
    now: datetime,
) -> list[Stored]:
    """Stores the intervals that are not stored yet; what was new, by series. `numbers` has a column of equal
    length for each of `NUMBER_COLUMNS`.
    """
    parameters: dict[str, Any] = {name: Int8Array(numbers[name]) for name in NUMBER_COLUMNS}
    parameters["pins"] = ByteaArray(pins)
    parameters["histogram"] = ByteaArray(histograms)
    with raw_connection(session).cursor(binary=True) as cursor:
        cursor.execute(_INSERT, parameters | {"run_id": run_id, "now": now})
        return [Stored(*row) for row in cursor.fetchall()]


def raw_connection(session: Session) -> Connection[Any]:
    """The psycopg connection under the session's transaction, which knows our arrays (kit.db)."""
    connection = session.connection().connection.driver_connection
    assert isinstance(connection, Connection)  # noqa: S101 - the URL names psycopg
    return connection
