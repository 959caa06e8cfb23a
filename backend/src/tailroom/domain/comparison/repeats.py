"""Compare several runs of each side by the spread between runs of one side.

Each quantity of a run is one value, on the logarithm. The two sides differ if Student's interval of the
difference of their means excludes 0, with the spread of both sides pooled, and if the means differ by at
least the smallest change. Few quantities are tested, so that each gets a useful part of the chance of error
(Bonferroni): rate, mean, three quantiles and failures, and shares over thresholds instead of quantiles that
coarse buckets leave open. The width of buckets never counts as a difference. Source: docs/method.md 10.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtrit

from tailroom.domain.comparison.comparison import (
    Comparison,
    Measured,
    NothingInCommon,
    comparability_of,
    compare_measured,
    is_identical,
    outcome_of,
)
from tailroom.domain.comparison.figures import (
    ERROR,
    MEAN,
    MISSES,
    THROUGHPUT,
    Figure,
    is_share,
    quantile_name,
)
from tailroom.domain.comparison.gains import Effect, Gain, effect_of_ratio, gain_of_shares
from tailroom.domain.comparison.smallest_change import SMALLEST_CHANGE_RATIO
from tailroom.domain.errors import DomainError

TESTED = (THROUGHPUT, MEAN, *(quantile_name(quantile) for quantile in (0.5, 0.99, 0.999)), MISSES)
_SHARP_RATIO = 1.1
"""If the bounds of p99 are further apart than this, shares over thresholds replace it."""


class RunsRepeat(DomainError):
    """The same record more than once on a side, which shows nothing of how runs differ."""


@dataclass(frozen=True, slots=True)
class _MeanLimits:
    """Of the difference of two means."""

    lower: float
    upper: float


def compare_repeats(
    base: Sequence[Measured],
    new: Sequence[Measured],
    smallest_change: float = SMALLEST_CHANGE_RATIO,
    *,
    error: float = ERROR,
) -> Comparison:
    """Return what the difference of two sets of runs shows. Raise NothingInCommon, RunsRepeat."""
    for runs in (base, new):
        if any(is_identical(run, earlier) for at, run in enumerate(runs) for earlier in runs[:at]):
            raise RunsRepeat("the same record is named twice on one side; name a run of its own for each")
    if len(base) == len(new) == 1:
        return compare_measured(base[0], new[0], smallest_change)
    comparability = comparability_of(base[0], new[0])
    for run in (*base[1:], *new[1:]):
        further = comparability_of(base[0], run)
        comparability = comparability.with_reasons(
            list(zip(further.reasons, further.changes or further.reasons, strict=False))
        )
    quantities = _quantities([*base, *new])
    if not quantities:
        raise NothingInCommon("nothing can be compared: the runs have no quantity in common")
    gains = tuple(
        _gain(
            quantity,
            _values(base, quantity),
            _values(new, quantity),
            error / len(quantities),
            smallest_change,
        )
        for quantity in quantities
    )
    notes = [
        f"{len(base)} {_runs(base)} against {len(new)}: how runs of one side differ is in these limits.",
    ]
    return Comparison(outcome_of(gains, comparability), comparability, gains, tuple(notes))


def _runs(runs: Sequence[Measured]) -> str:
    return "run" if len(runs) == 1 else "runs"


def _quantities(runs: Sequence[Measured]) -> list[str]:
    """Return what is tested, of what every run has."""
    figures = [{figure.quantity: figure for figure in run.figures} for run in runs]
    common = [name for name in figures[0] if all(name in each for each in figures)]
    tested = [name for name in TESTED if name in common]
    p99 = quantile_name(0.99)
    if p99 not in common or not all(_is_sharp(each[p99]) for each in figures):
        tested += [name for name in common if is_share(name) and name not in tested]
    return tested


def _is_sharp(figure: Figure) -> bool:
    return figure.upper is not None and 0.0 < figure.upper <= _SHARP_RATIO * figure.lower


def _values(runs: Sequence[Measured], quantity: str) -> list[Figure]:
    return [figure for run in runs for figure in run.figures if figure.quantity == quantity]


def _gain(
    quantity: str, base: Sequence[Figure], new: Sequence[Figure], error: float, smallest_change: float
) -> Gain:
    if is_share(quantity):
        return _share_gain(base, new, error)
    before, after = _typical(base), _typical(new)
    if any(figure.upper is None or figure.lower <= 0.0 for figure in (*base, *new)):
        return Gain(quantity, before, after, None, None, Effect.OPEN, "an end of it is not known")
    half = _half_width(
        [math.log(figure.middle) for figure in base],
        [math.log(figure.middle) for figure in new],
        max(math.log((figure.upper or 0.0) / figure.lower) for figure in (*base, *new)),
        error,
    )
    assert before.upper is not None  # noqa: S101 - as of every run
    assert after.upper is not None  # noqa: S101
    lower = after.lower / before.upper * math.exp(-half)
    upper = after.upper / before.lower * math.exp(half)
    effect = effect_of_ratio(before, after, (lower, upper), smallest_change)
    return Gain(quantity, before, after, lower, upper, effect, "")


def _typical(figures: Sequence[Figure]) -> Figure:
    """Return the geometric mean of both ends over the runs."""
    lower = _geometric_mean([figure.lower for figure in figures])
    ends = [figure.upper for figure in figures if figure.upper is not None]
    upper = _geometric_mean(ends) if len(ends) == len(figures) else None
    return Figure(figures[0].quantity, lower, upper)


def _geometric_mean(values: Sequence[float]) -> float:
    return math.exp(float(np.mean(np.log(values)))) if min(values) > 0.0 else float(np.mean(values))


def _half_width(base: Sequence[float], new: Sequence[float], resolution: float, error: float) -> float:
    """Return half of Student's interval of the difference of means. `resolution`: width of a value."""
    freedom = len(base) + len(new) - 2
    squares = sum(float(np.square(np.asarray(side) - np.mean(side)).sum()) for side in (base, new))
    variance = squares / freedom + resolution**2 / 12.0
    return -float(stdtrit(freedom, error / 2.0)) * math.sqrt(variance * (1.0 / len(base) + 1.0 / len(new)))


def _share_gain(base: Sequence[Figure], new: Sequence[Figure], error: float) -> Gain:
    """Return the difference of two shares of operations; the count of each run is in its own limits."""
    before, after = _mean_share(base), _mean_share(new)
    half = _half_width([figure.middle for figure in base], [figure.middle for figure in new], 0.0, error)
    limits = [
        _MeanLimits(
            float(np.mean([figure.lower_limit or 0.0 for figure in side])) - half / 2.0,
            float(np.mean([1.0 if figure.upper_limit is None else figure.upper_limit for figure in side]))
            + half / 2.0,
        )
        for side in (base, new)
    ]
    bounded = [
        replace(side, lower_limit=max(0.0, each.lower), upper_limit=min(1.0, each.upper))
        for side, each in zip((before, after), limits, strict=True)
    ]
    return gain_of_shares(bounded[0], bounded[1])


def _mean_share(figures: Sequence[Figure]) -> Figure:
    lower = float(np.mean([figure.lower for figure in figures]))
    upper = float(np.mean([1.0 if figure.upper is None else figure.upper for figure in figures]))
    return Figure(figures[0].quantity, lower, upper)
