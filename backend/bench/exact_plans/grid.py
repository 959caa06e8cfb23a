"""Laws on a grid of time up to a horizon, and products of them: the arithmetic under every transaction.

Three rows stand side by side: the early law rounded down, the late law rounded up (each guarantees its side),
and the middle law split over two neighbours. Only mass up to the horizon matters, because latencies are not
negative: cutting after every product is exact for every time up to the horizon, so there is no error from the
tail. What a row lacks to 1 lies beyond. Source: docs/method.md section 1.1.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

import numpy as np
import scipy.fft

from tailroom.domain.latency.bounds import Floats, LatencyBounds, PointMasses
from tailroom.domain.transactions.grid import TransactionInvalid

ROUNDING = 1e-12
"""Bounds that went through Fourier transforms are widened by this: the error over all stays below 3e-13."""

EARLY, MIDDLE, LATE = 0, 1, 2

_MAX_TICKS = 1 << 62

_Rows = TypeVar("_Rows")


class Grid(NamedTuple):
    """Points `k · horizon / bins`, k = 0 … bins."""

    horizon_ns: int
    bins: int


def aligned_bins(laws: Iterable[LatencyBounds], horizon_ns: int, bins: int) -> int:
    """Steps, at most `bins`, on which the horizon and all latencies of both certain laws lie, if any.

    On such a grid nothing is rounded, so both bounds are exact. Latencies beyond the horizon do not matter.
    """
    step, points_only = horizon_ns, True
    for bounds in laws:
        points_only &= not bounds.continuous
        for law in (bounds.early, bounds.late):
            inside = law.at_ns[law.at_ns <= horizon_ns]
            whole = inside.astype(np.int64)
            if (whole != inside).any():
                return bins
            step = int(np.gcd.reduce(whole, initial=step))
            if step * bins < horizon_ns:
                return bins
    coarsest = horizon_ns // step
    # The estimate of a continuous latency is the better the finer the grid.
    return coarsest if points_only else coarsest * (bins // coarsest)


def placed(bounds: LatencyBounds, horizon_ns: int, bins: int) -> Floats:
    """The three laws as rows of `bins + 1` probabilities."""
    rows = np.zeros((3, bins + 1))
    rows[EARLY] = directed(bounds.early, horizon_ns, bins, round_up=False)
    rows[LATE] = directed(bounds.late, horizon_ns, bins, round_up=True)
    rows[MIDDLE] = split(bounds.middle, horizon_ns, bins)
    return rows


def directed(law: PointMasses, horizon_ns: int, bins: int, *, round_up: bool) -> Floats:
    """Grid row with every latency rounded up or down, in whole-number arithmetic."""
    if bins < 1:
        raise TransactionInvalid(f"a grid needs at least 1 step, not {bins}")
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


def split(law: PointMasses, horizon_ns: int, bins: int) -> Floats:
    """Grid row with every latency shared by its two neighbours, so that the mean stays."""
    position = law.at_ns * (bins / horizon_ns)
    inside = position < bins
    left = np.floor(position[inside]).astype(np.int64)
    to_right = position[inside] - left
    mass = law.ratio[inside]
    row = np.bincount(left, weights=mass * (1.0 - to_right), minlength=bins + 1).astype(np.float64)
    row += np.bincount(left + 1, weights=mass * to_right, minlength=bins + 1)
    row[bins] += float(law.ratio[position == bins].sum())
    shared: Floats = row
    return shared


def powers(rows: Floats, exponent: int) -> Floats:
    """Truncated convolution power of every row."""
    return power(product, rows, exponent)


def power(times: Callable[[_Rows, _Rows], _Rows], rows: _Rows, exponent: int) -> _Rows:
    """Power by any product, by the cheap factors 2, 3 and 5 (250 = 2·5·5·5)."""
    if exponent == 1:
        return rows
    for factor in (2, 3, 5):
        if exponent % factor == 0:
            base = power(times, rows, exponent // factor)
            square = times(base, base)
            if factor == 2:
                return square
            return times(square if factor == 3 else times(square, square), base)
    return times(power(times, rows, exponent - 1), rows)


def product(first: Floats, second: Floats) -> Floats:
    """Truncated product of polynomials, row by row.

    Tiny negatives from rounding stay: cutting them off would add up what is left, a bin at a time.
    """
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
    convolved = scipy.fft.irfft(transformed, length, axis=1, overwrite_x=True)[:, :end]
    result[:, :end] = convolved
    return result


def _end(rows: Floats) -> int:
    """One more than the last column that holds anything: early powers are short, and short is cheap."""
    filled = np.flatnonzero(rows.any(axis=0))
    return int(filled[-1]) + 1 if filled.size else 1
