"""Which units of a fleet (drives, nodes, links) differ from their siblings under the same load.

Each quantity of a unit is one value, on the logarithm. Units stand out by the generalised extreme Studentised
deviate (Rosner, Technometrics 25 (1983) 165), whose chance of a false alarm holds for all units of the fleet
together; the quantities share it (Bonferroni). A unit that stands out also has to lie beyond its siblings by
its own limits, corrected for the number of units, and by at least the smallest difference. What buckets leave
open counts as no difference. Source: docs/method.md 2.7.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.special import ndtri, stdtrit

from tailroom.domain.comparison.comparison import Measured, comparability_of
from tailroom.domain.comparison.conditions import Conditions, is_condition
from tailroom.domain.comparison.figures import COUNT, ERROR, MISSES, THROUGHPUT, Figure
from tailroom.domain.comparison.gains import Effect
from tailroom.domain.comparison.history import QUANTITIES
from tailroom.domain.confidence.shares import SMALLEST_POINTS_RATIO
from tailroom.domain.latency.bounds import Floats

FLEET_ERROR = 0.05
"""Chance that any unit of a fleet without odd units is called different, over all units together."""
FEWEST_UNITS = 8
"""Least number of units that show how much such units differ."""
SMALLEST_DIFFERENCE_RATIO = 0.025
"""Smallest relative difference that is named: half of the smallest change of two runs."""
MOST_ODD_RATIO = 0.2
"""Largest share of units that may stand out; if more do, they are a second group."""
_SHORTEST_RATIO = 0.5
"""Least share of the median duration; a unit that was measured for less is not judged."""
_SHARP_RATIO = 1.1
"""Largest ratio of the bounds of a value that can show a difference between siblings."""
_TEST_ERROR = FLEET_ERROR / (len(QUANTITIES) + 1)
"""Part of the chance of error of each test: these quantities and failed operations."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One drive, node or link. `measured_ns` is how long it was measured, `facts` its inventory by name."""

    name: str
    measured: Measured
    measured_ns: int
    facts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Deviation:
    """A quantity of a unit: its ratio to its siblings with confidence limits, and the effect they show."""

    quantity: str
    value: float
    siblings: float
    """Geometric mean of the siblings in the unit of `value`; of failed operations their median share."""
    ratio: float
    ratio_lower: float
    ratio_upper: float
    effect: Effect


@dataclass(frozen=True, slots=True)
class SiblingLevel:
    """Level and spread of the siblings in one quantity; `units` counts all units compared."""

    quantity: str
    units: int
    level: float
    """Geometric mean of the units that do not stand out."""
    spread_ratio: float
    """Standard deviation on the logarithm, without the units that stand out."""
    shown_ratio: float
    """Smallest relative difference from the siblings that is shown in nine of ten cases."""


@dataclass(frozen=True, slots=True)
class UnitResult:
    """A unit's deviations from its siblings by quantity, or the `reason` why it was not judged."""

    unit: Unit
    deviations: tuple[Deviation, ...] = ()
    reason: str = ""

    @property
    def effect(self) -> Effect:
        """Worse if any quantity is, else better if any is, else the same; open if the unit was not judged."""
        effects = {deviation.effect for deviation in self.deviations}
        if self.reason:
            return Effect.OPEN
        if Effect.WORSE in effects:
            return Effect.WORSE
        return Effect.BETTER if Effect.BETTER in effects else Effect.SAME

    @property
    def largest_ratio(self) -> float:
        """The largest factor between the unit and its siblings, always 1 or more, among quantities that
        differ. It is 1 if none does, and infinite if only this unit has failed operations.
        """
        shown = [deviation.ratio for deviation in self.deviations if deviation.effect is not Effect.SAME]
        return max((max(ratio, 1.0 / ratio) for ratio in shown if ratio > 0.0), default=1.0)


@dataclass(frozen=True, slots=True)
class SiblingsJudgement:
    """The result of every unit in the given order, and the levels of the quantities that were compared."""

    units: tuple[UnitResult, ...]
    levels: tuple[SiblingLevel, ...]
    reason: str = ""
    """Why the fleet cannot be judged; empty if it can."""

    def with_effect(self, effect: Effect) -> list[UnitResult]:
        """Return the units with this effect, the largest difference first; empty if there are none."""
        units = [result for result in self.units if result.effect is effect]
        return sorted(units, key=lambda result: result.largest_ratio, reverse=True)


def judge_siblings(units: Sequence[Unit]) -> SiblingsJudgement:
    """Return the comparison of every unit with the others. It has a `reason`, and every effect is open, if
    the units are too few, form two groups, or have no quantity in common.
    """
    reasons = _reasons_not_to_judge(units)
    judged = [position for position, reason in enumerate(reasons) if not reason]
    if len(judged) < FEWEST_UNITS:
        why = (
            f"{len(judged)} units can be held against each other; how much units differ shows from"
            f" {FEWEST_UNITS}."
        )
        return SiblingsJudgement(
            tuple(
                UnitResult(unit, reason=reason or why) for unit, reason in zip(units, reasons, strict=True)
            ),
            (),
            why,
        )
    deviations: dict[int, list[Deviation]] = {position: [] for position in judged}
    levels, groups = [], []
    for quantity in QUANTITIES:
        figures = [_figure(units[position].measured, quantity) for position in judged]
        pairs = [(position, figure) for position, figure in zip(judged, figures, strict=True) if figure]
        if len(pairs) < FEWEST_UNITS or len(pairs) < len(judged):
            continue
        tested = _QuantityTest(quantity, [figure for _, figure in pairs])
        levels.append(tested.level())
        if tested.is_grouped:
            groups.append(quantity)
        for (position, _), deviation in zip(pairs, tested.deviations(), strict=True):
            deviations[position].append(deviation)
    for position, deviation in _miss_deviations(units, judged):
        deviations[position].append(deviation)
    why = ""
    if not levels:
        why = "The units have no latency and no rate in common that is known closely enough."
    elif groups:
        why = (
            "More than a fifth of the units differ from the rest: they are two groups. Judge each group"
            " by itself."
        )
    results = [
        UnitResult(unit, tuple(deviations.get(position, ())), reasons[position] or why)
        for position, unit in enumerate(units)
    ]
    return SiblingsJudgement(tuple(results), tuple(levels), why)


def _reasons_not_to_judge(units: Sequence[Unit]) -> list[str]:
    """Return for each unit why it cannot be compared (conditions, too short), empty if it can."""
    keys = [_condition_key(unit.measured.conditions) for unit in units]
    usual = Counter(keys).most_common(1)[0][0] if keys else None
    reference = next((unit for unit, key in zip(units, keys, strict=True) if key == usual), None)
    usual_ns = float(np.median([unit.measured_ns for unit in units])) if units else 0.0
    reasons = []
    for unit in units:
        assert reference is not None  # noqa: S101 - there are units, and the usual key is that of one
        against = comparability_of(reference.measured, unit.measured).reasons
        if unit.measured_ns < _SHORTEST_RATIO * usual_ns:
            reasons.append(
                f"Measured for {unit.measured_ns / 6e10:.1f} min, its siblings for {usual_ns / 6e10:.1f} min."
            )
        else:
            reasons.append(against[0] if against else "")
    return reasons


def _condition_key(conditions: Conditions) -> tuple[object, ...]:
    """Return a key that units of equal load share: tool, clock, loop, lateness, shaping parameters."""
    shaping = sorted(
        (name, str(value)) for name, value in conditions.parameters.items() if is_condition(name)
    )
    return (conditions.tool, conditions.clock, conditions.closed_loop, conditions.fell_behind, tuple(shaping))


def _figure(unit: Measured, quantity: str) -> Figure | None:
    """Return the figure of a quantity; None if missing, open or 0, or too wide to distinguish siblings."""
    figure = next((figure for figure in unit.figures if figure.quantity == quantity), None)
    if figure is None or figure.upper is None or figure.lower <= 0.0:
        return None
    return figure if figure.upper <= _SHARP_RATIO * figure.lower else None


class _QuantityTest:
    """One quantity of all units: its values on the logarithm, and which of them are outliers."""

    def __init__(self, quantity: str, figures: Sequence[Figure]) -> None:
        self.quantity, self.figures = quantity, figures
        self.values = np.log([figure.middle for figure in figures])
        ends = [math.log((figure.upper or figure.lower) / figure.lower) for figure in figures]
        self.resolution = max(ends)
        self.is_extreme = extreme(self.values, _TEST_ERROR, self.resolution)
        self.is_grouped = bool(self.is_extreme.mean() > MOST_ODD_RATIO)
        usual = self.values[~self.is_extreme]
        self.middle, self.spread = float(usual.mean()), _spread(usual, self.resolution)
        self.half = self.resolution / 2.0
        """How far the true mean of the siblings may lie from `middle` because of their buckets."""

    def level(self) -> SiblingLevel:
        """Return level and spread of the siblings, and the difference that is shown in 9 of 10 cases."""
        usual = int((~self.is_extreme).sum())
        away = -float(stdtrit(usual - 1, _TEST_ERROR / 2.0 / len(self.figures))) - float(ndtri(0.1))
        shown = math.exp(away * self.spread * math.sqrt(1.0 + 1.0 / usual)) - 1.0
        return SiblingLevel(
            self.quantity,
            len(self.figures),
            math.exp(self.middle),
            self.spread,
            max(shown, SMALLEST_DIFFERENCE_RATIO),
        )

    def deviations(self) -> list[Deviation]:
        """Return the deviation of every unit from the level of its siblings."""
        return [
            self._deviation(figure, value, bool(is_extreme))
            for figure, value, is_extreme in zip(self.figures, self.values, self.is_extreme, strict=True)
        ]

    def _deviation(self, figure: Figure, value: float, is_extreme: bool) -> Deviation:
        """Return a unit's deviation. It differs if extreme, beyond its limits and the smallest difference."""
        above, below = _own_limits(figure, _TEST_ERROR / len(self.figures))
        count = max(1, int((~self.is_extreme).sum()))
        of_level = -float(stdtrit(max(1, count - 1), _TEST_ERROR / 2.0)) * self.spread / math.sqrt(count)
        lower = value - math.hypot(below, of_level) - self.half
        upper = value + math.hypot(above, of_level) + self.half
        effect = Effect.SAME
        apart = math.log1p(SMALLEST_DIFFERENCE_RATIO)
        if is_extreme and lower > self.middle and value >= self.middle + apart:
            effect = Effect.BETTER if self.quantity == THROUGHPUT else Effect.WORSE
        elif is_extreme and upper < self.middle and value <= self.middle - apart:
            effect = Effect.WORSE if self.quantity == THROUGHPUT else Effect.BETTER
        ratio = [math.exp(end - self.middle) for end in (value, lower, upper)]
        return Deviation(
            self.quantity, math.exp(value), math.exp(self.middle), ratio[0], ratio[1], ratio[2], effect
        )


def _own_limits(figure: Figure, error: float) -> tuple[float, float]:
    """Return how far the limits of a unit lie above and below its value, on the logarithm; 0 if unknown. The
    limits of the figure, made for two runs, are widened by the normal distribution.
    """
    wider = float(ndtri(error / 2.0) / ndtri(ERROR / COUNT / 2.0))
    if figure.lower_limit is None or figure.upper_limit is None or figure.lower_limit <= 0.0:
        return 0.0, 0.0
    upper = figure.lower if figure.upper is None else figure.upper
    above = max(0.0, math.log(figure.upper_limit / upper)) if upper > 0.0 else 0.0
    return wider * above, wider * max(0.0, math.log(figure.lower / figure.lower_limit))


def extreme(
    values: Floats, error: float, resolution: float = 0.0
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return for each value whether it is an outlier of a normal sample, with `error` as the chance of any
    false outlier. The value farthest from the mean of the rest is removed repeatedly; all up to the last that
    exceeds its critical value are outliers. At most a quarter of the values are tried, and none if fewer than
    six remain. `resolution` is the width of the bounds of a value.
    """
    count = values.size
    remaining = np.ones(count, np.bool_)
    order: list[int] = []
    outliers = 0
    for step in range(1, max(1, int(count * (MOST_ODD_RATIO + 0.05))) + 1):
        left = values[remaining]
        if left.size < FEWEST_UNITS - 2:
            break
        away = np.where(remaining, np.abs(values - left.mean()), -1.0)
        farthest = int(away.argmax())
        spread = _spread(left, resolution)
        freedom = count - step - 1
        quantile = -float(stdtrit(freedom, error / (2.0 * (count - step + 1))))
        critical = (count - step) * quantile / math.sqrt((freedom + quantile**2) * (count - step + 1))
        order.append(farthest)
        remaining[farthest] = False
        if spread > 0.0 and away[farthest] / spread > critical:
            outliers = step
    is_outlier = np.zeros(count, np.bool_)
    is_outlier[order[:outliers]] = True
    return is_outlier


def _spread(values: Floats, resolution: float) -> float:
    """Return the standard deviation of values with bounds of the width `resolution`, which adds variance."""
    return math.sqrt(float(values.var(ddof=1)) + resolution**2 / 12.0)


def _miss_deviations(units: Sequence[Unit], judged: Sequence[int]) -> list[tuple[int, Deviation]]:
    """Return position and deviation of units with more failed operations than the rest: the lower limit of
    their share is at least 0.1 percentage points above the median of all.
    """
    figures = {
        position: figure
        for position in judged
        for figure in units[position].measured.figures
        if figure.quantity == MISSES and figure.lower_limit is not None
    }
    if len(figures) < FEWEST_UNITS:
        return []
    wider = float(ndtri(_TEST_ERROR / len(figures) / 2.0) / ndtri(ERROR / COUNT / 2.0))
    usual = float(np.median([figure.middle for figure in figures.values()]))
    deviations = []
    for position, figure in figures.items():
        value = figure.middle
        lower = value - wider * (value - (figure.lower_limit or 0.0))
        if lower >= usual + SMALLEST_POINTS_RATIO:
            upper = min(1.0, value + wider * ((figure.upper_limit or 1.0) - value))
            ratios = [share / usual if usual > 0.0 else math.inf for share in (value, lower, upper)]
            deviations.append(
                (position, Deviation(MISSES, value, usual, ratios[0], ratios[1], ratios[2], Effect.WORSE))
            )
    return deviations
