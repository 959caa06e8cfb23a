"""Counts of a histogram in each period, from the states of its counters or from its deltas.

A cumulative counter that falls, or states a new start, has restarted: its value was counted since. What it
counted between its last state and its end is in no file. If series may be sums over several processes, a
fall means that one of them restarted, and nothing certain follows from the difference.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from tailroom.domain.latency.bounds import Bools, Floats, Int64s
from tailroom.domain.latency.distribution import LatencyDist, LatencyRecord
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import ExplicitLayout
from tailroom.domain.latency.merged_record import MergedRecord
from tailroom.importers.columns import columns, sum_in_slots
from tailroom.importers.printed import MAX_COUNT


@dataclass(frozen=True, slots=True, eq=False)
class CounterStates:
    """Counter states of one histogram in order of time: a row for each, a column for each bucket."""

    layout: ExplicitLayout
    counts: Int64s
    """Number of operations in each bucket since the counters began."""
    at_ns: Int64s | None = None
    """Time of each state in ns since 1970; None if the file has no times."""
    sums_ns: Floats | None = None
    """Sum of all latencies up to each state; None if the file does not have it for all."""
    begun_ns: Int64s | None = None
    """Start of the counters of each state in ns since 1970, 0 if not stated."""
    is_sum: bool = False
    """Whether the counts may be sums over several processes."""

    def period_counts(self) -> "PeriodCounts":
        """Return the counts between consecutive states, or those of a single state.

        A state after a restart counts as a whole. If it may be a sum over processes, its period is left out.
        """
        rows = self.counts.shape[0]
        if rows == 1:
            return self._single_period()
        increments = np.diff(self.counts, axis=0)
        restarted: Bools = np.asarray((increments < 0).any(axis=1))
        if self.begun_ns is not None:
            before, after = self.begun_ns[:-1], self.begun_ns[1:]
            restarted |= (before != after) & (before > 0) & (after > 0)
        sums = None if self.sums_ns is None else np.diff(self.sums_ns)
        unbroken = np.ones(rows - 1, dtype=np.bool_)
        if self.is_sum:
            unbroken = ~restarted
        elif restarted.any():
            increments[restarted] = self.counts[1:][restarted]
            if sums is not None and self.sums_ns is not None:
                sums[restarted] = self.sums_ns[1:][restarted]
        start_ns = end_ns = None
        if self.at_ns is not None:
            start_ns, end_ns = self.at_ns[:-1][unbroken], self.at_ns[1:][unbroken]
        return PeriodCounts(
            self.layout,
            increments[unbroken],
            start_ns,
            end_ns,
            None if sums is None else sums[unbroken],
            restarts=0 if self.is_sum else int(restarted.sum()),
            left_out=int(restarted.sum()) if self.is_sum else 0,
        )

    def _single_period(self) -> "PeriodCounts":
        """Return the only state as one period; its times are None if its counters' start is not stated."""
        start_ns = end_ns = None
        begun_ns = 0 if self.begun_ns is None else int(self.begun_ns[0])
        if begun_ns > 0 and (self.at_ns is None or begun_ns < int(self.at_ns[0])):
            start_ns, end_ns = np.array([begun_ns], np.int64), self.at_ns
        return PeriodCounts(self.layout, self.counts, start_ns, end_ns, self.sums_ns)


def sums_in_ns(sums: Floats, unit_ns: int) -> Floats | None:
    """Return sums of latencies in `unit_ns` as ns; None if any is missing (NaN), infinite or negative."""
    is_possible = np.isfinite(sums) & (sums >= 0)
    return sums * unit_ns if is_possible.all() else None


@dataclass(frozen=True, slots=True, eq=False)
class PeriodCounts:
    """Counts by consecutive periods and buckets of the layout; without times only their sum is used."""

    layout: ExplicitLayout
    counts: Int64s
    """Number of operations: a row for each period, a column for each bucket."""
    start_ns: Int64s | None
    end_ns: Int64s | None
    """Ends. Starts and ends are in ns since 1970, None if the file has no times."""
    sums_ns: Floats | None = None
    """Sum of the latencies in each period; None if unknown."""
    restarts: int = 0
    """Number of restarts of the counters within these periods."""
    left_out: int = 0
    """Number of periods that were left out, because nothing certain is known about them."""

    @property
    def is_countable(self) -> bool:
        """Whether the number of operations in all periods is at most MAX_COUNT, so that sums are exact."""
        return float(self.counts.sum(dtype=np.float64)) <= MAX_COUNT

    def record(self) -> LatencyDist:
        """Return the distribution of all periods together."""
        amounts = self.counts.sum(axis=0, dtype=np.int64)
        filled = np.flatnonzero(amounts)
        return LatencyDist(self.layout, Counts(filled, amounts[filled]))

    def intervals(self, from_ns: int) -> IntervalRecords | None:
        """Return the periods, with times relative to `from_ns`; None without times or without periods."""
        if self.start_ns is None or self.end_ns is None or not self.start_ns.size:
            return None
        rows, buckets = np.nonzero(self.counts)
        size = self.start_ns.size
        offsets = np.concatenate((np.zeros(1, np.int64), np.cumsum(np.bincount(rows, minlength=size))))
        return columns(
            self.layout,
            self.start_ns - from_ns,
            self.end_ns - self.start_ns,
            (offsets, buckets.astype(np.int64), self.counts[rows, buckets]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class CountedHistograms:
    """Sum of histograms: in total, and over time (None without times, or if buckets differ)."""

    record: LatencyRecord
    intervals: IntervalRecords | None
    mean_ns: float | None
    """None without operations, or if a histogram has no sum."""
    started_ns: int | None
    """First start in ns since 1970; None if the file does not state it."""
    duration_ns: int | None
    """From the first start to the last end; None unless every histogram has times."""
    restarts: int = 0
    left_out: int = 0


def sum_of(parts: Sequence[PeriodCounts]) -> CountedHistograms:
    """Return the sum of concurrent histograms, such as those of several processes.

    If their buckets differ, the record has bounds instead of exact counts, and there are no intervals.
    Intervals need times of every histogram.
    """
    layouts = {part.layout for part in parts}
    starts = [int(part.start_ns.min()) for part in parts if part.start_ns is not None and part.start_ns.size]
    ends = [int(part.end_ns.max()) for part in parts if part.end_ns is not None and part.end_ns.size]
    has_times = bool(parts) and len(starts) == len(ends) == len(parts)
    from_ns = min(starts, default=0)
    record: LatencyRecord
    intervals = None
    if len(layouts) == 1:
        same_times = _add_equal_times(parts)
        if same_times is not None:
            record, intervals = same_times.record(), same_times.intervals(from_ns)
        else:
            # Whenever the periods were, their counts add up.
            counts = np.array([part.counts.sum(axis=0) for part in parts])
            record = PeriodCounts(parts[0].layout, counts, None, None).record()
            each = [part.intervals(from_ns) for part in parts] if has_times else []
            intervals = sum_in_slots([records for records in each if records is not None])
    else:
        record = MergedRecord.of([part.record() for part in parts])
    total = record.total or 0
    sums = [part.sums_ns for part in parts]
    mean_ns = None
    if total and all(part is not None for part in sums):
        mean_ns = float(sum(float(part.sum()) for part in sums if part is not None)) / total
    return CountedHistograms(
        record,
        intervals,
        mean_ns,
        from_ns if starts else None,
        max(ends) - from_ns if has_times else None,
        sum(part.restarts for part in parts),
        sum(part.left_out for part in parts),
    )


def _add_equal_times(parts: Sequence[PeriodCounts]) -> PeriodCounts | None:
    """Return the sum of histograms over equal periods, one as it is; None if times differ or are missing."""
    first = parts[0]
    if len(parts) == 1:
        return first
    for part in parts[1:]:
        if part.start_ns is None or first.start_ns is None or part.end_ns is None or first.end_ns is None:
            return None
        if not np.array_equal(part.start_ns, first.start_ns) or not np.array_equal(part.end_ns, first.end_ns):
            return None
    counts = reduce(np.add, [part.counts for part in parts])
    return PeriodCounts(first.layout, counts, first.start_ns, first.end_ns)
