"""Inserting intervals and comparing them with stored rows: one statement for many, one array per column.

The insert selects from series, so that it stores nothing for a series that does not exist, and reports the
number of rows that it stored (docs/architecture.md).
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np
from sqlalchemy.orm import Session

from tailroom.domain.latency.interval import COLUMNS, Interval
from tailroom.kit.db import psycopg_connection
from tailroom.kit.pg_arrays import ByteaArray, Int8Array
from tailroom.records.columns import (
    NAMES,
    Columns,
    Int64s,
    pack_pins,
    sent_sql,
    stored_sql,
    unpack_pins,
)
from tailroom.storage.series import Series

_NAMED = ", ".join(column.name for column in COLUMNS)
_INSERT = f"""
WITH stored AS (
  INSERT INTO interval (run_id, series_no, seq, organisation_id, {_NAMED}, pins, histogram, received_at)
  SELECT s.run_id, s.series_no, b.seq, s.organisation_id, {", ".join(map(sent_sql, COLUMNS))}, b.pins,
  b.histogram, %(now)s::timestamptz
  FROM unnest({", ".join(f"%({name})s" for name in NAMES)}, %(pins)s, %(histogram)s)
  AS b (series_no, seq, {_NAMED}, pins, histogram)
  JOIN series s ON s.run_id = %(run_id)s AND s.series_no = b.series_no
  WHERE s.run_id = %(run_id)s ON CONFLICT DO NOTHING RETURNING series_no, seq, start_ns + duration_ns AS
  end_ns ) SELECT series_no, count(*), min(seq), max(seq), max(end_ns) FROM stored GROUP BY series_no ORDER
  BY series_no
"""  # noqa: S608 - names of columns, nothing that was sent
_SELECT = f"""
SELECT series_no, seq, {stored_sql(COLUMNS)}, pins, histogram
FROM interval JOIN unnest(%(series)s, %(seq)s) AS b (b_series_no, b_seq) ON series_no = b_series_no AND seq
= b_seq WHERE run_id = %(run_id)s
"""  # noqa: S608 - names of columns, nothing that was sent

_NEXT = (
    f"SELECT seq, {_NAMED}, pins, histogram FROM interval WHERE run_id = %(run_id)s"  # noqa: S608 - our names
    " AND series_no = %(series_no)s AND seq > %(after)s AND seq <= %(through)s ORDER BY seq LIMIT %(limit)s"
)


class StoredIntervals(NamedTuple):
    """Intervals added to one series: number, first and last sequence number, latest end (ns of the run)."""

    series_no: int
    added: int
    first_seq: int
    last_seq: int
    end_ns: int


def insert_rows(
    session: Session,
    run_id: UUID,
    *,
    numbers: Mapping[str, Int64s],
    pins: Sequence[bytes],
    histograms: Sequence[bytes | None],
    now: datetime,
) -> list[StoredIntervals]:
    """Store the intervals whose key (series, sequence number) is not stored yet; return what was added, by
    series. `numbers` has a column for each of `records.columns.NAMES`; `pins` and `histograms` are packed.
    Intervals of series that do not exist are skipped.
    """
    parameters: dict[str, Any] = {name: Int8Array(numbers[name]) for name in NAMES}
    parameters["pins"] = ByteaArray(pins)
    parameters["histogram"] = ByteaArray(histograms)
    with psycopg_connection(session).cursor(binary=True) as cursor:
        cursor.execute(_INSERT, parameters | {"run_id": run_id, "now": now})
        return [StoredIntervals(*row) for row in cursor.fetchall()]


def insert_intervals(
    session: Session, run_id: UUID, columns: Columns, chosen: Int64s, now: datetime
) -> list[StoredIntervals]:
    """Store the intervals at these positions of `columns` as `insert_rows` does."""
    if chosen.size == 0:
        return []
    positions = chosen.tolist()
    return insert_rows(
        session,
        run_id,
        numbers={name: column[chosen] for name, column in columns.numbers.items()},
        pins=[pack_pins(columns.pins[i]) for i in positions],
        histograms=[columns.histogram[i] for i in positions],
        now=now,
    )


def differing_positions(session: Session, run_id: UUID, columns: Columns, chosen: Int64s) -> list[int]:
    """Return the chosen positions whose key (series, sequence number) is stored with other content."""
    if chosen.size == 0:
        return []
    with psycopg_connection(session).cursor(binary=True) as cursor:
        cursor.execute(
            _SELECT,
            {
                "run_id": run_id,
                "series": Int8Array(columns.series[chosen]),
                "seq": Int8Array(columns.seq[chosen]),
            },
        )
        stored = {row[:2]: row[2:] for row in cursor.fetchall()}
    table = np.stack([columns.numbers[name][chosen] for name in NAMES], axis=1).tolist()
    differing = []
    for position, numbers in zip(chosen.tolist(), table, strict=True):
        offered = (*numbers[2:], pack_pins(columns.pins[position]), columns.histogram[position])
        if stored.get((numbers[0], numbers[1]), offered) != offered:
            differing.append(position)
    return differing


def next_intervals(session: Session, series: Series, after_seq: int, limit: int) -> list[Interval]:
    """Return the first `limit` intervals after `after_seq` of those stored when `series` was read."""
    parameters = {"run_id": series.run_id, "series_no": series.series_no, "after": after_seq}
    with psycopg_connection(session).cursor(binary=True) as cursor:
        cursor.execute(_NEXT, parameters | {"through": series.max_seq, "limit": limit})
        rows = cursor.fetchall()
    names = [column.name for column in COLUMNS]
    return [
        Interval(
            series=series.series_no,
            seq=seq,
            pins=unpack_pins(pins),
            histogram=histogram,
            **dict(zip(names, numbers, strict=True)),
        )
        for seq, *numbers, pins, histogram in rows
    ]
