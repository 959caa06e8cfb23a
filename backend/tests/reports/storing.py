"""Judged runs for the tests of reports."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from backend.tests.analysis.recording import (
    MOMENT,
    SeriesSpec,
    add_intervals,
    add_run,
    finish,
    look_at_run,
    steady,
)
from sqlalchemy import delete, update

from tailroom.kit.db import Database
from tailroom.storage.run import Run
from tailroom.storage.work import WorkRow

HOSTILE = '<script>alert("x")</script> & "quotes"'


@contextmanager
def stored(database: Database, organisation: str) -> Iterator[Callable[..., UUID]]:
    """Stores judged runs of an organisation; they go with the block."""
    made: list[UUID] = []

    def add(**values: Any) -> UUID:
        specs = [SeriesSpec("read", steady(500, 60)), SeriesSpec("write", steady(200, 60, 900_000, 2))]
        with database.transaction() as session:
            run_id = add_run(session, specs, organisation=organisation)
            add_intervals(session, run_id, specs)
            finish(session, run_id, specs)
            look_at_run(session, run_id, MOMENT)
            if values:
                session.execute(update(Run).where(Run.run_id == run_id).values(**values))
        made.append(run_id)
        return run_id

    yield add
    with database.transaction() as session:
        session.execute(delete(WorkRow).where(WorkRow.subject.in_(made)))
        session.execute(delete(Run).where(Run.run_id.in_(made)))
