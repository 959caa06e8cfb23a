"""Cells of the slices of a run: filled buckets, cut at thresholds by exact counts."""

from dataclasses import dataclass

import numpy as np

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.cells import PinsContradictBuckets


@dataclass(frozen=True, slots=True, eq=False)
class IntervalCells:
    """Cells `[lower, upper)` in ns with exact positive counts, ordered by slice and time.

    Each array has an entry for each cell; `interval_no` is the position of its slice.
    """

    interval_no: Int64s
    lower_ns: Int64s
    upper_ns: Int64s
    count: Int64s


def cut_at(cells: IntervalCells, at_ns: int, at_or_over: Int64s) -> IntervalCells:
    """Return the cells with the cell around `at_ns` split there in each slice; halves without operations are
    left out. `at_or_over` has an entry for each slice: the exact number of latencies at or over `at_ns`, not
    checked in slices where `at_ns` is at an edge or outside all cells. Raise `PinsContradictBuckets` if a
    count does not fit the cell around it.
    """
    inside = np.flatnonzero((cells.lower_ns < at_ns) & (at_ns < cells.upper_ns))
    if inside.size == 0:
        return cells
    above = np.bincount(
        cells.interval_no,
        weights=np.where(cells.lower_ns >= at_ns, cells.count, 0),
        minlength=at_or_over.size,
    ).astype(np.int64)
    interval_no = cells.interval_no[inside]
    over = at_or_over[interval_no] - above[interval_no]
    under = cells.count[inside] - over
    wrong = np.flatnonzero((over < 0) | (under < 0))
    if wrong.size:
        interval = int(interval_no[wrong[0]])
        raise PinsContradictBuckets(
            f"interval {interval} counts {int(at_or_over[interval])} operations at or over {at_ns} ns, its "
            f"buckets allow {int(above[interval])} to {int(above[interval] + cells.count[inside[wrong[0]]])}"
        )
    parts = np.ones(cells.count.size, dtype=np.int64)
    parts[inside] = 2
    all_slices = np.repeat(cells.interval_no, parts)
    lower, upper = np.repeat(cells.lower_ns, parts), np.repeat(cells.upper_ns, parts)
    count = np.repeat(cells.count, parts)
    left = inside + np.arange(inside.size)
    upper[left], lower[left + 1] = at_ns, at_ns
    count[left], count[left + 1] = under, over
    is_filled = count > 0
    return IntervalCells(all_slices[is_filled], lower[is_filled], upper[is_filled], count[is_filled])
