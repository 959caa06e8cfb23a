"""The mixture for an answer at once: window, quantile and largest count from one grid each, a little wider.

On the full grid every one of them is searched for, as narrowly as the record allows (`mixture_search`). While
somebody drags a slider, two curves and a few further questions must do: one curve up to the window, and one
that ends just past the objective's quantile where operations are fast. Bounds are certain here as there.
Source: METHOD.md sections 1.5 to 1.7.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from tailroom.domain.latency.distribution import LatencyDist, TimeBounds
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.transactions.confidence import plan_within_lower, plan_within_upper
from tailroom.domain.transactions.curves import TransactionCurves
from tailroom.domain.transactions.interval_mixture import MixtureResult, PiecesInvalid
from tailroom.domain.transactions.mixture_grid import MixtureGrid
from tailroom.domain.transactions.plan import COUNT_LIMIT, Plan, RandomCount, Scheduling
from tailroom.domain.transactions.sequential import LargestCount
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.evidence import OperationEvidence
from tailroom.domain.verdicts.verdict import Ends

_HIGHEST_WINDOWS = 8
_FEW_PIECES = 6
"""More pieces get a grid of half as many steps."""


@dataclass(frozen=True, slots=True, eq=False)
class DisplayMixture:
    """`curves` reach up to the window, `close_up` lies around the objective's quantile."""

    result: MixtureResult
    curves: TransactionCurves
    close_up: TransactionCurves
    quantile: TimeBounds
    largest: LargestCount | None


def display_mixture(
    budget: TransactionBudget,
    courses: Mapping[str, IntervalRecords],
    guess: LargestCount | None,
    bins: int,
) -> DisplayMixture | None:
    """None where a grid cannot have it: random counts, pieces that are not the same for all operations."""
    if any(isinstance(stage.count, RandomCount) for stage in budget.plan.stages):
        return None
    try:
        courses = _with_operations(budget, courses)
        if courses[budget.read_operation].size > _FEW_PIECES:
            bins //= 2
        grid = MixtureGrid(budget.plan, courses, budget.reads_window_ns, bins)
        curves = grid.curves()
        close = _close_up(budget, courses, curves, bins)
    except PiecesInvalid:
        return None
    quantile = close.quantile_bounds(budget.objective_ratio)
    largest = None
    if guess is not None:
        largest = grid.largest(budget.objective_ratio, _guess(budget, quantile, guess))
    return DisplayMixture(grid.at_horizon(), curves, close, quantile, largest)


@dataclass(frozen=True, slots=True, eq=False)
class DisplayPooled:
    """All operations thrown together, for display: the curve up to the window, and what stands beside it."""

    at_window: tuple[float, float, float]
    confident: Ends
    curves: TransactionCurves


def display_pooled(
    budget: TransactionBudget, used: Mapping[str, OperationEvidence], bins: int
) -> DisplayPooled | None:
    """From one grid with one piece that holds everything; none where a grid cannot have it.

    A pool is certainly not slower than waves, and not faster than an even share of the work or its slowest
    operation: its limits are those of these.
    """
    if any(isinstance(stage.count, RandomCount) for stage in budget.plan.stages):
        return None
    whole: dict[str, IntervalRecords] = {}
    for name in budget.plan.operations:
        record = used[name].record
        if not isinstance(record, LatencyDist):
            return None
        whole[name] = IntervalRecords.of([record], [0], [1])
    window_ns = budget.reads_window_ns
    try:
        curves = MixtureGrid(budget.plan, whole, window_ns, bins).curves()
    except PiecesInvalid:
        return None
    at_window = curves.within(window_ns)
    return DisplayPooled(at_window, _limits(budget, used, at_window, bins), curves)


def _limits(
    budget: TransactionBudget,
    used: Mapping[str, OperationEvidence],
    at_window: tuple[float, float, float],
    bins: int,
) -> Ends:
    """Confidence limits of the pooled law."""
    window_ns, objective = budget.reads_window_ns, budget.objective_ratio
    records = {name: one.record for name, one in used.items()}
    effects = {name: one.effect_at for name, one in used.items()}
    in_waves = Plan(
        tuple(
            replace(stage, scheduling=Scheduling.WAVES) if stage.effective is Scheduling.POOL else stage
            for stage in budget.plan.stages
        )
    )
    certain = plan_within_lower(in_waves, records, window_ns, objective, effects=effects, bins=bins)
    possible = 1.0
    for plan, limit_ns in _not_slower(budget):
        possible = min(possible, plan_within_upper(plan, records, limit_ns, effects=effects, bins=bins))
    return Ends(min(certain, at_window[0]), max(possible, at_window[2]))


def _not_slower(budget: TransactionBudget) -> list[tuple[Plan, int]]:
    """Plans, and windows for them, that are kept whenever the budget's is."""
    plan, window_ns = budget.plan, budget.reads_window_ns
    if all(stage.effective is not Scheduling.POOL for stage in plan.stages):
        return [(plan, window_ns)]
    if len(plan.stages) > 1:
        return []
    stage = plan.only_stage
    net_ns = window_ns - stage.overhead_ns
    one_by_one = replace(stage, fan_out=1, scheduling=Scheduling.SEQUENTIAL, overhead_ns=0)
    at_once = replace(stage, fan_out=1, scheduling=Scheduling.PARALLEL, overhead_ns=0)
    return [(Plan((one_by_one,)), net_ns * stage.fan_out), (Plan((at_once,)), net_ns)]


def _guess(budget: TransactionBudget, quantile: TimeBounds, given: LargestCount) -> LargestCount:
    """Times grow about as fast as counts, except where all operations are at once."""
    if budget.plan.only_stage.effective is Scheduling.PARALLEL:
        return given
    window_ns, count = budget.reads_window_ns, budget.reads
    guaranteed = count // 2 if quantile.upper_ns is None else count * window_ns // max(1, quantile.upper_ns)
    possible = count * window_ns // max(1, quantile.lower_ns)
    return LargestCount(min(guaranteed, COUNT_LIMIT), min(possible, COUNT_LIMIT))


def _with_operations(
    budget: TransactionBudget, courses: Mapping[str, IntervalRecords]
) -> Mapping[str, IntervalRecords]:
    """Without pieces in which nothing happened, as far as that leaves the same pieces for all operations."""
    filled = {name: courses[name] for name in budget.plan.operations}
    if all((one.totals > 0).all() for one in filled.values()):
        return filled
    return {name: one.selected(np.flatnonzero(one.totals > 0)) for name, one in filled.items()}


def _close_up(
    budget: TransactionBudget, courses: Mapping[str, IntervalRecords], curves: TransactionCurves, bins: int
) -> TransactionCurves:
    window_ns = budget.reads_window_ns
    upper_ns = curves.quantile_bounds(budget.objective_ratio).upper_ns
    if upper_ns is None:
        return MixtureGrid(budget.plan, courses, _HIGHEST_WINDOWS * window_ns, bins).curves()
    horizon_ns = max(budget.reads, upper_ns + upper_ns // 4, budget.plan.overhead_ns + 1)
    if horizon_ns * 2 > window_ns:
        return curves
    return MixtureGrid(budget.plan, courses, horizon_ns, bins).curves()
