"""Agents with keys of their own: what lets them in, once, and what does not."""

from collections.abc import Callable, Iterator

import pytest
from backend.tests.agent import Agent
from backend.tests.enrolled import Enrolled
from backend.tests.people.people import signed_up
from fastapi.testclient import TestClient
from sqlalchemy import update

from tailroom.access.agent_keys import NEAR_NS
from tailroom.access.tokens import hash_token, looks_like_token
from tailroom.api.app import create_app
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.settings import Settings
from tailroom.storage.access_token import AccessToken, BrowserSession


@pytest.fixture
def opened_owner(settings: Settings, organisation: str) -> Iterator[TestClient]:
    """An owner in a browser."""
    opened = create_app(settings.model_copy(update={"open_sign_up": True}))
    with TestClient(opened, raise_server_exceptions=False) as found:
        yield signed_up(found, organisation)


@pytest.fixture
def enrolled(client: TestClient, engineer: dict[str, str]) -> Enrolled:
    return Enrolled(client, client.post("/api/v1/agent/codes", headers=engineer).json()["code"])


def test_no_secret_crosses_the_network_and_the_short_token_sends_and_asks_for_work(
    client: TestClient, enrolled: Enrolled
) -> None:
    assert set(enrolled.answer.json()) == {"agent_id", "credential_id", "public_key"}
    answer = enrolled.ask()
    text = answer.json()["token"]
    assert text.startswith("tlr_short_")
    assert looks_like_token(text)
    assert answer.json()["expires_in_s"] <= 15 * 60
    poll = client.post("/api/v1/agent/poll", headers=enrolled.headers(), json={"version": {"version": "1"}})
    assert poll.status_code == 200
    assert Agent(client, text).announce().status_code == 201
    assert client.get("/api/v1/runs", headers={"Authorization": f"Bearer {text}"}).status_code == 403


def test_a_signature_is_good_once(enrolled: Enrolled) -> None:
    first = enrolled.proof()
    later = enrolled.proof(first["unix_ns"] + 1)
    assert enrolled.ask(first).status_code == 200
    again = enrolled.ask(first)
    assert (again.status_code, again.json()["code"]) == (409, "proof-stale")
    assert enrolled.ask(later).status_code == 200
    earlier = enrolled.ask(enrolled.proof(first["unix_ns"] - 1))
    assert (earlier.status_code, earlier.json()["code"]) == (409, "proof-stale")


def test_a_signature_for_another_moment_agent_or_key_is_refused(
    client: TestClient, enrolled: Enrolled, engineer: dict[str, str]
) -> None:
    now_ns = client.get("/api/v1/clock").json()["unix_ns"]
    for unix_ns in (now_ns - NEAR_NS - 10**9, now_ns + NEAR_NS + 10**10):
        assert enrolled.ask(enrolled.proof(unix_ns)).json()["code"] == "proof-stale"
    other = Enrolled(client, client.post("/api/v1/agent/codes", headers=engineer).json()["code"])
    proof = enrolled.proof()
    for wrong in (
        proof | {"credential_id": str(other.credential_id)},
        proof | {"unix_ns": proof["unix_ns"] + 1},
        proof | {"signature": other.proof()["signature"]},
        proof | {"signature": "nonsense"},
        proof | {"credential_id": "01a1fa22-6e23-76d2-ae80-c1fd2ca4539d"},
    ):
        answer = enrolled.ask(wrong)
        assert (answer.status_code, answer.json()["code"]) == (401, "proof-wrong"), wrong
    assert enrolled.ask(proof).status_code == 200, "what was refused did not use it up"


def test_removing_the_agent_ends_key_and_short_tokens_at_once(
    client: TestClient, enrolled: Enrolled, engineer: dict[str, str]
) -> None:
    short = enrolled.headers()
    body = {"version": {"version": "1"}}
    assert client.post("/api/v1/agent/poll", headers=short, json=body).status_code == 200
    assert client.delete(f"/api/v1/agents/{enrolled.agent_id}", headers=engineer).status_code == 200
    assert client.post("/api/v1/agent/poll", headers=short, json=body).json()["code"] == "token-unknown"
    assert enrolled.ask().json()["code"] == "proof-wrong"


def test_a_short_token_ends_and_is_no_cookie(
    client: TestClient, enrolled: Enrolled, database: Database
) -> None:
    text = enrolled.ask().json()["token"]
    by_cookie = client.get("/api/v1/session", headers={"Cookie": f"tailroom_session={text}"})
    assert by_cookie.status_code == 401
    header = {"Authorization": f"Bearer {text}"}
    assert client.get("/api/v1/session", headers=header).json()["scope"] == "agent"
    with database.transaction() as session:
        ended = update(BrowserSession).where(BrowserSession.session_sha256 == hash_token(text))
        session.execute(ended.values(expires_at=utc_now()))
    refusal = client.get("/api/v1/session", headers=header).json()
    assert refusal["code"] == "token-unknown"
    assert "expired" in refusal["detail"]


def test_a_code_lets_one_agent_in_and_the_trail_names_its_key(
    client: TestClient, engineer: dict[str, str], database: Database
) -> None:
    code = client.post("/api/v1/agent/codes", headers=engineer).json()["code"]
    first, second = Enrolled(client, code), Enrolled(client, code)
    assert second.answer.json()["code"] == "enrolment-code-unknown"
    with database.transaction() as session:
        stored = session.get_one(AccessToken, first.credential_id)
        assert stored.public_key is not None
        assert len(stored.public_key) == 32


def test_an_agent_without_a_key_is_not_enrolled(client: TestClient, engineer: dict[str, str]) -> None:
    code = client.post("/api/v1/agent/codes", headers=engineer).json()["code"]
    old = client.post("/api/v1/agents", json={"code": code, "name": "a", "version": {"version": "1"}})
    assert (old.status_code, old.json()["code"]) == (422, "request-invalid")
    assert "public_key" in old.json()["problems"][0]["field"]
    assert Enrolled(client, code).answer.status_code == 201, "the code was not used up"


def test_a_key_is_shown_among_tokens_and_not_replaced_there(
    client: TestClient, make_token: Callable[..., str], opened_owner: TestClient
) -> None:
    code = opened_owner.post("/api/v1/agent/codes").json()["code"]
    enrolled = Enrolled(client, code)
    listed = opened_owner.get("/api/v1/tokens").json()["tokens"]
    assert [one["is_key"] for one in listed] == [True]
    answer = opened_owner.post(f"/api/v1/tokens/{enrolled.credential_id}/rotate", json={"overlap_hours": 0})
    assert (answer.status_code, answer.json()["code"]) == (404, "access-token-unknown")
    assert enrolled.ask().status_code == 200
