"""A run's intervals as a result file: what comes out is what went in, and commands read it by its address."""

import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from backend.tests.analysis.recording import (
    SeriesSpec,
    steady,
)
from backend.tests.listening import listening
from backend.tests.uploads.conftest import ACT
from fastapi.testclient import TestClient
from sqlalchemy import text, update
from typer.testing import CliRunner, Result

from tailroom.analysis import export
from tailroom.cli.main import build_app
from tailroom.importers.opening import open_bytes
from tailroom.importers.parsed_run import EndState, ParsedRun
from tailroom.importers.registry import read_together
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.settings import Settings
from tailroom.records.run_record import load_record
from tailroom.storage.interval import IntervalRow
from tailroom.storage.run import Run
from tailroom.storage.series import Series

Header = dict[str, str]
Store = Callable[..., UUID]
LATE = {"lateness_p99_ns": 2_300_000, "busy_ns": 2_000_000_000}


@pytest.fixture(scope="module")
def server(settings: Settings) -> Iterator[str]:
    with listening(settings) as address:
        yield address


@pytest.fixture
def run(
    server: str, make_token: Callable[..., str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., Result]:
    """A command with a token of this test's organisation in its environment."""
    monkeypatch.setenv("TAILROOM_SERVER", server)
    monkeypatch.setenv("TAILROOM_TOKEN", make_token("engineer"))
    monkeypatch.setenv("TAILROOM_HOME", str(tmp_path / "home"))
    app = build_app(["compare", "pack", "verify", "upload", "inspect", "judge"])
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words])


def reads(latency_ns: int = 400_000, seed: int = 1, **more: Any) -> SeriesSpec:
    return SeriesSpec("read", steady(500, 40, latency_ns, seed), **more)


def exported(client: TestClient, run_id: UUID, viewer: Header) -> ParsedRun:
    answer = client.get(f"/api/v1/runs/{run_id}/intervals", headers=viewer)
    assert answer.status_code == 200, answer.text
    (found,) = read_together(open_bytes("run.ndjson", answer.content))
    assert found.result is not None, found.refusal
    (run,) = found.result.runs
    return run


def test_what_comes_out_is_what_is_stored(
    client: TestClient, database: Database, viewer: Header, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "INTERVALS_AT_ONCE", 7)
    ticks = SeriesSpec("read", steady(50, 400), kind="tick", interval_ns=1_000_000_000)
    run_id = store(reads(misses={3: 2}, conditions=[{}, LATE]), ticks)
    run = exported(client, run_id, viewer)
    assert run.state is EndState.FINISHED
    assert not run.problems
    (series,) = run.series
    with database.transaction() as session:
        record = load_record(session, session.get_one(Run, run_id))
        stored = record.operations[0].intervals
    assert series.intervals is not None
    for name in (
        "start_ns",
        "duration_ns",
        "count",
        "errors",
        "sum_ns",
        "min_ns",
        "max_ns",
        "indices",
        "counts",
    ):
        assert np.array_equal(getattr(series.intervals, name), getattr(stored, name)), name
    assert series.intervals.optional_columns["lateness_p99_ns"].tolist()[:3] == [-1, 2_300_000, -1]
    assert series.target_count == 40 * 500 + 2


def test_a_run_that_goes_on_has_no_last_line(client: TestClient, viewer: Header, store: Store) -> None:
    assert exported(client, store(reads(), ended=False), viewer).state is EndState.GROWING


def test_a_number_far_from_the_others_keeps_nobody_busy(
    client: TestClient, database: Database, viewer: Header, store: Store
) -> None:
    run_id, far = store(reads()), 2**61
    with database.transaction() as session:
        session.execute(
            update(IntervalRow).where(IntervalRow.run_id == run_id, IntervalRow.seq == 39).values(seq=far)
        )
        session.execute(update(Series).where(Series.run_id == run_id).values(max_seq=far))
    assert exported(client, run_id, viewer).series[0].missing_intervals == far - 39


def test_what_retention_took_is_said(
    client: TestClient, database: Database, viewer: Header, store: Store
) -> None:
    run_id = store(reads())
    with database.transaction() as session:
        session.execute(text("DELETE FROM interval WHERE run_id = :id AND seq < 10"), {"id": run_id})
    answer = client.get(f"/api/v1/runs/{run_id}/intervals", headers=viewer)
    assert (answer.status_code, answer.json()["code"]) == (410, "intervals-expired")
    assert "10 of 40 intervals of series 0" in answer.json()["detail"]


def test_runs_are_compared_by_their_addresses(run: Callable[..., Result], server: str, store: Store) -> None:
    base, new = store(reads()), store(reads(1_200_000, seed=2))
    done = run("compare", f"{server}/runs/{base}", f"{server}/api/v1/runs/{new}?operation=read", "--json")
    assert done.exit_code == 1, done.output
    assert json.loads(done.stdout)["verdict"] == "regression"
    other_way = run("compare", f"{server}/runs/{new}", f"{server}/runs/{base}", "--json")
    assert json.loads(other_way.stdout)["verdict"] == "improvement"


def test_a_pack_of_a_run_is_verified_without_its_server(
    run: Callable[..., Result], server: str, store: Store, tmp_path: Path
) -> None:
    run_id, packed = store(reads()), tmp_path / "run.zip"
    done = run("pack", f"{server}/runs/{run_id}", "--output", packed)
    assert done.exit_code == 0, done.output
    assert f"raw/run-{run_id}.ndjson" in zipfile.ZipFile(packed).namelist()
    verified = json.loads(run("verify", packed, "--json").stdout)
    assert verified["ok"], verified
    assert verified["verdicts"] > 0


def test_of_an_uploaded_run_the_file_comes(run: Callable[..., Result], server: str) -> None:
    log = ACT / "act66_storage_3x_1dev_us_90s.log"
    address = run("upload", log).stdout.strip()
    assert address.startswith(f"{server}/runs/")
    done = run("compare", log, address, "--operation", "read", "--json")
    found = json.loads(done.stdout)
    assert found["comparable"]
    assert found["gains"]
    assert [one["base"] for one in found["gains"]] == [one["new"] for one in found["gains"]]


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("{server}/runs", "is no address of a run"),
        ("http://[", "is no address of a run"),
        ("{server}:99999/runs/{run_id}", "is no address"),
        ("{server}/runs/{run_id}", "There is no run"),
        ("http://127.0.0.1:1/runs/{run_id}", "does not answer"),
    ],
)
def test_an_address_that_gives_no_run_says_why(
    run: Callable[..., Result], server: str, address: str, said: str
) -> None:
    name = address.format(server=server, run_id=new_id())
    done = run("compare", name, name)
    assert done.exit_code == 2, done.output
    assert said in done.stderr


def test_a_token_goes_to_its_own_installation_alone(
    run: Callable[..., Result], server: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAILROOM_SERVER", "https://another.example")
    done = run("compare", f"{server}/runs/{store(reads())}", "-")
    assert done.exit_code == 2
    assert "No token was sent" in done.stderr
