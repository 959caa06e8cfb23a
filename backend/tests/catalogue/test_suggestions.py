"""Suggestions for the catalogue of everybody: what becomes visible, who decides, and that it stays."""

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select, update

from tailroom.access.capabilities import Scope
from tailroom.access.service import create_token
from tailroom.api.app import create_app
from tailroom.catalogue.loading import load_reference
from tailroom.embedded.postgres import EmbeddedPostgres
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.settings import Settings
from tailroom.storage.catalogue import ReferenceState
from tailroom.storage.organisation import Organisation
from tailroom.storage.trail import TrailEvent

NAME = "tailroom_suggestions"
OPERATOR = {"Authorization": "Bearer an-operators-token-of-some-length"}
Json = dict[str, Any]


@pytest.fixture(scope="module")
def database(embedded_postgres: EmbeddedPostgres, migrated_template: str) -> Iterator[Database]:
    """A database of its own: what is accepted here is everybody's."""
    embedded_postgres.create_database(NAME, template=migrated_template)
    found = Database(embedded_postgres.url(NAME))
    yield found
    found.dispose()
    embedded_postgres.drop_database(NAME)


@pytest.fixture(scope="module")
def api(settings: Settings, database: Database, embedded_postgres: EmbeddedPostgres) -> Iterator[TestClient]:
    changed = {
        "operator_token": "an-operators-token-of-some-length",
        "database_url": embedded_postgres.url(NAME),
    }
    with TestClient(create_app(Settings.model_validate({**settings.model_dump(), **changed}))) as found:
        yield found


def token(database: Database, scope: Scope, organisation: str) -> dict[str, str]:
    with database.transaction() as session:
        text = create_token(session, organisation, scope, scope, utc_now())[1]
    return {"Authorization": f"Bearer {text}"}


@pytest.fixture
def engineer(database: Database, organisation: str) -> dict[str, str]:
    return token(database, "engineer", organisation)


@pytest.fixture
def stranger(database: Database, organisation: str) -> dict[str, str]:
    return token(database, "engineer", f"not {organisation}")


def add_drive(api: TestClient, engineer: dict[str, str]) -> str:
    """A drive of the organisation's own, with a price; its slug."""
    drive = {
        "vendor": "Xylo",
        "name": f"X{new_id().hex[-10:]}",
        "capacities_bytes": [10**12],
        "interface": "NVMe",
        "price": {"value": 777.0, "currency": "EUR", "date": "2026-11-01", "source": "our invoice"},
        "source": "data sheet",
        "is_another": True,
    }
    answer = api.post("/api/v1/drives", headers=engineer, json=drive)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["slug"])


def suggest(api: TestClient, who: dict[str, str], slug: str, fact: Json | None = None) -> Any:
    body = {"slug": slug} | ({} if fact is None else {"fact": fact})
    return api.post("/api/v1/suggestions", headers=who, json=body)


def decide(api: TestClient, suggestion_id: str, state: str, reason: str | None = None) -> Any:
    path = f"/api/v1/operations/suggestions/{suggestion_id}"
    return api.post(path, headers=OPERATOR, json={"state": state, "reason": reason})


def item(api: TestClient, who: dict[str, str], slug: str) -> Json | None:
    items = api.get("/api/v1/catalogue/drive", headers=who).json()["items"]
    found: Json | None = next((one for one in items if one["slug"] == slug), None)
    return found


def load_again(database: Database) -> None:
    """As another version of the package does."""
    with database.transaction() as session:
        session.execute(update(ReferenceState).values(content_sha256=bytes(32)))
        assert load_reference(session)


def test_a_drive_becomes_everybodys_without_its_price_and_stays(
    api: TestClient, engineer: dict[str, str], stranger: dict[str, str], database: Database
) -> None:
    slug = add_drive(api, engineer)
    assert item(api, stranger, slug) is None
    made = suggest(api, engineer, slug).json()
    assert {one["field"] for one in made["facts"]} == {"interface", "capacity"}
    assert [one["field"] for one in made["kept_back"]] == ["price"]
    assert item(api, stranger, slug) is None, "nobody has decided"
    listed = api.get("/api/v1/operations/suggestions", headers=OPERATOR).json()["suggestions"]
    (waiting,) = [one for one in listed if one["suggestion_id"] == made["suggestion_id"]]
    assert waiting["organisation"] is not None
    assert decide(api, made["suggestion_id"], "accepted").status_code == 200
    load_again(database)
    seen = item(api, stranger, slug)
    assert seen is not None
    assert not seen["private"]
    assert {one["field"] for one in seen["facts"]} == {"interface", "capacity"}
    assert all("suggested, accepted" in one["source_text"] for one in seen["facts"])
    own = api.get("/api/v1/suggestions", headers=engineer).json()["suggestions"][0]
    assert (own["state"], own["decided_by"], own["organisation"]) == ("accepted", "a moderator", None)
    assert own["kept_back"][0]["as_printed"] == "777", "the organisation keeps what it knows of the price"
    assert decide(api, made["suggestion_id"], "taken-back").json()["code"] == "suggestion-refused"


def test_a_fact_stands_beside_others_and_can_be_taken_back(
    api: TestClient, engineer: dict[str, str], stranger: dict[str, str], database: Database
) -> None:
    slug = api.get("/api/v1/catalogue/drive", headers=engineer).json()["items"][0]["slug"]
    before = item(api, stranger, slug)
    source = f"data sheet {new_id()}"
    fact = {"field": "power", "number": 7.25, "source": source}
    made = suggest(api, engineer, slug, fact).json()
    assert suggest(api, engineer, slug, fact).json()["code"] == "suggestion-refused"
    assert decide(api, made["suggestion_id"], "accepted").status_code == 200
    load_again(database)
    seen = item(api, stranger, slug)
    assert seen is not None
    assert before is not None
    new = [one for one in seen["facts"] if (one["source_text"] or "").startswith(source)]
    assert [(one["field"], one["number"]["value"], one["number"]["unit"]) for one in new] == [
        ("power", 7.25, "W")
    ]
    assert len(seen["facts"]) == len(before["facts"]) + 1
    assert decide(api, made["suggestion_id"], "taken-back", "the sheet was withdrawn").status_code == 200
    load_again(database)
    assert item(api, stranger, slug) == before
    own = api.get("/api/v1/suggestions", headers=engineer).json()["suggestions"][0]
    assert (own["state"], own["reason"]) == ("taken-back", "the sheet was withdrawn")


def test_only_its_organisation_and_moderators_know_of_a_suggestion(
    api: TestClient,
    engineer: dict[str, str],
    stranger: dict[str, str],
    database: Database,
    organisation: str,
) -> None:
    slug = add_drive(api, engineer)
    viewer = token(database, "viewer", organisation)
    assert suggest(api, viewer, slug).status_code == 403
    assert suggest(api, stranger, slug).json()["code"] == "suggestion-unknown"
    made = suggest(api, engineer, slug).json()
    assert api.get("/api/v1/suggestions", headers=stranger).json() == {"suggestions": []}
    path = f"/api/v1/suggestions/{made['suggestion_id']}"
    assert api.delete(path, headers=stranger).json()["code"] == "suggestion-unknown"
    for who in (engineer, viewer, stranger):
        assert api.get("/api/v1/operations/suggestions", headers=who).status_code == 403
        answer = api.post(f"/api/v1/operations{path[7:]}", headers=who, json={"state": "accepted"})
        assert answer.status_code == 403
    assert decide(api, made["suggestion_id"], "refused", "no data sheet").status_code == 200
    assert api.delete(path, headers=engineer).json()["code"] == "suggestion-refused"
    with database.transaction() as session:
        query = select(TrailEvent.action, TrailEvent.actor_kind).join(
            Organisation, Organisation.id == TrailEvent.organisation_id
        )
        mine = query.where(Organisation.name == organisation).order_by(TrailEvent.number)
        told = [(row.action, row.actor_kind) for row in session.execute(mine)]
    assert told[-2:] == [("make_suggestion", "token"), ("decide_suggestion", "operator")]


@pytest.mark.parametrize(
    "fact",
    [
        {"field": "power", "text": "seven", "source": "x"},
        {"field": "interface", "number": 7, "source": "x"},
        {"field": "price", "number": 7, "source": "x"},
        {"field": "power", "number": 7, "source": " "},
        {"field": "power", "number": -7, "source": "x"},
    ],
)
def test_what_is_no_fact_is_refused(api: TestClient, engineer: dict[str, str], fact: Json) -> None:
    slug = api.get("/api/v1/catalogue/drive", headers=engineer).json()["items"][0]["slug"]
    assert suggest(api, engineer, slug, fact).status_code == 422


def test_an_own_drive_is_suggested_whole_and_a_known_one_is_not(
    api: TestClient, engineer: dict[str, str]
) -> None:
    own = add_drive(api, engineer)
    known = api.get("/api/v1/catalogue/drive", headers=engineer).json()["items"][0]["slug"]
    fact = {"field": "power", "number": 7, "source": "x"}
    assert suggest(api, engineer, own, fact).json()["code"] == "suggestion-refused"
    assert suggest(api, engineer, known).json()["code"] == "suggestion-refused"
