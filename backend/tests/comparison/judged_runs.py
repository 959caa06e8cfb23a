"""Judged runs for the tests of comparisons."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any
from uuid import UUID

from backend.tests.analysis.recording import (
    MOMENT,
    SeriesSpec,
    add_ended_run,
    look_at_run,
    steady,
)
from sqlalchemy import delete

from tailroom.kit.db import Database
from tailroom.storage.run import Run
from tailroom.storage.work import WorkRow


@contextmanager
def judged_runs(database: Database, organisation: str) -> Iterator[Callable[..., UUID]]:
    """Yield a function that stores a judged run of an organisation; the runs are deleted at the end."""
    made: list[UUID] = []

    def add(
        specs: Sequence[SeriesSpec], began: datetime = MOMENT, host: dict[str, Any] | None = None, **more: Any
    ) -> UUID:
        # Of a workload without questions about transactions: their model takes most of the time of judging.
        of_run = {"workload": "reads"} | more
        with database.transaction() as session:
            run_id = add_ended_run(session, specs, organisation=organisation, **of_run)
            run = session.get_one(Run, run_id)
            run.started_at, run.host = began, host or run.host
            look_at_run(session, run_id, MOMENT)
        made.append(run_id)
        return run_id

    yield add
    with database.transaction() as session:
        session.execute(delete(WorkRow).where(WorkRow.subject.in_(made)))
        session.execute(delete(Run).where(Run.run_id.in_(made)))


def steady_runs(store_judged: Callable[..., UUID]) -> Callable[..., UUID]:
    """Return a function that stores a judged run of one operation at a steady latency."""

    def add(latency_ns: int = 400_000, seed: int = 1, **more: Any) -> UUID:
        of_run = {name: more.pop(name) for name in ("plan", "host", "workload", "began") if name in more}
        operation, reads = more.pop("operation", "read"), more.pop("reads", 500)
        return store_judged([SeriesSpec(operation, steady(reads, 120, latency_ns, seed), **more)], **of_run)

    return add
