"""`tailroom db migrate`: schema and reference data, and nothing where they are there."""

from collections.abc import Iterator

import pytest
from sqlalchemy import create_engine, func, select
from typer.testing import CliRunner

from tailroom.cli.db import app
from tailroom.kit.settings import get_settings
from tailroom.storage.audit import PublicationFinding
from tailroom.storage.catalogue import ClaimRow
from tailroom.storage.drive_test import DriveTest


@pytest.fixture
def settings_of(empty_postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("TAILROOM_DATABASE_URL", empty_postgres_url)
    get_settings.cache_clear()
    yield empty_postgres_url
    get_settings.cache_clear()


def test_reference_data_comes_with_the_schema_once(settings_of: str) -> None:
    first = CliRunner().invoke(app, ["migrate"])
    assert (first.exit_code, "reference data was loaded" in first.output) == (0, True), first.output
    engine = create_engine(settings_of)
    with engine.connect() as connection:
        for model in (ClaimRow, PublicationFinding, DriveTest):
            assert connection.scalar(select(func.count()).select_from(model)), model
    engine.dispose()
    again = CliRunner().invoke(app, ["migrate"])
    assert (again.exit_code, "reference data" in again.output) == (0, False), again.output


def test_an_older_schema_gets_none(settings_of: str) -> None:
    older = CliRunner().invoke(app, ["migrate", "--revision", "0004"])
    assert (older.exit_code, "reference data" in older.output) == (0, False), older.output
