"""Recovery of a drive's rate after another load and after idle time, and the end of its write cache.

The cache ends after the bytes at which the rate of writes falls for good. The agent applies the same rules.
"""

from collections.abc import Sequence
from dataclasses import dataclass

BACK_RATIO = 0.9
"""Least ratio of a rate to the earlier rate from which it counts as recovered."""
HELPED_RATIO = 1.1
"""Least ratio of the rate after idle time to the rate without it that counts as a gain."""


@dataclass(frozen=True, slots=True)
class RateRecovery:
    """How far a rate recovered after another load; `before_per_s` is its mean before that load."""

    before_per_s: float
    first_ratio: float
    """Rate of the first round after the other load, divided by the mean rate before."""
    back_from_round: int | None
    """First round, counted from 1, from which on all rates are recovered; None: not within the rounds."""


@dataclass(frozen=True, slots=True)
class IdleGain:
    """Rate of a burst after `idle_s` of idle time, divided by the rate without idle time (`ratio`)."""

    idle_s: int
    ratio: float


def rate_recovery(before_per_s: Sequence[float], after_per_s: Sequence[float]) -> RateRecovery | None:
    """Return how a rate recovered after another load; None if a series is empty or the mean before is 0."""
    mean = sum(before_per_s) / len(before_per_s) if before_per_s else 0.0
    if mean <= 0.0 or not after_per_s:
        return None
    too_slow = [number for number, rate in enumerate(after_per_s, 1) if rate < BACK_RATIO * mean]
    last_slow = too_slow[-1] if too_slow else 0
    return RateRecovery(
        before_per_s=mean,
        first_ratio=after_per_s[0] / mean,
        back_from_round=None if last_slow == len(after_per_s) else last_slow + 1,
    )


def helpful_idle(gains: Sequence[IdleGain]) -> IdleGain | None:
    """Return the shortest idle time that increased the rate by at least 10 %; None if none did."""
    helpful = [gain for gain in gains if gain.ratio >= HELPED_RATIO]
    return min(helpful, key=lambda gain: gain.idle_s, default=None)


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
    """The cache is full after `lower_bytes` to `upper_bytes` of writes; mean rates before and after that."""

    lower_bytes: float
    upper_bytes: float
    before_bytes_per_s: float
    after_bytes_per_s: float


def cache_end(points: Sequence[RatePoint]) -> CacheEnd | None:
    """Return where the rate falls for good, by the two levels with the least squares. None if the later level
    is over 0.8 of the earlier, if the rate rises over their middle again, or with fewer than six points.
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
    return sum(rates) / len(rates)


def _squares(rates: Sequence[float]) -> float:
    mean = _mean(rates)
    return sum((rate - mean) ** 2 for rate in rates)
