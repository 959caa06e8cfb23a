"""Who may do what: tokens, scopes, sessions of browsers, local access, and what other sites' pages
may not do.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from backend.tests.agent import Agent, announcement
from fastapi.testclient import TestClient

from tailroom.access import guesses, repository, service
from tailroom.access.authenticator import COOKIE_NAME
from tailroom.access.capabilities import ALLOWED
from tailroom.access.tokens import SESSION_LENGTH, hash_token, looks_like_token, make_token
from tailroom.api.app import create_app
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.settings import Settings
from tailroom.storage.access_token import AccessToken, BrowserSession


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture
def browser(settings: Settings) -> Iterator[TestClient]:
    """A client with cookies of its own."""
    with TestClient(create_app(settings), raise_server_exceptions=False) as found:
        yield found


@pytest.fixture
def local(settings: Settings) -> Iterator[TestClient]:
    """The API on one machine, where nobody needs a token to read."""
    with TestClient(create_app(settings.model_copy(update={"local_access": True}))) as found:
        yield found


def test_tokens_have_a_shape_and_are_not_kept(make_token: Callable[..., str], database: Database) -> None:
    token = make_token("viewer")
    assert looks_like_token(token)
    assert token.startswith("tlr_viewer_")
    assert not looks_like_token(token + "x")
    with database.transaction() as session:
        found = repository.find_token(session, hash_token(token))
        assert found is not None
        stored = session.get(AccessToken, found.token_id)
        assert all(token not in str(value) for value in vars(stored).values())


def test_no_two_tokens_are_alike() -> None:
    assert len({make_token("agent") for _ in range(100)}) == 100


def test_a_checksum_tells_a_token_from_a_mistyped_one() -> None:
    assert looks_like_token("tlr_agent_" + "x" * 43), "made before there were checksums"
    assert looks_like_token("tlr_agent_" + "x" * 43 + "0fdUR0")
    token = make_token("agent")
    for place in (15, 30, len(token) - 1):
        other = "a" if token[place] != "a" else "b"
        assert not looks_like_token(token[:place] + other + token[place + 1 :]), place


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({}, "token-missing"),
        ({"Authorization": "Basic dXNlcjpwYXNz"}, "token-missing"),
        ({"Authorization": "Bearer "}, "token-missing"),
        ({"Authorization": "Bearer nonsense"}, "token-unknown"),
        (bearer(make_token("viewer")), "token-unknown"),
    ],
)
def test_without_a_valid_token(client: TestClient, headers: dict[str, str], code: str) -> None:
    for path in ("/api/v1/runs", "/api/v1/session", f"/api/v1/runs/{new_id()}/events"):
        answer = client.get(path, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (401, code)
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
        assert answer.headers["Content-Type"] == "application/problem+json"
    sent = client.post("/api/v1/runs", json=announcement(str(new_id())), headers=headers)
    assert (sent.status_code, sent.json()["code"]) == (401, code)


def test_a_viewer_cannot_send(client: TestClient, make_token: Callable[..., str]) -> None:
    viewer = Agent(client, make_token("viewer"))
    for answer in (viewer.announce(), viewer.send([]), viewer.finish({})):
        assert (answer.status_code, answer.json()["code"]) == (403, "token-scope")


def test_a_revoked_token_ends_at_once_with_its_sessions(
    browser: TestClient, make_token: Callable[..., str], database: Database
) -> None:
    token = make_token("viewer")
    assert browser.post("/api/v1/session", json={"token": token}).status_code == 200
    assert browser.get("/api/v1/runs").status_code == 200
    with database.transaction() as session:
        found = repository.find_token(session, hash_token(token))
        assert found is not None
        assert found.token_id is not None
        service.revoke_token(session, found.token_id, utc_now())
    by_token = browser.get("/api/v1/runs", headers=bearer(token))
    assert (by_token.status_code, by_token.json()["code"]) == (401, "token-unknown")
    assert "revoked" in by_token.json()["detail"]
    assert browser.get("/api/v1/runs").json()["code"] == "token-unknown"


def test_use_is_noted_to_the_minute(
    client: TestClient, make_token: Callable[..., str], database: Database
) -> None:
    token = make_token("viewer")

    def last_used() -> object:
        with database.transaction() as session:
            found = repository.find_token(session, hash_token(token))
            assert found is not None
            return found.last_used_at

    assert last_used() is None
    client.get("/api/v1/runs", headers=bearer(token))
    first = last_used()
    assert first is not None
    client.get("/api/v1/runs", headers=bearer(token))
    assert last_used() == first


def test_signing_in_and_out(browser: TestClient, make_token: Callable[..., str], organisation: str) -> None:
    assert browser.get("/api/v1/session").status_code == 401
    signed_in = browser.post("/api/v1/session", json={"token": f" {make_token('viewer')}\n"})
    assert signed_in.json()["organisation"]["name"] == organisation
    assert (signed_in.json()["access"], signed_in.json()["scope"]) == ("token", "viewer")
    cookie = signed_in.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "tlr_" not in cookie
    assert browser.get("/api/v1/session").json() == signed_in.json()
    assert browser.delete("/api/v1/session").status_code == 204
    assert browser.get("/api/v1/session").status_code == 401


def test_the_cookie_is_for_https_where_the_page_is(
    settings: Settings, make_token: Callable[..., str]
) -> None:
    with TestClient(create_app(settings), base_url="https://testserver") as secure:
        answer = secure.post("/api/v1/session", json={"token": make_token("viewer")})
        assert "Secure" in answer.headers["Set-Cookie"]
        assert secure.get("/api/v1/session").json()["scope"] == "viewer"
        name, value = answer.headers["Set-Cookie"].partition(";")[0].split("=")
        assert name == f"__Host-{COOKIE_NAME}"
        # What a page of another host under the same domain could set is not taken.
        planted = {"Cookie": f"{COOKIE_NAME}={value}"}
        secure.cookies.clear()
        assert secure.get("/api/v1/session", headers=planted).status_code == 401


def test_who_cannot_sign_in(browser: TestClient, make_token: Callable[..., str]) -> None:
    agents = browser.post("/api/v1/session", json={"token": make_token("agent")})
    assert (agents.status_code, agents.json()["code"]) == (403, "token-scope")
    unknown = browser.post("/api/v1/session", json={"token": "tlr_viewer_nothing"})
    assert (unknown.status_code, unknown.json()["code"]) == (401, "token-unknown")
    assert "nothing" not in unknown.text
    malformed = browser.post("/api/v1/session", json={"password": "x"})
    assert malformed.status_code == 422
    assert "Set-Cookie" not in agents.headers


@pytest.mark.parametrize("value", ["x", "a.b.c", "0" * 43, "..", "%C3%A4.1.2"])
def test_forged_cookies(client: TestClient, value: str) -> None:
    answer = client.get("/api/v1/session", headers={"Cookie": f"{COOKIE_NAME}={value}"})
    assert (answer.status_code, answer.json()["code"]) == (401, "token-unknown")


def test_signing_out_ends_every_copy_of_the_cookie(
    browser: TestClient, client: TestClient, make_token: Callable[..., str]
) -> None:
    token = make_token("viewer")
    browser.post("/api/v1/session", json={"token": token})
    copied = {"Cookie": f"{COOKIE_NAME}={browser.cookies[COOKIE_NAME]}"}
    assert client.get("/api/v1/runs", headers=copied).status_code == 200
    other = TestClient(client.app)
    assert other.post("/api/v1/session", json={"token": token}).status_code == 200
    assert browser.delete("/api/v1/session").status_code == 204
    assert client.get("/api/v1/runs", headers=copied).json()["code"] == "token-unknown"
    assert other.get("/api/v1/runs").status_code == 200


def test_a_session_ends_by_itself(
    browser: TestClient, make_token: Callable[..., str], database: Database
) -> None:
    token = make_token("viewer")
    browser.post("/api/v1/session", json={"token": token})
    key = hash_token(browser.cookies[COOKIE_NAME])
    with database.transaction() as session:
        stored = session.get(BrowserSession, key)
        assert stored is not None
        assert stored.expires_at - stored.created_at == SESSION_LENGTH
        stored.expires_at = utc_now() - timedelta(seconds=1)
    assert browser.get("/api/v1/runs").status_code == 401
    with database.transaction() as session:
        assert repository.valid_token_sessions(session, [key]) == set()
    assert browser.post("/api/v1/session", json={"token": token}).status_code == 200
    with database.transaction() as session:
        assert session.get(BrowserSession, key) is None


def test_local_access_reads_the_local_organisation_and_does_not_send(local: TestClient) -> None:
    session = local.get("/api/v1/session").json()
    assert (session["organisation"]["name"], session["access"]) == ("local", "local")
    assert local.get("/api/v1/runs").status_code == 200
    sent = local.post("/api/v1/runs", json=announcement(str(new_id())))
    assert (sent.status_code, sent.json()["code"]) == (401, "token-missing")
    assert local.get("/api/v1/runs", headers=bearer("nonsense")).status_code == 401
    local.cookies.set(COOKIE_NAME, "expired")
    assert local.get("/api/v1/session").json()["access"] == "local"


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://testserver:81"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://["},
    ],
)
def test_other_sites_pages_change_nothing(
    local: TestClient, make_token: Callable[..., str], headers: dict[str, str]
) -> None:
    agent = Agent(local, make_token(owner="local"))
    agent.announce()
    path = f"/api/v1/runs/{agent.run_id}/stop"
    refused = local.post(path, headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (403, "origin-foreign")
    assert local.post("/api/v1/session", json={"token": "x"}, headers=headers).status_code == 403
    assert local.delete("/api/v1/session", headers=headers).status_code == 403
    assert agent.get().json()["stop_requested_at"] is None
    own = {"Origin": "http://testserver", "Sec-Fetch-Site": "same-origin"}
    assert local.post(path, headers=own).status_code == 200


def test_a_token_is_not_bound_to_a_page(client: TestClient, make_token: Callable[..., str]) -> None:
    agent = Agent(client, make_token())
    agent.announce()
    headers = bearer(make_token("engineer")) | {"Origin": "http://elsewhere.example"}
    assert client.post(f"/api/v1/runs/{agent.run_id}/stop", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "testserver.evil.example",
        "",
        "[::1",
        "testserver:1@evil.example",
        "testserver:8400/elsewhere",
        "testserver:x",
        "testserver, evil.example",
        "testserver#",
    ],
)
def test_other_host_names_are_refused(local: TestClient, host: str) -> None:
    answer = local.get("/api/v1/runs", headers={"Host": host})
    assert (answer.status_code, answer.json()["code"]) == (400, "host-unknown")


@pytest.mark.parametrize("host", ["testserver", "TestServer:8400", "localhost:1", "127.0.0.1"])
def test_own_host_names_are_answered(local: TestClient, host: str) -> None:
    assert local.get("/api/v1/runs", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "header", ["Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP"]
)
def test_behind_a_proxy_nobody_is_local(
    local: TestClient, make_token: Callable[..., str], header: str
) -> None:
    answer = local.get("/api/v1/runs", headers={header: "127.0.0.1"})
    assert (answer.status_code, answer.json()["code"]) == (401, "token-missing")
    assert header.lower() in answer.json()["detail"]
    with_token = local.get("/api/v1/runs", headers={header: "127.0.0.1"} | bearer(make_token("viewer")))
    assert with_token.status_code == 200


def test_local_access_names_what_it_may_do(local: TestClient) -> None:
    found = local.get("/api/v1/session").json()
    assert found["scope"] == "engineer"
    assert set(found["capabilities"]) == {one.value for one in ALLOWED["engineer"]} | {"operate"}
    assert "send" not in found["capabilities"]


def test_guesses_are_slowed_down_and_lock_nobody_out(
    settings: Settings, make_token: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guesses, "PER_S", 0.0)
    with TestClient(create_app(settings)) as client:
        valid = make_token("viewer")
        answers = [client.get("/api/v1/runs", headers=bearer("nonsense")) for _ in range(guesses.BURST + 1)]
        codes = [one.json()["code"] for one in answers]
        assert codes[: guesses.BURST] == ["token-unknown"] * guesses.BURST
        assert codes[-1] == "guesses-too-many"
        assert (answers[-1].status_code, answers[-1].headers["Retry-After"]) == (429, "5")
        sign_in = client.post("/api/v1/session", json={"token": "tlr_viewer_nothing"})
        assert sign_in.status_code == 429
        assert client.get("/api/v1/runs", headers=bearer(valid)).status_code == 200
        assert client.post("/api/v1/session", json={"token": valid}).status_code == 200


def test_one_token_person_or_address_asks_so_often_and_no_other_waits_for_it(
    settings: Settings, make_token: Callable[..., str]
) -> None:
    few = settings.model_copy(update={"requests_per_minute": 3, "open_browsing": True})
    with TestClient(create_app(few), raise_server_exceptions=False) as client:
        loud, other = bearer(make_token("viewer")), bearer(make_token("viewer"))
        answers = [client.get("/api/v1/budgets", headers=loud) for _ in range(4)]
        assert [one.status_code for one in answers] == [200, 200, 200, 429]
        assert (answers[-1].json()["code"], answers[-1].headers["Retry-After"]) == ("requests-too-many", "5")
        assert client.get("/api/v1/budgets", headers=other).status_code == 200, "of the same organisation"
        visits = [client.get("/api/v1/drives/options") for _ in range(4)]
        assert visits[-1].status_code == 429
        assert client.get("/api/v1/budgets", headers=other).status_code == 200
        agent = Agent(client, make_token("agent"))
        for _ in range(5):
            assert agent.announce().status_code in (200, 201), "what agents send is not counted"
