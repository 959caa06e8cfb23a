"""What every test of a board says of a question: by limits at once, by transactions as far as shares decide.

What shares leave open goes to the judge of transactions: a run is read from its record as `/sla` reads it, a
published test from its shares. That takes time, so what he said is kept by test and question, and one answer
looks at open tests for `MOST_SECONDS` at most; the rest is said to be not judged yet.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from sqlalchemy import Row

from tailroom.domain.errors import DomainError
from tailroom.domain.rating.judging import Basis, Codes, Doubt, Floats, Ints, Knots, State, Why, judge_limits
from tailroom.domain.rating.late_transactions import independent_late, late_shares
from tailroom.domain.rating.share_judgements import JudgedTest, by_shares
from tailroom.domain.verdicts.budget_kinds import ExceedanceBudget, TransactionBudget
from tailroom.domain.verdicts.evidence import RunEvidence
from tailroom.domain.verdicts.judge_budget import DISPLAY_BINS, judge_budget
from tailroom.domain.verdicts.verdict import Reason, Verdict
from tailroom.evidence.reader import Choice, KeptRuns, kept_evidence
from tailroom.evidence.source import operations_of, plans_of
from tailroom.kit.db import show_runs
from tailroom.kit.transactions import Transactions
from tailroom.ratings.board.board import Board
from tailroom.ratings.board.kept import Kept
from tailroom.ratings.questions.question import Question
from tailroom.records.cache import RecordCache
from tailroom.storage.run import PUBLIC, Run

MOST_SECONDS = 0.15
"""Rows are shown meanwhile, and whoever looks at them asks again."""
TOGETHER = 16
"""Tests between two looks at the clock, at most."""
BETWEEN_LOOKS_S = 0.05
JUDGED_KEPT = 200_000

_WHY = {
    Reason.RESOLUTION: Why.RESOLUTION,
    Reason.SAMPLES: Why.SAMPLES,
    Reason.DURATION: Why.DURATION,
    Reason.GENERATOR: Why.GENERATOR,
}


@dataclass(frozen=True, slots=True, eq=False)
class Decided:
    """For each test: state, reason, basis; and for each limit the ends of the share that it is about."""

    state: Codes
    why: Codes
    basis: Codes
    ends: Floats
    """By limit, end (lower, upper) and test."""
    is_complete: bool


@dataclass(frozen=True, slots=True)
class JudgedTests:
    """What the judge of transactions said, by test and question, and the records of runs that he reads."""

    said: Kept[tuple[bytes, str], JudgedTest] = field(default_factory=lambda: Kept(JUDGED_KEPT))
    runs: KeptRuns = field(default_factory=RecordCache)


def decide(transactions: Transactions, board: Board, question: Question, judged: JudgedTests) -> Decided:
    """Every test of a board against a question."""
    knots = board.knots if question.as_labelled else board.timed_knots
    budget = question.budget
    if isinstance(budget, TransactionBudget):
        return _transactions(transactions, board, knots, question, budget, judged)
    assert isinstance(budget, ExceedanceBudget)  # noqa: S101 - the two kinds of questions
    found = judge_limits(knots, board.facts, budget)
    ends = np.stack([knots.bounds(limit.threshold_ns)[:2] for limit in budget.limits])
    return Decided(found.state, found.why, found.basis, ends, is_complete=True)


@dataclass(frozen=True, slots=True, eq=False)
class _Opened:
    """What shares alone say of a question about transactions, and which tests they leave to the judge."""

    state: Codes
    why: Codes
    ends: Floats
    to_judge: Ints


def _transactions(  # noqa: PLR0917 - what it is about, and where it reads and keeps
    transactions: Transactions,
    board: Board,
    knots: Knots,
    question: Question,
    budget: TransactionBudget,
    judged: JudgedTests,
) -> Decided:
    opened: _Opened | None = board.opened.get(question.fingerprint)
    if opened is None:
        opened = _opened(board, knots, budget)
        board.opened.put(question.fingerprint, opened)
    state, why, ends = opened.state.copy(), opened.why.copy(), opened.ends.copy()
    found: dict[int, JudgedTest] = {}
    waiting: list[int] = []
    for place in opened.to_judge.tolist():
        known = judged.said.get((board.tests[place].fingerprint, question.fingerprint))
        if known is None:
            waiting.append(place)
        else:
            found[place] = known
    until = time.monotonic() + MOST_SECONDS
    size = 1
    while waiting and (began := time.monotonic()) < until:
        some, waiting = waiting[:size], waiting[size:]
        for place, said in zip(
            some, _judge(transactions, board, knots, some, (budget, judged.runs)), strict=True
        ):
            judged.said.put((board.tests[place].fingerprint, question.fingerprint), said)
            found[place] = said
        # Shares are judged faster together; records of runs and simulations each take their time.
        is_fast = time.monotonic() - began < BETWEEN_LOOKS_S
        size = min(TOGETHER, 2 * size) if is_fast else max(1, size // 2)
    for place, said in found.items():
        state[place], why[place] = said.state, said.why
        ends[0, place] = max(ends[0, place], said.late_lower)
        ends[1, place] = min(ends[1, place], said.late_upper)
    why[waiting] = Why.NOT_JUDGED
    why[state != State.UNDECIDED] = Why.DECIDED
    basis = np.full(len(board.tests), Basis.WHOLE_RUN, np.int8)
    return Decided(state, why, basis, ends[None], is_complete=not waiting)


def _opened(board: Board, knots: Knots, budget: TransactionBudget) -> _Opened:
    late = late_shares(knots, budget)
    allowed = 1.0 - budget.objective_ratio
    facts = board.facts
    # Of tests without a run nothing but shares is on record: reads count as independent, as for the judge.
    alone = facts.is_published
    independent = independent_late(knots, budget)
    passes = (late[3] <= allowed) | (alone & independent.passes(allowed))
    fails = (late[2] > allowed) | (alone & independent.fails(allowed))
    passed = passes & (facts.doubt == Doubt.NONE)
    failed = fails & (facts.doubt != Doubt.NO_VERDICT)
    state = np.where(failed, State.FAILED, np.where(passed, State.PASSED, State.UNDECIDED)).astype(np.int8)
    open_ = state == State.UNDECIDED
    hopeless = alone & independent.is_hopeless(allowed)
    why = np.where(hopeless, Why.RESOLUTION, Why.NOT_JUDGED).astype(np.int8)
    why[facts.doubt != Doubt.NONE] = Why.GENERATOR
    ends = late[:2].copy()
    ends[0, alone] = np.maximum(ends[0], independent.fastest[0])[alone]
    ends[1, alone] = np.minimum(ends[1], independent.slowest[1])[alone]
    to_judge = np.flatnonzero(open_ & ~hopeless & (board.row_of >= 0)).astype(np.int64)
    return _Opened(state, why, ends, to_judge)


def _judge(
    transactions: Transactions,
    board: Board,
    knots: Knots,
    places: Sequence[int],
    asked: tuple[TransactionBudget, KeptRuns],
) -> list[JudgedTest]:
    """What the records of runs say; of tests without one, what their shares say of independent reads."""
    budget, runs = asked
    found: dict[int, JudgedTest] = {}
    for place in places:
        test = board.tests[place]
        evidence = None if test.run_id is None else _evidence_of_run(transactions, runs, test, budget)
        if evidence is not None:
            found[place] = _by_record(evidence, budget)
    alone = [place for place in places if place not in found]
    found.update(zip(alone, by_shares(knots, alone, budget), strict=True))
    return [found[place] for place in places]


def _by_record(evidence: RunEvidence, budget: TransactionBudget) -> JudgedTest:
    found = judge_budget(budget, evidence, bins=DISPLAY_BINS)
    figures = found.summary()
    p_lower, p_upper = figures["p_lower"], figures["p_upper"]
    late_lower = 0.0 if p_upper is None else 1.0 - p_upper
    late_upper = 1.0 if p_lower is None else 1.0 - p_lower
    match found.judgement.verdict:
        case Verdict.PASS:
            return JudgedTest(State.PASSED, Why.DECIDED, late_lower, late_upper)
        case Verdict.FAIL:
            return JudgedTest(State.FAILED, Why.DECIDED, late_lower, late_upper)
    reason = found.judgement.reason
    why = Why.METADATA if reason is None else _WHY.get(reason, Why.METADATA)
    return JudgedTest(State.UNDECIDED, why, late_lower, late_upper)


def _evidence_of_run(
    transactions: Transactions, runs: KeptRuns, test: Row[Any], budget: TransactionBudget
) -> RunEvidence | None:
    """What `/sla` judges a run by at once, on the clock of the test; none where the run has gone in the
    meantime, or contradicts itself.
    """
    with transactions() as session:
        run = session.get(Run, test.run_id)
        if run is None:
            return None
        if run.visibility == PUBLIC:
            show_runs(session, [run.run_id])
        # Of all clocks at once: a run's tests differ in the clock alone, and the next one finds it kept.
        choice = Choice(operations_of(budget), plans=plans_of(budget))
        kept = kept_evidence(session, runs, run, choice)
    try:
        found = kept.evidence
    except DomainError:
        return None
    chosen = tuple(one for one in found.operations if one.clock == test.clock)
    return replace(found, operations=chosen) if chosen else None
