"""The real agent sends the phases of its database plans to the real API: each phase arrives as a run,
whole, with its load and its server, and is judged.
"""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest
from backend.tests.analysis.recording import look_at_run
from backend.tests.listening import listening
from backend.tests.programs import AGENT

from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.settings import Settings

"""Built by `make setup`, as for the journeys."""
FRAUD = """
workload = "fraud"
title = "ladder"
[fraud]
objects = 2000
reads_per_transaction = 10
connections = 4
warm_up_s = 1
ramp_s = 0
measure_s = 2
[[fraud.phases]]
name = "P1"
reads_per_s = 500
[[fraud.phases]]
name = "P2"
reads_per_s = 500
updates_per_s = 100
"""
KEY_VALUE = """
workload = "keyvalue"
title = "mixed"
[keyvalue]
ratio = "1:4"
key_maximum = 1999
object_bytes = 100
connections = 4
rate_per_s = 1000
measure_s = 2
"""
YCSB = """
recordcount=500
operationcount=4000
workload=site.ycsb.workloads.CoreWorkload
readproportion=0.5
updateproportion=0
readmodifywriteproportion=0.5
requestdistribution=zipfian
threadcount=4
"""


@pytest.fixture(scope="module")
def url(settings: Settings) -> Iterator[str]:
    with listening(settings) as found:
        yield found


class Measuring:
    """Runs plans against one server and reads what the API then has."""

    def __init__(
        self, url: str, server: EmbeddedValkey, folder: Path, make_token: Callable[..., str]
    ) -> None:
        self._url, self._server, self._folder = url, server, folder
        self._agent_token, self._headers = make_token(), {"Authorization": f"Bearer {make_token('viewer')}"}

    def run(self, name: str, text: str, *more: str) -> list[dict[str, Any]]:
        """Carries a plan out; its runs in the order in which they began."""
        plan = self._folder / name
        plan.write_text(text)
        done = subprocess.run(
            [
                *(str(AGENT), "run", str(plan), "--target", f"redis://{self._server.address}"),
                *("--backend", self._url, "--spool", str(self._folder / "spool")),
                *("--histogram-every-s", "1", "--progress", "none", *more),
            ],
            env=os.environ
            | {
                "TAILROOM_AGENT_TOKEN": self._agent_token,
                "TAILROOM_TARGET_PASSWORD": self._server.password or "",
            },
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert self._server.password is not None
        assert self._server.password not in done.stdout + done.stderr
        found = self.get("", q=name, sort="started")["runs"]
        return sorted(
            (self.get(f"/{one['run_id']}") for one in found), key=lambda run: str(run["started_at"])
        )

    def get(self, path: str, **query: str) -> Any:
        """Reads of the runs of this test's organisation."""
        answer = httpx.get(f"{self._url}/api/v1/runs{path}", headers=self._headers, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()


@pytest.fixture
def measuring(
    url: str, throw_away_valkey: EmbeddedValkey, tmp_path: Path, make_token: Callable[..., str]
) -> Measuring:
    return Measuring(url, throw_away_valkey, tmp_path, make_token)


def operations(run: dict[str, Any]) -> dict[str, set[str]]:
    """Clocks by operation."""
    found: dict[str, set[str]] = {}
    for series in run["series"]:
        found.setdefault(series["operation"], set()).add(series["clock"])
    return found


def test_every_phase_of_a_ladder_is_a_run_with_its_load_and_its_server(
    measuring: Measuring, database: Database
) -> None:
    runs = measuring.run("ladder", FRAUD)
    assert [run["title"] for run in runs] == [f"ladder · {name}" for name in ("load", "warm-up", "P1", "P2")]
    assert [run["plan"]["job"]["kind"] for run in runs] == ["load", "warm-up", "measure", "measure"]
    assert len({run["plan"]["job"]["id"] for run in runs}) == 1
    assert [run["planned_operations"] for run in runs] == [2_000, None, None, None]
    for run in runs:
        assert (run["state"], run["outcome"], run["missing"]) == ("finished", "completed", [])
        assert run["plan"]["server"]["software"] == "Valkey"
        absent = {one["field"].split(".")[0] for one in run["disclosure"]["missing"]}
        assert "plan" not in absent, run["disclosure"]["missing"]
        with database.transaction() as session:
            look_at_run(session, UUID(run["run_id"]), utc_now())
    # Nobody's requests: they are measured, and not judged.
    judged = [measuring.get(f"/{run['run_id']}") for run in runs]
    assert [len(run["verdicts"]) for run in judged] == [0, 0, 2, 2]
    assert [run["judged_at"] is None for run in runs + judged] == [True] * 4 + [False] * 4
    load, warm_up, first, second = runs
    assert second["plan"]["law"] == {"kind": "uniform"}
    assert load["closed_loop"]
    assert operations(load) == {"insert": {"service"}}
    of_transactions = {"transaction": {"response", "service"}, "read": {"service"}}
    assert operations(warm_up) == operations(first) == of_transactions
    assert operations(second) == of_transactions | {"update": {"response", "service"}}
    assert [run["measured_duration_ns"] for run in runs[1:]] == [10**9, 2 * 10**9, 2 * 10**9]
    verdicts = measuring.get(f"/{second['run_id']}")["verdicts"]
    # Its own ten reads first, the 250 of the fraud check beside them.
    assert [one["budget"]["name"] for one in verdicts] == ["own-transactions", "fraud-250-sequential"]
    assert not any(one["provisional"] for one in verdicts)
    timeline = measuring.get(f"/{second['run_id']}/timeline")
    counts = {
        one["operation"]: sum(one["ticks"]["count"])
        for one in timeline["series"]
        if one["clock"] == ("service" if one["operation"] == "read" else "response")
    }
    assert counts == {"transaction": 100, "read": 1_000, "update": 200}


def test_a_key_value_test_and_a_property_file_are_runs_too(measuring: Measuring) -> None:
    load, run = measuring.run("mixed", KEY_VALUE)
    assert operations(load) == {"set": {"service"}}
    assert operations(run) == {"set": {"response", "service"}, "get": {"response", "service"}}
    rates = {one["operation"]: round(one["target_rate_per_s"]) for one in run["series"]}
    assert rates == {"set": 200, "get": 800}
    load, run = measuring.run("workloadf", YCSB, "--reload", "--remove")
    assert (load["workload"], load["plan"]["objects"]["count"]) == ("ycsb", 500)
    assert run["closed_loop"]
    assert set(operations(run)) == {"read", "read-modify-write", "rmw-read", "rmw-update"}
    assert all(clocks == {"service"} for clocks in operations(run).values())
