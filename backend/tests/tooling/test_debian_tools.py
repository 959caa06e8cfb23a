"""What tests need of the system is installed where that is allowed, and missed without harm where not."""

import io
import os
from pathlib import Path

import pytest
from backend.tooling import debian_tools
from backend.tooling.build import Builder, Checkout

from tailroom.embedded.console import Console


def place(folder: Path, name: str, script: str) -> None:
    """A program."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


def test_a_package_is_missing_when_its_program_is(tmp_path: Path) -> None:
    assert _missing(str(tmp_path), _always) == list(debian_tools.PACKAGES.values())
    place(tmp_path, "mkfs.xfs", "")
    assert "xfsprogs" not in _missing(str(tmp_path), _always)


def test_a_package_is_missing_when_its_library_is(tmp_path: Path) -> None:
    missing = _missing(str(tmp_path), lambda name: "pango" not in name)
    assert missing == [*debian_tools.PACKAGES.values(), "libpangoft2-1.0-0"]
    assert debian_tools.is_there("libc.so.6")
    assert not debian_tools.is_there("libnobody-has-this.so.0")
    assert not debian_tools.is_there(str(tmp_path / "nothing"))


@pytest.mark.parametrize(
    ("environment", "user_id", "apt_get", "expected"),
    [
        ({}, 0, "/usr/bin/apt-get", None),
        ({}, 1000, "/usr/bin/apt-get", "only root may install packages"),
        ({}, 0, None, "there is no apt-get"),
        ({"TAILROOM_TEST_TOOLS": "no"}, 0, "/usr/bin/apt-get", "TAILROOM_TEST_TOOLS is no"),
    ],
)
def test_where_nothing_can_be_installed_it_says_why(
    environment: dict[str, str], user_id: int, apt_get: str | None, expected: str | None
) -> None:
    assert debian_tools.obstacle(environment, user_id, apt_get) == expected


@pytest.mark.parametrize("works", [True, False])
def test_what_is_missing_is_asked_for_and_a_failure_does_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, works: bool
) -> None:
    asked = tmp_path / "asked"
    tools = " ".join(f'"{tmp_path / program}"' for program in debian_tools.PACKAGES)
    # Stands for Debian's own: it notes what it is asked for, and "installs" by making the programs.
    made = f'for tool in {tools}; do printf \'#!/bin/sh\\n\' > "$tool"; /bin/chmod +x "$tool"; done'
    place(tmp_path, "apt-get", f'echo "$@" >> "{asked}"\n{made if works else "exit 100"}')
    monkeypatch.setattr(debian_tools, "_PATH", str(tmp_path))
    monkeypatch.setattr(debian_tools, "missing_packages", lambda: _missing(str(tmp_path), _always))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.delenv(debian_tools.SWITCH, raising=False)
    assert debian_tools.main() == 0
    update, install = asked.read_text().splitlines()
    assert update.endswith("update")
    assert install.endswith(" ".join(["install -y --no-install-recommends", *debian_tools.PACKAGES.values()]))
    assert ("not installed: xfsprogs" in capsys.readouterr().out) is not works
    # Once everything is there, nobody is asked.
    if works:
        asked.unlink()
        assert debian_tools.main() == 0
        assert not asked.exists()


_missing = debian_tools.missing_packages


def _always(_name: str) -> bool:
    return True


def test_the_step_of_a_checkout_runs_and_is_left_out_the_second_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(debian_tools.SWITCH, "no")
    terminal = io.StringIO()
    for _ in range(2):
        checkout = Checkout(tmp_path)
        Builder(checkout, Console(terminal, live=False)).build(checkout.tool_steps())
    assert terminal.getvalue().count("ok tools for tests") == 1
    assert "unchanged" in terminal.getvalue()
