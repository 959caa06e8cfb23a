"""How long a transaction of N sequential reads takes: bounds and estimate by convolution on a grid.

Only mass up to the horizon matters, because latencies are not negative: cutting after every product is
exact for every time up to the horizon, so there is no error from the tail. A latency is put on the grid
three times: the early law rounded down, the late law rounded up (both guarantee their side), and the middle
law split over two neighbours. All three rows go through each Fourier transform together. Source: METHOD.md
sections 1.1, 1.6 and 1.7.
"""

from dataclasses import dataclass

import numpy as np
import scipy.fft

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Floats, LatencyBounds, Law
from tailroom.domain.latency.distribution import TimeBounds

FULL_BINS = 1 << 17
COARSE_BINS = 1 << 13

_ROUNDING = 1e-12
"""Both bounds are widened by this: floating error over all products stays below 3e-13."""

_EARLY, _MIDDLE, _LATE = 0, 1, 2
_MAX_TICKS = 1 << 62
_COUNT_LIMIT = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class TransactionCurves:
    """Bounds and estimate of P(T ≤ t) at the grid points `k · horizon / bins`, k = 0 … bins."""

    horizon_ns: int
    lower: Floats
    estimate: Floats
    upper: Floats

    @property
    def bins(self) -> int:
        """Steps of the grid."""
        return self.lower.size - 1

    def within(self, time_ns: int) -> tuple[float, float, float]:
        """Lower bound, estimate and upper bound of P(T ≤ time); the time must not exceed the horizon."""
        if not 0 <= time_ns <= self.horizon_ns:
            raise TransactionInvalid(f"{time_ns} ns lies outside the horizon of {self.horizon_ns} ns")
        k = time_ns * self.bins // self.horizon_ns
        return float(self.lower[k]), float(self.estimate[k]), float(self.upper[k])

    def quantile_bounds(self, quantile: float) -> TimeBounds:
        """Where the time lies that this share of transactions keeps; no upper limit beyond the horizon."""
        first_possible = int(np.searchsorted(self.upper, quantile, side="left"))
        first_certain = int(np.searchsorted(self.lower, quantile, side="left"))
        lower = (
            self.horizon_ns if first_possible > self.bins else first_possible * self.horizon_ns // self.bins
        )
        if first_certain > self.bins:
            return TimeBounds(lower, None)
        return TimeBounds(lower, -(-first_certain * self.horizon_ns // self.bins))


class TransactionInvalid(DomainError):
    """A number of reads, window, objective or grid for which there is no answer."""


def check_question(reads: int, window_ns: int, objective: float | None = None) -> None:
    """Refuse N < 1, windows that are not positive and objectives outside (0, 1)."""
    if reads < 1:
        raise TransactionInvalid(f"a transaction needs at least 1 read, not {reads}")
    if window_ns <= 0:
        raise TransactionInvalid(f"the window must be longer than 0 ns, not {window_ns}")
    if objective is not None and not 0.0 < objective < 1.0:
        raise TransactionInvalid(f"the objective must lie between 0 and 1, not at {objective}")


def sequential(
    bounds: LatencyBounds, reads: int, horizon_ns: int, bins: int = FULL_BINS
) -> TransactionCurves:
    """Curves of the sum of `reads` independent latencies up to a horizon.

    Lower and upper bound hold for every law that the record allows (independence assumed); each is off by
    at most `reads · horizon / bins` in time. The estimate's half bin is taken off for continuous latencies
    only.
    """
    check_question(reads, horizon_ns)
    rows = _powers(_placed(bounds, horizon_ns, bins), reads)
    curves = np.cumsum(rows, axis=1)
    estimate = curves[_MIDDLE]
    if bounds.continuous:
        estimate = estimate - rows[_MIDDLE] / 2.0
    lower = np.clip(curves[_LATE] - _ROUNDING, 0.0, 1.0)
    upper = np.clip(curves[_EARLY] + _ROUNDING, 0.0, 1.0)
    return TransactionCurves(horizon_ns, lower, np.clip(estimate, lower, upper), upper)


def sum_within(law: Law, reads: int, window_ns: int, *, round_up: bool, bins: int = FULL_BINS) -> float:
    """P(sum of `reads` latencies of one law ≤ window), rounded towards the safe side that was asked for."""
    check_question(reads, window_ns)
    row = _directed(law, window_ns, bins, round_up=round_up)
    mass = float(_powers(row[None, :], reads)[0].sum())
    return max(0.0, mass - _ROUNDING) if round_up else min(1.0, mass + _ROUNDING)


@dataclass(frozen=True, slots=True)
class LargestCount:
    """Most reads that fit: for certain, and at best. None at best: no limit below the search's own."""

    guaranteed: int
    possible: int | None


def largest_count(
    bounds: LatencyBounds, window_ns: int, objective: float, bins: int = 1 << 14
) -> LargestCount:
    """Largest N with P(S_N ≤ window) ≥ objective, once with the late and once with the early law."""
    check_question(1, window_ns, objective)
    late = _directed(bounds.late, window_ns, bins, round_up=True)
    early = _directed(bounds.early, window_ns, bins, round_up=False)
    guaranteed = _largest(late, objective + _ROUNDING)
    possible = _largest(early, objective - _ROUNDING)
    return LargestCount(guaranteed, None if possible >= _COUNT_LIMIT else possible)


def _largest(row: Floats, objective: float) -> int:
    """Doubling until it fails, then the bits below: P falls with N, so the greedy choice is the largest N."""
    if float(row.sum()) < objective:
        return 0
    doubles = [row]
    while (1 << len(doubles)) <= _COUNT_LIMIT:
        squared = _product(doubles[-1][None, :], doubles[-1][None, :])[0]
        if float(squared.sum()) < objective:
            break
        doubles.append(squared)
    count, held = 1 << (len(doubles) - 1), doubles[-1]
    if count >= _COUNT_LIMIT:
        return count
    for exponent in range(len(doubles) - 2, -1, -1):
        longer = _product(held[None, :], doubles[exponent][None, :])[0]
        if float(longer.sum()) >= objective:
            count, held = count + (1 << exponent), longer
    return count


def _placed(bounds: LatencyBounds, horizon_ns: int, bins: int) -> Floats:
    rows = np.zeros((3, bins + 1))
    rows[_EARLY] = _directed(bounds.early, horizon_ns, bins, round_up=False)
    rows[_LATE] = _directed(bounds.late, horizon_ns, bins, round_up=True)
    position = bounds.middle.at_ns * (bins / horizon_ns)
    inside = position < bins
    left = np.floor(position[inside]).astype(np.int64)
    to_right = position[inside] - left
    mass = bounds.middle.ratio[inside]
    rows[_MIDDLE] = np.bincount(left, weights=mass * (1.0 - to_right), minlength=bins + 1)
    rows[_MIDDLE] += np.bincount(left + 1, weights=mass * to_right, minlength=bins + 1)
    at_end = position == bins
    rows[_MIDDLE, bins] += float(bounds.middle.ratio[at_end].sum())
    return rows


def _directed(law: Law, horizon_ns: int, bins: int, *, round_up: bool) -> Floats:
    """Grid row with every latency rounded up or down, in whole-number arithmetic."""
    if horizon_ns * bins >= _MAX_TICKS:
        raise TransactionInvalid(
            f"a horizon of {horizon_ns} ns with {bins} steps is too long to calculate exactly"
        )
    inside = law.at_ns <= horizon_ns
    edge = law.at_ns[inside]
    whole = (np.ceil(edge) if round_up else np.floor(edge)).astype(np.int64) * bins
    k = -(-whole // horizon_ns) if round_up else whole // horizon_ns
    kept = k <= bins
    row: Floats = np.bincount(k[kept], weights=law.ratio[inside][kept], minlength=bins + 1).astype(np.float64)
    return row


def _powers(rows: Floats, exponent: int) -> Floats:
    """Truncated convolution power of every row, by the cheap factors 2, 3 and 5 (250 = 2·5·5·5)."""
    if exponent == 1:
        return rows
    for factor in (2, 3, 5):
        if exponent % factor == 0:
            return _small_power(_powers(rows, exponent // factor), factor)
    return _product(_powers(rows, exponent - 1), rows)


def _small_power(rows: Floats, factor: int) -> Floats:
    if factor == 2:
        return _product(rows, rows)
    if factor == 3:
        return _product(_product(rows, rows), rows)
    square = _product(rows, rows)
    return _product(_product(square, square), rows)


def _product(first: Floats, second: Floats) -> Floats:
    """Truncated product of polynomials, row by row; negatives from rounding are cut to 0."""
    bins = first.shape[1] - 1
    first_end, second_end = _end(first), _end(second)
    length = scipy.fft.next_fast_len(max(1, first_end + second_end - 1), real=True)
    transformed = scipy.fft.rfft(first[:, :first_end], length, axis=1)
    if first is second:
        transformed *= transformed
    else:
        transformed *= scipy.fft.rfft(second[:, :second_end], length, axis=1)
    result = np.zeros_like(first)
    end = min(bins + 1, first_end + second_end - 1)
    product = scipy.fft.irfft(transformed, length, axis=1, overwrite_x=True)[:, :end]
    np.maximum(product, 0.0, out=result[:, :end])
    return result


def _end(rows: Floats) -> int:
    """One more than the last column that holds anything: early powers are short, and short is cheap."""
    filled = np.flatnonzero(rows.any(axis=0))
    return int(filled[-1]) + 1 if filled.size else 1
