"""The real agent qualifies a loop device, and each load arrives at the real API as a run."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import pytest
from backend.tests.listening import listening

from tailroom.kit.settings import Settings

ROOT = Path(__file__).parents[3]
AGENT = ROOT / "target" / "release" / "tailroom-agent"
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


def test_each_load_of_a_step_is_a_run(
    settings: Settings, make_token: Callable[..., str], drive: tuple[str, str, Path]
) -> None:
    device, name, folder = drive
    allowed = folder / "allowed"
    allowed.write_text(name)
    allowed.chmod(0o600)
    headers = {"Authorization": f"Bearer {make_token('viewer')}"}
    with listening(settings) as url:
        done = subprocess.run(
            [
                *(str(AGENT), "qualify", "--device", device, "--confirm-serial", name),
                *("--allow-list", str(allowed), "--state", str(folder / "state.json")),
                *("--step", "prepare,throughput", "--round-s", "1", "--backend", url),
                *("--spool", str(folder / "spool"), "--quiet"),
            ],
            env=os.environ | {"TAILROOM_AGENT_TOKEN": make_token()},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "filled in one pass of 4 KiB, 1.15 full writes" in done.stdout
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
