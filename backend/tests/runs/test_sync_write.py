"""The real agent measures synchronous writes in a folder, and the real API judges them by `sync-write`."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

import httpx
from backend.tests.analysis.recording import look_at_run
from backend.tests.listening import listening
from backend.tests.programs import AGENT

from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.settings import Settings

ROOT = Path(__file__).parents[3]
"""Built by `make setup`, as for the journeys."""


def test_each_size_of_write_is_a_run_that_its_budget_judges(
    settings: Settings, database: Database, make_token: Callable[..., str]
) -> None:
    headers = {"Authorization": f"Bearer {make_token('viewer')}"}
    # A folder of the checkout lies on a drive; where the system has its temporary files may be memory.
    with TemporaryDirectory(dir=ROOT / "target") as folder, listening(settings) as url:
        done = subprocess.run(
            [
                *(str(AGENT), "sync-write", "--folder", folder, "--duration-s", "1", "--title", "the log"),
                *("--backend", url, "--spool", f"{folder}/spool", "--progress", "none"),
            ],
            env=os.environ | {"TAILROOM_AGENT_TOKEN": make_token()},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        runs = httpx.get(f"{url}/api/v1/runs", headers=headers, params={"q": "the log"}).json()["runs"]
        assert sorted(run["title"] for run in runs) == ["the log · 4 KiB", "the log · 8 KiB"]
        for run in runs:
            with database.transaction() as session:
                look_at_run(session, UUID(run["run_id"]), utc_now())
            page = httpx.get(f"{url}/api/v1/runs/{run['run_id']}", headers=headers).json()
            assert (page["workload"], page["state"], page["missing"]) == ("sync-write", "finished", [])
            assert page["closed_loop"]
            assert {series["operation"] for series in page["series"]} == {"sync-write"}
            absent = {fact["field"].split(".")[0] for fact in page["disclosure"]["missing"]}
            assert "plan" not in absent, page["disclosure"]["missing"]
            [verdict] = page["verdicts"]
            assert (verdict["budget"]["name"], verdict["provisional"]) == ("sync-write", False)
            # The loop is closed and no write begins late: however busy this machine is, the drive answers.
            assert verdict["verdict"] in {"PASS", "FAIL"}, verdict["reason_text"]
            assert "10 ms" in verdict["reason_text"]
