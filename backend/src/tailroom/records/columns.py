"""Intervals as columns: one array for each number, so that rules are checked for all intervals at once."""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

import numpy as np
import numpy.typing as npt

from tailroom.domain.latency.interval import COLUMNS, UNKNOWN_OF, Column, Interval
from tailroom.domain.latency.intervals import IntervalRecords

Int64s = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

NAMES = ("series", "seq", *(column.name for column in COLUMNS))
"""Numbers of an interval, its key first."""
_REQUIRED = ("series", "seq", *(column.name for column in COLUMNS if not column.optional))
_OPTIONAL = tuple(column.name for column in COLUMNS if column.optional)
_ROW = np.dtype([(name, np.int64) for name in _REQUIRED])


@dataclass(frozen=True, slots=True)
class Columns:
    """Intervals as columns; element i of every column is interval i. `numbers` has a column for each of
    `NAMES`, each also an attribute, with the marker of unknown values that its column declares. `pins` are
    exact counts at or over each threshold; `histogram` has packed buckets or None.
    """

    numbers: Mapping[str, Int64s]
    pins: Sequence[Sequence[int]]
    histogram: Sequence[bytes | None]

    def __getattr__(self, name: str) -> Int64s:
        """Return the column of this name in `numbers`. Raise AttributeError if there is none."""
        try:
            return self.numbers[name]
        except KeyError:
            raise AttributeError(name) from None

    def __len__(self) -> int:
        """Return the number of intervals."""
        return int(self.numbers["seq"].size)

    @classmethod
    def of(cls, intervals: Sequence[Interval]) -> "Columns":
        """Return the columns of these intervals; None becomes the column's marker of unknown values."""
        size = len(intervals)
        rows = np.fromiter(map(attrgetter(*_REQUIRED), intervals), _ROW, size)
        numbers = {name: np.ascontiguousarray(rows[name]) for name in _REQUIRED}
        for name in _OPTIONAL:
            values = map(attrgetter(name), intervals)
            filled = (UNKNOWN_OF[name] if value is None else value for value in values)
            numbers[name] = np.fromiter(filled, np.int64, size)
        return cls(
            numbers,
            pins=[interval.pins for interval in intervals],
            histogram=[interval.histogram for interval in intervals],
        )


def columns_of_records(records: IntervalRecords, series_no: int) -> tuple[dict[str, Int64s], list[bytes]]:
    """Return `Columns.numbers` and the packed pins of an importer's slices, as the intervals of series
    `series_no`, numbered from 0.
    """
    size = records.size
    filled = records.count > 0
    numbers = {
        **{column.name: np.full(size, column.storage.unknown, np.int64) for column in COLUMNS},
        "series": np.full(size, series_no, np.int64),
        "seq": np.arange(size, dtype=np.int64),
        "start_ns": records.start_ns,
        "duration_ns": records.duration_ns,
        "count": records.count,
        "errors": records.errors,
        "timeouts": records.timeouts,
        "unfinished": records.unfinished,
        "sum_ns": np.where(filled, records.sum_ns, 0),
        "min_ns": np.where(filled, records.min_ns, UNKNOWN_OF["min_ns"]),
        "max_ns": np.where(filled, records.max_ns, UNKNOWN_OF["max_ns"]),
        "lateness_max_ns": np.zeros(size, np.int64),
        **records.optional_columns,
    }
    width = len(records.thresholds_ns) * 8
    packed = np.ascontiguousarray(records.pins, dtype="<u8").tobytes()
    return numbers, [packed[row * width : (row + 1) * width] for row in range(size)]


def sent_sql(column: Column) -> str:
    """Return the SQL expression of a column of the sent rows `b`; its marker of unknown becomes NULL."""
    return f"nullif(b.{column.name}, {column.storage.unknown})" if column.nullable else f"b.{column.name}"


def stored_sql(columns: Sequence[Column]) -> str:
    """Return a comma-separated SQL list of stored columns; NULL becomes the column's marker of unknown."""
    return ", ".join(f"coalesce({column.name}, {column.storage.unknown})" for column in columns)


def pack_pins(pins: Sequence[int]) -> bytes:
    """Return pins, the counts at or over each threshold, as little-endian unsigned 64-bit numbers."""
    return struct.pack(f"<{len(pins)}Q", *pins)


def unpack_pins(packed: bytes) -> list[int]:
    """Return the numbers packed by `pack_pins`."""
    return list(struct.unpack(f"<{len(packed) // 8}Q", packed))
