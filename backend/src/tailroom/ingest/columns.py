"""A batch turned on its side: one numpy array for each field, so that rules are checked for all intervals
at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

import numpy as np
import numpy.typing as npt

from tailroom.ingest.wire import Interval

Int64s = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

NULL = -1
"""Stands for null in the columns of numbers that may be null; the numbers themselves are never negative."""

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
_NULLABLE = ("min_ns", "max_ns", "target_count")
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
            pins=[interval.pins for interval in intervals],
            histogram=[interval.histogram for interval in intervals],
        )
