"""Searches of the real agent on a real Valkey and a file: everywhere the same bracket."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest
from backend.tests.listening import serving
from backend.tests.programs import AGENT
from typer.testing import CliRunner

from tailroom.cli.main import build_app
from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.settings import Settings
from tailroom.kit.transactions import same_transaction
from tailroom.records.rollup import roll_up

"""Built by `make setup`, as for the journeys."""
PLAN = """
workload = "keyvalue"
title = "search"
[keyvalue]
ratio = "1:4"
key_maximum = 999
connections = 1
rate_per_s = 1000
"""
DRIVE = """
title = "drive"
workload = "act-storage"
duration_s = 60
[act_storage]
path = "{path}"
engine = "sync"
file_size_bytes = 33554432
read_only = true
"""
OBJECTIVE = "p99 get < 300ms"
ENDS = {
    "passed": "passed_per_s",
    "failed": "failed_per_s",
    "limited": "limited_per_s",
    "surely_passed": "surely_passed_per_s",
    "surely_failed": "surely_failed_per_s",
    "is_repeated": "is_repeated",
    "passes_above_failure": "passes_above_failure",
}

Command = Callable[..., tuple[list[str], dict[str, str]]]
Seek = Callable[[], tuple[str, list[dict[str, Any]]]]


@pytest.fixture
def token(make_token: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> str:
    """A viewer's, which the command line has as well."""
    text = make_token("viewer")
    monkeypatch.setenv("TAILROOM_TOKEN", text)
    return text


@pytest.fixture
def command(
    server_address: str, throw_away_valkey: EmbeddedValkey, tmp_path: Path, make_token: Callable[..., str]
) -> Command:
    """The command of a search whose probes last so many seconds. Its result files are in `tmp_path`."""

    def build(probe_s: int, backend: str = server_address) -> tuple[list[str], dict[str, str]]:
        plan = tmp_path / "plan.toml"
        plan.write_text(PLAN)
        words = [
            *(str(AGENT), "seek", str(plan), "--target", f"redis://{throw_away_valkey.address}"),
            *("--objective", OBJECTIVE, "--start", "400", "--precision", "0.6", "--probes", "3"),
            *("--probe-s", str(probe_s), "--warm-up-s", "0", "--json", "--backend", backend),
            *("--spool", str(tmp_path / "spool"), "--state", str(tmp_path / "state")),
            *("--result", str(tmp_path / "probe.ndjson")),
        ]
        secrets = {
            "TAILROOM_AGENT_TOKEN": make_token(),
            "TAILROOM_TARGET_PASSWORD": throw_away_valkey.password or "",
        }
        return words, os.environ | secrets

    return build


@pytest.fixture
def seek(server_address: str, command: Command) -> Seek:
    """Carry a search out; the address of the API and the events."""

    def run() -> tuple[str, list[dict[str, Any]]]:
        words, environment = command(2)
        done = subprocess.run(
            words, env=environment, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode in {0, 1}, done.stderr
        return server_address, [json.loads(line) for line in done.stdout.splitlines()]

    return run


def test_a_search_that_is_stopped_says_so_at_once(server_address: str, command: Command, token: str) -> None:
    run_id = new_id()
    words, environment = command(60)
    url = f"{server_address}/api/v1/sla/load-search/{run_id}"
    headers = {"Authorization": f"Bearer {token}"}

    def search() -> dict[str, Any] | None:
        answer = httpx.get(url, headers=headers, timeout=60)
        assert answer.status_code in {200, 404}, answer.text
        return answer.json() if answer.status_code == 200 else None

    with subprocess.Popen(
        [*words, "--run-id", str(run_id)], env=environment, stdout=subprocess.DEVNULL, text=True
    ) as agent:
        try:
            deadline = time.monotonic() + 50
            while (running := search()) is None:
                assert agent.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.2)
            assert (running["ended"], running["may_change"]) == (None, True)
            agent.send_signal(signal.SIGINT)
            agent.wait(timeout=30)
        finally:
            agent.kill()
    stopped = search()
    assert stopped is not None
    assert (stopped["ended"], stopped["may_change"]) == ("stopped", False)
    assert stopped["ended_text"] == "It was stopped; the same command continues it."


def test_a_search_goes_on_after_agent_and_backend_were_killed(
    settings: Settings, command: Command, database: Database, token: str, tmp_path: Path
) -> None:
    with serving(settings) as (address, _):
        words, environment = command(2, address)
        words += ["--deliver-wait-s", "10"]
        agent = subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True)
        assert agent.stdout is not None
        first = next(event for line in agent.stdout if (event := json.loads(line))["event"] == "probe")
        # The second probe is under way when both vanish.
        assert any(json.loads(line)["event"] == "progress" for line in agent.stdout)
    agent.kill()
    agent.communicate(timeout=30)
    port = int(address.rpartition(":")[2])
    with serving(settings, port=port):
        done = subprocess.run(
            words, env=environment, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode in {0, 1}, done.stderr
        drained = subprocess.run(
            [str(AGENT), "drain", "--spool", str(tmp_path / "spool"), "--backend", address],
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert drained.returncode == 0, drained.stderr
        events = [json.loads(line) for line in done.stdout.splitlines()]
        measured = [first, *(event for event in events if event["event"] == "probe")]
        result = next(event for event in events if event["event"] == "search")
        with database.transaction() as session:
            for probe in measured:
                roll_up(same_transaction(session), UUID(probe["run_id"]))
        url = f"{address}/api/v1/sla/load-search/{first['run_id']}"
        search = httpx.get(url, headers={"Authorization": f"Bearer {token}"}, timeout=60).json()
    assert result["id"] == first["run_id"], "it is the same search"
    assert {name: search[ours] for name, ours in ENDS.items()} == {name: result[name] for name in ENDS}
    decided = [probe["run_id"] for probe in search["probes"] if probe["late_share"] is not None]
    assert decided == [probe["run_id"] for probe in measured]
    (killed,) = [probe for probe in search["probes"] if probe["run_id"] not in decided]
    assert (killed["step"], killed["outcome"], search["may_change"]) == (2, "interrupted", False)
    assert len(list(tmp_path.glob("probe-[0-9]*.ndjson"))) == len(measured), (
        "that of the killed probe is written anew"
    )


def test_agent_api_report_and_command_line_say_the_same_bracket(
    seek: Seek, database: Database, token: str, tmp_path: Path
) -> None:
    server_address, events = seek()
    measured = [event for event in events if event["event"] == "probe"]
    result = next(event for event in events if event["event"] == "search")
    with database.transaction() as session:
        for probe in measured:
            roll_up(same_transaction(session), UUID(probe["run_id"]))
    headers = {"Authorization": f"Bearer {token}"}

    def get(path: str) -> httpx.Response:
        answer = httpx.get(f"{server_address}/api/v1{path}", headers=headers, timeout=60)
        assert answer.status_code == 200, answer.text
        return answer

    search = get(f"/sla/load-search/{measured[-1]['run_id']}").json()
    assert {name: search[ours] for name, ours in ENDS.items()} == {name: result[name] for name in ENDS}
    # The agent stated the end, so the answer is final at once.
    is_of_generator = result["limited"] is not None and result["ended_by"] in {"precision", "nopass"}
    reason = (
        "generator" if is_of_generator else {"nopass": "no-pass"}.get(result["ended_by"], result["ended_by"])
    )
    assert (search["ended"], search["may_change"]) == (reason, False)
    assert search["ended_text"].startswith("It ended because ")
    for stored, own in zip(search["probes"], measured, strict=True):
        assert (stored["run_id"], stored["load_per_s"]) == (own["run_id"], own["load"])
        if own["lower_ns"] is not None:
            # Exact counts at the limit may narrow the bucket, whose end the agent counts to it.
            assert own["lower_ns"] <= stored["quantile_lower_ns"]
            assert stored["quantile_upper_ns"] <= own["upper_ns"] + 1
    late = [probe["counts"]["late"] / probe["counts"]["all"] for probe in measured]
    assert [probe["late_share"] for probe in search["probes"]] == late
    for probe in search["probes"]:
        assert probe["is_limited"] == (probe["words"] == "Undecided: load generator unreliable")

    page = get(f"/runs/{measured[0]['run_id']}/report.html").text
    assert search["text"].replace("<", "&lt;") in page

    app, runner = build_app(["load-search", "report"]), CliRunner()
    files = sorted(map(str, tmp_path.glob("probe-*.ndjson")))
    of_files = json.loads(runner.invoke(app, ["load-search", *files, "--json"]).stdout)
    assert {name: of_files[name] for name in of_files if name != "probes"} == {
        name: search[name] for name in of_files if name != "probes"
    }
    for own, stored in zip(of_files["probes"], search["probes"], strict=True):
        assert own == {name: stored[name] for name in own}
    address = f"{server_address}/runs/{measured[0]['run_id']}"
    by_address = runner.invoke(app, ["load-search", *files, "--baseline", address]).output
    assert search["text"] in by_address
    assert "no difference is shown" in by_address
    assert json.loads(runner.invoke(app, ["load-search", address, "--json"]).stdout) == search
    html = tmp_path / "report.html"
    assert runner.invoke(app, ["report", *files, "--output", str(html)]).exit_code == 0
    assert search["text"].replace("<", "&lt;") in html.read_text()


def test_a_drive_is_searched_with_the_same_bracket(tmp_path: Path) -> None:
    plan = tmp_path / "drive.toml"
    plan.write_text(DRIVE.format(path=tmp_path / "drive.dat"))
    done = subprocess.run(
        [
            *(str(AGENT), "seek", str(plan), "--objective", "p99 read < 300ms", "--start", "2000"),
            *("--top", "16000", "--precision", "0.6", "--probes", "3", "--probe-s", "2"),
            *("--warm-up-s", "0", "--json"),
            *("--spool", str(tmp_path / "spool"), "--state", str(tmp_path / "state")),
            *("--result", str(tmp_path / "probe.ndjson")),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode in {0, 1}, done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    result = next((event for event in events if event["event"] == "search"), None)
    assert result is not None, (events[-1], done.stderr[-2_000:])
    measured = [event for event in events if event["event"] == "probe"]
    files = sorted(map(str, tmp_path.glob("probe-*.ndjson")))
    assert len(files) == len(measured) > 1
    finishes = [json.loads(Path(file).read_text().splitlines()[-1])["finish"] for file in files]
    assert ["search_ended" in finish for finish in finishes] == [False] * (len(files) - 1) + [True]
    search = json.loads(
        CliRunner().invoke(build_app(["load-search"]), ["load-search", *files, "--json"]).stdout
    )
    assert {name: search[ours] for name, ours in ENDS.items()} == {name: result[name] for name in ENDS}
    assert [probe["load_per_s"] for probe in search["probes"]] == [probe["load"] for probe in measured]
