"""A record of latencies in buckets: certain counts below any time, and bounds of its distribution.

A record holds exact integer counts in half-open buckets, exact counters at thresholds (pins), and the
misses (errors, time-outs, unfinished operations), which count against every SLA as if they never ended.
Pins, smallest and largest latency cut buckets into finer *cells* (`cells`); a contradiction with the buckets
raises. Source: docs/method.md sections 1.1.1, 1.2 and 5.1.

`LatencyRecord` is the interface of all kinds of records: exact counts in buckets (`LatencyDist`), statements
about the distribution function such as published percentiles (`KnotsRecord`), and records of unequal layouts
side by side (`MergedRecord`).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from typing import Protocol, runtime_checkable

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Int64s, LatencyBounds, PointMasses
from tailroom.domain.latency.cells import Cells, cells_of, representatives_ns
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.layouts import NEVER_NS, BucketLayout, BucketsInvalid, LayoutsDiffer
from tailroom.domain.units import ceil_div


@dataclass(frozen=True, slots=True)
class Misses:
    """Operations that gave no answer in time; they count against the SLA and are not among the counts."""

    errors: int = 0
    timeouts: int = 0
    unfinished: int = 0

    @property
    def total(self) -> int:
        """Number of all misses."""
        return self.errors + self.timeouts + self.unfinished

    def __add__(self, other: "Misses") -> "Misses":
        return Misses(
            self.errors + other.errors, self.timeouts + other.timeouts, self.unfinished + other.unfinished
        )


@dataclass(frozen=True, slots=True)
class CountBounds:
    """Lower and upper bound of a count, equal if it is exact."""

    lower: int
    upper: int


@dataclass(frozen=True, slots=True)
class TimeBounds:
    """Bounds of a time. `upper_ns` is exclusive (the edge of a bucket), None if there is no upper bound."""

    lower_ns: int
    upper_ns: int | None


class CountedRecord(ABC):
    """What follows from `total` and `below_each` for a record that states its number of operations."""

    @property
    @abstractmethod
    def total(self) -> int:
        """Number of operations with a latency, plus misses."""

    @abstractmethod
    def below_each(self, times_ns: Int64s) -> tuple[Int64s, Int64s]:
        """Return lower and upper bounds of the number of operations below each time."""

    def below(self, time_ns: int) -> CountBounds:
        """Return bounds of the number of operations, never misses, strictly below a latency."""
        lower, upper = self.below_each(np.array([time_ns], dtype=np.int64))
        return CountBounds(int(lower[0]), int(upper[0]))

    def at_or_over(self, threshold_ns: int) -> CountBounds:
        """Return bounds of the number of operations at or above a threshold, with misses."""
        below = self.below(threshold_ns)
        return CountBounds(self.total - below.upper, self.total - below.lower)

    def cdf_bounds(self, time_ns: int) -> tuple[float, float]:
        """Return bounds of P(latency < time), misses included. Raise DistributionEmpty without operations."""
        if self.total == 0:
            raise DistributionEmpty("no operation was recorded, so there is no share of them")
        below = self.below(time_ns)
        return below.lower / self.total, below.upper / self.total


@dataclass(frozen=True)
class LatencyDist(CountedRecord):
    """Latencies of an operation by one clock (which of its times was measured): counts in buckets, and beside
    them the misses. `pins` has exact counts at or over thresholds in ns. `sum_ns`, `min_ns` and `max_ns` are
    exact, None if unknown. Raise `BucketsInvalid` for negative counts, `SumOutsideBuckets` or
    `PinsContradictBuckets` for a contradiction.
    """

    layout: BucketLayout
    counts: Counts
    pins: dict[int, int] = field(default_factory=dict)
    misses: Misses = field(default_factory=Misses)
    sum_ns: int | None = None
    min_ns: int | None = None
    max_ns: int | None = None

    def __post_init__(self) -> None:
        amounts = self.counts.counts
        if amounts.size and int(amounts.min()) < 0:
            raise BucketsInvalid("a bucket has a negative count")
        if min(self.misses.errors, self.misses.timeouts, self.misses.unfinished) < 0:
            raise BucketsInvalid("errors, time-outs and unfinished operations must not be negative")
        self._check_sum()

    @cached_property
    def count(self) -> int:
        """Number of operations with a latency."""
        return self.counts.total

    @property
    def total(self) -> int:
        """Number of operations with a latency, plus misses."""
        return self.count + self.misses.total

    @cached_property
    def cells(self) -> Cells:
        """Buckets cut at pins and around the extremes. Raise PinsContradictBuckets if they do not fit."""
        return cells_of(self.layout, self.counts, pins=self.pins, min_ns=self.min_ns, max_ns=self.max_ns)

    @property
    def mean_ns(self) -> tuple[float, float] | None:
        """Bounds in ns of the mean latency, equal if the sum is known; None if none or unbounded."""
        if self.count == 0:
            return None
        if self.sum_ns is not None:
            return self.sum_ns / self.count, self.sum_ns / self.count
        cells = self.cells
        if (cells.upper_ns == NEVER_NS).any():
            return None
        least, most = cells.added(cells.lower_ns), cells.added(cells.upper_ns)
        return least / self.count, most / self.count

    def edges_ns(self) -> Int64s:
        """Return the ascending edges of all cells in ns, without the infinite edge of an open cell."""
        edges = np.union1d(self.cells.lower_ns, self.cells.upper_ns)
        result: Int64s = edges[edges != NEVER_NS]
        return result

    @property
    def edge_tolerance_ns(self) -> int:
        """How much later in ns an edge may truly lie (see `BucketLayout`); 0 for layouts with exact edges."""
        return self.layout.edge_tolerance_ns

    def below_each(self, times_ns: Int64s) -> tuple[Int64s, Int64s]:
        """Return the lower and the upper bounds of `below` for many latencies; equal at pins. If edges have a
        tolerance, the lower bound holds for a time that much later, the upper for a time that much earlier.
        """
        cells, tolerance_ns = self.cells, self.edge_tolerance_ns
        certain = np.searchsorted(cells.upper_ns, times_ns + tolerance_ns, side="right")
        possible = np.searchsorted(cells.lower_ns, times_ns - tolerance_ns, side="left")
        running = np.concatenate((np.zeros(1, np.int64), cells.cumulative))
        lower, upper = running[certain], np.maximum(running[certain], running[possible])
        if tolerance_ns and self.pins:
            for at_ns, at_or_over in self.pins.items():
                exact = times_ns == at_ns
                lower[exact] = upper[exact] = self.count - at_or_over
        return lower, upper

    def rank_bounds(self, rank: int) -> TimeBounds:
        """Return bounds in ns of the latency with a rank (1 = fastest, misses last). A miss and a latency in
        an open bucket have no upper bound; the lower bound of a miss is that of the slowest latency. Raise
        DistributionEmpty if there is no such rank.
        """
        if not 1 <= rank <= self.total:
            raise DistributionEmpty(f"rank {rank} of {self.total} operations does not exist")
        cells = self.cells
        if rank > self.count:
            return TimeBounds(int(cells.lower_ns[-1]) if cells.lower_ns.size else 0, None)
        position = int(np.searchsorted(cells.cumulative, rank, side="left"))
        upper = int(cells.upper_ns[position])
        return TimeBounds(int(cells.lower_ns[position]), None if upper == NEVER_NS else upper)

    def quantile_bounds(self, quantile: float) -> TimeBounds:
        """Return bounds in ns of a quantile, as in `LatencyRecord`."""
        return self.rank_bounds(quantile_rank(quantile, self.total))

    def bounds(self) -> LatencyBounds:
        """Return the early, middle and late distribution; the middle has the exact sum if it is known and no
        cell is open. Raise `DistributionEmpty` without operations.
        """
        if self.total == 0:
            raise DistributionEmpty("no operation was recorded, so it has no law")
        cells = self.cells
        ratio = cells.counts / self.total
        closed = cells.upper_ns != NEVER_NS
        point = cells.is_point
        lower = cells.lower_ns.astype(np.float64)
        early = PointMasses(lower, ratio)
        latest = np.where(point, cells.lower_ns, cells.upper_ns).astype(np.float64)
        late = PointMasses(latest[closed], ratio[closed])
        middle = PointMasses(representatives_ns(cells, self.sum_ns), ratio)
        return LatencyBounds(early, middle, late, continuous=not point.all())

    def merged_with(self, other: "LatencyDist") -> "LatencyDist":
        """Return the exact sum of two records of the same layout. Pins, sum and extremes stay if each record
        with latencies has them. Raise `LayoutsDiffer` for unequal layouts.
        """
        if self.layout != other.layout:
            raise LayoutsDiffer(f"{self.layout} and {other.layout} cannot be added bucket by bucket")
        indices, position = np.unique(
            np.concatenate((self.counts.indices, other.counts.indices)), return_inverse=True
        )
        amounts = np.zeros(indices.size, dtype=np.int64)
        np.add.at(amounts, position, np.concatenate((self.counts.counts, other.counts.counts)))
        return LatencyDist(
            layout=self.layout,
            counts=Counts(indices, amounts),
            pins=_sum_pins(self, other),
            misses=self.misses + other.misses,
            sum_ns=_combine_field(self, other, "sum_ns", lambda a, b: a + b),
            min_ns=_combine_field(self, other, "min_ns", min),
            max_ns=_combine_field(self, other, "max_ns", max),
        )

    def _check_sum(self) -> None:
        """Raise SumOutsideBuckets if an exact sum is known and cannot come from the cells."""
        if self.sum_ns is None:
            return
        cells = self.cells
        least = cells.added(cells.lower_ns)
        closed = not (cells.upper_ns == NEVER_NS).any()
        most = cells.added(cells.upper_ns) if closed else None
        if self.sum_ns < least or (most is not None and self.sum_ns > most):
            raise SumOutsideBuckets(
                f"the latencies add up to {self.sum_ns} ns, but their buckets allow {least} to {most} ns"
            )


class SumOutsideBuckets(DomainError):
    """The exact sum cannot come from the bucket counts."""


class DistributionEmpty(DomainError):
    """There are no operations to take a share of, no such rank, or the quantile lies outside 0 to 1."""


def quantile_rank(quantile: float, total: int) -> int:
    """Return the smallest rank, at least 1, whose share of the total reaches a quantile, in exact decimals.
    Raise `DistributionEmpty` outside 0 to 1.
    """
    if not 0.0 <= quantile <= 1.0:
        raise DistributionEmpty(f"quantile {quantile} is not between 0 and 1")
    share = _exact(quantile)
    return max(1, ceil_div(share.numerator * total, share.denominator))


@lru_cache(256)
def _exact(ratio: float) -> Fraction:
    """Return the fraction of the shortest decimal form of a number: 1/10 for 0.1."""
    return Fraction(str(ratio))


def _sum_pins(first: LatencyDist, second: LatencyDist) -> dict[int, int]:
    """Return the summed counts at or over the thresholds (ns) that both records have. If only one record has
    latencies, return its pins; if neither has, those of the second, or of the first if these are empty.
    """
    if first.count == 0 or second.count == 0:
        return dict(first.pins if first.count else second.pins or first.pins)
    return {at: first.pins[at] + second.pins[at] for at in first.pins.keys() & second.pins.keys()}


def _combine_field(
    first: LatencyDist, second: LatencyDist, name: str, combine: Callable[[int, int], int]
) -> int | None:
    """Return a field of both records combined, None if a record with latencies does not know it."""
    values: list[int] = []
    for dist in (first, second):
        value: int | None = getattr(dist, name)
        if value is not None:
            values.append(value)
        elif dist.count:
            return None
    return reduce(combine, values) if values else None


@runtime_checkable
class LatencyRecord(Protocol):
    """Latencies of an operation by one clock (which of its times was measured). A miss (error, time-out,
    unfinished) is below no time, so it counts against every limit.
    """

    @property
    def total(self) -> int | None:
        """Number of operations with a latency, plus misses; None if the source does not state it."""
        ...

    @property
    def misses(self) -> Misses:
        """Number of errors, time-outs and unfinished operations."""
        ...

    @property
    def mean_ns(self) -> tuple[float, float] | None:
        """Bounds in ns of the mean of answered operations; None if there are none or no upper bound."""
        ...

    def cdf_bounds(self, time_ns: int) -> tuple[float, float]:
        """Return bounds of P(latency < time), misses included. Raise DistributionEmpty without operations."""
        ...

    def at_or_over(self, threshold_ns: int) -> CountBounds:
        """Return bounds of the count at or over a time, with misses. Raise CountsUnknown if not stated."""
        ...

    def quantile_bounds(self, quantile: float) -> TimeBounds:
        """Return bounds in ns of the first time by which this share of operations, misses included, had
        ended; no upper bound for a miss or beyond the record. Raise a DomainError for a quantile outside 0 to
        1, and without operations, unless it is a `KnotsRecord`.
        """
        ...

    def below_each(self, times_ns: Int64s) -> tuple[Int64s, Int64s]:
        """Return lower and upper bounds of the count below each time. Raise CountsUnknown if not stated."""
        ...

    def edges_ns(self) -> Int64s:
        """Return the ascending times in ns at which the bounds of the share may change."""
        ...

    def bounds(self) -> LatencyBounds:
        """Return early, middle and late distribution (`LatencyBounds`). Raise DistributionEmpty if empty."""
        ...
