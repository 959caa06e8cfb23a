"""An organisation is handed over, exported, and deleted after days in which its owners take that back."""

import hashlib
import io
import json
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
from backend.tests.agent import Agent, interval
from backend.tests.operations.test_retention import expire_what_is_old, is_stored, make_older
from backend.tests.people.people import mails_to, new_email, signed_up
from backend.tests.people.test_organisations import joined, organisation_id
from fastapi.testclient import TestClient
from sqlalchemy import select, update
from typer.testing import CliRunner

from tailroom.cli import organisation as organisation_commands
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.mail import Mailer
from tailroom.kit.settings import Settings
from tailroom.kit.transactions import transactions_of
from tailroom.operations import organisation_deletion
from tailroom.storage.organisation import Organisation
from tailroom.storage.run import Run
from tailroom.storage.tombstone import Tombstone
from tailroom.storage.work import WorkRow

DELETION = "/api/v1/organisation/deletion"


def test_an_owner_hands_over(opened: TestClient, organisation: str) -> None:
    emails = new_email("first"), new_email("second")
    owner = signed_up(opened, organisation, emails[0])
    member = joined(opened, owner, "viewer", emails[1])
    ids = {one["email"]: one["person_id"] for one in owner.get("/api/v1/members").json()["members"]}
    path = "/api/v1/organisation/hand-over"
    assert member.post(path, json={"person_id": ids[emails[1]]}).status_code == 403
    assert owner.post(path, json={"person_id": ids[emails[0]]}).json()["code"] == "role-beyond"
    done = owner.post(path, json={"person_id": ids[emails[1]]})
    roles = {one["email"]: one["role"] for one in done.json()["members"]}
    assert roles == {emails[0]: "admin", emails[1]: "owner"}
    assert member.get("/api/v1/session").json()["scope"] == "owner"
    assert owner.post(path, json={"person_id": ids[emails[0]]}).status_code == 403
    for email in emails:
        assert mails_to(opened, email)[0] == f"{organisation} has another owner"
    (event,) = member.get("/api/v1/trail", params={"action": "hand_over"}).json()["events"]
    assert (event["before"], event["after"]) == ({"owner": emails[0]}, {"owner": emails[1]})


def test_deletion_has_days_of_grace_and_is_then_real(
    opened: TestClient, organisation: str, database: Database, tmp_path: Path
) -> None:
    email = new_email()
    owner = signed_up(opened, organisation, email)
    token = owner.post("/api/v1/tokens", json={"name": "a", "scope": "agent"}).json()["text"]
    agent = Agent(opened, token)
    assert agent.announce().status_code == 201
    assert owner.post(f"/api/v1/runs/{agent.run_id}/publish").status_code == 200
    mine = organisation_id(owner)
    admin = joined(opened, owner, "admin")
    assert admin.put(DELETION, json={"name": organisation}).status_code == 403
    assert owner.put(DELETION, json={"name": "another"}).json()["code"] == "name-differs"
    asked = owner.put(DELETION, json={"name": organisation})
    assert asked.status_code == 200, asked.text
    assert owner.put(DELETION, json={"name": organisation}).json() == asked.json(), "asked again it stays"
    assert owner.get("/api/v1/me").json()["organisations"][0]["deletion_due_at"] is not None
    assert "will be deleted on" in mails_to(opened, email)[0]
    # Taken back inside the days of grace, it stays.
    assert owner.delete(DELETION).json() == {"due_at": None}
    assert mails_to(opened, email)[0] == f"{organisation} stays"
    with database.transaction() as session:
        of_mine = WorkRow.subject == mine, WorkRow.kind == "dissolve"
        assert session.scalar(select(WorkRow.kind).where(*of_mine)) is None
    transactions, mailer = transactions_of(database, None), Mailer(None, "a@b.example", tmp_path / "mail")
    with database.transaction() as session:
        key = session.scalars(select(Organisation.id).where(Organisation.name == organisation)).one()
    assert organisation_deletion.advance(transactions, mailer, key, utc_now() + timedelta(days=99)) is None
    assert owner.get("/api/v1/me").json()["organisations"][0]["deletion_due_at"] is None
    # Asked for again, it is reminded of, goes on until the day, and is gone after it.
    assert owner.put(DELETION, json={"name": organisation}).status_code == 200
    with database.transaction() as session:
        due = session.scalars(select(WorkRow.due_at).where(*of_mine)).one()
        session.execute(update(WorkRow).where(*of_mine).values(due_at=utc_now() + timedelta(days=400)))
    assert timedelta(days=11) < due - utc_now() < timedelta(days=13), "two days before it is reminded of"
    again_at = organisation_deletion.advance(transactions, mailer, key, due)
    assert again_at is not None
    assert again_at - due == organisation_deletion.REMINDER_BEFORE
    assert agent.get().status_code == 200, "until then everything goes on"
    assert organisation_deletion.advance(transactions, mailer, key, again_at) is None
    subjects = [one.subject for one in mailer.stored() if one.to == email]
    assert subjects == [f"{organisation} was deleted", f"{organisation} will be deleted soon"]
    assert agent.get().status_code == 401
    assert owner.get("/api/v1/me").json()["organisations"] == []
    with database.transaction() as session:
        assert session.get(Organisation, key) is None
        left = session.execute(
            select(Tombstone.kind, Tombstone.was_public).where(Tombstone.organisation_id == key)
        ).all()
    assert sorted(left) == [("organisation", False), ("run", True)]
    stranger = signed_up(opened, "Others")
    gone = stranger.get(f"/api/v1/runs/{agent.run_id}")
    assert gone.status_code == 410, "whoever has the link of a published run is told"


def test_an_owner_exports_everything(opened: TestClient, organisation: str) -> None:
    owner = signed_up(opened, organisation)
    viewer = joined(opened, owner, "admin")
    assert viewer.get("/api/v1/organisation/export").status_code == 403
    answer = owner.get("/api/v1/organisation/export")
    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as pack:
        manifest = json.loads(pack.read("manifest.json"))
        members = json.loads(pack.read("members.json"))
    assert manifest["organisation"] == organisation
    assert sorted(one["role"] for one in members) == ["admin", "owner"]
    events = owner.get("/api/v1/trail", params={"action": "export"}).json()["events"]
    assert [one["action"] for one in events] == ["export_organisation"]


def test_an_operators_export_stands_in_the_trail(
    opened: TestClient, organisation: str, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tailroom.kit.settings.get_settings", lambda: settings)
    monkeypatch.setattr("tailroom.kit.local_services.with_local_services", lambda passed: passed)
    owner = signed_up(opened, organisation)
    words = ["export", organisation_id(owner), str(tmp_path / "acme.zip")]
    assert CliRunner().invoke(organisation_commands.app, words).exit_code == 0
    event, *_ = owner.get("/api/v1/trail").json()["events"]
    assert (event["action"], event["actor_kind"], event["subject"]) == (
        "export_organisation",
        "operator",
        organisation,
    )


def test_an_owner_has_data_go_sooner_within_the_operators_bounds(
    opened: TestClient, organisation: str, database: Database, settings: Settings
) -> None:
    path = "/api/v1/organisation/retention"
    owner, stranger = signed_up(opened, organisation), signed_up(opened, "Elsewhere")
    admin = joined(opened, owner, "admin")
    wanted = {"tick_days": 2, "interval_days": 3, "minute_days": None, "raw_file_days": 2}
    nothing = dict.fromkeys(wanted)
    longest = {"tick_days": 7, "interval_days": 7, "minute_days": 90, "raw_file_days": None}
    assert admin.get(path).json() == {"holds": longest, "longest": longest, "wanted": nothing}
    assert admin.put(path, json=wanted).status_code == 403
    for named, body in (
        ("tick_days", {"tick_days": 8}),
        ("interval_days", {"interval_days": 7, "minute_days": 6}),
        ("tick_days", {"interval_days": 6}),
    ):
        refused = owner.put(path, json=body)
        assert (refused.status_code, refused.json()["code"]) == (422, "retention-invalid")
        assert [one["field"] for one in refused.json()["problems"]] == [named]
    set_ = owner.put(path, json=wanted).json()
    assert (set_["wanted"], set_["holds"]) == (wanted, {**wanted, "minute_days": 90})
    assert stranger.get(path).json()["holds"] == longest
    (event,) = owner.get("/api/v1/trail", params={"action": "set_retention"}).json()["events"]
    assert (event["before"], event["after"]) == (nothing, wanted)

    # What came three days ago is past it here, and not elsewhere; housekeeping obeys.
    runs, files = {}, {}
    for name, browser in {"here": owner, "elsewhere": stranger}.items():
        token = browser.post("/api/v1/tokens", json={"name": "a", "scope": "agent"}).json()["text"]
        agent = Agent(opened, token)
        assert agent.announce().status_code == 201
        assert agent.send([interval(1, 0)]).status_code == 200
        sent = browser.post("/api/v1/uploads", files={"files": (f"{name}.log", name.encode())}).json()
        runs[name], files[name] = agent.run_id, hashlib.sha256(name.encode()).hexdigest()
        assert sent["code"] == "upload-unreadable", "it is stored all the same"
        make_older(database, 3, content=files[name], run_id=agent.run_id)
    expire_what_is_old(settings, database)
    with database.transaction() as session:
        found = {str(one.run_id): one.expired_classes for one in session.scalars(select(Run))}
    assert (found[runs["here"]], found[runs["elsewhere"]]) == (1, 0)
    assert {name: is_stored(settings, one) for name, one in files.items()} == {
        "here": False,
        "elsewhere": True,
    }
    assert owner.put(path, json={}).json()["holds"] == longest
