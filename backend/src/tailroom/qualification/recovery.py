"""Write saturation, and recovery from another load and by idle time, from the stored rounds."""

from collections.abc import Sequence
from itertools import pairwise

from tailroom.domain.time_course.rate_recovery import (
    CacheEnd,
    IdleGain,
    RatePoint,
    RateRecovery,
    cache_end,
    rate_recovery,
)
from tailroom.qualification.schemas import SuiteLoadOut

SATURATION_FILLS = 4
"""Write saturation ends after this many times the capacity was written, or after `SATURATION_S`."""
SATURATION_S = 6 * 3_600
"""Seconds after which write saturation ends, however much was written."""
CROSS_STIMULUS_ROUNDS = 5
"""Number of rounds of each of the three parts of the cross stimulus."""


def saturation_points(loads: Sequence[SuiteLoadOut]) -> list[RatePoint]:
    """Return for each round the number of bytes written by its end, and its rate in bytes per second."""
    points, written = [], 0
    for load in loads:
        written += load.written_bytes
        points.append(RatePoint(written, load.bytes_per_s))
    return points


def saturation_end(loads: Sequence[SuiteLoadOut]) -> CacheEnd | None:
    """Return the point at which the rate falls permanently; None if it does not, or a round is missing."""
    return cache_end(saturation_points(loads)) if is_gapless(loads) else None


def is_gapless(loads: Sequence[SuiteLoadOut]) -> bool:
    """Return whether the numbers of the loads are 1, 2 … in order, without a gap."""
    return [load.number for load in loads] == list(range(1, len(loads) + 1))


def is_saturated(loads: Sequence[SuiteLoadOut], size_bytes: int, duration_s: float) -> bool:
    """Return whether write saturation reached its end, and none of its rounds is missing. It ends after
    `SATURATION_FILLS` times the capacity (`size_bytes`), or `SATURATION_S` seconds.
    """
    written = sum(load.written_bytes for load in loads)
    return is_gapless(loads) and (written >= SATURATION_FILLS * size_bytes or duration_s >= SATURATION_S)


def recovery_of(loads: Sequence[SuiteLoadOut]) -> RateRecovery | None:
    """Return how the rate (per s) of sequential writes recovers after random writes; None if a round is
    missing.
    """
    if not is_gapless(loads) or len(loads) != 3 * CROSS_STIMULUS_ROUNDS:
        return None
    rates = [load.per_s for load in loads]
    return rate_recovery(rates[:CROSS_STIMULUS_ROUNDS], rates[2 * CROSS_STIMULUS_ROUNDS :])


def idle_gains_of(loads: Sequence[SuiteLoadOut]) -> list[IdleGain]:
    """Return the rate after each idle time, as a ratio of the rate of the round before. Idle times after a
    missing round or a rate of 0 are left out.
    """
    return [
        IdleGain(after.idle_before_s, after.per_s / before.per_s)
        for before, after in pairwise(loads)
        if after.number == before.number + 1 and after.idle_before_s and before.per_s > 0.0
    ]
