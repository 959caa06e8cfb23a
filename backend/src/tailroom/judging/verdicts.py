"""How the record of a run becomes verdicts: which budgets it is held against, and what is stored of that.

The result depends on the record alone (no clock, no order of arrival), so the same data give the same bytes.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.transactions.grid import FULL_BINS
from tailroom.domain.transactions.work import done_by
from tailroom.domain.verdicts.budget_kinds import (
    Budget,
    CompletionBudget,
    ExceedanceBudget,
    PercentileBudget,
    RuleSet,
    ThroughputBudget,
    TransactionBudget,
)
from tailroom.domain.verdicts.documents import fingerprint
from tailroom.domain.verdicts.verdict import Judgement
from tailroom.evidence.run import StoredRun, answering, concerned, rates_of
from tailroom.evidence.source import about, asks_about_own, assess, operations_of
from tailroom.kit.processors import on_processors
from tailroom.records.run_record import RunRecord

LIVE_BINS = 1 << 13
"""Steps of the grid while a run goes on: bounds are wider, and nobody waits."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict as it is stored."""

    budget: Budget
    kind: str
    judgement: Judgement
    provisional: bool
    data_through_ns: int
    fingerprint: bytes
    result: dict[str, Any]


def judge_run(record: RunRecord, budgets: Sequence[Budget]) -> list[Judged]:
    """One verdict for each budget, in the order of the budgets."""
    source = StoredRun(record)
    # While a run goes on nobody waits for its verdict, and others need the processors.
    with on_processors(None if record.is_final else 1) as processors, done_by(processors.map):
        return [_judge_by(source, budget) for budget in budgets]


def _judge_by(source: StoredRun, budget: Budget) -> Judged:
    """The verdict of one budget on a record, on the full grid where the record is final."""
    record = source.record
    provisional = not record.is_final
    assessment = assess(source, budget, LIVE_BINS if provisional else FULL_BINS)
    return Judged(
        budget,
        assessment.kind,
        assessment.judgement,
        provisional,
        assessment.data_through_ns,
        _fingerprint(record, assessment.budget, provisional),
        assessment.document(provisional=provisional),
    )


def can_be_asked(record: RunRecord, budget: Budget) -> bool:
    """Whether a run of another tool has what a budget asks about: its operations, and of rates one at least.

    A verdict about something that nobody measured would say nothing but that.
    """
    match budget:
        case RuleSet():
            return all(can_be_asked(record, one) for one in budget.criteria)
        case ThroughputBudget():
            rates = rates_of(record)
            return any(floor.quantity in rates for floor in budget.floors)
        case CompletionBudget():
            return True
        case _ if asks_about_own(budget):
            own = StoredRun(record).own_operations
            # Where several fit, the verdict asks which of them is meant.
            return len(own) > 1 or (bool(own) and can_be_asked(record, about(budget, own[0])))
        case TransactionBudget():
            return all(answering(record, name) for name in budget.plan.operations)
        case ExceedanceBudget() | PercentileBudget():
            found = answering(record, budget.operation)
            return any(budget.clock in {None, one.clock} for one in found)


def _fingerprint(record: RunRecord, budget: Budget, provisional: bool) -> bytes:
    """Of everything that the verdict depends on: the rules, the method, and the record."""
    head = f"{budget.name} {budget.version} {fingerprint(budget)} {METHOD_VERSION} {provisional}"
    digest = hashlib.sha256(f"{head} {record.run.outcome} {record.run.outcome_reason}".encode())
    for one in concerned(record, operations_of(budget)):
        one.update_fingerprint(digest)
    return digest.digest()
