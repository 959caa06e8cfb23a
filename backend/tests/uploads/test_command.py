"""`tailroom upload` against an API that listens, as people and scripts meet it."""

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from backend.tests.listening import listening
from backend.tests.uploads.conftest import ACT, uploads_reader
from typer.testing import CliRunner, Result

from tailroom.cli.main import build_app
from tailroom.kit.db import Database
from tailroom.kit.lanes import UPLOADS
from tailroom.kit.settings import Settings

LOG = ACT / "act66_storage_3x_1dev_us_90s.log"


@pytest.fixture(scope="module")
def server(settings: Settings) -> Iterator[str]:
    """An API as it is installed."""
    with listening(settings) as address:
        yield address


@pytest.fixture
def run(server: str, make_token: Callable[..., str]) -> Callable[..., Result]:
    """Runs the command with a token of this test's organisation."""

    def invoke(*words: str, token: str | None = None) -> Result:
        given = make_token("engineer") if token is None else token
        everything = [*words, "--server", server, "--token", given]
        app = build_app(["upload", "inspect"])
        return CliRunner().invoke(app, ["upload", *everything])

    return invoke


def test_it_prints_the_link_and_the_same_one_again(run: Callable[..., Result], server: str) -> None:
    first = run(str(LOG), "--drive", "Drive 1", "--public")
    assert first.exit_code == 0, first.output
    assert first.stdout.startswith(f"{server}/runs/")
    assert "public" in first.stderr
    again = run(str(LOG), str(LOG.with_suffix(".conf")), "--json")
    (found,) = json.loads(again.stdout)["runs"]
    assert first.stdout.strip().endswith(found["run_id"])
    assert [one["value"] for one in found["disclosure"]["disclosed"]] == ["Drive 1"]
    assert found["visibility"] == "public"


def test_what_cannot_be_read_ends_with_2(run: Callable[..., Result], tmp_path: Path) -> None:
    junk = tmp_path / "junk.log"
    junk.write_bytes(b"\x01\x02" * 500)
    refused = run(str(junk))
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "format not recognised" in refused.stderr
    mixed = run(str(junk), str(LOG))
    assert mixed.exit_code == 2
    assert "/runs/" in mixed.stdout
    assert run(str(tmp_path / "nothing")).exit_code == 2
    assert "is a directory: name the files in it" in run(str(tmp_path)).stderr


def test_title_and_labels_follow_branch_and_commit(run: Callable[..., Result]) -> None:
    words = ("--title", "main", "--label", "branch=main", "--label", "commit=1f2e", "--json")
    done = run(str(LOG), *words)
    assert done.exit_code == 0, done.output
    (uploaded,) = json.loads(done.stdout)["runs"]
    assert uploaded["title"] == "main"
    quiet = run(str(LOG), "--title", "main 2", "--quiet")
    assert (quiet.stderr, len(quiet.stdout.splitlines())) == ("", 1)
    refused = run(str(LOG), "--label", "branch")
    assert (refused.exit_code, "no KEY=VALUE" in refused.stderr) == (2, True)


def test_a_refusal_ends_with_2_and_an_installation_that_is_away_with_70(run: Callable[..., Result]) -> None:
    unknown = run(str(LOG), token="trt_nobody")
    assert unknown.exit_code == 2
    assert "token" in unknown.stderr
    app = build_app(["upload", "inspect"])
    away = CliRunner().invoke(app, ["upload", str(LOG), "--server", "http://127.0.0.1:9"])
    assert away.exit_code == 70
    assert "does not answer" in away.stderr


def test_it_waits_for_a_worker_that_reads_a_large_upload(
    settings: Settings, database: Database, make_token: Callable[..., str]
) -> None:
    """The worker's part is done beside it, as soon as the upload is on record."""
    stopped = threading.Event()

    def worker() -> None:
        reader = uploads_reader(settings, database)
        while not stopped.wait(0.1):
            reader.work_through(UPLOADS, 1.0)

    beside = threading.Thread(target=worker, daemon=True)
    beside.start()
    with listening(settings.model_copy(update={"upload_at_once_bytes": 0})) as address:
        words = ["upload", str(LOG), "--server", address, "--token", make_token("engineer")]
        done = CliRunner().invoke(build_app(["upload", "inspect"]), words)
    stopped.set()
    beside.join()
    assert done.exit_code == 0, done.output
    assert "a worker reads it now" in done.stderr
    assert done.stdout.startswith(f"{address}/runs/")
