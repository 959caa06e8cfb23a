"""What a person saves is theirs alone, the same in all their browsers; adding it twice changes nothing."""

from backend.tests.people.people import another, new_email, sign_in, signed_up
from fastapi.testclient import TestClient

from tailroom.kit.limits import SAVED_ITEMS

PATH = "/api/v1/me/saved"
QUESTION = {"kind": "question", "address": "/sla?reads=250&window=1s", "title": "250 reads in 1 s"}
DRIVE = {"kind": "drive", "address": "/drives/intel-dc-s3700", "title": "Intel DC S3700"}


def test_a_browser_adds_what_it_has_and_another_browser_sees_it(
    opened: TestClient, organisation: str
) -> None:
    email = new_email()
    browser = signed_up(opened, organisation, email)
    assert browser.get(PATH).json() == {"items": []}
    assert browser.patch(PATH, json={"add": [QUESTION]}).json()["items"] == [QUESTION]
    both = browser.patch(PATH, json={"add": [QUESTION, DRIVE]}).json()["items"]
    assert both == [DRIVE, QUESTION]
    second = sign_in(opened, email)
    assert second.get(PATH).json()["items"] == both
    left = second.patch(PATH, json={"remove": [QUESTION["address"], "/drives/never-saved"]})
    assert left.json()["items"] == [DRIVE]
    stranger = signed_up(opened, f"not {organisation}")
    assert stranger.get(PATH).json()["items"] == []
    assert another(opened).get(PATH).status_code in (401, 403)


def test_places_of_others_and_too_many_are_refused(opened: TestClient, organisation: str) -> None:
    browser = signed_up(opened, organisation)
    for address in ("//evil.example/x", "https://evil.example", "/\\evil.example", "drives", "/drives?x=\n"):
        assert browser.patch(PATH, json={"add": [DRIVE | {"address": address}]}).status_code == 422
    many = [DRIVE | {"address": f"/drives/d{number}"} for number in range(SAVED_ITEMS)]
    assert len(browser.patch(PATH, json={"add": many}).json()["items"]) == SAVED_ITEMS
    refused = browser.patch(PATH, json={"add": [QUESTION]})
    assert (refused.status_code, refused.json()["code"]) == (409, "saved-too-many")
    assert len(browser.get(PATH).json()["items"]) == SAVED_ITEMS
    replaced = browser.patch(PATH, json={"add": [QUESTION], "remove": [many[0]["address"]]})
    assert replaced.json()["items"][0] == QUESTION
