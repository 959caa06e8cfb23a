"""Compare a new run with the history of earlier runs, by a prediction interval instead of a threshold.

The runs since the last change point of each quantity count (`time_course.e_divisive`). A new run differs if
it lies outside their prediction interval, on the logarithm, with its part of the chance of error (Bonferroni
over the quantities), and at least the smallest change away. Consecutive runs are often correlated, so the
next is predicted by a first-order autoregression (least squares), whose interval includes the errors of the
level, of the slope, and of the run itself (Seber and Lee, Linear Regression Analysis, 5.3). Without
correlation it is hardly wider than the spread of the runs; with correlation it is far narrower.
Source: docs/method.md 2.5, 3.3; docs/adr/0063.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtrit

from tailroom.domain.comparison.comparison import Comparison, Measured, Outcome, compare_measured
from tailroom.domain.comparison.figures import ERROR, MEAN, MISSES, THROUGHPUT, Figure
from tailroom.domain.comparison.gains import Effect
from tailroom.domain.comparison.repeats import ASKED_QUANTILE, compare_repeats
from tailroom.domain.comparison.smallest_change import SMALLEST_CHANGE_RATIO
from tailroom.domain.latency.bounds import Floats
from tailroom.domain.time_course.e_divisive import e_divisive

FEWEST_RUNS = 8
"""Least number of earlier runs that show their spread."""
QUANTITIES = ("latency_p50_ns", "latency_p99_ns", "latency_p99.9_ns", MEAN, THROUGHPUT)
"""Quantities that are compared with their history."""
_TESTS = len(QUANTITIES) + 1
"""Number of tests that share the chance of error: these quantities and failed operations."""


@dataclass(frozen=True, slots=True)
class HistoryComparison:
    """A quantity of a new run, its prediction interval `lower` to `upper` by earlier runs, and the effect."""

    quantity: str
    value: float
    lower: float
    upper: float
    runs: int
    """Runs since the last change point."""
    effect: Effect


def against_history(
    history: Sequence[Mapping[str, float]],
    new: Mapping[str, float],
    *,
    smallest_change: float = SMALLEST_CHANGE_RATIO,
) -> list[HistoryComparison]:
    """Return the comparison of the new run with earlier runs, for each of `QUANTITIES` that can be compared.
    That takes a value over 0 in the new run and in at least `FEWEST_RUNS` runs since the last change point.
    `history` (the oldest run first) and `new` map quantities to values.
    """
    compared = []
    for name in QUANTITIES:
        value = new.get(name, 0.0)
        past = np.array([run[name] for run in history if run.get(name, 0.0) > 0.0], np.float64)
        if value <= 0.0 or past.size < FEWEST_RUNS:
            continue
        level = _latest_level(past)
        if level.size < FEWEST_RUNS:
            continue
        middle, half = _prediction(np.log(level), ERROR / _TESTS)
        lower, upper = math.exp(middle - half), math.exp(middle + half)
        effect = _effect(name, value, (lower, upper), math.exp(middle), smallest_change)
        compared.append(HistoryComparison(name, value, lower, upper, int(level.size), effect))
    return compared


def outcome_with(of_pair: Outcome, against: Sequence[HistoryComparison], *, failed_more: bool) -> Outcome:
    """Return the outcome by earlier runs, or `of_pair`, the outcome against the latest run alone, if
    conditions differ or no quantity has a history. `failed_more`: more operations failed than in the latest
    run.
    """
    effects = [figure.effect for figure in against]
    if of_pair is Outcome.NOT_COMPARABLE or not effects:
        return of_pair
    is_worse = Effect.WORSE in effects or failed_more
    if is_worse and Effect.BETTER in effects:
        return Outcome.MIXED
    if is_worse:
        return Outcome.REGRESSION
    if Effect.BETTER in effects:
        return Outcome.IMPROVEMENT
    return Outcome.NO_CHANGE if all(effect is Effect.SAME for effect in effects) else Outcome.NOT_SHOWN


def compare_with_history(
    latest: Measured,
    history: Sequence[Sequence[Figure]],
    new: Sequence[Measured],
    smallest_change: float = SMALLEST_CHANGE_RATIO,
    *,
    asked_quantile: str = ASKED_QUANTILE,
) -> tuple[Comparison, list[HistoryComparison]]:
    """Compare new runs with earlier runs (`history`, the oldest first; all have the conditions of `latest`).

    Return the comparison, and for a single new run its quantities beside the prediction intervals of at least
    `FEWEST_RUNS` earlier runs. With fewer, or several new runs, both sides count as repeated runs since the
    last change point, by `asked_quantile`, and the list is empty. Raise NothingInCommon without a common
    quantity, RunsRepeat for a record twice on a side.
    """
    # A copy of a record shows nothing of the spread between runs.
    history = list(dict.fromkeys(map(tuple, history)))
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
    runs = [replace(latest, figures=tuple(figures)) for figures in history[_latest_level_start(middles) :]]
    return compare_repeats(runs, new, smallest_change, asked_quantile=asked_quantile), []


def _latest_level_start(history: Sequence[Mapping[str, float]]) -> int:
    """Return the position of the first run after the last change point of any quantity; 0 without any."""
    begins = 0
    for name in QUANTITIES:
        values = [each.get(name, 0.0) for each in history]
        if min(values) > 0.0:
            begins = max([begins, *(change.position for change in e_divisive(np.array(values)).changes)])
    return begins


def _latest_level(values: Floats) -> Floats:
    """Return the values of the runs since the last change point; all if there is none."""
    changes = e_divisive(values).changes
    return values[changes[-1].position :] if changes else values


def _prediction(values: Floats, error: float) -> tuple[float, float]:
    """Return the predicted next value and half the width of its interval, in the unit of the values. There
    must be at least four; `error` is the chance that the next value lies outside.
    """
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
    """Return the effect of a value by its prediction interval and its distance from the predicted `level`."""
    higher = value > interval[1] and value >= level * (1.0 + smallest_change)
    lower = value < interval[0] and value <= level / (1.0 + smallest_change)
    if not (higher or lower):
        inside = interval[1] <= level * (1.0 + smallest_change) and interval[0] >= level / (
            1.0 + smallest_change
        )
        return Effect.SAME if inside and interval[0] <= value <= interval[1] else Effect.OPEN
    return Effect.BETTER if higher == (name == THROUGHPUT) else Effect.WORSE
