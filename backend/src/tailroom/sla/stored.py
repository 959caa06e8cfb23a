"""The verdict that is on record for a question: used instead of a new calculation, digit by digit.

A run's final verdict by the newest method holds until the run changes (`AnalysisState.is_final`). A question
is one of those that the run was judged by where everything but name and words is equal.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import ColumnElement, select
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Session
from sqlalchemy.sql.expression import cast, literal_column

from tailroom.budgets import repository
from tailroom.budgets.documents import BUILT_IN, document_of
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.verdicts.budget_kinds import Budget, TransactionBudget
from tailroom.domain.verdicts.documents import plan_document
from tailroom.domain.verdicts.own_question import OWN_QUESTION
from tailroom.storage.run import Run
from tailroom.storage.slices import AnalysisState
from tailroom.storage.verdicts import VerdictRow

Json = dict[str, Any]
_NAMED = ("name", "version", "title", "question")
_BRIEF: ColumnElement[Json] = (
    cast(VerdictRow.result, JSONB)
    .op("#-")(literal_column("'{transaction,cdf}'"))
    .op("#-")(literal_column("'{transaction,models}'"))
)
"""Without what rows of a list do not show, which is most of it."""


class _Row(NamedTuple):
    budget_name: str
    budget_version: int
    result: Json


@dataclass(eq=False)
class StoredVerdicts:
    """Final verdicts of runs, found by the question. `brief` holds those of many runs, read at once."""

    organisation_id: UUID | None = None
    brief: Mapping[UUID, Sequence[_Row]] | None = None
    _questions: dict[UUID, list[tuple[str, int, Json]]] = field(default_factory=dict)

    def of(self, session: Session, run: Run, budget: Budget) -> Json | None:
        """Return the document of the verdict on this question; None where the run was not judged by it."""
        names = self._names(session, run, budget)
        if not names and not isinstance(budget, TransactionBudget):
            return None
        rows = (
            read(session, [run.run_id]).get(run.run_id, ())
            if self.brief is None
            else self.brief.get(run.run_id, ())
        )
        for row in rows:
            if (row.budget_name, row.budget_version) in names:
                return row.result
            if row.budget_name == OWN_QUESTION and _asks_the_same(row.result, budget):
                return row.result
        return None

    def _names(self, session: Session, run: Run, budget: Budget) -> set[tuple[str, int]]:
        """Names and versions of the budgets that ask this; of others' runs built-in ones alone."""
        found = {(one.name, one.version) for one in BUILT_IN if rules_of(one) == rules_of(budget)}
        if run.organisation_id == self.organisation_id:
            rules = rules_of(budget)
            found |= {(name, version) for name, version, own in self._own(session) if own == rules}
        return found

    def _own(self, session: Session) -> list[tuple[str, int, Json]]:
        """Rules of the organisation's budgets, read once."""
        owner = self.organisation_id
        assert owner is not None  # noqa: S101 - compared with a run's
        if owner not in self._questions:
            self._questions[owner] = [
                (row.name, row.version, _rules(row.document)) for row in repository.all_of(session, owner)
            ]
        return self._questions[owner]


def read(session: Session, run_ids: Sequence[UUID], *, brief: bool = False) -> dict[UUID, list[_Row]]:
    """Return the final verdicts of runs by the newest method. `brief`: without bands and models."""
    result = _BRIEF if brief else VerdictRow.result
    rows = session.execute(
        select(VerdictRow.run_id, VerdictRow.budget_name, VerdictRow.budget_version, result)
        .join(AnalysisState, AnalysisState.run_id == VerdictRow.run_id)
        .where(
            VerdictRow.run_id.in_(run_ids),
            VerdictRow.method_version == METHOD_VERSION,
            ~VerdictRow.provisional,
            AnalysisState.is_final,
            AnalysisState.method_version == METHOD_VERSION,
        )
    )
    found: dict[UUID, list[_Row]] = {}
    for run_id, *row in rows:
        found.setdefault(run_id, []).append(_Row(*row))
    return found


def is_stored(session: Session, organisation_id: UUID, budget: Budget) -> bool:
    """Return whether runs may have been judged by a question: only then it is worth looking."""
    rules = rules_of(budget)
    return (
        isinstance(budget, TransactionBudget)
        or any(rules_of(one) == rules for one in BUILT_IN)
        or any(_rules(row.document) == rules for row in repository.all_of(session, organisation_id))
    )


def rules_of(budget: Budget) -> Json:
    """Return what a budget asks, without its name and words."""
    return _rules(document_of(budget))


def _rules(document: Json) -> Json:
    return {key: value for key, value in document.items() if key not in _NAMED}


def _asks_the_same(result: Json, budget: Budget) -> bool:
    """Whether the stored answer to what a run's own plan asks is one to this question."""
    if not isinstance(budget, TransactionBudget) or result["transaction"] is None:
        return False
    of_result = {
        name: result["transaction"][name] for name in ("plan", "window_ns", "reserve_ns", "objective_ratio")
    }
    return of_result == {
        "plan": plan_document(budget.plan),
        "window_ns": budget.window_ns,
        "reserve_ns": budget.reserve_ns,
        "objective_ratio": budget.objective_ratio,
    }
