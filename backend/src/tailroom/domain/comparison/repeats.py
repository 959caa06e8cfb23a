"""Compare several runs of each side by the spread between runs of one side.

Each quantity of a run is one value, on the logarithm. The two sides differ if Student's limit of the
difference of their means excludes 0, with the spread of both sides pooled, and if the means differ by at
least the smallest change. Worse and better are tested on one side each: an alarm without a change has a
chance of 1 % over all quantities together, an improvement without a change half of that. Most of both goes to
the two quantities that are named in advance, rate and the quantile that is asked about; mean, other quantiles
and failures share the rest. No change is shown by limits of 1 % for each quantity: all of them have to lie
within the smallest change, so none needs a part of its own (Berger 1982). Shares over thresholds take the
place of a quantile that coarse buckets leave open. The width of buckets never counts as a difference. Source:
docs/method.md 2.6.
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
    QUANTILES,
    THROUGHPUT,
    Better,
    Figure,
    better,
    is_share,
    quantile_name,
)
from tailroom.domain.comparison.gains import Effect, Gain, effect_of_ratio, gain_of_shares, share_limits
from tailroom.domain.comparison.smallest_change import SMALLEST_CHANGE_RATIO
from tailroom.domain.errors import DomainError
from tailroom.domain.units import QuantityInvalid, percentile_name

ASKED_QUANTILE = quantile_name(0.99)
"""Quantity that gets most of the chance of error, unless another is named."""
TESTED = (THROUGHPUT, MEAN, *(quantile_name(quantile) for quantile in (0.5, 0.99, 0.999)), MISSES)
"""Quantities that are compared over runs."""
_PART_OF_RATE, _PART_OF_ASKED = 0.31, 0.66
"""Parts of the chance of error. Tails differ more between runs than rates do, so they need the larger part:
five runs a side that differ by 3 %, and by 6 % at p99, then find a tenth of the rate and a fifth of p99
equally often (docs/performance.md)."""
_IMPROVEMENT_PART = 0.5
"""Chance that an improvement is named without a change, as part of that of an alarm."""
_SHARP_RATIO = 1.1
"""Largest ratio of the bounds of the asked quantile; beyond it, shares over thresholds replace it."""
_WIDEST_LOGARITHM = 600.0
"""Half-widths of limits are cut here: two runs against one may give more than the largest float."""


class RunsRepeat(DomainError):
    """The same record occurs twice on a side, so that it shows nothing of the spread between runs."""


@dataclass(frozen=True, slots=True)
class _Errors:
    """Chances of calling an unchanged quantity worse, or better, and a changed quantity the same."""

    worse: float
    better: float
    same: float

    def below_above(self, quantity: str) -> tuple[float, float]:
        """Return the chances of error of calling the new side lower than the base, and higher."""
        is_time = better(quantity) is Better.LOWER
        return (self.better, self.worse) if is_time else (self.worse, self.better)


def compare_repeats(
    base: Sequence[Measured],
    new: Sequence[Measured],
    smallest_change: float = SMALLEST_CHANGE_RATIO,
    *,
    asked_quantile: str = ASKED_QUANTILE,
) -> Comparison:
    """Return the comparison of several runs of each side, by the spread between runs. A single run of each is
    compared by `compare_measured`. Most of `ERROR`, the chance of a regression without a change over all
    quantities, is spent on `asked_quantile`. Raise NothingInCommon without a common quantity,
    RunsRepeat for a record twice on a side.
    """
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
    parts = _error_parts([*base, *new], asked_quantile)
    if not parts:
        raise NothingInCommon("nothing can be compared: the runs have no quantity in common")
    gains = tuple(
        _gain(
            quantity,
            _figures_of(base, quantity),
            _figures_of(new, quantity),
            _Errors(ERROR * part, ERROR * part * _IMPROVEMENT_PART, ERROR),
            smallest_change,
        )
        for quantity, part in parts.items()
    )
    runs_text = f"{len(base)} run{'' if len(base) == 1 else 's'} against {len(new)}"
    note = f"{runs_text}: how runs of one side differ is in these limits."
    return Comparison(outcome_of(gains, comparability), comparability, gains, (note,))


def quantile_asked(text: str | None) -> str:
    """Return the quantity that a text such as `p99.9` names, p99 for None; raise QuantityInvalid."""
    if text is None:
        return ASKED_QUANTILE
    names = {percentile_name(quantile): quantile_name(quantile) for quantile in QUANTILES}
    if text not in names:
        raise QuantityInvalid(f"{text!r} is not compared; name one of {', '.join(names)}")
    return names[text]


def _error_parts(runs: Sequence[Measured], asked_quantile: str) -> dict[str, float]:
    """Return each tested quantity that every run has, with its part of the chance of error. Shares over
    thresholds take the part of an asked quantile that is missing or too coarse.
    """
    figures = [{figure.quantity: figure for figure in run.figures} for run in runs]
    common = [name for name in figures[0] if all(name in each for each in figures)]
    tested = [name for name in common if name in TESTED or name == asked_quantile]
    rate = [name for name in (THROUGHPUT, MEAN) if name in common][:1]
    in_advance = [asked_quantile]
    if asked_quantile not in common or not all(_is_sharp(each[asked_quantile]) for each in figures):
        in_advance = [name for name in common if is_share(name) and name != MISSES]
        tested += in_advance
    others = [name for name in tested if name not in {*rate, *in_advance}]
    rest = 1.0 - _PART_OF_RATE - _PART_OF_ASKED
    parts = {name: rest / len(others) for name in others}
    parts |= dict.fromkeys(rate, _PART_OF_RATE)
    parts |= {name: _PART_OF_ASKED / len(in_advance) for name in in_advance}
    return {name: parts[name] for name in tested}


def _is_sharp(figure: Figure) -> bool:
    """Return whether the upper bound is known, over 0, and at most `_SHARP_RATIO` times the lower bound."""
    return figure.upper is not None and 0.0 < figure.upper <= _SHARP_RATIO * figure.lower


def _figures_of(runs: Sequence[Measured], quantity: str) -> list[Figure]:
    return [figure for run in runs for figure in run.figures if figure.quantity == quantity]


def _gain(
    quantity: str, base: Sequence[Figure], new: Sequence[Figure], errors: _Errors, smallest_change: float
) -> Gain:
    """Return the gain of one quantity by the spread between runs; `OPEN` for an open bound or one of 0."""
    if is_share(quantity):
        return _share_gain(base, new, errors)
    before, after = _mean_figure(base), _mean_figure(new)
    if any(figure.upper is None or figure.lower <= 0.0 for figure in (*base, *new)):
        return Gain(quantity, before, after, None, None, Effect.OPEN, "an end of it is not known")
    assert before.upper is not None  # noqa: S101 - as of every run
    assert after.upper is not None  # noqa: S101
    ends = after.lower / before.upper, after.upper / before.lower
    logarithms = [[math.log(figure.middle) for figure in side] for side in (base, new)]
    resolution = max(math.log((figure.upper or 0.0) / figure.lower) for figure in (*base, *new))

    def gain(below_above: tuple[float, float]) -> Gain:
        """Return the gain with limits that have these chances of error, below and above."""
        half_widths = _half_widths(logarithms[0], logarithms[1], resolution, below_above)
        above, below = (min(half, _WIDEST_LOGARITHM) for half in half_widths)
        limits = ends[0] * math.exp(-above), ends[1] * math.exp(below)
        effect = effect_of_ratio(before, after, limits, smallest_change)
        return Gain(quantity, before, after, *limits, effect, "")

    of_change, of_none = gain(errors.below_above(quantity)), gain((errors.same, errors.same))
    return of_none if of_change.effect is Effect.OPEN and of_none.effect is Effect.SAME else of_change


def _mean_figure(figures: Sequence[Figure]) -> Figure:
    """Return a figure with the mean of each bound over the runs; the upper bound is open if any is."""
    lower = _geometric_mean([figure.lower for figure in figures])
    ends = [figure.upper for figure in figures if figure.upper is not None]
    upper = _geometric_mean(ends) if len(ends) == len(figures) else None
    return Figure(figures[0].quantity, lower, upper)


def _geometric_mean(values: Sequence[float]) -> float:
    return math.exp(float(np.mean(np.log(values)))) if min(values) > 0.0 else float(np.mean(values))


def _half_widths(
    base: Sequence[float], new: Sequence[float], resolution: float, errors: tuple[float, float]
) -> tuple[float, float]:
    """Return how far the difference of two means may lie above and below 0 by chance (Student). `errors` are
    the chances below and above, `resolution` is the width of a run's bounds.
    """
    pooled = _spread_of_means(base, new, resolution)
    apart = _welch_spread(base, new, resolution) if len(base) != len(new) else pooled
    below, above = (
        max(-float(stdtrit(freedom, error)) * deviation for deviation, freedom in (pooled, apart))
        for error in errors
    )
    return above, below


def _spread_of_means(base: Sequence[float], new: Sequence[float], resolution: float) -> tuple[float, float]:
    """Return the standard deviation of the difference of means, if runs of both sides vary equally, and its
    degrees of freedom. `resolution`, the width of a value's bounds, adds the variance of a uniform error.
    """
    freedom = len(base) + len(new) - 2
    squares = sum(float(np.square(np.asarray(side) - np.mean(side)).sum()) for side in (base, new))
    variance = squares / freedom + resolution**2 / 12.0
    return math.sqrt(variance * (1.0 / len(base) + 1.0 / len(new))), freedom


def _welch_spread(base: Sequence[float], new: Sequence[float], resolution: float) -> tuple[float, float]:
    """Return what `_spread_of_means` does, with a spread of its own for each side (Welch 1947), so that a
    large baseline does not judge a few varied runs.
    """
    if min(len(base), len(new)) < 2:
        return _spread_of_means(base, new, resolution)
    parts = [(float(np.var(side, ddof=1)) + resolution**2 / 12.0) / len(side) for side in (base, new)]
    weights = sum(part**2 / (len(side) - 1) for part, side in zip(parts, (base, new), strict=True))
    freedom = sum(parts) ** 2 / weights if weights > 0.0 else len(base) + len(new) - 2
    return math.sqrt(sum(parts)), freedom


def _share_gain(base: Sequence[Figure], new: Sequence[Figure], errors: _Errors) -> Gain:
    """Return the gain between the mean shares of both sides. The limits of each side are widened by half of
    what the spread between runs allows, for worse or better, whichever is wider.
    """
    before, after = _mean_share(base), _mean_share(new)
    middles = [[figure.middle for figure in side] for side in (base, new)]
    half = max(_half_widths(middles[0], middles[1], 0.0, errors.below_above(before.quantity))) / 2.0
    bounded = []
    for side, runs in ((before, base), (after, new)):
        lower, upper = (float(end) for end in np.mean([share_limits(each) for each in runs], axis=0))
        limits = max(0.0, lower - half), min(1.0, upper + half)
        bounded.append(replace(side, lower_limit=limits[0], upper_limit=limits[1]))
    return gain_of_shares(bounded[0], bounded[1])


def _mean_share(figures: Sequence[Figure]) -> Figure:
    """Return the mean of both bounds of a share over the runs; an open upper bound counts as 1."""
    lower = float(np.mean([figure.lower for figure in figures]))
    upper = float(np.mean([1.0 if figure.upper is None else figure.upper for figure in figures]))
    return Figure(figures[0].quantity, lower, upper)
