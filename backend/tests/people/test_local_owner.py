"""The link that `make up` prints, and visitors who have no credentials at all."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from backend.tests.agent import Agent, interval
from backend.tests.people.people import mails_to, new_email, signed_up
from fastapi.testclient import TestClient
from sqlalchemy import update
from typer.testing import CliRunner

from tailroom.access import guesses
from tailroom.access.tokens import hash_token, make_session
from tailroom.api.app import create_app
from tailroom.cli import people
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.settings import Settings
from tailroom.people import local_owner
from tailroom.storage.organisation import LOCAL_OWNER
from tailroom.storage.person import MailCode, SignInAttempt

ENTER = "/api/v1/session/local"


@pytest.fixture(scope="module")
def machine(settings: Settings) -> Iterator[TestClient]:
    """The API of `make up`, asked by a browser of the same machine."""
    near = settings.model_copy(update={"local_access": True})
    with TestClient(create_app(near), client=("127.0.0.1", 50_000)) as found:
        yield found


def code_of(database: Database) -> dict[str, str]:
    with database.transaction() as session:
        link = local_owner.link(session, "http://127.0.0.1:8400", utc_now())
    assert link.startswith("http://127.0.0.1:8400/enter#")
    return {"code": link.partition("#")[2]}


def test_a_link_makes_a_browser_the_owners_once(machine: TestClient, database: Database) -> None:
    body, browser = code_of(database), TestClient(machine.app, client=("127.0.0.1", 50_001))
    session = browser.post(ENTER, json=body).json()
    assert (session["access"], session["scope"], session["organisation"]["name"]) == (
        "person",
        "owner",
        "local",
    )
    assert session["person"]["email"] == "owner@localhost"
    again = browser.post(ENTER, json=body)
    assert (again.status_code, again.json()["code"]) == (404, "attempt-ended")
    assert browser.get("/api/v1/me/sessions").status_code == 200
    body = code_of(database)
    with database.transaction() as session_:
        session_.execute(update(SignInAttempt).values(expires_at=utc_now() - timedelta(seconds=1)))
    assert browser.post(ENTER, json=body).json()["code"] == "attempt-ended"
    # Twice the same owner, and one membership.
    assert browser.post(ENTER, json=code_of(database)).json()["person"] == session["person"]


@pytest.mark.parametrize("how", ["from afar", "through a proxy", "another site", "no local access"])
def test_it_works_on_this_machine_alone(
    machine: TestClient, client: TestClient, database: Database, how: str
) -> None:
    body = code_of(database)
    far = TestClient(machine.app, client=("192.0.2.7", 50_000))
    near_closed = TestClient(client.app, client=("127.0.0.1", 50_000))
    answer = {
        "from afar": lambda: far.post(ENTER, json=body),
        "through a proxy": lambda: machine.post(ENTER, json=body, headers={"X-Forwarded-For": "127.0.0.1"}),
        "another site": lambda: machine.post(ENTER, json=body, headers={"Origin": "http://evil.example"}),
        "no local access": lambda: near_closed.post(ENTER, json=body),
    }[how]()
    assert answer.status_code == 403
    assert machine.post(ENTER, json=body).status_code == 200, "the link was not spent by that"


def test_the_command_prints_one_and_resets_a_lost_factor(
    opened: TestClient, organisation: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tailroom.kit.settings.get_settings", lambda: settings)
    monkeypatch.setattr("tailroom.kit.local_services.with_local_services", lambda settings: settings)
    run = CliRunner()
    assert "/enter#" in run.invoke(people.app, ["link"]).stdout
    from backend.tests.people.test_passkeys import made

    email = new_email("lost")
    browser = signed_up(opened, organisation, email)
    made(browser)
    assert email in run.invoke(people.app, ["list"]).stdout
    assert run.invoke(people.app, ["reset-factor", "nobody@people.example"]).exit_code == 2
    assert run.invoke(people.app, ["reset-factor", email]).exit_code == 0
    assert browser.get("/api/v1/me").status_code == 401
    body = {"email": email, "password": "seven violet otters negotiate"}
    assert browser.post("/api/v1/session/person", json=body).status_code == 200
    events = browser.get("/api/v1/trail", params={"action": "reset_second_factor"}).json()["events"]
    assert [one["actor_kind"] for one in events] == ["operator"]


def test_visitors_see_what_is_published_and_nothing_else(
    settings: Settings, client: TestClient, make_token: Callable[..., str]
) -> None:
    agent = Agent(client, make_token())
    agent.announce()
    assert agent.send([interval(0, 0)]).status_code == 200
    run = f"/api/v1/runs/{agent.run_id}"
    engineer = {"Authorization": f"Bearer {make_token('engineer')}"}
    with TestClient(create_app(settings.model_copy(update={"open_browsing": True}))) as visitor:
        session = visitor.get("/api/v1/session").json()
        assert (session["access"], session["capabilities"]) == (
            "visitor",
            ["know-oneself", "read", "read-run", "show"],
        )
        assert visitor.get(run).status_code == 404
        assert client.post(f"{run}/publish", headers=engineer).status_code == 200
        assert visitor.get(run).status_code == 200
        assert agent.run_id in visitor.get("/api/v1/runs").text
        assert visitor.get("/api/v1/leaderboard").status_code == 200
        for method, path in (
            ("POST", f"{run}/retract"),
            ("POST", "/api/v1/sla/match"),
            ("GET", "/api/v1/members"),
            ("GET", "/api/v1/me"),
            ("GET", "/api/v1/trail"),
            ("GET", "/api/v1/tokens"),
            ("GET", f"{run}/links"),
        ):
            assert visitor.request(method, path, json={}).status_code == 401, path
        wrong = visitor.get(run, headers={"Authorization": "Bearer tlr_viewer_" + "x" * 43})
        assert wrong.status_code == 401, "a wrong token is no visitor"
        visitor.cookies.set("tailroom_session", "x" * 43)
        assert visitor.post(f"{run}/retract").status_code == 401
        read = {visitor.get("/api/v1/session").status_code for _ in range(guesses.BURST + 1)}
        assert read == {200}, "whose session has ended reads as anybody does"
        assert client.post(f"{run}/retract", headers=engineer, json={}).status_code == 200
        assert "interval" not in visitor.get(f"{run}/timeline").text
    assert client.get("/api/v1/session").status_code == 401


def test_another_user_of_the_machine_does_not_become_the_owner(
    machine: TestClient, database: Database, settings: Settings
) -> None:
    """No mail resets a password that there is not, and only the owner reads the mails that are stored."""
    code_of(database)
    visitor = TestClient(machine.app, client=("127.0.0.1", 50_002))
    assert visitor.get("/api/v1/runs").status_code == 200, "reads as this machine does"
    before = mails_to(machine, LOCAL_OWNER)
    for path, body in (
        ("/api/v1/people/password-reset", {"email": LOCAL_OWNER}),
        ("/api/v1/people/password-reset", {"email": "OWNER@localhost"}),
    ):
        assert visitor.post(path, json=body).status_code == 202
    assert mails_to(machine, LOCAL_OWNER) == before
    mail = visitor.get("/api/v1/mail")
    assert (mail.status_code, mail.json()["code"]) == (401, "token-missing")
    assert "tailroom people link" in mail.json()["detail"]
    with TestClient(
        create_app(settings.model_copy(update={"local_access": True, "open_sign_up": True}))
    ) as near:
        near.post("/api/v1/people", json={"email": LOCAL_OWNER, "organisation": "x"})
        assert mails_to(near, LOCAL_OWNER)[0] == "You have an account at Tailroom"
        person = signed_up(near, "Mailroom")
        assert (person.get("/api/v1/mail").status_code, person.get("/api/v1/runs").status_code) == (403, 200)


def test_the_owner_reads_stored_mail_on_this_machine(machine: TestClient, database: Database) -> None:
    owner = TestClient(machine.app, client=("127.0.0.1", 50_003))
    owner.post(ENTER, json=code_of(database))
    assert owner.get("/api/v1/mail").status_code == 200
    assert "read-mail" in owner.get("/api/v1/session").json()["capabilities"]
    through = owner.get("/api/v1/mail", headers={"X-Forwarded-For": "192.0.2.1"})
    assert (through.status_code, through.json()["code"]) == (403, "token-scope")


def test_a_code_of_before_resets_no_account_without_a_password(
    machine: TestClient, database: Database
) -> None:
    """Such as one that was asked for by an older version, or while there was a password."""
    code_of(database)
    code = make_session()
    with database.transaction() as session:
        session.add(
            MailCode(
                code_sha256=hash_token(code),
                email=LOCAL_OWNER,
                purpose="reset",
                details=None,
                created_at=utc_now(),
                expires_at=utc_now() + timedelta(hours=1),
            )
        )
    body = {"code": code, "password": "seven violet otters negotiate"}
    refused = machine.put("/api/v1/people/password", json=body)
    assert (refused.status_code, refused.json()["code"]) == (404, "code-unknown")
