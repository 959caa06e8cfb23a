"""Recovery of a drive's rate after another load, and after idle time.

The rules are those of the agent.
"""

from collections.abc import Sequence
from dataclasses import dataclass

BACK_RATIO = 0.9
"""A rate has recovered from this part of the earlier rate on."""
HELPED_RATIO = 1.1
"""Idle time has helped from this part of the rate without it on."""


@dataclass(frozen=True, slots=True)
class RateRecovery:
    """Rates before and after another load, and how far they recovered."""

    before_per_s: float
    first_ratio: float
    """Rate of the first round after the other load, as a part of the rate before."""
    back_from_round: int | None
    """From which round on the rate is back for good, counted from 1; None: not within the rounds."""


@dataclass(frozen=True, slots=True)
class IdleGain:
    """Rate of a burst after idle time, relative to the rate without idle time."""

    idle_s: int
    ratio: float


def rate_recovery(before_per_s: Sequence[float], after_per_s: Sequence[float]) -> RateRecovery | None:
    """Return the recovery of a rate from the rates before and after another load; None if either is empty."""
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
    """Return the shortest idle time that increased the rate; None if none did."""
    helpful = [gain for gain in gains if gain.ratio >= HELPED_RATIO]
    return min(helpful, key=lambda gain: gain.idle_s, default=None)
