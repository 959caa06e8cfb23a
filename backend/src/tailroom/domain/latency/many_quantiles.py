"""Quantiles of many records of a layout at once, equal to `LatencyDist.quantile_bounds` of each.

A run has hundreds of slices of a thousand buckets each. Statements (counts below a time) and cells are those
of `cells`, in columns: buckets of all records are consecutive, record `i` from `offsets[i]` to `offsets[i +
1]`, cut at exact counters and at the smallest and largest latency. Only for layouts whose edges are exact.
Source: docs/method.md 1.1.1 and 5.1.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from tailroom.domain.latency.bounds import Bools, Int64s
from tailroom.domain.latency.distribution import quantile_rank
from tailroom.domain.latency.interval import UNKNOWN
from tailroom.domain.latency.interval_sums import row_sums
from tailroom.domain.latency.layouts import NEVER_NS, BucketLayout

_EXACT_SUM = float(1 << 62)
_AT_ONCE = 36
"""Records whose arrays fit the processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """Columns of many records, `UNKNOWN` for unknown sums and extremes. `indices` and `counts` are those of
    all filled buckets, `pins` are by record and threshold, other columns have an entry for each record.
    """

    layout: BucketLayout
    offsets: Int64s
    indices: Int64s
    counts: Int64s
    thresholds_ns: Sequence[int]
    pins: Int64s
    misses: Int64s
    sum_ns: Int64s
    min_ns: Int64s
    max_ns: Int64s

    @property
    def size(self) -> int:
        """Number of records."""
        return int(self.offsets.size - 1)

    def some(self, first: int, end: int) -> "Records":
        """Return the records from `first` to before `end`."""
        offsets = self.offsets[first : end + 1]
        entries, rows = slice(int(offsets[0]), int(offsets[-1])), slice(first, end)
        return replace(
            self,
            offsets=offsets - offsets[0],
            indices=self.indices[entries],
            counts=self.counts[entries],
            pins=self.pins[rows],
            misses=self.misses[rows],
            sum_ns=self.sum_ns[rows],
            min_ns=self.min_ns[rows],
            max_ns=self.max_ns[rows],
        )


@dataclass(frozen=True, slots=True, eq=False)
class ManyQuantiles:
    """Bounds of quantiles in ns (quantiles × records), and columns by record. Both bounds are `UNKNOWN` if
    the record contradicts itself or has too few operations, `upper_ns` also for a quantile among the misses.
    `count` is the number of operations with a latency; without any the lower bound is 0.
    """

    is_consistent: Bools
    count: Int64s
    lower_ns: Int64s
    upper_ns: Int64s


@dataclass(frozen=True, slots=True, eq=False)
class _CutCells:
    """Cells, also empty, of the cut buckets; `bucket` is a position among all records' filled buckets."""

    bucket: Int64s
    lower_ns: Int64s
    upper_ns: Int64s
    begun: Int64s
    """Operations of all records before the cell."""
    ended: Int64s
    """Operations of all records before the end of the cell."""


def many_quantiles(records: Records, quantiles: Sequence[float]) -> ManyQuantiles | None:
    """Return bounds in ns of each quantile of each record; None if a filled bucket is open or a sum of
    latencies may exceed 2^62 ns. Both bounds are `UNKNOWN` for a record that contradicts itself, and if less
    than one operation lies beyond the quantile.
    """
    parts: list[ManyQuantiles] = []
    for first in range(0, max(1, records.size), _AT_ONCE):
        part = _quantiles_of_chunk(records.some(first, first + _AT_ONCE), quantiles)
        if part is None:
            return None
        parts.append(part)
    return ManyQuantiles(
        np.concatenate([part.is_consistent for part in parts]),
        np.concatenate([part.count for part in parts]),
        np.concatenate([part.lower_ns for part in parts], axis=1),
        np.concatenate([part.upper_ns for part in parts], axis=1),
    )


def _quantiles_of_chunk(records: Records, quantiles: Sequence[float]) -> ManyQuantiles | None:
    """Return `many_quantiles` of records that fit the processor's cache; None in the same cases."""
    count = row_sums(records.counts, records.offsets)
    running = np.concatenate((np.zeros(1, np.int64), np.cumsum(records.counts)))
    edges = _edges(records)
    if (edges[1] == NEVER_NS).any():
        return None
    at, below = _statements(records, count)
    is_consistent, inside, bucket = _check_statements(records, running, edges, at, below)
    cut = _cut_buckets(records, running, edges, (at[inside], below[inside], bucket[inside]))
    within = _sums_fit(records, edges, cut)
    if within is None:
        return None
    is_consistent &= within
    total = count + records.misses
    shape = len(quantiles), records.size
    lower, upper = np.full(shape, UNKNOWN, np.int64), np.full(shape, UNKNOWN, np.int64)
    for row, quantile in enumerate(quantiles):
        shown = np.flatnonzero(is_consistent & (total * (1.0 - quantile) >= 1.0 - 1e-9))
        rank = np.array(
            [quantile_rank(quantile, operations) for operations in total[shown].tolist()], np.int64
        )
        is_miss = rank > count[shown]
        lower[row, shown] = 0
        some = count[shown] > 0
        shown, is_miss = shown[some], is_miss[some]
        # A quantile among the misses is at least in the cell of the slowest operation.
        place = running[records.offsets[shown]] + np.minimum(rank[some], count[shown])
        cell_lower, cell_upper = _cell_of(place, running, edges, cut)
        lower[row, shown] = cell_lower
        upper[row, shown] = np.where(is_miss, UNKNOWN, cell_upper)
    return ManyQuantiles(is_consistent, count, lower, upper)


def _cell_of(
    place: Int64s, running: Int64s, edges: tuple[Int64s, Int64s], cut: _CutCells
) -> tuple[Int64s, Int64s]:
    """Return lower and upper edges in ns of the cell of each operation in `place`, numbered from 1 over all
    records. `running` is the number of operations before each filled bucket.
    """
    bucket = np.searchsorted(running[1:], place, side="left")
    lower, upper = edges[0][bucket], edges[1][bucket]
    among_cut = np.searchsorted(cut.ended, place, side="left")
    is_cut = among_cut < cut.bucket.size
    is_cut[is_cut] = cut.bucket[among_cut[is_cut]] == bucket[is_cut]
    lower[is_cut], upper[is_cut] = cut.lower_ns[among_cut[is_cut]], cut.upper_ns[among_cut[is_cut]]
    return lower, upper


def _edges(records: Records) -> tuple[Int64s, Int64s]:
    """Return lower and upper edges in ns of every filled bucket."""
    if records.indices.size == 0:
        return records.indices, records.indices
    first, last = int(records.indices.min()), int(records.indices.max())
    lower_at, upper_at = records.layout.edges_ns(np.arange(first, last + 1, dtype=np.int64))
    place = records.indices - first
    return lower_at[place], upper_at[place]


def _statements(records: Records, count: Int64s) -> tuple[Int64s, Int64s]:
    """Return times in ns and the operations below each, by pins (exact counters), smallest and largest
    latency: a row for each of these, a column for each record. A missing statement is at 0 ns, with a count
    of 0.
    """
    at = [np.full(records.size, threshold_ns, np.int64) for threshold_ns in records.thresholds_ns]
    below = [count - records.pins[:, column] for column in range(len(at))]
    least = np.where((count > 0) & (records.min_ns != UNKNOWN), records.min_ns, 0)
    knows_most = (count > 0) & (records.max_ns != UNKNOWN)
    most = np.where(knows_most, np.minimum(records.max_ns, NEVER_NS - 1) + 1, 0)
    at += [least, most]
    below += [np.zeros(records.size, np.int64), np.where(knows_most, count, 0)]
    return np.array(at), np.array(below)


def _check_statements(
    records: Records, running: Int64s, edges: tuple[Int64s, Int64s], at: Int64s, below: Int64s
) -> tuple[Bools, Bools, Int64s]:
    """Return three results: the mask of the records whose statements fit their buckets and each other, the
    mask of the statements that cut a bucket of such a record, and for each statement the position of the
    first bucket that ends after it. `at` and `below` are from `_statements`; the last two results have their
    shape.
    """
    lower, upper = edges
    first, end = records.offsets[:-1], records.offsets[1:]
    bucket = _first_bucket_after(records.offsets, upper, at)
    exists = bucket < end
    begins = np.where(exists, np.append(lower, 0)[np.minimum(bucket, lower.size)], NEVER_NS)
    inside = exists & (begins < at)
    before = running[bucket] - running[first]
    after = running[np.minimum(bucket + 1, end)] - running[first]
    fits = np.where(inside, (before <= below) & (below <= after), below == before)
    is_consistent = fits.all(axis=0) & (records.misses >= 0)
    for first_kind, second_kind in combinations(range(at.shape[0]), 2):
        step = (below[second_kind] - below[first_kind]) * np.sign(at[second_kind] - at[first_kind])
        same = at[first_kind] == at[second_kind]
        is_consistent &= np.where(same, below[first_kind] == below[second_kind], step >= 0)
    return is_consistent, inside & is_consistent, bucket


def _first_bucket_after(offsets: Int64s, upper: Int64s, at: Int64s) -> Int64s:
    """Return the position of the first bucket that ends after a time, or the end of the record's buckets if
    there is none. `at` and the result have a row for each kind of statement and a column for each record.
    """
    low, high = (np.broadcast_to(ends, at.shape).copy() for ends in (offsets[:-1], offsets[1:]))
    while (is_open := low < high).any():
        middle = (low + high) // 2
        is_after = is_open & (upper[np.minimum(middle, upper.size - 1)] > at)
        high = np.where(is_after, middle, high)
        low = np.where(is_open & ~is_after, middle + 1, low)
    return low


def _cut_buckets(
    records: Records,
    running: Int64s,
    edges: tuple[Int64s, Int64s],
    statements: tuple[Int64s, Int64s, Int64s],
) -> _CutCells:
    """Return the cells of cut buckets; `statements` are times in ns, counts below and bucket positions."""
    at, below, bucket = statements
    of_cut = np.unique(bucket)
    # Cells begin at the lower edge of the bucket, and at every statement in it.
    record = np.searchsorted(records.offsets, bucket, side="right") - 1
    reached = below + running[records.offsets[record]]
    bucket = np.concatenate((of_cut, bucket))
    begins = np.concatenate((edges[0][of_cut], at))
    begun = np.concatenate((running[of_cut], reached))
    order = np.lexsort((begins, bucket))
    bucket, begins, begun = bucket[order], begins[order], begun[order]
    is_last = np.diff(bucket, append=-1) != 0
    ends, ended = np.roll(begins, -1), np.roll(begun, -1)
    ends[is_last], ended[is_last] = edges[1][bucket[is_last]], running[bucket[is_last] + 1]
    return _CutCells(bucket, begins, ends, begun, ended)


def _sums_fit(records: Records, edges: tuple[Int64s, Int64s], cut: _CutCells) -> Bools | None:
    """Return for each record whether its cells allow its sum, True if unknown; None for sums over 2^62 ns."""
    lower, upper = edges
    at_most = float(records.counts.sum()) * float(upper.max(initial=0))
    # Not by `dot`, whose BLAS threads wait for each other where cores are busy.
    if (
        at_most >= _EXACT_SUM
        and float(np.multiply(records.counts, upper, dtype=np.float64).sum()) >= _EXACT_SUM
    ):
        return None
    least, most = (row_sums(records.counts * edge, records.offsets) for edge in (lower, upper))
    counts = cut.ended - cut.begun
    record = np.searchsorted(records.offsets, cut.bucket, side="right") - 1
    np.add.at(least, record, counts * (cut.lower_ns - lower[cut.bucket]))
    np.add.at(most, record, counts * (cut.upper_ns - upper[cut.bucket]))
    has_sum = records.sum_ns != UNKNOWN
    fits: Bools = ~has_sum | ((records.sum_ns >= least) & (records.sum_ns <= most))
    return fits
