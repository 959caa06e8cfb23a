"""Answers to SLA questions, in the form of the API.

The figures come from the judge, or from the stored verdict.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tailroom.domain.transactions.plan_sums import FULL_BINS
from tailroom.domain.verdicts.assessment import BudgetAssessment, summary_of
from tailroom.domain.verdicts.budget_kinds import Budget, document_of
from tailroom.domain.verdicts.headline import VERDICT_FIELDS, verdict_fields
from tailroom.domain.verdicts.order import VerdictSortKey, sort_key
from tailroom.domain.verdicts.transaction_json import cdf_points
from tailroom.domain.verdicts.verdict import Reason, Strength, Verdict
from tailroom.sla.question_schemas import Detail
from tailroom.sla.question_subject import QuestionSubject
from tailroom.sla.schemas import BudgetEchoOut, EvaluationOut, Group

_NS_PER_MS = 1e6


@dataclass(frozen=True, eq=False)
class Answer:
    """Answer about a subject and a budget. Exactly one of `assessment` (judged now) and `stored` (document of
    the stored verdict) is set. `detail` is the resolution of the calculation.
    """

    subject: QuestionSubject
    budget: Budget
    detail: Detail
    assessment: BudgetAssessment | None = None
    stored: dict[str, Any] | None = None

    @cached_property
    def summary(self) -> dict[str, Any]:
        """Figures that every form of the answer shows; calculated on first access, at some cost."""
        summary = self.assessment.summary() if self.assessment else summary_of(self._stored)
        return _add_room_ns(summary)

    @cached_property
    def _document(self) -> dict[str, Any]:
        """The fields of the verdict (`VERDICT_FIELDS`), as stored or judged now."""
        return self._stored if self.assessment is None else verdict_fields(self.assessment)

    @property
    def verdict(self) -> Verdict:
        """Verdict on the subject."""
        return Verdict(self._document["verdict"])

    @property
    def reason(self) -> Reason | None:
        """Reason why the verdict is undecided, or None."""
        reason = self._document["reason"]
        return Reason(reason) if reason else None

    @property
    def sort_key(self) -> VerdictSortKey:
        """Sort key of the answer in lists, ascending."""
        document = self._document
        meter, headline = document["meter"] or {}, document["headline"]
        # A headline about slow operations is the better the smaller, so only shares in time are compared.
        in_time = headline["basis"] in {"measured", "model"} or self.budget.kind == "percentile"
        return sort_key(
            self.verdict,
            Strength(document["strength"]) if document["strength"] else None,
            meter.get("share"),
            headline["lower"] if in_time else None,
        )

    @property
    def group(self) -> Group:
        """Group of the list that the answer belongs to."""
        return GROUPS[self.sort_key.rank]

    @property
    def band(self) -> tuple[list[dict[str, Any]], str | None]:
        """Points of the bounds of P(transaction time ≤ t), and their model; empty and None without one."""
        if self.assessment is None:
            transaction = self._stored["transaction"] or {}
            models = transaction.get("models") or {}
            points, is_mixture = transaction.get("cdf") or [], models.get("interval_mixture") is not None
        else:
            judged = self.assessment.transaction
            model = judged.model if judged else None
            points = cdf_points(judged.budget, model) if judged and model else []
            is_mixture = model is not None and model.mixture is not None
        return points, ("interval_mixture" if is_mixture else "independent") if points else None

    @property
    def bins(self) -> int:
        """Number of steps into which the budget's window is divided for the calculation."""
        return self.assessment.bins if self.assessment else FULL_BINS

    @property
    def _stored(self) -> dict[str, Any]:
        assert self.stored is not None  # noqa: S101 - one of the two is there
        return self.stored


GROUPS: tuple[Group, ...] = ("proven", "observed", "undecided", "too_slow", "too_slow")
"""Group of a list by the rank of the verdict (`rank_of`)."""


def budget_echo(budget: Budget) -> BudgetEchoOut:
    """Return the budget of a question for the API, as it was parsed, with defaults filled in."""
    return BudgetEchoOut.model_validate({"document": document_of(budget)})


def evaluation_out(answer: Answer) -> EvaluationOut:
    """Return the whole answer for the API."""
    summary = answer.summary
    band, model = answer.band
    return EvaluationOut.model_validate(
        {
            **{name: summary[name] for name in _ROW_FIELDS},
            **{name: summary[name] for name in _EVALUATION_FIELDS},
            "group": answer.group,
            "subject": answer.subject.out,
            "budget": budget_echo(answer.budget),
            "detail": answer.detail,
            "cdf_model": model,
            "resolution_bins": answer.bins,
            "cdf": band,
            "criteria": [_criterion(criterion) for criterion in summary["criteria"]],
            "operations": answer.subject.operations,
        }
    )


def row_fields(answer: Answer) -> Mapping[str, Any]:
    """Return the figures that a row of a list shows, by field."""
    return {name: answer.summary[name] for name in _ROW_FIELDS}


_ROW_FIELDS = (
    *VERDICT_FIELDS,
    *("p_lower", "p_estimate", "p_upper"),
    *("room_lower_ns", "room_upper_ns", "n_guaranteed", "n_possible", "n_text"),
)
_EVALUATION_FIELDS = (
    *("stage", "method_version", "p_lower_confident", "p_upper_confident", "quantile_lower_ns"),
    *("quantile_upper_ns", "models", "rows", "certification", "evidence", "validity"),
)


def _criterion(summary: dict[str, Any]) -> dict[str, Any]:
    shown = _add_room_ns(summary)
    budget = shown["budget"]
    return {**{name: shown[name] for name in _ROW_FIELDS}, "kind": budget["kind"], "name": budget["name"]}


def _add_room_ns(summary: dict[str, Any]) -> dict[str, Any]:
    room = summary["room_ms"]

    def in_ns(end: str) -> int | None:
        return None if room[end] is None else round(room[end] * _NS_PER_MS)

    return summary | {"room_lower_ns": in_ns("lower"), "room_upper_ns": in_ns("upper")}
