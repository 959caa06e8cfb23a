"""Without Valkey everything is taken, and quickly; without the database the agent is told to come again."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from backend.tests.agent import Agent, interval
from fastapi.testclient import TestClient
from sqlalchemy import text

from tailroom.access.service import create_token
from tailroom.api.app import create_app
from tailroom.embedded.postgres import EmbeddedPostgres
from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.migrations import migrate
from tailroom.kit.settings import Settings


@pytest.fixture
def own_postgres(tmp_path: Path) -> Iterator[EmbeddedPostgres]:
    """Durable, unlike the one that tests share: what was acknowledged must outlive its death."""
    with EmbeddedPostgres.start(tmp_path / "postgres", tmp_path / "postgres.log") as postgres:
        postgres.create_database("tailroom")
        yield postgres


@contextmanager
def serving(database_url: str, redis_url: str, home: Path) -> Iterator[Agent]:
    """Serve the API; return an agent that has announced its run."""
    settings = Settings(
        database_url=database_url, redis_url=redis_url, home=home, allowed_hosts=("testserver",)
    )
    database = Database(database_url)
    migrate(database.engine, settings.migrations_dir)
    with database.transaction() as session:
        _, token = create_token(session, "local", "test", "agent", utc_now())
    database.dispose()
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        agent = Agent(client, token)
        agent.announce()
        yield agent


def _take_s(agent: Agent, seqs: range) -> float:
    """Return how long it takes to send these intervals, each in a batch of its own."""
    began = time.monotonic()
    for seq in seqs:
        assert agent.send([interval(0, seq)]).json()["acknowledged"] == {"0": seq}
    return time.monotonic() - began


def test_valkey_away_neither_fails_nor_slows_ingest(
    fresh_postgres_url: str, throw_away_valkey: EmbeddedValkey, tmp_path: Path
) -> None:
    with serving(fresh_postgres_url, throw_away_valkey.url, tmp_path) as agent:
        assert agent.send([interval(0, 0)]).status_code == 200
        before_s = _take_s(agent, range(1, 101))
        throw_away_valkey.stop()
        assert agent.client.get("/readyz").json()["status"] == "degraded"
        assert _take_s(agent, range(101, 201)) < 10 + 3 * before_s
        assert agent.finish({0: 200}).json()["complete"] is True


def test_database_away_is_said_and_it_goes_on_when_it_is_back(
    own_postgres: EmbeddedPostgres, redis_url: str, tmp_path: Path
) -> None:
    with serving(own_postgres.url(), redis_url, tmp_path) as agent:
        assert agent.send([interval(0, 0)]).status_code == 200
        psutil.Process(own_postgres.process.pid).kill()
        own_postgres.process.wait(60)
        for _ in range(3):
            refused = agent.send([interval(0, 1)])
            assert (refused.status_code, refused.json()["code"]) == (503, "storage-unavailable")
            assert refused.headers["Retry-After"] == "2"  # type: ignore[attr-defined]
        assert agent.client.get("/readyz").status_code == 503
        assert agent.client.get("/healthz").status_code == 200
        own_postgres.restart()
        statuses = [agent.send([interval(0, 1)]).status_code for _ in range(3)]
        assert statuses[-1] == 200
        assert agent.send([interval(0, 1)]).json()["acknowledged"] == {"0": 1}
        assert agent.finish({0: 1}).json()["complete"] is True


def test_a_full_disk_is_said_and_takes_nothing(
    fresh_postgres_url: str, redis_url: str, tmp_path: Path
) -> None:
    """PostgreSQL's own error; `make test-chaos DISK_MIB=600` fills a real disk."""
    database = Database(fresh_postgres_url, pool_size=1)
    with serving(fresh_postgres_url, redis_url, tmp_path) as agent:
        with database.transaction() as session:
            session.execute(text(_FULL))
            session.execute(text("ALTER TABLE interval ADD CONSTRAINT no_room CHECK (no_room())"))
        refused = agent.send([interval(0, 0)])
        assert (refused.status_code, refused.json()["code"]) == (503, "storage-unavailable")
        assert "has no room left; nothing was stored" in refused.json()["detail"]
        with database.transaction() as session:
            session.execute(text("ALTER TABLE interval DROP CONSTRAINT no_room"))
        assert agent.send([interval(0, 0)]).json()["acknowledged"] == {"0": 0}
    database.dispose()


_FULL = """
CREATE FUNCTION no_room() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
RAISE disk_full USING MESSAGE = 'could not extend file: No space left on device'; END $$
"""


def test_valkey_that_hangs_costs_a_moment_once_not_every_time(
    fresh_postgres_url: str, throw_away_valkey: EmbeddedValkey, tmp_path: Path
) -> None:
    with serving(fresh_postgres_url, throw_away_valkey.url, tmp_path) as agent:
        before_s = _take_s(agent, range(100))
        server = psutil.Process(throw_away_valkey.process.pid)
        server.suspend()
        try:
            # Each of them would be late by a quarter of a second; a busy machine makes all of them slow.
            assert _take_s(agent, range(100, 200)) < 10 + 3 * before_s
        finally:
            server.resume()
