"""The finest certain partition of a record: its buckets, cut at exact counters and at the extreme latencies.

Every edge and every exact counter states how many operations lie below a time; between two such times lies a
cell, and nothing is known about where in its cell an operation lies. Statements that contradict each other
are refused. Source: docs/method.md 1.1.1 and 5.1.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Bools, Floats, Int64s
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.layouts import NEVER_NS, BucketLayout

_FINE_RELATIVE_WIDTH = 0.02
_INT64_SAFE = float(1 << 62)


class PinsContradictBuckets(DomainError):
    """Exact counters (pins), smallest or largest latency do not fit the bucket counts."""


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Ascending cells `[lower, upper)` in ns with exact, positive counts and their `cumulative` sum. They are
    disjoint, or overlap by the layout's tolerance of edges, so that each certainly holds its operations.
    """

    lower_ns: Int64s
    upper_ns: Int64s
    counts: Int64s
    cumulative: Int64s

    @property
    def is_point(self) -> Bools:
        """Mask of the cells that hold a single nanosecond."""
        alone: Bools = self.upper_ns - self.lower_ns == 1
        return alone

    def added(self, times_ns: Int64s) -> int:
        """Return the exact sum over all cells of count × time, in ns; `times_ns` has a time for each cell."""
        if float(self.counts.astype(np.float64) @ times_ns.astype(np.float64)) < _INT64_SAFE:
            return int(self.counts @ times_ns)
        return sum(count * at for count, at in zip(self.counts.tolist(), times_ns.tolist(), strict=True))


def cells_of(
    layout: BucketLayout, counts: Counts, *, pins: Mapping[int, int], min_ns: int | None, max_ns: int | None
) -> Cells:
    """Return the cells of a record: its filled buckets, cut at pins, at the smallest and after the largest
    latency. `pins` maps a threshold in ns to the exact count at or over it. If edges have a tolerance, a cut
    within it of an edge is left out. Raise `PinsContradictBuckets` if the count below a time exceeds that
    below a later time, or if a time has two counts; the message names both.
    """
    indices, amounts = _sort_buckets(counts)
    lower, upper = layout.edges_ns(indices)
    running = np.cumsum(amounts)
    extra_at, extra_below = _further_statements(running, pins, min_ns, max_ns)
    tolerance_ns = layout.edge_tolerance_ns
    if tolerance_ns:
        # So near an edge that may lie later, an exact counter and the bucket speak of different operations.
        edges = np.concatenate((lower, upper))
        near = np.abs(extra_at[:, None] - edges[None, :]).min(axis=1, initial=NEVER_NS) <= tolerance_ns
        extra_at, extra_below = extra_at[~near], extra_below[~near]
    at, below = _merge_in_order((lower, upper), (running - amounts, running), (extra_at, extra_below))
    same_time = at[1:] == at[:-1]
    step = np.diff(below)
    wrong = (step < 0) | (same_time & (step != 0))
    if wrong.any():
        position = int(np.flatnonzero(wrong)[0])
        raise PinsContradictBuckets(
            f"the record says that {int(below[position])} operations lie below {int(at[position])} ns and "
            f"{int(below[position + 1])} below {int(at[position + 1])} ns"
        )
    is_filled = step > 0
    ends = at[1:][is_filled]
    if tolerance_ns:
        ends = np.where(ends == NEVER_NS, ends, ends + tolerance_ns)
    return Cells(at[:-1][is_filled], ends, step[is_filled], np.cumsum(step[is_filled]))


def _sort_buckets(counts: Counts) -> tuple[Int64s, Int64s]:
    """Return indices and counts of the buckets with a count over 0, ascending by index."""
    indices, amounts = counts.indices, counts.counts
    if not (amounts > 0).all():
        indices, amounts = indices[amounts > 0], amounts[amounts > 0]
    if (indices[1:] < indices[:-1]).any():
        order = np.argsort(indices, kind="stable")
        indices, amounts = indices[order], amounts[order]
    return indices, amounts


def _merge_in_order(
    edges: tuple[Int64s, Int64s], of_edges: tuple[Int64s, Int64s], further: tuple[Int64s, Int64s]
) -> tuple[Int64s, Int64s]:
    """Return ascending times in ns from 0 on, and the number of operations below each, from the edges and
    further statements, both with their counts. At equal times the smaller count comes first.
    """
    at, below = (np.zeros(2 * edges[0].size + 1, np.int64) for _ in range(2))
    at[1::2], at[2::2] = edges
    below[1::2], below[2::2] = of_edges
    if further[0].size:
        order = np.lexsort(further[::-1])
        places = np.searchsorted(at, further[0][order], side="right")
        at, below = np.insert(at, places, further[0][order]), np.insert(below, places, further[1][order])
    # Edges ascend, so only statements that contradict each other are still to be brought into their order.
    late, same_time = at[1:] < at[:-1], at[1:] == at[:-1]
    if (late | (same_time & (below[1:] < below[:-1]))).any():
        by_time = np.lexsort((below, at))
        at, below = at[by_time], below[by_time]
    return at, below


def representatives_ns(cells: Cells, sum_ns: int | None) -> Floats:
    """Return a latency in ns for each cell: its middle, or the mean of a log-uniform distribution if it is
    over 2 % wide and does not begin at 0. An open cell counts as one octave wide. If `sum_ns` is known and no
    cell is open, latencies move inside their cells until count × latency adds up as near to it as possible.
    """
    lower = cells.lower_ns.astype(np.float64)
    # An open cell has no middle; one octave is the width that power-of-two records have everywhere else.
    is_open = cells.upper_ns == NEVER_NS
    upper = np.where(is_open, 2.0 * np.maximum(lower, 1.0), cells.upper_ns.astype(np.float64))
    upper = np.where(cells.is_point, lower, upper)
    coarse = (lower > 0.0) & ((upper - lower) > _FINE_RELATIVE_WIDTH * upper)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_uniform = (upper - lower) / np.log(upper / np.where(lower > 0.0, lower, 1.0))
    middle = np.where(coarse, log_uniform, (lower + upper) / 2.0)
    if sum_ns is None or is_open.any():
        return middle
    gap = float(sum_ns) - float(cells.counts @ middle)
    room = upper - middle if gap > 0.0 else middle - lower
    reach = float(cells.counts @ room)
    share = min(1.0, abs(gap) / reach) if reach > 0.0 else 0.0
    moved: Floats = middle + math.copysign(share, gap) * room
    return moved


def _further_statements(
    running: Int64s, pins: Mapping[int, int], min_ns: int | None, max_ns: int | None
) -> tuple[Int64s, Int64s]:
    """Return times in ns and the operations below each, by pins, smallest and largest latency."""
    count = int(running[-1]) if running.size else 0
    extra = [(at, count - at_or_over) for at, at_or_over in sorted(pins.items())]
    if count and min_ns is not None:
        extra.append((min_ns, 0))
    if count and max_ns is not None:
        extra.append((min(max_ns, NEVER_NS - 1) + 1, count))
    return (
        np.array([at for at, _ in extra], dtype=np.int64),
        np.array([below for _, below in extra], dtype=np.int64),
    )


@dataclass(frozen=True, slots=True, eq=False)
class IntervalCells:
    """Cells `[lower, upper)` in ns with exact positive counts, in order of slice (`interval_no`) and time."""

    interval_no: Int64s
    lower_ns: Int64s
    upper_ns: Int64s
    count: Int64s


def cut_at(cells: IntervalCells, at_ns: int, at_or_over: Int64s) -> IntervalCells:
    """Return the cells, with the cell around `at_ns` of each slice divided there; halves without operations
    are left out. `at_or_over` has for each slice the exact number of latencies at or over `at_ns`. Raise
    `PinsContradictBuckets` if a number does not fit the cell; it is not checked where `at_ns` divides none.
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
