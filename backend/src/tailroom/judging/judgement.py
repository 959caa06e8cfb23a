"""What the workers do about a run: roll up what has arrived, judge it where that is due, and audit it.

Runs that still go on are judged now and then (`TAILROOM_LIVE_VERDICT_PAUSE_S`), on a coarser grid; a run that
is finished and complete is judged once more, on the full grid, and then left alone until the method or its
budgets change. A new budget then adds its verdict; those that were reached before stay as they are.

Reading, calculating and writing are three things: a transaction is open only to read and to write. Two
workers at one run waste one calculation at most, because the second one finds that what it has read does not
hold any more.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.budgets.service import RunBudgets, budgets_for_run
from tailroom.catalogue.disclosure import ACT_STORAGE
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.plausibility import AUDIT_VERSION
from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.judging import repository
from tailroom.judging.findings import audit_record, store_findings
from tailroom.judging.snapshot import Snapshot
from tailroom.judging.verdicts import Judged, can_be_asked, judge_run
from tailroom.kit import tracing
from tailroom.kit.identifiers import new_id
from tailroom.kit.notifier import Changed
from tailroom.kit.transactions import Transactions
from tailroom.records.rollup import roll_up
from tailroom.records.run_record import RunRecord, load_record
from tailroom.storage.run import FINISHED, UPLOAD, Run
from tailroom.storage.slices import AnalysisState
from tailroom.storage.verdicts import VerdictRow
from tailroom.work.kinds import AUDIT, DRAW, RATE, WATCH
from tailroom.work.outbox import make_due

LIVE_PAUSE = timedelta(seconds=2)
"""Least time between two judgements of a run that still goes on, unless the installation wants another."""
LIVE_AUDIT_PAUSE = timedelta(seconds=10)
"""Likewise between a judgement and the audit that follows it."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What judging a run has changed."""

    run_state: str
    rolled_up: int
    judged: bool
    again_at: datetime | None = None
    """When the rest has to be judged: the run goes on, and was judged just now."""

    @property
    def changed(self) -> list[Changed]:
        """In the words of the live event."""
        words: list[Changed] = []
        if self.rolled_up:
            words.append("slices")
        if self.judged:
            words.append("verdicts")
        return words


@dataclass(frozen=True, slots=True)
class _Question:
    """What a run is to be judged by, and what of it was read."""

    run: Run
    snapshot: Snapshot
    record: RunRecord
    wanted: RunBudgets
    budgets: tuple[Budget, ...]


def judge(
    transactions: Transactions,
    run_id: UUID,
    now: datetime,
    lane: str | None = None,
    live_pause: timedelta = LIVE_PAUSE,
) -> Judgement | None:
    """Rolls up one run and judges it where that is due; what follows from that is due in the same lane. None
    when there is no such run.

    Raises RunInUse where somebody changes it at the same time.
    """
    with tracing.span("roll up"):
        rolled_up = roll_up(transactions, run_id)
    with transactions() as session:
        run = session.get(Run, run_id, populate_existing=True)
        state = session.get(AnalysisState, run_id, populate_existing=True)
        if run is None or state is None:
            return None
        wanted = budgets_for_run(session, run)
        if not _is_due(state, run.state, wanted.digest, now - live_pause):
            return Judgement(run.state, rolled_up, False, _again_at(session, run, state, live_pause))
        question = _read(session, transactions, run, state, wanted)
    asked, refused = _asked(question)
    with tracing.span("judge budgets", budgets=len(asked)):
        found = judge_run(question.record, asked)
    final = question.record.is_final
    with tracing.span("store verdicts", verdicts=len(found)), transactions() as session:
        state = question.snapshot.hold(session, run_id)
        repository.remove_verdicts(session, run_id, refused)
        _store(session, run, found, now)
        _note(session, state, question, final, now)
        repository.note_worst(session, run_id)
        _make_followers_due(session, state, run, now, lane)
    return Judgement(run.state, rolled_up, True)


def audit(transactions: Transactions, run_id: UUID) -> str | None:
    """Audits one run as it is rolled up; its state. None when there is no such run. Raises RunInUse."""
    with transactions() as session:
        run, snapshot = session.get(Run, run_id, populate_existing=True), Snapshot.of(session, run_id)
        if run is None or snapshot is None or session.get(AnalysisState, run_id) is None:
            return None
        record = load_record(session, run, coarse=run.state != FINISHED, transactions=transactions)
    found = audit_record(record)
    with transactions() as session:
        state = snapshot.hold(session, run_id)
        store_findings(session, run, found)
        state.audit_version = AUDIT_VERSION
        session.flush()
    return run.state


def _read(
    session: Session, transactions: Transactions, run: Run, state: AnalysisState, wanted: RunBudgets
) -> _Question:
    snapshot = Snapshot.of(session, run.run_id)
    assert snapshot is not None  # noqa: S101 - the run was read by this transaction
    budgets = wanted.budgets
    if _only_budgets_are_new(state, run.state):
        kept = repository.final_verdict_keys(session, run.run_id, METHOD_VERSION)
        budgets = tuple(one for one in budgets if (one.name, one.version) not in kept)
    record = load_record(session, run, coarse=run.state != FINISHED, transactions=transactions)
    return _Question(run, snapshot, record, wanted, budgets)


def _asked(question: _Question) -> tuple[tuple[Budget, ...], tuple[Budget, ...]]:
    """Budgets that can be asked about a run, and those that cannot."""
    budgets = question.budgets
    if _is_before_measuring(question.run):
        return (), budgets
    if question.run.source != UPLOAD:
        return budgets, ()
    asked = tuple(budget for budget in budgets if can_be_asked(question.record, budget))
    # What a shorter copy of the file had, a longer one may lack.
    return asked, tuple(budget for budget in budgets if budget not in asked)


def _is_before_measuring(run: Run) -> bool:
    """Whether it is a phase that fills a database or warms it up: nobody's requests, so no verdict."""
    job = run.plan.get("job")
    return isinstance(job, dict) and job.get("kind") in ("load", "warm-up")


def _note(session: Session, state: AnalysisState, question: _Question, final: bool, now: datetime) -> None:
    """What the verdicts rest on."""
    state.budgets_digest = question.wanted.digest
    state.method_version = METHOD_VERSION
    state.judged_intervals = question.record.interval_count
    state.judged_state = question.run.state
    state.is_final = final
    state.computed_at = now
    session.flush()


def _make_followers_due(
    session: Session, state: AnalysisState, run: Run, now: datetime, lane: str | None
) -> None:
    """Findings, pictures and tested loads follow the verdicts, as works of their own."""
    at_once = state.is_final or state.audit_version == 0
    audit_at = now if at_once else now + LIVE_AUDIT_PAUSE
    make_due(session, AUDIT, run.run_id, run.organisation_id, audit_at, anew=at_once, lane=lane)
    if state.is_final:
        make_due(session, DRAW, run.run_id, run.organisation_id, now, anew=True, lane=lane)
    if state.is_final and repository.watches_anything(session, run.organisation_id):
        make_due(session, WATCH, run.run_id, run.organisation_id, now, anew=True)
    if state.is_final and run.workload == ACT_STORAGE:
        make_due(session, RATE, run.run_id, run.organisation_id, now, anew=True, lane=lane)


def _is_due(state: AnalysisState, run_state: str, digest: bytes, unless_after: datetime) -> bool:
    if state.method_version != METHOD_VERSION or state.judged_state != run_state:
        return True
    if state.budgets_digest != digest:
        return True
    if state.is_final:
        return False
    return run_state == FINISHED or state.computed_at is None or state.computed_at <= unless_after


def _again_at(session: Session, run: Run, state: AnalysisState, live_pause: timedelta) -> datetime | None:
    """When the pause of a run that goes on is over, where something has come meanwhile."""
    if state.is_final or state.computed_at is None:
        return None
    if repository.counted(session, run.run_id) == state.judged_intervals:
        return None
    return state.computed_at + live_pause


def _only_budgets_are_new(state: AnalysisState, run_state: str) -> bool:
    """Data, state and method are those of the final verdicts; only the list of budgets is another one.

    Verdicts that exist are not reached again then: retention may have taken intervals that they rest on.
    """
    return state.is_final and state.method_version == METHOD_VERSION and state.judged_state == run_state


def _store(session: Session, run: Run, judged: Sequence[Judged], now: datetime) -> None:
    """Replaces the verdicts of this version of the method; equal ones stay untouched, with their time."""
    for one in judged:
        row = repository.verdict_row(session, run.run_id, one.budget.name, one.budget.version, METHOD_VERSION)
        if row is not None and row.fingerprint == one.fingerprint and row.result == one.result:
            continue
        if row is None:
            row = VerdictRow(
                run_id=run.run_id,
                verdict_id=new_id(),
                organisation_id=run.organisation_id,
                budget_name=one.budget.name,
                budget_version=one.budget.version,
                method_version=METHOD_VERSION,
            )
            session.add(row)
        row.kind = one.kind
        row.verdict = one.judgement.verdict.value
        row.strength = one.judgement.strength.value if one.judgement.strength else None
        row.reason = one.judgement.reason.value if one.judgement.reason else None
        row.provisional = one.provisional
        row.data_through_ns = one.data_through_ns
        row.fingerprint = one.fingerprint
        row.result = one.result
        row.computed_at = now
