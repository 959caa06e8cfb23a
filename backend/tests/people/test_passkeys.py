"""Passkeys: made, used alone and besides a password, named, removed; and what is no answer of theirs."""

from typing import Any
from uuid import uuid4

import pytest
from backend.tests.people.authenticator import PRESENT, Device
from backend.tests.people.people import PASSWORD, another, code_for, mails_to, new_email, sign_in, signed_up
from fastapi.testclient import TestClient

from tailroom.people import passkeys

HERE, SIGN_IN = "/api/v1/me/passkeys", "/api/v1/session/passkey"
BY_PASSWORD = "/api/v1/session/person"


def begun(browser: TestClient) -> dict[str, Any]:
    answer = browser.post("/api/v1/me/passkey-challenge", json={"present": PASSWORD})
    assert answer.status_code == 200, answer.text
    return dict(answer.json()["options"])


def made(browser: TestClient, name: str = "key ring", **more: Any) -> tuple[Device, list[str]]:
    """A device with a new passkey of whoever is signed in, and recovery codes."""
    device = Device(**more)
    answer = browser.post(HERE, json={"name": name, "credential": device.make(begun(browser))})
    assert answer.status_code == 201, answer.text
    return device, answer.json()["recovery_codes"]


def challenged(client: TestClient) -> dict[str, Any]:
    return dict(client.post(f"{SIGN_IN}/challenge").json()["options"])


def tried(client: TestClient, credential: dict[str, Any], **more: Any) -> tuple[int, str]:
    answer = another(client).post(SIGN_IN, json={"credential": credential}, **more)
    return answer.status_code, answer.json().get("code", "")


def test_it_signs_in_by_itself(opened: TestClient, organisation: str) -> None:
    email = new_email()
    browser = signed_up(opened, organisation, email)
    elsewhere = sign_in(opened, email)
    assert (
        browser.post("/api/v1/me/passkey-challenge", json={"present": "no"}).json()["code"]
        == "password-wrong"
    )
    device, recovery = made(browser, "  key ring ")
    assert len(recovery) == 10
    assert elsewhere.get("/api/v1/me").status_code == 401, "a password alone is no more enough"
    assert mails_to(opened, email)[0] == "A way into your account at Tailroom changed"
    answer = another(opened).post(SIGN_IN, json={"credential": device.use(challenged(opened))})
    assert answer.json()["person"]["email"] == email
    listed = browser.get(HERE).json()["passkeys"]
    assert [(one["name"], one["is_synced"]) for one in listed] == [("key ring", False)]
    assert listed[0]["last_used_at"] is not None
    second, more = made(browser, "laptop")
    assert more == []
    assert tried(opened, second.use(challenged(opened))) == (200, "")
    where = f"{HERE}/{listed[0]['passkey_id']}"
    assert browser.patch(where, json={"name": "drawer"}).json()["passkeys"][1]["name"] == "drawer"
    assert browser.post(f"{where}/remove", json={"present": "no"}).json()["code"] == "password-wrong"
    assert len(browser.post(f"{where}/remove", json={"present": PASSWORD}).json()["passkeys"]) == 1
    assert browser.patch(where, json={"name": "x"}).json()["code"] == "passkey-unknown"
    assert tried(opened, device.use(challenged(opened))) == (403, "passkey-refused")
    actions = [one["action"] for one in browser.get("/api/v1/trail").json()["events"]]
    assert {"make_passkey", "remove_passkey"} <= set(actions)
    by = browser.get("/api/v1/trail", params={"action": "sign_in"}).json()["events"]
    assert "passkey" in {one["subject"] for one in by}
    stranger = signed_up(opened, f"not {organisation}")
    theirs = browser.get(HERE).json()["passkeys"][0]["passkey_id"]
    for answer in (
        stranger.patch(f"{HERE}/{theirs}", json={"name": "x"}),
        stranger.post(f"{HERE}/{theirs}/remove", json={"present": PASSWORD}),
    ):
        assert answer.json()["code"] == "passkey-unknown"


def test_it_is_a_second_factor(opened: TestClient, organisation: str) -> None:
    email = new_email()
    browser = signed_up(opened, organisation, email)
    device, recovery = made(browser)
    body = {"email": email, "password": PASSWORD}

    def sign(**more: Any) -> tuple[int, str]:
        answer = another(opened).post(BY_PASSWORD, json=body | more)
        return answer.status_code, answer.json().get("code", "")

    assert sign() == (401, "second-factor-needed")
    assert sign(passkey=device.use(challenged(opened))) == (200, "")
    assert sign(second_factor=recovery[0]) == (200, "")
    others, _ = made(signed_up(opened, f"not {organisation}"))
    assert sign(passkey=others.use(challenged(opened))) == (403, "second-factor-wrong")
    # The rule of an organisation is met by it, and a mail alone opens nothing.
    rule = browser.put("/api/v1/organisation/second-factor", json={"needed": True})
    assert rule.status_code == 200, rule.text
    assert browser.get("/api/v1/session").json()["organisation"]["name"] == organisation
    another(opened).post("/api/v1/people/password-reset", json={"email": email})
    anew = {"code": code_for(opened, email), "password": "nineteen quiet harbours"}
    refused = another(opened).put("/api/v1/people/password", json=anew)
    assert refused.json()["code"] == "second-factor-needed"
    anew["passkey"] = device.use(challenged(opened))  # type: ignore[assignment]
    assert another(opened).put("/api/v1/people/password", json=anew).status_code == 200


def test_with_the_last_one_the_recovery_codes_go(opened: TestClient, organisation: str) -> None:
    email = new_email()
    browser = signed_up(opened, organisation, email)
    made(browser)
    listed = browser.get(HERE).json()["passkeys"]
    browser.post(f"{HERE}/{listed[0]['passkey_id']}/remove", json={"present": PASSWORD})
    assert browser.get("/api/v1/me/second-factor").json()["recovery_codes"] == 0
    sign_in(opened, email)


def test_what_is_no_answer_to_this_challenge_at_this_place(opened: TestClient, organisation: str) -> None:
    browser = signed_up(opened, organisation)
    device, _ = made(browser)
    answer = device.use(challenged(opened))
    assert tried(opened, answer) == (200, "")
    assert tried(opened, answer) == (404, "attempt-ended"), "replayed"
    unasked = device.use({"rpId": "testserver", "challenge": "A" * 43})
    assert tried(opened, unasked) == (404, "attempt-ended")
    # A challenge for making one is none for signing in.
    options = begun(browser)
    assert tried(opened, device.use({"rpId": "testserver"} | options)) == (404, "attempt-ended")
    device.origin = "http://testserver.evil.example"
    assert tried(opened, device.use(challenged(opened))) == (403, "passkey-refused")
    device.origin = "http://testserver"
    assert tried(opened, device.use(challenged(opened) | {"rpId": "evil.example"})) == (
        403,
        "passkey-refused",
    )
    device.flags = PRESENT
    assert tried(opened, device.use(challenged(opened))) == (403, "passkey-refused"), "nobody was verified"
    device.flags = Device.flags
    forged = Device(handle=device.handle, credential_id=device.credential_id, uses=50)
    assert tried(opened, forged.use(challenged(opened))) == (403, "passkey-refused"), "another key"
    device.uses = 0
    assert tried(opened, device.use(challenged(opened))) == (403, "passkey-refused"), "the counter went back"
    device.uses = 9
    device.handle, handle = "AAAA", device.handle
    assert tried(opened, device.use(challenged(opened))) == (403, "passkey-refused"), "of somebody else"
    device.handle = handle
    assert tried(opened, device.use(challenged(opened))) == (200, "")
    headers = {"Origin": "https://evil.example"}
    assert tried(opened, device.use(challenged(opened)), headers=headers) == (403, "origin-foreign")
    all_broken: tuple[dict[str, Any], ...] = (
        {},
        {"id": 1},
        {"id": "x", "response": {"clientDataJSON": "e30"}},
        {"response": []},
    )
    for broken in all_broken:
        assert tried(opened, broken)[1] == "passkey-refused"


def test_a_new_one_is_made_by_whoever_began(
    opened: TestClient, organisation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser, stranger = signed_up(opened, organisation), signed_up(opened, f"not {organisation}")

    def store(who: TestClient, credential: dict[str, Any]) -> str:
        answer = who.post(HERE, json={"name": "x", "credential": credential})
        return str(answer.json().get("code", answer.status_code))

    answer = Device().make(begun(browser))
    assert store(stranger, answer) == "attempt-ended"
    assert store(browser, answer) == "attempt-ended", "used up"
    assert store(browser, Device(origin="http://evil.example").make(begun(browser))) == "passkey-refused"
    assert store(browser, Device(flags=PRESENT).make(begun(browser))) == "passkey-refused"
    device = Device()
    assert store(browser, device.make(begun(browser))) == "201"
    assert store(stranger, device.make(begun(stranger))) == "passkey-refused", "it is somebody's already"
    excluded = begun(browser)["excludeCredentials"]
    assert len(excluded) == 1
    monkeypatch.setattr(passkeys, "PASSKEYS", 1)
    assert store(browser, Device().make(begun(browser))) == "passkeys-too-many"
    assert browser.patch(f"{HERE}/{uuid4()}", json={"name": "x"}).status_code == 404


def test_a_device_that_does_not_count_is_taken(opened: TestClient, organisation: str) -> None:
    device, _ = made(signed_up(opened, organisation))
    for _ in range(2):
        device.uses = -1
        assert tried(opened, device.use(challenged(opened))) == (200, "")
