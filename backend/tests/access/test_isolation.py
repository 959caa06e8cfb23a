"""Nothing leaks: every route, asked with wrong credentials, about everything that one organisation has. What
differs from another credential in a scope or in why it is refused is asked on some routes.

Three times: with both locks, with the application taking everybody for the owner (row-level security alone),
and without row-level security (the application's checks alone). With neither, what is looked for is seen, so
that it is known that it would be. The number of leaks is printed (`-s`).
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, NamedTuple
from urllib.parse import quote
from uuid import UUID

import httpx
import pytest
from backend.tests.access.test_capabilities import of_each_capability, routes
from backend.tests.agent import Agent, interval
from backend.tests.people.people import another, new_email, signed_up
from backend.tests.schema_cases import FILE
from fastapi.testclient import TestClient
from sqlalchemy import update
from sqlalchemy.orm import Session

from tailroom.access.authenticator import Authenticator
from tailroom.access.caller import Caller
from tailroom.access.capabilities import ALLOWED, Capability
from tailroom.access.routing import GuardedRoute
from tailroom.api.app import create_app
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.settings import Settings
from tailroom.storage.access_token import AccessToken

WORD = "xylophagous"
"""In every text that the owner stores; nobody else's answer may hold it."""
OF_NOBODY = re.compile(
    r"^/api/v1/(me\b|second-factors|tokens|session|organisations|organisation/second-factor|invitation/|"
    r"agents?\b|operations\b|sign-in-options|people|mail)|^/(healthz|readyz|metrics|shared)"
)
"""Routes whose rows are out of reach of every organisation's transaction: they work in nobody's, and there is
no policy to be tried alone. `/operations` is about all organisations by its purpose.
"""
EVERYWHERE = ("owner of another organisation", "agent of another organisation", "nobody")
"""Those who ask on every route."""
FROM_MEMORY = re.compile(r"^/api/v1/sla/")
"""Answered from what a process holds in memory by organisation: read with policies, asked without."""


@dataclass
class Owner:
    """An organisation that has something of every kind, all of it private."""

    browser: TestClient
    organisation_id: str
    tokens: dict[str, str]
    names: dict[str, str]
    secrets: set[str] = field(default_factory=lambda: {WORD})


class Leak(NamedTuple):
    """What somebody got that is not theirs."""

    credential: str
    method: str
    path: str
    what: str


def header(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture(scope="module")
def app_client(settings: Settings) -> Iterator[TestClient]:
    """Anybody may sign up; live streams end by themselves."""
    more = {"open_sign_up": True, "live_max_lifetime_s": 0.1}
    with TestClient(create_app(settings.model_copy(update=more)), raise_server_exceptions=False) as found:
        yield found


@pytest.fixture(scope="module")
def without_policies(settings: Settings) -> Iterator[TestClient]:
    """The same, with row-level security off."""
    more = {"open_sign_up": True, "live_max_lifetime_s": 0.1, "row_level_security": False}
    with TestClient(create_app(settings.model_copy(update=more)), raise_server_exceptions=False) as found:
        yield found


@pytest.fixture(scope="module")
def owner(app_client: TestClient) -> Owner:
    """Has a run, an upload with its file, budget, drive, prices, watch, links, members, agents."""
    browser = signed_up(app_client, f"{WORD} works")
    client = another(app_client)
    made = {
        scope: browser.post("/api/v1/tokens", json={"name": f"{WORD} {scope}", "scope": scope}).json()["text"]
        for scope in ("agent", "engineer", "viewer")
    }
    engineer = header(made["engineer"])
    agent = Agent(client, made["agent"])
    host = {"hostname": f"{WORD}-host"}
    assert agent.announce(title=f"{WORD} run", host=host, plan={"title": WORD}).status_code == 201
    assert agent.send([interval(no, seq) for no in (0, 1) for seq in range(5)]).status_code == 200
    file = f"{WORD}.log"
    upload = client.post("/api/v1/uploads", headers=engineer, files={"files": (file, FILE.read_bytes())})
    assert upload.status_code in (200, 201), upload.text
    budget = {
        "kind": "exceedance",
        "name": WORD,
        "version": 1,
        "title": WORD,
        "question": f"{WORD}?",
        "operation": "read",
        "limits": [{"threshold_ns": 1_000_000, "ratio": 0.01}],
    }
    links = browser.post(f"/api/v1/runs/{agent.run_id}/links", json={})
    code = browser.post("/api/v1/agent/codes", json={"name": f"{WORD} machine"})
    for answer in (
        client.post("/api/v1/budgets", headers=engineer, json={"document": budget}),
        browser.post("/api/v1/invitations", json={"email": new_email(WORD), "role": "viewer"}),
        browser.post(
            "/api/v1/watches", json={"name": WORD, "run_title": f"{WORD} run", "budget_name": "act-limits"}
        ),
        links,
        code,
    ):
        assert answer.status_code < 300, answer.text
    members = browser.get("/api/v1/members").json()
    stored = upload.json()["files"][0]
    names = {
        "run_id": agent.run_id,
        "upload_id": upload.json()["upload_id"],
        "sha256": stored["sha256"],
        "person_id": members["members"][0]["person_id"],
        "invitation_id": members["invitations"][0]["invitation_id"],
        "token_id": browser.get("/api/v1/tokens").json()["tokens"][0]["token_id"],
        "session_id": browser.get("/api/v1/me/sessions").json()["sessions"][0]["session_id"],
        "organisation_id": browser.get("/api/v1/session").json()["organisation"]["id"],
        "watch_id": browser.get("/api/v1/watches").json()["watches"][0]["watch_id"],
        "link_id": browser.get(f"/api/v1/runs/{agent.run_id}/links").json()["links"][0]["link_id"],
    }
    found = Owner(browser, names["organisation_id"], made, names)
    found.secrets |= {one for name, one in names.items() if name not in {"sha256"}}
    return found


def place(path: str, owner: Owner) -> str:
    """The address of a route with what the owner has."""
    ids = owner.names | {
        "form": "html",
        "picture": "badge.svg",
        "kind": "drive",
        "slug": "intel-dc-s3700",
        "capacity_bytes": "1000",
        "secret": "s" * 43,
        "name": "chart.svg",
    }
    where = re.sub(r"{(\w+)}", lambda one: ids.get(one[1], "00000000-0000-7000-8000-000000000000"), path)
    run = owner.names["run_id"]
    match path:
        case "/api/v1/comparisons" | "/api/v1/comparisons/report.{form}":
            return f"{where}?before={run}&after={run}&run={run}&run={run}"
        case "/api/v1/sla/carry/report.{form}":
            asked = {"production": {"run_id": run}, "subjects": [f"run:{run}"]}
            body = asked | {"budget": {"objective": "99% read < 1ms"}}
            return f"{where}?question={quote(json.dumps(body))}"
        case "/api/v1/runs":
            return f"{where}?q={WORD}"
        case _:
            return where


def bodies(owner: Owner) -> Mapping[str, Any]:
    """What is sent where an empty object says nothing."""
    subject = {"subject": {"run_id": owner.names["run_id"]}, "budget": {"name": WORD}}
    return {
        "/api/v1/members/{person_id}": {"role": "viewer"},
        "/api/v1/sla/evaluate": subject,
        "/api/v1/session/organisation": {"organisation_id": owner.organisation_id},
        "/api/v1/runs/{run_id}/disclosure": {"answers": {"host": "mine"}},
    }


def asked(
    client: TestClient, method: str, path: str, owner: Owner, headers: Mapping[str, str]
) -> httpx.Response:
    body = bodies(owner).get(path, {})
    content = b"" if method in ("GET", "DELETE") else json.dumps(body).encode()
    kinds = {"Content-Type": "application/json"} if content else {}
    answer: httpx.Response = client.request(
        method, place(path, owner), content=content, headers={**headers, **kinds}
    )
    return answer


def leaks_of(
    credential: str,
    client: TestClient,
    owner: Owner,
    headers: Mapping[str, str],
    *,
    skip: re.Pattern[str] | None = None,
    over: Callable[[], Iterable[tuple[str, str, GuardedRoute]]] = routes,
) -> tuple[list[Leak], int]:
    """Everything that a credential gets of the owner's, over these routes; and how many were asked."""
    found, tried = [], 0
    for method, path, _ in over():
        ends_itself = path in {"/api/v1/me/sessions", "/api/v1/session"} and method == "DELETE"
        if ends_itself or (skip is not None and skip.search(path)):
            continue
        answer = asked(client, method, path, owner, headers)
        tried += 1
        text = answer.text
        # A refusal may repeat what was asked for, and says no more than that.
        secrets = owner.secrets if answer.status_code < 400 else {WORD}
        sent = place(path, owner) + json.dumps(bodies(owner).get(path, {}))
        said = [one for one in secrets if one in text and one not in sent]
        if path == "/api/v1/raw-files/{sha256}" and answer.status_code == 200:
            said.append("the file")
        if (
            answer.status_code < 300
            and method != "GET"
            and re.search(r"{(?!kind|slug|secret|capacity_bytes)\w+}", path)
        ):
            said.append("changed something")
        found += [Leak(credential, method, path, what) for what in said]
        # What a policy refuses to write is a defect to an application that takes everybody for the owner.
        assert skip is not None or answer.status_code != 500, (method, path, text)
    return found, tried


@pytest.fixture(scope="module")
def strangers(
    app_client: TestClient, owner: Owner, database: Database
) -> Mapping[str, tuple[TestClient, dict[str, str]]]:
    """Everybody who is not let in to it."""
    foreign = signed_up(app_client, "another works")
    theirs = {
        scope: foreign.post("/api/v1/tokens", json={"name": scope, "scope": scope}).json()["text"]
        for scope in ("agent", "engineer", "viewer")
    }
    gone = {}
    for name in ("revoked", "expired"):
        made = owner.browser.post("/api/v1/tokens", json={"name": name, "scope": "engineer"}).json()
        gone[name] = made["text"]
        token_id = made["tokens"][0]["token_id"]
        if name == "revoked":
            assert owner.browser.delete(f"/api/v1/tokens/{token_id}").status_code == 200
        else:
            with database.transaction() as session:
                late = update(AccessToken).where(AccessToken.id == UUID(token_id))
                session.execute(late.values(expires_at=utc_now() - timedelta(seconds=1)))
    ended = another(app_client)
    ended.cookies.set("tailroom_session", "x" * 43)
    plain = another(app_client)
    return {
        "owner of another organisation": (foreign, {}),
        **{f"{scope} of another organisation": (plain, header(text)) for scope, text in theirs.items()},
        **{f"{name} token": (plain, header(text)) for name, text in gone.items()},
        "ended session": (ended, {}),
        "nobody": (another(app_client), {}),
    }


@pytest.fixture(scope="module")
def shown(owner: Owner) -> list[tuple[str, str, GuardedRoute]]:
    """Routes that show the owner what is theirs, but for documents, which take long to make."""
    documents = ("/pack.zip", "/page.html", "/report.{form}")
    return [
        (method, path, route)
        for method, path, route in routes()
        if method == "GET"
        and not path.endswith(documents)
        and WORD in asked(owner.browser, method, path, owner, {}).text
    ]


def test_the_owner_sees_it_all_and_it_is_kept(shown: list[tuple[str, str, GuardedRoute]]) -> None:
    """What leaks are looked for by is really there."""
    seen = {path for _, path, _ in shown}
    assert len(seen) >= 15, sorted(seen)
    assert {"/api/v1/runs", "/api/v1/uploads/{upload_id}", "/api/v1/budgets", "/api/v1/watches"} <= seen


def test_nobody_else_sees_anything(
    owner: Owner,
    strangers: Mapping[str, tuple[TestClient, dict[str, str]]],
    shown: list[tuple[str, str, GuardedRoute]],
) -> None:
    before = snapshot(owner)
    leaks, tried = [], 0
    for credential, (client, headers) in strangers.items():
        over = routes if credential in EVERYWHERE else lambda: [*shown, *of_each_capability()]
        found, count = leaks_of(credential, client, owner, headers, over=over)
        leaks += found
        tried += count
    print(f"\n{tried} questions of {len(strangers)} credentials, both locks: {len(leaks)} leaks")
    assert not leaks, "\n".join(map(str, leaks))
    assert snapshot(owner) == before


@pytest.mark.parametrize("scope", ["agent", "viewer"])
def test_a_scope_that_is_too_small_is_refused_on_every_route(
    app_client: TestClient, owner: Owner, scope: str
) -> None:
    before, plain, refused = snapshot(owner), another(app_client), 0
    for method, path, route in routes():
        needed = route.needs.capability
        if needed is Capability.NONE or needed in ALLOWED[scope]:  # type: ignore[index]
            continue
        answer = asked(plain, method, path, owner, header(owner.tokens[scope]))
        assert (answer.status_code, answer.json()["code"]) == (403, "token-scope"), (method, path)
        assert 403 in {int(one) for one in route.responses}
        assert WORD not in answer.text
        refused += 1
    print(f"\n{scope}: refused on {refused} routes")
    assert snapshot(owner) == before


@contextmanager
def taken_for_the_owner(owner: Owner, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The application's checks removed: every caller may everything, and the application takes them for the
    owner's organisation. Transactions alone know who they are.
    """
    real_authenticate, real_session = Authenticator.authenticate, Caller.new_session
    truth: dict[UUID, UUID] = {}
    victim = UUID(owner.organisation_id)

    async def authenticate(self: Authenticator, request: Any, capability: Capability) -> Caller:
        found = await real_authenticate(self, request, Capability.NONE)
        truth[victim] = found.organisation_id
        return replace(found, organisation_id=victim, scope="owner")

    def new_session(self: Caller) -> Session:
        return real_session(replace(self, organisation_id=truth[victim]))

    monkeypatch.setattr(Authenticator, "authenticate", authenticate)
    monkeypatch.setattr(Caller, "new_session", new_session)
    try:
        yield
    finally:
        monkeypatch.undo()


def test_row_level_security_alone_holds(
    owner: Owner,
    strangers: Mapping[str, tuple[TestClient, dict[str, str]]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = snapshot(owner)
    client, headers = strangers["owner of another organisation"]
    skip = re.compile(f"{OF_NOBODY.pattern}|{FROM_MEMORY.pattern}")
    with taken_for_the_owner(owner, monkeypatch):
        leaks, tried = leaks_of("taken for the owner", client, owner, headers, skip=skip)
    print(f"\n{tried} questions, row-level security alone: {len(leaks)} leaks")
    assert not leaks, "\n".join(map(str, leaks))
    assert tried >= 60
    assert snapshot(owner) == before


def test_the_applications_checks_alone_hold(
    owner: Owner,
    without_policies: TestClient,
    strangers: Mapping[str, tuple[TestClient, dict[str, str]]],
    shown: list[tuple[str, str, GuardedRoute]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = snapshot(owner)
    leaks, tried = [], 0
    for credential in EVERYWHERE:
        client, headers = strangers[credential]
        browser = another(without_policies)
        browser.cookies.update(client.cookies)
        over = routes if headers or client.cookies else lambda: [*shown, *of_each_capability()]
        found, count = leaks_of(credential, browser, owner, headers, over=over)
        leaks += found
        tried += count
    print(f"\n{tried} questions, the application's checks alone: {len(leaks)} leaks")
    assert not leaks, "\n".join(map(str, leaks))
    assert snapshot(owner) == before
    # With neither lock it would be seen.
    browser = another(without_policies)
    browser.cookies.update(strangers["owner of another organisation"][0].cookies)
    with taken_for_the_owner(owner, monkeypatch):
        answers = [
            asked(browser, "GET", path, owner, {}).text for path in ("/api/v1/runs", "/api/v1/budgets")
        ]
    assert all(WORD in one for one in answers)


def test_streams_badges_files_and_exports_of_strangers(
    owner: Owner, strangers: Mapping[str, tuple[TestClient, dict[str, str]]]
) -> None:
    """Those that are no JSON, named once more so that none is forgotten."""
    run, upload = f"/api/v1/runs/{owner.names['run_id']}", f"/api/v1/uploads/{owner.names['upload_id']}"
    paths = (
        f"{run}/events",
        f"{run}/embed/badge.svg",
        f"{run}/report.html",
        f"{run}/report.pdf",
        f"{run}/pack.zip",
        f"/api/v1/raw-files/{owner.names['sha256']}",
        f"/api/v1/raw-files/{owner.names['sha256']}/lines",
        upload,
    )
    for credential, (client, headers) in strangers.items():
        for path in paths:
            answer = client.get(path, headers=headers)
            assert answer.status_code in {401, 403, 404}, (credential, path, answer.status_code)


def snapshot(owner: Owner) -> str:
    """What the owner has, as it was."""
    asked_for = ("runs", "budgets", "watches", "uploads", "members", "tokens", "price-list", "me")
    answers = {one: owner.browser.get(f"/api/v1/{one}").json() for one in asked_for}
    return re.sub(r'"(last_used_at|data_through_ns|server_time)": "?[^,}]*', "", json.dumps(answers))
