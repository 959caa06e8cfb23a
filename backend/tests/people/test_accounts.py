"""Signing up, in and out, forgotten passwords, sessions, and what guessing costs."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from backend.tests.people.people import (
    PASSWORD,
    another,
    code_for,
    mails_to,
    new_email,
    sign_in,
    signed_up,
)
from fastapi.testclient import TestClient
from redis import Redis
from sqlalchemy import func, select, update

from tailroom.access import sending
from tailroom.access.authenticator import COOKIE_NAME
from tailroom.access.errors import MailsTooMany
from tailroom.access.guesses import rate_limit_key
from tailroom.api.app import create_app
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.settings import Settings
from tailroom.people import guard
from tailroom.people.errors import SignInsTooMany
from tailroom.storage.organisation import Organisation
from tailroom.storage.person import MailCode, Person, PersonSession


def test_from_an_address_to_an_organisation(
    opened: TestClient, organisation: str, database: Database
) -> None:
    email = new_email()
    browser = signed_up(opened, organisation, email.upper())
    session = browser.get("/api/v1/session").json()
    assert (session["access"], session["scope"], session["organisation"]["name"]) == (
        "person",
        "owner",
        organisation,
    )
    assert session["person"] == {"email": email, "name": email.partition("@")[0]}
    assert browser.get("/api/v1/runs").json()["runs"] == []
    account = browser.get("/api/v1/me").json()
    assert [(one["name"], one["role"], one["is_current"]) for one in account["organisations"]] == [
        (organisation, "owner", True)
    ]
    with database.transaction() as session_:
        person = session_.scalar(select(Person).where(Person.email == email))
        assert person is not None
        assert person.password_hash is not None
        assert person.password_hash.startswith("$argon2id$v=19$")
        assert PASSWORD not in person.password_hash


def test_a_code_is_good_once_and_for_its_time(
    opened: TestClient, organisation: str, database: Database
) -> None:
    email, browser = new_email(), another(opened)
    browser.post("/api/v1/people", json={"email": email, "organisation": organisation})
    body = {"code": code_for(opened, email), "password": PASSWORD}
    with database.transaction() as session:
        late = update(MailCode).where(MailCode.email == email)
        session.execute(late.values(expires_at=utc_now() - timedelta(seconds=1)))
    ended = browser.put("/api/v1/people/password", json=body)
    assert (ended.status_code, ended.json()["code"]) == (404, "code-unknown")
    browser.post("/api/v1/people", json={"email": email, "organisation": organisation})
    body["code"] = code_for(opened, email)
    assert browser.put("/api/v1/people/password", json=body).status_code == 200
    assert browser.put("/api/v1/people/password", json=body).status_code == 404
    wrong = browser.put("/api/v1/people/password", json=body | {"code": "x" * 43})
    assert wrong.status_code == 404


def test_answers_do_not_tell_who_has_an_account(
    opened: TestClient, organisation: str, database: Database
) -> None:
    known, unknown = new_email(), new_email()
    signed_up(opened, organisation, known)
    browser = another(opened)
    for path, body in (
        ("/api/v1/people", {"organisation": "x"}),
        ("/api/v1/people/password-reset", {}),
        ("/api/v1/session/person", {"password": "wrong"}),
    ):
        answers = [browser.post(path, json=body | {"email": email}) for email in (known, unknown)]
        assert answers[0].status_code == answers[1].status_code
        said = [one.json() | {"request_id": ""} for one in answers]
        assert str(said[0]).replace(known, "") == str(said[1]).replace(unknown, "")
    assert mails_to(opened, known)[:2] == [
        "Choose a new password for Tailroom",
        "You have an account at Tailroom",
    ]
    assert mails_to(opened, unknown) == ["Finish signing up at Tailroom"]
    # The same is written for both: the time of an answer says no more than the answer.
    with database.transaction() as session:
        counted = select(MailCode.email, func.count()).where(MailCode.email.in_([known, unknown]))
        codes = session.execute(counted.group_by(MailCode.email)).all()
    assert sorted(map(tuple, codes)) == sorted([(known, 2), (unknown, 2)])


@pytest.mark.parametrize(
    ("password", "why"),
    [
        ("short", "12 are needed"),
        ("password1234", "very common"),
        ("qwertyuiop12", "commonly used"),
        ("aaaaaaaaaaaaaa", "easy to guess"),
        ("EMAIL", "easy to guess"),
    ],
)
def test_passwords_that_fall_to_a_list(
    opened: TestClient, organisation: str, password: str, why: str
) -> None:
    email, browser = new_email(), another(opened)
    browser.post("/api/v1/people", json={"email": email, "organisation": organisation})
    password = password.replace("EMAIL", email)
    body = {"code": code_for(opened, email), "password": password}
    refused = browser.put("/api/v1/people/password", json=body)
    assert (refused.status_code, refused.json()["code"]) == (422, "password-weak")
    assert why in refused.json()["detail"]
    assert password not in refused.text
    assert browser.put("/api/v1/people/password", json=body | {"password": PASSWORD}).status_code == 200


def test_a_new_password_by_mail_ends_every_session(opened: TestClient, organisation: str) -> None:
    email = new_email()
    browser = signed_up(opened, organisation, email)
    other = another(opened)
    other.post("/api/v1/people/password-reset", json={"email": email})
    body = {"code": code_for(opened, email), "password": "nineteen quiet harbours"}
    assert other.put("/api/v1/people/password", json=body).json()["person"]["email"] == email
    assert browser.get("/api/v1/runs").status_code == 401
    assert other.get("/api/v1/runs").status_code == 200
    again = another(opened).post("/api/v1/session/person", json={"email": email, "password": PASSWORD})
    assert (again.status_code, again.json()["code"]) == (401, "sign-in-refused")
    sign_in(opened, email, "nineteen quiet harbours")
    assert "choose_password" in str(other.get("/api/v1/trail").json())


def test_a_browser_that_signs_in_as_somebody_else_keeps_no_other_session(
    opened: TestClient, organisation: str
) -> None:
    email = new_email()
    signed_up(opened, organisation, email)
    browser = signed_up(opened, f"other {organisation}")
    before = {"Cookie": f"{COOKIE_NAME}={browser.cookies[COOKIE_NAME]}"}
    browser.post("/api/v1/people/password-reset", json={"email": email})
    body = {"code": code_for(opened, email), "password": "nineteen quiet harbours"}
    assert browser.put("/api/v1/people/password", json=body).json()["person"]["email"] == email
    assert another(opened).get("/api/v1/me", headers=before).status_code == 401


def test_another_password_ends_the_other_sessions(opened: TestClient, organisation: str) -> None:
    email = new_email()
    browser = signed_up(opened, organisation, email)
    other = sign_in(opened, email)
    body = {"present": "wrong", "password": "nineteen quiet harbours"}
    refused = browser.put("/api/v1/me/password", json=body)
    assert (refused.status_code, refused.json()["code"]) == (403, "password-wrong")
    assert browser.put("/api/v1/me/password", json=body | {"present": PASSWORD}).status_code == 204
    assert browser.get("/api/v1/me").status_code == 200
    assert other.get("/api/v1/me").status_code == 401
    assert mails_to(opened, email)[0] == "Your password at Tailroom was changed"
    assert "change_password" in str(browser.get("/api/v1/trail").json())


def test_sessions_are_listed_and_end_when_they_are_ended(opened: TestClient, organisation: str) -> None:
    email = new_email()
    browser = signed_up(opened, organisation, email)
    others = [sign_in(opened, email) for _ in range(3)]
    listed = browser.get("/api/v1/me/sessions").json()["sessions"]
    assert len(listed) == 4
    assert sum(one["is_current"] for one in listed) == 1
    copied = {"Cookie": f"{COOKIE_NAME}={others[0].cookies[COOKIE_NAME]}"}
    assert others[0].delete("/api/v1/session").status_code == 204
    assert another(opened).get("/api/v1/runs", headers=copied).status_code == 401
    one = next(row for row in others[1].get("/api/v1/me/sessions").json()["sessions"] if row["is_current"])
    left = browser.delete(f"/api/v1/me/sessions/{one['session_id']}").json()["sessions"]
    assert len(left) == 2
    assert others[1].get("/api/v1/runs").status_code == 401
    assert browser.delete(f"/api/v1/me/sessions/{one['session_id']}").status_code == 404
    assert [row["is_current"] for row in browser.delete("/api/v1/me/sessions").json()["sessions"]] == [True]
    assert others[2].get("/api/v1/runs").status_code == 401


def test_nobody_ends_the_session_of_another(opened: TestClient, organisation: str) -> None:
    browser, stranger = signed_up(opened, organisation), signed_up(opened, organisation)
    session_id = browser.get("/api/v1/me/sessions").json()["sessions"][0]["session_id"]
    assert stranger.delete(f"/api/v1/me/sessions/{session_id}").json()["code"] == "session-unknown"
    assert browser.get("/api/v1/runs").status_code == 200
    assert stranger.get("/api/v1/me/sessions").json() != browser.get("/api/v1/me/sessions").json()


def test_a_session_expires(opened: TestClient, organisation: str, database: Database) -> None:
    email = new_email()
    browser = signed_up(opened, organisation, email)
    with database.transaction() as session:
        person = session.scalar(select(Person.id).where(Person.email == email))
        rows = update(PersonSession).where(PersonSession.person_id == person)
        session.execute(rows.values(expires_at=utc_now() - timedelta(seconds=1)))
    assert browser.get("/api/v1/runs").status_code == 401


def test_a_password_of_years_ago_is_as_good(
    opened: TestClient, organisation: str, database: Database
) -> None:
    email = new_email()
    signed_up(opened, organisation, email)
    with database.transaction() as session:
        old = update(Person).where(Person.email == email)
        session.execute(old.values(password_set_at=utc_now() - timedelta(days=4_000)))
    assert sign_in(opened, email).get("/api/v1/me").status_code == 200


def test_what_only_people_do(opened: TestClient, make_token: Callable[..., str], settings: Settings) -> None:
    with_token = another(opened).get(
        "/api/v1/me", headers={"Authorization": f"Bearer {make_token('engineer')}"}
    )
    assert (with_token.status_code, with_token.json()["code"]) == (403, "token-scope")
    with TestClient(create_app(settings.model_copy(update={"local_access": True}))) as local:
        answer = local.get("/api/v1/me")
        assert (answer.status_code, answer.json()["code"]) == (401, "token-missing")
        assert "sign in" in answer.json()["detail"]


def test_by_invitation_alone(client: TestClient) -> None:
    body = {"email": new_email(), "organisation": "x"}
    refused = client.post("/api/v1/people", json=body)
    assert (refused.status_code, refused.json()["code"]) == (403, "sign-up-closed")
    assert client.get("/api/v1/sign-in-options").json()["sign_up"] == "invited"


def test_organisations_may_be_called_alike_and_stay_apart(
    opened: TestClient, make_token: Callable[..., str], organisation: str, database: Database
) -> None:
    token = make_token("engineer", organisation)
    owners = [signed_up(opened, organisation) for _ in range(2)]
    headers = {"Authorization": f"Bearer {token}"}
    ids = {one.get("/api/v1/session").json()["organisation"]["id"] for one in owners}
    ids.add(another(opened).get("/api/v1/session", headers=headers).json()["organisation"]["id"])
    assert len(ids) == 3
    # The command line finds its own alone by that name.
    make_token("viewer", organisation)
    with database.transaction() as session:
        named = session.scalars(select(Organisation.made_by).where(Organisation.name == organisation)).all()
    assert sorted(named) == ["operator", "person", "person"]
    assert signed_up(opened, "local").get("/api/v1/runs").json()["runs"] == []


def test_guessing_is_slow_and_locks_nobody_out(
    opened: TestClient, organisation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    email = new_email()
    signed_up(opened, organisation, email)
    browser = another(opened)
    body = {"email": email, "password": "wrong"}
    answers = [browser.post("/api/v1/session/person", json=body) for _ in range(guard.PAIR.burst + 1)]
    assert [one.status_code for one in answers] == [401] * guard.PAIR.burst + [429]
    assert "Retry-After" in answers[-1].headers
    # Others are not touched, and time alone lets the owner in again.
    signed_up(opened, organisation)
    moment = guard.PAIR.burst / guard.PAIR.per_s
    import time

    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + moment)
    sign_in(opened, email)


def test_another_process_gives_no_further_guesses(settings: Settings, redis_url: str) -> None:
    first, second = guard.SignInGuard(redis_url), guard.SignInGuard(redis_url)
    for number in range(guard.PAIR.burst):
        (first, second)[number % 2].take("a@b", "192.0.2.7", is_known_here=True)
    for one in (first, second):
        with pytest.raises(SignInsTooMany):
            one.take("a@b", "192.0.2.7", is_known_here=True)
    first.take("a@b", "192.0.2.8", is_known_here=True).give_back()
    first.close()
    second.close()


def test_without_valkey_each_process_counts_for_itself() -> None:
    alone = guard.SignInGuard("redis://127.0.0.1:1/0")
    for _ in range(guard.PAIR.burst):
        alone.take("a@b", "192.0.2.7", is_known_here=True)
    with pytest.raises(SignInsTooMany):
        alone.take("a@b", "192.0.2.7", is_known_here=True)


def test_a_right_password_is_given_back_and_no_address_stands_in_valkey(redis_url: str) -> None:
    kept = guard.SignInGuard(redis_url)
    for _ in range(3 * guard.PAIR.burst):
        kept.take("ada@people.example", "192.0.2.9", is_known_here=False).give_back()
    client = Redis.from_url(redis_url)
    names = [name.decode() for name in client.scan_iter("tailroom:{guesses}:*")]
    assert names
    assert not any("ada" in name or "192.0.2.9" in name for name in names)
    assert all(client.ttl(name) > 0 for name in names)


def test_strangers_elsewhere_do_not_keep_an_owner_out() -> None:
    buckets = guard.SignInGuard()
    for number in range(guard.EMAIL.burst):
        buckets.take("a@b", f"10.0.0.{number}", is_known_here=False)
    with pytest.raises(SignInsTooMany):
        buckets.take("a@b", "10.1.0.1", is_known_here=False)
    assert buckets.take("a@b", "10.2.0.1", is_known_here=True)


def test_mails_to_one_address_are_few(opened: TestClient) -> None:
    email, browser = new_email(), another(opened)
    sent = [
        browser.post("/api/v1/people/password-reset", json={"email": email})
        for _ in range(sending.MAIL.burst + 1)
    ]
    assert [one.status_code for one in sent] == [202] * sending.MAIL.burst + [429]
    # What a stranger uses up of one kind leaves the others.
    assert browser.post("/api/v1/people", json={"email": email, "organisation": "x"}).status_code == 202


def test_whoever_asks_for_many_mails_leaves_enough_for_others() -> None:
    kept = guard.SignInGuard()
    for number in range(sending.ASKER.burst):
        kept.take_mail("sign-up", f"{number}@b", rate_limit_key(f"2001:db8:1:2::{number:x}"))
    with pytest.raises(MailsTooMany):
        kept.take_mail("reset", "new@b", rate_limit_key("2001:db8:1:2:ffff::"))
    kept.take_mail("reset", "new@b", rate_limit_key("2001:db8:1:3::"))
    kept.take_mail("reset", "new@b", rate_limit_key("192.0.2.1"))
    assert rate_limit_key("::ffff:192.0.2.1") == rate_limit_key("192.0.2.1") == "192.0.2.1"


def test_guesses_from_a_network_of_many_addresses_are_one_askers() -> None:
    kept = guard.SignInGuard()
    for number in range(guard.PAIR.burst):
        kept.take("a@b", f"2001:db8:1:2::{number:x}", is_known_here=True)
    with pytest.raises(SignInsTooMany):
        kept.take("a@b", "2001:db8:1:2:ffff::", is_known_here=True)


@pytest.mark.parametrize(
    "email", ["x", "a@b\nBcc: c@d", "a@b c", "@b", "a@", "ä@b", "a@b,c@d", "a@-", "x" * 65 + "@b"]
)
def test_what_is_no_address(opened: TestClient, email: str) -> None:
    assert opened.post("/api/v1/people/password-reset", json={"email": email}).status_code == 422


def test_changes_of_a_person_come_from_our_own_pages(opened: TestClient, organisation: str) -> None:
    browser = signed_up(opened, organisation)
    headers = {"Sec-Fetch-Site": "cross-site"}
    for method, path in (
        ("POST", "/api/v1/people"),
        ("POST", "/api/v1/people/password-reset"),
        ("PUT", "/api/v1/people/password"),
        ("POST", "/api/v1/session/person"),
        ("PATCH", "/api/v1/me"),
        ("DELETE", "/api/v1/me/sessions"),
    ):
        body = {"email": new_email(), "organisation": "x", "code": "x" * 43, "password": "x", "name": "x"}
        answer = browser.request(method, path, headers=headers, json=body)
        if answer.status_code == 422:  # the body is read first where nobody has to be known
            body = (
                {"email": body["email"], "password": "x"} if "session" in path else {"email": body["email"]}
            )
            body |= {"organisation": "x"} if path.endswith("people") else {}
            body = {"code": "x" * 43, "password": "x"} if path.endswith("password") else body
            answer = browser.request(method, path, headers=headers, json=body)
        assert (answer.status_code, answer.json()["code"]) == (403, "origin-foreign"), path


def test_sign_ins_that_are_begun_and_left_are_few() -> None:
    kept = guard.SignInGuard()
    for _ in range(guard.BEGUN.burst):
        kept.take_attempt("192.0.2.7")
    with pytest.raises(SignInsTooMany):
        kept.take_attempt("192.0.2.7")
    kept.take_attempt("192.0.2.8")
