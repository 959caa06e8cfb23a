"""Limits that budgets set for an operation, as shares at or over a time, for pictures and courses."""

from collections.abc import Sequence
from typing import NamedTuple

from tailroom.domain.verdicts.budget_kinds import (
    EVERY_OPERATION,
    Budget,
    ExceedanceBudget,
    PercentileBudget,
    RuleSet,
    TransactionBudget,
)
from tailroom.domain.verdicts.evidence import TRANSACTION


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
    match budget:
        case RuleSet():
            return [limit for criterion in budget.criteria for limit in _limits(criterion, operation)]
        case ExceedanceBudget() if _asks_about(budget.operation, operation):
            return [ShareLimit(one.threshold_ns, one.ratio, budget.name) for one in budget.limits]
        case PercentileBudget() if _asks_about(budget.operation, operation):
            return [ShareLimit(one.below_ns, _beyond(one.quantile), budget.name) for one in budget.limits]
        case TransactionBudget() if budget.transaction_operation == operation:
            allowed = _beyond(budget.objective_ratio)
            return [ShareLimit(budget.reads_window_ns, allowed, budget.name)]
        case _:
            return []


def _asks_about(asked: str, operation: str) -> bool:
    return asked == operation or (asked == EVERY_OPERATION and operation != TRANSACTION)


def _beyond(ratio: float) -> float:
    """What a share leaves, as a person would write it."""
    return round(1.0 - ratio, 12)
