"""What every test of a board says of a question: by limits at once, by transactions as far as shares decide.

What shares leave open goes to the judge of transactions: a run is read from its record as `/sla` reads it, a
published test from its knots. That takes time, so what he said is kept by test and question, and one answer
looks at open tests for `MOST_SECONDS` at most; the rest is said to be not judged yet.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import Row
from sqlalchemy.orm import Session

from tailroom.analysis.evidence import evidence_of, operations_of
from tailroom.analysis.record import load_record
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.rating.judging import Basis, Codes, Doubt, Floats, Knots, State, Why, judge_limits
from tailroom.domain.rating.late_transactions import cannot_fail, cannot_pass, late_shares
from tailroom.domain.verdicts.budget_kinds import ExceedanceBudget, TransactionBudget
from tailroom.domain.verdicts.evidence import OperationEvidence, RunEvidence
from tailroom.domain.verdicts.judge_budget import DISPLAY_BINS, judge_budget
from tailroom.domain.verdicts.verdict import Reason, Verdict
from tailroom.ratings.board import Board
from tailroom.ratings.kept import Kept
from tailroom.ratings.questions import Question
from tailroom.storage.run import Run

MOST_SECONDS = 2.0
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
class JudgedTest:
    """What the judge of transactions said of a test."""

    state: int
    why: int
    late_lower: float
    late_upper: float


JudgedTests = Kept[tuple[bytes, str], JudgedTest]


def decide(session: Session, board: Board, question: Question, judged: JudgedTests) -> Decided:
    """Every test of a board against a question."""
    knots = board.knots if question.as_labelled else board.timed_knots
    budget = question.budget
    if isinstance(budget, TransactionBudget):
        return _transactions(session, board, knots, question, budget, judged)
    assert isinstance(budget, ExceedanceBudget)  # noqa: S101 - the two kinds of questions
    found = judge_limits(knots, board.facts, budget)
    ends = np.stack([knots.bounds(limit.threshold_ns)[:2] for limit in budget.limits])
    return Decided(found.state, found.why, found.basis, ends, is_complete=True)


def _transactions(  # noqa: PLR0917 - what it is about, and where it reads and keeps
    session: Session,
    board: Board,
    knots: Knots,
    question: Question,
    budget: TransactionBudget,
    judged: JudgedTests,
) -> Decided:
    late = late_shares(knots, budget)
    allowed = 1.0 - budget.objective_ratio
    facts = board.facts
    passed = (late[3] <= allowed) & (facts.doubt == Doubt.NONE)
    failed = (late[2] > allowed) & (facts.doubt != Doubt.NO_VERDICT)
    state = np.where(failed, State.FAILED, np.where(passed, State.PASSED, State.UNDECIDED)).astype(np.int8)
    open_ = state == State.UNDECIDED
    # The judge cannot do better with knots alone where neither answer is within their reach.
    knots_alone = np.array([one.run_id is None or one.clock is None for one in board.tests], np.bool_)
    hopeless = knots_alone & cannot_fail(knots, budget) & cannot_pass(knots, budget)
    why = np.where(hopeless, Why.RESOLUTION, Why.NOT_JUDGED).astype(np.int8)
    why[facts.doubt != Doubt.NONE] = Why.GENERATOR
    ends = late[:2].copy()
    to_judge = np.flatnonzero(open_ & ~hopeless & (board.row_of >= 0))
    until = time.monotonic() + MOST_SECONDS
    complete = True
    for place in to_judge.tolist():
        test = board.tests[place]
        key = (test.fingerprint, question.fingerprint)
        found = judged.get(key)
        if found is None:
            if time.monotonic() > until:
                why[place] = Why.NOT_JUDGED
                complete = False
                continue
            found = _judge(session, test, knots, place, budget)
            judged.put(key, found)
        state[place], why[place] = found.state, found.why
        ends[0, place] = max(ends[0, place], found.late_lower)
        ends[1, place] = min(ends[1, place], found.late_upper)
    why[state != State.UNDECIDED] = Why.DECIDED
    basis = np.full(len(board.tests), Basis.WHOLE_RUN, np.int8)
    return Decided(state, why, basis, ends[None], complete)


def _judge(
    session: Session, test: Row[Any], knots: Knots, place: int, budget: TransactionBudget
) -> JudgedTest:
    evidence = _evidence_of_run(session, test, budget) if test.clock is not None else None
    if evidence is None:
        evidence = _evidence_of_knots(test, knots, place)
    found = judge_budget(budget, evidence, bins=DISPLAY_BINS)
    figures = found.summary()
    p_lower, p_upper = figures["p_lower"], figures["p_upper"]
    late_lower = 0.0 if p_upper is None else 1.0 - p_upper
    late_upper = 1.0 if p_lower is None else 1.0 - p_lower
    verdict = found.judgement.verdict
    if test.run_id is None and p_lower is not None and p_upper is not None:
        # As published: nobody says how many reads there were, so what rounding allows decides.
        if p_lower >= budget.objective_ratio:
            verdict = Verdict.PASS
        elif p_upper < budget.objective_ratio:
            verdict = Verdict.FAIL
    if verdict is not Verdict.INDETERMINATE:
        state = State.PASSED if verdict is Verdict.PASS else State.FAILED
        return JudgedTest(state, Why.DECIDED, late_lower, late_upper)
    reason = found.judgement.reason
    why = Why.METADATA if reason is None else _WHY.get(reason, Why.METADATA)
    if test.run_id is None:
        why = Why.RESOLUTION
    return JudgedTest(State.UNDECIDED, why, late_lower, late_upper)


def _evidence_of_run(session: Session, test: Row[Any], budget: TransactionBudget) -> RunEvidence | None:
    """The coarse record of a run on the clock of the test; none where it has gone in the meantime."""
    run = session.get(Run, test.run_id)
    if run is None:
        return None
    record = load_record(session, run, coarse=True, only=_names(test, budget))
    try:
        evidence = evidence_of(record, operations_of(budget))
    except DomainError:
        return None
    chosen = tuple(one for one in evidence.operations if one.clock == test.clock)
    return RunEvidence(chosen, evidence.measured_ns) if chosen else None


def _names(test: Row[Any], budget: TransactionBudget) -> Sequence[str] | None:
    asked = operations_of(budget)
    return None if asked is None else (*asked, test.operation)


def _evidence_of_knots(test: Row[Any], knots: Knots, place: int) -> RunEvidence:
    """Shares at thresholds as a record: all that is known of a published test."""
    own = slice(int(knots.offsets[place]), int(knots.offsets[place + 1]))
    times, ends = knots.thresholds_ns[knots.at[own]], knots.ends[:, own]
    lower = np.maximum.accumulate(1.0 - ends[1])
    upper = np.minimum.accumulate((1.0 - ends[0])[::-1])[::-1]
    together = zip(times.tolist(), lower.tolist(), np.maximum(lower, upper).tolist(), strict=True)
    record = KnotsRecord(tuple(together), count=test.total_count)
    return RunEvidence(
        (OperationEvidence("read", test.clock or "operation", record, measured_ns=test.duration_ns or 0),),
        measured_ns=test.duration_ns or 0,
    )
