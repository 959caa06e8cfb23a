"""Cluster sizing: the number of nodes for a rate of transactions, with the calculation as text.

Each demand (operations, writes, data, copies) is divided by the proven capacity of a node, and the largest
number counts; nodes that may fail are added. All numbers are integers or fractions, so that an exact quotient
is not rounded up. The result assumes linear scaling, which no record of a single node can support. Source:
docs/method.md section 1.8.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from tailroom.domain.errors import DomainError
from tailroom.domain.units import count_text

MOST_NODES = 1_000_000
LINEAR_SCALING = (
    "linear scaling: a cluster carries as much as its nodes carry one by one; with three or more measured "
    "cluster sizes this could be checked"
)
SAME_LOAD = "every node carries at most the load at which this record was taken, with the headroom left free"
SAME_MIX = "record size, mix of operations and fill level stay what they were when the record was taken"
FAN_OUT_TAIL = (
    "linear scaling does not hold for the tail of operations that run side by side: the more nodes a "
    "transaction touches, the slower the slowest of them"
)

PartName = Literal["reads", "writes", "data", "copies", "tolerated_failures"]
"""The demand that a part is for; `reads` are all operations of the transaction."""


class DemandInvalid(DomainError):
    """A rate, size, share or number of copies is out of its range."""


@dataclass(frozen=True, slots=True)
class Part:
    """A demand and the number of nodes for it alone, with the calculation as text."""

    name: PartName
    nodes: int
    arithmetic: str


@dataclass(frozen=True, slots=True)
class Operations:
    """An operation: its number in each transaction, and the rate per second proven for a node."""

    name: str
    per_transaction: float
    per_s_per_node: float


def nodes_for_rate(operation: Operations, transactions_per_s: float, headroom_ratio: float) -> Part:
    """Return the nodes for a rate of transactions, each used up to `headroom_ratio` of its proven rate. Raise
    DemandInvalid for a rate or share out of range, or over `MOST_NODES` nodes.
    """
    check_positive("target_transactions_per_s", transactions_per_s)
    check_share("headroom_ratio", headroom_ratio)
    check_positive(f"the rate of `{operation.name}` of one node", operation.per_s_per_node)
    needed = _exact(transactions_per_s) * _exact(operation.per_transaction)
    carried = _exact(operation.per_s_per_node) * _exact(headroom_ratio)
    return _part(
        "reads",
        needed / carried,
        f"{_text(transactions_per_s)} transactions/s × {_text(operation.per_transaction)} `{operation.name}` "
        f"operations ÷ ({_text(operation.per_s_per_node)}/s × {_text(headroom_ratio)})",
    )


def nodes_for_writes(
    per_s: float, per_s_per_node: float, replication_factor: int, headroom_ratio: float
) -> Part:
    """Return the nodes for writes per second, repeated for every copy, otherwise as `nodes_for_rate`."""
    check_not_negative("writes_per_s", per_s)
    check_positive("writes_per_s_per_node", per_s_per_node)
    check_copies(replication_factor)
    check_share("headroom_ratio", headroom_ratio)
    exact = _exact(per_s) * replication_factor / (_exact(per_s_per_node) * _exact(headroom_ratio))
    shared = f"{_text(per_s_per_node)}/s × {_text(headroom_ratio)}"
    return _part("writes", exact, f"{_text(per_s)} writes/s × {replication_factor} ÷ ({shared})")


def nodes_for_data(
    data_bytes: int, usable_capacity_bytes: int, replication_factor: int, fill_ratio: float
) -> Part:
    """Return the nodes for the data with every copy, each filled up to `fill_ratio`, as `nodes_for_rate`."""
    check_not_negative("data_bytes", data_bytes)
    check_positive("usable_capacity_bytes", usable_capacity_bytes)
    check_copies(replication_factor)
    check_share("fill_ratio", fill_ratio)
    exact = Fraction(data_bytes) * replication_factor / (usable_capacity_bytes * _exact(fill_ratio))
    filled = f"{_bytes_text(usable_capacity_bytes)} × {_text(fill_ratio)}"
    return _part("data", exact, f"{_bytes_text(data_bytes)} × {replication_factor} ÷ ({filled})")


def nodes_for_copies(replication_factor: int) -> Part:
    """Return a node for each copy. Raise DemandInvalid unless there are 1 to 100 copies."""
    check_copies(replication_factor)
    return Part("copies", replication_factor, f"{replication_factor} copies on {replication_factor} nodes")


def tolerated(failures: int) -> Part:
    """Return the nodes that may fail, as a part. Raise DemandInvalid unless they are 0 to `MOST_NODES`."""
    if not 0 <= failures <= MOST_NODES:
        raise DemandInvalid(f"tolerated_failures must lie between 0 and {MOST_NODES}, not at {failures}")
    return Part("tolerated_failures", failures, f"+ {failures} nodes that may fail")


def total(parts: Sequence[Part]) -> int:
    """Return the nodes of the cluster: those of the largest demand (0 without), plus those that may fail."""
    demands = [part.nodes for part in parts if part.name != "tolerated_failures"]
    extra = sum(part.nodes for part in parts if part.name == "tolerated_failures")
    return max(demands, default=0) + extra


def check_positive(name: str, value: float) -> None:
    """Raise `DemandInvalid`, with `name` in its message, unless the value is a finite number over 0."""
    if not (math.isfinite(value) and value > 0):
        raise DemandInvalid(f"{name} must be over 0, not {value}")


def check_not_negative(name: str, value: float) -> None:
    """Raise `DemandInvalid`, with `name` in its message, unless the value is a finite number from 0 on."""
    if not (math.isfinite(value) and value >= 0):
        raise DemandInvalid(f"{name} must not be negative, not {value}")


def check_share(name: str, value: float) -> None:
    """Raise `DemandInvalid`, with `name` in its message, unless the value is over 0 and at most 1."""
    if not (math.isfinite(value) and 0.0 < value <= 1.0):
        raise DemandInvalid(f"{name} must be over 0 and at most 1, not {value}")


def check_copies(replication_factor: int) -> None:
    """Raise `DemandInvalid` unless there are 1 to 100 copies."""
    if not 1 <= replication_factor <= 100:
        raise DemandInvalid(f"replication_factor must lie between 1 and 100, not at {replication_factor}")


def _exact(value: float) -> Fraction:
    """Return a number as the fraction that its shortest decimal form states: 0.1 as 1/10."""
    return Fraction(repr(value))


def _part(name: PartName, exact: Fraction, calculation: str) -> Part:
    """Return a demand of `exact` nodes, rounded up, with its calculation as text."""
    nodes = max(1, math.ceil(exact))
    if nodes > MOST_NODES:
        raise DemandInvalid(
            f"the demand would take {float(exact):.3g} nodes; over {count_text(MOST_NODES)} nothing is said"
        )
    return Part(name, nodes, f"{calculation} = {_text(float(exact))} → {count_text(nodes)}")


def _text(value: float) -> str:
    """Return a number with separated thousands: exact integers below 1e15, else six digits or one decimal."""
    if float(value).is_integer() and abs(value) < 1e15:
        return count_text(int(value))
    return f"{value:,.6g}" if abs(value) < 1e6 else f"{value:,.1f}"


def _bytes_text(size: int) -> str:
    """Return a size in MB to PB, decimal, with four significant digits; exactly in bytes below 1 MB."""
    for unit, name in ((10**15, "PB"), (10**12, "TB"), (10**9, "GB"), (10**6, "MB")):
        if size >= unit:
            return f"{size / unit:,.4g} {name}"
    return f"{count_text(size)} bytes"
