"""Editions of the leaderboard: bytes that never change beside a board that does."""

import hashlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest
from backend.tests.analysis.recording import MOMENT
from backend.tests.ratings.test_runs import hours, stored
from fastapi.testclient import TestClient
from sqlalchemy import delete, select
from typer.testing import CliRunner, Result

from tailroom.cli.main import build_app
from tailroom.kit.db import Database
from tailroom.kit.transactions import Transactions, transactions_of
from tailroom.ratings.editions import LATEST_AFTER, make_due_edition, make_edition
from tailroom.ratings.schemas import EditionOut
from tailroom.runs import publication
from tailroom.storage.board_edition import BoardEdition
from tailroom.storage.run import Run

NAME = "2099-Q4"
AFTER = datetime(2100, 1, 1, 0, 30, tzinfo=UTC)
Get = Callable[..., httpx.Response]


@pytest.fixture
def transactions(database: Database, reference: None) -> Iterator[Transactions]:
    own = transactions_of(database, None)
    yield own
    with own() as session:
        session.execute(delete(BoardEdition).where(BoardEdition.name.like("2099-%")))


@pytest.fixture
def get(client: TestClient, make_token: Callable[..., str], reference: None) -> Get:
    headers = {"Authorization": f"Bearer {make_token('viewer')}"}
    return lambda path, **parameters: client.get(f"/api/v1{path}", params=parameters, headers=headers)


@pytest.fixture
def published(database: Database, organisation: str) -> Iterator[Callable[[], UUID]]:
    """Measures and publishes a day; it is deleted afterwards."""
    made: list[UUID] = []

    def publish() -> UUID:
        made.append(run_id := stored(database, organisation, hours(24, 0.01)))
        with database.transaction() as session:
            owner_id = session.get_one(Run, run_id).organisation_id
            publication.publish(session, owner_id, run_id, (), MOMENT)
        return run_id

    yield publish
    with database.transaction() as session:
        session.execute(delete(Run).where(Run.run_id.in_(made)))


def test_an_edition_never_changes_beside_the_living_board(
    transactions: Transactions, get: Get, published: Callable[[], UUID], database: Database
) -> None:
    assert make_edition(transactions, NAME, AFTER)
    first = get(f"/editions/{NAME}")
    assert first.status_code == 200
    body: dict[str, Any] = EditionOut.model_validate_json(first.content).model_dump(
        mode="json", by_alias=True
    )
    assert body["board"]["rows"], "published tests of documents are there"
    assert all(row["visibility"] == "public" for row in body["board"]["rows"])
    (listed,) = [item for item in get("/editions").json()["items"] if item["name"] == NAME]
    assert listed["content_sha256"] == hashlib.sha256(first.content).hexdigest()
    assert listed["rows"] == len(body["board"]["rows"])

    run_id = published()
    assert not make_edition(transactions, NAME, AFTER + timedelta(hours=1)), "it exists already"
    assert get(f"/editions/{NAME}").content == first.content
    added = get("/edition-changes", since=NAME).json()
    mine = [change for change in added["changes"] if change["kind"] == "added"]
    assert {change["drive"]["slug"] for change in mine} >= {"intel-dc-s3700"}
    assert all(change["before"] is None and change["after"].startswith("holds") for change in mine)

    assert make_edition(transactions, "2099-Q3", AFTER)
    with database.transaction() as session:
        owner_id = session.get_one(Run, run_id).organisation_id
        publication.retract(session, owner_id, run_id, "wrong drive", AFTER)
    changes = get("/edition-changes", since=NAME, until="2099-Q3").json()
    assert changes["changes"] == added["changes"]
    living = get("/edition-changes", since="2099-Q3").json()
    assert {change["kind"] for change in living["changes"]} >= {"removed"}
    assert [test["run_id"] for test in living["withdrawn"]] == [str(run_id)]


def test_an_edition_is_made_once_in_the_week_after_its_quarter(transactions: Transactions) -> None:
    assert make_due_edition(transactions, AFTER - timedelta(hours=1)) is None, "the quarter has not ended"
    assert make_due_edition(transactions, AFTER + LATEST_AFTER) is None, "the board is another by now"
    assert make_due_edition(transactions, AFTER) == NAME
    assert make_due_edition(transactions, AFTER + timedelta(hours=1)) is None


def test_what_is_no_edition_is_refused(get: Get) -> None:
    for name in ("2098-Q1", "living", "2098"):
        assert get(f"/editions/{name}").json()["code"] == "edition-unknown"
    assert get("/edition-changes", since="living").json()["code"] == "filter-invalid"


def test_the_command_makes_an_edition_once(fresh_postgres_url: str) -> None:
    def command(*words: str) -> Result:
        settings = {"TAILROOM_DATABASE_URL": fresh_postgres_url}
        return CliRunner().invoke(build_app(["edition"]), ["edition", "make", *words], env=settings)

    made = command("2099-Q2")
    assert (made.exit_code, made.stdout) == (0, "edition 2099-Q2 is made: /drives?edition=2099-Q2\n"), made
    again = command("2099-Q2")
    assert (again.exit_code, "editions never change" in again.stderr) == (2, True)
    wrong = command("2099")
    assert (wrong.exit_code, "write it as 2026-Q4" in wrong.stderr) == (2, True)
    own = Database(fresh_postgres_url, pool_size=1)
    with own.transaction() as session:
        assert [edition.name for edition in session.scalars(select(BoardEdition))] == ["2099-Q2"]
    own.dispose()
