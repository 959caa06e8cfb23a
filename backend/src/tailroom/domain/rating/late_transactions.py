"""What shares of reads alone say of transactions, for many tests at once and whatever depends on what.

If no read of a transaction reaches its even part of the window, the transaction ends in time: the late share
is at most the reads times the share at that part. If one read outlasts the window, the transaction is late.
Both hold under any dependence (METHOD.md 1.5). What they leave open is for the judge of transactions, except
where Cantelli's inequality shows that even he could not find enough late ones, and a share of unlimited reads
that he could not find enough in time.
"""

import numpy as np

from tailroom.domain.rating.judging import Bools, Floats, Knots
from tailroom.domain.verdicts.budget_kinds import TransactionBudget


def late_shares(knots: Knots, budget: TransactionBudget) -> Floats:
    """Ends of the share of late transactions: four rows (by rounding or buckets, then with confidence)."""
    window_ns = budget.reads_window_ns - budget.plan.overhead_ns
    part_ns = window_ns // max(budget.plan.depth, 1)
    over_window = knots.bounds(window_ns + 1)
    over_part = knots.bounds(max(part_ns, 1))
    lower, upper = over_window[0:4:2], np.minimum(1.0, budget.reads * over_part[1:4:2])
    return np.stack((lower[0], upper[0], lower[1], upper[1]))


def cannot_fail(knots: Knots, budget: TransactionBudget) -> Bools:
    """Even if every read took no longer than is certain, too few transactions are late for a FAIL."""
    window_ns = float(budget.reads_window_ns - budget.plan.overhead_ns)
    mean, square = _least_moments(knots)
    total = budget.reads * mean
    spread = budget.reads * np.maximum(square - mean**2, 0.0)
    room = window_ns - total
    with np.errstate(invalid="ignore", divide="ignore"):
        late = np.where(room > 0.0, spread / (spread + room**2), 1.0)
    return np.asarray(np.nan_to_num(late, nan=0.0) <= 1.0 - budget.objective_ratio, np.bool_)


def cannot_pass(knots: Knots, budget: TransactionBudget) -> Bools:
    """So many reads may outlast the window, as far as is known, that the objective cannot be guaranteed."""
    window_ns = budget.reads_window_ns - budget.plan.overhead_ns
    upper = np.minimum(knots.bounds(window_ns)[3], 1.0)
    with np.errstate(divide="ignore"):
        late = -np.expm1(budget.reads * np.log1p(-upper))
    return np.asarray(late > 1.0 - budget.objective_ratio, np.bool_)


def _least_moments(knots: Knots) -> tuple[Floats, Floats]:
    """Mean and mean square of each test's latency if every read is as fast as its knots allow, in ns."""
    times = knots.thresholds_ns[knots.at].astype(np.float64)
    starts = knots.offsets[:-1]
    has_any = knots.offsets[1:] > starts
    before = np.concatenate((np.zeros(1), times[:-1]))
    before[starts[has_any]] = 0.0
    lower = knots.ends[0]
    mean, square = np.zeros(knots.size), np.zeros(knots.size)
    if has_any.any():
        first = starts[has_any].astype(np.intp)
        mean[has_any] = np.add.reduceat((times - before) * lower, first)
        square[has_any] = np.add.reduceat((times**2 - before**2) * lower, first)
    return mean, square
