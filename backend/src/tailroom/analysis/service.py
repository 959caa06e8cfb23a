"""What happens when somebody looks at a run: roll up what has arrived, then judge it again if that is due.

Runs that still go on are judged at most every two seconds, on a coarser grid; a run that is finished and
complete is judged once more, on the full grid, and then left alone until the method or its budgets change.
A new budget then adds its verdict; those that were reached before stay as they are.
Whenever a run is judged it is audited too, in the same transaction; when the checks change, every run is
audited again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.analysis import repository
from tailroom.analysis.auditing import audit_record, store_findings
from tailroom.analysis.judging import Judged, can_be_asked, is_final, judge_run
from tailroom.analysis.record import RunRecord, load_record
from tailroom.analysis.rollup import roll_up
from tailroom.budgets.service import budgets_for_runs, digests_of_workloads
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.plausibility import AUDIT_VERSION
from tailroom.kit.identifiers import new_id
from tailroom.kit.notifier import Changed
from tailroom.storage.run import FINISHED, UPLOAD
from tailroom.storage.slices import AnalysisState
from tailroom.storage.verdicts import VerdictRow

LIVE_PAUSE = timedelta(seconds=2)
"""Least time between two judgements of a run that still goes on."""


@dataclass(frozen=True, slots=True)
class Looked:
    """What a look at a run has changed."""

    run_state: str
    rolled_up: int
    judged: bool
    audited: bool

    @property
    def changed(self) -> list[Changed]:
        """In the words of the live event."""
        words: list[Changed] = []
        if self.rolled_up:
            words.append("slices")
        if self.judged or self.audited:
            words.append("verdicts")
        return words


def look_at_run(session: Session, run_id: UUID, now: datetime) -> Looked | None:
    """Rolls up, judges and audits one run in the caller's transaction. None when there is no such run."""
    locked = repository.lock_analysis(session, run_id)
    if locked is None:
        return None
    run, state = locked
    rolled_up = roll_up(session, run_id)
    uploaded = run.source == UPLOAD
    wanted = budgets_for_runs(session, run.organisation_id, run.workload, uploaded=uploaded)
    budgets = wanted.budgets
    judged = _is_due(state, run.state, wanted.digest, now)
    audited = judged or state.audit_version != AUDIT_VERSION
    record = load_record(session, run, coarse=run.state != FINISHED) if audited else None
    if judged and record is not None:
        if _only_budgets_are_new(state, run.state):
            kept = repository.final_verdict_keys(session, run_id, METHOD_VERSION)
            budgets = tuple(one for one in budgets if (one.name, one.version) not in kept)
        if uploaded:
            asked = [budget for budget in budgets if can_be_asked(record, budget)]
            # What a shorter copy of the file had, a longer one may lack.
            repository.remove_verdicts(session, run_id, [one for one in budgets if one not in asked])
            budgets = tuple(asked)
        _store(session, record, judge_run(record, budgets), now)
        state.budgets_digest = wanted.digest
        state.method_version = METHOD_VERSION
        state.judged_intervals = record.interval_count
        state.judged_state = run.state
        state.is_final = is_final(record)
        state.computed_at = now
    if record is not None:
        store_findings(session, run, audit_record(record))
        state.audit_version = AUDIT_VERSION
    session.flush()
    return Looked(run.state, rolled_up, judged, audited)


def runs_to_look_at(session: Session, now: datetime, limit: int = 100) -> list[UUID]:
    """Runs whose slices, verdicts or findings lag behind their data or the checks, newest first."""
    digests = digests_of_workloads(session)
    versions = (METHOD_VERSION, AUDIT_VERSION)
    return repository.runs_to_look_at(session, versions, digests, now - LIVE_PAUSE, limit)


def _is_due(state: AnalysisState, run_state: str, digest: bytes, now: datetime) -> bool:
    if state.method_version != METHOD_VERSION or state.judged_state != run_state:
        return True
    if state.budgets_digest != digest:
        return True
    if state.is_final:
        return False
    return run_state == FINISHED or state.computed_at is None or now - state.computed_at >= LIVE_PAUSE


def _only_budgets_are_new(state: AnalysisState, run_state: str) -> bool:
    """Data, state and method are those of the final verdicts; only the list of budgets is another one.

    Verdicts that exist are not reached again then: retention may have taken intervals that they rest on.
    """
    return state.is_final and state.method_version == METHOD_VERSION and state.judged_state == run_state


def _store(session: Session, record: RunRecord, judged: Sequence[Judged], now: datetime) -> None:
    """Replaces the verdicts of this version of the method; equal ones stay untouched, with their time."""
    run = record.run
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
        row.reason = one.judgement.reason.value if one.judgement.reason else None
        row.provisional = one.provisional
        row.data_through_ns = one.data_through_ns
        row.fingerprint = one.fingerprint
        row.result = one.result
        row.computed_at = now
