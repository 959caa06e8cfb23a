"""Limits that budgets set for an operation, as shares at or over a time, for pictures and courses."""

from collections.abc import Sequence
from typing import NamedTuple

from tailroom.domain.verdicts.budget import Budget, ExceedanceBudget


class ShareLimit(NamedTuple):
    """At most this share of the operations may take `threshold_ns` or longer, says a budget."""

    threshold_ns: int
    ratio: float
    budget_name: str


def limits_of(budgets: Sequence[Budget], operation: str) -> list[ShareLimit]:
    """All limits for one operation, by threshold; of several at one threshold the strictest."""
    strictest: dict[int, ShareLimit] = {}
    for budget in budgets:
        for limit in _limits(budget, operation):
            known = strictest.get(limit.threshold_ns)
            if known is None or limit.ratio < known.ratio:
                strictest[limit.threshold_ns] = limit
    return [strictest[at] for at in sorted(strictest)]


def _limits(budget: Budget, operation: str) -> list[ShareLimit]:
    if isinstance(budget, ExceedanceBudget):
        if budget.operation != operation:
            return []
        return [ShareLimit(one.threshold_ns, one.ratio, budget.name) for one in budget.limits]
    if budget.transaction_operation != operation:
        return []
    allowed = round(1.0 - budget.objective_ratio, 12)
    return [ShareLimit(budget.reads_window_ns, allowed, budget.name)]
