"""Bucket edges of production histograms, in whole nanoseconds.

Prometheus (`le`) and OpenTelemetry count what is *at most* an edge; our buckets end *before* one. An edge
is therefore written down as its last whole nanosecond, in a layout whose edges may be up to 1 ns later: a
statement about "less than 300 ms" by a bucket `le="0.3"` holds within 1 ns. Buckets inside the first
nanosecond are added to the bucket above them; no other bucket is joined, and none is split.

Exponential buckets: of scale `s` the edges are `2^(i / 2^s)`, calculated in forty digits, so that those
that are whole numbers are exact.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Context, Decimal, localcontext
from functools import lru_cache
from itertools import pairwise

import numpy as np

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.layouts import ExplicitLayout

MAX_EDGE_NS = 1 << 60
"""Thirty-six years."""
_DIGITS = Context(prec=40)


@dataclass(frozen=True, slots=True)
class Ladder:
    """Ascending upper edges of buckets in whole nanoseconds, from 1; an open bucket follows the last."""

    edges_ns: tuple[int, ...]

    @property
    def layout(self) -> ExplicitLayout:
        """Layout with the buckets from 0 over the edges to infinity."""
        return ExplicitLayout((0, *self.edges_ns), open_ended=True, edge_tolerance_ns=1)

    @property
    def size(self) -> int:
        """Number of buckets, including the open one."""
        return len(self.edges_ns) + 1


def ladder_of(floors_ns: Sequence[int]) -> tuple[Ladder, Int64s]:
    """Return the ladder of ascending edges in whole nanoseconds, and for each bucket its index in the ladder.

    The last index is that of the open bucket; buckets within the same nanosecond share an index. Edges below
    1 and over `MAX_EDGE_NS` are left out, so that their buckets are part of the next.
    """
    edges: list[int] = []
    places: list[int] = []
    for floor_ns in floors_ns:
        places.append(len(edges))
        if 1 <= floor_ns <= MAX_EDGE_NS and (not edges or floor_ns > edges[-1]):
            edges.append(floor_ns)
        elif edges and floor_ns == edges[-1]:
            # Both edges are in the same nanosecond: operations between them are at most that edge.
            places[-1] = len(edges) - 1
    places.append(len(edges))
    return Ladder(tuple(edges)), np.array(places, np.int64)


def ascends(edges: Sequence[Decimal]) -> bool:
    """Return whether edges are strictly ascending."""
    return all(before < after for before, after in pairwise(edges))


@lru_cache(8_192)
def exponential_edge_ns(index: int, scale: int, unit_ns: int) -> int:
    """Return `2^(index / 2^scale)` units in ns, cut; 0 below 2^−64, over `MAX_EDGE_NS` above 2^64."""
    exponent = Decimal(index) / (Decimal(2) ** scale)
    if exponent < -64:
        return 0
    if exponent > 64:
        return MAX_EDGE_NS + 1
    with localcontext(_DIGITS):
        edge = Decimal(2) ** exponent if exponent % 1 else Decimal(2) ** int(exponent)
        return int((edge * unit_ns).to_integral_value(ROUND_FLOOR))
