"""Goodput: transactions per second that end within their window.

From a load of operations: `R / N` transactions are offered, `R / N · P(T ≤ W)` of them count. Valid at the
load at which the latencies were measured and at no other. Source: docs/method.md section 1.8.
"""

import math
from dataclasses import dataclass

from tailroom.domain.transactions.grid import TransactionInvalid


@dataclass(frozen=True, slots=True)
class Goodput:
    """Transactions per second: all that are `offered`, and bounds and estimate of those in their window."""

    offered: float
    lower: float
    estimate: float
    upper: float


def goodput(
    operations_per_s: tuple[float, float], per_transaction: float, within: tuple[float, float, float]
) -> Goodput:
    """Return the goodput. Raise `TransactionInvalid` for numbers out of their range or order.

    `operations_per_s` are the least and the largest rate of operations, `within` lower bound, estimate and
    upper bound of P(T ≤ W).
    """
    slow, fast = operations_per_s
    if not 0.0 <= slow <= fast < math.inf:
        raise TransactionInvalid(f"a rate of {slow} to {fast} operations per second is none")
    if not 1.0 <= per_transaction < math.inf:
        raise TransactionInvalid(f"a transaction has at least 1 operation, not {per_transaction}")
    lower, estimate, upper = within
    if not 0.0 <= lower <= estimate <= upper <= 1.0:
        raise TransactionInvalid(f"shares within the window do not ascend from 0 to 1: {within}")
    middle = (slow + fast) / 2.0
    return Goodput(
        middle / per_transaction,
        slow / per_transaction * lower,
        middle / per_transaction * estimate,
        fast / per_transaction * upper,
    )
