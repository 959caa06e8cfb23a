"""What somebody issued ends with his right: invitations, enrolment codes, tokens, codes of mails."""

from collections.abc import Callable
from uuid import UUID

import pytest
from backend.tests.enrolled import Enrolled
from backend.tests.people.people import PASSWORD, another, code_for, new_email, signed_up
from backend.tests.people.test_organisations import invite, joined, organisation_id
from fastapi.testclient import TestClient
from sqlalchemy import func, select, update

from tailroom.access.tokens import hash_token
from tailroom.kit.db import Database
from tailroom.storage.access_token import AccessToken
from tailroom.storage.invitation import Invitation
from tailroom.storage.person import MailCode, Membership, Person, SignInAttempt

OTHER_PASSWORD = "nine crimson herons deliberate"


def person_id(database: Database, email: str) -> UUID:
    with database.transaction() as session:
        found = session.scalar(select(Person.id).where(Person.email == email))
    assert found is not None
    return found


def is_open(client: TestClient, code: str) -> bool:
    """Whether an invitation still leads somewhere."""
    answer = another(client).post("/api/v1/invitation/look-up", json={"code": code})
    assert answer.status_code in (200, 404), answer.text
    return bool(answer.status_code == 200)


def enrolment_code(browser: TestClient) -> str:
    answer = browser.post("/api/v1/agent/codes")
    assert answer.status_code == 201, answer.text
    return str(answer.json()["code"])


def token(browser: TestClient, scope: str = "engineer") -> dict[str, str]:
    answer = browser.post("/api/v1/tokens", json={"name": "pipeline", "scope": scope})
    assert answer.status_code == 201, answer.text
    return {"Authorization": f"Bearer {answer.json()['text']}"}


def change_password(browser: TestClient, password: str = OTHER_PASSWORD) -> None:
    answer = browser.put("/api/v1/me/password", json={"present": PASSWORD, "password": password})
    assert answer.status_code == 204, answer.text


class Issued:
    """An admin of an organisation, and what she has issued."""

    def __init__(self, client: TestClient, organisation: str, database: Database) -> None:
        self.client, self.owner, self.email = client, signed_up(client, organisation), new_email("issuer")
        self.admin = joined(client, self.owner, "admin", self.email)
        self.id = person_id(database, self.email)
        self.second_mailbox = new_email("second")
        self.invitation = invite(self.admin, self.second_mailbox, "admin")
        self.enrolment_code = enrolment_code(self.admin)
        self.token = token(self.admin)

    def remove(self) -> None:
        assert self.owner.delete(f"/api/v1/members/{self.id}").status_code == 200

    def demote(self, role: str) -> None:
        assert self.owner.patch(f"/api/v1/members/{self.id}", json={"role": role}).status_code == 200

    def token_holds(self) -> bool:
        return bool(self.client.get("/api/v1/runs", headers=self.token).status_code == 200)

    def code_enrols(self) -> bool:
        return Enrolled(self.client, self.enrolment_code).answer.status_code == 201

    def accepted(self) -> bool:
        """Whether the invitation lets its mailbox in, which signs up with it or has an account."""
        if not is_open(self.client, self.invitation):
            return False
        person = signed_up(self.client, "Elsewhere", self.second_mailbox)
        answer = person.post("/api/v1/invitation/accept", json={"code": self.invitation})
        return bool(answer.status_code == 200)


@pytest.fixture
def issued(opened: TestClient, organisation: str, database: Database) -> Issued:
    return Issued(opened, organisation, database)


def test_what_an_admin_issued_holds_while_they_are_one(issued: Issued) -> None:
    assert issued.token_holds()
    assert issued.code_enrols()
    assert issued.accepted()


def test_what_an_admin_issued_ends_when_they_are_removed(issued: Issued) -> None:
    issued.remove()
    assert not issued.token_holds()
    assert not issued.code_enrols()
    assert not issued.accepted()
    assert issued.owner.get("/api/v1/members").json()["invitations"] == []


def test_a_lower_role_ends_what_it_may_not_issue(issued: Issued) -> None:
    issued.demote("engineer")
    assert not issued.token_holds()
    assert not issued.accepted()
    assert issued.code_enrols(), "engineers let agents in"
    issued.enrolment_code = enrolment_code(issued.admin)
    issued.demote("viewer")
    assert not issued.code_enrols()
    # Another day's promotion brings nothing back.
    issued.demote("admin")
    assert not issued.token_holds()
    assert not issued.accepted()


def test_whoever_leaves_or_deletes_the_account_takes_it_along(
    opened: TestClient, organisation: str, database: Database
) -> None:
    leaver, deleter = (Issued(opened, f"{organisation} {one}", database) for one in (1, 2))
    left = leaver.admin.delete(f"/api/v1/me/organisations/{organisation_id(leaver.admin)}")
    assert left.status_code == 200, left.text
    assert deleter.admin.post("/api/v1/me/delete", json={"present": PASSWORD}).status_code == 204
    for one in (leaver, deleter):
        assert not one.token_holds()
        assert not one.code_enrols()
        assert not one.accepted()


def test_an_owner_who_hands_over_invites_no_owners_any_more(opened: TestClient, organisation: str) -> None:
    owner, other = signed_up(opened, organisation), new_email("other")
    joined(opened, owner, "viewer", other)
    as_owner, as_viewer = invite(owner, new_email(), "owner"), invite(owner, new_email())
    (found,) = [one for one in owner.get("/api/v1/members").json()["members"] if one["email"] == other]
    handed = owner.post("/api/v1/organisation/hand-over", json={"person_id": found["person_id"]})
    assert handed.status_code == 200, handed.text
    assert not is_open(opened, as_owner)
    assert is_open(opened, as_viewer)


def test_the_right_is_asked_for_again_at_acceptance(issued: Issued, database: Database) -> None:
    """Whatever way a role was lost, also one that ends nothing by itself."""
    with database.transaction() as session:
        session.execute(update(Membership).where(Membership.person_id == issued.id).values(role="viewer"))
    assert not issued.accepted()
    assert not issued.code_enrols()


def test_an_invitation_made_while_its_maker_is_removed_lets_nobody_in(
    issued: Issued, opened: TestClient, database: Database
) -> None:
    """The door let the request in before the removal, and the row came after it."""
    issued.remove()
    with database.transaction() as session:
        session.execute(update(Invitation).where(Invitation.issuer_id == issued.id).values(revoked_at=None))
    assert not is_open(opened, issued.invitation)
    signing_up = another(opened).post(
        "/api/v1/people", json={"email": issued.second_mailbox, "invitation": issued.invitation}
    )
    assert (signing_up.status_code, signing_up.json()["code"]) == (404, "invitation-ended")


def test_a_sign_up_that_began_before_the_removal_joins_nothing(issued: Issued, opened: TestClient) -> None:
    asked = another(opened).post(
        "/api/v1/people", json={"email": issued.second_mailbox, "invitation": issued.invitation}
    )
    assert asked.status_code == 202, asked.text
    issued.remove()
    browser = another(opened)
    body = {"code": code_for(opened, issued.second_mailbox), "password": PASSWORD}
    assert browser.put("/api/v1/people/password", json=body).status_code == 200
    assert browser.get("/api/v1/me").json()["organisations"] == []


def test_a_code_ends_with_the_token_that_made_it(
    opened: TestClient, organisation: str, database: Database
) -> None:
    owner = signed_up(opened, organisation)
    program = another(opened)
    program.headers.update(token(owner))
    code = enrolment_code(program)
    assert Enrolled(opened, enrolment_code(program)).answer.status_code == 201
    (made,) = [one for one in owner.get("/api/v1/tokens").json()["tokens"] if not one["is_key"]]
    assert owner.delete(f"/api/v1/tokens/{made['token_id']}").status_code == 200
    refused = Enrolled(opened, code).answer
    assert (refused.status_code, refused.json()["code"]) == (403, "enrolment-code-unknown")


def test_agents_stay_when_whoever_let_them_in_is_removed(issued: Issued, opened: TestClient) -> None:
    """Their key is on their machine alone."""
    agent = Enrolled(opened, issued.enrolment_code)
    assert agent.answer.status_code == 201
    issued.remove()
    assert agent.ask().status_code == 200


def test_another_password_ends_invitations_and_codes_and_keeps_tokens(issued: Issued) -> None:
    change_password(issued.admin)
    assert not issued.accepted()
    assert not issued.code_enrols()
    assert issued.token_holds(), "programs of the organisation live by it"


def test_another_password_ends_every_code_of_the_mailbox(
    opened: TestClient, organisation: str, database: Database
) -> None:
    email = new_email("reset")
    browser = signed_up(opened, organisation, email)
    codes = []
    for _ in range(3):
        assert another(opened).post("/api/v1/people/password-reset", json={"email": email}).status_code == 202
        codes.append(code_for(opened, email))
    begun = browser.post("/api/v1/me/passkey-challenge", json={"present": PASSWORD})
    assert begun.status_code == 200, begun.text
    change_password(browser)
    for code in codes:
        body = {"code": code, "password": "a third password for nobody"}
        refused = another(opened).put("/api/v1/people/password", json=body)
        assert (refused.status_code, refused.json()["code"]) == (404, "code-unknown")
    with database.transaction() as session:
        counted = select(func.count()).where(MailCode.email == email)
        assert session.scalar(counted) == 0
        mine = SignInAttempt.person_id == person_id(database, email)
        assert session.scalar(select(func.count()).where(mine)) == 0


def test_a_password_chosen_by_mail_ends_the_other_codes(opened: TestClient, organisation: str) -> None:
    issued_by = new_email("again")
    owner = signed_up(opened, organisation, issued_by)
    invitation, code = invite(owner, new_email()), enrolment_code(owner)
    reset = []
    for _ in range(2):
        another(opened).post("/api/v1/people/password-reset", json={"email": issued_by})
        reset.append(code_for(opened, issued_by))
    browser = another(opened)
    chosen = browser.put("/api/v1/people/password", json={"code": reset[0], "password": OTHER_PASSWORD})
    assert chosen.status_code == 200, chosen.text
    again = browser.put("/api/v1/people/password", json={"code": reset[1], "password": PASSWORD})
    assert again.json()["code"] == "code-unknown"
    assert not is_open(opened, invitation)
    assert Enrolled(opened, code).answer.json()["code"] == "enrolment-code-unknown"


def test_what_the_operator_issued_names_nobody_and_holds(
    opened: TestClient, organisation: str, database: Database, make_token: Callable[..., str]
) -> None:
    text = make_token("engineer")
    with database.transaction() as session:
        made = select(AccessToken.issuer_id).where(AccessToken.token_sha256 == hash_token(text))
        assert session.scalar(made) is None
    assert opened.get("/api/v1/runs", headers={"Authorization": f"Bearer {text}"}).status_code == 200
