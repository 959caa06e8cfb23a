"""Exact sums of columns of slices: by slice, and by groups of slices.

`offsets` are the starts of the slices in the columns of filled buckets, `begins` the first slice of each of
consecutive groups.
"""

from typing import TypeVar

import numpy as np

from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.latency.interval import Column, RollupRule

Numbers = TypeVar("Numbers", Int64s, Floats)

_DENSE_CELLS = 1 << 18
_DENSE_WORTH = 8
_ENTRIES_AT_ONCE = 1 << 18


def row_sums(values: Numbers, offsets: Int64s) -> Numbers:
    """Return the sum of each slice's values, which begin at `offsets[i]` for slice `i`; 0 without values."""
    sums = np.zeros(offsets.size - 1, np.result_type(values, np.int64))
    some = np.flatnonzero(np.diff(offsets))
    if some.size:
        sums[some] = np.add.reduceat(values, offsets[some], dtype=sums.dtype)
    return sums


def combined(
    join: np.ufunc, values: Int64s, silent: Int64s, begins: Int64s, *, neutral: int, missing: int
) -> Int64s:
    """Return for each group the values of its slices, combined by `join`, whose neutral value is `neutral`.
    It is `missing` if the value of any slice with latencies is, or all are. `silent` is the mask of slices
    without latencies.
    """
    unknown = values == missing
    joined = join.reduceat(np.where(unknown, neutral, values), begins)
    any_known = np.maximum.reduceat(~unknown, begins)
    lacking = np.maximum.reduceat(unknown & ~silent, begins)
    result: Int64s = np.where(any_known & ~lacking, joined, missing)
    return result


def positions_of(offsets: Int64s, rows: Int64s) -> tuple[Int64s, Int64s | slice]:
    """Return offsets and positions of the buckets of slices `rows`; a `slice` if these are consecutive."""
    lengths = np.diff(offsets)[rows]
    ends = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))
    if rows.size and (np.diff(rows) == 1).all():
        return ends, slice(int(offsets[rows[0]]), int(offsets[rows[-1] + 1]))
    return ends, np.arange(int(ends[-1])) + np.repeat(offsets[rows] - ends[:-1], lengths)


def added(offsets: Int64s, indices: Int64s, counts: Int64s, groups: Int64s) -> tuple[Int64s, Int64s, Int64s]:
    """Return the buckets of groups of slices: the number of each group, then their indices and summed counts,
    in order of groups. `groups` is the group number of each slice, from 0. All counts must add up to less
    than 2**53 (`check_buckets`), so that sums of doubles are exact.
    """
    size = int(groups.max(initial=-1)) + 1
    if indices.size == 0:
        none = np.empty(0, np.int64)
        return np.zeros(size, np.int64), none, none
    first = int(indices.min())
    width = int(indices.max()) - first + 1
    at_once = max(1, _DENSE_CELLS // width)
    if size > at_once and (np.diff(groups) < 0).any():
        order = np.argsort(groups, kind="stable")
        offsets, entries = positions_of(offsets, order)
        indices, counts, groups = indices[entries], counts[entries], groups[order]
    table_begins = groups * width - first
    lengths: list[Int64s] = []
    group_indices: list[Int64s] = []
    group_counts: list[Int64s] = []
    for group in range(0, size, at_once):
        last = min(group + at_once, size)
        row, end = np.searchsorted(groups, (group, last)).tolist() if size > at_once else (0, groups.size)
        cells, entries_in_rows = (last - group) * width, int(offsets[end] - offsets[row])
        begins = table_begins - group * width
        if cells > _DENSE_WORTH * entries_in_rows:
            filled, position = np.unique(_positions(offsets, indices, begins, row, end), return_inverse=True)
            sums = np.bincount(position, counts[offsets[row] : offsets[end]]).astype(np.float64)
        else:
            dense = np.zeros(cells)
            step = max(1, _ENTRIES_AT_ONCE * (end - row) // max(1, entries_in_rows))
            for begin in range(row, end, step):
                stop = min(begin + step, end)
                positions = _positions(offsets, indices, begins, begin, stop)
                dense += np.bincount(positions, counts[offsets[begin] : offsets[stop]], cells)
            filled = np.flatnonzero(dense > 0)
            sums = dense[filled]
        each = np.diff(np.searchsorted(filled, width * np.arange(last - group + 1)))
        lengths.append(each)
        group_indices.append(filled + np.repeat(first - width * np.arange(last - group), each))
        group_counts.append(sums.astype(np.int64))
    return np.concatenate(lengths), np.concatenate(group_indices), np.concatenate(group_counts)


def _positions(offsets: Int64s, indices: Int64s, begins: Int64s, row: int, end: int) -> Int64s:
    """Return the table position of each bucket of the slices; `begins` is that of bucket 0 of each."""
    positions = np.repeat(begins[row:end], np.diff(offsets[row : end + 1]))
    positions += indices[offsets[row] : offsets[end]]
    return positions


def busiest(
    busy_ns: Int64s, duration_ns: Int64s, begins: Int64s, group_duration_ns: Int64s, *, missing: int
) -> Int64s:
    """Return a busy time in ns for each group: the largest busy share of its slices times the group's length,
    rounded up. A group of a single slice has the value of that slice. `missing` marks an unknown value, and a
    group of unknown values only.
    """
    share = np.where(busy_ns == missing, -1.0, busy_ns / np.maximum(duration_ns, 1))
    largest = np.maximum.reduceat(share, begins)
    alone = np.diff(np.append(begins, busy_ns.size)) == 1
    spread = np.where(largest < 0.0, missing, np.ceil(largest * group_duration_ns)).astype(np.int64)
    busy: Int64s = np.where(alone, busy_ns[begins], spread)
    return busy


def rolled(
    column: Column, values: Int64s, begins: Int64s, duration_ns: Int64s, group_duration_ns: Int64s
) -> Int64s:
    """Return values of consecutive groups by the rule of their column. `duration_ns` and `group_duration_ns`
    are the lengths of slices and of groups. Raise ValueError for starts, durations and `…_OF_FILLED` rules,
    which need latencies (`combined`).
    """
    unknown = column.storage.unknown
    match column.storage.rolls:
        case RollupRule.SUM:
            values_of_groups: Int64s = np.add.reduceat(values, begins)
        case RollupRule.SUM_IF_KNOWN:
            lacking = np.logical_or.reduceat(values == unknown, begins)
            values_of_groups = np.where(lacking, unknown, np.add.reduceat(values, begins))
        case RollupRule.LARGEST:
            # `unknown` is smaller than any value.
            values_of_groups = np.maximum.reduceat(values, begins)
        case RollupRule.BUSIEST:
            values_of_groups = busiest(values, duration_ns, begins, group_duration_ns, missing=unknown)
        case _:
            raise ValueError(f"{column.name} is added up with the latencies of its piece")
    return values_of_groups
