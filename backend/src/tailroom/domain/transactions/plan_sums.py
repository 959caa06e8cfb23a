"""Sums of independent operations on a grid of time, group by group: by one Fourier transform for each group.

A law with a body of some width has a transform whose N-th power is next to nothing but at few frequencies.
Only those are raised and kept, and a running sum at one time is read off them without a transform back. Laws
of few masses have powers that matter everywhere; of these the running sums are kept. The transform is tilted
by `e^{−18 k/L}` against what wraps around. What is left out moves a share by less than 1e-10, far less than
`WIDENING` (`plan_bounds`). Source: docs/method.md section 1.1.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import scipy.fft

from tailroom.domain.latency.bounds import Bools, Floats, Int64s
from tailroom.domain.transactions.group_laws import Masses
from tailroom.domain.transactions.work import spend

_TILT = 18.0
_LEFT_OUT = 34.5
"""Powers below `e^−34.5` (1e-15) are left out: together they move a running sum by less than 1e-10."""
_SPARSE = 8
"""Frequencies are kept by themselves where they are at most one in so many; else the running sums are."""
_SHORT = 1 << 13
"""Up to so many steps all groups are added up together, and their running sums kept."""
_PASSES = 8
"""How often a transform goes through its steps."""
_PASSES_OF_MASSES = 24
"""How often masses are gone through to be laid on a grid."""
_ROUNDED = {"late": np.ceil, "early": np.floor, "middle": np.rint}

Spectrum = npt.NDArray[np.complex128]


@dataclass(frozen=True, slots=True)
class Factor:
    """`times` independent terms: the slowest of `at_once` operations, their latency shared by workers."""

    operation: str
    at_once: int
    shared: int
    times: int


Factors = tuple[Factor, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Power:
    """The transform of a sum at the frequencies that matter."""

    frequency: Int64s
    value: Spectrum


@dataclass(eq=False)
class PlanSums:
    """`masses` gives the laws of one term of a factor (`late`, `early` or `middle`); `bins` a power of two.

    `keeps_transforms`: for single times of many counts, where transforms of one term are used again.
    """

    masses: Callable[[str, Factor], Masses]
    groups: int
    bins: int
    keeps_transforms: bool = False
    _rows: dict[tuple[str, Factors, int], list[_Power | Floats | None]] = field(default_factory=dict)
    _curves: dict[tuple[str, Factors, int], Floats] = field(default_factory=dict)
    _transforms: dict[tuple[str, Factor, int, int], Spectrum] = field(default_factory=dict)
    _readings: dict[int, Spectrum] = field(default_factory=dict)

    def share(self, side: str, factors: Factors, at: tuple[int, int], wanted: Bools) -> Floats:
        """Share of each wanted group's sums within a time, 0 for others; `at` is the level of the grid, whose
        steps share `2^level` ns, and the time in ns.
        """
        level, time_ns = at
        column = min(self.bins, (time_ns * self.bins) >> level)
        key = (side, factors, level)
        if self.bins <= _SHORT and not self.keeps_transforms:
            if key not in self._curves:
                self._curves[key] = self._all_running(side, factors, level)
            return np.where(wanted, self._curves[key][:, column], 0.0)
        rows = self._none() if self.keeps_transforms else self._rows.setdefault(key, self._none())
        found = np.zeros(self.groups)
        for row in np.flatnonzero(wanted).tolist():
            kept = rows[row]
            if kept is None:
                kept = self._kept(self._power(side, factors, level, row))
                rows[row] = kept
            found[row] = self._read(kept, column) if isinstance(kept, _Power) else kept[column]
        return np.clip(found, 0.0, 1.0)

    def curve(self, side: str, factors: Factors, level: int, weights: Floats) -> Floats:
        """Running sums over the grid of `2^level` ns, of all groups by their weights."""
        if self.bins <= _SHORT:
            return np.asarray(weights @ self._all_running(side, factors, level))
        added = np.zeros(self.bins + 1, np.complex128)
        for row, weight in enumerate(weights.tolist()):
            power = self._power(side, factors, level, row)
            added[power.frequency] += weight * power.value
        return self._running(added)

    def _kept(self, power: _Power) -> _Power | Floats:
        """Running sums where most frequencies matter and will be read again, else the power."""
        if self.keeps_transforms or power.frequency.size * _SPARSE <= self.bins:
            return power
        return self._running(self._dense(power))

    def _all_running(self, side: str, factors: Factors, level: int) -> Floats:
        """Running sums of all groups on a short grid, together."""
        shape = self.groups, 2 * self.bins
        spend(_PASSES * shape[0] * shape[1] * (1 + len(factors)))
        whole = np.ones((self.groups, self.bins + 1), np.complex128)
        for one in factors:
            if one.times:
                masses = self.masses(side, replace(one, times=1))
                spend(_PASSES_OF_MASSES * masses.at_ns.size)
                column = np.minimum(
                    _ROUNDED[side](masses.at_ns * (self.bins / (1 << level))), 2.0 * self.bins
                )
                inside = column <= self.bins
                place = masses.group[inside] * shape[1] + column[inside].astype(np.int64)
                tilted = masses.ratio[inside] * np.exp(-_TILT / shape[1] * column[inside])
                law = np.bincount(place, tilted, shape[0] * shape[1]).reshape(shape)
                whole *= _raised(scipy.fft.rfft(law, axis=1, overwrite_x=True), one.times)
        running = scipy.fft.irfft(whole, shape[1], axis=1, overwrite_x=True)[:, : self.bins + 1]
        running *= _untilted(self.bins)
        np.maximum(running, 0.0, out=running)
        np.cumsum(running, axis=1, out=running)
        return np.asarray(np.minimum(running, 1.0, out=running))

    def _none(self) -> list[_Power | Floats | None]:
        return [None] * self.groups

    def _read(self, power: _Power, column: int) -> float:
        """The running sum at one column: linear in the transform, so it needs no way back."""
        if self.keeps_transforms:
            if column not in self._readings:
                self._readings[column] = _reading(np.arange(self.bins + 1), column, self.bins)
            reading = self._readings[column][power.frequency]
        else:
            reading = _reading(power.frequency, column, self.bins)
        # Not by `dot`: threads of the linear algebra library wait for each other where cores are busy.
        real = np.einsum("i,i->", power.value.real, reading.real)
        return float(real - np.einsum("i,i->", power.value.imag, reading.imag))

    def _dense(self, power: _Power) -> Spectrum:
        dense = np.zeros(self.bins + 1, np.complex128)
        dense[power.frequency] = power.value
        return dense

    def _running(self, spectrum: Spectrum) -> Floats:
        law = scipy.fft.irfft(spectrum, 2 * self.bins, overwrite_x=True)[: self.bins + 1]
        law *= _untilted(self.bins)
        np.maximum(law, 0.0, out=law)
        return np.asarray(np.cumsum(law, out=law))

    def _power(self, side: str, factors: Factors, level: int, row: int) -> _Power:
        """The product of the powers of all factors, where it is not next to nothing."""
        spend(_PASSES * 2 * self.bins * (1 + len(factors)))
        parts = [(self._transform(side, one, level, row), one.times) for one in factors if one.times]
        if not parts:
            # No operation ends at once: all of the mass lies at 0.
            return _Power(np.arange(self.bins + 1), np.ones(self.bins + 1, np.complex128))
        if len(parts) == 1:
            ((base, times),) = parts
            squared = base.real**2 + base.imag**2
            frequency = np.flatnonzero(squared > np.exp(-2.0 * _LEFT_OUT / times))
            return _Power(frequency, _raised(base[frequency], times))
        size = np.zeros(self.bins + 1)
        for base, times in parts:
            size += times * np.log(np.maximum(base.real**2 + base.imag**2, 1e-300))
        frequency = np.flatnonzero(size > -2.0 * _LEFT_OUT)
        value = np.ones(frequency.size, np.complex128)
        for base, times in parts:
            value *= _raised(base[frequency], times)
        return _Power(frequency, value)

    def _transform(self, side: str, factor: Factor, level: int, row: int) -> Spectrum:
        """Of one term of a factor, in one group."""
        one = Factor(factor.operation, factor.at_once, factor.shared, 1)
        key = (side, one, level, row)
        if key in self._transforms:
            return self._transforms[key]
        at_ns, ratio = self.masses(side, one).of_group(row)
        inside = at_ns <= (1 << level)
        column = _ROUNDED[side](at_ns[inside] * (self.bins / (1 << level))).astype(np.int64)
        tilted = ratio[inside] * np.exp(-_TILT / (2 * self.bins) * column)
        spectrum: Spectrum = scipy.fft.rfft(np.bincount(column, tilted, 2 * self.bins), overwrite_x=True)
        if self.keeps_transforms:
            self._transforms[key] = spectrum
        return spectrum


@lru_cache(8)
def _untilted(bins: int) -> Floats:
    untilted: Floats = np.exp(_TILT / (2 * bins) * np.arange(bins + 1))
    return untilted


def _reading(frequency: Int64s, column: int, bins: int) -> Spectrum:
    """By which a transform is multiplied at these frequencies to give the running sum at a column.

    A geometric sum: `Σ z^n` for n = 0 … column, `z` the tilt taken back and the wave of the frequency.
    """
    size = 2 * bins
    tilt = _TILT / size
    turn = 2j * np.pi / size
    last = np.exp(tilt * (column + 1) + turn * ((frequency * (column + 1)) % size))
    found: Spectrum = (last - 1.0) / np.expm1(tilt + turn * frequency) / size
    found[(frequency > 0) & (frequency < bins)] *= 2.0
    return found


def _raised(base: Spectrum, exponent: int) -> Spectrum:
    """By squaring; `base` is used up."""
    result: Spectrum | None = None
    while True:
        if exponent & 1:
            result = base.copy() if result is None else np.multiply(result, base, out=result)
        exponent >>= 1
        if not exponent:
            return base if result is None else result
        np.multiply(base, base, out=base)
