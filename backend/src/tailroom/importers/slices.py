"""Shares over a threshold in every slice of a run, with exact bounds (docs/method.md 6.2).

Slices begin at the start of the run; a slice that is not covered to its end is the rest. The worst rolling
window is at least as bad as the worst slice, because every slice is a window.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.units import ceil_div
from tailroom.importers.moments import MomentPeriods
from tailroom.importers.parsed_run import ParsedSeries
from tailroom.importers.period_columns import PeriodColumns

MOST_SLICES_PER_INTERVAL = 100
"""Without a limit, a run with a gap of years would have more slices than memory holds."""


@dataclass(frozen=True, slots=True)
class SeriesSlice:
    """A slice of the run: its operations, failed included, and bounds of their share at or over a threshold.

    Times count from the start of the run; shares are None without operations.
    """

    start_ns: int
    end_ns: int
    count: int
    lower_ratio: float | None
    upper_ratio: float | None


@dataclass(frozen=True, slots=True)
class SliceExceedance:
    """Shares of operations at or over one threshold, for each slice of a series."""

    threshold_ns: int
    slice_ns: int
    """Length of a slice, after rounding."""
    slices: tuple[SeriesSlice, ...]
    """Full slices only."""
    rest: SeriesSlice | None
    """The time after the last full slice, None if there is none; the whole run if it has no full slice."""
    worst: SeriesSlice | None
    """The full slice with the largest upper, then the largest lower share; None if none has operations."""
    rolling_worst: SeriesSlice | None
    """The worst window of a slice's length that begins and ends with an interval; None without operations."""

    @property
    def average(self) -> tuple[float, float] | None:
        """Bounds of the unweighted mean share of full slices, as ACT's script averages; None without any."""
        lower = [piece.lower_ratio for piece in self.slices if piece.lower_ratio is not None]
        upper = [piece.upper_ratio for piece in self.slices if piece.upper_ratio is not None]
        return (sum(lower) / len(lower), sum(upper) / len(upper)) if lower else None


class SliceInvalid(DomainError):
    """A slice without length, or so short that most slices of the run would be empty."""


@dataclass(frozen=True, slots=True, eq=False)
class SeriesCourse:
    """Intervals of a series in ns from the start of the run, and their operations, failed included."""

    start_ns: Int64s
    end_ns: Int64s
    count: Int64s


def course_of(series: ParsedSeries) -> SeriesCourse | None:
    """Return the intervals of a series, else its periods; None without either, or if a count is unknown."""
    if series.intervals is not None and series.intervals.size:
        records = series.intervals
        return SeriesCourse(records.start_ns, records.start_ns + records.duration_ns, records.totals)
    if isinstance(series.periods, PeriodColumns | MomentPeriods) and len(series.periods):
        columns = series.periods
        return SeriesCourse(columns.start_ns, columns.start_ns + columns.duration_ns, columns.operations)
    if series.periods and all(period.record.total is not None for period in series.periods):
        starts = np.array([period.start_ns for period in series.periods], np.int64)
        durations = np.array([period.duration_ns for period in series.periods], np.int64)
        totals = np.array([period.record.total for period in series.periods], np.int64)
        return SeriesCourse(starts, starts + durations, totals)
    return None


def exceedance(
    series: ParsedSeries,
    threshold_ns: int,
    slice_ns: int,
    *,
    whole_pieces: bool = True,
    course: SeriesCourse | None = None,
) -> SliceExceedance | None:
    """Return full slices, rest, worst slice and worst window; None if `course_of(series)` is None.

    Callers with several thresholds pass the course. With `whole_pieces` the slice is rounded up to a multiple
    of the median interval, as by ACT's script. Operations of an interval across the end of a slice may be on
    either side, which widens the bounds of both. Raise SliceInvalid if `slice_ns` is not over 0, or so short
    that most slices are empty.
    """
    if slice_ns <= 0:
        raise SliceInvalid(f"a slice of {slice_ns} ns has no length")
    course = course or course_of(series)
    if course is None:
        return None
    if whole_pieces:
        usual = max(1, int(np.median(course.end_ns - course.start_ns)))
        slice_ns = ceil_div(slice_ns, usual) * usual
    lower, upper = _slow_operations(series, threshold_ns)
    table = _slices(course, lower, upper, slice_ns)
    end_ns = int(course.end_ns[-1])
    full = [each for each in table if each.end_ns <= end_ns]
    rest = [replace(each, end_ns=end_ns) for each in table if each.end_ns > end_ns]
    return SliceExceedance(
        threshold_ns=threshold_ns,
        slice_ns=slice_ns,
        slices=tuple(full),
        rest=rest[0] if rest else None,
        worst=_worst(full),
        rolling_worst=_rolling_worst(course, lower, upper, slice_ns),
    )


def _slow_operations(series: ParsedSeries, threshold_ns: int) -> tuple[Int64s, Int64s]:
    if series.intervals is not None and series.intervals.size:
        return series.intervals.over(threshold_ns)
    if isinstance(series.periods, PeriodColumns | MomentPeriods):
        return series.periods.over(threshold_ns)
    bounds = [period.record.at_or_over(threshold_ns) for period in series.periods]
    lower, upper = [bound.lower for bound in bounds], [bound.upper for bound in bounds]
    return np.array(lower, np.int64), np.array(upper, np.int64)


def _slices(course: SeriesCourse, lower: Int64s, upper: Int64s, slice_ns: int) -> list[SeriesSlice]:
    """Return all slices, by the slow operations of each interval; the last slice may end after the run.

    The operations of an interval across the end of a slice may be in any slice that it touches: all slow ones
    and no quick ones for the upper bound, the reverse for the lower. Raise SliceInvalid for too many slices.
    """
    first = course.start_ns // slice_ns
    last = np.maximum(course.end_ns - 1, course.start_ns) // slice_ns
    size = int(last.max()) + 1
    if size > MOST_SLICES_PER_INTERVAL * course.start_ns.size + 1000:
        raise SliceInvalid(f"slices of {slice_ns} ns cut this run into {size}, most of them empty")
    inside, shared = first == last, first != last

    def sums(column: Int64s) -> tuple[Int64s, Int64s]:
        certain, touched = np.zeros(size, np.int64), np.zeros(size + 1, np.int64)
        np.add.at(certain, first[inside], column[inside])
        np.add.at(touched, first[shared], column[shared])
        np.add.at(touched, last[shared] + 1, -column[shared])
        return certain, np.cumsum(touched[:-1])

    count, count_shared = sums(course.count)
    low, low_shared = sums(lower)
    high, high_shared = sums(upper)
    counts = count + count_shared
    lower_ratios = _ratios(low, counts - low_shared)
    upper_ratios = _ratios(high + high_shared, count + high_shared)
    rows = zip(counts.tolist(), lower_ratios.tolist(), upper_ratios.tolist(), strict=True)
    return [
        SeriesSlice(at * slice_ns, (at + 1) * slice_ns, operations, *(ratios if operations else (None, None)))
        for at, (operations, *ratios) in enumerate(rows)
    ]


def _ratios(part: Int64s, totals: Int64s) -> Floats:
    """Return each part divided by its total, 0 for a total of 0."""
    ratios: Floats = part / np.maximum(totals, 1)
    return ratios


def _rolling_worst(course: SeriesCourse, lower: Int64s, upper: Int64s, slice_ns: int) -> SeriesSlice | None:
    """Return the worst window of a slice's length between ends of intervals; None without operations."""
    ends = np.searchsorted(course.end_ns, course.start_ns + slice_ns, side="left")
    positions = np.flatnonzero(ends < course.end_ns.size)
    positions = positions[course.end_ns[ends[positions]] == course.start_ns[positions] + slice_ns]
    if positions.size == 0:
        return None
    to = ends[positions] + 1
    count, low, high = (_sums(column, positions, to) for column in (course.count, lower, upper))
    filled = np.flatnonzero(count > 0)
    if filled.size == 0:
        return None
    share_high, share_low = high[filled] / count[filled], low[filled] / count[filled]
    # The first of the largest upper, then lower shares; sorting would take far longer.
    largest = np.flatnonzero(share_high == share_high.max())
    worst = filled[largest[int(np.argmax(share_low[largest]))]]
    start, total = int(course.start_ns[positions[worst]]), int(count[worst])
    return SeriesSlice(start, start + slice_ns, total, int(low[worst]) / total, int(high[worst]) / total)


def _sums(column: Int64s, begin: Int64s, end: Int64s) -> Int64s:
    """Return the sum of a column from each `begin` to each `end` (exclusive)."""
    running = np.concatenate((np.zeros(1, np.int64), np.cumsum(column)))
    sums: Int64s = running[end] - running[begin]
    return sums


def _worst(slices: Sequence[SeriesSlice]) -> SeriesSlice | None:
    filled = (piece for piece in slices if piece.count)
    return max(filled, key=lambda piece: (piece.upper_ratio or 0.0, piece.lower_ratio or 0.0), default=None)
