"""The one door of the analysis: a lower and an upper law of a latency, never a single curve.

Whatever was recorded (fine buckets, coarse buckets, later percentiles) allows many laws. Two of them
enclose all others: the *early* law has every latency at the lowest value that the record allows, the *late*
law at the highest. Sums, maxima, waves, mixtures and quantiles are monotone in the latencies, so pushing
both through gives guaranteed bounds. The *middle* law is an estimate between them and never decides
anything. Source: docs/method.md section 0.

Mass that a law does not place lies at infinity: misses, and open buckets in the late law.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tailroom.domain.errors import DomainError

Int64s = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

_MASS_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Law:
    """Point masses: latencies in nanoseconds and their probabilities; what is missing to 1 is at infinity."""

    at_ns: Floats
    ratio: Floats

    def __post_init__(self) -> None:
        if self.at_ns.shape != self.ratio.shape:
            raise LawInvalid("a law needs one probability for each latency")
        if not (np.isfinite(self.at_ns).all() and np.isfinite(self.ratio).all()):
            raise LawInvalid("latencies and probabilities must be finite numbers")
        if self.ratio.size and (self.ratio.min() < 0.0 or self.at_ns.min() < 0.0):
            raise LawInvalid("latencies and probabilities must not be negative")
        if float(self.ratio.sum()) > 1.0 + _MASS_TOLERANCE:
            raise LawInvalid(f"the probabilities add up to {float(self.ratio.sum())}, which is over 1")

    def mean_ns(self) -> float:
        """Mean of the finite part, per unit of its mass; 0 when there is none."""
        mass = float(self.ratio.sum())
        return float(self.at_ns @ self.ratio) / mass if mass > 0.0 else 0.0

    def variance_ns2(self) -> float:
        """Variance of the finite part."""
        mass = float(self.ratio.sum())
        if mass <= 0.0:
            return 0.0
        return float(((self.at_ns - self.mean_ns()) ** 2) @ self.ratio) / mass


class LawInvalid(DomainError):
    """Point masses that are no law of a latency."""


@dataclass(frozen=True, slots=True)
class LatencyBounds:
    """Early, middle and late law of one latency. `continuous` is false for latencies known to the point."""

    early: Law
    middle: Law
    late: Law
    continuous: bool = True

    @staticmethod
    def from_points(at_ns: Sequence[float], ratio: Sequence[float]) -> "LatencyBounds":
        """A latency that takes exactly these values: all three laws are one."""
        law = Law(np.asarray(at_ns, dtype=np.float64), np.asarray(ratio, dtype=np.float64))
        return LatencyBounds(law, law, law, continuous=False)
