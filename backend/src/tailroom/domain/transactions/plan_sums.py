"""Sums of independent operations on a grid of time by Fourier transform, group by group.

The N-th power of the transform of a wide distribution is negligible at most frequencies. Only the others are
raised and stored, and a running sum at a single time needs no inverse transform. In a plan of several terms,
those of the term with the most operations are chosen first; where they are low, the other terms are
transformed at them alone. Distributions of few masses have powers that matter everywhere; for these the
running sums are stored. The transform is tilted by
`e^{−18 k/L}` to suppress wrap-around. The omitted part moves a share by less than 1e-10, far less than
`WIDENING` (`plan_bounds`). Transforms of single terms depend on the record alone: those of short grids are
cached for later questions, up to `_KEPT_BYTES`. Source: docs/method.md section 1.1.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from threading import Lock
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.fft
from cachetools import LRUCache, cached

from tailroom.domain.latency.bounds import Bools, Floats, Int64s
from tailroom.domain.transactions.group_distributions import GroupDistributions, Masses
from tailroom.domain.transactions.work import each, spend

FULL_BINS = 1 << 17
"""Steps of the grid for a verdict."""
_TILT = 18.0
_LEFT_OUT = 34.5
"""Powers below `e^−34.5` (1e-15) are omitted: together they move a running sum by less than 1e-10."""
_SPARSE = 8
"""Frequencies are stored where at most 1 of this many matters; else the running sums."""
_SHORT = 1 << 14
"""Up to this many steps all groups are summed together, and their transforms cached."""
_KEPT_BYTES = 64 << 20
_LOW = 64
"""Up to 1 of this many frequencies, a transform by moments costs less than that of the whole grid."""
_MOMENTS = 16
_PASSES = 8
"""Passes of a transform through its steps."""
_PASSES_OF_MASSES = 24
"""Passes through the masses to place them on a grid."""
_ROUNDED = {"late": np.ceil, "early": np.floor, "middle": np.rint}

Spectrum = npt.NDArray[np.complex128]


@dataclass(frozen=True, slots=True)
class Factor:
    """`times` independent terms, each the slowest of `at_once` operations, divided by `shared` workers."""

    operation: str
    at_once: int
    shared: int
    times: int


Factors = tuple[Factor, ...]


@dataclass(eq=False)
class Terms:
    """Cache of the distributions of terms. It refers to no sum, so that large sums can be freed."""

    distributions: Mapping[str, GroupDistributions]
    _masses: dict[tuple[str, str, int, int], Masses] = field(default_factory=dict)

    def of(self, side: str, factor: Factor) -> Masses:
        """Return the distribution of a single term; `side` is `late`, `early` or `middle`."""
        key = (side, factor.operation, factor.at_once, factor.shared)
        if key not in self._masses:
            distributions = self.distributions[factor.operation]
            masses = {
                "late": distributions.late,
                "early": distributions.early,
                "middle": distributions.middle,
            }[side]
            masses = masses.slowest_of(factor.at_once)
            self._masses[key] = masses if factor.shared == 1 else masses.shared_by(factor.shared)
        return self._masses[key]


class _PlanGrid(NamedTuple):
    """`bins` steps that share `2^level` ns."""

    level: int
    bins: int


class _Power(NamedTuple):
    """The transform of a sum at the frequencies that matter: a row for each group."""

    frequency: Int64s
    value: Spectrum


class _Transform(NamedTuple):
    """The transform of a term: a row for each group, and the largest squared modulus by frequency."""

    value: Spectrum
    largest_squared: Floats


@dataclass(eq=False)
class PlanSums:
    """Distributions of a plan's total time in each group of slices, on a grid of time.

    The grid has `bins` steps, a power of two. `pointwise` asks for the share at a single time for many
    counts, each computed once. In all methods `side` is `late`, `early` or `middle`, `level` the exponent of
    the grid of `2^level` ns, and `rows` the groups of a block.
    """

    terms: Terms
    groups: int
    bins: int
    pointwise: bool = False
    _sums: dict[tuple[str, Factors, int, int], _Power | Floats] = field(default_factory=dict)
    _leading: dict[tuple[str, Factor, int, int], "_Power"] = field(default_factory=dict)
    _readings: dict[int, Spectrum] = field(default_factory=dict)

    def share(self, side: str, factors: Factors, at: tuple[int, int], selected: Bools) -> Floats:
        """Return the share of each selected group's sums within a time; 0 for groups not in the mask.

        `at` is the level of the grid, whose steps share `2^level` ns, and the time in ns.
        """
        level, time_ns = at
        column = min(self.bins, (time_ns * self.bins) >> level)
        share = np.zeros(self.groups)
        blocks = [rows for rows in self._blocks if selected[rows].any()]
        self._have_masses(side, factors)
        shares = each(partial(self._within, side, factors, level, column), blocks)
        for rows, within in zip(blocks, shares, strict=True):
            share[rows] = within
        return np.where(selected, np.clip(share, 0.0, 1.0), 0.0)

    def curve(self, side: str, factors: Factors, level: int, weights: Floats) -> Floats:
        """Return P(sum ≤ time) at the `bins + 1` edges of the grid, averaged over groups by `weights`."""
        added, running = np.zeros((1, self.bins + 1), np.complex128), np.zeros(self.bins + 1)
        self._have_masses(side, factors)
        sums = each(partial(self._stored_or_power, side, factors, level), self._blocks)
        for rows, part in zip(self._blocks, sums, strict=True):
            # `einsum` and not `dot`, whose BLAS threads wait for each other where cores are busy.
            if isinstance(part, _Power):
                added[0, part.frequency] += np.einsum("g,gi->i", weights[rows], part.value)
            else:
                running += np.einsum("g,gi->i", weights[rows], part)
        running += self._running(_Power(np.arange(self.bins + 1), added))[0]
        return running

    def _stored_or_power(self, side: str, factors: Factors, level: int, rows: slice) -> _Power | Floats:
        """Return the cached running sums or power of a block; else compute the power."""
        stored = self._sums.get((side, factors, level, rows.start))
        return self._power(side, factors, level, rows) if stored is None else stored

    def _have_masses(self, side: str, factors: Factors) -> None:
        """Compute the masses before groups run in parallel, each of which would compute them."""
        for factor in factors:
            self.terms.of(side, factor)

    def _within(self, side: str, factors: Factors, level: int, column: int, rows: slice) -> Floats:
        """Return the share of sums within a column of the grid, for the groups of a block."""
        key = side, factors, level, rows.start
        cached_sums = self._sums.get(key)
        if cached_sums is None:
            cached_sums = self._kept(self._power(side, factors, level, rows))
            if not self.pointwise:
                self._sums[key] = cached_sums
        return self._read(cached_sums, column) if isinstance(cached_sums, _Power) else cached_sums[:, column]

    @cached_property
    def _blocks(self) -> Sequence[slice]:
        """Groups that are summed together."""
        if self.bins <= _SHORT:
            return (slice(0, self.groups),)
        return [slice(row, row + 1) for row in range(self.groups)]

    def _kept(self, power: _Power) -> _Power | Floats:
        """Return running sums where most frequencies matter and will be read again, else the power."""
        if self.pointwise or power.frequency.size * _SPARSE <= self.bins:
            return power
        return self._running(power)

    def _read(self, power: _Power, column: int) -> Floats:
        """Return running sums at a column: linear in the transform, so they need no inverse."""
        if self.pointwise:
            if column not in self._readings:
                self._readings[column] = _reading(np.arange(self.bins + 1), column, self.bins)
            reading = self._readings[column][power.frequency]
        else:
            reading = _reading(power.frequency, column, self.bins)
        real: Floats = np.einsum("gi,i->g", power.value.real, reading.real)
        real -= np.einsum("gi,i->g", power.value.imag, reading.imag)
        return real

    def _running(self, power: _Power) -> Floats:
        """Return the running sums at every edge of the grid, a row for each group."""
        spectrum = np.zeros((power.value.shape[0], self.bins + 1), np.complex128)
        spectrum[:, power.frequency] = power.value
        distribution = scipy.fft.irfft(spectrum, 2 * self.bins, axis=1, overwrite_x=True)[:, : self.bins + 1]
        distribution *= _untilted(self.bins)
        np.maximum(distribution, 0.0, out=distribution)
        return np.asarray(
            np.minimum(np.cumsum(distribution, axis=1, out=distribution), 1.0, out=distribution)
        )

    def _power(self, side: str, factors: Factors, level: int, rows: slice) -> _Power:
        """Return the transform of the sum of all factors, at the frequencies where it is not negligible."""
        size = rows.stop - rows.start
        spend(_PASSES * 2 * self.bins * size * (1 + len(factors)))
        terms = [factor for factor in factors if factor.times]
        terms.sort(key=lambda factor: factor.times / factor.shared, reverse=True)
        if not terms:
            # No operation ends at once: all of the mass is at 0.
            return _Power(np.arange(self.bins + 1), np.ones((size, self.bins + 1), np.complex128))
        power = self._power_of_term(side, terms[0], level, rows)
        for factor in terms[1:]:
            if self.bins <= _SHORT or power.frequency.max(initial=1) * _LOW > self.bins:
                value = self._transform(side, factor, level, rows).value[:, power.frequency]
            else:
                masses = self.terms.of(side, factor).group_masses(rows.start)
                value = _low_frequencies(
                    *_placed(*masses, side, level, self.bins), power.frequency, self.bins
                )
            power = _where_it_matters(power.frequency, power.value * _raised(value, factor.times))
        return power

    def _power_of_term(self, side: str, factor: Factor, level: int, rows: slice) -> _Power:
        """Return the power of a term, where it is not negligible; plans of several sums share their first."""
        key = side, factor, level, rows.start
        power = self._leading.get(key)
        if power is None:
            transform = self._transform(side, factor, level, rows)
            negligible = np.exp(-2.0 * _LEFT_OUT / factor.times)
            frequency = np.flatnonzero(transform.largest_squared > negligible)
            power = _Power(frequency, _raised(transform.value[:, frequency], factor.times))
            if self.bins > _SHORT and frequency.size * _SPARSE <= self.bins:
                self._leading[key] = power
        return power

    def _transform(self, side: str, factor: Factor, level: int, rows: slice) -> _Transform:
        """Return the transform of a single term for a block of groups; on short grids it is cached."""
        masses, grid = self.terms.of(side, factor), _PlanGrid(level, self.bins)
        if self.bins > _SHORT:
            return _transformed(masses, side, grid, rows.start)
        spend(_PASSES_OF_MASSES * masses.at_ns.size)
        return _kept_transform(masses, side, grid)


def _where_it_matters(frequency: Int64s, value: Spectrum) -> _Power:
    """Return the power without frequencies at which it is negligible."""
    matters = (value.real**2 + value.imag**2).max(axis=0) > np.exp(-2.0 * _LEFT_OUT)
    return _Power(frequency[matters], value[:, matters])


def _low_frequencies(column: Int64s, weight: Floats, frequency: Int64s, bins: int) -> Spectrum:
    """Return the transform of a group at low frequencies, by the moments of short stretches of the grid.

    A stretch turns by less than π/4 to either side of its middle, where `_MOMENTS` terms of the exponential
    series leave out less than 1e-15.
    """
    stretches = 4 << int(frequency.max(initial=1)).bit_length()
    half = bins // stretches
    stretch = column // (2 * half)
    from_middle = (column - stretch * (2 * half)) / half - 1.0
    moments = np.empty((_MOMENTS, stretches))
    for power in range(_MOMENTS):
        moments[power] = np.bincount(stretch, weight, stretches)
        weight = weight * from_middle
    terms = scipy.fft.rfft(moments, axis=1, overwrite_x=True)[:, frequency]
    turn = -1j * np.pi / stretches * frequency
    value: Spectrum = terms[-1]
    for power in range(_MOMENTS - 1, 0, -1):
        value = terms[power - 1] + value * (turn / power)
    value = value * np.exp(turn)
    return value[None, :]


def _placed(at_ns: Floats, ratio: Floats, side: str, level: int, bins: int) -> tuple[Int64s, Floats]:
    """Return the columns of masses on a grid, and their tilted shares; 0 for masses beyond the grid."""
    column = _ROUNDED[side](np.minimum(at_ns, 1 << level) * (bins / (1 << level)))
    tilted = np.where(at_ns <= 1 << level, ratio * np.exp(-_TILT / (2 * bins) * column), 0.0)
    return column.astype(np.int64), tilted


def _transformed(masses: Masses, side: str, grid: _PlanGrid, row: int | None = None) -> _Transform:
    """Return the transform of all groups, or of the group `row`."""
    size, (level, bins) = masses.size, grid
    group, at_ns, ratio = masses.group, masses.at_ns, masses.ratio
    if row is not None:
        size, (at_ns, ratio) = 1, masses.group_masses(row)
        group = np.zeros(at_ns.size, np.int64)
    column, tilted = _placed(at_ns, ratio, side, level, bins)
    distribution = np.bincount(group * (2 * bins) + column, tilted, size * 2 * bins).reshape(size, 2 * bins)
    value: Spectrum = scipy.fft.rfft(distribution, axis=1, overwrite_x=True)
    return _Transform(value, (value.real**2 + value.imag**2).max(axis=0))


_kept_transform = cached(
    LRUCache[object, _Transform](_KEPT_BYTES, getsizeof=lambda transform: transform.value.nbytes), lock=Lock()
)(_transformed)


@lru_cache(8)
def _untilted(bins: int) -> Floats:
    """Return the factor of each step by which the tilt is taken back."""
    untilted: Floats = np.exp(_TILT / (2 * bins) * np.arange(bins + 1))
    return untilted


def _reading(frequency: Int64s, column: int, bins: int) -> Spectrum:
    """Return the factors of a transform at these frequencies that give the running sum at a column.

    A geometric sum: `Σ z^n` for n = 0 … column, `z` the tilt taken back and the wave of the frequency.
    """
    size = 2 * bins
    tilt = _TILT / size
    turn = 2j * np.pi / size
    last = np.exp(tilt * (column + 1) + turn * ((frequency * (column + 1)) % size))
    factors: Spectrum = (last - 1.0) / np.expm1(tilt + turn * frequency) / size
    factors[(frequency > 0) & (frequency < bins)] *= 2.0
    return factors


def _raised(base: Spectrum, exponent: int) -> Spectrum:
    """Return `base` to the power of `exponent` by repeated squaring; overwrites `base`."""
    result: Spectrum | None = None
    while True:
        if exponent & 1:
            result = base.copy() if result is None else np.multiply(result, base, out=result)
        exponent >>= 1
        if not exponent:
            return base if result is None else result
        np.multiply(base, base, out=base)
