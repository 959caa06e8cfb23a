"""How the rate of a cluster grows with its nodes, from three measured sizes on.

The universal scalability law `X(n) = λ n / (1 + σ (n − 1) + κ n (n − 1))` is fitted (Gunther, Guerrilla
Capacity Planning (2007) 4). It says nothing about the tail of a fan-out transaction, which grows with the
nodes it touches. Source: METHOD.md section 1.8.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from tailroom.domain.errors import DomainError

_NODES_LIMIT = 100_000
_FEWEST_SIZES = 3
_LAST_DIGIT = 1e-9


class SizingInvalid(DomainError):
    """Measured rates, or a rate asked for, from which no law and no number of nodes follows."""


@dataclass(frozen=True, slots=True)
class Scalability:
    """Universal scalability law: rate of one node, contention and coherency, and how well it fits.

    `residual_ratio` is the largest relative distance of a measured point.
    """

    rate_of_one: float
    contention: float
    coherency: float
    residual_ratio: float

    def rate(self, nodes: int) -> float:
        """Rate of so many nodes."""
        slowed = 1.0 + self.contention * (nodes - 1) + self.coherency * nodes * (nodes - 1)
        return self.rate_of_one * nodes / slowed

    def nodes_for(self, rate: float) -> int | None:
        """Fewest nodes with this rate; none where no number of nodes reaches it."""
        _positive("the rate", rate)
        rate *= 1.0 - _LAST_DIGIT
        most = _NODES_LIMIT
        if self.coherency > 0.0:
            peak = math.sqrt(max(0.0, 1.0 - self.contention) / self.coherency)
            most = min(most, max(1, math.ceil(peak)))
        if self.rate(most) < rate and self.rate(max(1, most - 1)) < rate:
            return None
        low, high = 0, most
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.rate(middle) >= rate else (middle, high)
        return high


def fit_scalability(measured: Sequence[tuple[int, float]]) -> Scalability:
    """Fit to (nodes, rate); at least three different numbers of nodes.

    `n / X = (1 + σ (n − 1) + κ n (n − 1)) / λ` is linear in three coefficients, none of them negative, and is
    fitted with relative weights.
    """
    if len({nodes for nodes, _ in measured}) < _FEWEST_SIZES:
        raise SizingInvalid("scaling can be fitted from three different numbers of nodes on, not from fewer")
    for nodes, rate in measured:
        if nodes < 1:
            raise SizingInvalid(f"a cluster of {nodes} nodes was not measured")
        _positive(f"the rate of {nodes} nodes", rate)
    n = np.array([nodes for nodes, _ in measured], dtype=np.float64)
    x = np.array([rate for _, rate in measured], dtype=np.float64)
    weight = x / n
    scale = float(weight.max())
    design = np.stack([np.ones_like(n), n - 1.0, n * (n - 1.0)], axis=1) * weight[:, None] / scale
    coefficients, _ = nnls(design, np.ones_like(n))
    one, contention, coherency = (float(value) / scale for value in coefficients)
    if one <= 0.0:
        raise SizingInvalid(
            "the measured rates grow faster than the number of nodes, which the scalability law excludes"
        )
    fitted = Scalability(1.0 / one, contention / one, coherency / one, 0.0)
    residual = max(abs(fitted.rate(nodes) / rate - 1.0) for nodes, rate in measured)
    return Scalability(fitted.rate_of_one, fitted.contention, fitted.coherency, residual)


def _positive(name: str, value: float) -> None:
    if not 0.0 < value < math.inf:
        raise SizingInvalid(f"{name} must be greater than 0, not {value}")
