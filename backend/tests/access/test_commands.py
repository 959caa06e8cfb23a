"""`tailroom db migrate` and `tailroom token …` as a person uses them."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from backend.tests.agent import Agent
from fastapi.testclient import TestClient
from sqlalchemy import create_engine, func, select
from typer.testing import CliRunner

from tailroom.api.app import create_app
from tailroom.cli import db, token
from tailroom.cli.serve import is_loopback, serve
from tailroom.kit.settings import get_settings
from tailroom.storage.audit import PublicationFinding
from tailroom.storage.catalogue import ClaimRow
from tailroom.storage.drive_test import DriveTest

runner = CliRunner()


@pytest.fixture
def environment(
    empty_postgres_url: str, redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    monkeypatch.setenv("TAILROOM_DATABASE_URL", empty_postgres_url)
    monkeypatch.setenv("TAILROOM_REDIS_URL", redis_url)
    monkeypatch.setenv("TAILROOM_HOME", str(tmp_path))
    monkeypatch.setenv("TAILROOM_ALLOWED_HOSTS", "testserver")
    get_settings.cache_clear()
    yield empty_postgres_url
    get_settings.cache_clear()


def test_from_an_empty_database_to_a_working_token_and_its_end(environment: str) -> None:
    first = runner.invoke(db.app, ["migrate"])
    assert first.exit_code == 0, first.output
    assert "8 partitions were made" in first.output
    assert "reference data was loaded" in first.output
    engine = create_engine(environment)
    with engine.connect() as connection:
        for model in (ClaimRow, PublicationFinding, DriveTest):
            assert connection.scalar(select(func.count()).select_from(model)), model
    engine.dispose()
    again = runner.invoke(db.app, ["migrate"])
    assert "0 partitions were made" in again.output
    assert (again.exit_code, "reference data" in again.output) == (0, False), again.output

    made = runner.invoke(token.app, ["create", "--name", "make-up", "--scope", "agent"])
    assert made.exit_code == 0, made.output
    text = made.stdout.strip()
    assert text.startswith("tlr_agent_")
    listed = runner.invoke(token.app, ["list", "--organisation", "local"], env={"COLUMNS": "200"})
    assert "make-up" in listed.stdout
    assert text not in listed.stdout
    token_id = made.stderr.split()[1]
    assert token_id in listed.stdout
    piped = runner.invoke(token.app, ["list", "--organisation", "local"], env={"COLUMNS": "40"})
    rows = [line for line in piped.stdout.splitlines() if token_id in line]
    assert all("make-up" in row and "agent" in row for row in rows)
    assert rows
    answer = runner.invoke(token.app, ["list", "--organisation", "local", "--json"])
    (found,) = [each for each in json.loads(answer.stdout) if each["id"] == token_id]
    assert found.keys() == {
        *("id", "organisation", "name", "scope", "created_at", "last_used_at", "revoked_at"),
    }
    assert (found["scope"], found["revoked_at"]) == ("agent", None)

    with TestClient(create_app()) as client:
        agent = Agent(client, text)
        assert agent.announce().status_code == 201
        assert runner.invoke(token.app, ["revoke", token_id]).exit_code == 0
        assert runner.invoke(token.app, ["revoke", token_id]).exit_code == 0
        assert agent.announce().status_code == 401

    unknown = runner.invoke(token.app, ["revoke", "01a1fa22-6e23-76d2-ae80-c1fd2ca4539d"])
    assert unknown.exit_code == 2
    assert "tailroom token list" in unknown.stderr
    nobody = runner.invoke(token.app, ["list", "--organisation", "nobody"])
    assert nobody.exit_code == 2
    assert "nobody" in nobody.stderr


@pytest.mark.parametrize(
    ("address", "alone"),
    [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False), ("tail.example", False)],  # noqa: S104
)
def test_addresses_that_only_this_machine_reaches(address: str, alone: bool) -> None:
    assert is_loopback(address) is alone


@pytest.fixture
def local_access(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TAILROOM_LOCAL_ACCESS", "1")
    get_settings.cache_clear()
    yield
    get_settings.cache_clear()


@pytest.mark.usefixtures("local_access")
def test_local_access_is_refused_to_a_network() -> None:
    command = typer.Typer()
    command.command()(serve)
    refused = runner.invoke(command, ["--host", "0.0.0.0"])  # noqa: S104
    assert refused.exit_code == 2
    assert "this machine alone" in " ".join(refused.stderr.split())
