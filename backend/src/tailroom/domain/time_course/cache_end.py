"""The end of a drive's write cache: the bytes after which the rate of its writes falls for good.

The agent applies the same rule.
"""

from collections.abc import Sequence
from dataclasses import dataclass

LARGEST_RATIO = 0.8
"""Largest ratio of the rate after the cache to the rate within it."""
FEWEST_POINTS = 3
"""Least number of points on each side, so that a short slow period does not count."""


@dataclass(frozen=True, slots=True)
class RatePoint:
    """The mean rate over a stretch of writes; `bytes` is the total written by the end of the stretch."""

    bytes: float
    bytes_per_s: float


@dataclass(frozen=True, slots=True)
class CacheEnd:
    """The end of a cache: it is full after `lower_bytes` to `upper_bytes` of writes; mean rates before and
    after.
    """

    lower_bytes: float
    upper_bytes: float
    before_bytes_per_s: float
    after_bytes_per_s: float


def cache_end(points: Sequence[RatePoint]) -> CacheEnd | None:
    """Return where the rate falls for good; None if it does not, or with fewer than six points.

    The place divides the points into two levels with the least squares. The later level must be at most 0.8
    of the earlier, and after its first point no rate may exceed the middle between both.
    """
    rates = [point.bytes_per_s for point in points]
    places = range(FEWEST_POINTS, len(points) - FEWEST_POINTS + 1)
    place = min(places, key=lambda each: _squares(rates[:each]) + _squares(rates[each:]), default=None)
    if place is None:
        return None
    before, after = _mean(rates[:place]), _mean(rates[place:])
    comes_back = any(rate > (before + after) / 2 for rate in rates[place + 1 :])
    if after > LARGEST_RATIO * before or comes_back:
        return None
    # The stretch in which the cache ends may have been counted to either level.
    return CacheEnd(points[place - 2].bytes, points[place].bytes, before, after)


def _mean(rates: Sequence[float]) -> float:
    """Return the mean of the rates."""
    return sum(rates) / len(rates)


def _squares(rates: Sequence[float]) -> float:
    """Return the sum of squared distances from the mean."""
    mean = _mean(rates)
    return sum((rate - mean) ** 2 for rate in rates)
