"""The mixture for an answer at once: window, quantile and largest count from one grid each, a little wider.

On the full grid every one of them is searched for, as narrowly as the record allows (`mixture_search`). While
somebody drags a slider, two curves and a few further questions must do: one curve up to the window, and one
that ends just past the objective's quantile where operations are fast. Bounds are certain here as there.
Source: METHOD.md sections 1.5 to 1.7.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tailroom.domain.latency.distribution import TimeBounds
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.transactions.curves import TransactionCurves
from tailroom.domain.transactions.interval_mixture import MixtureResult, PiecesInvalid
from tailroom.domain.transactions.mixture_grid import MixtureGrid
from tailroom.domain.transactions.plan import RandomCount
from tailroom.domain.transactions.sequential import LargestCount
from tailroom.domain.verdicts.budget_kinds import TransactionBudget

_HIGHEST_WINDOWS = 8


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
        grid = MixtureGrid(budget.plan, courses, budget.reads_window_ns, bins)
        curves = grid.curves()
        close = _close_up(budget, courses, curves, bins)
    except PiecesInvalid:
        return None
    largest = None if guess is None else grid.largest(budget.objective_ratio, guess)
    return DisplayMixture(
        grid.at_horizon(), curves, close, close.quantile_bounds(budget.objective_ratio), largest
    )


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
