"""What somebody wrote neither steers the terminal of an operator nor breaks a list."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import delete, select
from typer.testing import CliRunner

from tailroom.cli import organisation as organisation_commands
from tailroom.cli import people
from tailroom.cli import token as token_commands
from tailroom.cli.main import build_app
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.local_services import LocalServices, services_file
from tailroom.kit.settings import Settings
from tailroom.people import accounts
from tailroom.storage.organisation import Organisation
from tailroom.storage.person import Person

HOSTILE = "[/red]\x1b[2J\u202e[bold]x"
EMAIL = "stored-before@people.example"


@pytest.fixture(autouse=True)
def here(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.setattr("tailroom.kit.settings.get_settings", lambda: settings)
    monkeypatch.setattr("tailroom.kit.local_services.with_local_services", lambda passed: passed)


def test_a_name_that_was_stored_before_names_had_a_type_is_shown_as_it_stands(database: Database) -> None:
    with database.transaction() as session:
        accounts.make_person(session, EMAIL, HOSTILE, None, utc_now())
    shown = CliRunner().invoke(people.app, ["list"])
    with database.transaction() as session:
        session.execute(delete(Person).where(Person.email == EMAIL))
    assert shown.exit_code == 0, shown.exception
    assert "\x1b[2J" not in shown.stdout
    assert "\u202e" not in shown.stdout
    assert "[/red]\\x1b[2J" in "".join(shown.stdout.split())


@pytest.mark.parametrize("name", ["", "Acme\x1b[2J", "00000000-0000-0000-0000-000000000000"])
def test_no_organisation_is_made_of_what_is_no_name(database: Database, name: str) -> None:
    """Nor of an id that none has."""
    commands = (
        (organisation_commands.app, ["invite", name, "--email", EMAIL]),
        (
            token_commands.app,
            ["create", "--name", "pipeline", "--organisation", name],
        ),
    )
    for app, words in commands:
        assert CliRunner().invoke(app, words).exit_code == 2
    with database.transaction() as session:
        assert session.scalar(select(Organisation).where(Organisation.name == name)) is None


@pytest.mark.parametrize("email", ["a@[x", "no address", "=?utf-8?q?a?=@x.example"])
def test_an_address_that_no_mail_goes_to_is_not_invited(organisation: str, email: str) -> None:
    refused = CliRunner().invoke(organisation_commands.app, ["invite", organisation, "--email", email])
    assert refused.exit_code == 2, refused.output


def test_an_organisation_that_there_is_not_is_no_changed_trail() -> None:
    refused = CliRunner().invoke(build_app(["audit"]), ["audit", "verify", "--organisation", "nobody's"])
    assert (refused.exit_code, refused.stderr) == (2, 'There is no organisation "nobody\'s".\n')


def test_an_invitation_leads_to_the_pages_that_run_here(
    organisation: str, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = settings.model_copy(update={"home": tmp_path})
    monkeypatch.setattr("tailroom.kit.settings.get_settings", lambda: here)
    running = LocalServices("", "", "http://127.0.0.1:31800")
    services_file(tmp_path).write_bytes(msgspec.json.encode(running))
    invited = CliRunner().invoke(organisation_commands.app, ["invite", organisation, "--email", EMAIL])
    assert invited.stdout.startswith("http://127.0.0.1:31800/invitation#"), invited.output
    services_file(tmp_path).unlink()
    invited = CliRunner().invoke(organisation_commands.app, ["invite", organisation, "--email", EMAIL])
    assert "TAILROOM_PUBLIC_URL is not set" in invited.stderr


def test_a_token_has_a_name_that_can_be_shown(organisation: str, make_token: Callable[..., str]) -> None:
    make_token()
    run = CliRunner()
    asked = ["create", "--organisation", organisation, "--scope", "viewer", "--name"]
    for unusable in ("a\x1b[2J", "", "   ", "a" * 201):
        assert run.invoke(token_commands.app, [*asked, unusable]).exit_code == 2
    assert run.invoke(token_commands.app, [*asked, "a pipeline"]).exit_code == 0
    assert run.invoke(token_commands.app, ["list"]).exit_code == 0
