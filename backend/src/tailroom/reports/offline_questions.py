"""Questions of budgets in the form that the page without a server reads."""

from collections.abc import Sequence
from typing import Any

from tailroom.domain.errors import DomainError
from tailroom.domain.verdicts.budget_kinds import (
    EVERY_OPERATION,
    Budget,
    CompletionBudget,
    ExceedanceBudget,
    Limit,
    PercentileBudget,
    QuantileLimit,
    RuleSet,
    ThroughputBudget,
    TransactionBudget,
)
from tailroom.domain.verdicts.evidence import TRANSACTION, HourSlice
from tailroom.reports.offline_models import transactions_document
from tailroom.reports.offline_operations import OperationsOfRun


def question_document(budget: Budget, collected: OperationsOfRun) -> dict[str, Any] | None:
    """Return the question of a budget in the form that the page reads; None if the page cannot judge it."""
    match budget:
        case RuleSet():
            return _parts_question(budget, collected)
        case ThroughputBudget():
            floors = [{"quantity": floor.quantity, "above": floor.above} for floor in budget.floors]
            return {"kind": "rates", "floors": floors}
        case CompletionBudget():
            return {"kind": "completion", "duration_ns": budget.duration_ns}
        case TransactionBudget():
            names = (*budget.plan.operations, TRANSACTION)
            is_counted = all(collected.are_counted(name) for name in names)
            return transactions_document(budget) if is_counted else None
        case _:
            return _limits_question(budget, collected)


def _parts_question(budget: RuleSet, collected: OperationsOfRun) -> dict[str, Any] | None:
    """Return the questions of a rule set, a budget of several parts.

    None if a part cannot be judged, or would mean other operations in the rule set than alone.
    """
    parts = [question_document(criterion, collected) for criterion in budget.criteria]
    kinds = {part["kind"] for part in parts if part is not None}
    means_every = any(
        isinstance(criterion, ExceedanceBudget | PercentileBudget) and criterion.operation == EVERY_OPERATION
        for criterion in budget.criteria
    )
    is_apart = "completion" in kinds or ("transactions" in kinds and means_every)
    return None if None in parts or is_apart else {"kind": "parts", "parts": parts}


def _limits_question(
    budget: ExceedanceBudget | PercentileBudget, collected: OperationsOfRun
) -> dict[str, Any] | None:
    """Return the question of a budget on limits; None if any operation that it means has no counts."""
    if not collected.are_counted(budget.operation):
        return None
    return {
        "kind": "limits",
        "operation": budget.operation,
        "clock": budget.clock,
        "limits": [_limit(limit) for limit in budget.limits],
        "certification": _certification(budget, collected),
    }


def _limit(limit: Limit | QuantileLimit) -> dict[str, Any]:
    if isinstance(limit, Limit):
        return {"kind": "exceedance", "threshold_ns": limit.threshold_ns, "ratio": limit.ratio}
    return {"kind": "percentile", "threshold_ns": limit.below_ns, "quantile": limit.quantile}


def _certification(
    budget: ExceedanceBudget | PercentileBudget, collected: OperationsOfRun
) -> dict[str, Any] | None:
    """Return the certification of a budget, with the counts of each full slice of each operation.

    `slices_at_best` has the same with unreliable slices counted as fast. None for a budget without
    certification; without slices if the run has no, or more than one, such operation.
    """
    if isinstance(budget, PercentileBudget) or budget.certification is None:
        return None
    thresholds = [limit.threshold_ns for limit in budget.limits]
    length_ns = budget.certification_slice_ns
    try:
        operations = [
            entry for entry in collected.evidence(budget.operation) if entry.operation == budget.operation
        ]
    except DomainError:
        operations = []
    return {
        "duration_ns": budget.certification_duration_ns,
        "slice_ns": length_ns,
        "decides": budget.certification.decides,
        "slices": [_full_slices(entry.full_slices(thresholds, length_ns)) for entry in operations],
        "slices_at_best": [
            _full_slices(entry.at_best.full_slices(thresholds, length_ns)) for entry in operations
        ],
    }


def _full_slices(slices: Sequence[HourSlice]) -> list[dict[str, Any]]:
    """Return the counts of each slice: all operations, and by limit those possibly and certainly over it."""
    return [
        {"total": hour.total, "over": list(hour.over), "certain": list(hour.certain or hour.over)}
        for hour in slices
    ]
