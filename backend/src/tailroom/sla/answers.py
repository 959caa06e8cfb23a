"""How an assessment is said over HTTP. The figures are the judge's; nothing is calculated here."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tailroom.budgets.documents import document_of
from tailroom.domain.verdicts.assessment import BudgetAssessment
from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.domain.verdicts.transaction_json import cdf_points
from tailroom.domain.verdicts.verdict import Verdict
from tailroom.sla.schemas import BudgetEchoOut, Detail, EvaluationOut
from tailroom.sla.subjects import Subject

_NS_PER_MS = 1e6


@dataclass(frozen=True, eq=False)
class Answer:
    """A subject judged by a budget."""

    subject: Subject
    assessment: BudgetAssessment
    detail: Detail

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The figures that every form of the answer shows; they cost more than the verdict."""
        return _with_room(self.assessment.summary())

    @property
    def verdict(self) -> Verdict:
        """The word."""
        return self.assessment.judgement.verdict


def echo(budget: Budget) -> BudgetEchoOut:
    """A budget as it was understood, defaults written out."""
    return BudgetEchoOut.model_validate({"document": document_of(budget)})


def evaluation(answer: Answer) -> EvaluationOut:
    """The whole answer."""
    summary, assessment = answer.summary, answer.assessment
    transaction = assessment.transaction
    band = cdf_points(transaction.budget, transaction.model) if transaction and transaction.model else []
    return EvaluationOut.model_validate(
        {
            **{name: summary[name] for name in _SHARED},
            **{name: summary[name] for name in _ONLY_WHOLE},
            "subject": answer.subject.out,
            "budget": echo(assessment.budget),
            "detail": answer.detail,
            "cdf_model": _band_model(answer) if band else None,
            "resolution_bins": assessment.bins,
            "cdf": band,
            "criteria": [_criterion(one) for one in summary["criteria"]],
        }
    )


def _band_model(answer: Answer) -> str:
    transaction = answer.assessment.transaction
    mixture = transaction.model.mixture if transaction and transaction.model else None
    return "interval_mixture" if mixture else "independent"


def row_of(answer: Answer) -> Mapping[str, Any]:
    """The figures of the answer that a row of a table shows."""
    return {name: answer.summary[name] for name in _SHARED}


_SHARED = (
    *("verdict", "strength", "words", "observed", "proven", "reason", "unproven", "reason_text"),
    *("decided_by", "headline", "meter"),
    *("p_lower", "p_estimate", "p_upper"),
    *("room_lower_ns", "room_upper_ns", "n_guaranteed", "n_possible"),
)
_ONLY_WHOLE = (
    *("stage", "method_version", "p_lower_confident", "p_upper_confident", "quantile_lower_ns"),
    *("quantile_upper_ns", "models", "rows", "certification", "evidence", "validity"),
)


def _criterion(summary: dict[str, Any]) -> dict[str, Any]:
    shown = _with_room(summary)
    budget = shown["budget"]
    return {**{name: shown[name] for name in _SHARED}, "kind": budget["kind"], "name": budget["name"]}


def _with_room(summary: dict[str, Any]) -> dict[str, Any]:
    """The room in whole nanoseconds, as everything else is."""
    room = summary["room_ms"]

    def in_ns(end: str) -> int | None:
        return None if room[end] is None else round(room[end] * _NS_PER_MS)

    return summary | {"room_lower_ns": in_ns("lower"), "room_upper_ns": in_ns("upper")}
