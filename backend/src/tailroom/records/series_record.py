"""Stored record of one series of a run: its distribution, and its counts over time.

A series may also be a statement about the whole run, without slices over time.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tailroom.domain.latency.at_best import at_best
from tailroom.domain.latency.distribution import LatencyDist, LatencyRecord, Misses
from tailroom.domain.latency.document import distribution_of as distribution_from
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import BucketLayout
from tailroom.domain.verdicts.validity import Validity, late_limit_ns, ratio_of_ppm
from tailroom.records.at_best import hours_at_best, slices_at_best, total_at_best
from tailroom.records.quick_counts import QuickCounts
from tailroom.records.rollup import layout_of
from tailroom.records.slice_columns import Int64s, SliceColumns, Sum, with_late_limit
from tailroom.storage.series import STATEMENT, Series

_GENERATOR_COLUMNS = {
    *("lateness_p99_ns", "busy_ppm"),
    *("late_intervals", "busy_intervals", "doubtful_intervals"),
}
_FIRST_COLUMNS = {
    *("start_ns", "duration_ns", "interval_count", "count", "errors", "timeouts", "unfinished"),
    *("sum_ns", "min_ns", "max_ns", "target_count", "lateness_max_ns"),
}


@dataclass(frozen=True, eq=False)
class SeriesRecord:
    """One series: its total (None for a statement, and before anything was rolled up), and the numbers and
    exact counters of its slices, which are intervals, minutes or hours. `hours` has for each hour its number
    since the start of the run, and the columns of these hours. `load` reads the buckets of the slices.
    """

    series: Series
    total: Sum | None
    slices: SliceColumns
    hours: tuple[tuple[int, ...], SliceColumns]
    load: Callable[[], IntervalRecords]
    run_duration_ns: int = 0
    """Length of the run, set for statements only."""
    question_limit_ns: int | None = None
    """Lateness that a question tolerates; None: the limit follows from the thresholds of the series."""

    @property
    def is_statement(self) -> bool:
        """Whether it is a statement: a printed summary of the whole run, without slices over time."""
        return self.series.kind == STATEMENT

    @property
    def measured_ns(self) -> int:
        """Time in ns from the start of the run to the end of the last slice; for a statement, to its end."""
        return self.run_duration_ns if self.is_statement else self.end_ns

    @property
    def end_ns(self) -> int:
        """End of the last slice, in ns since the start of the run; 0 before anything was rolled up."""
        return 0 if self.total is None else self.total.end_ns

    @property
    def thresholds_ns(self) -> list[int]:
        """Thresholds (ns) at which operations were counted exactly, in the order of the counters."""
        return list(self.series.pin_thresholds_ns)

    @property
    def operation_counts(self) -> Int64s:
        """Number of operations of each slice, with errors, time-outs and unfinished operations (misses)."""
        return self.slices.count + self.slices.misses

    @cached_property
    def dist(self) -> LatencyRecord:
        """Distribution of all operations; empty before anything was rolled up."""
        if self.is_statement:
            return distribution_from(self.series.statement).record
        layout = layout_of(self.series)
        if self.total is None:
            empty = np.empty(0, np.int64)
            return LatencyDist(layout, Counts(empty, empty))
        return distribution_of(self.total, layout, self.thresholds_ns)

    def over(self, threshold_ns: int) -> Int64s:
        """Return by slice the operations at or over a threshold (ns), misses included: exact for
        `thresholds_ns`, else the most that the buckets allow.
        """
        if threshold_ns in self.thresholds_ns:
            column = self.thresholds_ns.index(threshold_ns)
            return self.slices.pins[:, column] + self.slices.misses
        return self._quick_counts.over(threshold_ns)

    def over_each(self, thresholds_ns: Int64s) -> Int64s:
        """Return `over` for many ascending thresholds (ns), as an array of thresholds by slices."""
        most = self.intervals.most_over(thresholds_ns)
        for row, at_ns in enumerate(thresholds_ns.tolist()):
            if at_ns in self.thresholds_ns:
                most[row] = self.over(at_ns)
        return most

    @cached_property
    def _quick_counts(self) -> QuickCounts:
        """Cumulative bucket counts of the slices."""
        return QuickCounts(self.intervals)

    @cached_property
    def intervals(self) -> IntervalRecords:
        """The slices with their buckets, read on first use."""
        return self.load()

    @property
    def validity(self) -> Validity:
        """Numbers of its late, busy and unreliable intervals, with the lateness limit (ns)."""
        if self.total is None:
            return Validity()
        numbers, limit_ns = self.total.numbers, self.question_limit_ns
        if limit_ns is None:
            limit_ns = late_limit_ns(self.thresholds_ns)
            late, unreliable = numbers["late_intervals"], numbers["doubtful_intervals"]
        else:
            late = int(self.slices.late_intervals.sum())
            unreliable = int(self.slices.doubtful_intervals.sum())
        return Validity(
            numbers["interval_count"],
            late,
            numbers["busy_intervals"],
            unreliable,
            self.total.get("lateness_p99_ns"),
            ratio_of_ppm(numbers["busy_ppm"]),
            limit_ns,
        )

    def with_late_limit(self, limit_ns: int) -> "SeriesRecord":
        """Return the series with slices judged by another lateness limit (ns); unchanged without a total."""
        if self.total is None or self.is_statement:
            return self
        return replace(
            self,
            slices=with_late_limit(self.slices, limit_ns),
            load=lambda: self.intervals,
            question_limit_ns=limit_ns,
        )

    def at_best(self) -> "SeriesRecord":
        """Return the series with operations of unreliable slices, if any, counted as finished and fast."""
        if self.total is None or not self.validity.doubtful:
            return self
        best = at_best(self.intervals, self.slices.doubtful_intervals > 0)
        numbers, hours = self.hours
        return replace(
            self,
            total=total_at_best(self.total, best, self.thresholds_ns),
            slices=slices_at_best(self.slices),
            hours=(numbers, hours_at_best(numbers, hours, self.slices)),
            load=lambda: best,
        )

    def update_fingerprint(self, digest: "hashlib._Hash", missing_intervals: int) -> None:
        """Add to `digest` the data on which a verdict depends: all slices' numbers, the total with its
        buckets, and `missing_intervals` of the operation.
        """
        series, slices = self.series, self.slices
        digest.update(repr((series.series_no, series.operation, series.clock, series.phase)).encode())
        digest.update(repr((series.layout, self.thresholds_ns, missing_intervals)).encode())
        if self.is_statement:
            digest.update(json.dumps(series.statement, sort_keys=True).encode())
        for column in (
            *(slices.start_ns, slices.duration_ns, slices.count, slices.misses, slices.pins),
            *(slices.sum_ns, slices.min_ns, slices.max_ns),
        ):
            digest.update(_int64_bytes(column))
        if self.total is not None:
            digest.update(repr(_fingerprint_numbers(self.total)).encode())
            if self.validity.is_known:
                digest.update(_int64_bytes(slices.doubtful_intervals))
            digest.update(_int64_bytes(self.total.counts.indices))
            digest.update(_int64_bytes(self.total.counts.counts))


def distribution_of(total: Sum, layout: BucketLayout, thresholds_ns: Sequence[int]) -> LatencyDist:
    """Return the distribution of a sum of slices; `thresholds_ns` are those of its pins, in their order."""
    numbers = total.numbers
    return LatencyDist(
        layout,
        total.counts,
        pins=dict(zip(thresholds_ns, total.pins.tolist(), strict=True)),
        misses=Misses(numbers["errors"], numbers["timeouts"], numbers["unfinished"]),
        sum_ns=total.get("sum_ns"),
        min_ns=total.get("min_ns"),
        max_ns=total.get("max_ns"),
    )


def _int64_bytes(column: Int64s) -> bytes:
    """Return the numbers as little-endian 64-bit integers."""
    return np.ascontiguousarray(column, dtype="<i8").tobytes()


def _fingerprint_numbers(total: Sum) -> list[tuple[str, int]]:
    """Return names and values of a total for its fingerprint. Columns declared later are left out where
    unknown, so that fingerprints of earlier records stay the same.
    """
    has_generator = total.get("lateness_p99_ns") is not None or total.get("busy_ppm") is not None
    return sorted(
        (name, value)
        for name, value in total.numbers.items()
        if name in _FIRST_COLUMNS
        or (has_generator if name in _GENERATOR_COLUMNS else total.get(name) is not None)
    )
