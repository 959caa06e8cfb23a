"""A second factor: set it, sign in with it, lose the app, guess at it, ask members for it."""

from typing import Any

import pyotp
import pytest
from backend.tests.people.people import PASSWORD, another, code_for, mails_to, new_email, sign_in, signed_up
from fastapi.testclient import TestClient

from tailroom.kit.clock import utc_now
from tailroom.people import guard, second_factors

HERE = "/api/v1/me/second-factor"
SIGN_IN = "/api/v1/session/person"


def _code(secret: str, step: int = 0) -> str:
    """What the app shows, `step` codes from now."""
    return pyotp.TOTP(secret).generate_otp(int(utc_now().timestamp()) // second_factors.STEP_S + step)


def _set(browser: TestClient) -> tuple[str, list[str]]:
    """Sets a second factor with the code before the present one; secret and recovery codes."""
    begun = browser.post(HERE, json={"present": PASSWORD})
    assert begun.status_code == 200, begun.text
    secret = begun.json()["secret"]
    done = browser.put(HERE, json={"code": _code(secret, -1)})
    assert done.status_code == 200, done.text
    return secret, done.json()["codes"]


def _try(client: TestClient, email: str, **more: Any) -> tuple[int, str]:
    answer = another(client).post(SIGN_IN, json={"email": email, "password": PASSWORD, **more})
    return answer.status_code, answer.json().get("code", "")


def test_signing_in_with_a_code(opened: TestClient, organisation: str) -> None:
    email = new_email()
    browser = signed_up(opened, organisation, email)
    elsewhere = sign_in(opened, email)
    assert browser.post(HERE, json={"present": "wrong"}).json()["code"] == "password-wrong"
    begun = browser.post(HERE, json={"present": PASSWORD}).json()
    assert begun["uri"].startswith(f"otpauth://totp/Tailroom:{email.replace('@', '%40')}?secret=")
    # Until a code was right, nothing is asked for.
    assert _try(opened, email) == (200, "")
    assert browser.put(HERE, json={"code": "000 000"}).json()["code"] == "second-factor-wrong"
    secret, recovery = _set(browser)
    assert elsewhere.get("/api/v1/me").status_code == 401
    assert mails_to(opened, email)[0] == "Second factor at Tailroom turned on"
    assert browser.get(HERE).json()["recovery_codes"] == len(set(recovery)) == 10
    assert _try(opened, email) == (401, "second-factor-needed")
    told = browser.get("/api/v1/second-factors").json()["factors"]
    assert [one["factor"] for one in told] == ["app"]
    wrong = another(opened).post(SIGN_IN, json={"email": email, "password": "no", "second_factor": "123456"})
    assert (wrong.status_code, wrong.json()["code"]) == (401, "sign-in-refused")
    code = _code(secret)
    assert _try(opened, email, second_factor=f"{code[:3]} {code[3:]}") == (200, "")
    # The same code, and the one before it, are not taken again.
    assert _try(opened, email, second_factor=code) == (403, "second-factor-wrong")
    assert _try(opened, email, second_factor=_code(secret, -1)) == (403, "second-factor-wrong")
    assert _try(opened, email, second_factor=_code(secret, 5)) == (403, "second-factor-wrong")
    assert browser.post(HERE, json={"present": PASSWORD}).json()["code"] == "second-factor-state"
    done = [one["action"] for one in browser.get("/api/v1/trail").json()["events"]]
    assert done[:2] == ["sign_in", "confirm_second_factor"]
    subjects = [
        one["subject"] for one in browser.get("/api/v1/trail", params={"action": "sign_in"}).json()["events"]
    ]
    assert subjects[0] == "password and second factor"


def test_whoever_lost_the_app(opened: TestClient, organisation: str) -> None:
    email = new_email()
    browser = signed_up(opened, organisation, email)
    secret, recovery = _set(browser)
    assert _try(opened, email, second_factor=recovery[0].upper()) == (200, "")
    assert _try(opened, email, second_factor=recovery[0]) == (403, "second-factor-wrong")
    assert browser.get(HERE).json()["recovery_codes"] == 9
    anew = browser.post(f"{HERE}/recovery-codes", json={"code": recovery[1]})
    assert anew.status_code == 200
    assert _try(opened, email, second_factor=recovery[2]) == (403, "second-factor-wrong")
    off = {"present": PASSWORD, "code": "000000"}
    assert browser.post(f"{HERE}/off", json=off).json()["code"] == "second-factor-wrong"
    assert browser.post(f"{HERE}/off", json=off | {"present": "no"}).json()["code"] == "password-wrong"
    assert browser.post(f"{HERE}/off", json=off | {"code": _code(secret)}).status_code == 204
    assert _try(opened, email) == (200, "")
    assert browser.post(f"{HERE}/off", json=off).json()["code"] == "second-factor-state"
    assert browser.get(HERE).json() == {"confirmed_at": None, "recovery_codes": 0}


def test_reading_the_mail_alone_opens_nothing(opened: TestClient, organisation: str) -> None:
    email = new_email()
    browser = signed_up(opened, organisation, email)
    secret, _ = _set(browser)
    another(opened).post("/api/v1/people/password-reset", json={"email": email})
    body = {"code": code_for(opened, email), "password": "nineteen quiet harbours"}
    refused = another(opened).put("/api/v1/people/password", json=body)
    assert (refused.status_code, refused.json()["code"]) == (401, "second-factor-needed")
    # Nothing was changed, and the link still holds.
    assert browser.get("/api/v1/me").status_code == 200
    done = another(opened).put("/api/v1/people/password", json=body | {"second_factor": _code(secret)})
    assert done.status_code == 200
    assert browser.get("/api/v1/me").status_code == 401


def test_guesses_at_codes_are_few_and_lock_nobody_out(opened: TestClient, organisation: str) -> None:
    email = new_email()
    secret, recovery = _set(signed_up(opened, organisation, email))
    tried = [_try(opened, email, second_factor="000000")[0] for _ in range(guard.CODE.burst + 1)]
    assert tried == [403] * guard.CODE.burst + [429]
    assert _try(opened, email, second_factor=_code(secret))[0] == 429
    assert _try(opened, email, second_factor=recovery[0]) == (200, "")


def test_a_right_code_is_no_guess(
    opened: TestClient, organisation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    email = new_email()
    secret, _ = _set(signed_up(opened, organisation, email))
    monkeypatch.setattr(second_factors, "CLOCK_STEPS", range(-1, 10))
    for step in range(guard.CODE.burst + 2):
        assert _try(opened, email, second_factor=_code(secret, step)) == (200, "")


def test_an_organisation_may_ask_for_it(opened: TestClient, organisation: str) -> None:
    email = new_email("grace")
    owner = signed_up(opened, organisation)
    link = owner.post("/api/v1/invitations", json={"email": email, "role": "admin"}).json()["link"]
    member = signed_up(opened, f"{organisation} of hers", email)
    joined = member.post("/api/v1/invitation/accept", json={"code": link.partition("#")[2]})
    assert joined.status_code == 200, joined.text
    rule = "/api/v1/organisation/second-factor"
    assert member.put(rule, json={"needed": True}).json()["code"] == "token-scope"
    assert owner.put(rule, json={"needed": True}).json()["code"] == "second-factor-state"
    _set(owner)
    asked = owner.put(rule, json={"needed": True})
    assert asked.status_code == 200
    assert [one["needs_second_factor"] for one in asked.json()["organisations"]] == [True]
    # The member keeps the account, and acts for nobody until they have one too.
    assert member.get("/api/v1/members").json()["members"] == []
    assert member.get("/api/v1/session").json()["organisation"]["name"] == ""
    assert member.get("/api/v1/trail").status_code == 403
    _set(member)
    assert len(member.get("/api/v1/members").json()["members"]) == 2
    assert owner.get("/api/v1/trail").json()["events"][1]["action"] == "require_second_factor"
    assert owner.put(rule, json={"needed": False}).status_code == 200


@pytest.mark.parametrize("code", ["١٢٣٤٥٦", "１２３４５６", "²²²²²²", "12345\u0000"])
def test_digits_of_another_script_are_a_wrong_code(opened: TestClient, organisation: str, code: str) -> None:
    """And no failure: at signing in, when an app is set, and with a new password."""
    email = new_email("digits")
    browser = signed_up(opened, organisation, email)
    begun = browser.post(HERE, json={"present": PASSWORD})
    assert begun.status_code == 200, begun.text
    assert browser.put(HERE, json={"code": code}).status_code in (403, 422)
    _set(browser)
    assert _try(opened, email, second_factor=code)[0] in (403, 422)
    another(opened).post("/api/v1/people/password-reset", json={"email": email})
    body = {"code": code_for(opened, email), "password": "nineteen quiet harbours", "second_factor": code}
    assert another(opened).put("/api/v1/people/password", json=body).status_code in (403, 422)
