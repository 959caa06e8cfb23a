"""How many operations fit into a window, for certain and at best, whatever their scheduling.

More operations never take less time, so P(T ≤ window) falls with their number and the largest one can be
searched. The late law gives the number that is guaranteed, the early law the number that is possible. Source:
METHOD.md section 1.7.
"""

import math
from collections.abc import Callable, Mapping

import numpy as np

from tailroom.domain.latency.bounds import LatencyBounds, Law
from tailroom.domain.transactions.grid import (
    ROUNDING,
    Grid,
    aligned_bins,
    check_question,
    directed,
    powers,
    product,
)
from tailroom.domain.transactions.plan import COUNT_LIMIT, Plan, Scheduling, Stage
from tailroom.domain.transactions.pool import certain_in_pool, possible_in_pool
from tailroom.domain.transactions.sequential import LargestCount, largest_power
from tailroom.domain.transactions.waves import power_of_shares, rounding_of_shares, slowest_law

SEARCH_BINS = 1 << 14
"""Steps of the grid that the search runs on; few, since it asks many times."""


def largest_count(
    plan: Plan,
    laws: Mapping[str, LatencyBounds],
    window_ns: int,
    objective: float,
    bins: int = SEARCH_BINS,
) -> LargestCount:
    """Largest number of operations of a single-stage plan that keep the window with the objective.

    `possible` is none where nothing recorded limits it; neither end exceeds `COUNT_LIMIT`.
    """
    check_question(1, window_ns, objective)
    stage = plan.only_stage
    plan.check_measured(laws)
    net_ns = window_ns - stage.overhead_ns
    if net_ns <= 0:
        return LargestCount(0, 0)
    bounds = laws[stage.operation]
    grid = Grid(net_ns, aligned_bins([bounds], net_ns, bins))
    at_once = _parallel(bounds, net_ns, objective)
    scheduling = stage.scheduling
    if scheduling is Scheduling.PARALLEL:
        found = at_once
    elif scheduling is Scheduling.SEQUENTIAL or stage.fan_out == 1:
        found = _waves(bounds, 1, grid, objective)
    elif scheduling is Scheduling.WAVES:
        found = _waves(bounds, stage.fan_out, grid, objective)
    else:
        found = _pool(bounds, stage, grid, objective)
    # No transaction is faster than its slowest operation.
    possible = min(found[1], at_once[1])
    return LargestCount(min(found[0], possible), None if possible >= COUNT_LIMIT else possible)


def _parallel(bounds: LatencyBounds, window_ns: int, objective: float) -> tuple[int, int]:
    late, early = bounds.late, bounds.early
    certain = float(late.ratio[late.at_ns <= window_ns].sum())
    # See `composition`: a bucket that begins at the window holds nothing within it.
    inside = early.at_ns < window_ns if bounds.continuous else early.at_ns <= window_ns
    possible = float(early.ratio[inside].sum())
    return _largest_at_once(certain, objective, round_up=True), _largest_at_once(
        possible, objective, round_up=False
    )


def _largest_at_once(share: float, objective: float, *, round_up: bool) -> int:
    """`floor(ln q / ln F)`, put right where the last digit of the logarithms decides."""
    over = 1.0 - share
    if over <= 0.0:
        return COUNT_LIMIT
    if share < objective:
        return 0
    count = min(COUNT_LIMIT, max(1, math.floor(math.log(objective) / math.log1p(-over))))

    def reaches(number: int) -> bool:
        kept = float(power_of_shares(np.array(share), np.array(over), number))
        slack = rounding_of_shares(number)
        return kept >= objective + (slack if round_up else -slack)

    while count > 1 and not reaches(count):
        count -= 1
    while count < COUNT_LIMIT and reaches(count + 1):
        count += 1
    return count


def _waves(bounds: LatencyBounds, fan_out: int, grid: Grid, objective: float) -> tuple[int, int]:
    return (
        _in_waves(bounds.late, fan_out, grid, objective + ROUNDING, round_up=True),
        _in_waves(bounds.early, fan_out, grid, objective - ROUNDING, round_up=False),
    )


def _in_waves(law: Law, fan_out: int, grid: Grid, objective: float, *, round_up: bool) -> int:
    """Most full waves first, then as many more at once as the last wave can have."""

    def wave(size: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        return directed(slowest_law(law, size), *grid, round_up=round_up)[None, :]

    full = largest_power(wave(fan_out)[0], objective)
    if fan_out * full >= COUNT_LIMIT:
        return COUNT_LIMIT
    held = powers(wave(fan_out), full) if full else None

    def reaches(rest: int) -> bool:
        rows = wave(rest) if held is None else product(held, wave(rest))
        return float(rows.sum()) >= objective

    return fan_out * full + _most(reaches, fan_out - 1)


def _pool(bounds: LatencyBounds, stage: Stage, grid: Grid, objective: float) -> tuple[int, int]:
    def certain(count: int) -> bool:
        return float(certain_in_pool(bounds, count, stage.fan_out, grid)[-1]) >= objective + ROUNDING

    def possible(count: int) -> bool:
        return float(possible_in_pool(bounds, count, stage.fan_out, grid)[-1]) >= objective - ROUNDING

    return _most(certain, COUNT_LIMIT), _most(possible, COUNT_LIMIT)


def _most(reaches: Callable[[int], bool], limit: int) -> int:
    """Largest number up to a limit that still reaches, 0 if none does: doubling, then halving."""
    low, high = 0, 1
    while high <= limit and reaches(high):
        low, high = high, high * 2
    high = min(high, limit + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if reaches(middle) else (low, middle)
    return low
