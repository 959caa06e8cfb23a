"""Budgets as JSON documents, written with every default. `tailroom.budgets.documents` parses them.

Equal budgets give equal documents, so a fingerprint identifies a budget.
"""

import hashlib
import json
from typing import Any

from tailroom.domain.transactions.plan import Plan, RandomCount
from tailroom.domain.verdicts.budget_kinds import (
    Budget,
    CompletionBudget,
    ExceedanceBudget,
    PercentileBudget,
    RuleSet,
    ThroughputBudget,
    TransactionBudget,
)


def document_of(budget: Budget) -> dict[str, Any]:
    """Return the JSON document of a budget, with every default. Left out are a clock or certification that is
    not set, and the operation of whole transactions.
    """
    if isinstance(budget, RuleSet):
        return {
            **_common_keys("rule_set", budget),
            "criteria": [document_of(criterion) for criterion in budget.criteria],
        }
    match budget:
        case ExceedanceBudget():
            return _exceedance_document(budget)
        case PercentileBudget():
            limits = [{"quantile": limit.quantile, "below_ns": limit.below_ns} for limit in budget.limits]
            return {
                **_common_keys("percentile", budget),
                "operation": budget.operation,
                **({"clock": budget.clock} if budget.clock else {}),
                "limits": limits,
            }
        case TransactionBudget():
            return {
                **_common_keys("transaction", budget),
                "plan": plan_document(budget.plan),
                "window_ns": budget.window_ns,
                "reserve_ns": budget.reserve_ns,
                "objective_ratio": budget.objective_ratio,
            }
        case ThroughputBudget():
            floors = [{"quantity": floor.quantity, "above": floor.above} for floor in budget.floors]
            return {**_common_keys("throughput", budget), "floors": floors}
        case CompletionBudget():
            return {**_common_keys("completion", budget), "duration_ns": budget.duration_ns}


def plan_document(plan: Plan) -> dict[str, Any]:
    """Return the JSON document of a plan, with every default; the counts of a random count become text."""
    return {
        "stages": [
            {
                "operation": stage.operation,
                "count": {"weights": {str(count): weight for count, weight in stage.count.weights.items()}}
                if isinstance(stage.count, RandomCount)
                else stage.count,
                "fan_out": stage.fan_out,
                "scheduling": stage.scheduling.value,
                "overhead_ns": stage.overhead_ns,
            }
            for stage in plan.stages
        ]
    }


def fingerprint(budget: Budget) -> str:
    """Return the SHA-256 of the budget's canonical JSON document, as hexadecimal digits."""
    canonical = json.dumps(document_of(budget), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()


def _common_keys(kind: str, budget: Budget) -> dict[str, Any]:
    """Return the keys that the documents of all kinds have, with their values."""
    return {
        "kind": kind,
        "name": budget.name,
        "version": budget.version,
        "title": budget.title,
        "question": budget.question,
    }


def _exceedance_document(budget: ExceedanceBudget) -> dict[str, Any]:
    """Return the document of an exceedance budget; clock and certification are left out if there are none."""
    certification = budget.certification
    return {
        **_common_keys("exceedance", budget),
        "operation": budget.operation,
        **({"clock": budget.clock} if budget.clock else {}),
        "limits": [{"threshold_ns": limit.threshold_ns, "ratio": limit.ratio} for limit in budget.limits],
        **(
            {
                "certification": {
                    "duration_ns": certification.duration_ns,
                    "slice_ns": certification.slice_ns,
                    "decides": certification.decides,
                }
            }
            if certification
            else {}
        ),
    }
