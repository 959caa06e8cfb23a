"""The effect of dependence between operations: measured transactions compared with a model of them.

Two measures: the dependence factor `D = P_meas(T > W) / P_model(T > W)` and the variance inflation
`Var(T) / (N Var X)`. Source: docs/method.md section 1.5.
"""

from tailroom.domain.latency.bounds import LatencyBounds
from tailroom.domain.latency.record import LatencyRecord

_SMALLEST_EXCEEDANCE = 1e-10
"""Smallest modelled share of late transactions that is compared."""
_AGREES = (0.5, 2.0)
"""Dependence factors between which the model agrees with the measurement."""


def dependence_factor(measured_late: float, modelled_late: float) -> float | None:
    """Return the measured divided by the modelled share of late transactions; None if the modelled share is
    below 1e-10.
    """
    return None if modelled_late < _SMALLEST_EXCEEDANCE else measured_late / modelled_late


def agrees(factor: float) -> bool:
    """Return whether a dependence factor lies from a half to two, both included."""
    return _AGREES[0] <= factor <= _AGREES[1]


def variance_inflation(transactions: LatencyRecord, single: LatencyBounds, reads: int) -> float | None:
    """Return `Var(T) / (N Var X)` of measured transactions T of N `reads` and of a single read X.

    Both variances are estimates (middle distributions). 1 for independent reads, None if reads do not vary.
    """
    of_one = single.middle.variance_ns2()
    if of_one <= 0.0:
        return None
    return transactions.bounds().middle.variance_ns2() / (reads * of_one)
