"""What each hop of linked measurements adds to the time of the one inside it.

The curves are nested: the network's time holds the database's, which holds the server's, which holds the
device's. Two things are said of each hop, and neither needs independence:

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
class Point:
    """Between which times a quantile lies; `upper_ns` none: open."""

    quantile: float
    lower_ns: float
    upper_ns: float | None


@dataclass(frozen=True, slots=True)
class Added:
    """At one quantile. `lower_ns` to `upper_ns`: difference at equal quantiles, below 0 where the inner one
    is slower. `least_ns` to `most_ns`: the hop's own quantile, whatever the dependence. None: open.
    """

    quantile: float
    lower_ns: float | None
    upper_ns: float | None
    least_ns: float
    most_ns: float | None

    @property
    def contradicts(self) -> bool:
        """Whether the inner curve is surely slower here, so that the two do not time the same operations."""
        return self.upper_ns is not None and self.upper_ns < 0.0


def added(inner: Sequence[Point], outer: Sequence[Point], quantiles: Sequence[float]) -> list[Added]:
    """What `outer` adds to `inner`, at those of the quantiles that both have."""
    within, whole = _Steps(inner), _Steps(outer)
    found = []
    for quantile in quantiles:
        first, second = within.at(quantile), whole.at(quantile)
        if first is None or second is None:
            continue
        lower = None if first.upper_ns is None else second.lower_ns - first.upper_ns
        upper = None if second.upper_ns is None else second.upper_ns - first.lower_ns
        most = min(whole.upper(u) - within.lower(u - quantile) for u in _from(whole, within, quantile))
        least = max(
            whole.lower(u) - within.upper(1.0 + u - quantile) for u in _until(whole, within, quantile)
        )
        found.append(
            Added(quantile, lower, upper, max(0.0, least), None if math.isinf(most) else max(0.0, most))
        )
    return found


class _Steps:
    """A curve as steps: between its quantiles each end is that of the quantile which bounds it."""

    def __init__(self, points: Sequence[Point]) -> None:
        self.points = sorted(points, key=lambda one: one.quantile)
        self.quantiles = [one.quantile for one in self.points]

    def at(self, quantile: float) -> Point | None:
        place = bisect_left(self.quantiles, quantile)
        there = place < len(self.points) and self.quantiles[place] == quantile
        return self.points[place] if there else None

    def upper(self, quantile: float) -> float:
        """Most that the quantile can be; infinite above the last one known."""
        place = bisect_left(self.quantiles, quantile)
        known = self.points[place].upper_ns if place < len(self.points) else None
        return math.inf if known is None else known

    def lower(self, quantile: float) -> float:
        """Least that it can be; 0 below the first one known."""
        place = bisect_right(self.quantiles, quantile)
        return self.points[place - 1].lower_ns if place else 0.0


def _from(whole: _Steps, within: _Steps, quantile: float) -> list[float]:
    """Where the upper bound can be least: from the quantile on, where either curve steps."""
    steps = [*whole.quantiles, *(one + quantile for one in within.quantiles)]
    return [quantile, *(one for one in steps if quantile < one <= 1.0)]


def _until(whole: _Steps, within: _Steps, quantile: float) -> list[float]:
    """Where the lower bound can be greatest: up to the quantile, where either curve steps."""
    steps = [*whole.quantiles, *(one - 1.0 + quantile for one in within.quantiles)]
    return [quantile, *(one for one in steps if 0.0 < one < quantile)]
