"""Independent disjoint blocks of operations in a record: the sample size for a plan of as many operations.

A record of slices with `n` operations each holds `Σ ⌊n/N⌋` blocks of `N` operations. If slices differ by more
than chance, or slow slices follow each other, blocks count for less: their number is divided by the design
effect of the share in time, slice by slice (overdispersion `phi` and persistence `tau` of docs/method.md
2.5). The share in time of a slice is computed for a sum of operations (by its mean and variance) and for the
slowest of them, at quantiles of the record. The effect therefore depends on the record and the number of
operations, never on a window or an objective, and related questions cannot contradict each other. Source:
docs/method.md sections 2.5, 10 (C1) and 12.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import chdtri, ndtr, ndtri

from tailroom.domain.confidence.bootstrap import block_length_by_lags
from tailroom.domain.confidence.effective_samples import autocorrelations, time_by_lags
from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.intervals import IntervalRecords

SIZES = tuple(4**power for power in range(9))
"""Block sizes (operations) of the computed design effects; between two sizes the larger effect counts."""
_FEWEST_SLICES = 2
_FEWEST_FOR_TAU = 20
"""Fewest slices from which the autocorrelation time is estimated."""
_CHANCE = 0.001
"""Significance at which slices differ; it is small because several dozen shares are tested."""
_PERSISTENT = 1.5
"""Autocorrelation time in slices from which on slow slices count as persistent."""
_SHARES_IN_TIME = (0.3, 0.9, 0.99, 0.999)
"""Shares of blocks in time at which slices are compared."""
_BODY_SHARE = 0.99
"""Share of operations whose latencies are not cut off in sums."""
_FEWEST_OF_A_SUM = 16
"""Fewest operations of a sum that is approximated by the normal distribution."""
_STEP = 1.1


@dataclass(frozen=True, eq=False)
class BlockCounts:
    """The number of independent blocks of operations in a record. `totals` is the number of operations in
    each slice. `factors` has for each size in `SIZES` the design effect: how many blocks count as one.
    """

    totals: Int64s
    factors: tuple[float, ...]

    @staticmethod
    def from_total(total: int | None) -> "BlockCounts":
        """Return the counts of a record without slices, all independent; an unknown total counts as 0."""
        return BlockCounts(np.array([total or 0], np.int64), (1.0,) * len(SIZES))

    @staticmethod
    def from_course(course: IntervalRecords) -> "BlockCounts":
        """Return the counts of a record with slices over time, and compute their design effects."""
        return BlockCounts(course.totals, tuple(_size_factors(course)))

    def independent(self, operations: int) -> float:
        """Return the number of independent blocks of `operations` each; larger blocks are never more."""
        cell = int(np.searchsorted(SIZES, operations, side="right")) - 1
        disjoint = (self.totals[:, None] // np.array([operations, *SIZES[cell + 1 :]])).sum(axis=0)
        return float((disjoint / self.factors[cell:]).max())


def next_size(operations: int) -> int:
    """Return the first size at or over a number; sizes begin with 1 and grow by a tenth or by 1."""
    size = 1
    while size < operations:
        size = max(size + 1, int(size * _STEP))
    return size


def smaller_sizes(operations: int) -> list[int]:
    """Return the sizes of `next_size` below a number of operations, the largest first; empty for 1."""
    sizes = [1]
    while (size := max(sizes[-1] + 1, int(sizes[-1] * _STEP))) < operations:
        sizes.append(size)
    return [size for size in reversed(sizes) if size < operations]


def _size_factors(course: IntervalRecords) -> list[float]:
    """Return for each of `SIZES` the larger design effect of this size and of the next."""
    totals = course.totals.astype(np.float64)
    filled = np.flatnonzero(totals > 0.0)
    if filled.size < _FEWEST_SLICES:
        return [1.0] * len(SIZES)
    merged = course.selected(filled).total()
    mean, variance, answered = (values[filled] for values in _moments(course, _ceiling_ns(merged)))
    weight = totals[filled] / totals[filled].sum()
    in_time = 1.0 - course.most_over(_slowest_times(merged))[:, filled] / totals[filled]
    at_size = [1.0] * len(SIZES)
    for place, size in enumerate(SIZES):
        blocks = totals[filled] / size
        if blocks.sum() < 1.0:
            break
        sums = _sums_in_time(size, mean, variance, answered, weight) if size >= _FEWEST_OF_A_SUM else []
        if place:
            in_time **= size // SIZES[place - 1]
        for within in [*sums, *in_time]:
            at_size[place] = max(at_size[place], _design_factor(within, blocks))
    return [max(pair) for pair in zip(at_size, [*at_size[1:], at_size[-1]], strict=True)]


def _sums_in_time(
    size: int, mean: Floats, variance: Floats, answered: Floats, weight: Floats
) -> list[Floats]:
    """Return for each slice the share of blocks of `size` operations whose latencies add up to at most a
    time. The list has an array for each of `_SHARES_IN_TIME`: the time is chosen so that about this share of
    all blocks is in time (normal approximation). `weight` is the share of all operations in each slice.
    """
    centre = float(weight @ mean) * size
    scatter = np.sqrt(np.maximum(variance * size, 1e-300))
    typical, complete = float(weight @ scatter), answered**size
    return [
        complete * ndtr((centre + float(ndtri(share)) * typical - mean * size) / scatter)
        for share in _SHARES_IN_TIME
    ]


def _design_factor(within: Floats, blocks: Floats) -> float:
    """Return the design effect of a share in time: how many blocks count as one independent block. `within`
    is the share and `blocks` the number of blocks of each slice. It is 1 if slices differ by no more than
    chance, and if fewer than 15 % or practically all blocks are in time.
    """
    share = float(blocks @ within / blocks.sum())
    if not _SHARES_IN_TIME[0] / 2.0 <= share <= 1.0 - 1e-6:
        return 1.0
    residuals = (within - share) * np.sqrt(blocks / (share * (1.0 - share)))
    phi = float(residuals @ residuals) / (within.size - 1)
    if phi <= float(chdtri(within.size - 1, _CHANCE)) / (within.size - 1):
        return 1.0
    if within.size < _FEWEST_FOR_TAU:
        return phi
    rho = autocorrelations(residuals)
    tau = 1.0 if rho is None else max(1.0, time_by_lags(rho))
    if rho is not None and tau > _PERSISTENT:
        # A single short episode is no estimate of how long episodes last.
        tau = max(tau, float(block_length_by_lags(rho)))
    return min(phi * tau, float(blocks.sum()))


def _ceiling_ns(merged: LatencyDist) -> float:
    """Return the 99th percentile in ns, at which sums cut off latencies; infinite in an open bucket."""
    at = merged.quantile_bounds(_BODY_SHARE).upper_ns
    return np.inf if at is None else float(at)


def _slowest_times(merged: LatencyDist) -> Int64s:
    """Return ascending times in ns by which the slowest operation of a block ends, for each size of `SIZES`
    with each chance of `_SHARES_IN_TIME`. A time is left out if fewer than one operation of the record lies
    beyond it or its bucket is open.
    """
    times: set[int] = set()
    for size in SIZES:
        for share in _SHARES_IN_TIME:
            quantile = share ** (1.0 / size)
            if (1.0 - quantile) * merged.total < 1.0:
                continue
            at = merged.quantile_bounds(quantile).upper_ns
            if at is not None:
                times.add(int(at))
    return np.array(sorted(times), np.int64)


def _moments(course: IntervalRecords, ceiling_ns: float) -> tuple[Floats, Floats, Floats]:
    """Return mean (ns), variance (ns²) and answered share of each slice as three arrays, by lower bucket
    edges. Latencies over `ceiling_ns` count as the ceiling; the variance is at least a millionth of the
    squared mean.
    """
    first, second, _ = course.latency_sums(ceiling_ns)
    answers = np.maximum(course.count, 1).astype(np.float64)
    mean = first / answers
    variance = np.maximum(second / answers - mean**2, (1e-3 * mean) ** 2)
    return mean, variance, course.count / np.maximum(course.totals, 1)
