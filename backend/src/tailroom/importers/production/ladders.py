"""The unit of a histogram, and the bucket edges of production histograms, in whole nanoseconds.

Prometheus puts the unit at the end of the name (`_seconds`); OpenTelemetry states a unit of UCUM. Without
either, seconds are taken, the base unit of both, and the user is asked.

Prometheus (`le`) and OpenTelemetry count what is *at most* an edge; our buckets end *before* one. An edge is
therefore written down as its last whole nanosecond, in a layout whose edges may be up to 1 ns later: a
statement about "less than 300 ms" by a bucket `le="0.3"` holds within 1 ns. Buckets inside the first
nanosecond are added to the bucket above them; no other bucket is joined, and none is split. Exponential
buckets: of scale `s` the edges are `2^(i / 2^s)`, calculated in forty digits, so that those that are whole
numbers are exact.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Context, Decimal, localcontext
from functools import lru_cache

import numpy as np

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.layouts import ExplicitLayout
from tailroom.domain.units import NS_PER_MS, NS_PER_S, NS_PER_US

_NAMES = {
    1: ("nanoseconds", "nanosecond", "ns", "nanos"),
    NS_PER_US: ("microseconds", "microsecond", "us", "µs", "μs", "micros", "usec"),
    NS_PER_MS: ("milliseconds", "millisecond", "ms", "millis", "msec"),
    NS_PER_S: ("seconds", "second", "s", "sec"),
    60 * NS_PER_S: ("minutes", "min"),
    3_600 * NS_PER_S: ("hours", "h"),
}
_UNIT_NS = {name: unit_ns for unit_ns, names in _NAMES.items() for name in names}
_SHOWN = {1: "ns", NS_PER_US: "µs", NS_PER_MS: "ms", NS_PER_S: "s"}
_AT_END = re.compile(rf"_({'|'.join(name for name in _UNIT_NS if name.isascii())})$")
_NO_TIME = re.compile(
    r"_(?:bytes?|kilobytes|megabytes|bits|size|length|ratio|percent|celsius|volts|amperes|joules|watts|grams"
    r"|meters|rows|records|messages|requests|items|entries|keys|tokens)$"
)
MAX_EDGE_NS = 1 << 60
"""Thirty-six years."""
_DIGITS = Context(prec=40)


@dataclass(frozen=True, slots=True)
class TimeUnit:
    """The unit in nanoseconds, and whether the file states it; `is_time` is false for sizes and the like."""

    ns: int
    is_stated: bool = True
    is_time: bool = True

    @property
    def name(self) -> str:
        """Usual name of the unit (`ms`), or its number of nanoseconds (`60000000000 ns`)."""
        return _SHOWN.get(self.ns, f"{self.ns} ns")


def unit_of(metric: str, stated: str | None, answered_ns: int | None) -> TimeUnit:
    """Return the unit that is stated, else that of the name, else the user's (`answered_ns`), else seconds.

    `is_time` is false for a stated unit of another quantity, and for a name such as `…_bytes`.
    """
    if stated:
        unit_ns = _UNIT_NS.get(stated.strip().lower())
        return TimeUnit(NS_PER_S, is_time=False) if unit_ns is None else TimeUnit(unit_ns)
    plain = re.sub(r"[^A-Za-z0-9_:]", "_", metric)
    at_end = _AT_END.search(plain)
    if at_end is not None:
        return TimeUnit(_UNIT_NS[at_end[1]])
    if _NO_TIME.search(plain):
        return TimeUnit(NS_PER_S, is_time=False)
    return TimeUnit(NS_PER_S if answered_ns is None else answered_ns, is_stated=False)


def floor_ns(edge: Decimal, unit_ns: int) -> int:
    """Return an edge in units of `unit_ns` rounded down to whole nanoseconds."""
    return int((edge * unit_ns).to_integral_value(ROUND_FLOOR))


def layout_of(floors_ns: Sequence[int]) -> tuple[ExplicitLayout, Int64s]:
    """Return the layout of ascending edges in ns, and the index of each bucket in it, the open bucket last.

    Buckets within the same nanosecond share an index. Edges below 1 and over `MAX_EDGE_NS` are left out, so
    that their buckets are part of the next.
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
    layout = ExplicitLayout((0, *edges), open_ended=True, edge_tolerance_ns=1)
    return layout, np.array(places, np.int64)


@lru_cache(8_192)
def exponential_edge_ns(index: int, scale: int, unit_ns: int) -> int:
    """Return `2^(index / 2^scale)` units in ns, cut; 0 below 2^−64 units, over `MAX_EDGE_NS` above 2^64."""
    exponent = Decimal(index) / (Decimal(2) ** scale)
    if exponent < -64:
        return 0
    if exponent > 64:
        return MAX_EDGE_NS + 1
    with localcontext(_DIGITS):
        return floor_ns(Decimal(2) ** exponent if exponent % 1 else Decimal(2) ** int(exponent), unit_ns)
