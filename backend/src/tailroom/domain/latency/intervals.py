"""A series over time: consecutive slices in the same layout, summed exactly in any grouping.

A day of one-second slices must fit into memory and be summed within an interactive answer, so slices are
columns and not objects: the buckets of all slices are consecutive, with the start of each slice in `offsets`.
Sums are sums of integers; nothing is split, interpolated or dropped. Source: docs/method.md 3 and 5.2.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.latency.cells import IntervalCells, cut_at
from tailroom.domain.latency.distribution import LatencyDist, Misses
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.interval import OPTIONAL_COLUMNS, UNKNOWN, check_buckets, check_columns
from tailroom.domain.latency.interval_sums import added, combined, positions_of, rolled, row_sums
from tailroom.domain.latency.layouts import NEVER_NS, BucketLayout, BucketsInvalid, LayoutsDiffer

_JITTER = 1.5
_SLICES_AT_ONCE = 512


NUMBERS = ("start_ns", "duration_ns", "errors", "timeouts", "unfinished", "sum_ns", "min_ns", "max_ns")
"""Columns with a number for each slice, besides those in `optional_columns`."""


@dataclass(frozen=True, slots=True, eq=False)
class IntervalRecords:
    """Slices of an operation by one clock (which of its times was measured); starts are in ns from that of
    the run. The filled buckets (`indices`, `counts`) of slice `i`, ascending, are from `offsets[i]` to
    `offsets[i + 1]`. `pins` has a row for each slice and a column for each threshold: operations at or over
    it. `UNKNOWN` marks unknown sums and extremes. `optional_columns` (lateness, busy time) decide which
    slices are reliable (`domain.verdicts.validity`); a sum of slices is as late and as busy as the worst of
    them.
    """

    layout: BucketLayout
    start_ns: Int64s
    duration_ns: Int64s
    offsets: Int64s
    indices: Int64s
    counts: Int64s
    errors: Int64s
    timeouts: Int64s
    unfinished: Int64s
    sum_ns: Int64s
    min_ns: Int64s
    max_ns: Int64s
    thresholds_ns: tuple[int, ...] = ()
    pins: Int64s = field(default_factory=lambda: np.empty((0, 0), np.int64))
    optional_columns: Mapping[str, Int64s] = field(default_factory=dict)
    _count: Int64s | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if not self.thresholds_ns and self.pins.size == 0:
            object.__setattr__(self, "pins", np.empty((self.start_ns.size, 0), np.int64))
        if len(self.optional_columns) < len(OPTIONAL_COLUMNS):
            unknown = {
                column.name: np.full(self.start_ns.size, column.storage.unknown, np.int64)
                for column in OPTIONAL_COLUMNS
            }
            object.__setattr__(self, "optional_columns", unknown | dict(self.optional_columns))
        check_columns(
            {name: getattr(self, name) for name in NUMBERS} | dict(self.optional_columns),
            self.pins,
            len(self.thresholds_ns),
        )
        check_buckets(self.offsets, self.indices, self.counts, self.size)

    @property
    def lateness_p99_ns(self) -> Int64s:
        """99th percentile of the lateness that the generator caused, in ns by slice; `UNKNOWN` if unknown."""
        return self.optional_columns["lateness_p99_ns"]

    @property
    def busy_ns(self) -> Int64s:
        """Processor time of the busiest measuring thread, in ns by slice; `UNKNOWN` if not stated."""
        return self.optional_columns["busy_ns"]

    @property
    def size(self) -> int:
        """Number of slices."""
        return int(self.start_ns.size)

    @property
    def end_ns(self) -> int:
        """End of the last slice in ns from the start of the run; 0 without slices."""
        return int((self.start_ns + self.duration_ns).max(initial=0))

    @property
    def count(self) -> Int64s:
        """Number of operations with a latency in each slice, computed on first use."""
        count = self._count
        if count is None:
            count = row_sums(self.counts, self.offsets)
            object.__setattr__(self, "_count", count)
        return count

    @property
    def misses(self) -> Int64s:
        """Number of errors, time-outs and unfinished operations in each slice."""
        return self.errors + self.timeouts + self.unfinished

    @property
    def totals(self) -> Int64s:
        """Number of operations with a latency, plus misses, in each slice."""
        return self.count + self.misses

    @staticmethod
    def empty(layout: BucketLayout) -> "IntervalRecords":
        """Return records of this layout without any slice."""
        return IntervalRecords.of([], [], [], layout=layout)

    @staticmethod
    def of(
        intervals: Sequence[LatencyDist],
        start_ns: Sequence[int] | Int64s,
        duration_ns: Sequence[int] | Int64s,
        *,
        layout: BucketLayout | None = None,
    ) -> "IntervalRecords":
        """Return slices from records of one layout, in their order, with the pins that every slice with
        latencies has. Raise `LayoutsDiffer` for unequal layouts, `BucketsInvalid` if there is neither a slice
        nor `layout`, `ColumnsInvalid` for another number of times than slices.
        """
        if layout is None:
            if not intervals:
                raise BucketsInvalid(
                    "no interval and no layout: there is nothing to say what the buckets are"
                )
            layout = intervals[0].layout
        for position, interval in enumerate(intervals):
            if interval.layout != layout:
                raise LayoutsDiffer(
                    f"interval {position} has {interval.layout}, the intervals before it {layout}"
                )
        counted = [set(interval.pins) for interval in intervals if interval.count] or [
            set(interval.pins) for interval in intervals
        ]
        thresholds = tuple(sorted(set.intersection(*counted))) if counted else ()
        filled = [_sort_buckets(interval.counts) for interval in intervals]
        lengths = np.fromiter((buckets.indices.size for buckets in filled), np.int64, len(filled))
        return IntervalRecords(
            layout=layout,
            start_ns=np.asarray(start_ns, dtype=np.int64),
            duration_ns=np.asarray(duration_ns, dtype=np.int64),
            offsets=np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths))),
            indices=_concatenate([buckets.indices for buckets in filled]),
            counts=_concatenate([buckets.counts for buckets in filled]),
            errors=_column([interval.misses.errors for interval in intervals]),
            timeouts=_column([interval.misses.timeouts for interval in intervals]),
            unfinished=_column([interval.misses.unfinished for interval in intervals]),
            sum_ns=_column([interval.sum_ns for interval in intervals]),
            min_ns=_column([interval.min_ns for interval in intervals]),
            max_ns=_column([interval.max_ns for interval in intervals]),
            thresholds_ns=thresholds,
            pins=np.array(
                [[interval.pins.get(at, 0) for at in thresholds] for interval in intervals], np.int64
            ).reshape(len(intervals), len(thresholds)),
        )

    def distribution(self, position: int) -> LatencyDist:
        """Return the record of the slice at a position, without its times."""
        begin, end = int(self.offsets[position]), int(self.offsets[position + 1])
        return LatencyDist(
            self.layout,
            Counts(self.indices[begin:end].astype(np.int64), self.counts[begin:end].astype(np.int64)),
            pins=dict(zip(self.thresholds_ns, self.pins[position].tolist(), strict=True)),
            misses=Misses(
                int(self.errors[position]), int(self.timeouts[position]), int(self.unfinished[position])
            ),
            sum_ns=_number_or_none(self.sum_ns[position]),
            min_ns=_number_or_none(self.min_ns[position]),
            max_ns=_number_or_none(self.max_ns[position]),
        )

    def total(self) -> LatencyDist:
        """Return the sum of all slices; an empty record without slices."""
        if self.size == 0:
            none = np.empty(0, np.int64)
            return LatencyDist(self.layout, Counts(none, none))
        return self.grouped(np.zeros(self.size, np.int64)).distribution(0)

    def selected(self, rows: Int64s) -> "IntervalRecords":
        """Return the slices `rows`, which are a mask or positions in any order, repeats allowed."""
        chosen = np.arange(self.size)[rows]
        if np.array_equal(chosen, np.arange(self.size)):
            return self
        offsets, entries = positions_of(self.offsets, chosen)
        return replace(
            self,
            offsets=offsets,
            indices=self.indices[entries],
            counts=self.counts[entries],
            pins=self.pins[chosen],
            optional_columns={name: column[chosen] for name, column in self.optional_columns.items()},
            **{name: getattr(self, name)[chosen] for name in NUMBERS},
        )

    def grouped(self, groups: Int64s) -> "IntervalRecords":
        """Return the sums of slices with the same number in `groups`, by ascending number. Each is from its
        first start to its last end, gaps included. Raise BucketsInvalid unless each slice has a number.
        """
        if groups.shape != (self.size,):
            raise BucketsInvalid(f"{groups.size} group numbers for {self.size} intervals")
        if self.size == 0:
            return self
        _, group_of_slice = np.unique(groups, return_inverse=True)
        lengths, indices, counts = added(self.offsets, self.indices, self.counts, group_of_slice)
        order = np.argsort(group_of_slice, kind="stable")
        begins = np.searchsorted(group_of_slice[order], np.arange(lengths.size))
        columns = {name: getattr(self, name)[order] for name in NUMBERS}
        durations_ns = columns["duration_ns"]
        # Sums and extremes of a slice without latencies do not count.
        silent = np.diff(self.offsets)[order] == 0
        start_ns = np.minimum.reduceat(columns["start_ns"], begins)
        duration_ns = np.maximum.reduceat(columns["start_ns"] + durations_ns, begins) - start_ns
        return IntervalRecords(
            layout=self.layout,
            start_ns=start_ns,
            duration_ns=duration_ns,
            offsets=np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths))),
            indices=indices,
            counts=counts,
            errors=np.add.reduceat(columns["errors"], begins),
            timeouts=np.add.reduceat(columns["timeouts"], begins),
            unfinished=np.add.reduceat(columns["unfinished"], begins),
            sum_ns=combined(np.add, columns["sum_ns"], silent, begins, neutral=0, missing=UNKNOWN),
            min_ns=combined(np.minimum, columns["min_ns"], silent, begins, neutral=NEVER_NS, missing=UNKNOWN),
            max_ns=combined(np.maximum, columns["max_ns"], silent, begins, neutral=UNKNOWN, missing=UNKNOWN),
            thresholds_ns=self.thresholds_ns,
            pins=np.add.reduceat(self.pins[order], begins, axis=0),
            optional_columns={
                column.name: rolled(
                    column, self.optional_columns[column.name][order], begins, durations_ns, duration_ns
                )
                for column in OPTIONAL_COLUMNS
            },
        )

    def sliced(self, length_ns: int, *, full_only: bool) -> "IntervalRecords":
        """Return the slices summed to slices of `length_ns` from the start of the run; each counts where it
        starts, and a sum has the times of its parts. `full_only` leaves out a sum if half a median recorded
        slice or more of it is not covered, so that clocks may jitter. Raise `SliceTooShort` for a recorded
        slice over 1.5 times `length_ns`, or a length of 0 or less.
        """
        if length_ns <= 0:
            raise SliceTooShort(f"a slice of {length_ns} ns has no length")
        if self.size == 0:
            return self
        longest = int(self.duration_ns.max())
        if longest > _JITTER * length_ns:
            raise SliceTooShort(f"an interval of {longest} ns cannot be put into slices of {length_ns} ns")
        groups = self.start_ns // length_ns
        if not full_only:
            return self.grouped(groups)
        covered = self._covered_ns(length_ns)
        missing = 2 * (length_ns - covered) >= int(np.median(self.duration_ns))
        is_full = ~missing | (covered >= length_ns)
        rows = np.flatnonzero(is_full[groups])
        return self.selected(rows).grouped(groups[rows])

    def over(self, threshold_ns: int) -> tuple[Int64s, Int64s]:
        """Return bounds of the operations, with misses, at or over a threshold: two arrays by slice."""
        if threshold_ns in self.thresholds_ns:
            exact = self.pins[:, self.thresholds_ns.index(threshold_ns)] + self.misses
            return exact, exact
        first, lower_at, upper_at = self._edges()
        later_ns = self.layout.edge_tolerance_ns
        certain_from = first + int(np.searchsorted(lower_at, threshold_ns - later_ns, side="left"))
        possible_from = first + int(np.searchsorted(upper_at, threshold_ns, side="right"))
        least = row_sums(np.where(self.indices >= certain_from, self.counts, 0), self.offsets)
        most = least
        if possible_from != certain_from:
            most = row_sums(np.where(self.indices >= possible_from, self.counts, 0), self.offsets)
        for column, at_ns in enumerate(self.thresholds_ns):
            if at_ns > threshold_ns:
                least = np.maximum(least, self.pins[:, column])
            else:
                most = np.minimum(most, self.pins[:, column])
        all_over = (self.min_ns != UNKNOWN) & (self.min_ns >= threshold_ns)
        least = np.where(all_over, self.count, least) if all_over.any() else least
        most = np.where((self.max_ns != UNKNOWN) & (self.max_ns < threshold_ns), 0, most)
        misses = self.misses
        return least + misses, most + misses

    def most_over(self, thresholds_ns: Int64s) -> Int64s:
        """Return the upper bounds of `over`: a row for each ascending threshold, a column for each slice."""
        first, _, upper_at = self._edges()
        possible = first + np.searchsorted(upper_at, thresholds_ns, side="right")
        steps = thresholds_ns.size + 1
        # The number of thresholds that each bucket may be over.
        passed = np.searchsorted(possible, np.arange(first, first + upper_at.size), side="right")
        most = np.empty((thresholds_ns.size, self.size), np.int64)
        for begin in range(0, self.size, _SLICES_AT_ONCE):
            end = min(begin + _SLICES_AT_ONCE, self.size)
            entries = slice(int(self.offsets[begin]), int(self.offsets[end]))
            interval = np.repeat(np.arange(end - begin), np.diff(self.offsets[begin : end + 1]))
            keys = interval * steps + passed[self.indices[entries] - first]
            # Whole numbers far below 2^53, so that sums of doubles are exact.
            counted = np.bincount(keys, self.counts[entries], (end - begin) * steps)
            rows = counted.astype(np.int64).reshape(end - begin, steps)
            most[:, begin:end] = np.cumsum(rows[:, :0:-1], axis=1)[:, ::-1].T
        misses = self.misses
        for row, threshold_ns in enumerate(thresholds_ns.tolist()):
            if threshold_ns in self.thresholds_ns:
                most[row] = self.pins[:, self.thresholds_ns.index(threshold_ns)]
                continue
            for column, at_ns in enumerate(self.thresholds_ns):
                if at_ns < threshold_ns:
                    np.minimum(most[row], self.pins[:, column], out=most[row])
            most[row][(self.max_ns != UNKNOWN) & (self.max_ns < threshold_ns)] = 0
        most += misses
        return most

    def latency_sums(self, ceiling_ns: float = np.inf) -> tuple[Floats, Floats, float]:
        """Return for each slice the sum (ns) and the sum of squares (ns²) of its latencies, and the largest
        latency of all (ns; 0 without any). Latencies are the lower edges of `cells`, at most `ceiling_ns`.
        """
        cut = self._cut_buckets()
        cells, (first, lower_at, _) = cut.cells(), self._edges()
        by_bucket, by_cell = (np.minimum(edges, ceiling_ns) for edges in (lower_at, cells.lower_ns))
        sums = [
            self.bucket_sums(first, by_bucket**power)
            - cut.bucket_sums(first, by_bucket**power)
            + np.bincount(cells.interval_no, by_cell**power * cells.count, self.size)
            for power in (1, 2)
        ]
        return sums[0], sums[1], max(by_bucket.max(initial=0.0), by_cell.max(initial=0.0))

    def bucket_sums(self, first: int, values: Floats) -> Floats:
        """Return the sum of a value over each slice's operations; `values` are by bucket from `first` on."""
        sums = np.zeros(self.size)
        for begin in range(0, self.size, _SLICES_AT_ONCE):
            offsets = self.offsets[begin : begin + _SLICES_AT_ONCE + 1]
            entries = slice(int(offsets[0]), int(offsets[-1]))
            sums[begin : begin + _SLICES_AT_ONCE] = row_sums(
                values[self.indices[entries] - first] * self.counts[entries], offsets - offsets[0]
            )
        return sums

    def _cut_buckets(self) -> "IntervalRecords":
        """Return only the buckets that `cells` may cut: the first of each slice, and those around a
        threshold. Their pins count operations of these buckets alone.
        """
        first, lower_at, upper_at = self._edges()
        inside = {
            column: is_inside
            for column, at_ns in enumerate(self.thresholds_ns)
            if (is_inside := (lower_at < at_ns) & (at_ns < upper_at)).any()
        }
        entries = self.offsets[:-1][np.diff(self.offsets) > 0]
        if inside:
            is_cut = np.logical_or.reduce(list(inside.values()))
            entries = np.union1d(entries, np.flatnonzero(is_cut[self.indices - first]))
        cut = replace(
            self,
            offsets=np.searchsorted(entries, self.offsets),
            indices=self.indices[entries],
            counts=self.counts[entries],
            pins=np.zeros_like(self.pins),
        )
        for column in inside:
            is_over = (lower_at >= self.thresholds_ns[column]).astype(np.float64)
            left_out = self.bucket_sums(first, is_over) - cut.bucket_sums(first, is_over)
            cut.pins[:, column] = self.pins[:, column] - left_out.astype(np.int64)
        return cut

    def cells(self) -> IntervalCells:
        """Return the filled buckets of all slices, cut at pins (unless edges have a tolerance) and extremes.
        Raise PinsContradictBuckets if a pin contradicts its bucket.
        """
        lengths = np.diff(self.offsets)
        interval_no = np.repeat(np.arange(self.size), lengths)
        first, lower_at, upper_at = self._edges()
        lower, upper = lower_at[self.indices - first], upper_at[self.indices - first]
        some = np.flatnonzero(lengths)
        begins, ends = self.offsets[some], self.offsets[some + 1] - 1
        least, most = self.min_ns[some], self.max_ns[some]
        lower[begins] = np.where((least > lower[begins]) & (least < upper[begins]), least, lower[begins])
        upper[ends] = np.where((most >= lower[ends]) & (most < upper[ends]), most + 1, upper[ends])
        later_ns = self.layout.edge_tolerance_ns
        if later_ns:
            # Exact counters cannot cut buckets with inexact edges; wider cells remain correct.
            return IntervalCells(
                interval_no, lower, np.where(upper == NEVER_NS, upper, upper + later_ns), self.counts
            )
        cells = IntervalCells(interval_no, lower, upper, self.counts)
        for column, at_ns in enumerate(self.thresholds_ns):
            cells = cut_at(cells, at_ns, self.pins[:, column])
        return cells

    def _edges(self) -> tuple[int, Int64s, Int64s]:
        """Return the smallest index in use, and the lower and upper edges in ns of every bucket from there to
        the largest in use; 0 and empty arrays if no bucket is filled.
        """
        if self.indices.size == 0:
            none = np.empty(0, np.int64)
            return 0, none, none
        first, last = int(self.indices.min()), int(self.indices.max())
        return first, *self.layout.edges_ns(np.arange(first, last + 1, dtype=np.int64))

    def _covered_ns(self, length_ns: int) -> Int64s:
        """Return how much (ns) of each slice of `length_ns`, numbered from the start of the run, recorded
        slices cover; none of these may be longer than 1.5 times `length_ns`.
        """
        ends = self.start_ns + self.duration_ns
        groups = self.start_ns // length_ns
        covered = np.zeros(int((ends // length_ns).max()) + 2, dtype=np.int64)
        for further in range(int(np.ceil(_JITTER)) + 1):
            begin = np.maximum(self.start_ns, (groups + further) * length_ns)
            end = np.minimum(ends, (groups + further + 1) * length_ns)
            reached = end > begin
            np.add.at(covered, (groups + further)[reached], (end - begin)[reached])
        return covered


class SliceTooShort(DomainError):
    """The requested slice length is 0 or less, or a recorded slice is longer than 1.5 times it."""


def _sort_buckets(counts: Counts) -> Counts:
    """Return the buckets with a count over 0, ascending by index."""
    filled = np.flatnonzero(counts.counts)
    order = filled[np.argsort(counts.indices[filled], kind="stable")]
    return Counts(counts.indices[order], counts.counts[order])


def _concatenate(parts: Sequence[Int64s]) -> Int64s:
    """Return the arrays joined to one; empty for none."""
    return np.concatenate(parts).astype(np.int64) if parts else np.empty(0, np.int64)


def _column(values: Sequence[int | None]) -> Int64s:
    """Return the values as an array with `UNKNOWN` for None."""
    return np.array([UNKNOWN if value is None else value for value in values], dtype=np.int64)


def _number_or_none(value: np.int64) -> int | None:
    """Return a number of a column as an int; None for `UNKNOWN`."""
    return None if value == UNKNOWN else int(value)
