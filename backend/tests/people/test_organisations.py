"""Members, invitations, tokens and the trail of organisations; and that none of it leaks."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import UUID

import pytest
from backend.tests.access.test_capabilities import of_each_capability, with_unknown_ids
from backend.tests.people.people import PASSWORD, another, code_for, mails_to, new_email, signed_up
from fastapi.testclient import TestClient
from sqlalchemy import delete, text, update

from tailroom.access import trail
from tailroom.access.capabilities import ALLOWED, OF_LOCAL_OWNER, OF_OPERATORS, OF_PEOPLE, ROLES, Role
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.settings import Settings
from tailroom.people import member_endpoints, members, token_endpoints
from tailroom.storage.access_token import AccessToken
from tailroom.storage.invitation import Invitation
from tailroom.storage.trail import TrailEvent


def invite(owner: TestClient, email: str, role: str = "viewer") -> str:
    answer = owner.post("/api/v1/invitations", json={"email": email, "role": role})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["link"]).partition("#")[2]


def joined(client: TestClient, owner: TestClient, role: str, email: str | None = None) -> TestClient:
    """A browser of somebody who signed up by an invitation."""
    browser, address = another(client), email or new_email(role)
    body = {"email": address, "invitation": invite(owner, address, role)}
    assert browser.post("/api/v1/people", json=body).status_code == 202
    chosen = browser.put(
        "/api/v1/people/password", json={"code": code_for(client, address), "password": PASSWORD}
    )
    assert chosen.json()["scope"] == role, chosen.text
    return browser


def organisation_id(browser: TestClient) -> str:
    return str(browser.get("/api/v1/session").json()["organisation"]["id"])


def test_an_invitation_makes_a_member_and_is_good_once(opened: TestClient, organisation: str) -> None:
    owner, email = signed_up(opened, organisation), new_email()
    person = signed_up(opened, "Elsewhere", email)
    code = invite(owner, email, "engineer")
    seen = another(opened).post("/api/v1/invitation/look-up", json={"code": code}).json()
    assert (seen["organisation"], seen["email"], seen["role"]) == (organisation, email, "engineer")
    stranger = signed_up(opened, "Elsewhere")
    refused = stranger.post("/api/v1/invitation/accept", json={"code": code})
    assert (refused.status_code, refused.json()["code"]) == (403, "invitation-foreign")
    account = person.post("/api/v1/invitation/accept", json={"code": code}).json()
    assert [(one["name"], one["role"], one["is_current"]) for one in account["organisations"]] == [
        ("Elsewhere", "owner", False),
        (organisation, "engineer", True),
    ]
    assert person.get("/api/v1/session").json()["scope"] == "engineer"
    again = person.post("/api/v1/invitation/accept", json={"code": code})
    assert (again.status_code, again.json()["code"]) == (404, "invitation-ended")
    first = account["organisations"][0]["id"]
    person.put("/api/v1/session/organisation", json={"organisation_id": first})
    assert person.get("/api/v1/session").json()["organisation"]["name"] == "Elsewhere"
    foreign = person.put("/api/v1/session/organisation", json={"organisation_id": organisation_id(stranger)})
    assert foreign.json()["code"] == "member-unknown"


@pytest.mark.parametrize("code", ["", "cut-short"])
def test_a_link_that_was_not_copied_whole_has_ended(opened: TestClient, code: str) -> None:
    browser = another(opened)
    invited = browser.post("/api/v1/invitation/look-up", json={"code": code})
    assert (invited.status_code, invited.json()["code"]) == (404, "invitation-ended")
    chosen = browser.put("/api/v1/people/password", json={"code": code, "password": PASSWORD})
    assert (chosen.status_code, chosen.json()["code"]) == (404, "code-unknown")


def test_invitations_end(opened: TestClient, organisation: str, database: Database) -> None:
    owner, email = signed_up(opened, organisation), new_email()
    codes = [invite(owner, email), invite(owner, email)]
    look_up = "/api/v1/invitation/look-up"
    assert [opened.post(look_up, json={"code": one}).status_code for one in codes] == [404, 200]
    listed = owner.get("/api/v1/members").json()["invitations"]
    assert len(listed) == 1
    owner.delete(f"/api/v1/invitations/{listed[0]['invitation_id']}")
    assert opened.post(look_up, json={"code": codes[1]}).status_code == 404
    code = invite(owner, email)
    with database.transaction() as session:
        late = update(Invitation).where(Invitation.email == email)
        session.execute(late.values(expires_at=utc_now() - timedelta(seconds=1)))
    assert opened.post(look_up, json={"code": code}).status_code == 404
    body = {"email": email, "invitation": code}
    assert another(opened).post("/api/v1/people", json=body).json()["code"] == "invitation-ended"


def test_invitations_and_tokens_have_an_end(
    opened: TestClient, organisation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(members, "INVITATIONS", 1)
    monkeypatch.setattr(token_endpoints, "ACCESS_TOKENS", 1)
    owner = signed_up(opened, organisation)
    invite(owner, new_email())
    more = owner.post("/api/v1/invitations", json={"email": new_email()})
    assert (more.status_code, more.json()["code"]) == (409, "invitations-too-many")
    body = {"name": "a", "scope": "agent"}
    answers = [owner.post("/api/v1/tokens", json=body) for _ in range(2)]
    assert [one.status_code for one in answers] == [201, 409]


def test_a_name_is_one_line_of_a_mail(opened: TestClient, organisation: str) -> None:
    name = f"{organisation} and some more, longer than a line\r\nBcc: a@b\n\nOpen https://evil.example"
    owner, email = signed_up(opened, name), new_email()
    invite(owner, email)
    (subject,) = mails_to(opened, email)
    assert subject == f"An invitation into {' '.join(name.split())}"
    assert owner.get("/api/v1/session").json()["organisation"]["name"] == subject.partition("into ")[2]


def test_organisations_of_a_person_have_an_end(
    opened: TestClient, organisation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(member_endpoints, "OWNED_ORGANISATIONS", 2)
    owner = signed_up(opened, organisation)
    made = [owner.post("/api/v1/organisations", json={"name": f"{organisation}-{n}"}) for n in range(2)]
    assert [one.status_code for one in made] == [201, 409]
    assert made[1].json()["code"] == "organisations-too-many"


def test_by_invitation_where_nobody_else_signs_up(
    opened: TestClient, client: TestClient, organisation: str
) -> None:
    owner = signed_up(opened, organisation)
    assert joined(client, owner, "admin").get("/api/v1/members").status_code == 200


def test_admins_decide_about_all_but_owners_and_the_last_owner_stays(
    opened: TestClient, organisation: str
) -> None:
    owner = signed_up(opened, organisation)
    admin, viewer = joined(opened, owner, "admin"), joined(opened, owner, "viewer")
    ids = {one["role"]: one["person_id"] for one in owner.get("/api/v1/members").json()["members"]}
    for refused in (
        admin.patch(f"/api/v1/members/{ids['owner']}", json={"role": "viewer"}),
        admin.patch(f"/api/v1/members/{ids['viewer']}", json={"role": "owner"}),
        admin.delete(f"/api/v1/members/{ids['owner']}"),
        admin.post("/api/v1/invitations", json={"email": new_email(), "role": "owner"}),
    ):
        assert (refused.status_code, refused.json()["code"]) == (403, "role-beyond")
    for last in (
        owner.patch(f"/api/v1/members/{ids['owner']}", json={"role": "viewer"}),
        owner.delete(f"/api/v1/members/{ids['owner']}"),
        owner.delete(f"/api/v1/me/organisations/{organisation_id(owner)}"),
    ):
        assert (last.status_code, last.json()["code"]) == (409, "last-owner")
    assert admin.patch(f"/api/v1/members/{ids['viewer']}", json={"role": "engineer"}).status_code == 200
    assert viewer.get("/api/v1/session").json()["scope"] == "engineer"
    assert admin.delete(f"/api/v1/members/{ids['viewer']}").status_code == 200
    assert viewer.get("/api/v1/session").json()["scope"] == "viewer"
    assert viewer.get("/api/v1/session").json()["organisation"]["name"] == ""
    assert viewer.get("/api/v1/members").json()["members"] == []
    assert owner.patch(f"/api/v1/members/{ids['admin']}", json={"role": "owner"}).status_code == 200
    assert owner.delete(f"/api/v1/me/organisations/{organisation_id(owner)}").status_code == 200


def test_tokens_are_shown_once_expire_rotate_and_end(
    opened: TestClient, organisation: str, database: Database
) -> None:
    owner = signed_up(opened, organisation)
    made = owner.post("/api/v1/tokens", json={"name": "ci", "scope": "engineer", "days": 5}).json()
    old = {"Authorization": f"Bearer {made['text']}"}
    asked = another(opened)
    assert asked.get("/api/v1/runs", headers=old).status_code == 200
    token = owner.get("/api/v1/tokens").json()["tokens"][0]
    assert (token["name"], token["holds"]) == ("ci", True)
    assert made["text"] not in owner.get("/api/v1/tokens").text
    assert token["last_used_at"] is not None
    rotated = owner.post(f"/api/v1/tokens/{token['token_id']}/rotate", json={"overlap_hours": 1}).json()
    new = {"Authorization": f"Bearer {rotated['text']}"}
    assert [asked.get("/api/v1/runs", headers=one).status_code for one in (old, new)] == [200, 200]
    with database.transaction() as session:
        late = update(AccessToken).where(AccessToken.id == token["token_id"])
        session.execute(late.values(expires_at=utc_now() - timedelta(seconds=1)))
    expired = asked.get("/api/v1/runs", headers=old)
    assert (expired.status_code, expired.json()["code"]) == (401, "token-unknown")
    assert "expired" in expired.json()["detail"]
    newest = owner.get("/api/v1/tokens").json()["tokens"][0]["token_id"]
    assert owner.delete(f"/api/v1/tokens/{newest}").status_code == 200
    assert asked.get("/api/v1/runs", headers=new).status_code == 401
    assert owner.post(f"/api/v1/tokens/{newest}/rotate", json={}).json()["code"] == "access-token-unknown"
    stranger = signed_up(opened, organisation)
    for foreign in (
        stranger.delete(f"/api/v1/tokens/{newest}"),
        stranger.post(f"/api/v1/tokens/{newest}/rotate", json={}),
    ):
        assert (foreign.status_code, foreign.json()["code"]) == (404, "access-token-unknown")
    assert stranger.get("/api/v1/tokens").json() == {"tokens": []}


@pytest.mark.parametrize("role", ROLES)
def test_every_role_on_a_route_of_each_capability(opened: TestClient, organisation: str, role: Role) -> None:
    """403 exactly where the table says so."""
    owner = signed_up(opened, organisation)
    person = owner if role == "owner" else joined(opened, owner, role)
    allowed = ALLOWED[role] | OF_PEOPLE
    for method, path, route in of_each_capability():
        answer = person.request(method, with_unknown_ids(path), content=b"")
        refused = answer.status_code == 403
        assert refused == (route.needs.capability not in allowed), (method, path, answer.text[:300])
        if refused and route.needs.capability not in OF_OPERATORS | OF_LOCAL_OWNER:
            reason = rf"is {role}; this needs|the role \w+; yours is {role}"
            assert re.search(reason, answer.json()["detail"]), (method, path)


def test_the_trail_tells_who_did_what(opened: TestClient, organisation: str, settings: Settings) -> None:
    owner = signed_up(opened, organisation)
    email = owner.get("/api/v1/me").json()["person"]["email"]
    invite(owner, "new@people.example", "engineer")
    owner.patch("/api/v1/organisation", json={"name": "=Renamed"})
    token = owner.post("/api/v1/tokens", json={"name": "ci", "scope": "engineer"}).json()["text"]
    with_token = {"Authorization": f"Bearer {token}"}
    drive = {"vendor": "Maker", "name": f"D {new_id()}", "source": "a label"}
    assert another(opened).post("/api/v1/drives", headers=with_token, json=drive).status_code == 201
    logs = {"files": ("notes.txt", b"nothing measured")}
    assert another(opened).post("/api/v1/uploads", headers=with_token, files=logs).status_code == 422
    uploaded, *events = owner.get("/api/v1/trail").json()["events"]
    assert (uploaded["action"], uploaded["actor"]) == ("upload_files", "ci")
    assert uploaded["after"] == {"files": 1, "size_bytes": 16}
    assert [(one["action"], one["actor"]) for one in events[:4]] == [
        ("add_drive", "ci"),
        ("make_token", email),
        ("rename_organisation", email),
        ("invite", email),
    ]
    assert events[2]["before"] == {"name": organisation}
    assert events[2]["after"] == {"name": "=Renamed"}
    assert [one["number"] for one in events] == list(range(len(events), 0, -1))
    assert len(owner.get("/api/v1/trail", params={"action": "invite"}).json()["events"]) == 1
    older = owner.get("/api/v1/trail", params={"below": 2}).json()["events"]
    assert [one["action"] for one in older] == ["make_organisation"]
    exported = owner.get("/api/v1/trail.csv").text.splitlines()
    assert exported[0].startswith("number,time,kind,who")
    assert len(exported) == 2 + len(events)
    assert "'=Renamed" in owner.get("/api/v1/trail.csv").text
    assert "text" not in owner.get("/api/v1/trail").text.replace("context", "")
    assert token not in owner.get("/api/v1/trail.csv").text


@pytest.mark.parametrize("harm", ["change", "take out", "move"])
def test_a_trail_that_was_touched_is_found(
    opened: TestClient, organisation: str, database: Database, harm: str
) -> None:
    owner = signed_up(opened, organisation)
    for number in range(3):
        owner.patch("/api/v1/organisation", json={"name": f"name {number}"})
    owner_id = UUID(organisation_id(owner))
    with database.transaction() as session:
        whole = trail.verify(session, owner_id)
        assert (whole.events, whole.problem) == (5, None)
        of_owner = TrailEvent.organisation_id == owner_id
        match harm:
            case "change":
                session.execute(update(TrailEvent).where(of_owner, TrailEvent.number == 2).values(actor="x"))
            case "take out":
                session.execute(delete(TrailEvent).where(of_owner, TrailEvent.number == 2))
            case _:
                session.execute(update(TrailEvent).where(of_owner).values(number=TrailEvent.number + 100))
        session.expire_all()
        found = trail.verify(session, owner_id)
        assert found.problem is not None
        session.rollback()


def test_two_who_do_something_at_once_leave_two_events(
    opened: TestClient, organisation: str, database: Database
) -> None:
    owner_id = UUID(organisation_id(signed_up(opened, organisation)))

    def do(number: int) -> None:
        with database.transaction(owner_id) as session:
            trail.record(session, owner_id, trail.OPERATOR, "try", trail.Note(str(number)))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(do, range(20)))
    with database.transaction() as session:
        whole = trail.verify(session, owner_id)
        assert (whole.events, whole.problem) == (22, None)
        rights = session.scalars(
            text(
                "SELECT privilege_type FROM information_schema.role_table_grants"
                " WHERE table_name = 'trail_event' AND grantee = 'tailroom_member'"
            )
        ).all()
    assert sorted(rights) == ["INSERT", "SELECT"]
