"""Shares over a threshold in every slice of a run, exactly: whole counts, both ends, no rounding.

For any importer's series: pieces with counts, or periods with statements. Slices begin at the start of the
run; one that is not covered to its end is not among them but beside them as the rest. The worst rolling
window is at least as bad as the worst slice, because every slice is one of the windows.
Source: docs/method.md 6.2.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.units import ceil_div
from tailroom.importers.moment_periods import MomentPeriods
from tailroom.importers.parsed_run import ParsedSeries
from tailroom.importers.period_columns import PeriodColumns

SLICES_PER_PIECE = 100
"""A run with a gap of years would otherwise be cut into more slices than memory holds."""


@dataclass(frozen=True, slots=True)
class SeriesSlice:
    """One slice of the run: operations with misses, and bounds of the share that took at least the threshold.

    Times count from the start of the run. The shares are None without operations.
    """

    start_ns: int
    end_ns: int
    count: int
    lower_ratio: float | None
    upper_ratio: float | None

    @staticmethod
    def of(start_ns: int, end_ns: int, count: int, over_lower: int, over_upper: int) -> "SeriesSlice":
        """Return the share from the certain and the possible number over the threshold, of a certain number
        of operations.
        """
        if count == 0:
            return SeriesSlice(start_ns, end_ns, 0, None, None)
        return SeriesSlice(start_ns, end_ns, count, over_lower / count, over_upper / count)


@dataclass(frozen=True, slots=True)
class SliceExceedance:
    """Shares of one series at one threshold."""

    threshold_ns: int
    slice_ns: int
    slices: tuple[SeriesSlice, ...]
    """Full ones only."""
    rest: SeriesSlice | None
    """The time behind the last full slice; the whole run where there is none."""
    worst: SeriesSlice | None
    """The full slice with the largest possible share, then the largest certain one."""
    rolling_worst: SeriesSlice | None
    """Worst of all windows of a slice's length that begin at the start of an interval."""

    @property
    def average(self) -> tuple[float, float] | None:
        """Bounds of the unweighted mean share of full slices, as ACT's script averages."""
        shares = [(each.lower_ratio, each.upper_ratio) for each in self.slices]
        bounded = [(lower, upper) for lower, upper in shares if lower is not None and upper is not None]
        if not bounded:
            return None
        return sum(bound for bound, _ in bounded) / len(bounded), sum(bound for _, bound in bounded) / len(
            bounded
        )


class SliceInvalid(DomainError):
    """A slice without length, or so short that most slices of the run would be empty."""


@dataclass(frozen=True, slots=True, eq=False)
class SeriesCourse:
    """The intervals of a series in order: starts and ends from the start of the run, and operations with
    misses.
    """

    start_ns: Int64s
    end_ns: Int64s
    count: Int64s


def course_of(series: ParsedSeries) -> SeriesCourse | None:
    """Return the intervals or periods of a series; None if only its total is stated."""
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
    """Return full slices, rest, worst slice and worst window; None for a series without a course.

    Callers with several thresholds pass the course, so that it is not computed for each. With `whole_pieces`
    the slice is made a multiple of the usual interval, as ACT's script does. Operations of an interval that
    crosses the end of a slice (blocks are missing) may lie on either side, which widens the ends of both.
    Raise SliceInvalid.
    """
    if slice_ns <= 0:
        raise SliceInvalid(f"a slice of {slice_ns} ns has no length")
    course = course or course_of(series)
    if course is None:
        return None
    if whole_pieces:
        usual = max(1, int(np.median(course.end_ns - course.start_ns)))
        slice_ns = ceil_div(slice_ns, usual) * usual
    lower, upper = _over(series, threshold_ns)
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
        rolling_worst=_rolling(course, lower, upper, slice_ns),
    )


def _over(series: ParsedSeries, threshold_ns: int) -> tuple[Int64s, Int64s]:
    """Return the least and largest number of operations at or over a threshold in each interval."""
    if series.intervals is not None and series.intervals.size:
        return series.intervals.over(threshold_ns)
    if isinstance(series.periods, PeriodColumns | MomentPeriods):
        return series.periods.over(threshold_ns)
    ends = [period.record.at_or_over(threshold_ns) for period in series.periods]
    return (
        np.array([end.lower for end in ends], np.int64),
        np.array([end.upper for end in ends], np.int64),
    )


def _slices(course: SeriesCourse, lower: Int64s, upper: Int64s, slice_ns: int) -> list[SeriesSlice]:
    """Return all slices up to the end of the run. `lower` and `upper` bound the slow operations of each
    interval.

    Each operation of an interval that crosses the end of a slice may be in any of the slices it touches. For
    their upper ends all slow operations do and no quick operation, for their lower ends the other way round.
    Raise SliceInvalid for too many slices.
    """
    first = course.start_ns // slice_ns
    last = np.maximum(course.end_ns - 1, course.start_ns) // slice_ns
    size = int(last.max()) + 1
    if size > SLICES_PER_PIECE * course.start_ns.size + 1000:
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
    least = _ratios(low, count + count_shared - low_shared)
    most = _ratios(high + high_shared, count + high_shared)
    all_ = count + count_shared
    return [
        SeriesSlice(
            number * slice_ns,
            (number + 1) * slice_ns,
            number_of,
            *((low, high) if number_of else (None, None)),
        )
        for number, (number_of, low, high) in enumerate(
            zip(all_.tolist(), least.tolist(), most.tolist(), strict=True)
        )
    ]


def _ratios(part: Int64s, totals: Int64s) -> Floats:
    """Return the quotients; 0 where the total is 0."""
    ratios: Floats = part / np.maximum(totals, 1)
    return ratios


def _rolling(course: SeriesCourse, lower: Int64s, upper: Int64s, slice_ns: int) -> SeriesSlice | None:
    """Return the worst window that begins with an interval and is exactly as long as a slice; None without
    any.
    """
    ends = np.searchsorted(course.end_ns, course.start_ns + slice_ns, side="left")
    positions = np.flatnonzero(ends < course.end_ns.size)
    positions = positions[course.end_ns[ends[positions]] == course.start_ns[positions] + slice_ns]
    if positions.size == 0:
        return None
    to = ends[positions] + 1
    windows = [_sums(column, positions, to) for column in (course.count, lower, upper)]
    count, low, high = windows
    some = np.flatnonzero(count > 0)
    if some.size == 0:
        return None
    share_high, share_low = high[some] / count[some], low[some] / count[some]
    # Of the largest possible share the largest certain one, the first of those; sorting takes far longer.
    largest = np.flatnonzero(share_high == share_high.max())
    best = some[largest[int(np.argmax(share_low[largest]))]]
    start = int(course.start_ns[positions[best]])
    return SeriesSlice.of(start, start + slice_ns, int(count[best]), int(low[best]), int(high[best]))


def _sums(column: Int64s, begin: Int64s, end: Int64s) -> Int64s:
    """Return the sum of a column from each `begin` to each `end` (exclusive)."""
    running = np.concatenate((np.zeros(1, np.int64), np.cumsum(column)))
    sums: Int64s = running[end] - running[begin]
    return sums


def _worst(slices: Sequence[SeriesSlice]) -> SeriesSlice | None:
    """Return the slice with the largest upper, then the largest lower share; None without operations."""
    filled = [each for each in slices if each.count]
    return (
        max(filled, key=lambda each: (each.upper_ratio or 0.0, each.lower_ratio or 0.0)) if filled else None
    )
