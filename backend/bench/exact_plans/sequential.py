"""How long a transaction of N sequential reads takes: bounds and estimate by convolution on a grid.

Only mass up to the horizon matters, because latencies are not negative: cutting after every product is
exact for every time up to the horizon, so there is no error from the tail. A latency is put on the grid
three times: the early law rounded down, the late law rounded up (both guarantee their side), and the middle
law split over two neighbours. All three rows go through each Fourier transform together. Source:
docs/method.md
sections 1.1, 1.6 and 1.7.
"""

import numpy as np
from backend.bench.exact_plans.curves import TransactionCurves
from backend.bench.exact_plans.grid import (
    EARLY,
    LATE,
    MIDDLE,
    ROUNDING,
    directed,
    placed,
    powers,
    product,
)

from tailroom.domain.latency.bounds import Floats, LatencyBounds, PointMasses
from tailroom.domain.transactions.grid import FULL_BINS, check_question
from tailroom.domain.transactions.plan import COUNT_LIMIT
from tailroom.domain.transactions.plan_search import LargestCount


def sequential(
    bounds: LatencyBounds, reads: int, horizon_ns: int, bins: int = FULL_BINS
) -> TransactionCurves:
    """Curves of the sum of `reads` independent latencies up to a horizon.

    Lower and upper bound hold for every law that the record allows (independence assumed); each is off by
    at most `reads · horizon / bins` in time. The estimate's half bin is taken off for continuous latencies
    only.
    """
    check_question(reads, horizon_ns)
    rows = powers(placed(bounds, horizon_ns, bins), reads)
    curves = np.maximum.accumulate(np.cumsum(rows, axis=1), axis=1)
    estimate = curves[MIDDLE]
    if bounds.continuous:
        estimate = estimate - rows[MIDDLE] / 2.0
    lower = np.clip(curves[LATE] - ROUNDING, 0.0, 1.0)
    upper = np.clip(curves[EARLY] + ROUNDING, 0.0, 1.0)
    return TransactionCurves(horizon_ns, lower, np.clip(estimate, lower, upper), upper)


def sum_within(
    law: PointMasses, reads: int, window_ns: int, *, round_up: bool, bins: int = FULL_BINS
) -> float:
    """P(sum of `reads` latencies of one law ≤ window), rounded towards the safe side that was asked for."""
    check_question(reads, window_ns)
    row = directed(law, window_ns, bins, round_up=round_up)
    mass = float(powers(row[None, :], reads)[0].sum())
    return max(0.0, mass - ROUNDING) if round_up else min(1.0, mass + ROUNDING)


def largest_count(
    bounds: LatencyBounds, window_ns: int, objective: float, bins: int = 1 << 14
) -> LargestCount:
    """Largest N with P(S_N ≤ window) ≥ objective, once with the late and once with the early law."""
    check_question(1, window_ns, objective)
    late = directed(bounds.late, window_ns, bins, round_up=True)
    early = directed(bounds.early, window_ns, bins, round_up=False)
    guaranteed = largest_power(late, objective + ROUNDING)
    possible = largest_power(early, objective - ROUNDING)
    return LargestCount(guaranteed, None if possible >= COUNT_LIMIT else possible)


def largest_power(row: Floats, objective: float) -> int:
    """Most factors of one row that keep its sum at the objective or above; at most `COUNT_LIMIT`.

    Doubling until it fails, then the bits below: P falls with N, so the greedy choice is the largest N.
    """
    if float(row.sum()) < objective:
        return 0
    doubles = [row]
    while (1 << len(doubles)) <= COUNT_LIMIT:
        squared = product(doubles[-1][None, :], doubles[-1][None, :])[0]
        if float(squared.sum()) < objective:
            break
        doubles.append(squared)
    count, held = 1 << (len(doubles) - 1), doubles[-1]
    if count >= COUNT_LIMIT:
        return count
    for exponent in range(len(doubles) - 2, -1, -1):
        longer = product(held[None, :], doubles[exponent][None, :])[0]
        if float(longer.sum()) >= objective:
            count, held = count + (1 << exponent), longer
    return count
