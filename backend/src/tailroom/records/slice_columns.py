"""Columns of consecutive intervals or slices of one series, and how they are added up exactly.

Intervals and slices hold the same numbers, so both are read into the same columns: a slice is the sum of
intervals, a larger slice the sum of smaller ones. Everything is whole numbers, so the order of adding
changes nothing.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tailroom.domain.latency.histogram import Counts, CountsBatch, decode_many, payload_layout, sums_in_parts
from tailroom.domain.latency.interval import COLUMNS, SLICE_COLUMNS, UNKNOWN, RollupRule
from tailroom.domain.latency.interval_sums import added, rolled
from tailroom.domain.latency.layouts import BucketLayout
from tailroom.domain.verdicts.validity import late_limit_ns, unreliable_slices

Int64s = npt.NDArray[np.int64]

_BY_NAME = {column.name: column for column in (*COLUMNS, *SLICE_COLUMNS)}


@dataclass(frozen=True, slots=True, eq=False)
class SliceColumns:
    """Intervals or slices of a series in order of time, as columns.

    `numbers` has the columns of domain.latency.interval; each is also an attribute. `pins` is an array of
    rows by thresholds; `histograms` are packed, None where a row has none.
    """

    numbers: Mapping[str, Int64s]
    pins: Int64s
    histograms: tuple[bytes | None, ...]

    def __getattr__(self, name: str) -> Int64s:
        try:
            return self.numbers[name]
        except KeyError:
            raise AttributeError(name) from None

    def having(self, pins: Int64s | None = None, **numbers: Int64s) -> "SliceColumns":
        """Return a copy with other values in some columns."""
        return SliceColumns({**self.numbers, **numbers}, self.pins if pins is None else pins, self.histograms)

    def at(self, rows: Int64s) -> "SliceColumns":
        """Return the rows at these positions."""
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
        """End of each row."""
        return self.start_ns + self.duration_ns

    @property
    def misses(self) -> Int64s:
        """Number of errors, time-outs and unfinished operations of each row."""
        return self.errors + self.timeouts + self.unfinished

    def buckets(self, layout: BucketLayout) -> "BucketCounts":
        """Return the buckets of every row; rows without histogram have none."""
        positions = [i for i, payload in enumerate(self.histograms) if payload is not None]
        payloads = [payload for payload in self.histograms if payload is not None]
        batch = decode_many(payloads, payload_layout(layout))
        each = np.zeros(self.size, np.int64)
        each[positions] = batch.each
        return BucketCounts(_offsets(each), batch.indices, batch.counts)


@dataclass(frozen=True, slots=True, eq=False)
class BucketCounts:
    """Filled buckets of rows, ascending inside a row; row `i` from `offsets[i]` to `offsets[i + 1]`."""

    offsets: Int64s
    indices: Int64s
    counts: Int64s

    @staticmethod
    def none(rows: int) -> "BucketCounts":
        """Return counts for rows without buckets."""
        empty = np.empty(0, np.int64)
        return BucketCounts(np.zeros(rows + 1, np.int64), empty, empty)

    def of(self, row: int) -> Counts:
        """Return the buckets of one row."""
        begin, end = int(self.offsets[row]), int(self.offsets[row + 1])
        return Counts(self.indices[begin:end], self.counts[begin:end])

    def behind(self, earlier: "BucketCounts") -> "BucketCounts":
        """Return the rows of `earlier`, followed by these."""
        return BucketCounts(
            np.concatenate((earlier.offsets, self.offsets[1:] + earlier.offsets[-1])),
            np.concatenate((earlier.indices, self.indices)),
            np.concatenate((earlier.counts, self.counts)),
        )

    def ordered(self, order: Int64s) -> "BucketCounts":
        """Return the same rows in another order."""
        lengths = np.diff(self.offsets)[order]
        offsets = _offsets(lengths)
        entries = np.arange(int(offsets[-1])) + np.repeat(self.offsets[order] - offsets[:-1], lengths)
        return BucketCounts(offsets, self.indices[entries], self.counts[entries])


_ZERO = np.zeros(1, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Sum:
    """Exact sum of the rows of a group, with its number; `numbers` has the columns of the rows."""

    group: int
    numbers: dict[str, int]
    pins: Int64s
    counts: Counts

    def known(self, name: str) -> int | None:
        """Return a number; None if it is unknown."""
        unknown = _BY_NAME[name].storage.unknown
        value = self.numbers.get(name, unknown)
        return None if value == unknown else value


def with_unreliable_counts(
    numbers: Mapping[str, Int64s], thresholds_ns: Collection[int]
) -> dict[str, Int64s]:
    """Return the columns with the numbers of late and busy intervals, by the limits of the series."""
    start_ns = numbers["start_ns"]
    limit_ns = late_limit_ns(thresholds_ns)
    doubts = unreliable_slices(
        numbers["lateness_p99_ns"], numbers["busy_ns"], numbers["duration_ns"], limit_ns
    )
    return {
        **numbers,
        "interval_count": np.ones_like(start_ns),
        "busy_ppm": doubts.busy_ppm,
        "late_intervals": doubts.late.astype(np.int64),
        "busy_intervals": doubts.busy.astype(np.int64),
        "doubtful_intervals": doubts.any.astype(np.int64),
    }


def with_late_limit(slices: SliceColumns, limit_ns: int) -> SliceColumns:
    """Return the slices with the numbers of late and unreliable intervals counted by another lateness limit.

    A piece of several intervals keeps the number of them that were late where its latest one still is.
    """
    is_late = slices.lateness_p99_ns > limit_ns
    late = np.where(is_late, np.maximum(slices.late_intervals, 1), 0)
    doubtful = np.where(is_late, np.maximum(slices.doubtful_intervals, late), slices.busy_intervals)
    return slices.having(late_intervals=late, doubtful_intervals=doubtful)


def empty_slices(pin_count: int) -> SliceColumns:
    """Return slices without rows, with this many thresholds."""
    none = np.empty(0, np.int64)
    return SliceColumns(
        {column.name: none for column in SLICE_COLUMNS}, np.empty((0, pin_count), np.int64), ()
    )


def joined(parts: Sequence[SliceColumns]) -> SliceColumns:
    """Return rows of several parts of the same thresholds, one after the other, with the columns of
    slices.
    """
    return SliceColumns(
        {
            column.name: np.concatenate([part.numbers[column.name] for part in parts])
            for column in SLICE_COLUMNS
        },
        np.concatenate([part.pins for part in parts]),
        tuple(payload for part in parts for payload in part.histograms),
    )


def sums(slices: SliceColumns, groups: Int64s, layout: BucketLayout | None) -> list[Sum]:
    """Return the sum of the rows of each group, ascending.

    `groups`: number of the group of each row. Without a layout histograms are left out.
    """
    if layout is None:
        keys, totals, merged = added_up(slices, BucketCounts.none(slices.size), groups)
    else:
        keys, totals, merged = read_and_added_up(slices, layout, groups)
    rows = zip(*(column.tolist() for column in totals.numbers.values()), strict=True)
    return [
        Sum(key, dict(zip(totals.numbers, row, strict=True)), totals.pins[i], merged.of(i))
        for i, (key, row) in enumerate(zip(keys.tolist(), rows, strict=True))
    ]


def read_and_added_up(
    slices: SliceColumns, layout: BucketLayout, groups: Int64s
) -> tuple[Int64s, SliceColumns, BucketCounts]:
    """Return as `added_up` the group numbers, sums and buckets, with the buckets of the rows' histograms.

    Histograms are decoded in parts, and each is added as soon as it is read.
    """
    if not slices.size or (np.diff(groups) < 0).any():
        return added_up(slices, slices.buckets(layout), groups)
    order, begins = np.arange(slices.size), _begins(groups)
    return groups[begins], _totals(slices, order, begins), _read_and_added(slices.histograms, layout, begins)


def added_up(
    slices: SliceColumns, buckets: BucketCounts, groups: Int64s
) -> tuple[Int64s, SliceColumns, BucketCounts]:
    """Return the group numbers, ascending, the sum of the rows of each group, without histograms, and the
    sums of their buckets.

    `groups`: number of the group of each row.
    """
    if not slices.size:
        return groups, SliceColumns(slices.numbers, slices.pins, ()), buckets
    order = np.argsort(groups, kind="stable")
    if (np.diff(groups) < 0).any():
        buckets = buckets.ordered(order)
    keys = groups[order]
    begins = _begins(keys)
    return keys[begins], _totals(slices, order, begins), _added(buckets, begins)


def _begins(keys: Int64s) -> Int64s:
    """Return where each group of ascending numbers begins."""
    return np.concatenate((_ZERO, np.flatnonzero(np.diff(keys)) + 1))


def _totals(slices: SliceColumns, order: Int64s, begins: Int64s) -> SliceColumns:
    """Return the sums of every group; the rows of a group begin in `order` at its entry of `begins`."""
    pins = np.add.reduceat(slices.pins[order], begins, axis=0)
    return SliceColumns(_numbers(slices, order, begins), pins, (None,) * begins.size)


def _added(buckets: BucketCounts, begins: Int64s) -> BucketCounts:
    """Return the sums of the buckets of consecutive rows; each group begins at a row of `begins`."""
    lengths, indices, counts = added(buckets.offsets, buckets.indices, buckets.counts, begins)
    return BucketCounts(_offsets(lengths), indices, counts)


def _offsets(lengths: Int64s) -> Int64s:
    """Return where each row begins, and the end of the last, from the lengths of the rows."""
    return np.concatenate((_ZERO, np.cumsum(lengths)))


def _read_and_added(histograms: Sequence[bytes | None], layout: BucketLayout, begins: Int64s) -> BucketCounts:
    """Return the sums of consecutive groups of histograms; a group that two parts share is added up again."""
    filled = np.flatnonzero([payload is not None for payload in histograms])
    payloads = [payload for payload in histograms if payload is not None]
    group_of = np.searchsorted(begins, filled, side="right") - 1
    parts: list[CountsBatch] = []
    groups: list[Int64s] = []
    for numbers, sums_of_part in sums_in_parts(payloads, payload_layout(layout), group_of):
        groups.append(numbers)
        parts.append(sums_of_part)
    if not parts:
        return BucketCounts.none(begins.size)
    counts = np.concatenate(groups)
    lengths = np.concatenate([part.each for part in parts])
    together = BucketCounts(
        _offsets(lengths),
        np.concatenate([part.indices for part in parts]),
        np.concatenate([part.counts for part in parts]),
    )
    of_groups = _begins(counts)
    if of_groups.size < counts.size:
        together, counts = _added(together, of_groups), counts[of_groups]
    all_lengths = np.zeros(begins.size, np.int64)
    all_lengths[counts] = np.diff(together.offsets)
    return BucketCounts(_offsets(all_lengths), together.indices, together.counts)


def _numbers(slices: SliceColumns, order: Int64s, begins: Int64s) -> dict[str, Int64s]:
    """Return the sums of every group; the rows of a group begin in `order` at its entry of `begins`."""

    start_ns, duration_ns = slices.start_ns[order], slices.duration_ns[order]
    first_ns = np.minimum.reduceat(start_ns, begins)
    length_ns = np.maximum.reduceat(start_ns + duration_ns, begins) - first_ns
    numbers: dict[str, Int64s] = {}
    # Rows without latencies have nothing to say about sums and ends; of the others all must know them.
    silent = slices.count[order] == 0
    for name, column in slices.numbers.items():
        values = column[order]
        match _BY_NAME[name].storage.rolls:
            case RollupRule.FIRST:
                numbers[name] = first_ns
            case RollupRule.SPAN:
                numbers[name] = length_ns
            case RollupRule.SUM_OF_FILLED | RollupRule.MIN_OF_FILLED | RollupRule.MAX_OF_FILLED as rolls:
                join, of_silent = _OF_FILLED[rolls]
                unknown = np.logical_or.reduceat((values == UNKNOWN) & ~silent, begins)
                numbers[name] = join.reduceat(np.where(silent, of_silent, values), begins)
                numbers[name][unknown] = UNKNOWN
            case _:
                numbers[name] = rolled(_BY_NAME[name], values, begins, duration_ns, length_ns)
    numbers["min_ns"][np.logical_and.reduceat(silent, begins)] = UNKNOWN
    return numbers


_OF_FILLED: dict[RollupRule, tuple[np.ufunc, int]] = {
    RollupRule.SUM_OF_FILLED: (np.add, 0),
    RollupRule.MIN_OF_FILLED: (np.minimum, np.iinfo(np.int64).max),
    RollupRule.MAX_OF_FILLED: (np.maximum, UNKNOWN),
}
