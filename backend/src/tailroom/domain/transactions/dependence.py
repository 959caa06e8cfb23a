"""How far measured transactions lie from a model of them: what dependence between operations does.

Three numbers stand beside each other: the dependence factor `D = P_meas(T > W) / P_model(T > W)`, the
variance inflation `Var(T) / (N Var X)`, and the largest distance between the two curves. They are known only
between two ends, since both sides are. Source: docs/method.md section 1.5.
"""

from dataclasses import dataclass

import numpy as np

from tailroom.domain.latency.bounds import LatencyBounds
from tailroom.domain.latency.record import LatencyRecord
from tailroom.domain.transactions.curves import TransactionCurves
from tailroom.domain.transactions.grid import SMALLEST_EXCEEDANCE, check_question

_AGREES = (0.5, 2.0)
_POINTS = 2_048


@dataclass(frozen=True, slots=True)
class CurveDistance:
    """`sup |F_meas − F_model|` up to the horizon: least and largest that both bands allow, and where."""

    lower: float
    estimate: float
    upper: float
    at_ns: int


@dataclass(frozen=True, slots=True)
class DependenceFactor:
    """Measured over modelled share of late transactions; ends follow from the ends of both."""

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
    """From lower end, estimate and upper end of both shares of late transactions.

    None where the model's estimate is below what any model may claim: a ratio to nothing says nothing.
    """
    low, middle, high = modelled_over
    if middle < SMALLEST_EXCEEDANCE:
        return None
    largest = measured_over[2] / low if low > 0.0 else float("inf")
    return DependenceFactor(measured_over[0] / high, measured_over[1] / middle, largest)


def variance_inflation(transactions: LatencyRecord, single: LatencyBounds, reads: int) -> float | None:
    """`Var(T) / (N Var X)` of the estimates; 1 for independent reads. None where reads do not vary."""
    check_question(reads, 1)
    of_one = single.middle.variance_ns2()
    if of_one <= 0.0:
        return None
    return transactions.bounds().middle.variance_ns2() / (reads * of_one)


def curve_distance(measured: LatencyRecord, model: TransactionCurves) -> CurveDistance:
    """Largest distance between measured transactions and a model's curves, at the model's points.

    Looked at where the record has edges, and at evenly spaced points of the model.
    """
    edges = measured.edges_ns()
    inside = edges[(edges > model.offset_ns) & (edges <= model.horizon_ns)]
    even = np.linspace(model.offset_ns + 1, model.horizon_ns, _POINTS).astype(np.int64)
    lower = upper = estimate = 0.0
    at_ns = int(even[-1])
    for time in np.union1d(inside, even).tolist():
        seen_low, seen_high = measured.cdf_bounds(time)
        # Records count what lies strictly below a time; times are whole nanoseconds.
        low, middle, high = model.within(time - 1)
        lower = max(lower, seen_low - high, low - seen_high)
        upper = max(upper, seen_high - low, high - seen_low)
        apart = abs((seen_low + seen_high) / 2.0 - middle)
        if apart > estimate:
            estimate, at_ns = apart, int(time)
    return CurveDistance(max(0.0, lower), estimate, min(1.0, upper), at_ns)
