"""Judgements of drive tests by budgets, with `judge_budget` and the evidence of the test's source.

Judgements by the rule sets of the leaderboard are stored when a test changes. A visitor's own question is
judged on request and cached by test and question; a request judges for at most `JUDGING_SECONDS`, and the
next request continues.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any
from uuid import UUID

from cachetools import LRUCache
from sqlalchemy import Row

from tailroom.budgets.documents import BUILT_IN
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.verdicts.assessment import BudgetAssessment, strength_of
from tailroom.domain.verdicts.budget_kinds import ExceedanceBudget, TransactionBudget
from tailroom.domain.verdicts.evidence import OperationEvidence, RunEvidence
from tailroom.domain.verdicts.headline import verdict_fields
from tailroom.domain.verdicts.judge_budget import DISPLAY_BINS, contradicting, judge_budget
from tailroom.domain.verdicts.verdict import Judgement
from tailroom.evidence.reader import EvidenceCache, OperationChoice, cached_evidence
from tailroom.evidence.source import operations_of, plans_of
from tailroom.kit.db import show_runs
from tailroom.kit.transactions import Transactions
from tailroom.ratings import repository
from tailroom.ratings.drives import Json
from tailroom.ratings.sources.tested_load import record_of
from tailroom.records.cache import RecordCache
from tailroom.storage.drive_test import DriveTest
from tailroom.storage.run import PUBLIC, Run

JUDGING_SECONDS = 2.0
"""Seconds after which a request starts no further judgement by its own question."""
_BATCH_SIZE = 64
"""Number of tests that are read by one statement."""
_CACHE_SIZE = 200_000
"""Maximum number of cached judgements."""

RatingBudget = ExceedanceBudget | TransactionBudget
RULE_SETS: tuple[ExceedanceBudget, ...] = tuple(
    budget for budget in BUILT_IN if isinstance(budget, ExceedanceBudget)
)
"""Budgets by which every test is judged when it changes."""


def judgement_values(test: DriveTest, budget: RatingBudget, result: Json) -> Json:
    """Return the column values of storage.drive_test.TestJudgementRow for a result of `judge_test`."""
    late_lower, late_upper = late_bounds(result)
    return {
        "test_id": test.test_id,
        "budget_name": budget.name,
        "budget_version": budget.version,
        "method_version": METHOD_VERSION,
        "organisation_id": test.organisation_id,
        "visibility": test.visibility,
        "test_verdict": result["verdict"],
        "strength": result["strength"],
        "late_lower": late_lower,
        "late_upper": late_upper,
        "result": result,
    }


def late_bounds(result: Json) -> tuple[float | None, float | None]:
    """Return bounds of the share of slow reads at the first limit, or of late transactions, if known."""
    limits = result["limits"]
    return (limits[0]["lower_ratio"], limits[0]["upper_ratio"]) if limits else (None, None)


def judge_test(budget: RatingBudget, evidence: RunEvidence) -> Json:
    """Return the judgement of a test by a budget: texts (`headline.verdict_fields`), limits and basis. Raise
    DomainError if the evidence contradicts itself.
    """
    assessment = judge_budget(budget, evidence, bins=DISPLAY_BINS)
    by_hour = isinstance(budget, ExceedanceBudget) and budget.certification and budget.certification.decides
    basis = "every_hour" if by_hour and not evidence.is_published else "whole_run"
    return _result(assessment, _limits(assessment), basis)


def _result(assessment: BudgetAssessment, limits: list[Json], basis: str) -> Json:
    words = verdict_fields(assessment)
    return {
        **{name: words[name] for name in _RESULT_FIELDS},
        "headline": words["headline"]["text"],
        "limits": limits,
        "basis": basis,
    }


_RESULT_FIELDS = ("verdict", "strength", "words", "observed", "proven", "reason", "reason_text", "decided_by")


def _limits(assessment: BudgetAssessment) -> list[Json]:
    """Return for each limit of the budget the bounds of the share in the test, and the verdict. For
    transactions it is the share of late transactions against 1 minus the objective, empty if the run does not
    bound it.
    """
    budget, judgement = assessment.budget, assessment.judgement
    shares: list[tuple[int, float, float, float, Judgement]] = []
    if isinstance(budget, TransactionBudget):
        if judgement.observed.bounds is not None:
            late = judgement.observed.bounds.complement
            bounds = max(0.0, late.lower), min(1.0, late.upper)
            shares = [(budget.window_ns, 1.0 - budget.objective_ratio, *bounds, judgement)]
    elif isinstance(budget, ExceedanceBudget) and assessment.limits:
        shares = [
            (
                row.measured.threshold_ns,
                limit.ratio,
                row.measured.share_lower,
                row.measured.share_upper,
                row.judgement,
            )
            for row, limit in zip(assessment.limits.rows, budget.limits, strict=True)
        ]
    return [
        {
            "threshold_ns": threshold_ns,
            "limit_ratio": limit_ratio,
            "lower_ratio": lower,
            "upper_ratio": upper,
            "verdict": of_limit.verdict.value,
            "strength": strength_of(of_limit),
        }
        for threshold_ns, limit_ratio, lower, upper, of_limit in shares
    ]


def published_evidence(record: KnotsRecord, clock: str, duration_ns: int | None) -> RunEvidence:
    """Return the evidence of a published test about reads on a clock. A duration of None counts as 0."""
    measured_ns = duration_ns or 0
    operation = OperationEvidence("read", clock, record, measured_ns=measured_ns)
    return RunEvidence((operation,), measured_ns=measured_ns, is_published=True)


class JudgementCache:
    """A process's thread-safe cache of judgements by visitors' own questions, and of the evidence of runs."""

    def __init__(self, evidence: EvidenceCache | None = None) -> None:
        self._judged: LRUCache[tuple[bytes, str], Json] = LRUCache(_CACHE_SIZE)
        self._lock = Lock()
        self.evidence: EvidenceCache = RecordCache() if evidence is None else evidence

    def find(self, fingerprints: Mapping[str, bytes], question: str) -> dict[str, Json]:
        """Return the cached judgements by test id, found by the fingerprints of test and question."""
        with self._lock:
            cached = {test_id: self._judged.get((each, question)) for test_id, each in fingerprints.items()}
        return {test_id: judgement for test_id, judgement in cached.items() if judgement is not None}

    def store(self, fingerprint: bytes, question: str, judgement: Json) -> None:
        """Store a judgement of a test, by the fingerprints of the test and the question."""
        with self._lock:
            self._judged[fingerprint, question] = judgement


@dataclass(frozen=True, slots=True)
class QuestionJudgements:
    """Judgements of tests by one question, by test id; `waiting` has the ids of tests not judged yet."""

    tests: Mapping[str, Json] = field(default_factory=dict)
    waiting: frozenset[str] = frozenset()


def judge_tests(
    transactions: Transactions,
    cache: JudgementCache,
    organisation_id: UUID | None,
    budget: RatingBudget,
    question: str,
) -> QuestionJudgements:
    """Judge the tests that an organisation sees (None: public tests) by its own question; cache and return
    the judgements. `question` is the fingerprint of the question. At least one test is judged, but none is
    begun after `JUDGING_SECONDS`; the rest is in `waiting`.
    """
    with transactions() as session:
        fingerprints = repository.fingerprints(session, repository.rateable(organisation_id))
    judgements = cache.find(fingerprints, question)
    waiting = [test_id for test_id in fingerprints if test_id not in judgements]
    until = time.monotonic() + JUDGING_SECONDS
    while waiting and time.monotonic() < until:
        batch, waiting = waiting[:_BATCH_SIZE], waiting[_BATCH_SIZE:]
        with transactions() as session:
            tests = repository.tests(session, repository.has_id(batch), repository.visible(organisation_id))
        for index, test in enumerate(tests):
            # Every request judges at least one test, so that repeated requests make progress.
            if index and time.monotonic() >= until:
                waiting += [test.test_id for test in tests[index:]]
                break
            judgement = judge_stored_test(transactions, cache.evidence, test, budget)
            cache.store(test.fingerprint, question, judgement)
            judgements[test.test_id] = judgement
    return QuestionJudgements(judgements, frozenset(waiting))


def judge_stored_test(
    transactions: Transactions, cache: EvidenceCache, test: Row[Any], budget: RatingBudget
) -> Json:
    """Return the judgement of a test by its run or published figures; undecided if they are contradictory."""
    try:
        if test.run_id is None:
            return judge_test(
                budget, published_evidence(record_of(test.record), test.clock, test.duration_ns)
            )
        return judge_test(budget, _evidence_of_run(transactions, cache, test, budget))
    except DomainError as error:
        return _result(contradicting(budget, error, 0, DISPLAY_BINS), [], "whole_run")


def _evidence_of_run(
    transactions: Transactions, cache: EvidenceCache, test: Row[Any], budget: RatingBudget
) -> RunEvidence:
    """Return the evidence of a test's run on its clock. Raise DomainError if it contradicts itself."""
    with transactions() as session:
        run = session.get(Run, test.run_id)
        if run is None:
            return RunEvidence(())
        if run.visibility == PUBLIC:
            show_runs(session, [run.run_id])
        # The evidence covers all clocks: the tests of a run differ in the clock only.
        evidence = cached_evidence(
            session, cache, run, OperationChoice(operations_of(budget), plans=plans_of(budget))
        )
    if evidence.contradiction is not None:
        raise evidence.contradiction
    return replace(
        evidence.evidence,
        operations=tuple(
            operation for operation in evidence.evidence.operations if operation.clock == test.clock
        ),
    )
