"""The real agent qualifies a loop device, and each load arrives at the real API as a run."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

import httpx
import pytest
from backend.tests.analysis.recording import look_at_run
from backend.tests.listening import listening
from backend.tests.programs import AGENT

from tailroom.kit.db import Database
from tailroom.kit.settings import Settings

ROOT = Path(__file__).parents[3]
"""Built by `make setup`, as for the journeys."""
SIZE_BYTES = 64 << 20


@pytest.fixture
def drive() -> Iterator[tuple[str, str, Path]]:
    """Return a loop device, the name that it is confirmed by, and a folder."""
    with TemporaryDirectory(dir=ROOT / "target") as folder:
        image = Path(folder) / "drive.img"
        with image.open("wb") as file:
            file.truncate(SIZE_BYTES)
        made = subprocess.run(
            ["losetup", "--find", "--show", image], capture_output=True, text=True, check=False
        )
        if made.returncode != 0:
            pytest.skip("no loop devices here")
        device = made.stdout.strip()
        try:
            yield device, f"{Path(device).name}:{SIZE_BYTES}", Path(folder)
        finally:
            subprocess.run(["losetup", "--detach", device], check=True)


def qualify(
    drive: tuple[str, str, Path], url: str, token: str, steps: str, timeout_s: int
) -> subprocess.CompletedProcess[str]:
    """The agent carries out steps on the drive, and writes `report.json` into its folder."""
    device, name, folder = drive
    allowed = folder / "allowed"
    allowed.write_text(name)
    allowed.chmod(0o600)
    subject = ["--device", device, "--confirm-serial", name, "--allow-list", str(allowed)]
    return _qualify(folder, [*subject, "--step", steps, "--round-s", "1"], url, token, timeout_s)


def _qualify(
    folder: Path, arguments: list[str], url: str, token: str, timeout_s: int
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [
            *(str(AGENT), "qualify", *arguments, "--backend", url),
            *("--state", str(folder / "state.json"), "--report", str(folder / "report.json")),
            *("--spool", str(folder / "spool"), "--quiet"),
        ],
        env=os.environ | {"TAILROOM_AGENT_TOKEN": token},
        capture_output=True,
        text=True,
        timeout=timeout_s,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done


def compare_with_report(url: str, headers: dict[str, str], report: dict[str, Any]) -> None:
    """The page says of the stored runs what the agent says of what it measured."""
    suite = report["suite"]
    page = httpx.get(f"{url}/api/v1/qualifications/{suite['id']}", headers=headers, timeout=60).json()
    loads = [(step["step"], load) for step in page["steps"] for load in step["loads"]]
    closed = [each for each in suite["measured"] if each["step"] != "act"]
    assert [(step, load["run_id"]) for step, load in loads] == [
        (each["step"], each["run_id"]) for each in closed
    ]
    for (_, load), each in zip(loads, closed, strict=True):
        assert load["per_s"] == pytest.approx(each["per_s"], rel=1e-6)
    own, stated = page["steady_state"], report["steady_state"]
    if "settle" in suite["settings"]["steps"]:
        assert own["answer"] == stated["answer"]
    if stated.get("window"):
        for name in ("mean_per_s", "range_ratio", "excursion_ratio"):
            assert own["window"][name] == pytest.approx(stated["window"][name], rel=1e-6)
    for name in ("cache_end", "recovery"):
        assert (page[name] is None) is (report[name] is None), name
        for field, value in (report[name] or {}).items():
            assert page[name][field] == (value if value is None else pytest.approx(value, rel=1e-6)), field
    assert page["is_complete"] is report["is_complete"] is True, page["steps"]


def test_each_load_of_a_step_is_a_run(
    settings: Settings, database: Database, make_token: Callable[..., str], drive: tuple[str, str, Path]
) -> None:
    headers = {"Authorization": f"Bearer {make_token('viewer')}"}
    with listening(settings) as url:
        done = qualify(drive, url, make_token(), "prepare,throughput", timeout_s=300)
        assert "filled in one pass of 4 KiB, 1.15 full writes" in done.stdout
        report = json.loads((drive[2] / "report.json").read_text())
        page = httpx.get(f"{url}/api/v1/qualifications/{report['suite']['id']}", headers=headers).json()
        assert (page["unfinished"], page["is_complete"]) == (len(report["suite"]["measured"]), False)
        with database.transaction() as session:
            for measured in report["suite"]["measured"]:
                look_at_run(session, UUID(measured["run_id"]), datetime.now(UTC))
        compare_with_report(url, headers, report)
        runs = httpx.get(f"{url}/api/v1/runs", headers=headers, params={"q": "throughput"}).json()["runs"]
        assert len(runs) == 4
        for run in runs:
            page = httpx.get(f"{url}/api/v1/runs/{run['run_id']}", headers=headers).json()
            assert (page["workload"], page["state"], page["missing"]) == ("qualify", "finished", [])
            assert page["closed_loop"]
            assert page["plan"]["qualify"]["preparation"]["is_filled"] is True
            assert page["plan"]["qualify"]["load"]["access"] == "sequential"
            assert "confirm" not in str(page["plan"])
            assert page["verdicts"] == []


@pytest.mark.parametrize(
    ("model", "steps", "answer"),
    [
        ("page_s = 0.002", "prepare,settle,throughput --fill sequential", "steady"),
        ("page_s = 0.002\nhousekeeping_s = [40.0, 10.0]", "prepare,settle,throughput", "not_steady"),
        ("page_s = 0.002\nhot_c = 35.0", "prepare,settle,throughput", "throttled"),
        (
            "page_s = 0.002\npages = 4096\nspare_ratio = 0.5\ncache_pages = 90000",
            "purge,saturation,prepare,cross-stimulus",
            None,
        ),
    ],
)
def test_a_model_of_a_drive_is_judged_by_the_page_as_by_the_agent(  # noqa: PLR0917 - parameters and fixtures
    settings: Settings,
    database: Database,
    make_token: Callable[..., str],
    tmp_path: Path,
    model: str,
    steps: str,
    answer: str | None,
) -> None:
    headers = {"Authorization": f"Bearer {make_token('viewer')}"}
    (tmp_path / "drive.toml").write_text(model)
    arguments = [
        "--simulated-drive",
        str(tmp_path / "drive.toml"),
        "--round-s",
        "10",
        "--step",
        *steps.split(),
    ]
    with listening(settings) as url:
        _qualify(tmp_path, arguments, url, make_token(), timeout_s=300)
        report = json.loads((tmp_path / "report.json").read_text())
        with database.transaction() as session:
            for measured in report["suite"]["measured"]:
                look_at_run(session, UUID(measured["run_id"]), datetime.now(UTC))
        compare_with_report(url, headers, report)
        page = httpx.get(
            f"{url}/api/v1/qualifications/{report['suite']['id']}", headers=headers, timeout=60
        ).json()
    assert (page["steady_state"] or {}).get("answer") == answer
    assert page["device"][0]["text"] == "a model of a drive: its figures say nothing of any drive"
    assert page["title"] == "Qualification of simulated drive"
    if answer is not None:
        amplification = page["steady_state"]["window"]["write_amplification"]
        truth = (
            report["simulated_drive"]["media_written_bytes"] / report["simulated_drive"]["host_written_bytes"]
        )
        # The window is the fragmented end of what was written, so it amplifies more than all of it.
        assert amplification["upper"] > amplification["lower"] >= truth > 1.0
    if answer == "steady":
        # 32 blocks of 1 MiB take the model longer than the end of a run is waited for.
        missed = {step["step"]: step["missed"] for step in page["steps"]}
        assert missed["settle"] == 0
        assert missed["throughput"] > 0


@pytest.mark.parametrize(
    ("page_s", "sync_writes", "act", "act_words"),
    [
        (0.00002, "PASS", "PASS", "ACT 1x: keeps the limits of ACT in this run"),
        (0.0005, "FAIL", "FAIL", "ACT 1x: breaks a limit of ACT, or cannot keep up"),
    ],
)
def test_synchronous_writes_and_act_are_answered_by_the_verdicts_of_their_runs(  # noqa: PLR0917 - parameters and fixtures
    settings: Settings,
    database: Database,
    make_token: Callable[..., str],
    tmp_path: Path,
    page_s: float,
    sync_writes: str,
    act: str,
    act_words: str,
) -> None:
    headers = {"Authorization": f"Bearer {make_token('viewer')}"}
    (tmp_path / "drive.toml").write_text(f"page_s = {page_s:f}")
    arguments = ["--simulated-drive", str(tmp_path / "drive.toml"), "--round-s", "1"]
    with listening(settings) as url:
        _qualify(
            tmp_path, [*arguments, "--step", "prepare,sync-writes,act"], url, make_token(), timeout_s=300
        )
        report = json.loads((tmp_path / "report.json").read_text())
        with database.transaction() as session:
            for measured in report["suite"]["measured"]:
                look_at_run(session, UUID(measured["run_id"]), datetime.now(UTC))
        compare_with_report(url, headers, report)
        suites = f"{url}/api/v1/qualifications"
        page = httpx.get(f"{suites}/{report['suite']['id']}", headers=headers, timeout=60).json()
        printed = httpx.get(f"{suites}/{report['suite']['id']}/report.html", headers=headers, timeout=60).text
        listed = httpx.get(suites, headers=headers).json()["suites"]
    answers = {step["step"]: step["answers"] for step in page["steps"]}
    assert [each["verdict"] for each in answers["sync-writes"]] == [sync_writes] * 2
    assert [each["verdict"] for each in answers["act"]] == [act]
    own = [each["answer"] for each in report["suite"]["measured"]]
    word = {"PASS": "yes", "FAIL": "no"}[sync_writes]
    assert all(
        answer.startswith(f"{size} KiB, p99 sync-write < 10ms: {word}, ")
        for size, answer in zip((4, 8), own[:2], strict=True)
    )
    assert own[2] == act_words
    assert [step["heading"] for step in page["steps"]] == ["Synchronous writes", "ACT"]
    assert "<strong>ACT 1x: " in printed
    assert str(report["suite"]["id"]) in {suite["suite_id"] for suite in listed}
    assert report["suite"]["measured"][2]["run_id"] == answers["act"][0]["run_id"]
