"""Edges and counts of histograms: counters with an edge `le`, and native and exponential histograms.

Native and exponential edges may differ from state to state, as they grow coarser. Only edges that lie
strictly inside no bucket of any state are used, so that no bucket is split. Exponential buckets nest, so that
only the finer buckets of other states are lost.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from tailroom.domain.latency.bounds import Bools, Floats, Int64s
from tailroom.domain.latency.layouts import ExplicitLayout
from tailroom.importers.printed import MAX_COUNT, printed
from tailroom.importers.production.ladders import MAX_EDGE_NS, floor_ns, layout_of

_EDGE = re.compile(r"[-+]?\d{1,30}(?:\.\d{0,30})?(?:[eE][-+]?\d{1,3})?|[-+]?\.\d{1,30}", re.ASCII)
_INFINITE = ("+Inf", "Inf", "+inf", "inf", "+Infinity")
OPEN_NS = MAX_EDGE_NS + 1
"""Upper edge of a bucket that is open upwards."""
_HOLDS_LOWER, _HOLDS_NEITHER = 1, 2
_MOST_BUCKETS = 20_000

Bucket = tuple[int, int, int]
"""Lower and upper edge, each as its last whole nanosecond, and the count."""


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Edges of a histogram: the order of its columns by edge, and the bucket of each in a layout."""

    order: tuple[int, ...]
    """Columns of the file by ascending edge, that of the infinite edge last."""
    layout: ExplicitLayout
    places: Int64s
    """Index in the layout of the bucket of each column, in `order`."""
    negative: int
    """Number of columns whose edge is below 0; they are the first in `order`."""


class EdgesInvalid(ValueError):
    """Edges that no histogram can have; the message gives the reason."""


@lru_cache(1_024)
def edges_of(texts: tuple[str, ...], unit_ns: int) -> Edges:
    """Return the edges of the texts of `le`. Raise EdgesInvalid for other text, equal edges or no `+Inf`."""
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
    layout, places = layout_of([floor_ns(max(value, Decimal(0)), unit_ns) for value in values])
    negative = sum(1 for value in values if value < 0)
    return Edges((*(position for _, position in finite), last), layout, places, negative)


def buckets_of(edges: Edges, cumulative: Floats) -> tuple[Int64s, Bools]:
    """Return the count in each bucket of the layout, a row for each state, and a mask of the valid rows.

    `cumulative` is as in the file: a row for each state, a column for each edge. A row is valid if its counts
    are whole numbers from 0 to MAX_COUNT that never fall from edge to edge, and 0 at negative edges.
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
    counts = np.zeros((each.shape[0], edges.layout.index_limit), np.int64)
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


def common_buckets(states: Sequence[Sequence[Bucket]]) -> tuple[ExplicitLayout, Int64s]:
    """Return the layout of edges that split no bucket, and counts: a row per state, a column per bucket."""
    spans = {(lower, upper) for state in states for lower, upper, _ in state}
    edges = sorted({edge for pair in spans for edge in pair if 0 < edge < OPEN_NS})
    inside = np.zeros(len(edges) + 1, np.int64)
    at = np.array(edges, np.int64)
    for lower, upper in spans:
        first = int(np.searchsorted(at, lower, side="right"))
        last = int(np.searchsorted(at, upper, side="left"))
        if last > first:
            inside[first] += 1
            inside[last] -= 1
    free_edges = at[np.cumsum(inside)[:-1] == 0]
    layout, _ = layout_of(free_edges.tolist())
    counts = np.zeros((len(states), layout.index_limit), np.int64)
    for row, state in enumerate(states):
        places = np.searchsorted(free_edges, [upper for _, upper, _ in state], side="left")
        np.add.at(counts[row], places, [count for *_, count in state])
    return layout, counts


def native_row(value: Mapping[str, Any], unit_ns: int) -> tuple[list[Bucket], float] | str:
    """Return the filled buckets of a native histogram of an answer, with edges in ns, and its sum.

    The sum is in the unit of the metric, NaN if missing. Return the reason as text if it is invalid.
    """
    buckets = value.get("buckets") or []
    if not isinstance(buckets, list) or len(buckets) > _MOST_BUCKETS:
        return "its buckets are no list that can be read"
    parsed: list[Bucket] = []
    for document in buckets:
        bucket = _bucket(document, unit_ns)
        if isinstance(bucket, str):
            return bucket
        parsed += [bucket] if bucket[2] else []
    parsed.sort()
    if any(after[0] < before[1] for before, after in pairwise(parsed)):
        return "its buckets overlap"
    total = _count(value.get("count"))
    if total is None or total != sum(count for *_, count in parsed):
        return f"its count {str(value.get('count'))[:40]!r} is not the sum of its buckets"
    sum_ = _decimal(value.get("sum"))
    return parsed, float("nan") if sum_ is None else float(sum_)


def _bucket(bucket: object, unit_ns: int) -> Bucket | str:  # noqa: PLR0911 - a reason each
    """Return the bucket of a list `[rule, lower, upper, count]`; the reason as text if it is invalid."""
    if not isinstance(bucket, list) or len(bucket) != 4:
        return "a bucket is no list of a rule, two edges and a count"
    rule, lower, upper, count = bucket
    number = _count(count)
    if number is None:
        text = _decimal(count)
        if text is not None and text % 1:
            return (
                "its counts are not whole, as those of rate() and increase() are, which extrapolate; ask for "
                "the histogram itself"
            )
        return f"{str(count)[:40]!r} is no count"
    if rule in (_HOLDS_LOWER, _HOLDS_NEITHER) and number:
        return "it counts negative values, which are no times"
    low, high = _decimal(lower), _decimal(upper)
    if low is None or (high is None and str(upper) not in ("+Inf", "Inf")):
        return f"{str(lower)[:40]!r} and {str(upper)[:40]!r} are no edges"
    if high is not None and (high < 0 or high <= low):
        return "an upper edge is not over its lower one"
    low_ns = min(floor_ns(max(low, Decimal(0)), unit_ns), MAX_EDGE_NS)
    high_ns = OPEN_NS if high is None else min(floor_ns(high, unit_ns), OPEN_NS)
    return low_ns, high_ns, number


def _decimal(value: object) -> Decimal | None:
    """Return the number in a text as a decimal; None for other texts and values."""
    if not isinstance(value, str) or printed(value) is None:
        return None
    return Decimal(value)


def _count(value: object) -> int | None:
    """Return the whole number in a text, from 0 to MAX_COUNT; None for any other value."""
    number = _decimal(value)
    if number is None or number % 1 or not 0 <= number <= MAX_COUNT:
        return None
    return int(number)
