"""Bounds of a latency distribution: a lower and an upper CDF, never a single curve.

Every record (fine buckets, coarse buckets, percentiles) allows many distributions. Two of them enclose all
others: the *early* distribution has every latency at the lowest value that the record allows, the *late*
distribution at the highest. Sums, maxima, waves, mixtures and quantiles are monotone in the latencies, so
both give guaranteed bounds. The *middle* distribution is an estimate between them and never decides anything.
Source: docs/method.md section 0.

Mass missing in a distribution is at infinity: misses (failed, timed-out or unfinished operations), and open
buckets in the late distribution.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tailroom.domain.errors import DomainError

Int64s = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

_MASS_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class PointMasses:
    """A distribution of point masses: latencies in ns, and the probability (`ratio`) of each. Operations of
    the probability missing to 1 never end. Raise PointMassesInvalid for arrays that form no distribution.
    """

    at_ns: Floats
    ratio: Floats

    def __post_init__(self) -> None:
        if self.at_ns.shape != self.ratio.shape:
            raise PointMassesInvalid("a law needs one probability for each latency")
        if not (np.isfinite(self.at_ns).all() and np.isfinite(self.ratio).all()):
            raise PointMassesInvalid("latencies and probabilities must be finite numbers")
        if self.ratio.size and (self.ratio.min() < 0.0 or self.at_ns.min() < 0.0):
            raise PointMassesInvalid("latencies and probabilities must not be negative")
        if float(self.ratio.sum()) > 1.0 + _MASS_TOLERANCE:
            raise PointMassesInvalid(
                f"the probabilities add up to {float(self.ratio.sum())}, which is over 1"
            )

    def mean_ns(self) -> float:
        """Return the mean latency in ns of the operations that end; 0 if none does."""
        mass = float(self.ratio.sum())
        return float(self.at_ns @ self.ratio) / mass if mass > 0.0 else 0.0

    def variance_ns2(self) -> float:
        """Return the variance in ns² of the latencies of the operations that end; 0 if none does."""
        mass = float(self.ratio.sum())
        if mass <= 0.0:
            return 0.0
        return float(((self.at_ns - self.mean_ns()) ** 2) @ self.ratio) / mass


class PointMassesInvalid(DomainError):
    """Point masses of unequal lengths, negative or not finite, or with probabilities above 1 in sum."""


@dataclass(frozen=True, slots=True)
class LatencyBounds:
    """The earliest and the latest distribution that a record allows, and an estimate between them.
    `continuous` is false if every latency is known exactly.
    """

    early: PointMasses
    middle: PointMasses
    late: PointMasses
    continuous: bool = True
