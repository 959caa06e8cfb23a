"""Does one record keep one budget."""

from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.analysis.judging import is_final, judge_by
from tailroom.analysis.record import RunRecord, load_record
from tailroom.budgets.documents import document_of
from tailroom.budgets.service import budget_of, find_budget
from tailroom.domain.verdicts.budget import Budget, ExceedanceBudget
from tailroom.runs.service import get_run
from tailroom.sla.errors import SubjectInvalid
from tailroom.sla.schemas import BudgetChoiceIn, EvaluateIn, EvaluationOut

DISPLAY_BINS = 1 << 12


def chosen_budget(session: Session, organisation_id: UUID, choice: BudgetChoiceIn) -> Budget:
    """The budget that a question names or brings along. Raises BudgetUnknown, BudgetInvalid."""
    if choice.document is not None:
        return budget_of(choice.document)
    return find_budget(session, organisation_id, choice.name or "", choice.version)


def evaluate(session: Session, organisation_id: UUID, asked: EvaluateIn) -> EvaluationOut:
    """The verdict on one record."""
    budget = chosen_budget(session, organisation_id, asked.budget)
    if asked.subject.run_id is None:
        raise SubjectInvalid("Distributions that are sent along are not judged yet.")
    run = get_run(session, organisation_id, asked.subject.run_id)
    return evaluation_of(load_record(session, run), budget)


def evaluation_of(record: RunRecord, budget: Budget) -> EvaluationOut:
    """How a record stands to a budget."""
    result = judge_by(record, budget).result
    transaction: dict[str, Any] = result["transaction"] or {}
    limits: dict[str, Any] = result["exceedance"] or {}
    operation = budget.operation if isinstance(budget, ExceedanceBudget) else budget.read_operation
    used = record.of(operation)
    run = record.run
    bounds = {name: transaction.get(name) for name in ("p_lower", "p_estimate", "p_upper")}
    return EvaluationOut.model_validate(
        {
            **{name: result[name] for name in ("verdict", "reason", "reason_text", "decided_by", "stage")},
            **bounds,
            **{
                name: transaction.get(name)
                for name in (
                    "p_lower_confident",
                    "quantile_lower_ns",
                    "quantile_upper_ns",
                    "room_lower_ns",
                    "room_upper_ns",
                    "n_guaranteed",
                    "n_possible",
                    "evidence",
                )
            },
            "p_upper_confident": None,
            "method_version": result["method_version"],
            "detail": "full",
            "resolution_bins": DISPLAY_BINS,
            "subject": {
                "label": run.title,
                "run_id": run.run_id,
                "title": run.title,
                "host_name": run.host.get("hostname"),
                "workload": run.workload,
                "started_at": run.started_at,
                "operation": operation,
                "clock": used.clock if used else None,
                "samples": used.dist.total if used else 0,
                "measured_ns": result["data_through_ns"],
                "closed_loop": False,
                "source": "run",
                "provisional": not is_final(record),
            },
            "budget": {"document": document_of(budget)},
            "models": {
                "independent": bounds if transaction else None,
                "interval_mixture": None,
                "measured": transaction.get("measured"),
                "worst_case": None,
            },
            "cdf": transaction.get("cdf", []),
            "rows": [
                {
                    "kind": "exceedance",
                    "operation": limits["operation"],
                    "clock": limits["clock"],
                    "threshold_ns": row["threshold_ns"],
                    "limit": row["limit_ratio"],
                    "over_count": row["over_count"],
                    "total_count": row["total_count"],
                    "value": row["ratio"],
                    "value_lower": row["ratio_lower"],
                    "value_upper": row["ratio_upper"],
                    "verdict": row["verdict"],
                }
                for row in limits.get("rows", [])
            ],
            "criteria": [],
        }
    )
