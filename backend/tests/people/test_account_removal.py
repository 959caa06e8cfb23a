"""Whoever has an account deletes it: what goes, what stays, and when it is refused."""

from backend.tests.people.people import PASSWORD, another, mails_to, new_email, sign_in, signed_up
from backend.tests.people.test_organisations import joined
from fastapi.testclient import TestClient
from sqlalchemy import select

from tailroom.access.authenticator import COOKIE_NAME
from tailroom.kit.db import Database
from tailroom.storage.person import Membership, Person, PersonSession

PATH = "/api/v1/me/delete"


def test_everything_goes_but_the_trail(opened: TestClient, organisation: str, database: Database) -> None:
    owner, email = signed_up(opened, organisation), new_email()
    member = joined(opened, owner, "engineer", email)
    copied, other = member.cookies[COOKIE_NAME], sign_in(opened, email)
    with database.transaction() as session:
        person_id = session.scalar(select(Person.id).where(Person.email == email))
    wrong = member.post(PATH, json={"present": "wrong"})
    assert (wrong.status_code, wrong.json()["code"]) == (403, "password-wrong")
    gone = member.post(PATH, json={"present": PASSWORD})
    assert gone.status_code == 204, gone.text
    assert COOKIE_NAME not in member.cookies
    member.cookies.set(COOKIE_NAME, copied)
    assert [one.get("/api/v1/me").status_code for one in (member, other)] == [401, 401]
    body = {"email": email, "password": PASSWORD}
    assert another(opened).post("/api/v1/session/person", json=body).json()["code"] == "sign-in-refused"
    assert mails_to(opened, email)[0] == "Your account at Tailroom was deleted"
    assert [one["is_me"] for one in owner.get("/api/v1/members").json()["members"]] == [True]
    newest = owner.get("/api/v1/trail").json()["events"][0]
    assert (newest["actor"], newest["action"]) == (email, "delete_account")
    with database.transaction() as session:
        for table in (Membership, PersonSession):
            assert session.scalar(select(table.person_id).where(table.person_id == person_id)) is None
    # The mailbox is anybody's who proves it, and leads to nothing of before.
    again = signed_up(opened, f"again {organisation}", email)
    assert len(again.get("/api/v1/me").json()["organisations"]) == 1


def test_the_last_owner_transfers_first(opened: TestClient, organisation: str) -> None:
    owner, email = signed_up(opened, organisation), new_email()
    member = joined(opened, owner, "viewer", email)
    assert member.post("/api/v1/organisations", json={"name": f"own {organisation}"}).status_code == 201
    refused = member.post(PATH, json={"present": PASSWORD})
    assert (refused.status_code, refused.json()["code"]) == (409, "last-owner")
    assert f"“own {organisation}”" in refused.json()["detail"]
    # Nothing of it was done.
    assert len(owner.get("/api/v1/members").json()["members"]) == 2
    assert len(member.get("/api/v1/me").json()["organisations"]) == 2
    joined(opened, member, "owner")
    assert member.post(PATH, json={"present": PASSWORD}).status_code == 204
