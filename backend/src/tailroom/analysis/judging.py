"""How the record of a run becomes verdicts: which budgets it is held against, and what is stored of that.

The result depends on the record alone (no clock, no order of arrival), so the same data give the same bytes.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tailroom.analysis.evidence import (
    answering,
    concerned,
    evidence_of,
    measured_ns,
    operations_of,
    rates_of,
)
from tailroom.analysis.record import RunRecord
from tailroom.domain.errors import DomainError
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.transactions.sequential import FULL_BINS
from tailroom.domain.verdicts.assessment import BudgetAssessment
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
from tailroom.domain.verdicts.judge_budget import judge_budget
from tailroom.domain.verdicts.verdict import Judgement, Reason, Verdict
from tailroom.storage.run import FINISHED

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
    return [judge_by(record, budget) for budget in budgets]


def judge_by(record: RunRecord, budget: Budget) -> Judged:
    """The verdict of one budget on a record, on the full grid where the record is final."""
    provisional = not is_final(record)
    assessment = assess(record, budget, LIVE_BINS if provisional else FULL_BINS)
    return Judged(
        budget,
        assessment.kind,
        assessment.judgement,
        provisional,
        assessment.data_through_ns,
        _fingerprint(record, budget, provisional),
        assessment.document(provisional=provisional),
    )


def assess(record: RunRecord, budget: Budget, bins: int) -> BudgetAssessment:
    """A budget held against a record. Series that contradict each other allow no number, and that is said."""
    try:
        evidence = evidence_of(record, operations_of(budget))
    except DomainError as error:
        return contradicting(budget, error, measured_ns(record), bins)
    return judge_budget(budget, evidence, bins=bins)


def contradicting(budget: Budget, error: DomainError, through_ns: int, bins: int) -> BudgetAssessment:
    """The verdict on data that contradict themselves."""
    judgement = Judgement(
        Verdict.INDETERMINATE,
        Reason.METADATA,
        f"the data contradict themselves: {error}",
        "a consistent record",
    )
    return BudgetAssessment(budget, judgement, through_ns, bins)


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
        case TransactionBudget():
            return all(answering(record, name) for name in budget.plan.operations)
        case ExceedanceBudget() | PercentileBudget():
            found = answering(record, budget.operation)
            return any(budget.clock in {None, one.clock} for one in found)


def is_final(record: RunRecord) -> bool:
    """Nothing more will come: the run is finished, and everything that it holds is rolled up."""
    return record.run.state == FINISHED and all(
        part.series.contiguous_seq + 1 == (part.total.numbers["interval_count"] if part.total else 0)
        for operation in record.operations
        for part in operation.parts
    )


def _fingerprint(record: RunRecord, budget: Budget, provisional: bool) -> bytes:
    """Of everything that the verdict depends on: the rules, the method, and the record."""
    head = f"{budget.name} {budget.version} {fingerprint(budget)} {METHOD_VERSION} {provisional}"
    digest = hashlib.sha256(f"{head} {record.run.outcome} {record.run.outcome_reason}".encode())
    for one in concerned(record, operations_of(budget)):
        one.update_fingerprint(digest)
    return digest.digest()
