"""How many operations a second were answered, piece by piece, and where nothing was recorded.

A gap is no measurement of 0: rates are given for pieces, gaps are named beside them.
Source: METHOD.md 3.1, 4.4.
"""

from dataclasses import dataclass

import numpy as np

from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.time_course.windows import check_pieces


@dataclass(frozen=True, slots=True)
class Gap:
    """A stretch of time without a piece."""

    start_ns: int
    end_ns: int


@dataclass(frozen=True, slots=True, eq=False)
class Throughput:
    """Rates of the pieces, and of all time that pieces cover (none without pieces)."""

    start_ns: Int64s
    duration_ns: Int64s
    per_second: Floats
    mean_per_second: float | None
    covered_ns: int
    gaps: tuple[Gap, ...]


def throughput(intervals: IntervalRecords) -> Throughput:
    """Answered operations per second; a gap is at least half a usual piece long, also at the start."""
    check_pieces(intervals.start_ns, intervals.duration_ns)
    covered_ns = int(intervals.duration_ns.sum())
    count = intervals.count
    gaps: tuple[Gap, ...] = ()
    if intervals.size:
        from_ns = np.concatenate((np.zeros(1, np.int64), (intervals.start_ns + intervals.duration_ns)[:-1]))
        missing = 2 * (intervals.start_ns - from_ns) >= np.median(intervals.duration_ns)
        gaps = tuple(Gap(int(from_ns[at]), int(intervals.start_ns[at])) for at in np.flatnonzero(missing))
    return Throughput(
        intervals.start_ns,
        intervals.duration_ns,
        count / (intervals.duration_ns / 1e9),
        float(count.sum()) / (covered_ns / 1e9) if covered_ns else None,
        covered_ns,
        gaps,
    )
