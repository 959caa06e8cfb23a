"""Recovery of a drive's rate after another load, and after idle time. The agent applies the same rules."""

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
    """Return the recovery of a rate from the rates before and after another load; None if either is empty or
    the mean before is 0.
    """
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
