"""Whether a new run lies outside of how much runs of the same thing differ: where there is history, instead
of a fixed threshold.

Of each quantity the runs since the last change of level count (`time_course.e_divisive`). A new run stands
out where it lies outside the prediction interval of these, on the logarithm, with its part of the chance of
error (Bonferroni), and at least the smallest change away. Runs that follow one another count for fewer: the
lag-1 autocorrelation, corrected for the bias that short histories have, widens the interval.
Source: docs/method.md 2.5, 3.3; docs/adr/0127.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from tailroom.domain.comparison.comparison import Comparison, Outcome
from tailroom.domain.comparison.figures import COUNT, MISSES, THROUGHPUT, is_share
from tailroom.domain.comparison.gains import SMALLEST_CHANGE_RATIO, Effect
from tailroom.domain.latency.bounds import Floats
from tailroom.domain.time_course.e_divisive import e_divisive

FEWEST_RUNS = 8
"""Fewer show no spread that a run could stand out from."""
_MOST_CORRELATION = 0.9
_FEWEST_FREE = 3.0


@dataclass(frozen=True, slots=True)
class Against:
    """One quantity of a new run: between which values it would lie by chance, and what it shows."""

    quantity: str
    value: float
    lower: float
    upper: float
    runs: int
    """Of the present level."""
    effect: Effect


def against_history(
    history: Sequence[Mapping[str, float]],
    new: Mapping[str, float],
    *,
    error: float = 0.05,
    smallest_change: float = SMALLEST_CHANGE_RATIO,
) -> list[Against]:
    """Every quantity that the new run and at least `FEWEST_RUNS` runs before it have, the oldest first."""
    found = []
    for name, value in new.items():
        past = np.array([one[name] for one in history if one.get(name, 0.0) > 0.0], np.float64)
        if is_share(name) or value <= 0.0 or past.size < FEWEST_RUNS:
            continue
        level = _present(past)
        if level.size < FEWEST_RUNS:
            continue
        middle, half = _prediction(np.log(level), error / COUNT)
        lower, upper = math.exp(middle - half), math.exp(middle + half)
        effect = _effect(name, value, (lower, upper), math.exp(middle), smallest_change)
        found.append(Against(name, value, lower, upper, int(level.size), effect))
    return found


def outcome_with(found: Comparison, against: Sequence[Against]) -> Outcome:
    """The answer where there is history: chance is how runs differ, and no longer one run alone. Unequal
    conditions and more failed operations count as before.
    """
    effects = [one.effect for one in against]
    failed_more = any(one.quantity == MISSES and one.effect is Effect.WORSE for one in found.gains)
    if found.outcome is Outcome.NOT_COMPARABLE or not effects:
        return found.outcome
    if Effect.WORSE in effects or failed_more:
        return Outcome.REGRESSION
    if Effect.BETTER in effects:
        return Outcome.IMPROVEMENT
    return Outcome.NO_CHANGE if all(one is Effect.SAME for one in effects) else Outcome.NOT_SHOWN


def _present(values: Floats) -> Floats:
    """The runs since the last change of level."""
    changes = e_divisive(values).changes
    return values[changes[-1].position :] if changes else values


def _prediction(values: Floats, error: float) -> tuple[float, float]:
    """Middle and half width of the interval that holds the next value. Correlated values have fewer free
    ones, an own mean that follows them, and a next one that does, so all three widen it.
    """
    count, mean = values.size, float(values.mean())
    rest = values - mean
    squares = float((rest**2).sum())
    tau = _inflation(rest, squares)
    free = max(_FEWEST_FREE, count / tau - 1.0)
    spread = math.sqrt(squares / max(1.0, count - tau) * (1.0 + tau / count))
    return mean, -float(stdtrit(free, error / 2.0)) * spread


def _inflation(rest: Floats, squares: float) -> float:
    if squares <= 0.0:
        return 1.0
    measured = float((rest[1:] * rest[:-1]).sum()) / squares
    # Kendall's bias of the first autocorrelation: about −(1 + 3ρ)/n.
    corrected = min(_MOST_CORRELATION, max(0.0, measured + (1.0 + 3.0 * max(0.0, measured)) / rest.size))
    return min(rest.size / 2.0, (1.0 + corrected) / (1.0 - corrected))


def _effect(
    name: str, value: float, interval: tuple[float, float], level: float, smallest_change: float
) -> Effect:
    higher = value > interval[1] and value >= level * (1.0 + smallest_change)
    lower = value < interval[0] and value <= level / (1.0 + smallest_change)
    if not (higher or lower):
        inside = interval[1] <= level * (1.0 + smallest_change) and interval[0] >= level / (
            1.0 + smallest_change
        )
        return Effect.SAME if inside and interval[0] <= value <= interval[1] else Effect.OPEN
    return Effect.BETTER if higher == (name == THROUGHPUT) else Effect.WORSE
