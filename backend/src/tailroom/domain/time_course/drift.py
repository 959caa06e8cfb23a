"""Whether a series drifts slowly, and at which rate.

Mann–Kendall counts how many later values exceed earlier values; Hamed and Rao widen its variance by the
autocorrelation of the ranks without the trend, or every slow wave would look like a drift. The slope is Theil
and Sen's: the median of the slopes of all pairs, with limits from the same widened variance. Counting takes n
log n steps, so 10,000 slices are no burden. Source: docs/method.md 3.3; Hamed and Rao, Journal of Hydrology
204 (1998) 182; Sen, JASA 63 (1968) 1379.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from tailroom.domain.confidence.effective_samples import (
    IntervalCountsInvalid,
    SeriesInvalid,
    autocorrelations,
    check_counts,
    check_series,
)
from tailroom.domain.latency.bounds import Floats, Int64s

POINTS_PER_RATIO = 100.0
"""Percentage points in a ratio of 1."""
_ALL_PAIRS_UP_TO = 1_500
_FEWEST_VALUES = 4


@dataclass(frozen=True, slots=True)
class MannKendall:
    """The score of Mann and Kendall, and its z: plain, corrected for ties, and for autocorrelation too (Hamed
    and Rao). `p_*` are two-sided p-values of the last two, all None for a constant series. `variance_factor`
    is how much autocorrelation widens the variance of the score.
    """

    score: int
    z: float
    z_ties: float | None
    z_correlated: float | None
    p_ties: float | None
    p_correlated: float | None
    variance_factor: float


@dataclass(frozen=True, slots=True)
class Drift:
    """Trend of a series: the test, and the slope per hour with two-sided limits, None if the series is too
    short for a limit. `is_shown`: the p-value with autocorrelation is below the chance of error. With too few
    values all is None, and a constant series has a slope of 0 without limits; both have a `reason`.
    """

    test: MannKendall | None = None
    slope_per_hour: float | None = None
    slope_lower: float | None = None
    slope_upper: float | None = None
    is_shown: bool = False
    reason: str | None = None

    @property
    def p_value(self) -> float | None:
        """The p-value with autocorrelation; None without a test."""
        return None if self.test is None else self.test.p_correlated


def drift(values: Floats, hours: Floats, error: float = 0.05) -> Drift:
    """Return the drift of values at ascending times in hours, in their unit per hour, with a reason instead
    below four values. `error` is the two-sided chance of error of test and limits. Raise SeriesInvalid if it
    is outside 0 to 1, for empty or not finite values, and unless each value has a time and times ascend.
    """
    series, at = np.asarray(values, dtype=np.float64), np.asarray(hours, dtype=np.float64)
    check_series(series)
    check_series(at)
    if not 0.0 < error < 1.0:
        raise SeriesInvalid(f"the chance of error must lie between 0 and 1, not at {error}")
    if series.shape != at.shape or (np.diff(at) <= 0.0).any():
        raise SeriesInvalid("every value needs a time, and the times must ascend")
    if series.size < _FEWEST_VALUES:
        return Drift(reason=f"{series.size} values are too few to see a drift")
    test = _test(series, _slope_between(np.arange(series.size, dtype=np.float64), series), error)
    pairs = series.size * (series.size - 1) // 2
    slope = _slope_between(at, series)
    if test.p_correlated is None:
        return Drift(test, slope, reason="a series that never changes")
    spread = float(-ndtri(error / 2.0)) * math.sqrt(_score_variance(series) * test.variance_factor)
    low, high = math.floor((pairs - spread) / 2.0), math.ceil((pairs + spread) / 2.0) + 1
    lower = kth_slope(at, series, low) if low >= 1 else None
    upper = kth_slope(at, series, high) if high <= pairs else None
    return Drift(test, slope, lower, upper, test.p_correlated < error)


def drift_of_share(over: Int64s, total: Int64s, hours: Floats) -> Drift:
    """Return the drift of the share `over / total` of slices in percentage points per hour. Slices without
    operations are left out. Raise IntervalCountsInvalid unless 0 ≤ over ≤ total and each slice has a time,
    SeriesInvalid as `drift`.
    """
    k, n = np.asarray(over), np.asarray(total)
    check_counts(k, n)
    if k.shape != np.shape(hours):
        raise IntervalCountsInvalid(f"{k.size} slices and {np.size(hours)} times do not belong together")
    filled = n > 0
    if int(filled.sum()) < _FEWEST_VALUES:
        return Drift(reason=f"{int(filled.sum())} slices are too few to see a drift")
    return drift(POINTS_PER_RATIO * k[filled] / n[filled], np.asarray(hours)[filled])


def inversions(values: Floats) -> int:
    """Return the number of pairs whose earlier value is the larger. Ranks are compared bit by bit."""
    size = values.size
    ranks = np.empty(size, dtype=np.int64)
    ranks[np.argsort(values, kind="stable")] = np.arange(size)
    count = 0
    for bit in range(max(1, size - 1).bit_length() - 1, -1, -1):
        # Ranks that agree in all higher bits stand together, each group in its order of time.
        ones = (ranks >> bit) & 1
        before = np.cumsum(ones) - ones
        group_start = (ranks >> (bit + 1)) << (bit + 1)
        count += int(((before - before[group_start]) * (1 - ones)).sum())
        ranks = ranks[np.argsort(ranks >> bit, kind="stable")]
    return count


def kth_slope(at: Floats, values: Floats, rank: int) -> float:
    """Return the slope of this rank (1 is the smallest) among the slopes of all pairs of values, exact up to
    rounding. The positions `at` must ascend. Raise SeriesInvalid for a rank that does not exist.
    """
    size = values.size
    if not 1 <= rank <= size * (size - 1) // 2:
        raise SeriesInvalid(f"{size} values have no slope of rank {rank}")
    if size <= _ALL_PAIRS_UP_TO:
        earlier, later = np.triu_indices(size, 1)
        slopes = (values[later] - values[earlier]) / (at[later] - at[earlier])
        return float(np.partition(slopes, rank - 1)[rank - 1])
    steepest = float((values.max() - values.min()) / np.diff(at).min()) * 1.001
    low, high = -steepest, steepest
    while True:
        middle = (low + high) / 2.0
        if not low < middle < high or high - low <= 1e-15 * steepest:
            return middle
        # Slopes below `middle` are the pairs that fall once the line is taken off.
        if inversions(values - middle * at) >= rank:
            high = middle
        else:
            low = middle


def _slope_between(at: Floats, values: Floats) -> float:
    """Return the median of the slopes of all pairs, in the unit of `values` per unit of `at`."""
    pairs = values.size * (values.size - 1) // 2
    lower = kth_slope(at, values, (pairs + 1) // 2)
    return lower if pairs % 2 else (lower + kth_slope(at, values, pairs // 2 + 1)) / 2.0


def _test(series: Floats, slope: float, error: float) -> MannKendall:
    """Return the test of Mann and Kendall. `slope`, the trend per position, is removed before the
    autocorrelation is taken, of which only lags count that are significant at the chance `error`.
    """
    size = series.size
    score = inversions(series[::-1]) - inversions(series)
    plain, tied = size * (size - 1) * (2 * size + 5) / 18.0, _score_variance(series)
    factor = _variance_factor(series, slope, error)
    z_ties = _z(score, tied)
    z_correlated = _z(score, tied * factor)
    return MannKendall(
        score, _z(score, plain) or 0.0, z_ties, z_correlated, _p_value(z_ties), _p_value(z_correlated), factor
    )


def _score_variance(series: Floats) -> float:
    """Return the variance of the score, corrected for equal values; 0 if all values are equal."""
    size = series.size
    tied = np.unique(series, return_counts=True)[1].astype(np.float64)
    return float(size * (size - 1) * (2 * size + 5) - (tied * (tied - 1) * (2 * tied + 5)).sum()) / 18.0


def mean_ranks(values: Floats) -> Floats:
    """Return ranks from 1 on; equal values share their mean rank."""
    _, group, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[group]
    return ranks


def _variance_factor(series: Floats, slope: float, error: float) -> float:
    """Return the factor by which autocorrelation of the ranks, less the trend `slope` per position,
    multiplies the variance of the score. Only lags significant at `error` count; 1 if not positive.
    """
    size = series.size
    rho = autocorrelations(mean_ranks(series - slope * np.arange(1, size + 1)))
    if rho is None:
        return 1.0
    lag = np.arange(size, dtype=np.float64)
    counted = np.abs(rho) > float(-ndtri(error / 2.0)) / math.sqrt(size)
    counted[0] = False
    left = size - lag
    terms = left * (left - 1.0) * (left - 2.0) * rho
    factor = 1.0 + 2.0 / (size * (size - 1.0) * (size - 2.0)) * float(terms[counted].sum())
    # Strongly alternating ranks can take the estimate below 0, where no variance is.
    return factor if factor > 0.0 else 1.0


def _z(score: int, variance: float) -> float | None:
    if variance <= 0.0:
        return None
    return (score - int(np.sign(score))) / math.sqrt(variance)


def _p_value(z: float | None) -> float | None:
    return None if z is None else float(2.0 * ndtr(-abs(z)))
