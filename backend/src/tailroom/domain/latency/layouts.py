"""Layouts: the half-open range of time of each bucket, and their documents.

Three kinds: power-of-two buckets (ACT), edges as they come (Aerospike tools, YCSB, Prometheus), and
HdrHistogram's log-linear buckets. Buckets of equal layouts are added up; a bucket is never split.

An HdrHistogram counts whole units (usually microseconds, rounded down), so the bucket of the values `a … b−1`
holds the latencies `[a·unit, b·unit)`. With three digits the first 2,048 buckets are one unit wide, and every
further octave has 1,024 of equal width: no bucket is wider than 0.098 % of its latencies. A histogram whose
lowest discernible value is over 1 counts in larger units (memtier: 10, so steps of 8 µs); its buckets are
those of that larger unit. Source: docs/method.md 5; HdrHistogram's `AbstractHistogram.countsArrayIndex`.
"""

import operator
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Int64s

_MAX_DIGITS = 5
_LARGEST_UNIT_NS = 1 << 40
_LAST_NS = (1 << 63) - 2


class HdrLayoutInvalid(DomainError):
    """The unit, the number of significant digits or a bucket is outside the limits of the format."""


@dataclass(frozen=True, slots=True)
class HdrLayout:
    """Log-linear buckets over units of `unit_ns`. A bucket is one unit wide, or at most 1 /
    10^`significant_digits` of its latencies. Raise `HdrLayoutInvalid` for a unit outside 1 to 2**40 ns or
    digits outside 0 to 5.
    """

    unit_ns: int = 1_000
    significant_digits: int = 3

    def __post_init__(self) -> None:
        for name in ("unit_ns", "significant_digits"):
            value: object = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | np.integer):
                raise HdrLayoutInvalid(f"{name} is {value!r}: it must be a whole number")
            object.__setattr__(self, name, int(value))
        if not 0 < self.unit_ns <= _LARGEST_UNIT_NS:
            raise HdrLayoutInvalid(
                f"unit_ns is {self.unit_ns}: a bucket must be at least 1 ns and at most 2**40 ns wide"
            )
        if not 0 <= self.significant_digits <= _MAX_DIGITS:
            raise HdrLayoutInvalid(
                f"significant_digits is {self.significant_digits}: 0 to {_MAX_DIGITS} are allowed"
            )

    @property
    def edge_tolerance_ns(self) -> int:
        """Always 0: edges are exact."""
        return 0

    @property
    def half_magnitude(self) -> int:
        """Base-2 logarithm of the buckets per octave (10 for three digits)."""
        finest: int = 2 * 10**self.significant_digits
        return (finest - 1).bit_length() - 1

    @property
    def index_limit(self) -> int:
        """Number of buckets: the index of the largest 62-bit value, plus 1."""
        return (62 - self.half_magnitude + 1) << self.half_magnitude

    def index_of(self, values: Int64s) -> Int64s:
        """Return the bucket of each value in whole units, not nanoseconds. Values from 2**62 on get a number
        that no bucket has. Raise `HdrLayoutInvalid` for a value below 0.
        """
        units = np.asarray(values, dtype=np.int64)
        if units.size and int(units.min()) < 0:
            raise HdrLayoutInvalid(f"a latency of {int(units.min())} units lies in no bucket")
        half = self.half_magnitude
        shift = np.maximum(_bit_length(units) - (half + 1), 0)
        result: Int64s = (shift << half) + (units >> shift)
        return result

    def edges_units(self, indices: Int64s) -> tuple[Int64s, Int64s]:
        """Return lower and (exclusive) upper edges in units. Raise HdrLayoutInvalid for no such bucket."""
        index = np.asarray(indices, dtype=np.int64)
        half = self.half_magnitude
        if index.size and (int(index.min()) < 0 or int(index.max()) >= self.index_limit):
            wrong = int(index.min()) if int(index.min()) < 0 else int(index.max())
            raise HdrLayoutInvalid(f"bucket {wrong}: there are only buckets 0 to {self.index_limit - 1}")
        shift = np.maximum((index >> half) - 1, 0)
        lower = (index - (shift << half)) << shift
        return lower, lower + (np.int64(1) << shift)

    def edges_ns(self, indices: Int64s) -> tuple[Int64s, Int64s]:
        """Return the lower and the (exclusive) upper edges of buckets in ns. Raise HdrLayoutInvalid for a
        bucket that does not exist or ends after 2^63 ns (292 years).
        """
        lower, upper = self.edges_units(indices)
        if upper.size and int(upper.max()) * self.unit_ns > _LAST_NS:
            raise HdrLayoutInvalid(
                f"a bucket at {int(upper.max())} units of {self.unit_ns} ns lies beyond 292 years"
            )
        return lower * self.unit_ns, upper * self.unit_ns


_EXACT_IN_DOUBLE = 1 << 53


def _bit_length(values: Int64s) -> Int64s:
    """Return the exact bit length of non-negative integers below 2**62."""
    if values.size and int(values.max()) >= _EXACT_IN_DOUBLE:
        return 32 * (values >> 32 > 0) + _bit_length(np.where(values >> 32 > 0, values >> 32, values))
    # The exponent of a double is the place of the highest bit.
    exponents = values.astype(np.float64).view(np.int64) >> 52
    bits: Int64s = np.maximum(exponents - 1022, 0)
    return bits


NEVER_NS = int(np.iinfo(np.int64).max)
"""Upper edge of an open bucket."""

MAX_TOLERANCE_NS = 1
"""Largest `edge_tolerance_ns`: times are whole ns, so `(a, b]` of one tool is `[a + 1, b + 1)` of another."""


class BucketLayout(Protocol):
    """The half-open range of time of each bucket. Records of equal layouts can be summed."""

    @property
    def edge_tolerance_ns(self) -> int:
        """Every edge may in truth lie up to this many ns later than `edges_ns` says; 0 if edges are exact."""
        ...

    def edges_ns(self, indices: Int64s) -> tuple[Int64s, Int64s]:
        """Return the lower and the exclusive upper edges in ns, `NEVER_NS` for an open bucket. Raise
        `BucketsInvalid` or `HdrLayoutInvalid` for a bucket that does not exist.
        """
        ...


class BucketsInvalid(DomainError):
    """Counts, buckets or edges that no record can have."""


class LayoutsDiffer(DomainError):
    """Records of different layouts cannot be summed bucket by bucket."""


@dataclass(frozen=True, slots=True)
class Pow2Layout:
    """Bucket 0 is `[0, unit)`, bucket k `[2^(k−1), 2^k)` units, as in ACT since 2.0. Raise BucketsInvalid for
    a unit below 1 ns or from 2**62 ns on.
    """

    unit_ns: int

    def __post_init__(self) -> None:
        unit_ns = _whole(self.unit_ns, "unit_ns")
        if not 0 < unit_ns < NEVER_NS // 2:
            raise BucketsInvalid(f"unit_ns is {unit_ns}: a bucket must be at least 1 ns wide")
        object.__setattr__(self, "unit_ns", unit_ns)

    @property
    def edge_tolerance_ns(self) -> int:
        """Always 0: edges are exact."""
        return 0

    @property
    def index_limit(self) -> int:
        """Number of buckets: one more than the last whose upper edge is a 64-bit number of nanoseconds."""
        return (NEVER_NS // self.unit_ns).bit_length()

    def edges_ns(self, indices: Int64s) -> tuple[Int64s, Int64s]:
        """Return the lower and upper edges in ns, as in `BucketLayout`."""
        index = checked_indices(indices, self.index_limit)
        one = np.int64(1)
        lower = np.where(index > 0, one << np.maximum(index - 1, 0), 0)
        return lower * self.unit_ns, (one << index) * self.unit_ns


@dataclass(frozen=True, slots=True)
class ExplicitLayout:
    """Buckets between ascending edges in ns; the last bucket is open if `open_ended`. In truth each edge
    except 0 may be up to `edge_tolerance_ns` later: with a tolerance of 1 the buckets of tools that count
    `<=1 ms` (edge 1,000,001 ns) equal those of tools that count `<1 ms`, and answers hold within 1 ns. Raise
    BucketsInvalid unless edges ascend from 0 or later and enclose a bucket, and for a tolerance over 1 ns.
    """

    edges: tuple[int, ...]
    open_ended: bool = False
    edge_tolerance_ns: int = 0

    def __post_init__(self) -> None:
        edges = tuple(_whole(edge, "an edge") for edge in self.edges)
        tolerance_ns = _whole(self.edge_tolerance_ns, "edge_tolerance_ns")
        least = 1 if self.open_ended else 2
        if len(edges) < least or any(b <= a for a, b in pairwise(edges)):
            raise BucketsInvalid(
                f"explicit edges must ascend and enclose at least one bucket, not {_edges_text(edges)}"
            )
        if edges[0] < 0 or edges[-1] >= NEVER_NS:
            raise BucketsInvalid(f"an edge of {edges[0] if edges[0] < 0 else edges[-1]} ns is no latency")
        if not 0 <= tolerance_ns <= MAX_TOLERANCE_NS:
            raise BucketsInvalid(f"edge_tolerance_ns is {tolerance_ns}: 0 to {MAX_TOLERANCE_NS} is allowed")
        object.__setattr__(self, "edges", edges)
        object.__setattr__(self, "edge_tolerance_ns", tolerance_ns)

    @property
    def index_limit(self) -> int:
        """Number of buckets, with the open bucket."""
        return len(self.edges) - int(not self.open_ended)

    def edges_ns(self, indices: Int64s) -> tuple[Int64s, Int64s]:
        """Return the lower and upper edges in ns, as in `BucketLayout`."""
        index = checked_indices(indices, self.index_limit)
        edges = np.array([*self.edges, NEVER_NS] if self.open_ended else self.edges, dtype=np.int64)
        return edges[index], edges[index + 1]


def checked_indices(indices: Int64s, limit: int) -> Int64s:
    """Return the bucket numbers. Raise BucketsInvalid if any is negative or not below the limit."""
    index = np.asarray(indices, dtype=np.int64)
    if index.size and (int(index.min()) < 0 or int(index.max()) >= limit):
        wrong = int(index.min()) if int(index.min()) < 0 else int(index.max())
        raise BucketsInvalid(f"bucket {wrong} is counted, but there are only buckets 0 to {limit - 1}")
    return index


def layout_document(layout: BucketLayout) -> dict[str, Any]:
    """Return a layout as in distribution documents, with its kind `t`. A last edge of null is an open bucket,
    and a tolerance of 0 is left out. Raise LayoutUnknown for a class other than the three layouts.
    """
    if isinstance(layout, HdrLayout):
        return {"t": "hdr", "unit_ns": layout.unit_ns, "sig": layout.significant_digits}
    if isinstance(layout, Pow2Layout):
        return {"t": "pow2", "unit_ns": layout.unit_ns}
    if isinstance(layout, ExplicitLayout):
        edges: list[int | None] = [*layout.edges, None] if layout.open_ended else list(layout.edges)
        document: dict[str, Any] = {"t": "explicit", "edges_ns": edges}
        if layout.edge_tolerance_ns:
            document["edge_tolerance_ns"] = layout.edge_tolerance_ns
        return document
    raise LayoutUnknown(f"{type(layout).__name__} is no layout that can be written down")


def layout_of(document: Mapping[str, Any]) -> BucketLayout:
    """Return the layout of a document by `layout_document`. A last edge of null or "inf" opens the last
    bucket; `hdr` has 1,000 ns and 3 digits by default. Raise `LayoutUnknown` for another kind or key,
    `BucketsInvalid` or `HdrLayoutInvalid` for invalid values.
    """
    kind = document.get("t")
    if not isinstance(kind, str) or kind not in _KEYS:
        raise LayoutUnknown(f"layout kind {kind!r} is none of {', '.join(_KEYS)}")
    unknown = sorted(set(document) - _KEYS[kind] - {"t"})
    if unknown:
        raise LayoutUnknown(f"a {kind} layout has no {unknown[0]!r}; it has {', '.join(sorted(_KEYS[kind]))}")
    if kind == "hdr":
        return HdrLayout(
            _whole(document.get("unit_ns", 1_000), "unit_ns"), _whole(document.get("sig", 3), "sig")
        )
    if kind == "pow2":
        return Pow2Layout(_whole(document.get("unit_ns"), "unit_ns"))
    edges = document.get("edges_ns")
    if not isinstance(edges, list) or not edges:
        raise BucketsInvalid("an explicit layout needs edges_ns, a list of ascending times")
    open_ended = edges[-1] is None or edges[-1] in ("inf", "Infinity", "+Inf")
    tolerance_ns = _whole(document.get("edge_tolerance_ns", 0), "edge_tolerance_ns")
    return ExplicitLayout(tuple(edges[:-1] if open_ended else edges), open_ended, tolerance_ns)


class LayoutUnknown(DomainError):
    """The layout has a kind or a property that this version does not support."""


_KEYS: dict[str, set[str]] = {
    "hdr": {"unit_ns", "sig"},
    "pow2": {"unit_ns"},
    "explicit": {"edges_ns", "edge_tolerance_ns"},
}


def _whole(value: object, name: str) -> int:
    """Return an integer of any type as an int. Raise BucketsInvalid for floats, booleans, text and None."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise BucketsInvalid(f"{name} is {value!r}: it must be a whole number")
    return operator.index(value)


def _edges_text(edges: tuple[int, ...]) -> str:
    """Return the edges as text: all of up to six, else the first four and the last."""
    return str(list(edges)) if len(edges) <= 6 else f"{list(edges[:5])[:-1]}, … {edges[-1]}]"
