"""Merged records of unequal layouts, without splitting a bucket and without losing an edge.

The bounds of the operations below a time are the sums of the parts' bounds, so `F(t) = Σ nᵢ Fᵢ(t) / Σ nᵢ`
holds for both bounds. Parts of the same layout are summed bucket by bucket. Records of shares without counts
have no weight and raise. Merging is associative and commutative. Source: docs/method.md 5.1, merge rule.

Records with unknown numbers of operations merge for any weights: `F(t) = Σ wᵢ Fᵢ(t)` is between the smallest
lower and the largest upper bound of the parts, and the mean between the bounds of theirs.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Int64s, LatencyBounds, PointMasses
from tailroom.domain.latency.distribution import (
    CountedRecord,
    DistributionEmpty,
    LatencyDist,
    LatencyRecord,
    Misses,
    TimeBounds,
    quantile_rank,
)
from tailroom.domain.latency.knots import CountsUnknown, KnotsRecord
from tailroom.domain.latency.layouts import BucketLayout

Part = LatencyDist | KnotsRecord
_LATEST_NS = 1 << 62


class MergedPartsInvalid(DomainError):
    """An object to be merged is none of the three kinds of records."""


@dataclass(frozen=True)
class MergedRecord(CountedRecord):
    """Records of an operation by one clock (which of its times was measured), side by side and not merged
    themselves. Records that can be summed exactly become one part (`_sum_alike`). Raise `CountsUnknown` for a
    part without a number of operations, `DistributionEmpty` without parts.
    """

    parts: tuple[Part, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", _sum_alike(self.parts))

    @staticmethod
    def of(records: Sequence[LatencyRecord]) -> "MergedRecord":
        """Return the merged record of records of any kind; merged records count as their parts. Raise
        `CountsUnknown` for a record without a number of operations, `DistributionEmpty` without records.
        """
        return MergedRecord(tuple(_flatten(records)))

    @property
    def count(self) -> int:
        """Number of operations with a latency."""
        return self.total - self.misses.total

    @property
    def total(self) -> int:
        """Number of operations with a latency, plus misses."""
        return sum(_known_total(part) for part in self.parts)

    @property
    def misses(self) -> Misses:
        """Sum of the misses of all parts."""
        return reduce(Misses.__add__, [part.misses for part in self.parts], Misses())

    @property
    def edge_tolerance_ns(self) -> int:
        """Largest tolerance of edges of all parts, in ns."""
        return max(part.edge_tolerance_ns for part in self.parts)

    @property
    def mean_ns(self) -> tuple[float, float] | None:
        """Bounds of the mean in ns; None without latencies, or if a part with latencies has none."""
        least = most = 0.0
        for part in self.parts:
            answered = _known_total(part) - part.misses.total
            mean = part.mean_ns
            if answered and mean is None:
                return None
            if mean is not None:
                least, most = least + answered * mean[0], most + answered * mean[1]
        return (least / self.count, most / self.count) if self.count else None

    def edges_ns(self) -> Int64s:
        """Return the edges of all parts in ns, ascending, equal edges once."""
        return self._below_edges[0].copy()

    def below_each(self, times_ns: Int64s) -> tuple[Int64s, Int64s]:
        """Return the lower and upper bounds of `below` for many latencies."""
        bounds = [part.below_each(times_ns) for part in self.parts]
        zero = np.zeros(times_ns.shape, dtype=np.int64)
        return sum((count for count, _ in bounds), zero), sum((count for _, count in bounds), zero)

    def quantile_bounds(self, quantile: float) -> TimeBounds:
        """Return bounds in ns of a quantile, as in `LatencyRecord`."""
        if self.total == 0:
            raise DistributionEmpty("no operation was recorded, so it has no quantile")
        rank = quantile_rank(quantile, self.total)
        edges, lower, upper = self._below_edges
        later_ns = self.edge_tolerance_ns
        never = np.flatnonzero(upper < rank)
        early_ns = max(0, int(edges[never[-1]]) - later_ns) if never.size else 0
        if rank > self.count:
            return TimeBounds(early_ns, None)
        reached = np.flatnonzero(lower >= rank)
        late_ns = int(edges[reached[0]]) + later_ns if reached.size else None
        if any(isinstance(part, KnotsRecord) and part.mean_limits_ns for part in self.parts):
            late_ns = self._upper_by_mean(rank, early_ns, late_ns)
        return TimeBounds(early_ns, None if late_ns is None else max(late_ns, early_ns + 1))

    def bounds(self) -> LatencyBounds:
        """Return the mixture of the parts' distributions. Raise DistributionEmpty without operations."""
        total = self.total
        if total == 0:
            raise DistributionEmpty("no operation was recorded, so it has no law")
        weighted = [(_known_total(part) / total, part.bounds()) for part in self.parts if _known_total(part)]
        return LatencyBounds(
            _mix([(weight, bounds.early) for weight, bounds in weighted]),
            _mix([(weight, bounds.middle) for weight, bounds in weighted]),
            _mix([(weight, bounds.late) for weight, bounds in weighted]),
        )

    @cached_property
    def _below_edges(self) -> tuple[Int64s, Int64s, Int64s]:
        """Edges of all parts, and the lower and upper bounds of the operations below each."""
        edges: Int64s = reduce(np.union1d, [part.edges_ns() for part in self.parts], np.empty(0, np.int64))
        return edges, *self.below_each(edges)

    def _upper_by_mean(self, rank: int, early_ns: int, late_ns: int | None) -> int | None:
        """Return the first time in ns after `early_ns` by which the operation of this rank certainly ended,
        as the mean limits the tail between edges; `late_ns` if the mean does not help.
        """
        low, high = early_ns, _LATEST_NS if late_ns is None else late_ns
        if self.below(high).lower < rank:
            return late_ns
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.below(middle).lower >= rank else (middle, high)
        return high


def _flatten(records: Iterable[LatencyRecord]) -> list[Part]:
    """Return the records, merged records as their parts. Raise MergedPartsInvalid for another kind."""
    parts: list[Part] = []
    for record in records:
        if isinstance(record, MergedRecord):
            parts.extend(record.parts)
        elif isinstance(record, LatencyDist | KnotsRecord):
            parts.append(record)
        else:
            raise MergedPartsInvalid(f"{type(record).__name__} cannot stand beside other records")
    return parts


def _sum_alike(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Return the parts; those with equal layout, thresholds and known sums and extremes are summed first.
    Raise `DistributionEmpty` without parts, `CountsUnknown` for a part without a number of operations.
    """
    if not parts:
        raise DistributionEmpty("no record stands beside another")
    added: dict[tuple[BucketLayout, frozenset[int], tuple[bool, ...]], LatencyDist] = {}
    others: list[Part] = []
    for position, part in enumerate(parts):
        if part.total is None:
            raise CountsUnknown(
                f"record {position} does not say of how many operations it speaks: it can be compared, "
                f"not merged"
            )
        if isinstance(part, KnotsRecord):
            others.append(part)
            continue
        known_columns = (part.sum_ns is not None, part.min_ns is not None, part.max_ns is not None)
        key = part.layout, frozenset(part.pins), known_columns
        added[key] = added[key].merged_with(part) if key in added else part
    return (*added.values(), *others)


def _known_total(part: Part) -> int:
    """Return the number of operations of a part, with misses. Raise `CountsUnknown` if it is not stated."""
    if part.total is None:
        raise CountsUnknown("a record does not say of how many operations it speaks")
    return part.total


def _mix(weighted: Sequence[tuple[float, PointMasses]]) -> PointMasses:
    """Return the mixture of distributions, given as pairs of weight and distribution; weights add up to 1."""
    at = np.concatenate([law.at_ns for _, law in weighted])
    ratio = np.concatenate([weight * law.ratio for weight, law in weighted])
    times, position = np.unique(at, return_inverse=True)
    added = np.bincount(position, weights=ratio, minlength=times.size)
    return PointMasses(times, added.astype(np.float64))


_MOST_TIMES = 1_000


def unweighted(parts: Sequence[LatencyRecord]) -> KnotsRecord:
    """Return a record whose bounds hold for any mixture of the parts. It has no number of operations and no
    misses of its own: those of parts lower its shares. Its mean is unknown if that of any part is. Of more
    than 1,000 edges as many are evenly selected, which widens bounds. Raise ValueError without parts,
    `DistributionEmpty` for a part without operations.
    """
    edges = np.unique(np.concatenate([part.edges_ns() for part in parts]))
    chosen = np.linspace(0, max(0, edges.size - 1), min(edges.size, _MOST_TIMES)).astype(np.int64)
    times: list[int] = edges[chosen].tolist()
    knots = []
    for time_ns in times:
        bounds = [part.cdf_bounds(time_ns) for part in parts]
        knots.append((time_ns, min(least for least, _ in bounds), max(most for _, most in bounds)))
    means = [part.mean_ns for part in parts]
    stated = [mean for mean in means if mean is not None]
    mean = (
        (min(low for low, _ in stated), max(high for _, high in stated))
        if len(stated) == len(means)
        else None
    )
    return KnotsRecord(tuple(knots), None, mean)
