"""`tailroom db migrate` to an earlier schema; `access/test_commands.py` begins with an empty database."""

from collections.abc import Iterator

import pytest
from typer.testing import CliRunner

from tailroom.cli.db import app
from tailroom.kit.settings import get_settings


@pytest.fixture
def _settings(empty_postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TAILROOM_DATABASE_URL", empty_postgres_url)
    get_settings.cache_clear()
    yield
    get_settings.cache_clear()


@pytest.mark.usefixtures("_settings")
def test_an_older_schema_gets_no_reference_data() -> None:
    older = CliRunner().invoke(app, ["migrate", "--revision", "0004"])
    assert (older.exit_code, "reference data" in older.output) == (0, False), older.output
