"""The effect of dependence between operations: measured transactions compared with a model of them.

Two measures: the dependence factor `D = P_meas(T > W) / P_model(T > W)` and the variance inflation
`Var(T) / (N Var X)`, with bounds from the bounds of both sides. Source: docs/method.md section 1.5.
"""

from dataclasses import dataclass

from tailroom.domain.latency.bounds import LatencyBounds
from tailroom.domain.latency.record import LatencyRecord
from tailroom.domain.transactions.grid import SMALLEST_EXCEEDANCE, check_question

_AGREES = (0.5, 2.0)


@dataclass(frozen=True, slots=True)
class DependenceFactor:
    """Measured over modelled share of late transactions; bounds follow from the bounds of both."""

    lower: float
    estimate: float
    upper: float

    @property
    def agrees(self) -> bool:
        """Whether the estimate lies between a half and two."""
        return _AGREES[0] <= self.estimate <= _AGREES[1]


def dependence_factor(
    measured_over: tuple[float, float, float], modelled_over: tuple[float, float, float]
) -> DependenceFactor | None:
    """Return the factor from lower bound, estimate and upper bound of both shares of late transactions.

    None where the model's estimate is below `SMALLEST_EXCEEDANCE`, where a ratio means nothing.
    """
    low, middle, high = modelled_over
    if middle < SMALLEST_EXCEEDANCE:
        return None
    largest = measured_over[2] / low if low > 0.0 else float("inf")
    return DependenceFactor(measured_over[0] / high, measured_over[1] / middle, largest)


def variance_inflation(transactions: LatencyRecord, single: LatencyBounds, reads: int) -> float | None:
    """Return `Var(T) / (N Var X)` of the estimates; 1 for independent reads, None where reads do not vary."""
    check_question(reads, 1)
    of_one = single.middle.variance_ns2()
    if of_one <= 0.0:
        return None
    return transactions.bounds().middle.variance_ns2() / (reads * of_one)
