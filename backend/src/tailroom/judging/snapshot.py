"""Snapshot of a run's inputs, so that a result is written only if they have not changed."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from tailroom.judging import repository
from tailroom.records.repository import RunInUse, hold_state
from tailroom.storage.run import Run
from tailroom.storage.slices import AnalysisState


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Versions of the data of a run from which verdicts and findings follow."""

    run: tuple[Any, ...]
    watermarks: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, session: Session, run_id: UUID) -> "Snapshot | None":
        """Return the snapshot in this transaction; None if there is no such run."""
        columns = (Run.content_sha256, Run.state, Run.outcome, Run.outcome_reason, Run.finish, Run.disclosed)
        row = session.execute(select(*columns).where(Run.run_id == run_id)).one_or_none()
        return None if row is None else cls(tuple(row), repository.watermarks(session, run_id))

    def hold(self, session: Session, run_id: UUID) -> AnalysisState:
        """Lock the analysis state until the transaction ends, and return it.

        Raise RunInUse if the run has changed since the snapshot, its state is gone, or another process has
        locked it.
        """
        state = hold_state(session, run_id)
        if Snapshot.of(session, run_id) != self:
            raise RunInUse(f"run {run_id} has changed while it was judged")
        return state
