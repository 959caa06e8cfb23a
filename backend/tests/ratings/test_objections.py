"""Objections to public tests: who sees them, who decides, and what stays."""

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from tailroom.access.capabilities import Scope
from tailroom.access.service import create_token
from tailroom.api.app import create_app
from tailroom.cli.reference import bring_reference
from tailroom.embedded.postgres import EmbeddedPostgres
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.settings import Settings
from tailroom.operations.removal import delete_organisation
from tailroom.ratings.objections import MOST_OPEN
from tailroom.storage.organisation import Organisation
from tailroom.storage.trail import TrailEvent

OPERATOR = {"Authorization": "Bearer an-operators-token-of-some-length"}
NAME = "tailroom_objections"
SLUG = "intel-dc-s3700"
Headers = dict[str, str]


@pytest.fixture(scope="module")
def database(embedded_postgres: EmbeddedPostgres, migrated_template: str) -> Iterator[Database]:
    """A database of its own: published objections are seen by everybody."""
    embedded_postgres.create_database(NAME, template=migrated_template)
    own = Database(embedded_postgres.url(NAME), pool_size=4)
    with own.transaction() as session:
        bring_reference(session)
    yield own
    own.dispose()
    embedded_postgres.drop_database(NAME)


@pytest.fixture(scope="module")
def api(settings: Settings, database: Database, embedded_postgres: EmbeddedPostgres) -> Iterator[TestClient]:
    changed = {
        "operator_token": "an-operators-token-of-some-length",
        "database_url": embedded_postgres.url(NAME),
    }
    with TestClient(create_app(Settings.model_validate({**settings.model_dump(), **changed}))) as client:
        yield client


def token(database: Database, organisation: str, scope: Scope = "viewer") -> Headers:
    with database.transaction() as session:
        text = create_token(session, organisation, scope, scope, utc_now())[1]
    return {"Authorization": f"Bearer {text}"}


@pytest.fixture
def objector(database: Database, organisation: str) -> Headers:
    """A viewer: any account may object."""
    return token(database, organisation)


@pytest.fixture
def stranger(database: Database, organisation: str) -> Headers:
    return token(database, f"{organisation} b")


def public_tests(api: TestClient, who: Headers) -> list[str]:
    return [test["test_id"] for test in api.get(f"/api/v1/drives/{SLUG}", headers=who).json()["tests"]]


def object_to(api: TestClient, who: Headers, test_id: str, reason: str = "The drive was not purged.") -> Any:
    return api.post("/api/v1/objections", headers=who, json={"test_id": test_id, "reason": reason})


def shown(api: TestClient, who: Headers, objection_id: str) -> Any:
    items = api.get(f"/api/v1/drives/{SLUG}/objections", headers=who).json()["items"]
    return next((item for item in items if item["objection_id"] == objection_id), None)


def decide(api: TestClient, objection_id: str, state: str, answer: str | None) -> Any:
    path = f"/api/v1/operations/objections/{objection_id}"
    return api.post(path, headers=OPERATOR, json={"state": state, "answer": answer})


def test_an_objection_is_seen_by_others_once_it_is_answered(
    api: TestClient, objector: Headers, stranger: Headers, database: Database, organisation: str
) -> None:
    made = object_to(api, objector, public_tests(api, objector)[0])
    assert made.status_code == 201, made.text
    objection_id = made.json()["objection_id"]
    assert (made.json()["state"], made.json()["is_own"], made.json()["made_by"]) == ("open", True, "viewer")
    assert shown(api, objector, objection_id)["state"] == "open"
    assert shown(api, stranger, objection_id) is None

    assert decide(api, objection_id, "published", None).status_code == 422, "an answer belongs to it"
    waiting = api.get("/api/v1/operations/objections", headers=OPERATOR).json()["items"]
    assert [item["made_by"] for item in waiting if item["objection_id"] == objection_id] == ["viewer"]
    assert decide(api, objection_id, "published", "The source says that it was.").status_code == 200
    seen = shown(api, stranger, objection_id)
    assert (seen["reason"], seen["answer"]) == ("The drive was not purged.", "The source says that it was.")
    assert seen["decided_at"] is not None
    assert (seen["is_own"], seen["made_by"]) == (False, None)
    with database.transaction() as session:
        owner = session.scalars(select(Organisation).where(Organisation.name == organisation)).one()
        actions = select(TrailEvent.action).where(TrailEvent.organisation_id == owner.id)
        assert {"make_objection", "decide_objection"} <= set(session.scalars(actions))
        delete_organisation(session, owner.id, utc_now())
    assert shown(api, stranger, objection_id)["answer"] == "The source says that it was."


def test_a_refused_or_withdrawn_one_stays_with_its_organisation(
    api: TestClient, objector: Headers, stranger: Headers
) -> None:
    first, second = (
        object_to(api, objector, test_id).json()["objection_id"]
        for test_id in public_tests(api, objector)[:2]
    )
    assert decide(api, first, "refused", "It names no fact.").status_code == 200
    assert decide(api, first, "published", "late").json()["code"] == "objection-refused"
    assert shown(api, objector, first)["answer"] == "It names no fact."
    assert decide(api, second, "published", "It is right.").status_code == 200
    assert api.delete(f"/api/v1/objections/{second}", headers=stranger).status_code == 404
    assert api.delete(f"/api/v1/objections/{second}", headers=objector).json()["state"] == "withdrawn"
    assert shown(api, stranger, first) is None
    assert shown(api, stranger, second) is None


def test_what_cannot_be_objected_to_is_refused(
    api: TestClient, objector: Headers, database: Database
) -> None:
    assert object_to(api, objector, "there:is:none").json()["code"] == "test-unknown"
    test_ids = public_tests(api, objector)
    assert object_to(api, objector, test_ids[0]).status_code == 201
    assert object_to(api, objector, test_ids[0]).json()["code"] == "objection-refused"
    every = api.get("/api/v1/leaderboard", params={"equal": False, "limit": 500}, headers=objector).json()
    others = {test for row in every["rows"] for cell in row["cells"] for test in cell["test_ids"]} - {
        test_ids[0]
    }
    answers = [object_to(api, objector, test_id).status_code for test_id in sorted(others)[:MOST_OPEN]]
    assert answers == [201] * (MOST_OPEN - 1) + [409]
    agent = token(database, "agents", "agent")
    assert object_to(api, agent, test_ids[0]).status_code == 403
    assert api.post("/api/v1/operations/objections/" + "0" * 32, headers=objector, json={}).status_code == 403
