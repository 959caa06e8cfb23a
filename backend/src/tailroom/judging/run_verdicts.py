"""Judge a run's stored data by budgets; the same data always give the same bytes."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.transactions.plan_sums import FULL_BINS
from tailroom.domain.transactions.work import done_by
from tailroom.domain.verdicts.budget_kinds import (
    Budget,
    CompletionBudget,
    ExceedanceBudget,
    PercentileBudget,
    RuleSet,
    ThroughputBudget,
    TransactionBudget,
    fingerprint,
)
from tailroom.domain.verdicts.verdict import Judgement
from tailroom.evidence.run import StoredRun, candidates_for, rates_of, select_operations
from tailroom.evidence.source import about, asks_about_own, operations_of
from tailroom.kit.processors import calculation_threads
from tailroom.records.run_record import RunRecord

LIVE_BINS = 1 << 13
"""Number of time steps in calculations for an unfinished run: fewer give wider bounds in less time."""


@dataclass(frozen=True, slots=True)
class JudgedBudget:
    """A verdict to store. `provisional`: the data are not final.

    `data_through_ns` is the measured time that it covers, `fingerprint` the SHA-256 of all its inputs,
    `result` the document of the verdict.
    """

    budget: Budget
    kind: str
    judgement: Judgement
    provisional: bool
    data_through_ns: int
    fingerprint: bytes
    result: dict[str, Any]


def judge_run(record: RunRecord, budgets: Sequence[Budget]) -> list[JudgedBudget]:
    """Return the verdict for each budget, in the order of the budgets."""
    source = StoredRun(record)
    # A verdict on an unfinished run is not urgent, so it uses a single processor.
    with calculation_threads(None if record.is_final else 1) as processors, done_by(processors.map):
        return [_judge_by(source, budget) for budget in budgets]


def _judge_by(source: StoredRun, budget: Budget) -> JudgedBudget:
    record = source.record
    provisional = not record.is_final
    assessment = source.assess(budget, LIVE_BINS if provisional else FULL_BINS)
    return JudgedBudget(
        budget,
        assessment.kind,
        assessment.judgement,
        provisional,
        assessment.data_through_ns,
        _fingerprint(record, assessment.budget, provisional),
        assessment.document(provisional=provisional),
    )


def can_be_asked(record: RunRecord, budget: Budget) -> bool:
    """Return whether a run of another tool has the operations, clock or rates that a budget judges; a verdict
    on operations that were not measured would be undecided for that reason alone.
    """
    match budget:
        case RuleSet():
            return all(can_be_asked(record, criterion) for criterion in budget.criteria)
        case ThroughputBudget():
            rates = rates_of(record)
            return any(floor.quantity in rates for floor in budget.floors)
        case CompletionBudget():
            return True
        case _ if asks_about_own(budget):
            candidates = StoredRun(record).own_operations
            # Where several operations fit, the verdict names them.
            return len(candidates) > 1 or (
                bool(candidates) and can_be_asked(record, about(budget, candidates[0]))
            )
        case TransactionBudget():
            return all(candidates_for(record, name) for name in budget.plan.operations)
        case ExceedanceBudget() | PercentileBudget():
            operations = candidates_for(record, budget.operation)
            return any(budget.clock in {None, operation.clock} for operation in operations)


def _fingerprint(record: RunRecord, budget: Budget, provisional: bool) -> bytes:
    head = f"{budget.name} {budget.version} {fingerprint(budget)} {METHOD_VERSION} {provisional}"
    digest = hashlib.sha256(f"{head} {record.run.outcome} {record.run.outcome_reason}".encode())
    for operation in select_operations(record, operations_of(budget)):
        operation.update_fingerprint(digest)
    return digest.digest()
