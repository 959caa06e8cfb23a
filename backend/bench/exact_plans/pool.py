"""A work-conserving pool: `fan_out` workers, each takes the next operation as soon as it is free.

Its time has no closed form, but certain bounds, path by path (for any latencies, in any order):

* from above by barrier waves, and by `S/k + (1 − 1/k) · max`: when the last operation to end was started, all
  k workers were busy all the time before (Graham, SIAM J. Appl. Math. 17 (1969) 416). With every operation at
  most c this is `S ≤ k t − (k − 1) c`, one truncated convolution for each c, and any c gives a certain bound;
* from below by an even share of the work, `S/k`, and by the slowest operation.

The estimate is simulated with a fixed seed and has a standard error. Source: docs/method.md section 1.4.
"""

import math
from dataclasses import dataclass

import numpy as np
from backend.bench.exact_plans.grid import EARLY, LATE, MIDDLE, ROUNDING, Grid, directed, powers, split
from backend.bench.exact_plans.waves import waves_rows

from tailroom.domain.latency.bounds import Floats, LatencyBounds, PointMasses
from tailroom.domain.transactions.grid import FULL_BINS, TransactionInvalid, check_question
from tailroom.domain.transactions.waves import power_of_shares

REPLICATIONS = 20_000
"""Simulated transactions for an estimate; the standard error of a share is at most 0.0036."""
DISPLAY_REPLICATIONS = 2_000
"""The same for a picture."""
SEED = 20_261_121

_FEW_WORKERS = 32
_MOST_STEPS = 20_000
_MOST_ASSIGNMENTS = 500_000_000
_FEWEST_REPLICATIONS = 200

_FINER_BINS = 1 << 12
_SLOWER_EXPECTED = (4.0, 2.0, 1.0, 0.5, 0.25, 0.12, 0.05, 0.02, 0.005, 1e-3, 1e-5)
"""Operations of one transaction that are expected to be slower than each ceiling of the maximum."""


@dataclass(frozen=True, slots=True, eq=False)
class PoolSimulation:
    """Simulated times in ascending order; infinite where an operation gave no answer."""

    times_ns: Floats

    @property
    def mean_ns(self) -> float:
        """Mean time; infinite where any is."""
        return float(self.times_ns.mean())

    def within(self, time_ns: float) -> tuple[float, float]:
        """Share of simulated transactions that keep a time, and its standard error (never 0)."""
        size = self.times_ns.size
        kept = int(np.searchsorted(self.times_ns, time_ns, side="right"))
        smoothed = (kept + 2.0) / (size + 4.0)
        return kept / size, math.sqrt(smoothed * (1.0 - smoothed) / (size + 4.0))


def simulate_pool(
    law: PointMasses, count: int, fan_out: int, *, replications: int = REPLICATIONS, seed: int = SEED
) -> PoolSimulation:
    """Times of `count` operations by `fan_out` workers, all replications side by side."""
    check_question(count, 1)
    if fan_out < 1 or replications < 2:
        raise TransactionInvalid(f"no simulation of {replications} transactions by {fan_out} workers")
    draw = _Alias(law, np.random.default_rng(seed))
    workers = min(fan_out, count)
    free_at = np.sort(np.stack([draw(replications) for _ in range(workers)]), axis=0)
    if workers > _FEW_WORKERS:
        columns = np.arange(replications)
        for _ in range(count - workers):
            free_at[np.argmin(free_at, axis=0), columns] += draw(replications)
        return PoolSimulation(np.sort(free_at.max(axis=0)))
    # Workers stay in the order in which they become free, so the first row takes the next operation; putting
    # it back in order costs two passes for each worker, and all replications go through them together.
    for _ in range(count - workers):
        ends = free_at[0] + draw(replications)
        for row in range(1, workers):
            np.minimum(ends, free_at[row], out=free_at[row - 1])
            np.maximum(ends, free_at[row], out=ends)
        free_at[workers - 1] = ends
    return PoolSimulation(np.sort(free_at[-1]))


def affordable_replications(count: int, fan_out: int, wanted: int) -> int:
    """As many simulated transactions as can be waited for, at most those wanted; 0 where hardly any can."""
    steps = count - fan_out
    if steps > _MOST_STEPS:
        return 0
    affordable = _MOST_ASSIGNMENTS // max(1, max(steps, 1) * fan_out)
    return min(wanted, affordable) if affordable >= _FEWEST_REPLICATIONS else 0


def pool_rows(bounds: LatencyBounds, count: int, fan_out: int, grid: Grid, replications: int) -> Floats:
    """Grid rows of a pool; the middle one is simulated, or lies half-way without replications."""
    rows = np.zeros((3, grid.bins + 1))
    # Both are running sums, so their steps are laws.
    rows[LATE] = np.diff(certain_in_pool(bounds, count, fan_out, grid), prepend=0.0)
    rows[EARLY] = np.diff(possible_in_pool(bounds, count, fan_out, grid), prepend=0.0)
    if replications == 0:
        rows[MIDDLE] = (rows[EARLY] + rows[LATE]) / 2.0
        return rows
    simulated = simulate_pool(bounds.middle, count, fan_out, replications=replications).times_ns
    inside = simulated[simulated <= grid.horizon_ns]
    rows[MIDDLE] = split(PointMasses(inside, np.full(inside.size, 1.0 / replications)), *grid)
    return rows


def certain_in_pool(bounds: LatencyBounds, count: int, fan_out: int, grid: Grid) -> Floats:
    """Least that keep each time: in waves, or by the slowest on top of an even share; the better one."""
    waves = np.cumsum(waves_rows(bounds, count, fan_out, grid)[LATE])
    certain: Floats = np.maximum(waves, _graham(bounds, count, fan_out, grid))
    return certain


def possible_in_pool(bounds: LatencyBounds, count: int, fan_out: int, grid: Grid) -> Floats:
    """Most that can keep each time: an even share of the work keeps it, and so does the slowest."""
    work, finer = _work_grid(bounds, fan_out, grid)
    row = directed(bounds.early, *work, round_up=False)
    shared = powers(row[None, :], count)[0]
    early = directed(bounds.early, *grid, round_up=False)
    below = np.cumsum(early)
    slowest = power_of_shares(below, 1.0 - below, count)
    possible: Floats = np.minimum(np.cumsum(shared)[::finer], slowest)
    return possible


def _graham(bounds: LatencyBounds, count: int, fan_out: int, grid: Grid) -> Floats:
    """Certain share within each time from `S/k + (1 − 1/k) · max`, added up over stretches of the maximum.

    Where the maximum lies in `(c', c]`, the time is kept if `S ≤ k t − (k − 1) c`.
    """
    law = bounds.late
    ceilings = _ceilings_ns(law, count, grid.horizon_ns)
    work, finer = _work_grid(bounds, fan_out, grid)
    total, before = np.zeros(grid.bins + 1), np.zeros(work.bins + 1)
    at = np.arange(grid.bins + 1) * finer
    for ceiling in ceilings:
        kept = law.at_ns <= ceiling
        row = directed(PointMasses(law.at_ns[kept], law.ratio[kept]), *work, round_up=True)
        within = np.cumsum(powers(row[None, :], count)[0])
        shift = -(-(fan_out - 1) * math.ceil(ceiling) * work.bins // work.horizon_ns)
        reached = at - shift
        inside = reached >= 0
        total[inside] += (within - before)[reached[inside]]
        before = within
    certain: Floats = np.maximum.accumulate(np.maximum(total - ROUNDING * len(ceilings), 0.0))
    return certain


def _work_grid(bounds: LatencyBounds, fan_out: int, grid: Grid) -> tuple[Grid, int]:
    """Grid for all work up to `fan_out` horizons, and how many of its steps are one of the grid of time.

    Latencies known to the point keep their step, so that nothing is rounded, as long as that is affordable.
    """
    affordable = _FINER_BINS if bounds.continuous else FULL_BINS
    finer = max(1, min(fan_out, affordable // grid.bins))
    return Grid(fan_out * grid.horizon_ns, grid.bins * finer), finer


def _ceilings_ns(law: PointMasses, count: int, horizon_ns: int) -> list[float]:
    """Latencies that all operations of a transaction keep with chances from hardly any to nearly 1."""
    inside = law.at_ns <= horizon_ns
    at, ratio = law.at_ns[inside], law.ratio[inside]
    if at.size == 0:
        return []
    order = np.argsort(at, kind="stable")
    at = at[order]
    below = np.cumsum(ratio[order])
    missing = 1.0 - below[-1]
    wanted = 1.0 - missing - np.array(_SLOWER_EXPECTED) / count
    positions = np.minimum(np.searchsorted(below, wanted, side="left"), at.size - 1)
    return sorted({*(float(one) for one in at[positions]), float(at[-1])})


class _Alias:
    """Draws from point masses in constant time (Vose, IEEE Trans. Software Eng. 17 (1991) 972)."""

    def __init__(self, law: PointMasses, rng: np.random.Generator) -> None:
        missing = max(0.0, 1.0 - float(law.ratio.sum()))
        self._at = np.append(law.at_ns, np.inf)
        share = np.append(law.ratio, missing)
        size = share.size
        scaled = share * (size / share.sum())
        self._keep = np.ones(size)
        self._other = np.arange(size)
        small = [i for i in range(size) if scaled[i] < 1.0]
        large = [i for i in range(size) if scaled[i] >= 1.0]
        while small and large:
            less, more = small.pop(), large.pop()
            self._keep[less], self._other[less] = scaled[less], more
            scaled[more] -= 1.0 - scaled[less]
            (small if scaled[more] < 1.0 else large).append(more)
        # Left over by rounding only: they are full up to the last digit.
        for rest in small:
            self._keep[rest] = 1.0 if share[rest] > 0.0 else 0.0
        self._rng = rng

    def __call__(self, size: int) -> Floats:
        spot = self._rng.random(size) * self._keep.size
        column = np.minimum(spot.astype(np.int64), self._keep.size - 1)
        chosen = np.where(spot - column < self._keep[column], column, self._other[column])
        drawn: Floats = self._at[chosen]
        return drawn
