"""How records of unequal layouts become one table, where that is possible without claiming more.

Equal layouts are added bucket by bucket (`LatencyDist.merged_with`). Layouts whose edges differ by one
nanosecond, because one tool counts `<=1 ms` and another `<1 ms`, are added with the difference carried as
`edge_tolerance_ns`. Everything else stays side by side (`side_by_side`); for export only it can be put into
the edges at which every record is exact. A bucket is never split. Source: METHOD.md 5.1, merge rule.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

import numpy as np

from tailroom.domain.latency.distribution import DistributionEmpty, LatencyDist, Misses
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.layouts import (
    MAX_TOLERANCE_NS,
    ExplicitLayout,
    Layout,
    LayoutsDiffer,
    Pow2Layout,
)


def merged_within_tolerance(first: LatencyDist, second: LatencyDist) -> LatencyDist:
    """Sum of two records whose edges are equal or differ by 1 ns; the result says `edge_tolerance_ns`.

    An edge of the result lies at the earlier of the two and may in truth lie at the later one. Raises
    `LayoutsDiffer` where an edge has no partner that near, or the power-of-two record counts latencies beyond
    the last edge of the other: those buckets would have to be thrown together.
    """
    if first.layout == second.layout:
        return first.merged_with(second)
    layout = _tolerant(_explicit(first, second.layout), _explicit(second, first.layout))
    return replace(first, layout=layout).merged_with(replace(second, layout=layout))


def collapsed_to_common_edges(records: Sequence[LatencyDist]) -> LatencyDist:
    """One table of several records with the edges at which all of them are exact; for export only.

    Exact buckets, but wider ones than the records have: layouts that nest (2 digits in 3, 8 µs in 1 µs,
    125 ns below both) keep the coarser edges, others whatever they share. Bounds from it contain those of
    `SideBySide`. What lies beyond the last shared edge is in an open bucket.
    """
    if not any(one.count for one in records):
        raise DistributionEmpty("no operation has a latency, so there is nothing to put into one table")
    tolerance_ns = max(one.edge_tolerance_ns for one in records)
    edges = reduce(np.union1d, [one.edges_ns() for one in records], np.zeros(1, np.int64))
    below = np.zeros(edges.size, dtype=np.int64)
    exact = np.ones(edges.size, dtype=bool)
    for one in records:
        lower, upper = one.below_each(edges)
        exact &= lower == upper
        below += lower
    # Two shared edges within the tolerance are one.
    exact[1:] &= ~(exact[:-1] & (np.diff(edges) <= tolerance_ns))
    edges, below = edges[exact], below[exact]
    total = sum(one.count for one in records)
    is_open = int(below[-1]) < total
    amounts = np.diff(below, append=total) if is_open else np.diff(below)
    answered = [one for one in records if one.count]
    sums = [one.sum_ns for one in answered if one.sum_ns is not None]
    least = [one.min_ns for one in answered if one.min_ns is not None]
    most = [one.max_ns for one in answered if one.max_ns is not None]
    return LatencyDist(
        layout=ExplicitLayout(tuple(edges.tolist()), is_open, tolerance_ns),
        counts=Counts(np.flatnonzero(amounts), amounts[amounts > 0]),
        misses=reduce(Misses.__add__, [one.misses for one in records], Misses()),
        sum_ns=sum(sums) if len(sums) == len(answered) else None,
        min_ns=min(least) if len(least) == len(answered) else None,
        max_ns=max(most) if len(most) == len(answered) else None,
    )


def _explicit(dist: LatencyDist, other: Layout) -> ExplicitLayout:
    """The layout with its edges written out, as many as the other one has."""
    layout = dist.layout
    if isinstance(layout, ExplicitLayout):
        return layout
    if isinstance(layout, Pow2Layout) and isinstance(other, ExplicitLayout):
        limit = len(other.edges) - 1
        filled = dist.counts.indices[dist.counts.counts > 0]
        if limit <= layout.index_limit and (filled.size == 0 or int(filled.max()) < limit):
            edges = (0, *(layout.unit_ns << power for power in range(limit)))
            return ExplicitLayout(edges, other.open_ended)
    raise LayoutsDiffer(f"{layout} and {other} have no common edges where they count; keep them side by side")


def _tolerant(first: ExplicitLayout, second: ExplicitLayout) -> ExplicitLayout:
    if len(first.edges) != len(second.edges) or first.open_ended != second.open_ended:
        raise LayoutsDiffer(f"{first} and {second} have different numbers of buckets")
    edges, widest = [], 0
    for one, other in zip(first.edges, second.edges, strict=True):
        earlier = min(one, other)
        later = max(one + first.edge_tolerance_ns, other + second.edge_tolerance_ns)
        if one == other == 0:
            later = 0
        if later - earlier > MAX_TOLERANCE_NS:
            raise LayoutsDiffer(
                f"edges at {one} ns and {other} ns may be {later - earlier} ns apart; they are the same edge "
                f"only within {MAX_TOLERANCE_NS} ns, the difference between < and <="
            )
        edges.append(earlier)
        widest = max(widest, later - earlier)
    return ExplicitLayout(tuple(edges), first.open_ended, widest)
