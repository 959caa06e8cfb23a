"""Exact distributions from printed buckets, between the edges that they name."""

from collections.abc import Iterable, Mapping
from itertools import pairwise

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.layouts import NEVER_NS, ExplicitLayout
from tailroom.importers.statements import MAX_TIME_NS, LatencyImpossible

PrintedBucket = tuple[int, int, int]
"""Lower edge (inclusive) and upper edge (exclusive, `NEVER_NS` for none) in ns, and the count."""


class BucketsOverlap(DomainError):
    """A bucket begins before the end of the previous bucket, follows an open bucket, or has no width."""


def distribution_of(buckets: Iterable[PrintedBucket]) -> LatencyDist:
    """Return the exact counts of ascending buckets; gaps between them hold nothing.

    Raise BucketsOverlap, and LatencyImpossible for an edge from MAX_TIME_NS on.
    """
    edges, indices, counts = [0], list[int](), list[int]()
    open_ended = False
    for lower, upper, count in buckets:
        if open_ended or lower < edges[-1] or upper <= lower:
            raise BucketsOverlap(f"a bucket from {lower} ns on does not follow {edges[-1]} ns")
        if MAX_TIME_NS <= upper < NEVER_NS:
            raise LatencyImpossible(f"{upper} ns is no latency")
        if lower > edges[-1]:
            edges.append(lower)
        if count:
            indices.append(len(edges) - 1)
            counts.append(count)
        open_ended = upper == NEVER_NS
        edges += [] if open_ended else [upper]
    layout = ExplicitLayout(tuple(edges), open_ended=open_ended)
    return LatencyDist(layout, Counts(np.array(indices, np.int64), np.array(counts, np.int64)))


def cumulative_distribution(below: Mapping[int, int], total: int) -> LatencyDist:
    """Return the distribution by `below`: the number of operations below each edge (ns, or `NEVER_NS`).

    The numbers may not fall. Operations beyond the last edge, up to `total`, are in an open bucket. Raise
    LatencyImpossible for an edge from MAX_TIME_NS on.
    """
    rows = [(0, 0), *sorted(below.items())]
    last_ns, counted = rows[-1]
    rows += [(NEVER_NS, total)] if total > counted and last_ns != NEVER_NS else []
    return distribution_of((lower, upper, most - least) for (lower, least), (upper, most) in pairwise(rows))
