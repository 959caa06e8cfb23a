"""Histograms whose buckets are counters with an edge `le`: their edges in order, and what they hold."""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise

import numpy as np

from tailroom.domain.latency.bounds import Bools, Floats, Int64s
from tailroom.importers.printed import MAX_COUNT
from tailroom.importers.production.ladders import Ladder, ladder_of
from tailroom.importers.production.units import floor_ns

_EDGE = re.compile(r"[-+]?\d{1,30}(?:\.\d{0,30})?(?:[eE][-+]?\d{1,3})?|[-+]?\.\d{1,30}", re.ASCII)
_INFINITE = ("+Inf", "Inf", "+inf", "inf", "+Infinity")


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Edges of a histogram: the order of its columns by edge, and the ladder bucket of each."""

    order: tuple[int, ...]
    """Columns of the file by ascending edge, that of the infinite edge last."""
    ladder: Ladder
    places: Int64s
    """Number of the ladder's bucket of each column, in this order."""
    negative: int
    """Number of columns whose edge is below 0; they are the first in this order."""


class EdgesInvalid(ValueError):
    """No histogram has these edges; the message gives the reason."""


@lru_cache(1_024)
def edges_of(texts: tuple[str, ...], unit_ns: int) -> Edges:
    """Return the edges of `texts`, the values of `le` in units of `unit_ns` ns.

    Raise EdgesInvalid if one is no number, two are equal, or `+Inf` is missing.
    """
    finite: list[tuple[Decimal, int]] = []
    last = None
    for position, text in enumerate(texts):
        if text in _INFINITE:
            if last is not None:
                raise EdgesInvalid('two buckets are le="+Inf"')
            last = position
        elif _EDGE.fullmatch(text) is None:
            raise EdgesInvalid(f"le={text[:40]!r} is no number")
        else:
            finite.append((Decimal(text), position))
    if last is None:
        raise EdgesInvalid('the bucket le="+Inf" is missing, so that it is not known how many there were')
    finite.sort()
    values = [value for value, _ in finite]
    if any(before == after for before, after in pairwise(values)):
        raise EdgesInvalid("two buckets have the same edge")
    ladder, places = ladder_of([floor_ns(max(value, Decimal(0)), unit_ns) for value in values])
    negative = sum(1 for value in values if value < 0)
    return Edges((*(position for _, position in finite), last), ladder, places, negative)


def buckets_of(edges: Edges, cumulative: Floats) -> tuple[Int64s, Bools]:
    """Return the count in each bucket of the ladder, a row for each state, and a mask of the valid rows.

    `cumulative` has the counts as in the file: a row for each state, a column for each edge (`le`). A row is
    valid if its counts are whole numbers from 0 to MAX_COUNT that never fall from edge to edge, and 0 at
    negative edges.
    """
    ordered = cumulative[:, list(edges.order)]
    with np.errstate(invalid="ignore"):
        is_valid = (ordered >= 0).all(axis=1) & (ordered <= MAX_COUNT).all(axis=1)
        is_valid &= (ordered == np.floor(ordered)).all(axis=1)
    integers = np.where(is_valid[:, None], ordered, 0.0).astype(np.int64)
    each = np.diff(integers, axis=1, prepend=0)
    is_valid &= (each >= 0).all(axis=1)
    if edges.negative:
        is_valid &= (each[:, : edges.negative] == 0).all(axis=1)
    counts = np.zeros((each.shape[0], edges.ladder.size), np.int64)
    for column, place in enumerate(edges.places.tolist()):
        counts[:, place] += each[:, column]
    return counts, is_valid


def has_fractions(values: Floats) -> bool:
    """Return whether any finite count is fractional, as of a query that extrapolates."""
    finite = values[np.isfinite(values)]
    return bool((finite != np.floor(finite)).any())


EXTRAPOLATED = (
    "its counts are not whole, as those of rate() and increase() are, which extrapolate; ask for the "
    "counters themselves"
)
