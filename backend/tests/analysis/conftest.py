"""A session whose work is taken back, runs of a test's own organisation, and their pages."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import pytest
from backend.tests.analysis.recording import MOMENT, SeriesSpec, add_intervals, add_run, finish, look_at_run
from fastapi.testclient import TestClient
from sqlalchemy.orm import Session

from tailroom.kit.db import Database, make_engine


@pytest.fixture
def session(postgres_url: str) -> Iterator[Session]:
    """Everything that a test does in it is rolled back."""
    engine = make_engine(postgres_url)
    with engine.connect() as connection, connection.begin() as transaction:
        with Session(connection) as found:
            yield found
        transaction.rollback()
    engine.dispose()


@pytest.fixture
def store(database: Database, organisation: str) -> Callable[..., UUID]:
    """Stores a run of these series, and judges it."""

    def make(*specs: SeriesSpec, ended: bool = True) -> UUID:
        with database.transaction() as session:
            run_id = add_run(session, specs, organisation=organisation)
            add_intervals(session, run_id, specs)
            if ended:
                finish(session, run_id, specs)
        with database.transaction() as session:
            look_at_run(session, run_id, MOMENT)
        return run_id

    return make


@pytest.fixture
def read(client: TestClient, make_token: Callable[..., str]) -> Callable[..., Any]:
    """Reads a page of a run."""
    headers = {"Authorization": f"Bearer {make_token('viewer')}"}

    def get(run_id: UUID, what: str, status: int = 200, **query: Any) -> Any:
        answer = client.get(f"/api/v1/runs/{run_id}{what}", headers=headers, params=query)
        assert answer.status_code == status, answer.text
        return answer.json()

    return get
