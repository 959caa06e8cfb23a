"""Whether a new run lies outside of how much runs of the same thing differ: where there is history, instead
of a fixed threshold.

Of each quantity the runs since the last change of level count (`time_course.e_divisive`). A new run stands
out where it lies outside the prediction interval of these, on the logarithm, with its part of the chance of
error (Bonferroni over what a history is kept of), and at least the smallest change away. Runs often follow
one another, so the next is predicted from the one before it: a first-order autoregression by least squares,
whose interval has the errors of level, of how closely runs follow, and of the run itself (Seber and Lee,
Linear Regression Analysis, 5.3). Where runs do not follow one another it is hardly wider than their spread;
where they do it is far narrower. Source: docs/method.md 2.5, 3.3; docs/adr/0063.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtrit

from tailroom.domain.comparison.comparison import Comparison, Measured, Outcome, compare_measured
from tailroom.domain.comparison.figures import ERROR, MEAN, MISSES, THROUGHPUT, Figure
from tailroom.domain.comparison.gains import Effect
from tailroom.domain.comparison.repeats import compare_repeats
from tailroom.domain.comparison.smallest_change import SMALLEST_CHANGE_RATIO
from tailroom.domain.latency.bounds import Floats
from tailroom.domain.time_course.e_divisive import e_divisive

FEWEST_RUNS = 8
"""Fewer show no spread that a run could stand out from."""
QUANTITIES = ("latency_p50_ns", "latency_p99_ns", "latency_p99.9_ns", MEAN, THROUGHPUT)
"""What a history is kept of."""
_TESTS = len(QUANTITIES) + 1
"""Each of these, and failed operations: they share the chance of error."""


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
    error: float = ERROR,
    smallest_change: float = SMALLEST_CHANGE_RATIO,
) -> list[Against]:
    """Every quantity that the new run and at least `FEWEST_RUNS` runs before it have, the oldest first."""
    found = []
    for name in QUANTITIES:
        value = new.get(name, 0.0)
        past = np.array([one[name] for one in history if one.get(name, 0.0) > 0.0], np.float64)
        if value <= 0.0 or past.size < FEWEST_RUNS:
            continue
        level = _present(past)
        if level.size < FEWEST_RUNS:
            continue
        middle, half = _prediction(np.log(level), error / _TESTS)
        lower, upper = math.exp(middle - half), math.exp(middle + half)
        effect = _effect(name, value, (lower, upper), math.exp(middle), smallest_change)
        found.append(Against(name, value, lower, upper, int(level.size), effect))
    return found


def outcome_with(of_pair: Outcome, against: Sequence[Against], *, failed_more: bool) -> Outcome:
    """The answer where there is history: chance is how runs differ, and no longer one run alone. Unequal
    conditions and more failed operations count as before.
    """
    effects = [one.effect for one in against]
    if of_pair is Outcome.NOT_COMPARABLE or not effects:
        return of_pair
    is_worse = Effect.WORSE in effects or failed_more
    if is_worse and Effect.BETTER in effects:
        return Outcome.MIXED
    if is_worse:
        return Outcome.REGRESSION
    if Effect.BETTER in effects:
        return Outcome.IMPROVEMENT
    return Outcome.NO_CHANGE if all(one is Effect.SAME for one in effects) else Outcome.NOT_SHOWN


def compare_with_history(
    latest: Measured,
    history: Sequence[Sequence[Figure]],
    new: Sequence[Measured],
    smallest_change: float = SMALLEST_CHANGE_RATIO,
) -> tuple[Comparison, list[Against]]:
    """Return the comparison of new runs with those before them, and how a single one lies among many.

    One new run and at least `FEWEST_RUNS` before it: how these differ decides. Fewer, or several new ones: as
    repeated runs, those since the last change of level. `history`: figures of each run, the oldest first, the
    last of them `latest`, whose conditions stand for all. Raise NothingInCommon, RunsRepeat.
    """
    middles = [{figure.quantity: figure.middle for figure in figures} for figures in history]
    if len(new) == 1:
        comparison = compare_measured(latest, new[0], smallest_change)
        values = {figure.quantity: figure.middle for figure in new[0].figures}
        against = against_history(middles, values, smallest_change=smallest_change)
        if against or len(history) == 1 or comparison.identical:
            failed_more = any(
                gain.quantity == MISSES and gain.effect is Effect.WORSE for gain in comparison.gains
            )
            outcome = outcome_with(comparison.outcome, against, failed_more=failed_more)
            return replace(comparison, outcome=outcome), against
    runs = [replace(latest, figures=tuple(figures)) for figures in history[_level_begins(middles) :]]
    return compare_repeats(runs, new, smallest_change), []


def _level_begins(history: Sequence[Mapping[str, float]]) -> int:
    """Return the number of the first run of the present level."""
    begins = 0
    for name in QUANTITIES:
        values = [each.get(name, 0.0) for each in history]
        if min(values) > 0.0:
            begins = max([begins, *(change.position for change in e_divisive(np.array(values)).changes)])
    return begins


def _present(values: Floats) -> Floats:
    """The runs since the last change of level."""
    changes = e_divisive(values).changes
    return values[changes[-1].position :] if changes else values


def _prediction(values: Floats, error: float) -> tuple[float, float]:
    """Middle and half width of the interval that holds the next value."""
    before, after = values[:-1], values[1:]
    count = before.size
    away = before - before.mean()
    squares = float(away @ away)
    slope = float(away @ after) / squares if squares > 0.0 else 0.0
    rest = after - after.mean() - slope * away
    last = float(values[-1] - before.mean())
    leverage = last * last / squares if squares > 0.0 else 0.0
    spread = math.sqrt(float(rest @ rest) / (count - 2) * (1.0 + 1.0 / count + leverage))
    return float(after.mean()) + slope * last, -float(stdtrit(count - 2, error / 2.0)) * spread


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
