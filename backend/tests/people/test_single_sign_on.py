"""Signing in at a provider of OpenID Connect, which is a real one over HTTP."""

import time
from collections.abc import Iterator
from functools import partial
from urllib.parse import parse_qs, urlsplit

import httpx
import pyotp
import pytest
from backend.tests.listening import listening
from backend.tests.people.at_once import at_once
from backend.tests.people.oidc_provider import CLIENT_ID, CLIENT_SECRET, OidcProvider, serving_provider
from backend.tests.people.people import PASSWORD, another, mails_to, new_email, signed_up
from fastapi.testclient import TestClient
from joserfc.jwk import RSAKey
from pydantic import SecretStr, ValidationError
from sqlalchemy import delete, select, update

from tailroom.access.authenticator import COOKIE_NAME
from tailroom.api.app import create_app
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.settings import GroupRole, Settings
from tailroom.people import attempts, second_factors
from tailroom.people.oidc import groups
from tailroom.storage.person import Person, PersonIdentity, SignInAttempt

BEGIN, RETURN, IDENTITIES = "/api/v1/session/oidc", "/api/v1/session/oidc/return", "/api/v1/me/identities"
TABLE = (
    GroupRole("cn=staff,ou=groups", "Works", "viewer"),
    GroupRole("admins", "Works", "admin"),
    GroupRole("owners", "Works", "owner"),
    GroupRole("labs", "Laboratory", "engineer"),
)


@pytest.fixture(scope="module")
def provider() -> Iterator[OidcProvider]:
    with serving_provider() as found:
        yield found


@pytest.fixture(scope="module")
def installed_settings(settings: Settings, provider: OidcProvider) -> Settings:
    """An installation that takes people by invitation, by groups of the provider, and by nothing else."""
    more = {
        "oidc_issuer": provider.issuer,
        "oidc_client_id": CLIENT_ID,
        "oidc_client_secret": SecretStr(CLIENT_SECRET),
        "oidc_name": "Works login",
        "oidc_roles": TABLE,
    }
    return settings.model_copy(update=more)


@pytest.fixture(scope="module")
def installed(installed_settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(installed_settings)) as client:
        yield client


@pytest.fixture(autouse=True)
def honest(provider: OidcProvider) -> None:
    """Before each test the provider knows somebody new and tells the truth."""
    email = new_email("oidc")
    provider.person = {"sub": f"sub of {email}", "email": email, "email_verified": True, "name": "Ada"}
    provider.person["groups"] = ["labs"]
    provider.lies, provider.signs_with, provider.algorithm, provider.tells_later = {}, None, "RS256", False


def went(browser: TestClient, begin: str = BEGIN) -> dict[str, str]:
    """To the provider and back: what it sends along."""
    begun = browser.post(begin, json={"present": PASSWORD} if begin == IDENTITIES else None)
    assert begun.status_code == 200, begun.text
    back = httpx.get(begun.json()["address"])
    assert back.status_code == 302, back.text
    place = urlsplit(back.headers["Location"])
    assert place.path == "/sign-in/return"
    return {name: values[0] for name, values in parse_qs(place.query).items()}


def entered(client: TestClient) -> TestClient:
    """A browser in which whoever the provider knows is signed in."""
    browser = another(client)
    answer = browser.post(RETURN, json=went(browser))
    assert answer.status_code == 200, answer.text
    return browser


def refused(client: TestClient) -> str:
    """The code of the refusal of whoever comes back; nobody is signed in."""
    browser = another(client)
    answer = browser.post(RETURN, json=went(browser))
    assert answer.status_code >= 400, answer.text
    assert browser.get("/api/v1/session").status_code == 401
    return str(answer.json()["code"])


def test_from_the_provider_into_an_organisation(
    installed: TestClient, provider: OidcProvider, settings: Settings
) -> None:
    assert installed.get("/api/v1/sign-in-options").json()["single_sign_on"] == "Works login"
    browser = another(installed)
    address = browser.post(BEGIN).json()["address"]
    asked = parse_qs(urlsplit(address).query)
    assert asked["code_challenge_method"] == ["S256"]
    assert len(asked["nonce"][0]) == len(asked["state"][0]) == len(asked["code_challenge"][0]) == 43
    browser = another(installed)
    signed_in = browser.post(RETURN, json=went(browser))
    assert signed_in.status_code == 200, signed_in.text
    assert cookie_max_age_s(signed_in) == 12 * 3600
    session = browser.get("/api/v1/session").json()
    assert (session["access"], session["scope"], session["organisation"]["name"]) == (
        "person",
        "engineer",
        "Laboratory",
    )
    assert session["person"] == {"email": provider.person["email"], "name": "Ada"}
    lasts = browser.get("/api/v1/me/sessions").json()["sessions"][0]
    assert 11.9 < hours_between(lasts["created_at"], lasts["expires_at"]) < 12.1
    # The same again is the same person, also where the address is another one by now.
    provider.person["email"] = new_email("renamed")
    assert entered(installed).get("/api/v1/me").json() == browser.get("/api/v1/me").json()
    assert len(browser.get(IDENTITIES).json()["identities"]) == 1
    # There is no password to guess.
    body = {"email": session["person"]["email"], "password": ""}
    assert another(installed).post("/api/v1/session/person", json=body).status_code == 401


def cookie_max_age_s(answer: httpx.Response) -> int:
    """Return how long the browser stores the cookie of the session that an answer sets."""
    header = next(text for text in answer.headers.get_list("set-cookie") if text.startswith(COOKIE_NAME))
    return int(header.lower().partition("max-age=")[2].partition(";")[0])


def hours_between(begin: str, end: str) -> float:
    from datetime import datetime

    return (datetime.fromisoformat(end) - datetime.fromisoformat(begin)).total_seconds() / 3600


@pytest.mark.parametrize(
    "lie",
    [
        {"nonce": "another"},
        {"nonce": None},
        {"iss": "https://login.example.org"},
        {"aud": "somebody else"},
        {"aud": [CLIENT_ID, "somebody else"]},
        {"azp": "somebody else"},
        {"exp": int(time.time()) - 3600},
        {"exp": None},
        {"iat": int(time.time()) + 3600},
        {"sub": ""},
        {"sub": None},
        {"at_hash": "AAAAAAAAAAAAAAAAAAAAAA"},
    ],
    ids=", ".join,  # of the claims: values with the time would differ between processes
)
def test_what_is_not_true_signs_nobody_in(
    installed: TestClient, provider: OidcProvider, lie: dict[str, object]
) -> None:
    provider.lies = lie
    assert refused(installed) == "single-sign-on-refused"


def test_another_key_and_none_are_refused_and_a_published_one_is_found(
    installed: TestClient, provider: OidcProvider
) -> None:
    entered(installed)
    provider.signs_with = RSAKey.generate_key(2048)
    assert refused(installed) == "single-sign-on-refused"
    provider.signs_with = None
    provider.rotate()
    entered(installed)
    provider.algorithm = "none"
    assert refused(installed) == "single-sign-on-refused"


def test_an_attempt_comes_back_once_to_its_browser_and_in_time(
    installed: TestClient, provider: OidcProvider, database: Database
) -> None:
    browser, stranger = another(installed), another(installed)
    back = went(browser)
    went(stranger)
    slipped = stranger.post(RETURN, json=back)
    assert (slipped.status_code, slipped.json()["code"]) == (404, "attempt-ended")
    again = browser.post(RETURN, json=back)
    assert again.json()["code"] == "attempt-ended", "whoever tried it first has used it up"
    back = went(browser)
    wrong = browser.post(RETURN, json=back | {"iss": "https://login.example.org"})
    assert wrong.json()["code"] == "single-sign-on-refused"
    back = went(browser)
    with database.transaction() as session:
        session.execute(update(SignInAttempt).values(expires_at=utc_now() - attempts.VALID_FOR))
    assert browser.post(RETURN, json=back).json()["code"] == "attempt-ended"
    # A code of another attempt does not fit the verifier of this one.
    first, second = went(browser), went(browser)
    mixed = browser.post(RETURN, json=second | {"code": first["code"]})
    assert mixed.json()["code"] == "single-sign-on-refused"
    headers = {"Origin": "https://evil.example"}
    assert browser.post(BEGIN, headers=headers).json()["code"] == "origin-foreign"
    assert browser.post(RETURN, json=back, headers=headers).json()["code"] == "origin-foreign"


def test_an_address_that_nobody_verified_takes_no_account_over(
    installed: TestClient, opened: TestClient, provider: OidcProvider, organisation: str
) -> None:
    email = new_email("victim")
    victim = signed_up(opened, organisation, email)
    for unproven in (False, None, "false", 1, "True"):
        provider.person |= {"email": email, "email_verified": unproven}
        assert refused(installed) == "mail-unproven"
    provider.person |= {"email": "no address", "email_verified": True}
    assert refused(installed) == "mail-unproven"
    assert victim.get(IDENTITIES).json()["identities"] == []
    # Verified, it is the same account, and its owner is told.
    provider.person |= {"email": email.upper(), "email_verified": "true"}
    browser = entered(installed)
    names = [one["name"] for one in browser.get("/api/v1/me").json()["organisations"]]
    assert organisation in names
    assert mails_to(opened, email)[0] == "A way into your account at Tailroom changed"
    assert "connect_identity" in str(victim.get("/api/v1/trail").json())
    listed = browser.get(IDENTITIES).json()["identities"]
    assert [one["issuer"] for one in listed] == [provider.issuer]
    left = browser.delete(f"{IDENTITIES}/{listed[0]['identity_id']}")
    assert left.json() == {"identities": []}
    assert browser.delete(f"{IDENTITIES}/{listed[0]['identity_id']}").json()["code"] == "identity-unknown"


def test_an_account_with_a_second_factor_is_connected_by_its_owner_alone(
    installed: TestClient, opened: TestClient, provider: OidcProvider, organisation: str
) -> None:
    email = new_email("careful")
    owner = signed_up(opened, organisation, email)
    secret = owner.post("/api/v1/me/second-factor", json={"present": PASSWORD}).json()["secret"]
    now = int(utc_now().timestamp()) // second_factors.STEP_S
    code = pyotp.TOTP(secret).generate_otp(now - 1)
    assert owner.put("/api/v1/me/second-factor", json={"code": code}).status_code == 200
    provider.person["email"] = email
    assert refused(installed) == "identity-unconnected"
    browser = another(installed)
    browser.cookies.update(owner.cookies)
    wrong = browser.post(IDENTITIES, json={"present": "whoever finds the browser open"})
    assert wrong.json()["code"] == "password-wrong"
    back = went(browser, IDENTITIES)
    # Whoever has the way back and not the session connects nothing.
    thief = another(installed)
    thief.cookies.set("tailroom_attempt", browser.cookies["tailroom_attempt"])
    assert thief.post(RETURN, json=back).status_code == 401
    assert browser.post(RETURN, json=went(browser, IDENTITIES)).status_code == 200
    assert entered(installed).get("/api/v1/me").json()["person"]["email"] == email
    other = signed_up(opened, f"other {organisation}")
    browser = another(installed)
    browser.cookies.update(other.cookies)
    assert browser.post(RETURN, json=went(browser, IDENTITIES)).json()["code"] == "identity-taken"


def test_two_browsers_that_come_back_at_once_connect_one_account(
    installed: TestClient, installed_settings: Settings, provider: OidcProvider, database: Database
) -> None:
    """A person whom nobody knows yet, then an account that nothing is connected to."""
    email = str(provider.person["email"])
    with listening(installed_settings) as address:
        for _ in range(4):
            browsers = [another(installed) for _ in range(3)]
            # Each client of an app in this process has its own event loop, and none wakes another: a socket.
            returns = [
                partial(
                    httpx.post,
                    f"{address}{RETURN}",
                    json=went(browser),
                    cookies=dict(browser.cookies),
                    timeout=60,
                )
                for browser in browsers
            ]
            statuses = [answer.status_code for answer in at_once(*returns)]
            assert 200 in statuses
            assert set(statuses) <= {200, 400, 404, 409, 410}
            with database.transaction() as session:
                (person_id,) = session.scalars(select(Person.id).where(Person.email == email))
                gone = delete(PersonIdentity).where(PersonIdentity.person_id == person_id)
                assert len(session.scalars(gone.returning(PersonIdentity.identity_id)).all()) == 1


def test_nobody_comes_without_group_or_invitation(
    installed: TestClient, opened: TestClient, provider: OidcProvider, organisation: str
) -> None:
    provider.person["groups"] = ["others"]
    assert refused(installed) == "sign-up-closed"
    owner = signed_up(opened, organisation)
    email = provider.person["email"]
    link = owner.post("/api/v1/invitations", json={"email": email, "role": "viewer"}).json()["link"]
    browser = entered(installed)
    assert browser.get("/api/v1/me").json()["organisations"] == []
    joined = browser.post("/api/v1/invitation/accept", json={"code": link.partition("#")[2]})
    assert [one["name"] for one in joined.json()["organisations"]] == [organisation]


def test_groups_decide_about_roles_at_each_sign_in(installed: TestClient, provider: OidcProvider) -> None:
    def roles() -> dict[str, str]:
        account = entered(installed).get("/api/v1/me").json()
        return {one["name"]: one["role"] for one in account["organisations"]}

    provider.person["groups"] = ["cn=staff,ou=groups", "admins", "labs"]
    assert roles() == {"Works": "admin", "Laboratory": "engineer"}
    provider.person["groups"] = ["cn=staff,ou=groups"]
    assert roles() == {"Works": "viewer"}
    provider.person["groups"] = "owners"
    assert roles() == {"Works": "owner"}
    # The last owner cannot leave.
    provider.person["groups"] = []
    assert roles() == {"Works": "owner"}
    browser = entered(installed)
    actions = [one["action"] for one in browser.get("/api/v1/trail").json()["events"]]
    assert {"join_by_group", "change_role_by_group"} <= set(actions)
    first = provider.person
    provider.person = first | {"sub": "another owner", "email": new_email("owner"), "groups": ["owners"]}
    assert roles() == {"Works": "owner"}
    provider.person = first
    assert roles() == {}
    # What was decided by hand, groups leave alone.
    provider.person = first | {"groups": ["cn=staff,ou=groups"]}
    assert roles() == {"Works": "viewer"}


def test_the_address_may_be_told_by_the_second_answer(installed: TestClient, provider: OidcProvider) -> None:
    provider.tells_later = True
    person = entered(installed).get("/api/v1/session").json()["person"]
    assert person["email"] == provider.person["email"]


def test_a_provider_that_is_away_or_calls_itself_otherwise(
    settings: Settings, provider: OidcProvider, client: TestClient
) -> None:
    assert client.post(BEGIN).json()["code"] == "single-sign-on-off"
    assert client.post(RETURN, json={"code": "x", "state": "y"}).json()["code"] == "single-sign-on-off"
    for issuer in ("http://127.0.0.1:9", provider.issuer.replace("127.0.0.1", "localhost")):
        more = {"oidc_issuer": issuer, "oidc_client_id": CLIENT_ID}
        with TestClient(create_app(settings.model_copy(update=more))) as away:
            answer = away.post(BEGIN)
            assert (answer.status_code, answer.json()["code"]) == (502, "provider-away")


def test_settings_of_single_sign_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAILROOM_OIDC_ROLES", "cn=a,ou=b=Works:admin; labs=Labor atory:viewer;")
    assert Settings().oidc_roles == (
        GroupRole("cn=a,ou=b", "Works", "admin"),
        GroupRole("labs", "Labor atory", "viewer"),
    )
    assert groups.roles_of(None, Settings().oidc_roles) == {}
    for wrong in ("a", "a=b", "a=b:king", "=b:admin"):
        monkeypatch.setenv("TAILROOM_OIDC_ROLES", wrong)
        with pytest.raises(ValidationError):
            Settings()
    monkeypatch.delenv("TAILROOM_OIDC_ROLES")
    for issuer in ("http://login.example.org", "https://login.example.org", "ftp://localhost/"):
        monkeypatch.setenv("TAILROOM_OIDC_ISSUER", issuer)
        with pytest.raises(ValidationError):
            Settings()
