"""What is logged of a crash: where, never with which values, never much; and a log that fails fails alone."""

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import structlog
from fastapi.testclient import TestClient

from tailroom.access.tokens import make_token
from tailroom.api.app import create_app
from tailroom.kit.db import Database
from tailroom.kit.logging import TRACEBACK_CHARACTERS, configure_logging, short_traceback
from tailroom.kit.settings import Settings

CRASH = """
import sys, structlog
{terminal}
from tailroom.kit.logging import configure_logging
configure_logging()
def fail(token):
    body = {{"password": token + "-in-a-body"}}
    raise RuntimeError("it broke")
try:
    fail("".join(["s3", "cret"]))
except RuntimeError:
    structlog.get_logger().exception("request_failed", path="/x")
"""
AS_TERMINAL = "sys.stderr.isatty = lambda: True"


def deep(levels: int) -> None:
    if levels == 0:
        raise ValueError("x" * 1_000_000)
    try:
        deep(levels - 1)
    except ValueError as error:
        raise ValueError("again") from error


@pytest.mark.parametrize("terminal", ["", AS_TERMINAL])
def test_a_crash_is_logged_without_values_of_variables(terminal: str) -> None:
    source = CRASH.format(terminal=terminal)
    ended = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert "s3cret" not in ended.stderr
    assert "RuntimeError: it broke" in ended.stderr
    assert "in fail" in ended.stderr
    if not terminal:
        line = json.loads(ended.stderr)
        assert (line["event"], line["path"]) == ("request_failed", "/x")


def test_a_traceback_stays_short() -> None:
    began = time.process_time()
    with pytest.raises(ValueError, match="again") as found:
        deep(100)
    text = short_traceback((found.type, found.value, found.tb))
    assert len(text) < TRACEBACK_CHARACTERS + 100
    assert text.endswith("ValueError: again")
    assert time.process_time() - began < 5


def test_errors_of_the_database_do_not_name_what_was_sent(postgres_url: str) -> None:
    database = Database(postgres_url, pool_size=1)
    with pytest.raises(Exception, match="division") as found, database.transaction() as session:
        session.connection().exec_driver_sql("SELECT 1 / 0, %s", ("s3cret",))
    assert "s3cret" not in str(found.value)
    database.dispose()


@contextmanager
def full_log() -> Iterator[None]:
    """The log goes to a device that is always full."""
    before = structlog.get_config()
    with pytest.MonkeyPatch.context() as patch:
        full = Path("/dev/full").open("w", encoding="utf-8", buffering=1)  # noqa: SIM115 - fails to close
        patch.setattr(sys, "stderr", full)
        with pytest.raises(OSError, match="No space left"):
            full.write("the device is full\n")
        configure_logging()
        structlog.configure(cache_logger_on_first_use=False)
        yield
        structlog.configure(**before)
        with contextlib.suppress(OSError):
            full.close()


def test_a_full_disk_under_the_log_leaves_refusals_as_they_are(redis_url: str, tmp_path: Path) -> None:
    nowhere = Settings(
        database_url="postgresql+psycopg://nobody@127.0.0.1:9/nothing",
        redis_url=redis_url,
        home=tmp_path,
        allowed_hosts=("testserver",),
    )
    app = create_app(nowhere)
    with full_log(), TestClient(app, raise_server_exceptions=False) as client:
        answer = client.get("/api/v1/runs", headers={"Authorization": f"Bearer {make_token('viewer')}"})
        assert (answer.status_code, answer.json()["code"]) == (503, "storage-unavailable")
        assert client.get("/readyz").status_code == 503


@pytest.mark.parametrize("terminal", ["", AS_TERMINAL])
def test_what_somebody_wrote_steers_no_terminal(terminal: str) -> None:
    """Nor does it look like a line of its own."""
    source = f"""
import sys, structlog
{terminal}
from tailroom.kit.logging import configure_logging
configure_logging()
structlog.get_logger().info("refused", route="/x\\x1b[2J\\u202e\\n2026-01-01 [info] signed_in")
"""
    ended = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    (line,) = ended.stderr.strip().splitlines()
    assert "\x1b[2J" not in line
    assert "\u202e" not in line
    assert "signed_in" in line
