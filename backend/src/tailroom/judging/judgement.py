"""Roll up, judge and audit a run.

Rolling up adds new intervals to slices. Unfinished runs are judged at intervals
(`TAILROOM_LIVE_VERDICT_PAUSE_S`), in coarser steps of time; a finished and complete run once more, in full
resolution, and again only if the method or its budgets change. A new budget then adds its verdict; existing
verdicts remain. No transaction is open during a computation. Of two workers at the same run, the second finds
that its snapshot has changed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.budgets.service import budgets_for_run
from tailroom.catalogue.disclosure import ACT_STORAGE
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.plausibility import AUDIT_VERSION
from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.judging import repository
from tailroom.judging.drive_counters import drive_summaries
from tailroom.judging.findings import audit_record, store_findings
from tailroom.judging.repository import Snapshot
from tailroom.judging.run_verdicts import JudgedBudget, can_be_asked, judge_run
from tailroom.kit import tracing
from tailroom.kit.identifiers import new_id
from tailroom.kit.notifier import Changed
from tailroom.kit.transactions import Transactions
from tailroom.records.rollup import roll_up
from tailroom.records.run_record import RunRecord, load_record
from tailroom.runs.service import phase_kind
from tailroom.storage.run import FINISHED, UPLOAD, Run
from tailroom.storage.slices import AnalysisState
from tailroom.storage.verdicts import VerdictRow
from tailroom.work.kinds import AUDIT, DRAW, RATE, WATCH
from tailroom.work.outbox import make_due

LIVE_AUDIT_PAUSE = timedelta(seconds=10)
"""Least time between a judgement of an unfinished run and its audit."""


@dataclass(frozen=True, slots=True)
class JudgementChanges:
    """The result of a judgement: the run's state, intervals due for roll-up, and whether it was judged."""

    run_state: str
    rolled_up: int
    judged: bool
    again_at: datetime | None = None
    """When an unfinished run that was judged too recently is due again; None: not by time."""

    @property
    def changed(self) -> list[Changed]:
        """The changed parts as named in live events: `slices`, `verdicts`, both or none."""
        parts: dict[Changed, bool] = {"slices": self.rolled_up > 0, "verdicts": self.judged}
        return [part for part, has_changed in parts.items() if has_changed]


def judge(
    transactions: Transactions,
    run_id: UUID,
    now: datetime,
    lane: str | None = None,
    *,
    live_pause: timedelta = timedelta(0),
) -> JudgementChanges | None:
    """Roll up a run and judge it if its verdicts are stale; findings and other dependent work become due in
    the queue `lane` (None: the default of each kind). An unfinished run is judged again after `live_pause` at
    the earliest. Verdicts on budgets that no longer apply are deleted. Return None if there is no such run.
    Raise IntervalsLost if due intervals are not stored, RunInUse if the run changes meanwhile.
    """
    with tracing.span("roll up"):
        rolled_up = roll_up(transactions, run_id)
    with transactions() as session:
        run = session.get(Run, run_id, populate_existing=True)
        state = session.get(AnalysisState, run_id, populate_existing=True)
        if run is None or state is None:
            return None
        run_budgets = budgets_for_run(session, run)
        if not _is_due(state, run.state, run_budgets.digest, now - live_pause):
            return JudgementChanges(run.state, rolled_up, False, _again_at(session, run, state, live_pause))
        snapshot = Snapshot.of(session, run_id)
        assert snapshot is not None  # noqa: S101 - the run was read by this transaction
        budgets = run_budgets.budgets
        if _only_budgets_are_new(state, run.state):
            final = repository.final_verdict_keys(session, run_id, METHOD_VERSION)
            budgets = tuple(budget for budget in budgets if (budget.name, budget.version) not in final)
        record = load_record(session, run, coarse=run.state != FINISHED, transactions=transactions)
    applicable = _applicable(run, record, budgets)
    with tracing.span("judge budgets", budgets=len(applicable)):
        verdicts = judge_run(record, applicable)
    with tracing.span("store verdicts", verdicts=len(verdicts)), transactions() as session:
        state = snapshot.hold(session, run_id)
        # A budget may no longer apply after a longer copy of the file has arrived.
        repository.remove_verdicts(session, run_id, [each for each in budgets if each not in applicable])
        _store(session, run, verdicts, now)
        _store_state(session, state, record, run_budgets.digest, now)
        repository.store_worst_verdict(session, run_id)
        _make_dependents_due(session, state, run, now, lane)
    return JudgementChanges(run.state, rolled_up, True)


def audit(transactions: Transactions, run_id: UUID) -> str | None:
    """Audit a rolled-up run, replace its findings, and return the run's state; None if there is no such run.
    Raise RunInUse if the run changes meanwhile.
    """
    with transactions() as session:
        run, snapshot = session.get(Run, run_id, populate_existing=True), Snapshot.of(session, run_id)
        if run is None or snapshot is None or session.get(AnalysisState, run_id) is None:
            return None
        record = load_record(session, run, coarse=run.state != FINISHED, transactions=transactions)
        drives = drive_summaries(session, run)
    findings = audit_record(record, drives)
    with transactions() as session:
        state = snapshot.hold(session, run_id)
        store_findings(session, run, findings)
        state.audit_version = AUDIT_VERSION
        session.flush()
    return run.state


def _applicable(run: Run, record: RunRecord, budgets: Sequence[Budget]) -> Sequence[Budget]:
    """Return the budgets that apply: none to a run that only fills a database or warms it up."""
    if phase_kind(run.plan) is not None:
        return ()
    if run.source != UPLOAD:
        return budgets
    return [budget for budget in budgets if can_be_asked(record, budget)]


def _store_state(
    session: Session, state: AnalysisState, record: RunRecord, budgets_digest: bytes, now: datetime
) -> None:
    state.budgets_digest = budgets_digest
    state.method_version = METHOD_VERSION
    state.judged_intervals = record.interval_count
    state.judged_state = record.run.state
    state.is_final = record.is_final
    state.computed_at = now
    session.flush()


def _make_dependents_due(
    session: Session, state: AnalysisState, run: Run, now: datetime, lane: str | None
) -> None:
    """Make the audit due, and for final verdicts also pictures, watches and the rating."""
    at_once = state.is_final or state.audit_version == 0
    audit_at = now if at_once else now + LIVE_AUDIT_PAUSE
    make_due(session, AUDIT, run.run_id, run.organisation_id, audit_at, reset=at_once, lane=lane)
    if state.is_final:
        make_due(session, DRAW, run.run_id, run.organisation_id, now, reset=True, lane=lane)
    if state.is_final and repository.watches_anything(session, run.organisation_id):
        make_due(session, WATCH, run.run_id, run.organisation_id, now, reset=True)
    if state.is_final and run.workload == ACT_STORAGE:
        make_due(session, RATE, run.run_id, run.organisation_id, now, reset=True, lane=lane)


def _is_due(state: AnalysisState, run_state: str, digest: bytes, unless_after: datetime) -> bool:
    """Return whether a run must be judged. An unfinished run that was judged later than `unless_after` is
    only due if its state, the method or budgets have changed.
    """
    current = (METHOD_VERSION, run_state, digest)
    if (state.method_version, state.judged_state, state.budgets_digest) != current:
        return True
    if state.is_final:
        return False
    return run_state == FINISHED or state.computed_at is None or state.computed_at <= unless_after


def _again_at(session: Session, run: Run, state: AnalysisState, live_pause: timedelta) -> datetime | None:
    """Return when an unfinished run with new intervals is judged again, after its pause; else None."""
    if state.is_final or state.computed_at is None:
        return None
    if repository.interval_count(session, run.run_id) == state.judged_intervals:
        return None
    return state.computed_at + live_pause


def _only_budgets_are_new(state: AnalysisState, run_state: str) -> bool:
    """Return whether final verdicts stay: retention may have removed their intervals."""
    return state.is_final and state.method_version == METHOD_VERSION and state.judged_state == run_state


def _store(session: Session, run: Run, verdicts: Sequence[JudgedBudget], now: datetime) -> None:
    """Insert or update the verdicts by this version of the method; equal verdicts keep their time."""
    for judged in verdicts:
        row = repository.verdict_row(
            session, run.run_id, judged.budget.name, judged.budget.version, METHOD_VERSION
        )
        if row is not None and row.fingerprint == judged.fingerprint and row.result == judged.result:
            continue
        if row is None:
            row = VerdictRow(
                run_id=run.run_id,
                verdict_id=new_id(),
                organisation_id=run.organisation_id,
                budget_name=judged.budget.name,
                budget_version=judged.budget.version,
                method_version=METHOD_VERSION,
            )
            session.add(row)
        judgement = judged.judgement
        row.kind = judged.kind
        row.verdict = judgement.verdict.value
        row.strength = judgement.strength.value if judgement.strength else None
        row.reason = judgement.reason.value if judgement.reason else None
        row.provisional = judged.provisional
        row.data_through_ns = judged.data_through_ns
        row.fingerprint = judged.fingerprint
        row.result = judged.result
        row.computed_at = now
