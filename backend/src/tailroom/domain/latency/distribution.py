"""What a record of latencies says for certain: how many lie below any time, and between which laws it lies.

A distribution keeps exact integer counts in half-open buckets, exact counters at thresholds (pins), and the
misses (errors, time-outs, unfinished operations), which count against every SLA as if they took for ever.
Pins, smallest and largest latency cut buckets into finer *cells*; where they contradict the buckets, no
distribution is made. Source: METHOD.md sections 1.1.1, 1.2 and 5.1.
"""

import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Protocol

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Floats, Int64s, LatencyBounds, Law
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.histogram import Counts

NEVER_NS = np.iinfo(np.int64).max
"""Upper edge of an open bucket."""

_FINE_RELATIVE_WIDTH = 0.02
_INT64_SAFE = float(1 << 62)


class Layout(Protocol):
    """Which half-open stretch of time each bucket stands for. Equal layouts may be added up."""

    def edges_ns(self, indices: Int64s) -> tuple[Int64s, Int64s]:
        """Lower (inclusive) and upper (exclusive) edges; `NEVER_NS` where a bucket is open."""
        ...


@dataclass(frozen=True, slots=True)
class Pow2Layout:
    """Bucket 0 is `[0, unit)`, bucket k `[2^(k−1), 2^k)` units: the histograms of ACT since 2.0."""

    unit_ns: int

    def index_of(self, latencies_ns: Int64s) -> Int64s:
        """Bucket of each latency."""
        units = np.asarray(latencies_ns, dtype=np.int64) // self.unit_ns
        return np.fromiter((int(unit).bit_length() for unit in units), np.int64, units.size)

    def edges_ns(self, indices: Int64s) -> tuple[Int64s, Int64s]:
        """See `Layout`."""
        one = np.int64(1)
        lower = np.where(indices > 0, one << np.maximum(indices - 1, 0), 0)
        return lower * self.unit_ns, (one << indices) * self.unit_ns


@dataclass(frozen=True, slots=True)
class ExplicitLayout:
    """Buckets between ascending edges; the last one is open when `open_ended`."""

    edges: tuple[int, ...]
    open_ended: bool = False

    def __post_init__(self) -> None:
        if len(self.edges) < 2 - int(self.open_ended) or any(b <= a for a, b in pairwise(self.edges)):
            raise BucketsInvalid("explicit edges must ascend and enclose at least one bucket")

    def edges_ns(self, indices: Int64s) -> tuple[Int64s, Int64s]:
        """See `Layout`."""
        edges = np.array([*self.edges, NEVER_NS] if self.open_ended else self.edges, dtype=np.int64)
        if indices.size and int(indices.max()) > edges.size - 2:
            raise BucketsInvalid(f"bucket {int(indices.max())} counted, but there are {edges.size - 1}")
        return edges[indices], edges[indices + 1]


@dataclass(frozen=True, slots=True)
class Misses:
    """Operations that gave no answer in time; they count against the SLA and are not among the counts."""

    errors: int = 0
    timeouts: int = 0
    unfinished: int = 0

    @property
    def total(self) -> int:
        """All misses."""
        return self.errors + self.timeouts + self.unfinished

    def __add__(self, other: "Misses") -> "Misses":
        return Misses(
            self.errors + other.errors, self.timeouts + other.timeouts, self.unfinished + other.unfinished
        )


@dataclass(frozen=True, slots=True)
class CountBounds:
    """A count that is known only between two ends (equal where it is exact)."""

    lower: int
    upper: int


@dataclass(frozen=True, slots=True)
class TimeBounds:
    """A time that is known only between two ends; `upper_ns` is none where the record has no upper limit."""

    lower_ns: int
    upper_ns: int | None


@dataclass(frozen=True)
class LatencyDist:
    """Exact record of one operation on one clock. `pins` maps a threshold to the count at or above it."""

    layout: Layout
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

    @property
    def count(self) -> int:
        """Operations with a latency."""
        return self.counts.total

    @property
    def total(self) -> int:
        """Operations with a latency, and misses."""
        return self.count + self.misses.total

    @cached_property
    def cells(self) -> "Cells":
        """Finest certain partition: buckets cut at pins, at the smallest and after the largest latency."""
        return _cells(self)

    @property
    def mean_ns(self) -> tuple[float, float] | None:
        """Lower and upper end of the mean latency; one number where the sum is known.

        None without latencies, and where an open bucket leaves no upper end.
        """
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
        """Ascending ends of all cells: between two of them nothing is known."""
        edges = np.union1d(self.cells.lower_ns, self.cells.upper_ns)
        result: Int64s = edges[edges != NEVER_NS]
        return result

    def below(self, time_ns: int) -> CountBounds:
        """Operations with a latency strictly below a time; misses are never below."""
        cells = self.cells
        certain = int(np.searchsorted(cells.upper_ns, time_ns, side="right"))
        possible = int(np.searchsorted(cells.lower_ns, time_ns, side="left"))
        return CountBounds(cells.before(certain), cells.before(possible))

    def at_or_over(self, threshold_ns: int) -> CountBounds:
        """Operations at or above a threshold, misses among them."""
        below = self.below(threshold_ns)
        return CountBounds(self.total - below.upper, self.total - below.lower)

    def cdf_bounds(self, time_ns: int) -> tuple[float, float]:
        """Lower and upper end of the share below a time. Undefined without operations."""
        if self.total == 0:
            raise DistributionEmpty("no operation was recorded, so there is no share of them")
        below = self.below(time_ns)
        return below.lower / self.total, below.upper / self.total

    def rank_bounds(self, rank: int) -> TimeBounds:
        """Cell of the operation with this rank (1 = fastest); a rank among the misses has no upper limit."""
        if not 1 <= rank <= self.total:
            raise DistributionEmpty(f"rank {rank} of {self.total} operations does not exist")
        cells = self.cells
        if rank > self.count:
            return TimeBounds(int(cells.lower_ns[-1]) if cells.lower_ns.size else 0, None)
        position = int(np.searchsorted(cells.cumulative, rank, side="left"))
        upper = int(cells.upper_ns[position])
        return TimeBounds(int(cells.lower_ns[position]), None if upper == NEVER_NS else upper)

    def quantile_bounds(self, quantile: float) -> TimeBounds:
        """Where the smallest time lies below or at which at least this share of all operations ended."""
        return self.rank_bounds(quantile_rank(quantile, self.total))

    def bounds(self) -> LatencyBounds:
        """Early, middle and late law; the middle one meets the exact sum where that is known."""
        if self.total == 0:
            raise DistributionEmpty("no operation was recorded, so it has no law")
        cells = self.cells
        ratio = cells.counts / self.total
        closed = cells.upper_ns != NEVER_NS
        early = Law(cells.lower_ns.astype(np.float64), ratio)
        late = Law(cells.upper_ns[closed].astype(np.float64), ratio[closed])
        middle = Law(_representatives_ns(cells, self.sum_ns), ratio)
        return LatencyBounds(early, middle, late)

    def merged_with(self, other: "LatencyDist") -> "LatencyDist":
        """Exact sum of two records of one layout; only thresholds that both counted stay exact."""
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
            pins=_both_pins(self, other),
            misses=self.misses + other.misses,
            sum_ns=_both(self, other, "sum_ns", lambda a, b: a + b),
            min_ns=_both(self, other, "min_ns", min),
            max_ns=_both(self, other, "max_ns", max),
        )

    def _check_sum(self) -> None:
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


class BucketsInvalid(DomainError):
    """Counts or edges that no record can have."""


class PinsContradictBuckets(DomainError):
    """Exact counters, smallest or largest latency do not fit the bucket counts."""


class SumOutsideBuckets(DomainError):
    """The exact sum cannot come from the bucket counts."""


class DistributionEmpty(DomainError):
    """A question about operations of which there are none."""


class LayoutsDiffer(DomainError):
    """Buckets of different layouts are never added up or split."""


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Ascending disjoint stretches `[lower, upper)` with exact, positive counts, and their running total."""

    lower_ns: Int64s
    upper_ns: Int64s
    counts: Int64s
    cumulative: Int64s

    def before(self, position: int) -> int:
        """Operations in the cells before a position."""
        return int(self.cumulative[position - 1]) if position > 0 else 0

    def added(self, times_ns: Int64s) -> int:
        """Exact sum of one time for each cell, taken as often as the cell counts."""
        if float(self.counts.astype(np.float64) @ times_ns.astype(np.float64)) < _INT64_SAFE:
            return int(self.counts @ times_ns)
        return sum(count * at for count, at in zip(self.counts.tolist(), times_ns.tolist(), strict=True))


def quantile_rank(quantile: float, total: int) -> int:
    """Smallest rank whose share of the total reaches a quantile, in exact decimal arithmetic."""
    if not 0.0 <= quantile <= 1.0:
        raise DistributionEmpty(f"quantile {quantile} is not between 0 and 1")
    return max(1, math.ceil(Fraction(str(quantile)) * total))


def hdr_distribution(
    counts: Counts,
    *,
    layout: HdrLayout | None = None,
    pins: dict[int, int] | None = None,
    misses: Misses | None = None,
    sum_ns: int | None = None,
    min_ns: int | None = None,
    max_ns: int | None = None,
) -> LatencyDist:
    """Record in HdrHistogram buckets (unit 1 µs and three digits unless said otherwise)."""
    return LatencyDist(layout or HdrLayout(), counts, pins or {}, misses or Misses(), sum_ns, min_ns, max_ns)


def _cells(dist: LatencyDist) -> Cells:
    """Every edge and pin is a statement `this many lie below t`; between two statements lies a cell."""
    filled = dist.counts.counts > 0
    indices, amounts = dist.counts.indices[filled], dist.counts.counts[filled]
    order = np.argsort(indices, kind="stable")
    lower, upper = dist.layout.edges_ns(indices[order])
    running = np.cumsum(amounts[order])
    count = int(running[-1]) if running.size else 0
    extra = [(at, count - at_or_over) for at, at_or_over in sorted(dist.pins.items())]
    if count and dist.min_ns is not None:
        extra.append((dist.min_ns, 0))
    if count and dist.max_ns is not None:
        extra.append((dist.max_ns + 1, count))
    extra_at = np.array([at for at, _ in extra], dtype=np.int64)
    extra_below = np.array([below for _, below in extra], dtype=np.int64)
    at = np.concatenate((np.zeros(1, np.int64), lower, upper, extra_at))
    below = np.concatenate((np.zeros(1, np.int64), running - amounts[order], running, extra_below))
    by_time = np.lexsort((below, at))
    at, below = at[by_time], below[by_time]
    same_time = at[1:] == at[:-1]
    step = np.diff(below)
    wrong = (step < 0) | (same_time & (step != 0))
    if wrong.any():
        position = int(np.flatnonzero(wrong)[0])
        raise PinsContradictBuckets(
            f"the record says that {int(below[position])} operations lie below {int(at[position])} ns and "
            f"{int(below[position + 1])} below {int(at[position + 1])} ns"
        )
    kept = step > 0
    return Cells(at[:-1][kept], at[1:][kept], step[kept], np.cumsum(step[kept]))


def _representatives_ns(cells: Cells, sum_ns: int | None) -> Floats:
    """One latency for each cell: the middle, log-uniform in a coarse cell; all moved to meet the sum."""
    lower = cells.lower_ns.astype(np.float64)
    # An open cell has no middle; one octave is the width that power-of-two records have everywhere else.
    is_open = cells.upper_ns == NEVER_NS
    upper = np.where(is_open, 2.0 * np.maximum(lower, 1.0), cells.upper_ns.astype(np.float64))
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


def _both_pins(first: LatencyDist, second: LatencyDist) -> dict[int, int]:
    """Thresholds that both know; a record without latencies has none at or over any threshold."""
    if first.count == 0 or second.count == 0:
        return dict(first.pins if first.count else second.pins or first.pins)
    return {at: first.pins[at] + second.pins[at] for at in first.pins.keys() & second.pins.keys()}


def _both(first: LatencyDist, second: LatencyDist, name: str, combine: "Combine") -> int | None:
    """Combined value where both records know it; a record without latencies has nothing to add."""
    known: list[int] = []
    for dist in (first, second):
        value: int | None = getattr(dist, name)
        if value is not None:
            known.append(value)
        elif dist.count:
            return None
    return known[0] if len(known) == 1 else combine(*known) if known else None


class Combine(Protocol):
    """Joins two numbers into one."""

    def __call__(self, first: int, second: int, /) -> int: ...
