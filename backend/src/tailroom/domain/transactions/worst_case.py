"""Bounds that hold for any dependence between operations.

* All at once: the share of late transactions is between the share of a late operation and N times it (union
  bound), and both can happen.
* One after the other, with `P(X > x)` of the lower CDF: `P(S ≥ s) ≤ N ∫_r^{s−(N−1)r} P(X > x) dx / (s − N r)`
  for every r < s/N (dual bound; Embrechts and Puccetti, Extremes 9 (2006) 3). From below, with the upper CDF:
  `P(S ≤ s) ≤ N E max(0, r − X) / (N r − s)` for every r > s/N (Markov). Any r gives a certain bound;
  between two corners both are ratios of linear functions, so the best r is a corner, and integrals are exact.
* Waves and pools take no longer than one after the other and no less than an even share; a pool no longer
  than `S/k + (1 − 1/k) · max`.

An objective that these bounds meet is met under any correlation. Source: docs/method.md section 1.5.
"""

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tailroom.domain.latency.bounds import LatencyBounds, PointMasses
from tailroom.domain.transactions.plan import Plan, Scheduling, Stage
from tailroom.domain.transactions.work import spend

_CEILINGS = 24
"""Number of limits of the slowest operation that are tried for a pool."""
_PASSES, _POINTS_AT_LEAST = 40, 20_000
"""Passes of a bound through the masses of a distribution, and its least cost in points."""
_BELOW_ONE = 1.0 - 1e-9


@dataclass(frozen=True, slots=True)
class WorstCase:
    """Bounds of P(T ≤ window) for every dependence and every distribution that the record allows."""

    lower: float
    upper: float


def worst_case_dependence(plan: Plan, bounds: Mapping[str, LatencyBounds], window_ns: int) -> WorstCase:
    """Return the bounds for a plan and a window in ns. Stages share the window in several ways, each of which
    gives a valid bound, and the best counts. Raise OperationNotMeasured for a missing operation, WorkExceeded
    beyond the work budget.
    """
    plan.check_measured(bounds)
    net_ns = float(window_ns - plan.overhead_ns)
    if net_ns <= 0.0:
        return WorstCase(0.0, 0.0 if net_ns < 0.0 else 1.0)
    upper = min(_stage_within(stage, bounds[stage.operation], net_ns) for stage in plan.stages)
    over = 1.0
    for shares in _window_divisions(plan, bounds):
        over_together = 0.0
        for stage, share in zip(plan.stages, shares, strict=True):
            over_together += _stage_over(stage, bounds[stage.operation].late, math.floor(net_ns * share))
            if over_together >= over:
                break
        over = min(over, over_together)
    lower = 1.0 - over
    return WorstCase(min(lower, upper), upper)


def sum_over(masses: PointMasses, count: int, limit_ns: int) -> float:
    """Return an upper bound of P(S > limit) for the sum of `count` operations under any dependence (dual
    bound, which need not be reached). Raise WorkExceeded beyond the work budget.
    """
    if limit_ns <= 0:
        return 1.0
    spend(_POINTS_AT_LEAST + _PASSES * masses.at_ns.size)
    inside = masses.at_ns <= limit_ns
    at, ratio = masses.at_ns[inside], masses.ratio[inside]
    if count == 1 or at.size == 0:
        return max(0.0, 1.0 - float(ratio.sum()))
    # A sum of integer latencies over the limit is at least the limit plus 1 ns.
    limit = float(limit_ns + 1) if (at == np.floor(at)).all() else float(limit_ns)
    order = np.argsort(at, kind="stable")
    knots = np.concatenate((np.zeros(1), at[order], np.array([limit])))
    over = np.concatenate((np.ones(1), 1.0 - np.cumsum(ratio[order])))
    over = np.maximum(over, 0.0)
    area = np.concatenate((np.zeros(1), np.cumsum(over * np.diff(knots))))
    corners = np.concatenate((knots, (limit - knots) / (count - 1)))
    r = corners[(corners >= 0.0) & (corners < limit / count * _BELOW_ONE)]
    top = limit - (count - 1) * r
    spanned = np.interp(top, knots, area) - np.interp(r, knots, area)
    dual = float((count * spanned / (limit - count * r)).min(initial=1.0))
    # As r approaches s/N only operations of at least an even share remain.
    even = count * (1.0 - float(ratio[at < limit / count].sum()))
    return min(1.0, max(0.0, min(dual, even)))


def sum_within(masses: PointMasses, count: int, limit_ns: float) -> float:
    """Return an upper bound of P(S ≤ limit in ns) for a sum of `count` operations under any dependence."""
    even = limit_ns / count
    r = np.unique(masses.at_ns[masses.at_ns > even])
    # As r grows without bound, all finite mass remains.
    bound = float(masses.ratio.sum())
    order = np.argsort(masses.at_ns, kind="stable")
    at, mass = masses.at_ns[order], np.cumsum(masses.ratio[order])
    moment = np.cumsum(masses.ratio[order] * at)
    if r.size:
        position = np.searchsorted(at, r, side="right") - 1
        short = r * mass[position] - moment[position]
        bound = float((count * short / (count * r - limit_ns)).min())
    # Without any operation faster than an even share, each must take exactly that.
    if at.size and at[0] >= even:
        bound = min(bound, float(masses.ratio[masses.at_ns <= even].sum()))
    return min(
        1.0, max(0.0, bound), 1.0 if count > 1 else float(masses.ratio[masses.at_ns <= limit_ns].sum())
    )


def _stage_over(stage: Stage, late: PointMasses, limit_ns: int) -> float:
    count = stage.largest_count
    if limit_ns <= 0:
        return 1.0
    over_one = max(0.0, 1.0 - float(late.ratio[late.at_ns <= limit_ns].sum()))
    if stage.effective is Scheduling.PARALLEL:
        return min(1.0, count * over_one)
    largest = sum_over(late, count, limit_ns)
    if stage.effective is Scheduling.POOL:
        workers = stage.fan_out
        spend(_CEILINGS * _PASSES // 4 * late.at_ns.size)
        for ceiling in np.geomspace(limit_ns / 1000.0, limit_ns, _CEILINGS).astype(np.int64).tolist():
            slowest = count * max(0.0, 1.0 - float(late.ratio[late.at_ns <= ceiling].sum()))
            if slowest < largest:
                work = sum_over(late, count, workers * limit_ns - (workers - 1) * ceiling)
                largest = min(largest, slowest + work)
    return largest


def _stage_within(stage: Stage, bounds: LatencyBounds, limit_ns: float) -> float:
    """Return an upper bound of P(stage ≤ limit in ns), for a random count that of a single operation."""
    early = bounds.early
    inside = early.at_ns < limit_ns if bounds.continuous else early.at_ns <= limit_ns
    single = min(1.0, float(early.ratio[inside].sum()))
    if stage.effective is Scheduling.PARALLEL or not isinstance(stage.count, int):
        return single
    workers = 1 if stage.effective is Scheduling.SEQUENTIAL else stage.fan_out
    return min(single, sum_within(early, stage.count, workers * limit_ns))


def _window_divisions(plan: Plan, bounds: Mapping[str, LatencyBounds]) -> list[tuple[float, ...]]:
    """Return divisions of the window between stages: even, by depth, by expected time, and blends."""
    if len(plan.stages) == 1:
        return [(1.0,)]
    expected = [stage.depth * bounds[stage.operation].late.mean_ns() for stage in plan.stages]
    ways = [[1.0] * len(plan.stages), [float(stage.depth) for stage in plan.stages], expected]
    even = [[part / sum(way) for part in way] for way in ways if sum(way) > 0.0]
    blends = [
        [weight * a + (1.0 - weight) * b for a, b in zip(first, second, strict=True)]
        for first, second in itertools.combinations(even, 2)
        for weight in (0.25, 0.5, 0.75)
    ]
    return [tuple(way) for way in (*even, *blends)]
