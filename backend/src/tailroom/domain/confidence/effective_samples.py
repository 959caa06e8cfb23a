"""Effective samples of a record whose slow operations come in clumps.

Counts over consecutive intervals that vary more than binomially (phi), or that stay high or low for several
intervals (tau), carry less information than their number. Source: docs/method.md 2.5; Geyer, Statistical
Science 7 (1992) 473 for the initial positive sequence.
"""

import math
from dataclasses import dataclass

import numpy as np
import scipy.fft

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Floats, Int64s

_FEWEST_INTERVALS = 20
_FIRST_LAGS = 16
_COUNTS_AT_ONCE = 1 << 18


@dataclass(frozen=True, slots=True)
class DesignEffect:
    """How many operations count as one independent sample: overdispersion `phi` times autocorrelation time
    `tau` in intervals. `phi` is None below two intervals with operations, and if none or all operations are
    over; `tau` is None then and below 20 intervals. None counts as 1.
    """

    phi: float | None = None
    tau: float | None = None

    @property
    def factor(self) -> float:
        """Operations per independent sample, at least 1."""
        return max(1.0, (self.phi or 1.0) * (self.tau or 1.0))


class IntervalCountsInvalid(DomainError):
    """Arrays of counts lack an entry for each interval, or break 0 ≤ over ≤ total."""


class SeriesInvalid(DomainError):
    """A series is empty, not one-dimensional or not of finite numbers, or data beside it do not fit."""


def check_counts(over: Int64s, total: Int64s) -> None:
    """Raise `IntervalCountsInvalid` unless 0 ≤ over ≤ total, finite, in flat arrays of equal length."""
    if over.ndim != 1 or over.shape != total.shape:
        raise IntervalCountsInvalid(
            f"each interval needs a total and a count over the threshold, not {over.size} and {total.size}"
        )
    wrong = ~((over >= 0) & (over <= total) & (total < math.inf))
    if wrong.any():
        first = int(np.flatnonzero(wrong)[0])
        raise IntervalCountsInvalid(
            f"interval {first} has {over[first]} over the threshold of {total[first]}; "
            "each needs 0 ≤ over ≤ total"
        )


def check_series(values: Floats) -> None:
    """Raise `SeriesInvalid` unless the values are a non-empty one-dimensional array of finite numbers."""
    if values.ndim != 1 or values.size == 0:
        raise SeriesInvalid(f"a series needs at least one value, not the shape {values.shape}")
    wrong = np.flatnonzero(~np.isfinite(values))
    if wrong.size:
        raise SeriesInvalid(f"value {int(wrong[0])} of the series is {values[wrong[0]]}, not a number")


def design_effect(over: Int64s, total: Int64s) -> DesignEffect:
    """Return the design effect of operations over a threshold, from counts in consecutive intervals; those
    without operations are left out. Raise `IntervalCountsInvalid` as `check_counts` does.
    """
    check_counts(over, total)
    return design_effects(over[None, :], total)[0]


def design_effects(over: Int64s, total: Int64s) -> list[DesignEffect]:
    """Return the design effect for each row of `over`, which has a row by threshold and a column by interval.
    `total` is as in `design_effect`; 0 ≤ over ≤ total is not checked.
    """
    rows = max(1, _COUNTS_AT_ONCE // max(1, total.size))
    parts = (
        _design_effects_at_once(over[begin : begin + rows], total) for begin in range(0, over.shape[0], rows)
    )
    return [effect for part in parts for effect in part]


def _design_effects_at_once(over: Int64s, total: Int64s) -> list[DesignEffect]:
    filled = total > 0
    counts, n = over[:, filled].astype(np.float64), total[filled].astype(np.float64)
    effects = [DesignEffect()] * counts.shape[0]
    sums = counts.sum(axis=1)
    rows = np.flatnonzero((sums > 0.0) & (sums < n.sum()))
    if n.size < 2 or not rows.size:
        return effects
    share = (sums[rows] / n.sum())[:, None]
    residuals = (counts[rows] - n * share) / np.sqrt(n * share * (1.0 - share))
    phi = (residuals * residuals).sum(axis=1) / (n.size - 1)
    taus = _autocorrelation_times(residuals) if n.size >= _FEWEST_INTERVALS else [None] * rows.size
    for row, overdispersion, tau in zip(rows.tolist(), phi.tolist(), taus, strict=True):
        effects[row] = DesignEffect(overdispersion, tau)
    return effects


def standardised_residuals(over: Floats, total: Floats) -> Floats:
    """Return the distances of counts from their expectation, in binomial standard deviations."""
    share = float(over.sum() / total.sum())
    residuals: Floats = (over - total * share) / np.sqrt(total * share * (1.0 - share))
    return residuals


def autocorrelations(series: Floats) -> Floats | None:
    """Return the autocorrelation at every lag from 0 on, without wrap-around; None for a constant series."""
    centred = series - series.mean()
    energy = float(centred @ centred)
    # Rounding errors of a constant series are not scatter.
    if energy <= series.size * (1e-14 * float(np.abs(series).max())) ** 2:
        return None
    length = scipy.fft.next_fast_len(2 * centred.size - 1, real=True)
    spectrum = scipy.fft.rfft(centred, length)
    rho: Floats = scipy.fft.irfft(spectrum * spectrum.conj(), length)[: centred.size] / energy
    return rho


def autocorrelation_time(series: Floats) -> float:
    """Return the autocorrelation time in intervals, `1 + 2 Σ rho` up to the first pair of lags without
    positive sum (Geyer), at least 1e-3; 1 for a constant series. Raise SeriesInvalid as `check_series` does.
    """
    check_series(series)
    return _autocorrelation_times(series[None, :])[0]


def _autocorrelation_times(series: Floats) -> list[float]:
    """Return the autocorrelation time of each row in intervals; 1 for a constant row or a single column."""
    rows, size = series.shape
    if size < 2:
        return [1.0] * rows
    centred = series - series.mean(axis=1, keepdims=True)
    energy = (centred * centred).sum(axis=1)
    # Rounding errors of a constant series are not scatter.
    scatters = energy > size * (1e-14 * np.abs(series).max(axis=1)) ** 2
    # Most series decorrelate within a few lags, where a transform would be slower.
    lags = min(_FIRST_LAGS, size)
    rho = np.stack([(centred[:, lag:] * centred[:, : size - lag]).sum(axis=1) for lag in range(lags)])
    rho /= np.where(scatters, energy, 1.0)
    pairs = _pair_sums(rho)
    is_before_end = np.logical_and.accumulate(pairs > 0.0)
    # One after the other: the sum of a row is the same, to the last bit, whatever rows are beside it.
    sums = np.add.accumulate(np.where(is_before_end, pairs, 0.0))[-1]
    times = np.where(scatters, _time_by_sum(sums), 1.0)
    for row in np.flatnonzero(scatters & is_before_end.all(axis=0)):
        all_lags = autocorrelations(series[row]) if lags < size else None
        times[row] = time_by_lags(rho[:, row] if all_lags is None else all_lags)
    return [float(time) for time in times]


def time_by_lags(rho: Floats) -> float:
    """Return `autocorrelation_time` of a series, given `rho`, its autocorrelation at every lag from 0 on."""
    pairs = _pair_sums(rho)
    ended = np.flatnonzero(pairs <= 0.0)
    return float(_time_by_sum((pairs[: ended[0]] if ended.size else pairs).sum()))


def _pair_sums(rho: Floats) -> Floats:
    """Return the sums of lags 0 and 1, 2 and 3, and so on; a last lag without its pair is left out."""
    odd = rho[1::2]
    sums: Floats = rho[::2][: len(odd)] + odd
    return sums


def _time_by_sum(sum_of_pairs: Floats | np.float64) -> Floats | np.float64:
    time: Floats | np.float64 = np.maximum(1e-3, 2.0 * sum_of_pairs - 1.0)
    return time
