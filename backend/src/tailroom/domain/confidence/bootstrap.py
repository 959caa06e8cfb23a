"""Confidence intervals of figures over time by the stationary bootstrap.

Stationary bootstrap (Politis and Romano, JASA 89 (1994) 1303): blocks of consecutive intervals with random
starts and geometric lengths, wrapping round, are joined to a series as long as the record, and the figure is
computed again. Correlation of neighbours stays inside a block. 2,000 repetitions,
percentile interval, stored seed: the same input gives the same interval. Source: docs/method.md 1.5.

Block boundaries lose correlation, and thereby variance, by a known amount: the variance of repetitions is a
weighted sum of autocorrelations, that of the record is Geyer's sum of docs/method.md 2.5. If the second is
larger, the limits move away from the figure by the root of the ratio. By simulation, 95 % intervals then
cover the truth 94 to 96 times of 100, also where neighbours correlate by 0.85; without it, 90 times.

There are no limits (and a reason instead) below 20 blocks, and if all intervals agree: resampling equal
values shows no variance, which does not prove that there is none.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from tailroom.domain.confidence.effective_samples import (
    SeriesInvalid,
    autocorrelation_time,
    autocorrelations,
    check_series,
)
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Floats, Int64s

REPLICATIONS = 2_000
SEED = 20_130_501
FEWEST_BLOCKS = 20
_ROWS = 100
"""Repetitions drawn at once; another number gives other limits for the same seed."""


class NoInterval(StrEnum):
    """Why a figure has no confidence limits."""

    TOO_FEW_BLOCKS = "too few blocks"
    NO_SCATTER = "no scatter between intervals"


@dataclass(frozen=True, slots=True)
class BootstrapInterval:
    """A figure with its confidence limits; both are None for the reason `reason`. `intervals` is the number
    of intervals used, `mean_block` the mean block length in intervals.
    """

    estimate: float
    lower: float | None
    upper: float | None
    reason: NoInterval | None
    intervals: int
    mean_block: int
    replications: int
    seed: int


class BootstrapInvalid(DomainError):
    """A repetition gives no finite number, there are none, or the chance of error lies outside 0 to 1."""


def bootstrap_ratio(
    numerator: Floats,
    denominator: Floats,
    *,
    error: float = 0.05,
    replications: int = REPLICATIONS,
    seed: int = SEED,
) -> BootstrapInterval:
    """Return the ratio `Σ numerator / Σ denominator` over consecutive intervals with two-sided limits, each
    wrong with a chance of `error / 2`. Intervals with a denominator of 0 are left out. Raise `SeriesInvalid`
    for unusable arrays, `BootstrapInvalid` for an error outside 0 to 1 or no replications.
    """
    top, bottom = np.asarray(numerator, dtype=np.float64), np.asarray(denominator, dtype=np.float64)
    check_series(bottom)
    check_series(top)
    if top.shape != bottom.shape:
        raise SeriesInvalid(f"{top.size} numerators and {bottom.size} denominators do not belong together")
    if (bottom < 0.0).any():
        raise SeriesInvalid("the denominator of an interval must not be negative")
    top, bottom = top[bottom > 0.0], bottom[bottom > 0.0]
    if not top.size:
        raise SeriesInvalid("every interval is empty")
    _check(error, replications)
    estimate = float(top.sum() / bottom.sum())
    influence = top - estimate * bottom
    block, reason = _blocks(influence, float(np.abs(top).max()))
    none = BootstrapInterval(estimate, None, None, reason, top.size, block, replications, seed)
    if reason is not None:
        return none
    top_before, bottom_before = _running_sums(top), _running_sums(bottom)
    values = np.concatenate(
        [
            (top_before[starts + lengths] - top_before[starts]).sum(axis=1)
            / (bottom_before[starts + lengths] - bottom_before[starts]).sum(axis=1)
            for starts, lengths in _draws(top.size, block, replications, seed)
        ]
    )
    interval = _interval(values, none, error, _limit_widening(influence, block))
    # No series of these intervals is beyond the lowest and highest of them.
    ratios = top / bottom
    lower, upper = interval.lower, interval.upper
    if lower is None or upper is None:
        return interval
    return replace(interval, lower=max(lower, float(ratios.min())), upper=min(upper, float(ratios.max())))


def mean_block_length(series: Floats) -> int:
    """Return the mean block length of a series of m values: `max(⌈m^(1/3)⌉, first lag with |autocorrelation|
    < 2/√m)`, m if no lag is that small. Raise SeriesInvalid without values, or if any is not finite.
    """
    check_series(series)
    rho = autocorrelations(series)
    # Constant series have no autocorrelation.
    return block_length_by_lags(np.zeros(series.size) if rho is None else rho)


def block_length_by_lags(rho: Floats) -> int:
    """Return `mean_block_length` of a series, given `rho`, its autocorrelation at every lag from 0 on."""
    root = round(math.cbrt(rho.size))
    root += int(root**3 < rho.size)
    quiet = np.flatnonzero(np.abs(rho[1:]) < 2.0 / math.sqrt(rho.size))
    return max(root, int(quiet[0]) + 1 if quiet.size else rho.size)


def _blocks(influence: Floats, scale: float) -> tuple[int, NoInterval | None]:
    """Return the mean block length in intervals, and why this series has no limits, if so. Values within
    1e-13 of `scale`, the largest numerator, are rounding errors.
    """
    block = mean_block_length(influence)
    if influence.size < FEWEST_BLOCKS * block:
        return block, NoInterval.TOO_FEW_BLOCKS
    if float(np.abs(influence).max()) <= 1e-13 * scale:
        return block, NoInterval.NO_SCATTER
    return block, None


def _running_sums(values: Floats) -> Floats:
    """Return the running sums of the series repeated twice, from 0 on, for blocks that wrap round."""
    return np.concatenate((np.zeros(1), np.cumsum(np.concatenate((values, values)))))


def _draws(size: int, block: int, replications: int, seed: int) -> Iterator[tuple[Int64s, Int64s]]:
    """Yield starts and lengths of random blocks, a row for each repetition; its lengths add up to `size`."""
    rng = np.random.Generator(np.random.PCG64(seed))
    expected = size / block
    columns = math.ceil(expected + 5.0 * math.sqrt(expected) + 10.0)
    for done in range(0, replications, _ROWS):
        rows = min(_ROWS, replications - done)
        ends = np.cumsum(rng.geometric(1.0 / block, (rows, columns)), axis=1)
        while int(ends[:, -1].min()) < size:
            more = np.cumsum(rng.geometric(1.0 / block, (rows, columns)), axis=1)
            ends = np.concatenate((ends, ends[:, -1:] + more), axis=1)
        lengths = np.diff(np.minimum(ends, size), axis=1, prepend=0)
        yield rng.integers(0, size, lengths.shape), lengths


def _limit_widening(series: Floats, block: int) -> float:
    """Return the factor by which limits are widened: the standard deviation of the record divided by that of
    its repetitions, at least 1; 1 for a constant series. By Politis and Romano's lemma 1 repetitions hold the
    circular autocorrelation at lag i with the weight `(1 − i/m) (1 − 1/block)^i`.
    """
    rho = autocorrelations(series)
    if rho is None:
        return 1.0
    lag = np.arange(series.size)
    weights = (1.0 - lag / series.size) * np.power(1.0 - 1.0 / block, lag)
    back = np.concatenate((np.zeros(1), rho[:0:-1]))
    held = float(((rho + back) * weights)[1:].sum())
    return math.sqrt(max(1.0, autocorrelation_time(series) / max(1e-3, 1.0 + 2.0 * held)))


def _interval(values: Floats, none: BootstrapInterval, error: float, widening: float) -> BootstrapInterval:
    """Return `none` with limits: quantiles of the repeated figures `values`, their distance from the estimate
    multiplied by `widening`. Raise BootstrapInvalid for a repetition that is no finite number.
    """
    if values.shape != (none.replications,) or not np.isfinite(values).all():
        raise BootstrapInvalid("a repetition gave no finite number")
    lower, upper = np.quantile(values, [error / 2.0, 1.0 - error / 2.0])
    at = none.estimate
    return replace(none, lower=at + widening * (float(lower) - at), upper=at + widening * (float(upper) - at))


def _check(error: float, replications: int) -> None:
    if not 0.0 < error < 1.0:
        raise BootstrapInvalid(f"the chance of error must lie between 0 and 1, not at {error}")
    if replications < 1:
        raise BootstrapInvalid(f"at least one repetition is needed, not {replications}")
