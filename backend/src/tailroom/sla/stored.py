"""Stored verdicts that answer a question instead of a new calculation, with the same figures.

A run's final verdict by the newest method holds until the run changes (`AnalysisState.is_final`). A question
equals a budget that the run was judged by if everything but name and texts is equal.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, select
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Session
from sqlalchemy.sql.expression import cast, literal_column

from tailroom.budgets import repository
from tailroom.budgets.documents import BUILT_IN
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.verdicts.budget_kinds import Budget, TransactionBudget, document_of
from tailroom.domain.verdicts.order import OWN_QUESTION
from tailroom.storage.run import Run
from tailroom.storage.slices import AnalysisState
from tailroom.storage.verdicts import VerdictRow

Json = dict[str, Any]
_NAME_FIELDS = ("name", "version", "title", "question")
_BRIEF: ColumnElement[Json] = (
    cast(VerdictRow.result, JSONB)
    .op("#-")(literal_column("'{transaction,cdf}'"))
    .op("#-")(literal_column("'{transaction,models}'"))
)
"""SQL expression of a verdict document without the parts that lists do not show, which are most of it."""


@dataclass(eq=False)
class StoredVerdicts:
    """Final verdicts of runs, found by question: by built-in budgets and those of the organisation. `brief`
    holds verdicts of many runs by run id, read at once; None: they are read for each run.
    """

    organisation_id: UUID | None = None
    brief: Mapping[UUID, Sequence[Row[UUID, str, int, Json]]] | None = None
    _questions: dict[UUID, list[tuple[str, int, Json]]] = field(default_factory=dict)
    """Name, version and rules of each organisation's budgets, once read."""

    def of(self, session: Session, run: Run, budget: Budget) -> Json | None:
        """Return the document of a run's verdict by a budget with the same rules; None without any."""
        names = self._names(session, run, budget)
        if not names and not isinstance(budget, TransactionBudget):
            return None
        rows = (
            read_verdicts(session, [run.run_id]).get(run.run_id, ())
            if self.brief is None
            else self.brief.get(run.run_id, ())
        )
        for _, name, version, result in rows:
            is_same = name == OWN_QUESTION and _is_same_question(result, budget)
            if is_same or (name, version) in names:
                return result
        return None

    def _names(self, session: Session, run: Run, budget: Budget) -> set[tuple[str, int]]:
        rules = rules_of(budget)
        budgets = [(built_in.name, built_in.version, rules_of(built_in)) for built_in in BUILT_IN]
        if run.organisation_id == self.organisation_id:
            budgets += self._own_budgets(session)
        return {(name, version) for name, version, own_rules in budgets if own_rules == rules}

    def _own_budgets(self, session: Session) -> list[tuple[str, int, Json]]:
        owner = self.organisation_id
        assert owner is not None  # noqa: S101 - compared with a run's
        if owner not in self._questions:
            self._questions[owner] = [
                (row.name, row.version, _rules(row.document)) for row in repository.all_of(session, owner)
            ]
        return self._questions[owner]


def read_verdicts(
    session: Session, run_ids: Sequence[UUID], *, brief: bool = False
) -> dict[UUID, list[Row[UUID, str, int, Json]]]:
    """Return budget and `result` of final verdicts by run id; if `brief`, without distribution and models."""
    result = (_BRIEF if brief else VerdictRow.result).label("result")
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
    by_run: dict[UUID, list[Row[UUID, str, int, Json]]] = {}
    for row in rows:
        by_run.setdefault(row.run_id, []).append(row)
    return by_run


def is_stored(session: Session, organisation_id: UUID, budget: Budget) -> bool:
    """Return whether runs may have verdicts by the same rules; a run's own plan may state any transaction."""
    rules = rules_of(budget)
    return (
        isinstance(budget, TransactionBudget)
        or any(rules_of(built_in) == rules for built_in in BUILT_IN)
        or any(_rules(row.document) == rules for row in repository.all_of(session, organisation_id))
    )


def rules_of(budget: Budget) -> Json:
    """Return the document of a budget without name and texts; equal rules ask the same question."""
    return _rules(document_of(budget))


def _rules(document: Json) -> Json:
    return {key: value for key, value in document.items() if key not in _NAME_FIELDS}


def _is_same_question(result: Json, budget: Budget) -> bool:
    if not isinstance(budget, TransactionBudget) or result["transaction"] is None:
        return False
    rules = rules_of(budget)
    del rules["kind"]
    return {name: result["transaction"][name] for name in rules} == rules
