"""How an answer is said over HTTP. The figures are the judge's, of now or as they are on record; nothing is
calculated here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tailroom.budgets.documents import document_of
from tailroom.domain.transactions.grid import FULL_BINS
from tailroom.domain.verdicts.assessment import BudgetAssessment, summary_of
from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.domain.verdicts.headline import STATED
from tailroom.domain.verdicts.order import Knowledge, knowledge, knowledge_of
from tailroom.domain.verdicts.transaction_json import cdf_points
from tailroom.domain.verdicts.verdict import Reason, Strength, Verdict
from tailroom.sla.schemas import BudgetEchoOut, Detail, EvaluationOut, Group
from tailroom.sla.subjects import Subject

_NS_PER_MS = 1e6


@dataclass(frozen=True, eq=False)
class Answer:
    """A subject judged by a budget: now, or before (`stored`: the document of the verdict on record)."""

    subject: Subject
    budget: Budget
    detail: Detail
    assessment: BudgetAssessment | None = None
    stored: dict[str, Any] | None = None

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The figures that every form of the answer shows; they cost more than the verdict."""
        found = self.assessment.summary() if self.assessment else summary_of(self._stored)
        return _with_room(found)

    @property
    def verdict(self) -> Verdict:
        """The word."""
        return self.assessment.judgement.verdict if self.assessment else Verdict(self._stored["verdict"])

    @property
    def reason(self) -> Reason | None:
        """Why it is undecided."""
        if self.assessment is not None:
            return self.assessment.judgement.reason
        return Reason(self._stored["reason"]) if self._stored["reason"] else None

    @property
    def knowledge(self) -> Knowledge:
        """Its place in every list."""
        if self.assessment is not None:
            return knowledge_of(self.assessment)
        found = self._stored
        meter, headline = found["meter"] or {}, found["headline"]
        # A headline about slow operations is the better the smaller, so only shares in time are compared.
        in_time = headline["basis"] in {"measured", "model"} or found["kind"] == "percentile"
        return knowledge(
            self.verdict,
            Strength(found["strength"]) if found["strength"] else None,
            meter.get("share"),
            headline["lower"] if in_time else None,
        )

    @property
    def group(self) -> Group:
        """The part of a list that it stands in."""
        return group_of(self.verdict, self.knowledge.rank)

    @property
    def band(self) -> tuple[list[dict[str, Any]], str | None]:
        """The band of P(T ≤ t), and the model that it is of."""
        if self.assessment is None:
            transaction = self._stored["transaction"] or {}
            models = transaction.get("models") or {}
            found, is_mixture = transaction.get("cdf") or [], models.get("interval_mixture") is not None
        else:
            judged = self.assessment.transaction
            model = judged.model if judged else None
            found = cdf_points(judged.budget, model) if judged and model else []
            is_mixture = model is not None and model.mixture is not None
        return found, ("interval_mixture" if is_mixture else "independent") if found else None

    @property
    def bins(self) -> int:
        """Steps of the grid over the window."""
        return self.assessment.bins if self.assessment else FULL_BINS

    @property
    def _stored(self) -> dict[str, Any]:
        assert self.stored is not None  # noqa: S101 - one of the two is there
        return self.stored


def group_of(verdict: Verdict, rank: int) -> Group:
    """Return the part of a list in which a verdict of this rank stands."""
    match verdict:
        case Verdict.PASS:
            return "proven" if rank == 0 else "observed"
        case Verdict.FAIL:
            return "too_slow"
        case _:
            return "undecided"


def echo(budget: Budget) -> BudgetEchoOut:
    """A budget as it was understood, defaults written out."""
    return BudgetEchoOut.model_validate({"document": document_of(budget)})


def evaluation(answer: Answer) -> EvaluationOut:
    """The whole answer."""
    summary = answer.summary
    band, model = answer.band
    return EvaluationOut.model_validate(
        {
            **{name: summary[name] for name in _SHARED},
            **{name: summary[name] for name in _ONLY_WHOLE},
            "group": answer.group,
            "subject": answer.subject.out,
            "budget": echo(answer.budget),
            "detail": answer.detail,
            "cdf_model": model,
            "resolution_bins": answer.bins,
            "cdf": band,
            "criteria": [_criterion(one) for one in summary["criteria"]],
            "operations": answer.subject.operations,
        }
    )


def row_of(answer: Answer) -> Mapping[str, Any]:
    """The figures of the answer that a row of a table shows."""
    return {name: answer.summary[name] for name in _SHARED}


_SHARED = (
    *STATED,
    *("p_lower", "p_estimate", "p_upper"),
    *("room_lower_ns", "room_upper_ns", "n_guaranteed", "n_possible", "n_text"),
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
