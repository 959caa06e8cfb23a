"""How long a whole plan takes: every stage becomes three rows on one grid, and the rows are convolved.

Bounds hold for every law that the records allow; operations are independent. Constant overheads shift the
time exactly: the stages are calculated on what they leave of the horizon. Where the horizon and all latencies
lie on a common step, the grid takes it, and nothing is rounded.

A latency in a bucket `[lo, hi)` is continuous: P(T ≤ t) of one operation is its share strictly below t, and a
transaction is never faster than its slowest operation. Both cap the upper curve, so a single operation, or
all at once, is decided by one exact counter at the window. Source: docs/method.md sections 0 and 1.
"""

from collections.abc import Mapping

import numpy as np
from backend.bench.exact_plans.curves import TransactionCurves
from backend.bench.exact_plans.grid import (
    EARLY,
    LATE,
    MIDDLE,
    ROUNDING,
    Grid,
    aligned_bins,
    directed,
    placed,
    product,
)
from backend.bench.exact_plans.pool import (
    DISPLAY_REPLICATIONS,
    REPLICATIONS,
    affordable_replications,
    pool_rows,
)
from backend.bench.exact_plans.waves import rounding_of_shares, slowest, sum_rows, waves_rows

from tailroom.domain.latency.bounds import Floats, LatencyBounds
from tailroom.domain.latency.record import LatencyRecord
from tailroom.domain.transactions.grid import FULL_BINS, TransactionInvalid, check_question
from tailroom.domain.transactions.guarantees import MeanAndLargest, mean_guarantee, record_distributions
from tailroom.domain.transactions.plan import Plan, Scheduling, Stage
from tailroom.domain.transactions.waves import power_of_shares

_DISPLAY_BINS = 1 << 13


def transaction_curves(
    plan: Plan,
    laws: Mapping[str, LatencyBounds],
    horizon_ns: int,
    bins: int = FULL_BINS,
    *,
    replications: int | None = None,
) -> TransactionCurves:
    """Bounds and estimate of the plan's time up to a horizon, in ns; `laws` by the operations of the plan.

    `bins` is the most steps of the grid. `replications` is for the estimate of a pool; fewer by default on a
    grid for pictures. Refused where the overheads leave nothing of the horizon, and for operations that were
    not measured.
    """
    check_question(1, horizon_ns)
    plan.check_measured(laws)
    net_ns = horizon_ns - plan.overhead_ns
    if net_ns <= 0:
        raise TransactionInvalid(
            f"constant overheads of {plan.overhead_ns} ns leave nothing of a horizon of {horizon_ns} ns"
        )
    used = [laws[operation] for operation in plan.operations]
    grid = Grid(net_ns, aligned_bins(used, net_ns, bins))
    runs = replications or (REPLICATIONS if bins > _DISPLAY_BINS else DISPLAY_REPLICATIONS)
    rows = _stage_rows(plan.stages[0], laws, grid, runs)
    for stage in plan.stages[1:]:
        rows = product(rows, _stage_rows(stage, laws, grid, runs))
    pools = [stage for stage in plan.stages if stage.effective is Scheduling.POOL]
    simulated = min((_replications(stage, runs) for stage in pools), default=0)
    return _curves(plan, rows, laws, grid, simulated)


def transaction_within(
    plan: Plan,
    laws: Mapping[str, LatencyBounds],
    window_ns: int,
    bins: int = FULL_BINS,
    *,
    replications: int | None = None,
) -> tuple[float, float, float]:
    """Lower bound, estimate and upper bound of P(T ≤ window). 0 where overheads alone take longer."""
    check_question(1, window_ns)
    plan.check_measured(laws)
    if plan.overhead_ns > window_ns:
        return 0.0, 0.0, 0.0
    if plan.overhead_ns == window_ns:
        return _nothing_left(plan, laws)
    curves = transaction_curves(plan, laws, window_ns, bins, replications=replications)
    return curves.within(window_ns)


def _stage_rows(stage: Stage, laws: Mapping[str, LatencyBounds], grid: Grid, replications: int) -> Floats:
    bounds = laws[stage.operation]
    match stage.effective:
        case Scheduling.SEQUENTIAL:
            return sum_rows(placed(bounds, *grid), stage.count)
        case Scheduling.PARALLEL:
            return placed(slowest(bounds, stage.count), *grid)
        case Scheduling.WAVES:
            return waves_rows(bounds, stage.count, stage.fan_out, grid)
        case Scheduling.POOL:
            runs = _replications(stage, replications)
            return pool_rows(bounds, stage.largest_count, stage.fan_out, grid, runs)


def _replications(stage: Stage, wanted: int) -> int:
    return affordable_replications(stage.largest_count, stage.fan_out, wanted)


def _slowest_of_stage(stage: Stage, bounds: LatencyBounds, grid: Grid) -> Floats:
    """Most that can have all operations of a stage within each point of the grid."""
    if bounds.continuous:
        # What is rounded down to an earlier point lies strictly below this one, and nothing else does.
        row = directed(bounds.early, *grid, round_up=False)
        below = np.concatenate((np.zeros(1), np.cumsum(row)[:-1]))
    else:
        below = np.cumsum(directed(bounds.early, *grid, round_up=True))
    below = np.minimum(below, 1.0)
    return power_of_shares(below, 1.0 - below, stage.count)


def _curves(
    plan: Plan, rows: Floats, laws: Mapping[str, LatencyBounds], grid: Grid, replications: int
) -> TransactionCurves:
    cap = np.ones(grid.bins + 1)
    for stage in plan.stages:
        cap *= _slowest_of_stage(stage, laws[stage.operation], grid)
    sums = np.cumsum(rows, axis=1)
    estimate = sums[MIDDLE]
    if any(laws[operation].continuous for operation in plan.operations):
        estimate = estimate - rows[MIDDLE] / 2.0
    rounding = rounding_of(plan)
    lower = np.clip(np.maximum.accumulate(sums[LATE]) - rounding, 0.0, 1.0)
    upper = np.minimum(np.maximum.accumulate(sums[EARLY]), cap) + rounding
    upper = np.maximum(np.clip(upper, 0.0, 1.0), lower)
    return TransactionCurves(
        plan.overhead_ns + grid.horizon_ns,
        lower,
        np.clip(estimate, lower, upper),
        upper,
        offset_ns=plan.overhead_ns,
        capped=bool((cap < sums[EARLY] - rounding).any()),
        replications=replications,
    )


def rounding_of(plan: Plan) -> float:
    """By how much digits may be missing. A single operation, or all at once, needs no Fourier transform."""
    stage = plan.stages[0]
    if len(plan.stages) == 1 and (stage.effective is Scheduling.PARALLEL or stage.largest_count == 1):
        return rounding_of_shares(stage.count)
    # The last digit of the law's mass counts once for every operation.
    return max(ROUNDING, 4e-15 * plan.largest_count)


def _nothing_left(plan: Plan, laws: Mapping[str, LatencyBounds]) -> tuple[float, float, float]:
    """Overheads take the whole window: only latencies of 0 ns would keep it."""
    share = np.ones(3)
    for stage in plan.stages:
        bounds = laws[stage.operation]
        ends = (bounds.late, bounds.middle, bounds.early)
        at_zero = np.array([float(law.ratio[law.at_ns <= 0.0].sum()) for law in ends])
        share *= power_of_shares(np.minimum(at_zero, 1.0), 1.0 - np.minimum(at_zero, 1.0), stage.count)
    lower, estimate, upper = (float(one) for one in share)
    return lower, min(max(estimate, lower), upper), upper


def records_within(
    plan: Plan,
    records: Mapping[str, LatencyRecord],
    window_ns: int,
    bins: int = FULL_BINS,
    *,
    replications: int | None = None,
) -> tuple[float, float, float]:
    """Lower bound, estimate and upper bound of P(T ≤ window), with all that the records say."""
    laws = record_distributions(plan, records)
    lower, estimate, upper = transaction_within(plan, laws, window_ns, bins, replications=replications)
    # Contradictory records could bring the guarantee over the upper bound; the certain end is the lower one.
    means = {name: MeanAndLargest.from_record(records[name], laws[name].late) for name in plan.operations}
    lower = min(max(lower, mean_guarantee(plan, means, window_ns)), upper)
    return lower, max(lower, estimate), upper
