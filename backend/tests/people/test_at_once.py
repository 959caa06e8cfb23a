"""Requests that come at once: one code is used once, limits hold, an account is deleted once."""

from collections.abc import Iterator
from functools import partial
from uuid import UUID

import httpx
import pytest
from backend.tests.analysis.recording import SeriesSpec, add_run, steady
from backend.tests.listening import listening
from backend.tests.people.at_once import at_once
from backend.tests.people.people import PASSWORD, another, code_for, new_email, signed_up
from backend.tests.people.test_issued import OTHER_PASSWORD, person_id
from backend.tests.people.test_organisations import invite, joined, organisation_id
from backend.tests.people.test_second_factor import _code, _set
from fastapi.testclient import TestClient
from sqlalchemy import func, select

from tailroom.access.authenticator import COOKIE_NAME
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.settings import Settings
from tailroom.people import accounts, token_endpoints
from tailroom.people.errors import CodeUnknown
from tailroom.storage.access_token import AccessToken
from tailroom.storage.campaign import ServingAgent
from tailroom.storage.person import Person, PersonSession

LAYERS = ("device", "database")
DRIVE = {
    "vendor": "Xylo",
    "capacities_bytes": [10**12],
    "interface": "NVMe",
    "source": "sheet",
    "is_another": True,
}
KEPT_TOKEN = {"name": "kept", "scope": "engineer"}


@pytest.fixture(scope="module")
def address(settings: Settings) -> Iterator[str]:
    """A server behind a socket: what comes at once is worked on at once."""
    with listening(settings.model_copy(update={"open_sign_up": True, "page_threads": 8})) as found:
        yield found


def browser_of(address: str, browser: TestClient) -> httpx.Client:
    """The same session, spoken through a socket."""
    return httpx.Client(base_url=address, cookies={COOKIE_NAME: browser.cookies[COOKIE_NAME]}, timeout=30)


def test_a_reset_code_is_used_by_one_of_eight(
    opened: TestClient, organisation: str, database: Database
) -> None:
    email = new_email("eight")
    signed_up(opened, organisation, email)
    another(opened).post("/api/v1/people/password-reset", json={"email": email})
    code = code_for(opened, email)

    def choose(number: int) -> int:
        try:
            with database.transaction() as session:
                accounts.choose_password(
                    session,
                    code,
                    name="",
                    password_hash=f"hash {number}",
                    second_factor=None,
                    passkey_of=None,
                    address="",
                    now=utc_now(),
                )
        except CodeUnknown:
            return 0
        return 1

    assert sum(at_once(*[partial(choose, n) for n in range(8)])) == 1


def test_a_sign_up_code_makes_one_account_and_one_organisation(
    address: str, opened: TestClient, organisation: str, database: Database
) -> None:
    email = new_email("twice")
    another(opened).post("/api/v1/people", json={"email": email, "organisation": organisation})
    body = {"code": code_for(opened, email), "password": PASSWORD}
    answers = at_once(*[lambda: httpx.put(f"{address}/api/v1/people/password", json=body, timeout=30)] * 6)
    assert sorted(one.status_code for one in answers) == [200] + [404] * 5
    with database.transaction() as session:
        assert session.scalar(select(func.count()).where(Person.email == email)) == 1


def test_a_token_rotated_at_once_stays_within_the_limit(
    address: str, opened: TestClient, organisation: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = signed_up(opened, organisation)
    first = owner.post("/api/v1/tokens", json={"name": "first", "scope": "viewer"}).json()
    owner.post("/api/v1/tokens", json={"name": "second", "scope": "viewer"})
    token_id = first["tokens"][0]["token_id"]
    monkeypatch.setattr(token_endpoints, "ACCESS_TOKENS", 3)
    program = browser_of(address, owner)

    def rotate() -> httpx.Response:
        return program.post(f"/api/v1/tokens/{token_id}/rotate", json={"overlap_hours": 24})

    answers = at_once(*[rotate] * 4)
    assert sorted(one.status_code for one in answers) == [201, 409, 409, 409], [one.text for one in answers]
    made = at_once(*[lambda: program.post("/api/v1/tokens", json={"name": "x", "scope": "viewer"})] * 4)
    assert [one.status_code for one in made] == [409] * 4
    with database.transaction() as session:
        held = select(func.count()).where(
            AccessToken.organisation_id == UUID(organisation_id(owner)), AccessToken.revoked_at.is_(None)
        )
        assert session.scalar(held) == 3


def test_an_account_deleted_twice_at_once_is_deleted_once(
    address: str, opened: TestClient, organisation: str
) -> None:
    """The other request is told so, and none of them fails."""
    for number in range(2):
        owner, email = signed_up(opened, f"{organisation} {number}"), new_email("gone")
        member = browser_of(address, joined(opened, owner, "engineer", email))

        def delete(member: httpx.Client = member) -> httpx.Response:
            return member.post("/api/v1/me/delete", json={"present": PASSWORD})

        answers = at_once(*[delete] * 4)
        statuses = [one.status_code for one in answers]
        assert statuses.count(204) == 1, [one.text for one in answers]
        assert set(statuses) <= {204, 401, 403}, [one.text for one in answers]


def test_an_account_that_changes_while_it_is_deleted_never_fails(
    address: str, opened: TestClient, organisation: str
) -> None:
    """Each change finds the account or is told that it has gone: no 500, and nobody waits in a circle."""
    for number in range(2):
        owner, email = signed_up(opened, f"{organisation} {number}"), new_email("busy")
        member = joined(opened, owner, "engineer", email)
        signed_in = browser_of(address, member)
        code = invite(owner, email, "viewer")
        another(opened).post("/api/v1/people/password-reset", json={"email": email})
        reset = code_for(opened, email)
        saved = {"add": [{"kind": "run", "address": "/runs", "title": "x"}]}
        answers = at_once(
            partial(signed_in.post, "/api/v1/me/delete", json={"present": PASSWORD}),
            partial(
                signed_in.put, "/api/v1/me/password", json={"present": PASSWORD, "password": OTHER_PASSWORD}
            ),
            partial(signed_in.patch, "/api/v1/me", json={"name": "Busy"}),
            partial(signed_in.patch, "/api/v1/me/saved", json=saved),
            partial(signed_in.post, "/api/v1/invitation/accept", json={"code": code}),
            partial(signed_in.get, "/api/v1/me"),
            partial(signed_in.post, "/api/v1/me/passkey-challenge", json={"present": PASSWORD}),
            partial(
                httpx.put,
                f"{address}/api/v1/people/password",
                json={"code": reset, "password": OTHER_PASSWORD},
                timeout=30,
            ),
        )
        assert [one.text for one in answers if one.status_code >= 500] == []


def test_owners_of_many_organisations_stay_within_the_limit(
    address: str, opened: TestClient, organisation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tailroom.people import member_endpoints

    monkeypatch.setattr(member_endpoints, "OWNED_ORGANISATIONS", 3)
    owner = browser_of(address, signed_up(opened, organisation))
    answers = at_once(*[lambda: owner.post("/api/v1/organisations", json={"name": organisation})] * 6)
    assert sorted(one.status_code for one in answers) == [201] * 2 + [409] * 4


def test_two_changes_of_a_password_at_once_leave_one_session(
    address: str, opened: TestClient, organisation: str, database: Database
) -> None:
    email = new_email("both")
    browser = browser_of(address, signed_up(opened, organisation, email))
    body = {"present": PASSWORD, "password": OTHER_PASSWORD}
    answers = at_once(*[lambda: browser.put("/api/v1/me/password", json=body)] * 4)
    assert {one.status_code for one in answers} <= {204, 403}
    with database.transaction() as session:
        mine = PersonSession.person_id == person_id(database, email)
        assert session.scalar(select(func.count()).where(mine)) == 1


def test_removing_a_member_while_they_invite_leaves_nothing_open(
    address: str, opened: TestClient, organisation: str, database: Database
) -> None:
    owner, email = signed_up(opened, organisation), new_email("racer")
    admin = browser_of(address, joined(opened, owner, "admin", email))
    by_owner, racer = browser_of(address, owner), person_id(database, email)
    made = at_once(
        *[lambda: admin.post("/api/v1/invitations", json={"email": new_email(), "role": "admin"})] * 3,
        *[lambda: admin.post("/api/v1/agent/codes")] * 3,
        lambda: by_owner.delete(f"/api/v1/members/{racer}"),
    )
    assert [one.text for one in made if one.status_code >= 500] == []
    links = [one.json()["link"].partition("#")[2] for one in made[:3] if one.status_code == 201]
    for code in links:
        assert another(opened).post("/api/v1/invitation/look-up", json={"code": code}).status_code == 404


def test_an_admin_who_is_removed_makes_nothing_that_outlives_it(
    address: str, opened: TestClient, organisation: str, database: Database
) -> None:
    """A right is asked for again behind the lock: the door has let these requests in before the removal."""
    for number in range(2):
        owner, email = signed_up(opened, f"{organisation} {number}"), new_email("racer")
        viewer = new_email("raised")
        joined(opened, owner, "viewer", viewer)
        admin = browser_of(address, joined(opened, owner, "admin", email))
        by_owner, racer = browser_of(address, owner), person_id(database, email)
        raised = person_id(database, viewer)
        made = at_once(
            *[partial(admin.post, "/api/v1/tokens", json=KEPT_TOKEN)] * 4,
            partial(admin.patch, f"/api/v1/members/{raised}", json={"role": "admin"}),
            partial(by_owner.delete, f"/api/v1/members/{racer}"),
        )
        assert {one.status_code for one in made} <= {200, 201, 403}, [one.text for one in made]
        texts = [one.json()["text"] for one in made[:4] if one.status_code == 201]
        for text in texts:
            answer = opened.get("/api/v1/runs", headers={"Authorization": f"Bearer {text}"})
            assert answer.status_code == 401, answer.text


def test_limits_of_an_organisation_hold_at_once(
    address: str, opened: TestClient, organisation: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Codes, invitations, budgets, prices, chains, suggestions are counted under the organisation's lock."""
    from tailroom.budgets import service as budgets
    from tailroom.campaigns import enrolment
    from tailroom.catalogue import prices, suggestions
    from tailroom.comparison import chains
    from tailroom.people import members

    monkeypatch.setattr(budgets, "BUDGET_VERSIONS", 2)
    monkeypatch.setattr(prices, "PRICE_LIST_ENTRIES", 2)
    monkeypatch.setattr(enrolment, "ENROLMENT_CODES", 2)
    monkeypatch.setattr(members, "INVITATIONS", 2)
    monkeypatch.setattr(chains, "CHAINS", 2)
    monkeypatch.setattr(suggestions, "MOST_OPEN", 2)
    owner = browser_of(address, signed_up(opened, organisation))
    codes = at_once(*[lambda: owner.post("/api/v1/agent/codes")] * 6)
    assert sum(one.status_code == 201 for one in codes) == 2, [one.text for one in codes]
    emails = [new_email("many") for _ in range(6)]
    invited = at_once(*[partial(owner.post, "/api/v1/invitations", json={"email": one}) for one in emails])
    assert sum(one.status_code == 201 for one in invited) == 2, [one.text for one in invited]
    floors = [{"quantity": "operations_per_s", "above": 1}]
    document = {"kind": "throughput", "name": "mine", "floors": floors}
    versions = [{"document": document | {"version": number}} for number in range(1, 7)]
    stored = at_once(*[partial(owner.post, "/api/v1/budgets", json=one) for one in versions])
    assert sum(one.status_code == 201 for one in stored) == 2, [one.text for one in stored]
    price = {"drive": "samsung-pm983", "price": 10.0, "currency": "EUR", "source": "offer"}
    price |= {"stated_on": "2026-11-02"}
    entries = [{"entries": [price | {"capacity_bytes": 10**9 * number}]} for number in range(1, 7)]
    listed = at_once(*[partial(owner.put, "/api/v1/price-list", json=one) for one in entries])
    assert sum(one.status_code < 300 for one in listed) == 2, [one.text for one in listed]
    with database.transaction() as session:
        specs = [SeriesSpec("read", steady(200, 2))]
        runs = [add_run(session, specs, organisation=organisation) for _ in range(12)]
    hops = [
        {"layer": layer, "run_id": str(run)}
        for pair in zip(runs[::2], runs[1::2], strict=True)
        for layer, run in zip(LAYERS, pair, strict=True)
    ]
    bodies = [{"title": "bench", "hops": hops[n : n + 2]} for n in range(0, 12, 2)]
    linked = at_once(*[partial(owner.post, "/api/v1/chains", json=body) for body in bodies])
    assert sum(answer.status_code == 201 for answer in linked) == 2, [answer.text for answer in linked]
    slugs = [
        owner.post("/api/v1/drives", json=DRIVE | {"name": f"X{n}", "is_another": True}).json()["slug"]
        for n in range(6)
    ]
    suggested = at_once(*[partial(owner.post, "/api/v1/suggestions", json={"slug": slug}) for slug in slugs])
    assert sum(answer.status_code == 201 for answer in suggested) == 2, [answer.text for answer in suggested]


def test_an_agent_works_for_one_of_the_campaigns_that_begin_at_once(
    address: str, opened: TestClient, organisation: str, database: Database
) -> None:
    """The others are refused with the sentence that names the agent."""
    browser = signed_up(opened, organisation)
    owner, owner_id = browser_of(address, browser), UUID(organisation_id(browser))
    agent_id, now = new_id(), utc_now()
    with database.transaction() as session:
        session.add(
            ServingAgent(
                organisation_id=owner_id,
                agent_id=agent_id,
                token_id=new_id(),
                name="db-1",
                version={"version": "1.0.0", "knows": []},
                inventory={},
                enrolled_at=now,
                seen_at=now,
            )
        )
    body = {"title": "at once", "plan": "recordcount=9", "target": "redis://127.0.0.1:1/9"}
    begun = at_once(*[partial(owner.post, "/api/v1/campaigns", json=body | {"agents": [str(agent_id)]})] * 5)
    assert sorted(answer.status_code for answer in begun) == [201, 409, 409, 409, 409], [
        answer.text for answer in begun
    ]
    assert all("db-1 works for another campaign" in a.text for a in begun if a.status_code == 409)


def test_a_second_factor_code_is_taken_by_one_of_many(
    address: str, opened: TestClient, organisation: str
) -> None:
    """The code of an app, and one for whoever lost it."""
    email = new_email("factor")
    secret, recovery = _set(signed_up(opened, organisation, email))
    for code in (_code(secret), recovery[0]):
        body = {"email": email, "password": PASSWORD, "second_factor": code}
        tried = at_once(*[partial(httpx.post, f"{address}/api/v1/session/person", json=body, timeout=30)] * 4)
        assert sum(one.status_code == 200 for one in tried) == 1, [one.text for one in tried]
        assert {one.status_code for one in tried} <= {200, 403, 429}
