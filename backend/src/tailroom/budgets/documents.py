"""Budget documents and the domain's budgets, one way each, and which budgets are built in."""

from typing import Any

from tailroom.domain.errors import DomainError
from tailroom.domain.verdicts.budget import (
    BUDGETS,
    Budget,
    ExceedanceBudget,
    Limit,
    TransactionBudget,
    budgets_for,
)

BUILT_IN = BUDGETS
WORKLOADS = ("act-storage", "fraud-transaction")
"""Workloads that built-in budgets apply to."""


def built_in_for(workload: str) -> tuple[Budget, ...]:
    """Built-in budgets that runs of a workload are judged by."""
    return budgets_for(workload)


class BudgetNotJudged(DomainError):
    """A budget of a kind that cannot be judged."""


def parse(document: dict[str, Any]) -> Budget:
    """The budget of a document. Raises DomainError with the rule that is broken."""
    common = {key: document.get(key, "") for key in ("name", "version", "title", "question")}
    if document["kind"] == "exceedance":
        certification = document.get("certification") or {"duration_ns": 0}
        return ExceedanceBudget(
            **common,
            operation=document["operation"],
            limits=tuple(Limit(one["threshold_ns"], one["ratio"]) for one in document["limits"]),
            certification_duration_ns=certification["duration_ns"],
        )
    stages = document["plan"]["stages"] if document["kind"] == "transaction" else []
    if len(stages) != 1 or stages[0].get("fan_out", 1) != 1 or not isinstance(stages[0]["count"], int):
        raise BudgetNotJudged("only one sequential stage and limits on shares are judged yet")
    return TransactionBudget(
        **common,
        reads=stages[0]["count"],
        window_ns=document["window_ns"],
        reserve_ns=document.get("reserve_ns", 0),
        objective_ratio=document["objective_ratio"],
        read_operation=stages[0].get("operation", "read"),
    )


def document_of(budget: Budget) -> dict[str, Any]:
    """The document of a budget, defaults written out."""
    common = {
        "name": budget.name,
        "version": budget.version,
        "title": budget.title,
        "question": budget.question,
    }
    if isinstance(budget, ExceedanceBudget):
        return {
            "kind": "exceedance",
            **common,
            "operation": budget.operation,
            "limits": [{"threshold_ns": one.threshold_ns, "ratio": one.ratio} for one in budget.limits],
            "certification": {
                "duration_ns": budget.certification_duration_ns,
                "slice_ns": budget.certification_slice_ns,
            },
        }
    stage = {
        "operation": budget.read_operation,
        "count": budget.reads,
        "fan_out": 1,
        "scheduling": "sequential",
        "overhead_ns": 0,
    }
    return {
        "kind": "transaction",
        **common,
        "plan": {"stages": [stage]},
        "window_ns": budget.window_ns,
        "reserve_ns": budget.reserve_ns,
        "objective_ratio": budget.objective_ratio,
    }


def json_schema() -> dict[str, Any]:
    """JSON schema of a budget document."""
    return {}
