"""Delete, publish, link, answer and send at once: everybody waits in line, and nobody in a circle."""

from collections.abc import Callable, Iterator

import httpx
import pytest
from backend.tests.agent import Agent, interval
from backend.tests.listening import listening
from backend.tests.people.at_once import at_once
from fastapi.testclient import TestClient
from sqlalchemy import text

from tailroom.kit.db import Database
from tailroom.kit.settings import Settings

ROUNDS, RUNS = 6, 4


@pytest.fixture
def address(settings: Settings) -> Iterator[str]:
    with listening(settings.model_copy(update={"page_threads": 8, "ingest_threads": 8})) as found:
        yield found


def deadlocks(database: Database) -> int:
    with database.transaction() as session:
        counted = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
        return int(session.scalar(text(counted)) or 0)


def test_runs_that_are_changed_and_deleted_at_once_make_no_deadlock(
    address: str, client: TestClient, make_token: Callable[..., str], database: Database
) -> None:
    engineer = {"Authorization": f"Bearer {make_token('engineer')}"}
    token, before = make_token(), deadlocks(database)
    program = httpx.Client(base_url=address, headers=engineer, timeout=60)
    for number in range(ROUNDS):
        agents = [Agent(client, token) for _ in range(RUNS)]
        for one in agents:
            one.announce()
            assert one.send([interval(0, 0)]).status_code == 200
        calls: list[Callable[[], httpx.Response]] = []
        for one in agents:
            run = f"/api/v1/runs/{one.run_id}"
            calls += [
                lambda run=run: program.delete(run),  # type: ignore[misc]
                lambda run=run: program.post(f"{run}/publish"),  # type: ignore[misc]
                lambda run=run: program.post(f"{run}/retract", json={}),  # type: ignore[misc]
                lambda run=run: program.post(f"{run}/links", json={}),  # type: ignore[misc]
                lambda run=run: program.post(f"{run}/stop"),  # type: ignore[misc]
                lambda one=one: one.send([interval(0, 1), interval(0, 2)]),  # type: ignore[misc]
            ]
        shifted = calls[number:] + calls[:number]
        answers = at_once(*shifted)
        failed = [one.text for one in answers if one.status_code >= 500]
        assert failed == [], failed
    assert deadlocks(database) == before
