"""What somebody wrote neither steers the terminal of an operator nor breaks a list."""

from collections.abc import Callable

import pytest
from sqlalchemy import delete
from typer.testing import CliRunner

from tailroom.cli import organisation as organisation_commands
from tailroom.cli import people
from tailroom.cli import token as token_commands
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.settings import Settings
from tailroom.people import accounts
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


@pytest.mark.parametrize("email", ["a@[x", "no address", "=?utf-8?q?a?=@x.example"])
def test_an_address_that_no_mail_goes_to_is_not_invited(organisation: str, email: str) -> None:
    refused = CliRunner().invoke(organisation_commands.app, ["invite", organisation, "--email", email])
    assert refused.exit_code == 2, refused.output


def test_a_token_has_a_name_that_can_be_shown(organisation: str, make_token: Callable[..., str]) -> None:
    make_token()
    run = CliRunner()
    asked = ["create", "--organisation", organisation, "--scope", "viewer", "--name"]
    assert run.invoke(token_commands.app, [*asked, "a\x1b[2J"]).exit_code == 2
    assert run.invoke(token_commands.app, [*asked, "a pipeline"]).exit_code == 0
    assert run.invoke(token_commands.app, ["list"]).exit_code == 0
