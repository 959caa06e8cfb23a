"""Change points of any series: E-divisive with Student's t, as in Hunter (Apache Otava).

A window of 50 values is divided where its two parts differ most by the energy statistic Q̂ (α = 1), as long
as Student's t finds the parts different; windows overlap by half. These candidates are found with ten times
the threshold. Then the weakest is merged repeatedly, until every remaining point has p < 0.001 and a step of
at least 5 %. Correlated neighbours look like changes: values are summed in groups of 2, 4, … until the
residuals of the levels have a lag-1 autocorrelation below 0.2. Source: docs/method.md 3.3; Matteson and
James, JASA 109 (2014) 334; Fleming et al., "Hunter", ICPE 2023.
"""

import math
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from scipy.special import stdtr

from tailroom.domain.confidence.effective_samples import autocorrelations, check_series
from tailroom.domain.latency.bounds import Floats

WINDOW = 50
"""Number of values that are divided at once."""
LARGEST_P = 0.001
"""p-value below which a change remains."""
SMALLEST_STEP_RATIO = 0.05
"""Smallest relative step of a change."""
WEAK_FACTOR = 10.0
"""Factor of the p-value up to which a division is a candidate."""
LARGEST_CORRELATION = 0.2
"""Lag-1 autocorrelation of the residuals below which values are not grouped further."""
_LEAST_SIDE = 2
_FEWEST_VALUES = 12


@dataclass(frozen=True, slots=True)
class LevelChange:
    """A change of level at `position`, the first value of the new level, with the means of both levels.
    `step_ratio` is their difference relative to the smaller, infinite from or to 0.
    """

    position: int
    before: float
    after: float
    step_ratio: float
    p_value: float


@dataclass(frozen=True, slots=True)
class LevelChanges:
    """Changes in order of time, found in means of `grouped` values each; positions count single values. If
    too few values are independent there are none, but a reason. `correlation` is the lag-1 autocorrelation of
    the residuals, None if they do not vary.
    """

    changes: tuple[LevelChange, ...]
    grouped: int
    correlation: float | None
    reason: str | None


def e_divisive(values: Floats) -> LevelChanges:
    """Return the level changes of an evenly spaced series, found in means of the smallest groups of values
    (1, 2, 4, …) whose residuals are not correlated. If too few groups are left there are none, but a reason;
    values after the last full group are not used. Raise SeriesInvalid without values or if one is not finite.
    """
    series = np.asarray(values, dtype=np.float64)
    check_series(series)
    grouped, correlation = 1, None
    while series.size // grouped >= (_FEWEST_VALUES if grouped > 1 else 2 * _LEAST_SIDE):
        means = _group_sums(series, grouped) / grouped
        divided = _divide_series(means)
        correlation = _residual_correlation(means, [change.position for change in divided])
        if correlation is None or correlation < LARGEST_CORRELATION:
            moved = (replace(change, position=change.position * grouped) for change in divided)
            return LevelChanges(tuple(moved), grouped, correlation, None)
        grouped *= 2
    if correlation is None:
        return LevelChanges((), 1, None, f"{series.size} values are too few to see a change")
    reason = "every value follows the one before it: too few independent ones"
    return LevelChanges((), grouped // 2, correlation, reason)


def _divide_series(series: Floats) -> list[LevelChange]:
    """Return the level changes of a series in order of time, without grouping its values. The weakest
    division of the overlapping windows is removed until all have a small p-value and a large step.
    """
    points: set[int] = set()
    start = 0
    while start < series.size:
        new = [start + position for position in _division_points(series[start : start + WINDOW])]
        points.update(new)
        start = max(max(new, default=0), start + WINDOW // 2)
    remaining = sorted(points)
    while remaining:
        edges = [0, *remaining, series.size]
        changes = [_level_change(series, each) for each in zip(edges, edges[1:], edges[2:], strict=False)]
        weakest = max(range(len(remaining)), key=lambda index: changes[index].p_value)
        if changes[weakest].p_value < LARGEST_P:
            weakest = min(range(len(remaining)), key=lambda index: changes[index].step_ratio)
            if changes[weakest].step_ratio >= SMALLEST_STEP_RATIO:
                return changes
        del remaining[weakest]
    return []


def _division_points(window: Floats) -> list[int]:
    """Return the positions that divide a window at the largest Q̂, until Student's t finds no difference."""
    points: list[int] = []
    best = {(0, window.size): _best_division(window)}
    while best:
        part = max(best, key=lambda part_: best[part_][1])
        position, q = best.pop(part)
        first, end = part
        at = first + position
        if q <= 0.0 or student_p(window[first:at], window[at:end]) >= WEAK_FACTOR * LARGEST_P:
            break
        points.append(at)
        best[first, at] = _best_division(window[first:at])
        best[at, end] = _best_division(window[at:end])
    return sorted(points)


def _best_division(values: Floats) -> tuple[int, float]:
    """Return the position and Q̂ of the division with the largest Q̂; (0, 0) for fewer than four values."""
    size = values.size
    if size < 2 * _LEAST_SIDE:
        return 0, 0.0
    distance = np.abs(values[:, None] - values[None, :])
    running = distance.cumsum(axis=0).cumsum(axis=1)
    m = np.arange(_LEAST_SIDE, size - _LEAST_SIDE + 1)
    n = size - m
    left = running[m - 1, m - 1]
    between = running[m - 1, size - 1] - left
    right = running[size - 1, size - 1] - left - 2.0 * between
    energy = 2.0 * between / (m * n) - left / (m * (m - 1)) - right / (n * (n - 1))
    q = m * n / size * energy
    best = int(np.argmax(q))
    return int(m[best]), float(q[best])


def _level_change(series: Floats, bounds: tuple[int, int, int]) -> LevelChange:
    """Return the change between two levels; `bounds` are the first value of each and the end of the later."""
    first, at, end = bounds
    before, after = float(series[first:at].mean()), float(series[at:end].mean())
    p_value = student_p(series[first:at], series[at:end])
    return LevelChange(at, before, after, _step_ratio(before, after), p_value)


def _step_ratio(before: float, after: float) -> float:
    """Return the difference of two levels relative to the smaller; 0 if equal, else infinite from or to 0."""
    if before == after:
        return 0.0
    smaller = min(abs(before), abs(after))
    return abs(after - before) / smaller if smaller > 0.0 else math.inf


def student_p(left: Floats, right: Floats) -> float:
    """Return the two-sided p-value of Student's t. Without variance it is 0 if the means differ, else 1. It
    is 1 for fewer than three values in all.
    """
    if left.size + right.size < 3:
        return 1.0
    deviations = [float(side.std(ddof=1)) if side.size > 1 else 0.0 for side in (left, right)]
    variances = [deviation * deviation for deviation in deviations]
    means = float(left.mean()), float(right.mean())
    scale = max(abs(means[0]), abs(means[1]))
    if max(deviations) <= 1e-13 * scale:
        return 0.0 if abs(means[0] - means[1]) > 1e-12 * scale else 1.0
    freedom = left.size + right.size - 2.0
    pooled = ((left.size - 1) * variances[0] + (right.size - 1) * variances[1]) / freedom
    error = math.sqrt(pooled * (1.0 / left.size + 1.0 / right.size))
    return 2.0 * float(stdtr(freedom, -abs((means[0] - means[1]) / error)))


def _residual_correlation(series: Floats, positions: list[int]) -> float | None:
    """Return the lag-1 autocorrelation of the distances of values from the mean of their level; None if these
    do not vary. `positions` are the first values of all levels but the first.
    """
    rest = series.copy()
    for first, end in pairwise([0, *positions, series.size]):
        rest[first:end] -= rest[first:end].mean()
    rho = autocorrelations(rest) if float(np.abs(rest).max()) > 1e-13 * float(np.abs(series).max()) else None
    return None if rho is None or rho.size < 2 else float(rho[1])


def _group_sums(values: Floats, size: int) -> Floats:
    """Return sums of consecutive groups of full size; the remainder is dropped."""
    groups = values.size // size
    sums: Floats = values[: groups * size].reshape(groups, size).sum(axis=1)
    return sums
