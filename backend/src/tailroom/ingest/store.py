"""How a batch gets into the database and is compared with what is there: whole columns at once."""

import struct
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import numpy as np
from sqlalchemy.orm import Session

from tailroom.ingest.columns import NULL, Bools, Columns, Int64s
from tailroom.kit.pg_arrays import Int8Array
from tailroom.runs.interval_rows import NUMBER_COLUMNS, Stored, insert_rows, raw_connection

_SELECT = """
SELECT series_no, seq, start_ns, duration_ns, count, errors, timeouts, unfinished, sum_ns, lateness_max_ns,
       coalesce(min_ns, -1), coalesce(max_ns, -1), coalesce(target_count, -1),
       coalesce(lateness_p99_ns, -1), coalesce(busy_ns, -1), coalesce(in_flight, -1),
       coalesce(oldest_in_flight_ns, -1), coalesce(temperature_millicelsius, -1000000), pins, histogram
FROM interval JOIN unnest(%(series)s, %(seq)s) AS b (b_series_no, b_seq) ON series_no = b_series_no AND seq
= b_seq WHERE run_id = %(run_id)s
"""

_ADVANCE = """
WITH advanced AS (
  UPDATE run SET last_data_at = %(now)s, data_through_ns = %(through)s WHERE run_id = %(run_id)s
)
UPDATE series SET contiguous_seq = b.contiguous_seq, max_seq = b.max_seq, received = b.received
FROM unnest(%(series)s, %(contiguous)s, %(max)s, %(received)s) AS b (series_no, contiguous_seq, max_seq,
received) WHERE series.run_id = %(run_id)s AND series.series_no = b.series_no
"""


class Counters(NamedTuple):
    """How far a series has arrived."""

    series_no: int
    contiguous_seq: int
    max_seq: int
    received: int


def insert_intervals(
    session: Session, run_id: UUID, columns: Columns, chosen: Int64s, now: datetime
) -> list[Stored]:
    """Stores the chosen intervals (positions in the columns) that are not stored yet; what was new, by
    series.
    """
    if chosen.size == 0:
        return []
    positions = chosen.tolist()
    return insert_rows(
        session,
        run_id,
        numbers={name: getattr(columns, name)[chosen] for name in NUMBER_COLUMNS},
        pins=[pack_pins(columns.pins[i]) for i in positions],
        histograms=[columns.histogram[i] for i in positions],
        now=now,
    )


def differing_positions(session: Session, run_id: UUID, columns: Columns, chosen: Int64s) -> list[int]:
    """Positions among the chosen whose key is stored with other content."""
    if chosen.size == 0:
        return []
    with raw_connection(session).cursor(binary=True) as cursor:
        cursor.execute(
            _SELECT,
            {
                "run_id": run_id,
                "series": Int8Array(columns.series[chosen]),
                "seq": Int8Array(columns.seq[chosen]),
            },
        )
        stored = {row[:2]: row[2:] for row in cursor.fetchall()}
    table = np.stack([getattr(columns, name)[chosen] for name in NUMBER_COLUMNS], axis=1).tolist()
    differing = []
    for position, numbers in zip(chosen.tolist(), table, strict=True):
        offered = (*numbers[2:], pack_pins(columns.pins[position]), columns.histogram[position])
        if stored.get((numbers[0], numbers[1]), offered) != offered:
            differing.append(position)
    return differing


def advance(
    session: Session, run_id: UUID, counters: Sequence[Counters], data_through_ns: int, now: datetime
) -> None:
    """Notes how far a run and its series have arrived."""
    rows = np.array(counters, dtype=np.int64)
    with raw_connection(session).cursor(binary=True) as cursor:
        cursor.execute(
            _ADVANCE,
            {
                "run_id": run_id,
                "now": now,
                "through": data_through_ns,
                "series": Int8Array(rows[:, 0]),
                "contiguous": Int8Array(rows[:, 1]),
                "max": Int8Array(rows[:, 2]),
                "received": Int8Array(rows[:, 3]),
            },
        )


def pack_pins(pins: Sequence[int]) -> bytes:
    """One little-endian unsigned 64-bit number for each threshold."""
    return struct.pack(f"<{len(pins)}Q", *pins)


def already_contiguous(columns: Columns, contiguous: Mapping[int, int]) -> Bools:
    """Which intervals lie in the part of their series that was acknowledged before."""
    ends = np.full(int(columns.series.max(initial=0)) + 1, NULL, dtype=np.int64)
    for number, end in contiguous.items():
        if number < ends.size:
            ends[number] = end
    result: Bools = columns.seq <= ends[columns.series]
    return result
