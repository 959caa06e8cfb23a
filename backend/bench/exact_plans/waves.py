"""The slowest of several operations at once, and barrier waves of them.

The law of the slowest of k is `F^k`, taken at the point masses of each law: `F(b_j)^k − F(b_{j−1})^k`. Waves
are sums of such maxima: all but the last of `fan_out` operations, the last of the rest. Both ends of the law
go through unchanged, so bounds stay certain. Source: docs/method.md sections 1.3 and 1.4.
"""

from collections.abc import Callable

import numpy as np
from backend.bench.exact_plans.grid import ROUNDING, Grid, placed, powers, product

from tailroom.domain.latency.bounds import Floats, LatencyBounds, PointMasses
from tailroom.domain.transactions.plan import RandomCount
from tailroom.domain.transactions.waves import Count, power_of_shares, wave_sizes


def slowest_law(law: PointMasses, count: Count) -> PointMasses:
    """Law of the slowest of `count` independent operations."""
    if count == 1 or law.at_ns.size == 0:
        return law
    order = np.argsort(law.at_ns, kind="stable")
    at, ratio = law.at_ns[order], law.ratio[order]
    below = np.cumsum(ratio)
    # Shares over are added up from the slow end, where they are small: what is missing to 1 comes first.
    missing = max(0.0, 1.0 - float(ratio.sum()))
    over = missing + np.concatenate((np.cumsum(ratio[::-1])[::-1][1:], np.zeros(1)))
    reached = power_of_shares(below, over, count)
    return PointMasses(at, np.maximum(np.diff(reached, prepend=0.0), 0.0))


def slowest(bounds: LatencyBounds, count: Count) -> LatencyBounds:
    """Early, middle and late law of the slowest of `count` operations."""
    return LatencyBounds(
        slowest_law(bounds.early, count),
        slowest_law(bounds.middle, count),
        slowest_law(bounds.late, count),
        continuous=bounds.continuous,
    )


def waves_rows(bounds: LatencyBounds, count: Count, fan_out: int, grid: Grid) -> Floats:
    """Grid rows of barrier waves: `(F^k)^{*(B−1)} * F^r`."""
    full_rows = placed(slowest(bounds, fan_out), *grid)
    last = _LastWaves(lambda size: placed(slowest(bounds, size), *grid))
    if isinstance(count, int):
        full, rest = wave_sizes(count, fan_out)
        return last(rest) if full == 0 else product(powers(full_rows, full), last(rest))
    total = np.zeros_like(full_rows)
    running, reached = full_rows, 0
    for n, weight in count.weights.items():
        full, rest = wave_sizes(n, fan_out)
        if full > reached:
            more = powers(full_rows, full - reached)
            running, reached = (more if reached == 0 else product(running, more)), full
        total += weight * (last(rest) if full == 0 else product(running, last(rest)))
    return total


def sum_rows(rows: Floats, count: Count) -> Floats:
    """Rows of the sum of `count` operations; of a random count, each power grows from the one before."""
    if isinstance(count, int):
        return powers(rows, count)
    total = np.zeros_like(rows)
    running, reached = rows, 0
    for n, weight in count.weights.items():
        more = powers(rows, n - reached) if n > reached else None
        if more is not None:
            running, reached = (more if reached == 0 else product(running, more)), n
        total += weight * running
    return total


def rounding_of_shares(count: Count) -> float:
    """By how much a power of shares may be off for lack of digits: far less than a Fourier transform."""
    largest = count.largest if isinstance(count, RandomCount) else count
    return min(ROUNDING, 1e-15 * largest)


class _LastWaves:
    """Rows of last waves by their size, each made once."""

    def __init__(self, make: Callable[[int], Floats]) -> None:
        self._make = make
        self._made: dict[int, Floats] = {}

    def __call__(self, size: int) -> Floats:
        if size not in self._made:
            self._made[size] = self._make(size)
        return self._made[size]
