"""Tests of drives held against budgets, each by `judge_budget` and from the evidence of its source.

Judgements by the rule sets of the leaderboard are stored when a test changes. A visitor's own question is
judged on request and remembered by test and question; one request judges for `MOST_SECONDS` at most, and the
next one goes on.
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
from tailroom.domain.verdicts.headline import stated
from tailroom.domain.verdicts.judge_budget import DISPLAY_BINS, judge_budget
from tailroom.domain.verdicts.verdict import Verdict
from tailroom.evidence.reader import Choice, KeptRuns, kept_evidence
from tailroom.evidence.source import contradicting, operations_of, plans_of
from tailroom.kit.db import show_runs
from tailroom.kit.transactions import Transactions
from tailroom.ratings import repository
from tailroom.ratings.sources.tested_load import TestOnRecord, record_of
from tailroom.records.cache import RecordCache
from tailroom.storage.run import PUBLIC, Run

MOST_SECONDS = 1.5
"""For how long one request judges tests by a question of its own."""
_TOGETHER = 64
"""Tests that are read in one statement."""
_JUDGED_KEPT = 200_000

RatingBudget = ExceedanceBudget | TransactionBudget
RULE_SETS: tuple[ExceedanceBudget, ...] = tuple(one for one in BUILT_IN if isinstance(one, ExceedanceBudget))
"""Budgets by which every test is judged when it changes."""


@dataclass(frozen=True, slots=True)
class JudgedTest:
    """A test held against a budget. `late_lower` and `late_upper` bound the share of slow reads at the first
    limit, or of late transactions, in the test; None where nothing is known.
    """

    verdict: str
    strength: str | None
    late_lower: float | None
    late_upper: float | None
    result: dict[str, Any]
    """What is said of it: the words of `headline.stated`, its limits, and its basis."""

    def values(self, test: TestOnRecord, budget: RatingBudget) -> dict[str, Any]:
        """Return the row of storage.drive_test.TestJudgementRow."""
        return {
            "test_id": test.test_id,
            "budget_name": budget.name,
            "budget_version": budget.version,
            "method_version": METHOD_VERSION,
            "organisation_id": test.organisation_id,
            "visibility": test.visibility,
            "test_verdict": self.verdict,
            "strength": self.strength,
            "late_lower": self.late_lower,
            "late_upper": self.late_upper,
            "result": self.result,
        }


def judge_test(budget: RatingBudget, evidence: RunEvidence) -> JudgedTest:
    """Return what a test says of a budget."""
    assessment = judge_budget(budget, evidence, bins=DISPLAY_BINS)
    limits = _limits(assessment)
    words = stated(assessment)
    by_hour = isinstance(budget, ExceedanceBudget) and budget.certification and budget.certification.decides
    return JudgedTest(
        words["verdict"],
        words["strength"],
        limits[0]["lower_ratio"] if limits else None,
        limits[0]["upper_ratio"] if limits else None,
        {
            **{name: words[name] for name in _STATED},
            "headline": words["headline"]["text"],
            "limits": limits,
            "basis": "every_hour" if by_hour and not evidence.is_published else "whole_run",
        },
    )


_STATED = ("verdict", "strength", "words", "observed", "proven", "reason", "reason_text", "decided_by")


def _limits(assessment: BudgetAssessment) -> list[dict[str, Any]]:
    """Return the shares in the test beside their limits; for transactions the share that is late."""
    budget, judgement = assessment.budget, assessment.judgement
    if isinstance(budget, TransactionBudget):
        if judgement.observed.bounds is None:
            return []
        late = judgement.observed.bounds.of_the_rest
        return [
            {
                "threshold_ns": budget.window_ns,
                "limit_ratio": 1.0 - budget.objective_ratio,
                "lower_ratio": max(0.0, late.lower),
                "upper_ratio": min(1.0, late.upper),
                "verdict": judgement.verdict.value,
                "strength": strength_of(judgement),
            }
        ]
    rows = assessment.limits.rows if assessment.limits else ()
    return [
        {
            "threshold_ns": row.measured.threshold_ns,
            "limit_ratio": limit.ratio,
            "lower_ratio": row.measured.share_lower,
            "upper_ratio": row.measured.share_upper,
            "verdict": row.judgement.verdict.value,
            "strength": strength_of(row.judgement),
        }
        for row, limit in zip(rows, getattr(budget, "limits", ()), strict=True)
    ]


def published_evidence(record: KnotsRecord, clock: str, duration_ns: int | None) -> RunEvidence:
    """Return what a published test is judged by: as `evidence.publication`, on one clock."""
    measured_ns = duration_ns or 0
    operation = OperationEvidence("read", clock, record, measured_ns=measured_ns)
    return RunEvidence((operation,), measured_ns=measured_ns, is_published=True)


class JudgedTests:
    """What one process remembers of questions of visitors' own. Threads may share it."""

    def __init__(self, runs: KeptRuns | None = None) -> None:
        self._judged: LRUCache[tuple[bytes, str], JudgedTest] = LRUCache(_JUDGED_KEPT)
        self._lock = Lock()
        self.runs: KeptRuns = RecordCache() if runs is None else runs

    def find(self, names: Mapping[str, bytes], question: str) -> dict[str, JudgedTest]:
        """Return what is remembered of tests, given with their fingerprints."""
        with self._lock:
            found = {name: self._judged.get((fingerprint, question)) for name, fingerprint in names.items()}
        return {name: judged for name, judged in found.items() if judged is not None}

    def keep(self, fingerprint: bytes, question: str, judged: JudgedTest) -> None:
        """Remember a judgement."""
        with self._lock:
            self._judged[fingerprint, question] = judged


@dataclass(frozen=True, slots=True)
class Judged:
    """Tests judged by one question, by their names, and which were not yet."""

    tests: Mapping[str, JudgedTest] = field(default_factory=dict)
    waiting: frozenset[str] = frozenset()


def judge_tests(
    transactions: Transactions,
    memory: JudgedTests,
    organisation_id: UUID | None,
    budget: RatingBudget,
    question: str,
) -> Judged:
    """Return every test that an organisation sees, judged by a budget, as far as there is time."""
    with transactions() as session:
        names = repository.fingerprints(session, repository.counting(organisation_id))
    found = memory.find(names, question)
    waiting = [name for name in names if name not in found]
    until = time.monotonic() + MOST_SECONDS
    while waiting and time.monotonic() < until:
        some, waiting = waiting[:_TOGETHER], waiting[_TOGETHER:]
        with transactions() as session:
            tests = repository.tests(session, repository.named(some), repository.visible(organisation_id))
        for place, test in enumerate(tests):
            if time.monotonic() >= until:
                waiting += [one.test_id for one in tests[place:]]
                break
            judged = judge_test_now(transactions, memory.runs, test, budget)
            memory.keep(test.fingerprint, question, judged)
            found[test.test_id] = judged
    return Judged(found, frozenset(waiting))


def judge_test_now(
    transactions: Transactions, runs: KeptRuns, test: Row[Any], budget: RatingBudget
) -> JudgedTest:
    """Return a test of the table held against a budget: a run by its record, a published one by its own."""
    try:
        if test.run_id is None:
            return judge_test(
                budget, published_evidence(record_of(test.record), test.clock, test.duration_ns)
            )
        return judge_test(budget, _evidence_of_run(transactions, runs, test, budget))
    except DomainError as error:
        return _contradicting(budget, error)


def _contradicting(budget: RatingBudget, error: DomainError) -> JudgedTest:
    words = stated(contradicting(budget, error, 0, DISPLAY_BINS))
    result = {name: words[name] for name in _STATED} | {
        "headline": words["headline"]["text"],
        "limits": [],
        "basis": "whole_run",
    }
    return JudgedTest(Verdict.INDETERMINATE.value, None, None, None, result)


def _evidence_of_run(
    transactions: Transactions, runs: KeptRuns, test: Row[Any], budget: RatingBudget
) -> RunEvidence:
    """Return what `/sla` judges a run by, on the clock of the test. Raises DomainError."""
    with transactions() as session:
        run = session.get(Run, test.run_id)
        if run is None:
            return RunEvidence(())
        if run.visibility == PUBLIC:
            show_runs(session, [run.run_id])
        # Of all clocks at once: a run's tests differ in the clock alone.
        kept = kept_evidence(session, runs, run, Choice(operations_of(budget), plans=plans_of(budget)))
    if kept.contradiction is not None:
        raise kept.contradiction
    evidence = kept.evidence
    return replace(evidence, operations=tuple(one for one in evidence.operations if one.clock == test.clock))
