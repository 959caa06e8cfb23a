"""Sums of independent operations on a grid of time by Fourier transform, group by group.

The N-th power of the transform of a wide distribution is negligible at most frequencies. Only the others are
raised and stored, and a running sum at a single time needs no inverse transform. In a plan of several terms,
those of the term with the most operations are chosen first. On a long grid a coarse transform shows up to
which frequency they lie; where that is low, all terms are transformed up to it alone. Distributions of few
masses have powers that matter everywhere; for these the running sums are stored. The transform is tilted by
`e^{−18 k/L}` to suppress wrap-around. The omitted part moves a share by less than 1e-10, far less than
`WIDENING` (`plan_bounds`). Transforms of single terms depend on the record alone: those of short grids are
cached for later questions, up to `_CACHE_BYTES`.
Source: docs/method.md section 1.1.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from threading import Lock
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.fft
from cachetools import LRUCache, cached

from tailroom.domain.latency.bounds import Bools, Floats, Int64s
from tailroom.domain.transactions.group_distributions import Masses
from tailroom.domain.transactions.plan_terms import Side, Term, TermDistributions, TermSum
from tailroom.domain.transactions.work import each, spend

FULL_BINS = 1 << 17
_TILT = 18.0
_NEGLIGIBLE_EXPONENT = 34.5
"""Powers below `e^−34.5` (1e-15) are omitted: together they change a running sum by less than 1e-10."""
_SPARSE_RATIO = 8
"""The power is stored if at most one in this many frequencies matters, else the running sums are."""
_SHORT_BINS = 1 << 14
"""Most steps of a short grid, on which all groups are summed together and transforms are cached."""
_CACHE_BYTES = 64 << 20
_LOW_RATIO = 64
"""Up to one in this many frequencies, a transform by moments costs less than that of the whole grid."""
_COARSE_RATIO = 32
"""Ratio of a grid's steps to those of the coarse transform, which shows where a power is negligible."""
_MOMENTS = 16
"""Terms of the exponential series in a transform by moments."""
_PASSES = 8
"""Cost in points of a transform for each step of its grid."""
_PASSES_OF_MASSES = 24
"""Cost in points of placing each mass on a grid."""
_ROUNDING = {"late": np.ceil, "early": np.floor, "middle": np.rint}

Spectrum = npt.NDArray[np.complex128]
"""Values of a transform: a row for each group, a column for each frequency."""


class _Power(NamedTuple):
    """The transform of a sum at the frequencies that are not negligible: groups by entries of `frequency`."""

    frequency: Int64s
    value: Spectrum

    @property
    def highest(self) -> int:
        return int(self.frequency.max(initial=0))


class _Transform(NamedTuple):
    """The transform of a term, groups by frequencies, and the largest squared modulus by frequency."""

    value: Spectrum
    largest_squared: Floats


@dataclass(eq=False)
class PlanSums:
    """Distributions of a plan's total time in each group of slices, on a grid of `bins` steps, a power of
    two. A grid ends at `2^level` ns. `rows` is a block, a range of groups that are summed together. With
    `pointwise` sums are read at one time for many counts and not cached.
    """

    distributions: TermDistributions
    groups: int
    bins: int
    pointwise: bool = False
    _sums: dict[tuple[Side, TermSum, int, int], _Power | Floats] = field(default_factory=dict)
    _first_powers: dict[tuple[Side, Term, int, int], _Power] = field(default_factory=dict)
    _low_transforms: dict[tuple[Side, Term, int, int], _Transform] = field(default_factory=dict)

    def share(self, side: Side, terms: TermSum, at: tuple[int, int], selected: Bools) -> Floats:
        """Return the share of each selected group's sums in time; `at` is a grid's level and a time in ns."""
        level, time_ns = at
        column = min(self.bins, (time_ns * self.bins) >> level)
        share = np.zeros(self.groups)
        blocks = [rows for rows in self._blocks if selected[rows].any()]
        self._cache_masses(side, terms)
        sums = list(each(partial(self._sums_of_block, side, terms, level), blocks))
        highest = max((part.highest for part in sums if isinstance(part, _Power)), default=0)
        reading = _reading_factors(min(self.bins + 1, 1 << highest.bit_length()), column, self.bins)
        for rows, part in zip(blocks, sums, strict=True):
            share[rows] = _running_at(part, reading) if isinstance(part, _Power) else part[:, column]
        return np.where(selected, np.clip(share, 0.0, 1.0), 0.0)

    def curve(self, side: Side, terms: TermSum, level: int, weights: Floats) -> Floats:
        """Return P(sum ≤ time) at the `bins + 1` edges, averaged by `weights`; no new sum is cached."""
        added, running = np.zeros((1, self.bins + 1), np.complex128), np.zeros(self.bins + 1)
        self._cache_masses(side, terms)
        sums = each(partial(self._cached_or_power, side, terms, level), self._blocks)
        for rows, part in zip(self._blocks, sums, strict=True):
            # `einsum` and not `dot`, whose BLAS threads wait for each other where cores are busy.
            if isinstance(part, _Power):
                added[0, part.frequency] += np.einsum("g,gi->i", weights[rows], part.value)
            else:
                running += np.einsum("g,gi->i", weights[rows], part)
        running += self._running_sums(_Power(np.arange(self.bins + 1), added))[0]
        return running

    def _cached_or_power(self, side: Side, terms: TermSum, level: int, rows: slice) -> _Power | Floats:
        stored = self._sums.get((side, terms, level, rows.start))
        return self._power(side, terms, level, rows) if stored is None else stored

    def _cache_masses(self, side: Side, terms: TermSum) -> None:
        """Compute and cache the masses of all terms before blocks, which may run in parallel, need them."""
        for term in terms:
            self.distributions.of(side, term)

    def _sums_of_block(self, side: Side, terms: TermSum, level: int, rows: slice) -> _Power | Floats:
        """Return a block's running sums, or its power for few frequencies; cached unless `pointwise`."""
        key = side, terms, level, rows.start
        cached_sums = self._sums.get(key)
        if cached_sums is None:
            power = self._power(side, terms, level, rows)
            # If few frequencies matter, or sums are read once, the power is enough.
            is_enough = self.pointwise or power.frequency.size * _SPARSE_RATIO <= self.bins
            cached_sums = power if is_enough else self._running_sums(power)
            if not self.pointwise:
                self._sums[key] = cached_sums
        return cached_sums

    @cached_property
    def _blocks(self) -> Sequence[slice]:
        """Blocks of groups: a single block on a short grid, else a block for each group."""
        if self.bins <= _SHORT_BINS:
            return (slice(0, self.groups),)
        return [slice(row, row + 1) for row in range(self.groups)]

    def _running_sums(self, power: _Power) -> Floats:
        """Return P(sum ≤ time) at every edge of the grid: a row by group, `bins + 1` columns."""
        spectrum = np.zeros((power.value.shape[0], self.bins + 1), np.complex128)
        spectrum[:, power.frequency] = power.value
        distribution = scipy.fft.irfft(spectrum, 2 * self.bins, axis=1, overwrite_x=True)[:, : self.bins + 1]
        distribution *= _untilting_factors(self.bins)
        np.maximum(distribution, 0.0, out=distribution)
        return np.asarray(
            np.minimum(np.cumsum(distribution, axis=1, out=distribution), 1.0, out=distribution)
        )

    def _power(self, side: Side, terms: TermSum, level: int, rows: slice) -> _Power:
        """Return the transform of the sum of all terms at the frequencies where it is not negligible. Raise
        WorkExceeded beyond the work budget.
        """
        size = rows.stop - rows.start
        spend(_PASSES * 2 * self.bins * size * (1 + len(terms)))
        terms = tuple(term for term in terms if term.count)
        if not terms:
            # No operation ends at once: all of the mass is at 0.
            return _Power(np.arange(self.bins + 1), np.ones((size, self.bins + 1), np.complex128))
        first, *rest = sorted(terms, key=lambda term: term.count / term.workers, reverse=True)
        power = self._power_of_term(side, first, level, rows)
        for term in rest:
            value = self._transform(side, term, level, rows, power.highest).value[:, power.frequency]
            power = _drop_negligible(power.frequency, power.value * _to_power(value, term.count))
        return power

    def _power_of_term(self, side: Side, term: Term, level: int, rows: slice) -> _Power:
        """Return the power of a term's transform where not negligible; sparse powers are cached."""
        key = side, term, level, rows.start
        power = self._first_powers.get(key)
        if power is None:
            highest = self._highest_frequency(side, term, level, rows)
            transform = self._transform(side, term, level, rows, highest)
            negligible = np.exp(-2.0 * _NEGLIGIBLE_EXPONENT / term.count)
            frequency = np.flatnonzero(transform.largest_squared > negligible)
            power = _Power(frequency, _to_power(transform.value[:, frequency], term.count))
            if self.bins > _SHORT_BINS and frequency.size * _SPARSE_RATIO <= self.bins:
                self._first_powers[key] = power
        return power

    def _highest_frequency(self, side: Side, term: Term, level: int, rows: slice) -> int:
        """Return a frequency above which the power of a term is negligible; the last of the grid if unknown.
        Steps equal modulo `size` are added up, which transforms to every 64th frequency. Half-way between two
        of these the phase of a mass has moved against that of the mean by π / size for each step between
        them, and the modulus by no more than the average of that.
        """
        if self.bins <= _SHORT_BINS:
            return self.bins
        masses = self.distributions.of(side, term).group_masses(rows.start)
        column, weight = _on_grid(*masses, side, level, self.bins)
        size = self.bins // _COARSE_RATIO
        coarse = np.abs(scipy.fft.rfft(np.bincount(column % size, weight, size)))
        distance = np.abs(column - float(weight @ column) / max(float(weight.sum()), 1e-300))
        growth = np.pi / size * float(weight @ distance)
        matters = np.flatnonzero(coarse + growth > np.exp(-_NEGLIGIBLE_EXPONENT / term.count))
        spacing = 2 * self.bins // size
        return min(self.bins, int(matters.max(initial=0)) * spacing + spacing // 2)

    def _transform(self, side: Side, term: Term, level: int, rows: slice, highest: int) -> _Transform:
        """Return a block's transform of a term up to frequency `highest`; cached on short grids or if low."""
        masses = self.distributions.of(side, term)
        if self.bins <= _SHORT_BINS:
            spend(_PASSES_OF_MASSES * masses.at_ns.size)
            return _cached_transform(masses, side, level, self.bins)
        if highest * _LOW_RATIO > self.bins:
            return _transform_of(masses, side, level, self.bins, rows.start)
        key = side, replace(term, count=1), level, rows.start
        transform = self._low_transforms.get(key)
        if transform is None or transform.value.shape[1] <= highest:
            on_grid = _on_grid(*masses.group_masses(rows.start), side, level, self.bins)
            transform = _low_transform_of(*on_grid, 1 << highest.bit_length(), self.bins)
            self._low_transforms[key] = transform
        return transform


def _running_at(power: _Power, reading: Spectrum) -> Floats:
    """Return each group's P(sum ≤ time) at the column of `reading`, as a linear function of the transform."""
    factors = reading[power.frequency]
    real: Floats = np.einsum("gi,i->g", power.value.real, factors.real)
    real -= np.einsum("gi,i->g", power.value.imag, factors.imag)
    return real


def _drop_negligible(frequency: Int64s, value: Spectrum) -> _Power:
    """Return the power without the frequencies at which it is negligible in every group."""
    matters = (value.real**2 + value.imag**2).max(axis=0) > np.exp(-2.0 * _NEGLIGIBLE_EXPONENT)
    return _Power(frequency[matters], value[:, matters])


def _low_transform_of(column: Int64s, weight: Floats, size: int, bins: int) -> _Transform:
    """Return the transform of a group at frequencies below `size`, a power of two, by moments of short
    stretches of the grid. Phases change by less than π/4 to either side of the middle of a stretch, where
    `_MOMENTS` terms of the exponential series leave out less than 1e-15.
    """
    stretches = 4 * size
    half = bins // stretches
    stretch = column // (2 * half)
    from_middle = (column - stretch * (2 * half)) / half - 1.0
    moments = np.empty((_MOMENTS, stretches))
    for power in range(_MOMENTS):
        moments[power] = np.bincount(stretch, weight, stretches)
        weight = weight * from_middle
    terms = scipy.fft.rfft(moments, axis=1, overwrite_x=True)[:, :size]
    return _with_squares((terms * _series_factors(size)).sum(axis=0, keepdims=True))


@lru_cache(4)
def _series_factors(size: int) -> Spectrum:
    angle = -1j * np.pi / (4 * size) * np.arange(size)
    factors = np.empty((_MOMENTS, size), np.complex128)
    factors[0] = np.exp(angle)
    for power in range(1, _MOMENTS):
        factors[power] = factors[power - 1] * angle / power
    return factors


def _on_grid(at_ns: Floats, ratio: Floats, side: Side, level: int, bins: int) -> tuple[Int64s, Floats]:
    """Return each mass's column k on the grid, rounded by `side`, and its tilted share: the share times
    `e^{−_TILT k / 2 bins}`, or 0 beyond the grid.
    """
    column = _ROUNDING[side](np.minimum(at_ns, 1 << level) * (bins / (1 << level)))
    tilted = np.where(at_ns <= 1 << level, ratio * np.exp(-_TILT / (2 * bins) * column), 0.0)
    return column.astype(np.int64), tilted


def _transform_of(masses: Masses, side: Side, level: int, bins: int, row: int | None = None) -> _Transform:
    size, group, at_ns, ratio = masses.size, masses.group, masses.at_ns, masses.ratio
    if row is not None:
        size, (at_ns, ratio) = 1, masses.group_masses(row)
        group = np.zeros(at_ns.size, np.int64)
    column, tilted = _on_grid(at_ns, ratio, side, level, bins)
    distribution = np.bincount(group * (2 * bins) + column, tilted, size * 2 * bins).reshape(size, 2 * bins)
    return _with_squares(scipy.fft.rfft(distribution, axis=1, overwrite_x=True))


def _with_squares(value: Spectrum) -> _Transform:
    return _Transform(value, (value.real**2 + value.imag**2).max(axis=0))


_cached_transform = cached(
    LRUCache[object, _Transform](_CACHE_BYTES, getsizeof=lambda transform: transform.value.nbytes),
    lock=Lock(),
)(_transform_of)


@lru_cache(8)
def _untilting_factors(bins: int) -> Floats:
    """Return for each of the `bins + 1` edges the factor that undoes the tilt of `_on_grid` there."""
    untilted: Floats = np.exp(_TILT / (2 * bins) * np.arange(bins + 1))
    return untilted


@lru_cache(8)
def _reading_factors(count: int, column: int, bins: int) -> Spectrum:
    """Return a complex factor for each of the first `count` frequencies; the sum of factor × transform is
    P(sum ≤ time) at a column. A factor is the geometric sum `Σ z^n` for n = 0 … column, with `z` undoing the
    tilt (`_on_grid`) at the angle of the frequency.
    """
    size = 2 * bins
    factors: Spectrum = _roots_of_unity(size)[(np.arange(count) * (column + 1)) & (size - 1)]
    factors *= np.exp(_TILT / size * (column + 1))
    factors -= 1.0
    factors *= _reading_scale(bins)[:count]
    return factors


@lru_cache(4)
def _roots_of_unity(size: int) -> Spectrum:
    roots: Spectrum = np.exp(2j * np.pi / size * np.arange(size))
    return roots


@lru_cache(4)
def _reading_scale(bins: int) -> Spectrum:
    """Return 1 / (z − 1) for `z` of each frequency (`_reading_factors`) over the size of the transform, twice
    for frequencies that also represent their negatives.
    """
    size = 2 * bins
    scale: Spectrum = 1.0 / (size * np.expm1(_TILT / size + 2j * np.pi / size * np.arange(bins + 1)))
    scale[1:bins] *= 2.0
    return scale


def _to_power(base: Spectrum, exponent: int) -> Spectrum:
    """Return `base` to the power of `exponent`, at least 1, by repeated squaring; overwrites `base`."""
    result: Spectrum | None = None
    while True:
        if exponent & 1:
            result = base.copy() if result is None else np.multiply(result, base, out=result)
        exponent >>= 1
        if not exponent:
            return base if result is None else result
        np.multiply(base, base, out=base)
