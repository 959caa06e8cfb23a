"""Columns of consecutive intervals or slices of one series, and their exact sums.

A slice is the sum of intervals, a larger slice the sum of smaller slices, so that all have the same columns.
All numbers are integers, so the order of adding does not matter.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tailroom.domain.latency.histogram import Counts, CountsBatch, decode_many, payload_layout, sums_in_parts
from tailroom.domain.latency.interval import COLUMNS, SLICE_COLUMNS, UNKNOWN, RollupRule
from tailroom.domain.latency.interval_sums import added, positions_of, rolled
from tailroom.domain.latency.layouts import BucketLayout
from tailroom.domain.verdicts.validity import late_limit_ns, unreliable_slices

Int64s = npt.NDArray[np.int64]

_BY_NAME = {column.name: column for column in (*COLUMNS, *SLICE_COLUMNS)}


@dataclass(frozen=True, slots=True, eq=False)
class SliceColumns:
    """Intervals or slices of a series in order of time. `numbers` has the columns of domain.latency.interval;
    each is also an attribute. `pins` has the exact counts by row and threshold; `histograms` are packed, None
    if a row has none.
    """

    numbers: Mapping[str, Int64s]
    pins: Int64s
    histograms: tuple[bytes | None, ...]

    def __getattr__(self, name: str) -> Int64s:
        """Return the column of this name in `numbers`. Raise AttributeError if there is none."""
        try:
            return self.numbers[name]
        except KeyError:
            raise AttributeError(name) from None

    def with_columns(self, pins: Int64s | None = None, **numbers: Int64s) -> "SliceColumns":
        """Return a copy with other values in these columns (pins None: the same); other columns stay."""
        return SliceColumns({**self.numbers, **numbers}, self.pins if pins is None else pins, self.histograms)

    def take(self, rows: Int64s) -> "SliceColumns":
        """Return the rows at these positions, in their order."""
        return SliceColumns(
            {name: column[rows] for name, column in self.numbers.items()},
            self.pins[rows],
            tuple(self.histograms[row] for row in rows.tolist()),
        )

    @property
    def size(self) -> int:
        """Number of rows."""
        return int(self.pins.shape[0])

    @property
    def end_ns(self) -> Int64s:
        """End of each row, in ns since the start of the run."""
        return self.start_ns + self.duration_ns

    @property
    def misses(self) -> Int64s:
        """Number of errors, time-outs and unfinished operations of each row."""
        return self.errors + self.timeouts + self.unfinished

    def buckets(self, layout: BucketLayout) -> "BucketCounts":
        """Return the buckets of every row; rows without histogram have none."""
        bucket_counts, batch = decode_rows(self.histograms, layout)
        return BucketCounts(_offsets(bucket_counts), batch.indices, batch.counts)


@dataclass(frozen=True, slots=True, eq=False)
class BucketCounts:
    """Filled buckets of many rows, ascending; those of row `i` are from `offsets[i]` to `offsets[i + 1]`."""

    offsets: Int64s
    indices: Int64s
    counts: Int64s

    @staticmethod
    def none(rows: int) -> "BucketCounts":
        """Return counts for this number of rows, all without buckets."""
        empty = np.empty(0, np.int64)
        return BucketCounts(np.zeros(rows + 1, np.int64), empty, empty)

    def of(self, row: int) -> Counts:
        """Return the buckets of one row."""
        begin, end = int(self.offsets[row]), int(self.offsets[row + 1])
        return Counts(self.indices[begin:end], self.counts[begin:end])

    def followed_by(self, later: "BucketCounts") -> "BucketCounts":
        """Return these rows and then those of `later`."""
        return BucketCounts(
            np.concatenate((self.offsets, later.offsets[1:] + self.offsets[-1])),
            np.concatenate((self.indices, later.indices)),
            np.concatenate((self.counts, later.counts)),
        )

    def take(self, order: Int64s) -> "BucketCounts":
        """Return the buckets of the rows at these positions, in their order."""
        offsets, entries = positions_of(self.offsets, order)
        return BucketCounts(offsets, self.indices[entries], self.counts[entries])


_ZERO = np.zeros(1, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Sum:
    """The exact sum of the rows of a group with the number `group`: each column by its own rule, `pins` the
    counts at or over each threshold, `counts` the buckets.
    """

    group: int
    numbers: dict[str, int]
    pins: Int64s
    counts: Counts

    def get(self, name: str) -> int | None:
        """Return the value of a column; None if it is unknown."""
        unknown = _BY_NAME[name].storage.unknown
        value = self.numbers.get(name, unknown)
        return None if value == unknown else value

    @property
    def end_ns(self) -> int:
        """End of the last row, in ns since the start of the run; 0 if it is unknown."""
        start_ns, duration_ns = self.get("start_ns"), self.get("duration_ns")
        return 0 if start_ns is None or duration_ns is None else start_ns + duration_ns


def with_unreliable_counts(
    numbers: Mapping[str, Int64s], thresholds_ns: Collection[int]
) -> dict[str, Int64s]:
    """Return the columns of intervals with those that slices have besides: `interval_count` (1), `busy_ppm`,
    and whether the interval is late, busy or either (0 or 1).
    """
    start_ns = numbers["start_ns"]
    limit_ns = late_limit_ns(thresholds_ns)
    unreliable = unreliable_slices(
        numbers["lateness_p99_ns"], numbers["busy_ns"], numbers["duration_ns"], limit_ns
    )
    return {
        **numbers,
        "interval_count": np.ones_like(start_ns),
        "busy_ppm": unreliable.busy_ppm,
        "late_intervals": unreliable.late.astype(np.int64),
        "busy_intervals": unreliable.busy.astype(np.int64),
        "doubtful_intervals": unreliable.any.astype(np.int64),
    }


def with_late_limit(slices: SliceColumns, limit_ns: int) -> SliceColumns:
    """Return the slices with late and unreliable intervals by another lateness limit. A slice whose largest
    lateness exceeds it keeps its count of late intervals, but at least 1; other slices have none.
    """
    is_late = slices.lateness_p99_ns > limit_ns
    late = np.where(is_late, np.maximum(slices.late_intervals, 1), 0)
    unreliable = np.where(is_late, np.maximum(slices.doubtful_intervals, late), slices.busy_intervals)
    return slices.with_columns(late_intervals=late, doubtful_intervals=unreliable)


def empty_slices(pin_count: int) -> SliceColumns:
    """Return slices without rows, with `pin_count` thresholds."""
    none = np.empty(0, np.int64)
    return SliceColumns(
        {column.name: none for column in SLICE_COLUMNS}, np.empty((0, pin_count), np.int64), ()
    )


def concatenate(parts: Sequence[SliceColumns]) -> SliceColumns:
    """Return the rows of all parts, with equal thresholds, in sequence, with the columns of slices."""
    return SliceColumns(
        {
            column.name: np.concatenate([part.numbers[column.name] for part in parts])
            for column in SLICE_COLUMNS
        },
        np.concatenate([part.pins for part in parts]),
        tuple(payload for part in parts for payload in part.histograms),
    )


def decode_rows(histograms: Sequence[bytes | None], layout: BucketLayout) -> tuple[Int64s, CountsBatch]:
    """Return the number of filled buckets of each row (0 without histogram), and the buckets of all rows."""
    filled = np.flatnonzero([payload is not None for payload in histograms])
    batch = decode_many([payload for payload in histograms if payload is not None], payload_layout(layout))
    bucket_counts = np.zeros(len(histograms), np.int64)
    bucket_counts[filled] = batch.each
    return bucket_counts, batch


def sums(slices: SliceColumns, groups: Int64s, layout: BucketLayout | None) -> list[Sum]:
    """Return the sum of the rows of each group number, ascending, without buckets if there is no layout."""
    if layout is None:
        keys, totals, merged = sum_groups(slices, BucketCounts.none(slices.size), groups)
    else:
        keys, totals, merged = decode_and_sum_groups(slices, layout, groups)
    rows = zip(*(column.tolist() for column in totals.numbers.values()), strict=True)
    return [
        Sum(key, dict(zip(totals.numbers, row, strict=True)), totals.pins[i], merged.of(i))
        for i, (key, row) in enumerate(zip(keys.tolist(), rows, strict=True))
    ]


def decode_and_sum_groups(
    slices: SliceColumns, layout: BucketLayout, groups: Int64s
) -> tuple[Int64s, SliceColumns, BucketCounts]:
    """Return `sum_groups` with the buckets of histograms, in parts to save memory if groups ascend."""
    if not slices.size or (np.diff(groups) < 0).any():
        return sum_groups(slices, slices.buckets(layout), groups)
    order, begins = np.arange(slices.size), _group_starts(groups)
    return groups[begins], _totals(slices, order, begins), _sum_histograms(slices.histograms, layout, begins)


def sum_groups(
    slices: SliceColumns, buckets: BucketCounts, groups: Int64s
) -> tuple[Int64s, SliceColumns, BucketCounts]:
    """Return the ascending group numbers, and the sums of the rows and of the buckets of each."""
    if not slices.size:
        return groups, SliceColumns(slices.numbers, slices.pins, ()), buckets
    order = np.argsort(groups, kind="stable")
    if (np.diff(groups) < 0).any():
        buckets = buckets.take(order)
    keys = groups[order]
    begins = _group_starts(keys)
    return keys[begins], _totals(slices, order, begins), _sum_buckets(buckets, begins)


def _group_starts(keys: Int64s) -> Int64s:
    """Return the position at which each group of equal numbers begins; `keys` ascend and are not empty."""
    return np.concatenate((_ZERO, np.flatnonzero(np.diff(keys)) + 1))


def _totals(slices: SliceColumns, order: Int64s, begins: Int64s) -> SliceColumns:
    """Return the sums of every group; the rows of a group begin in `order` at its entry of `begins`."""
    pins = np.add.reduceat(slices.pins[order], begins, axis=0)
    return SliceColumns(_numbers(slices, order, begins), pins, (None,) * begins.size)


def _sum_buckets(buckets: BucketCounts, begins: Int64s) -> BucketCounts:
    """Return the sums of the buckets of consecutive rows; each group begins at a row of `begins`."""
    groups = np.repeat(np.arange(begins.size), np.diff(begins, append=buckets.offsets.size - 1))
    lengths, indices, counts = added(buckets.offsets, buckets.indices, buckets.counts, groups)
    return BucketCounts(_offsets(lengths), indices, counts)


def _offsets(lengths: Int64s) -> Int64s:
    """Return the position at which each row begins, and the end of the last row, from the rows' lengths."""
    return np.concatenate((_ZERO, np.cumsum(lengths)))


def _sum_histograms(histograms: Sequence[bytes | None], layout: BucketLayout, begins: Int64s) -> BucketCounts:
    """Return the sum of the histograms of each group; each group begins at a row of `begins`."""
    filled = np.flatnonzero([payload is not None for payload in histograms])
    payloads = [payload for payload in histograms if payload is not None]
    group_of = np.searchsorted(begins, filled, side="right") - 1
    parts = list(sums_in_parts(payloads, payload_layout(layout), group_of))
    if not parts:
        return BucketCounts.none(begins.size)
    groups = np.concatenate([numbers for numbers, _ in parts])
    merged = BucketCounts(
        _offsets(np.concatenate([batch.each for _, batch in parts])),
        np.concatenate([batch.indices for _, batch in parts]),
        np.concatenate([batch.counts for _, batch in parts]),
    )
    group_begins = _group_starts(groups)
    if group_begins.size < groups.size:
        # A group may be in two parts, so groups are summed again.
        merged, groups = _sum_buckets(merged, group_begins), groups[group_begins]
    lengths = np.zeros(begins.size, np.int64)
    lengths[groups] = np.diff(merged.offsets)
    return BucketCounts(_offsets(lengths), merged.indices, merged.counts)


def _numbers(slices: SliceColumns, order: Int64s, begins: Int64s) -> dict[str, Int64s]:
    """Return the number columns of `_totals`, each rolled up by its declared rule."""
    start_ns, duration_ns = slices.start_ns[order], slices.duration_ns[order]
    first_ns = np.minimum.reduceat(start_ns, begins)
    length_ns = np.maximum.reduceat(start_ns + duration_ns, begins) - first_ns
    numbers: dict[str, Int64s] = {}
    # Rows without latencies do not count for sums and extremes; every other row must have them.
    empty = slices.count[order] == 0
    for name, column in slices.numbers.items():
        values = column[order]
        match _BY_NAME[name].storage.rolls:
            case RollupRule.FIRST:
                numbers[name] = first_ns
            case RollupRule.SPAN:
                numbers[name] = length_ns
            case RollupRule.SUM_OF_FILLED | RollupRule.MIN_OF_FILLED | RollupRule.MAX_OF_FILLED as rule:
                reduction, neutral = _OF_FILLED[rule]
                unknown = np.logical_or.reduceat((values == UNKNOWN) & ~empty, begins)
                numbers[name] = reduction.reduceat(np.where(empty, neutral, values), begins)
                numbers[name][unknown] = UNKNOWN
            case _:
                numbers[name] = rolled(_BY_NAME[name], values, begins, duration_ns, length_ns)
    numbers["min_ns"][np.logical_and.reduceat(empty, begins)] = UNKNOWN
    return numbers


_OF_FILLED: dict[RollupRule, tuple[np.ufunc, int]] = {
    RollupRule.SUM_OF_FILLED: (np.add, 0),
    RollupRule.MIN_OF_FILLED: (np.minimum, np.iinfo(np.int64).max),
    RollupRule.MAX_OF_FILLED: (np.maximum, UNKNOWN),
}
