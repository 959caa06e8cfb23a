"""The law of a transaction's time as two certain curves and an estimate between them."""

from dataclasses import dataclass

import numpy as np

from tailroom.domain.latency.bounds import Floats
from tailroom.domain.latency.distribution import TimeBounds
from tailroom.domain.transactions.grid import TransactionInvalid


@dataclass(frozen=True, slots=True, eq=False)
class TransactionCurves:
    """Bounds and estimate of P(T ≤ t) at `offset + k · (horizon − offset) / bins`, k = 0 … bins.

    Before the offset (constant overheads) no transaction ends. `capped`: the upper curve holds at its points
    but not up to the next one. `replications`: how many simulated transactions the estimate rests on, 0 where
    it is calculated.
    """

    horizon_ns: int
    lower: Floats
    estimate: Floats
    upper: Floats
    offset_ns: int = 0
    capped: bool = False
    replications: int = 0

    @property
    def bins(self) -> int:
        """Steps of the grid."""
        return self.lower.size - 1

    @property
    def times_ns(self) -> Floats:
        """Times of the points."""
        return np.linspace(self.offset_ns, self.horizon_ns, self.bins + 1)

    def within(self, time_ns: int) -> tuple[float, float, float]:
        """Lower bound, estimate and upper bound of P(T ≤ time); the time must not exceed the horizon."""
        if not 0 <= time_ns <= self.horizon_ns:
            raise TransactionInvalid(f"{time_ns} ns lies outside the horizon of {self.horizon_ns} ns")
        if time_ns < self.offset_ns:
            return 0.0, 0.0, 0.0
        ticks, span_ns = (time_ns - self.offset_ns) * self.bins, self.horizon_ns - self.offset_ns
        k = ticks // span_ns
        above = -(-ticks // span_ns) if self.capped else k
        return float(self.lower[k]), float(self.estimate[k]), float(self.upper[above])

    def quantile_bounds(self, quantile: float) -> TimeBounds:
        """Where the time lies that this share of transactions keeps; no upper limit beyond the horizon."""
        if not 0.0 < quantile < 1.0:
            raise TransactionInvalid(f"a quantile must lie between 0 and 1, not at {quantile}")
        span_ns = self.horizon_ns - self.offset_ns
        first_possible = int(np.searchsorted(self.upper, quantile, side="left"))
        first_certain = int(np.searchsorted(self.lower, quantile, side="left"))
        possible = max(0, first_possible - 1) if self.capped else first_possible
        if first_possible > self.bins:
            lower = self.horizon_ns
        else:
            lower = self.offset_ns + possible * span_ns // self.bins
        if first_certain > self.bins:
            return TimeBounds(lower, None)
        return TimeBounds(lower, self.offset_ns - (-first_certain * span_ns // self.bins))
