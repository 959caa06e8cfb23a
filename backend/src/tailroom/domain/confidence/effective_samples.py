"""How many independent samples a record is worth when slow operations come in clumps.

Counts over consecutive intervals that scatter more than a binomial law allows (phi), or that stay high or
low for several intervals (tau), carry less information than their number. Source: METHOD.md 2.5; Geyer,
Statistical Science 7 (1992) 473 for the initial positive sequence.
"""

from dataclasses import dataclass

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Floats, Int64s

_FEWEST_INTERVALS = 20


@dataclass(frozen=True, slots=True)
class DesignEffect:
    """Overdispersion `phi` and autocorrelation time `tau` (none below 20 intervals)."""

    phi: float | None = None
    tau: float | None = None

    @property
    def factor(self) -> float:
        """Samples per independent sample, at least 1."""
        return max(1.0, (self.phi or 1.0) * (self.tau or 1.0))

    @property
    def is_approximate(self) -> bool:
        """True where there were too few intervals to see how slow operations follow each other."""
        return self.tau is None


class IntervalCountsInvalid(DomainError):
    """Counts over intervals that cannot be."""


def design_effect(over: Int64s, total: Int64s) -> DesignEffect:
    """From counts over a threshold and totals of consecutive intervals.

    Undefined (factor 1) with fewer than two filled intervals, and where none or all operations lie over:
    such a record shows no clumps.
    """
    if over.shape != total.shape or (over < 0).any() or (over > total).any():
        raise IntervalCountsInvalid(
            "each interval needs a total and a count over the threshold, 0 ≤ over ≤ total"
        )
    filled = total > 0
    k, n = over[filled].astype(np.float64), total[filled].astype(np.float64)
    if k.size < 2 or k.sum() in (0.0, n.sum()):
        return DesignEffect()
    share = float(k.sum() / n.sum())
    residuals = (k - n * share) / np.sqrt(n * share * (1.0 - share))
    phi = float(residuals @ residuals) / (k.size - 1)
    return DesignEffect(phi, autocorrelation_time(residuals) if k.size >= _FEWEST_INTERVALS else None)


def autocorrelation_time(series: Floats) -> float:
    """`1 + 2 Σ rho`, summed over Geyer's pairs of neighbouring lags up to the first that is not positive."""
    centred = series - series.mean()
    energy = float(centred @ centred)
    if energy <= 0.0:
        return 1.0
    length = 1 << (2 * centred.size - 1).bit_length()
    spectrum = np.fft.rfft(centred, length)
    rho = np.fft.irfft(spectrum * spectrum.conj(), length)[: centred.size] / energy
    pairs = rho[0 : rho.size // 2 * 2 : 2] + rho[1 : rho.size // 2 * 2 : 2]
    ended = np.flatnonzero(pairs <= 0.0)
    used = pairs[: int(ended[0])] if ended.size else pairs
    return max(1e-3, 2.0 * float(used.sum()) - 1.0)
