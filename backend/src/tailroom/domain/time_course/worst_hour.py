"""The worst hour of a run: among hours aligned to its start, and among all hours that end with a slice.

ACT judges every full hour from the start; an hour that begins at any other time may be worse and is judged as
well. Counts are exact and misses count; if neither bucket edge nor pin is at the threshold, the worst hour
has bounds. Incomplete hours are not judged. Source: docs/method.md 1.9, 6.1, 6.2.
"""

from dataclasses import dataclass

import numpy as np

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.intervals import IntervalRecords, SliceTooShort
from tailroom.domain.time_course.burn_rate import full_windows
from tailroom.domain.units import NS_PER_HOUR, duration_text


@dataclass(frozen=True, slots=True, eq=False)
class WindowShares:
    """Full windows in order of time: operations of each (`total`), and bounds of those over the threshold."""

    start_ns: Int64s
    end_ns: Int64s
    over_lower: Int64s
    over_upper: Int64s
    total: Int64s


@dataclass(frozen=True, slots=True)
class WorstWindow:
    """The first window whose share has the largest upper bound. The largest share of all `windows` with
    operations lies between `worst_lower` and `worst_upper`.
    """

    windows: int
    start_ns: int
    end_ns: int
    over_lower: int
    over_upper: int
    total: int
    worst_lower: float
    worst_upper: float


@dataclass(frozen=True, slots=True)
class NoWindow:
    """Why there is no worst window."""

    reason: str


def aligned_shares(
    intervals: IntervalRecords, threshold_ns: int, length_ns: int = NS_PER_HOUR
) -> WindowShares | NoWindow:
    """Return the operations, and bounds of those at or over the threshold, of each full slice of `length_ns`
    since the start of the run; there may be none. NoWindow if an interval is longer than 1.5 slices.
    """
    try:
        slices = intervals.sliced(length_ns, full_only=True)
    except SliceTooShort as too_short:
        return NoWindow(str(too_short))
    lower, upper = slices.over(threshold_ns)
    start_ns = slices.start_ns // length_ns * length_ns
    return WindowShares(start_ns, start_ns + length_ns, lower, upper, slices.totals)


def rolling_shares(
    intervals: IntervalRecords, threshold_ns: int, length_ns: int = NS_PER_HOUR
) -> WindowShares:
    """Return what `aligned_shares` does of each full window of `length_ns` that ends with an interval."""
    windows = full_windows(intervals.start_ns, intervals.duration_ns, length_ns)
    lower, upper = intervals.over(threshold_ns)
    return WindowShares(
        intervals.start_ns[windows.first],
        (intervals.start_ns + intervals.duration_ns)[windows.end - 1],
        windows.sums(lower),
        windows.sums(upper),
        windows.sums(intervals.totals),
    )


def worst_aligned(
    intervals: IntervalRecords, threshold_ns: int, length_ns: int = NS_PER_HOUR
) -> WorstWindow | NoWindow:
    """Return the worst full slice of `length_ns` from the run's start; NoWindow if none has operations."""
    shares = aligned_shares(intervals, threshold_ns, length_ns)
    return shares if isinstance(shares, NoWindow) else _worst_of(shares, length_ns)


def worst_rolling(
    intervals: IntervalRecords, threshold_ns: int, length_ns: int = NS_PER_HOUR
) -> WorstWindow | NoWindow:
    """Return the worst full window that ends with an interval; NoWindow if none has operations."""
    return _worst_of(rolling_shares(intervals, threshold_ns, length_ns), length_ns)


def _worst_of(shares: WindowShares, length_ns: int) -> WorstWindow | NoWindow:
    """Return the window with the largest upper bound of the share; NoWindow if none has operations."""
    filled = np.flatnonzero(shares.total > 0)
    if not filled.size:
        return NoWindow(f"no full {duration_text(length_ns)} with operations is on record")
    total = shares.total[filled]
    upper = shares.over_upper[filled] / total
    worst = int(filled[int(np.argmax(upper))])
    return WorstWindow(
        int(filled.size),
        int(shares.start_ns[worst]),
        int(shares.end_ns[worst]),
        int(shares.over_lower[worst]),
        int(shares.over_upper[worst]),
        int(shares.total[worst]),
        float((shares.over_lower[filled] / total).max()),
        float(upper.max()),
    )
