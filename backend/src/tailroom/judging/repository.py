"""Queries about the verdicts of a run and their data, and a snapshot that shows if these have changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.domain.verdicts.order import BUILT_IN_NAMES, worst_rank
from tailroom.records.repository import RunInUse, hold_state
from tailroom.runs.verdicts import verdict_summaries
from tailroom.storage.run import Run
from tailroom.storage.slices import RUN, AnalysisState, RollupState, Slice
from tailroom.storage.verdicts import VerdictRow
from tailroom.storage.watch import Watch


def interval_count(session: Session, run_id: UUID) -> int:
    """Return the number of rolled-up intervals of all series of a run; 0 without any."""
    query = select(func.coalesce(func.sum(Slice.__table__.c.interval_count), 0))
    return int(session.scalar(query.where(Slice.run_id == run_id, Slice.width == RUN)) or 0)


def verdict_row(
    session: Session, run_id: UUID, budget_name: str, budget_version: int, method_version: int
) -> VerdictRow | None:
    """Return a run's verdict by these versions of budget and method; None without one."""
    return session.scalars(
        select(VerdictRow).where(
            VerdictRow.run_id == run_id,
            VerdictRow.budget_name == budget_name,
            VerdictRow.budget_version == budget_version,
            VerdictRow.method_version == method_version,
        )
    ).one_or_none()


def final_verdict_keys(session: Session, run_id: UUID, method_version: int) -> set[tuple[str, int]]:
    """Return (name, version) of each budget on which a run has a final verdict by this method version."""
    rows = session.execute(
        select(VerdictRow.budget_name, VerdictRow.budget_version).where(
            VerdictRow.run_id == run_id,
            VerdictRow.method_version == method_version,
            ~VerdictRow.provisional,
        )
    )
    return {(name, version) for name, version in rows}


def remove_verdicts(session: Session, run_id: UUID, budgets: Sequence[Budget]) -> None:
    """Delete the verdicts of a run by these budgets, by any version of the method."""
    for budget in budgets:
        session.execute(
            delete(VerdictRow).where(
                VerdictRow.run_id == run_id,
                VerdictRow.budget_name == budget.name,
                VerdictRow.budget_version == budget.version,
            )
        )


def store_worst_verdict(session: Session, run_id: UUID) -> None:
    """Store in a run's row, for lists, the ranks of its worst verdicts by all and by built-in budgets (or
    NULL). Raise RunInUse if another transaction has locked the run: waiting for it could deadlock.
    """
    summaries = verdict_summaries(session, [run_id]).get(run_id, [])
    worst = worst_rank((summary.verdict, summary.strength) for summary in summaries)
    built_in = worst_rank(
        (summary.verdict, summary.strength) for summary in summaries if summary.budget_name in BUILT_IN_NAMES
    )
    columns = (Run.worst_verdict, Run.worst_built_in_verdict)
    if session.execute(select(*columns).where(Run.run_id == run_id)).one_or_none() == (worst, built_in):
        return
    free = select(Run.run_id).where(Run.run_id == run_id).with_for_update(key_share=True, skip_locked=True)
    if session.scalar(free) is None:
        raise RunInUse(f"run {run_id} is being changed while its verdicts are stored")
    session.execute(
        update(Run)
        .where(Run.run_id == run_id)
        .values(worst_verdict=worst, worst_built_in_verdict=built_in)
        .execution_options(synchronize_session=False)
    )


def watches_anything(session: Session, organisation_id: UUID) -> bool:
    """Return whether an organisation has any watch."""
    query = select(Watch.watch_id).where(Watch.organisation_id == organisation_id).limit(1)
    return session.scalar(query) is not None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Versions of the data of a run from which verdicts and findings follow."""

    run: tuple[Any, ...]
    watermarks: tuple[tuple[int, int], ...]
    """Number and last rolled-up sequence number of each rolled-up series."""

    @classmethod
    def of(cls, session: Session, run_id: UUID) -> "Snapshot | None":
        """Return the snapshot in this transaction; None if there is no such run."""
        columns = (Run.content_sha256, Run.state, Run.outcome, Run.outcome_reason, Run.finish, Run.disclosed)
        row = session.execute(select(*columns).where(Run.run_id == run_id)).one_or_none()
        if row is None:
            return None
        marks = select(RollupState.series_no, RollupState.through_seq).where(RollupState.run_id == run_id)
        rows = session.execute(marks.order_by(RollupState.series_no))
        return cls(tuple(row), tuple((number, through) for number, through in rows))

    def hold(self, session: Session, run_id: UUID) -> AnalysisState:
        """Lock the analysis state until the transaction ends, and return it. Raise RunInUse if the run has
        changed since the snapshot, or another process has locked its state.
        """
        state = hold_state(session, run_id)
        if Snapshot.of(session, run_id) != self:
            raise RunInUse(f"run {run_id} has changed while it was judged")
        return state
