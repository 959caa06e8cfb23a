"""The first file that runs: a sentence for old interpreters, and readable by them."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from backend.tooling import bootstrap

SOURCE = Path(bootstrap.__file__)
TOOLING = ["bootstrap", "build", "checkout", "documents", "prerequisites", "runners", "side_by_side"]
STANDARD_LIBRARY_ONLY = [*(f"backend.tooling.{name}" for name in TOOLING), "tailroom.embedded.console"]


def test_an_old_interpreter_is_answered_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    assert bootstrap.main() == 2
    assert "Tailroom needs Python 3.11 or newer and this is 3.9: install" in capsys.readouterr().err


def test_an_old_interpreter_can_read_the_file() -> None:
    assert ast.parse(SOURCE.read_text(), feature_version=(3, 4)).body


@pytest.mark.parametrize("name", STANDARD_LIBRARY_ONLY)
def test_before_anything_is_installed_the_standard_library_suffices(name: str) -> None:
    root = SOURCE.parents[2]
    program = f"import sys; sys.path[:0] = [{str(root)!r}, {str(root / 'backend' / 'src')!r}]; import {name}"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_an_unknown_command_is_refused() -> None:
    result = subprocess.run(
        [sys.executable, str(SOURCE), "dance"], capture_output=True, text=True, check=False
    )
    assert result.returncode == 2
    assert "invalid choice: 'dance'" in result.stderr
