"""Exact sums of columns of slices: by slice, and by consecutive groups of slices.

`offsets` are the starts of the slices in the columns of filled buckets, `begins` the first slice of each
group.
"""

from collections.abc import Iterator

import numpy as np

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.interval import Column, RollupRule

_DENSE_CELLS = 1 << 18
_DENSE_WORTH = 8
_ENTRIES_AT_ONCE = 1 << 18


def row_sums(values: Int64s, offsets: Int64s) -> Int64s:
    """Return the sum of the values of each slice; 0 for a slice without values.

    The values of slice `i` are those from `offsets[i]` to `offsets[i + 1]`.
    """
    sums = np.zeros(offsets.size - 1, dtype=np.int64)
    some = np.flatnonzero(np.diff(offsets))
    if some.size:
        sums[some] = np.add.reduceat(values, offsets[some])
    return sums


def combined(
    join: np.ufunc, values: Int64s, silent: Int64s, begins: Int64s, *, neutral: int, missing: int
) -> Int64s:
    """Return a value for each group: those of its slices, combined by `join`, such as `np.minimum`.

    The result is `missing` for a group in which a slice with latencies has an unknown value (`missing`), or
    all values are unknown. `silent` is the mask of slices without latencies; `neutral` does not change the
    result of `join`.
    """
    unknown = values == missing
    joined = join.reduceat(np.where(unknown, neutral, values), begins)
    any_known = np.maximum.reduceat(~unknown, begins)
    lacking = np.maximum.reduceat(unknown & ~silent, begins)
    result: Int64s = np.where(any_known & ~lacking, joined, missing)
    return result


def added(offsets: Int64s, indices: Int64s, counts: Int64s, begins: Int64s) -> tuple[Int64s, Int64s, Int64s]:
    """Return the buckets of consecutive groups of slices: how many each group has, their indices and sums.

    Groups are summed in a dense table, some at a time so that the table stays small; by sorting if it would
    be nearly empty. Sums stay below 2**53 (checked), so doubles are exact.
    """
    entry_begins = offsets[begins]
    entry_ends = np.concatenate((entry_begins[1:], offsets[-1:]))
    if indices.size == 0:
        none = np.empty(0, np.int64)
        return np.zeros(begins.size, np.int64), none, none
    first = int(indices.min())
    width = int(indices.max()) - first + 1
    at_once = max(1, _DENSE_CELLS // width)
    lengths: list[Int64s] = []
    group_indices: list[Int64s] = []
    group_counts: list[Int64s] = []
    for group in range(0, begins.size, at_once):
        last = min(group + at_once, begins.size)
        begin, end = int(entry_begins[group]), int(entry_ends[last - 1])
        cells = (last - group) * width
        if cells > _DENSE_WORTH * (end - begin):
            keys = np.repeat(np.arange(last - group) * width, (entry_ends - entry_begins)[group:last])
            keys += indices[begin:end] - first
            filled, position = np.unique(keys, return_inverse=True)
            sums = np.bincount(position, weights=counts[begin:end]).astype(np.float64)
        else:
            dense = np.zeros(cells)
            for part, keys in _table_positions(
                indices, entry_begins[group:last], entry_ends[group:last], width
            ):
                dense += np.bincount(keys - first, weights=counts[part], minlength=cells)
            filled = np.flatnonzero(dense > 0)
            sums = dense[filled]
        each = np.diff(np.searchsorted(filled, width * np.arange(last - group + 1)))
        lengths.append(each)
        group_indices.append(filled + np.repeat(first - width * np.arange(last - group), each))
        group_counts.append(sums.astype(np.int64))
    return np.concatenate(lengths), np.concatenate(group_indices), np.concatenate(group_counts)


def _table_positions(
    indices: Int64s, begins: Int64s, ends: Int64s, width: int
) -> Iterator[tuple[slice, Int64s]]:
    """Yield consecutive ranges of the entries, with a position for each entry in a flat table.

    The position is group number × `width` + bucket index; a group holds the entries from `begins` to `ends`.
    """
    for begin in range(int(begins[0]), int(ends[-1]), _ENTRIES_AT_ONCE):
        end = min(begin + _ENTRIES_AT_ONCE, int(ends[-1]))
        keys = indices[begin:end]
        if begins.size > 1:
            inside = np.clip(ends, begin, end) - np.clip(begins, begin, end)
            keys = keys + np.repeat(np.arange(begins.size) * width, inside)
        yield slice(begin, end), keys


def busiest(
    busy_ns: Int64s, duration_ns: Int64s, begins: Int64s, group_duration_ns: Int64s, *, missing: int
) -> Int64s:
    """Return a busy time in ns for each group: the largest busy share of its slices, times the length of the
    group, rounded up; the slice's own value if the group has a single slice. `duration_ns` are the lengths of
    the slices, `group_duration_ns` those of the groups. `missing` marks an unknown value, and a group whose
    values are all unknown.
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
    """Return values of consecutive groups by the rule of their column.

    `duration_ns` are the lengths of the slices, `group_duration_ns` those of the groups. Raise ValueError for
    rules that need the latencies (`…_OF_FILLED`, see `combined`), and for start and duration.
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
