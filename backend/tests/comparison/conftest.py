"""Judged runs of a test's organisation, and the reference data of the package."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from backend.tests.analysis.recording import (
    MOMENT,
    SeriesSpec,
    add_intervals,
    add_run,
    finish,
    look_at_run,
    steady,
)
from sqlalchemy import delete

from tailroom.cli.reference import bring_reference
from tailroom.kit.db import Database
from tailroom.storage.run import Run
from tailroom.storage.work import WorkRow

Header = dict[str, str]


@pytest.fixture(scope="session")
def reference(database: Database) -> None:
    """Catalogue, publications, findings and tests of drives are there."""
    with database.transaction() as session:
        bring_reference(session)


@pytest.fixture
def viewer(make_token: Callable[..., str]) -> Header:
    """Who may read."""
    return {"Authorization": f"Bearer {make_token('viewer')}"}


@pytest.fixture
def store_judged(database: Database, organisation: str) -> Iterator[Callable[..., UUID]]:
    """Stores a judged run of this test's organisation; it goes with the test."""
    made: list[UUID] = []

    def add(
        specs: Sequence[SeriesSpec], began: datetime = MOMENT, host: dict[str, Any] | None = None, **more: Any
    ) -> UUID:
        with database.transaction() as session:
            run_id = add_run(session, specs, organisation=organisation, **more)
            run = session.get_one(Run, run_id)
            run.started_at, run.host = began, host or run.host
            add_intervals(session, run_id, specs)
            finish(session, run_id, specs)
            look_at_run(session, run_id, MOMENT)
        made.append(run_id)
        return run_id

    yield add
    with database.transaction() as session:
        session.execute(delete(WorkRow).where(WorkRow.subject.in_(made)))
        session.execute(delete(Run).where(Run.run_id.in_(made)))


@pytest.fixture
def store_drives(store_judged: Callable[..., UUID]) -> Callable[..., UUID]:
    """Stores a judged run that measured several drives, each with its latency."""

    def add(latencies_ns: Sequence[int], seed: int = 1) -> UUID:
        parts = [steady(500, 30, at_ns, 100 * seed + drive) for drive, at_ns in enumerate(latencies_ns)]
        specs = [SeriesSpec("read", [np.concatenate(row) for row in zip(*parts, strict=True)])]
        specs += [
            SeriesSpec("read", part, device=f"/dev/sd{'abcdefgh'[drive]}") for drive, part in enumerate(parts)
        ]
        return store_judged(specs)

    return add


@pytest.fixture
def store(store_judged: Callable[..., UUID]) -> Callable[..., UUID]:
    """Stores a judged run of one operation at a steady latency."""

    def add(latency_ns: int = 400_000, seed: int = 1, **more: Any) -> UUID:
        of_run = {name: more.pop(name) for name in ("plan", "host", "workload", "began") if name in more}
        operation, reads = more.pop("operation", "read"), more.pop("reads", 500)
        return store_judged([SeriesSpec(operation, steady(reads, 120, latency_ns, seed), **more)], **of_run)

    return add
