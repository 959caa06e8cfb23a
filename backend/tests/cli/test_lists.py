"""Lists of the command line as JSON: the fields that scripts read, with their kinds."""

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

import pytest
import typer
from sqlalchemy import delete
from typer.testing import CliRunner

from tailroom.cli import people, token, work
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.settings import Settings
from tailroom.people import accounts
from tailroom.storage.person import Person
from tailroom.storage.work import WorkRow

EMAIL = "listed@people.example"


@pytest.fixture(autouse=True)
def here(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tailroom.kit.settings.get_settings", lambda: settings)
    monkeypatch.setattr("tailroom.kit.local_services.with_local_services", lambda passed: passed)


def listed(app: typer.Typer, command: str) -> list[dict[str, Any]]:
    done = CliRunner().invoke(app, [command, "--json"])
    assert done.exit_code == 0, done.output
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def test_people(database: Database) -> None:
    with database.transaction() as session:
        accounts.make_person(session, EMAIL, "Somebody", None, utc_now())
    (person,) = [row for row in listed(people.app, "list") if row["email"] == EMAIL]
    with database.transaction() as session:
        session.execute(delete(Person).where(Person.email == EMAIL))
    assert datetime.fromisoformat(person.pop("created_at")).tzinfo is not None
    expected = {"email": EMAIL, "name": "Somebody", "organisations": 0, "has_second_factor": False}
    assert person == expected


def test_the_table_of_people_is_whole_in_a_pipe(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    email = f"{'long.' * 10}{EMAIL}"
    with database.transaction() as session:
        accounts.make_person(session, email, "Somebody with a long name", None, utc_now())
    shown = CliRunner().invoke(people.app, ["list"]).stdout
    with database.transaction() as session:
        session.execute(delete(Person).where(Person.email == email))
    (row,) = [line for line in shown.splitlines() if email in line]
    assert "Somebody with a long name" in row
    assert f"{utc_now():%Y-%m-}" in row


def test_tokens(organisation: str, make_token: Callable[..., str]) -> None:
    make_token("viewer")
    (row,) = [row for row in listed(token.app, "list") if row["organisation"] == organisation]
    UUID(row.pop("id"))
    assert datetime.fromisoformat(row.pop("created_at")).tzinfo is not None
    assert row == {
        "organisation": organisation,
        "name": "test",
        "scope": "viewer",
        "last_used_at": None,
        "revoked_at": None,
    }


def test_given_up_work(database: Database) -> None:
    subject, organisation_id, now = new_id(), new_id(), utc_now()
    with database.transaction() as session:
        session.add(
            WorkRow(
                subject=subject,
                kind="judge",
                organisation_id=organisation_id,
                lane="judging",
                due_at=now,
                attempts=5,
                error="ValueError: broken",
                given_up_at=now,
            )
        )
    (row,) = [row for row in listed(work.app, "failures") if row["subject"] == str(subject)]
    nothing = CliRunner().invoke(work.app, ["retry", str(new_id())])
    assert (nothing.exit_code, nothing.stdout) == (2, "")
    assert "`tailroom work failures`" in nothing.stderr
    with database.transaction() as session:
        session.execute(delete(WorkRow).where(WorkRow.subject == subject))
    assert row == {
        "kind": "judge",
        "subject": str(subject),
        "organisation_id": str(organisation_id),
        "given_up_at": now.isoformat(),
        "attempts": 5,
        "error": "ValueError: broken",
    }
