"""A session whose work is taken back, and a product of a test's own with local access."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from uuid import UUID

import pytest
from backend.tests.analysis.recording import MOMENT, SeriesSpec, add_intervals, add_run, finish, look_at_run
from fastapi.testclient import TestClient
from sqlalchemy.orm import Session

from tailroom.api.app import create_app
from tailroom.kit.db import Database, make_engine
from tailroom.kit.settings import Settings


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
def local_client(fresh_postgres_url: str, redis_url: str, tmp_path: Path) -> Iterator[TestClient]:
    """The API on a database of this test's own, where everybody on the machine may read."""
    settings = Settings(
        database_url=fresh_postgres_url,
        redis_url=redis_url,
        home=tmp_path,
        local_access=True,
        allowed_hosts=("testserver",),
    )
    with TestClient(create_app(settings)) as found:
        yield found


@pytest.fixture
def store_judged(fresh_postgres_url: str) -> Callable[[Sequence[SeriesSpec]], UUID]:
    """Stores a finished run of these series there, and judges it."""

    def store(specs: Sequence[SeriesSpec]) -> UUID:
        database = Database(fresh_postgres_url)
        with database.transaction() as session:
            run_id = add_run(session, specs)
            add_intervals(session, run_id, specs)
            finish(session, run_id, specs)
        with database.transaction() as session:
            look_at_run(session, run_id, MOMENT)
        database.dispose()
        return run_id

    return store
