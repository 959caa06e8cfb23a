"""The time that each hop of linked measurements adds to the hop inside it.

The curves are nested: the network's time holds the database's, which holds the server's, which holds the
device's. Two results follow for each hop, and neither needs independence:

* at equal quantiles of the whole: the difference of both curves at the same share of operations. It is what
  the hop adds if the operations that are slow inside are those that are slow outside;
* of the hop's own time, at the same share: between which times it lies whatever inner and outer have to do
  with each other (Makarov; Williamson and Downs, Int. J. Approximate Reasoning 4 (1990) 89). Percentiles of
  hops do not add up to those of the whole; these bounds are what is left of adding.
Source: docs/method.md 1.5, 1.6.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class QuantilePoint:
    """Bounds of a latency quantile in ns; `upper_ns` None: no upper bound."""

    quantile: float
    lower_ns: float
    upper_ns: float | None


@dataclass(frozen=True, slots=True)
class AddedTime:
    """Time in ns that a hop adds at one quantile, with None for an open bound. `lower_ns` to `upper_ns` is
    the difference at equal quantiles, below 0 if the inner hop is slower. `least_ns` to `most_ns` bounds the
    hop's own time, however it depends on the inner hop.
    """

    quantile: float
    lower_ns: float | None
    upper_ns: float | None
    least_ns: float
    most_ns: float | None

    @property
    def contradicts(self) -> bool:
        """Whether the inner curve is proven slower: the hops do not time the same operations."""
        return self.upper_ns is not None and self.upper_ns < 0.0


def added(
    inner: Sequence[QuantilePoint], outer: Sequence[QuantilePoint], quantiles: Sequence[float]
) -> list[AddedTime]:
    """Return the time that the hop `outer` adds to `inner` at each quantile that both curves have."""
    within, outermost = _QuantileSteps(inner), _QuantileSteps(outer)
    additions = []
    for quantile in quantiles:
        first, second = within.at(quantile), outermost.at(quantile)
        if first is None or second is None:
            continue
        lower = None if first.upper_ns is None else second.lower_ns - first.upper_ns
        upper = None if second.upper_ns is None else second.upper_ns - first.lower_ns
        most = min(
            outermost.upper(u) - within.lower(u - quantile)
            for u in _upper_candidates(outermost, within, quantile)
        )
        least = max(
            outermost.lower(u) - within.upper(1.0 + u - quantile)
            for u in _lower_candidates(outermost, within, quantile)
        )
        additions.append(
            AddedTime(quantile, lower, upper, max(0.0, least), None if math.isinf(most) else max(0.0, most))
        )
    return additions


class _QuantileSteps:
    """Bounds of a latency curve as steps: between two known quantiles, the lower bound is that of the
    quantile below, the upper bound that of the quantile above.
    """

    def __init__(self, points: Sequence[QuantilePoint]) -> None:
        self.points = sorted(points, key=lambda point: point.quantile)
        self.quantiles = [point.quantile for point in self.points]

    def at(self, quantile: float) -> QuantilePoint | None:
        """Return the point at exactly this quantile; None if the curve does not have it."""
        place = bisect_left(self.quantiles, quantile)
        there = place < len(self.points) and self.quantiles[place] == quantile
        return self.points[place] if there else None

    def upper(self, quantile: float) -> float:
        """Return the upper bound of the quantile in ns; infinite if it is open or above the last quantile."""
        place = bisect_left(self.quantiles, quantile)
        upper_ns = self.points[place].upper_ns if place < len(self.points) else None
        return math.inf if upper_ns is None else upper_ns

    def lower(self, quantile: float) -> float:
        """Return the lower bound of the quantile in ns; 0 below the first known quantile."""
        place = bisect_right(self.quantiles, quantile)
        return self.points[place - 1].lower_ns if place else 0.0


def _upper_candidates(outermost: _QuantileSteps, within: _QuantileSteps, quantile: float) -> list[float]:
    """Return the shares of the outer curve, steps of both curves, at which the upper bound can be least."""
    steps = [*outermost.quantiles, *(at + quantile for at in within.quantiles)]
    return [quantile, *(step for step in steps if quantile < step <= 1.0)]


def _lower_candidates(outermost: _QuantileSteps, within: _QuantileSteps, quantile: float) -> list[float]:
    """Return the shares of the outer curve, steps of both curves, at which the lower bound can be most."""
    steps = [*outermost.quantiles, *(at - 1.0 + quantile for at in within.quantiles)]
    return [quantile, *(step for step in steps if 0.0 < step < quantile)]
