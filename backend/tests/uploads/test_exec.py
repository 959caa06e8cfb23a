"""`tailroom-agent exec -- TOOL`: what an installed tool prints becomes a run; its exit code is passed on."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from backend.tests.listening import listening
from backend.tests.programs import AGENT
from backend.tests.waiting import until

from tailroom.kit.settings import Settings

SAMPLE = Path(__file__).parents[1] / "importers" / "samples" / "pgbench" / "tpcb.txt"


@pytest.fixture
def execute(
    settings: Settings, make_token: Callable[..., str], tmp_path: Path
) -> Callable[..., subprocess.CompletedProcess[str]]:
    def run(script: str, url: str, token: str) -> subprocess.CompletedProcess[str]:
        command = [
            str(AGENT),
            "exec",
            "--backend",
            url,
            "--log",
            str(tmp_path / "tool.log"),
            "--every-s",
            "1",
        ]
        return subprocess.run(
            [*command, "--", "sh", "-c", script, "--password=hunter2"],
            env=os.environ | {"TAILROOM_TOKEN": token},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return run


def test_what_a_tool_prints_is_kept_and_becomes_a_run(
    execute: Callable[..., subprocess.CompletedProcess[str]],
    settings: Settings,
    make_token: Callable[..., str],
    tmp_path: Path,
) -> None:
    token = make_token("engineer")
    with listening(settings) as url:
        done = execute(f"head -c 100 {SAMPLE}; sleep 2; tail -c +101 {SAMPLE}; exit 7", url, token)
        assert done.returncode == 7, done.stderr
        assert (tmp_path / "tool.log").read_bytes() == SAMPLE.read_bytes()
        *printed, address = done.stdout.splitlines()
        assert "\n".join(printed) == SAMPLE.read_text().rstrip("\n")
        run = httpx.get(
            f"{url}/api/v1/runs/{address.rpartition('/')[2]}", headers={"Authorization": f"Bearer {token}"}
        ).json()
    assert (run["tool"], run["source"]) == ("pgbench", "upload")
    assert "hunter2" not in str(run)


def test_what_is_not_delivered_is_said_and_kept(
    execute: Callable[..., subprocess.CompletedProcess[str]], settings: Settings, tmp_path: Path
) -> None:
    with listening(settings) as url:
        done = execute(f"cat {SAMPLE}", url, "tlr_engineer_" + "x" * 43)
    assert done.returncode == 3
    assert "not delivered" in done.stderr
    assert (tmp_path / "tool.log").read_bytes() == SAMPLE.read_bytes()


def test_what_a_tool_has_printed_so_far_is_a_run_while_it_goes_on(
    settings: Settings, make_token: Callable[..., str], tmp_path: Path
) -> None:
    token, go_on = make_token("engineer"), tmp_path / "go-on"
    # The tool ends when somebody has seen what it printed before.
    script = f"cat {SAMPLE}; while [ ! -e {go_on} ]; do sleep 0.1; done"
    command = [str(AGENT), "exec", "--log", str(tmp_path / "live.log"), "--every-s", "1"]
    with listening(settings) as url:
        tool = subprocess.Popen(
            [*command, "--backend", url, "--", "sh", "-c", script],
            env=os.environ | {"TAILROOM_TOKEN": token},
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            headers = {"Authorization": f"Bearer {token}"}

            def listed() -> str:
                answer = httpx.get(f"{url}/api/v1/runs", params={"scope": "mine"}, headers=headers)
                return next((run["run_id"] for run in answer.json()["runs"] if run["tool"] == "pgbench"), "")

            seen = until(listed, every_s=0.2)
            assert tool.poll() is None, "it had ended before"
        finally:
            go_on.touch()
            printed, _ = tool.communicate(timeout=60)
    assert tool.returncode == 0
    assert printed.splitlines()[-1].endswith(f"/runs/{seen}"), "what came later is the same run"
