"""Completion in a shell: a real bash asks the real command."""

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tailroom.cli.main import run

COMMAND = Path(sys.executable).parent / "tailroom"


def completions_of(lines: Iterable[str]) -> list[list[str]]:
    """Return what bash offers at the end of each line, by the script that the command prints."""
    script = f"source <({COMMAND} completion bash)\n"
    for line in lines:
        script += f"""
COMP_WORDS=({line}) COMP_CWORD={len(line.split()) - 1} COMP_LINE='{line}' COMP_POINT={len(line)}
[[ '{line}' == *' ' ]] && COMP_WORDS+=('') && COMP_CWORD=$((COMP_CWORD + 1))
_tailroom_completion tailroom
echo "${{COMPREPLY[@]}}"
"""
    path = f"{COMMAND.parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, check=True, env=os.environ | {"PATH": path}
    )
    return [printed.split() for printed in done.stdout.splitlines()]


def test_bash_completes_commands_options_and_values() -> None:
    offered = {
        "tailroom jud": "judge",
        "tailroom judge --obj": "--objective",
        "tailroom token ": "list",
        "tailroom completion z": "zsh",
    }
    for each, found in zip(offered.values(), completions_of(offered), strict=True):
        assert each in found


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_have_a_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", shell]) == 0
    assert "_TAILROOM_COMPLETE" in capsys.readouterr().out
