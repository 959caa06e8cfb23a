"""A plan as sums of independent terms, for many pieces at once: what bounds it from above and from below.

Sequential stages are sums of their operations, parallel ones one term with the law of the slowest, waves a
sum of such terms. A pool lies between sums: certain are waves and, where it is the only stage, Graham's
`S/k + (1 − 1/k) · max` under a ceiling; possible are an even share of the work, and the slowest operation.
Source: METHOD.md section 1.4.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tailroom.domain.latency.bounds import Floats
from tailroom.domain.transactions.piece_lattice import lattice_bounds
from tailroom.domain.transactions.piece_laws import PieceLaws
from tailroom.domain.transactions.piece_sums import (
    Group,
    PieceBounds,
    cheap_bounds,
    transformed_bounds,
)
from tailroom.domain.transactions.plan import Plan, Scheduling, Stage
from tailroom.domain.transactions.waves import wave_sizes

_SLOWER_EXPECTED = (0.5, 0.02, 1e-4)
"""Operations of one transaction that are expected over each ceiling of Graham's bound."""


@dataclass(frozen=True, slots=True, eq=False)
class _Sum:
    """A sum whose law bounds the plan's on the given sides."""

    groups: tuple[Group, ...]
    window_ns: Floats
    certain: bool
    possible: bool


def plan_bounds(
    plan: Plan, laws: Mapping[str, PieceLaws], window_ns: int, length: int, *, step_ns: float = 0.0
) -> PieceBounds:
    """P(T ≤ window) of a plan with certain counts in every piece; `length` 0: without any transform."""
    size = next(iter(laws.values())).size
    window = np.full(size, float(window_ns - plan.overhead_ns))
    lower, upper = np.zeros(size), np.ones(size)
    estimates: list[Floats] = []
    sums = _sums(plan, laws, window)
    for one in sums:
        exact = step_ns if (one.window_ns == window).all() else 0.0
        if length:
            found = lattice_bounds(one.groups, one.window_ns, exact) or transformed_bounds(
                one.groups, one.window_ns, length, step_ns=exact
            )
        else:
            found = cheap_bounds(one.groups, one.window_ns)
        if one.certain:
            np.maximum(lower, found.lower, out=lower)
        if one.possible:
            np.minimum(upper, found.upper, out=upper)
        estimates.append(found.estimate)
    upper = np.maximum(lower, upper)
    # Between a sum that is too slow and one that is too fast lies the truth; their middle is the estimate.
    estimate = estimates[0] if len(estimates) == 1 else (lower + upper) / 2.0
    # Where several sums bound the plan, how they leave a gap between them is not told apart.
    return PieceBounds(
        lower, np.clip(estimate, lower, upper), upper, found.buckets if len(sums) == 1 else None
    )


def _sums(plan: Plan, laws: Mapping[str, PieceLaws], window: Floats) -> list[_Sum]:
    slow = tuple(group for stage in plan.stages for group in _slow(stage, laws[stage.operation]))
    if all(stage.effective is not Scheduling.POOL for stage in plan.stages):
        return [_Sum(slow, window, certain=True, possible=True)]
    shared = [group for stage in plan.stages for group in _fast(stage, laws[stage.operation], slowest=False)]
    slowest = [group for stage in plan.stages for group in _fast(stage, laws[stage.operation], slowest=True)]
    sums = [
        _Sum(slow, window, certain=True, possible=False),
        _Sum(tuple(shared), window, certain=False, possible=True),
        _Sum(tuple(slowest), window, certain=False, possible=True),
    ]
    if len(plan.stages) == 1:
        sums.extend(_graham(plan.only_stage, laws[plan.only_stage.operation], window))
    return sums


def _slow(stage: Stage, laws: PieceLaws) -> Sequence[Group]:
    """Groups whose sum is the stage's time, or for a pool never less than it."""
    count = stage.largest_count
    match stage.effective:
        case Scheduling.SEQUENTIAL:
            return (Group(laws, count),)
        case Scheduling.PARALLEL:
            return (Group(laws.slowest_of(count), 1),)
        case _:
            full, rest = wave_sizes(count, stage.fan_out)
            last = Group(laws.slowest_of(rest), 1)
            return (Group(laws.slowest_of(stage.fan_out), full), last) if full else (last,)


def _fast(stage: Stage, laws: PieceLaws, *, slowest: bool) -> Sequence[Group]:
    """Groups whose sum is never more than the stage's time."""
    if stage.effective is not Scheduling.POOL:
        return _slow(stage, laws)
    count = stage.largest_count
    return (Group(laws.slowest_of(count), 1) if slowest else Group(laws.shared_by(stage.fan_out), count),)


def _graham(stage: Stage, laws: PieceLaws, window: Floats) -> list[_Sum]:
    share = laws.shared_by(stage.fan_out)
    sums: list[_Sum] = []
    for expected in _SLOWER_EXPECTED:
        ceiling = laws.quantiles(expected / stage.largest_count)
        left = window - np.where(np.isfinite(ceiling), ceiling, window) * (1.0 - 1.0 / stage.fan_out)
        under = share.chosen(laws.high <= ceiling[laws.piece])
        usable = np.isfinite(ceiling) & (left > 0.0)
        kept = under.chosen(usable[under.piece])
        groups = (Group(kept, stage.largest_count),)
        sums.append(_Sum(groups, np.where(usable, left, 1.0), certain=True, possible=False))
    return sums
