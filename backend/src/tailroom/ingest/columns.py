"""A batch turned on its side: one numpy array for each field, so that rules are checked for all intervals
at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

import numpy as np
import numpy.typing as npt

from tailroom.ingest.wire import Interval
from tailroom.runs.interval_rows import UNKNOWN_TEMPERATURE

Int64s = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

NULL = -1
"""Stands for null in the columns of numbers that may be null; the numbers themselves are never negative, but
for temperatures, whose null is `UNKNOWN_TEMPERATURE`.
"""

_NUMBERS = (
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
)
_NULLABLE = (
    "min_ns",
    "max_ns",
    "target_count",
    "lateness_p99_ns",
    "busy_ns",
    "in_flight",
    "oldest_in_flight_ns",
)
_ALL = attrgetter(*_NUMBERS, *_NULLABLE)


@dataclass(frozen=True, slots=True)
class Columns:
    """The intervals of a batch, field by field; the i-th element of everything is the i-th interval."""

    series: Int64s
    seq: Int64s
    start_ns: Int64s
    duration_ns: Int64s
    count: Int64s
    errors: Int64s
    timeouts: Int64s
    unfinished: Int64s
    sum_ns: Int64s
    lateness_max_ns: Int64s
    min_ns: Int64s
    max_ns: Int64s
    target_count: Int64s
    lateness_p99_ns: Int64s
    busy_ns: Int64s
    in_flight: Int64s
    oldest_in_flight_ns: Int64s
    temperature_millicelsius: Int64s
    pins: Sequence[list[int]]
    histogram: Sequence[bytes | None]

    def __len__(self) -> int:
        return int(self.seq.size)

    @classmethod
    def of(cls, intervals: Sequence[Interval]) -> "Columns":
        """The columns of these intervals, in their order."""
        rows = [[NULL if value is None else value for value in _ALL(interval)] for interval in intervals]
        names = _NUMBERS + _NULLABLE
        table = np.array(rows, dtype=np.int64).reshape(len(rows), len(names)).T
        numbers = dict(zip(names, np.ascontiguousarray(table), strict=True))
        return cls(
            **numbers,
            temperature_millicelsius=_temperatures(intervals),
            pins=[interval.pins for interval in intervals],
            histogram=[interval.histogram for interval in intervals],
        )


def _temperatures(intervals: Sequence[Interval]) -> Int64s:
    values = (interval.temperature_millicelsius for interval in intervals)
    known = (UNKNOWN_TEMPERATURE if value is None else value for value in values)
    return np.fromiter(known, np.int64, len(intervals))
