"""Limits that budgets set for an operation, as shares at or above a threshold."""

from collections.abc import Sequence
from itertools import groupby
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
    """A budget's limit: the share of operations that take `threshold_ns` or longer is at most `ratio`, or
    less.
    """

    threshold_ns: int
    ratio: float
    budget_name: str


def limits_of(budgets: Sequence[Budget], operation: str) -> list[ShareLimit]:
    """Return the limits of one operation by threshold; of several at one threshold, the smallest ratio."""
    limits = [limit for budget in budgets for limit in _limits(budget, operation)]
    limits.sort(key=lambda limit: (limit.threshold_ns, limit.ratio))
    return [next(group) for _, group in groupby(limits, key=lambda limit: limit.threshold_ns)]


def _limits(budget: Budget, operation: str) -> list[ShareLimit]:
    """Return the limits of a budget for an operation as shares; of a rule set those of all its criteria."""
    match budget:
        case RuleSet():
            return [limit for criterion in budget.criteria for limit in _limits(criterion, operation)]
        case ExceedanceBudget() if _concerns(budget.operation, operation):
            return [ShareLimit(limit.threshold_ns, limit.ratio, budget.name) for limit in budget.limits]
        case PercentileBudget() if _concerns(budget.operation, operation):
            return [
                ShareLimit(limit.below_ns, _complement(limit.quantile), budget.name)
                for limit in budget.limits
            ]
        case TransactionBudget() if operation == TRANSACTION:
            allowed = _complement(budget.objective_ratio)
            return [ShareLimit(budget.reads_window_ns, allowed, budget.name)]
        case _:
            return []


def _concerns(budget_operation: str, operation: str) -> bool:
    """Return whether a budget's operation means this operation; `EVERY_OPERATION` excludes transactions."""
    return budget_operation == operation or (budget_operation == EVERY_OPERATION and operation != TRANSACTION)


def _complement(ratio: float) -> float:
    """Return 1 − ratio, rounded to 12 digits because of binary rounding errors."""
    return round(1.0 - ratio, 12)
