"""How many nodes a target rate of transactions needs.

`n = max(⌈target · N / (R u)⌉, ⌈writes · RF / (W u)⌉, ⌈data · RF / (capacity · fill)⌉) + f`, with R the
highest load of one node at which the SLA was kept, u the headroom and f the failures to be survived. It
assumes that twice the nodes carry twice the load, and says so. From three measured sizes of a cluster on, the
universal scalability law is fitted instead: `X(n) = λ n / (1 + σ (n − 1) + κ n (n − 1))` (Gunther, Guerrilla
Capacity Planning (2007) 4). Neither says anything about the tail of a fan-out transaction, which grows with
the nodes it touches. Source: METHOD.md section 1.8.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from tailroom.domain.errors import DomainError

LINEAR_SCALING = "assumes linear scaling: twice the nodes carry twice the load"
TAIL_NOT_COVERED = "says nothing of the tail of a fan-out transaction, which grows with the nodes it touches"

_NODES_LIMIT = 100_000
_FEWEST_SIZES = 3
_LAST_DIGIT = 1e-9


class SizingInvalid(DomainError):
    """A target, rate, capacity or ratio from which no number of nodes follows."""


@dataclass(frozen=True, slots=True)
class Part:
    """One reason to have nodes: how many, and the arithmetic behind it."""

    name: str
    nodes: int
    arithmetic: str


@dataclass(frozen=True, slots=True)
class NodeCount:
    """Nodes in all (none where no number is enough), the parts they follow from, what was assumed."""

    nodes: int | None
    parts: tuple[Part, ...]
    assumptions: tuple[str, ...]
    spare: int


@dataclass(frozen=True, slots=True)
class Demand:
    """What the cluster has to carry. Writes and data are optional."""

    transactions_per_s: float
    operations_per_transaction: float
    headroom_ratio: float = 0.7
    tolerated_failures: int = 0
    replication_factor: int = 1
    writes_per_s: float = 0.0
    data_bytes: float = 0.0
    fill_ratio: float = 1.0

    def __post_init__(self) -> None:
        _positive("the target rate of transactions", self.transactions_per_s)
        _positive("the number of operations per transaction", self.operations_per_transaction)
        _ratio("the headroom", self.headroom_ratio)
        _ratio("the fill level", self.fill_ratio)
        if self.tolerated_failures < 0:
            raise SizingInvalid(f"{self.tolerated_failures} failures cannot be tolerated")
        if self.replication_factor < 1:
            raise SizingInvalid(f"data is kept at least once, not {self.replication_factor} times")
        for name, value in (("writes", self.writes_per_s), ("data", self.data_bytes)):
            if not 0.0 <= value < math.inf:
                raise SizingInvalid(f"{name} of {value} cannot be")


@dataclass(frozen=True, slots=True)
class Node:
    """What one node carries: reads per second at which the SLA was kept, writes per second, usable bytes."""

    operations_per_s: float
    writes_per_s: float | None = None
    usable_capacity_bytes: float | None = None


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


def nodes_needed(demand: Demand, node: Node, scaling: Scalability | None = None) -> NodeCount:
    """Nodes for a demand. With `scaling`, its curve stands in for R times the number of nodes."""
    _positive("the rate of one node within the SLA", node.operations_per_s)
    wanted = demand.transactions_per_s * demand.operations_per_transaction
    parts: list[Part | None] = [_reads(demand, node, scaling, wanted)]
    if demand.writes_per_s > 0.0:
        parts.append(_writes(demand, node))
    if demand.data_bytes > 0.0:
        parts.append(_data(demand, node))
    known = tuple(part for part in parts if part is not None)
    assumptions = (*(() if scaling else (LINEAR_SCALING,)), TAIL_NOT_COVERED)
    if len(known) < len(parts):
        return NodeCount(None, known, assumptions, demand.tolerated_failures)
    needed = max(part.nodes for part in known)
    # Copies lie on different nodes.
    needed = max(needed, demand.replication_factor)
    return NodeCount(needed + demand.tolerated_failures, known, assumptions, demand.tolerated_failures)


def _reads(demand: Demand, node: Node, scaling: Scalability | None, wanted: float) -> Part | None:
    target = f"{demand.transactions_per_s:,.6g}/s × {demand.operations_per_transaction:,.6g}"
    if scaling is None:
        nodes = _up(wanted / (node.operations_per_s * demand.headroom_ratio))
        return Part(
            "reads", nodes, f"{target} / ({node.operations_per_s:,.6g}/s × {demand.headroom_ratio:g})"
        )
    found = scaling.nodes_for(wanted / demand.headroom_ratio)
    if found is None:
        return None
    law = f"λ={scaling.rate_of_one:,.6g}/s, σ={scaling.contention:.3g}, κ={scaling.coherency:.3g}"
    return Part("reads", found, f"fewest n with X(n) × {demand.headroom_ratio:g} ≥ {target} ({law})")


def _writes(demand: Demand, node: Node) -> Part:
    rate = node.writes_per_s
    if rate is None:
        raise SizingInvalid("how many writes per second one node carries is not given")
    _positive("the rate of writes of one node", rate)
    nodes = _up(demand.writes_per_s * demand.replication_factor / (rate * demand.headroom_ratio))
    return Part(
        "writes",
        nodes,
        f"{demand.writes_per_s:,.6g}/s × {demand.replication_factor} / ({rate:,.6g}/s × "
        f"{demand.headroom_ratio:g})",
    )


def _data(demand: Demand, node: Node) -> Part:
    capacity = node.usable_capacity_bytes
    if capacity is None:
        raise SizingInvalid("the usable capacity of one node is not given")
    _positive("the usable capacity of one node", capacity)
    nodes = _up(demand.data_bytes * demand.replication_factor / (capacity * demand.fill_ratio))
    return Part(
        "data",
        nodes,
        f"{demand.data_bytes:,.6g} B × {demand.replication_factor} / ({capacity:,.6g} B × "
        f"{demand.fill_ratio:g})",
    )


def _up(quotient: float) -> int:
    """Rounded up, but not for a last digit: 4,000 · 250 / (1,000,000 · 1) is one node."""
    return max(1, math.ceil(quotient * (1.0 - _LAST_DIGIT)))


def _positive(name: str, value: float) -> None:
    if not 0.0 < value < math.inf:
        raise SizingInvalid(f"{name} must be greater than 0, not {value}")


def _ratio(name: str, value: float) -> None:
    if not 0.0 < value <= 1.0:
        raise SizingInvalid(f"{name} is a ratio over 0 and up to 1, not {value}")
