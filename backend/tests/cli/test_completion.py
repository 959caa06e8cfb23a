"""Completion in a shell: a real bash asks the real command."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = Path(sys.executable).parent / "tailroom"


def completions_of(line: str) -> list[str]:
    """Return what bash offers at the end of a line, by the script that the command prints."""
    script = f"""
source <({COMMAND} completion bash)
COMP_WORDS=({line}) COMP_CWORD={len(line.split()) - 1} COMP_LINE='{line}' COMP_POINT={len(line)}
[[ '{line}' == *' ' ]] && COMP_WORDS+=('') && COMP_CWORD=$((COMP_CWORD + 1))
_tailroom_completion tailroom
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    path = f"{COMMAND.parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, check=True, env=os.environ | {"PATH": path}
    )
    return done.stdout.split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("tailroom jud", "judge"),
        ("tailroom judge --obj", "--objective"),
        ("tailroom token ", "list"),
        ("tailroom completion z", "zsh"),
    ],
)
def test_bash_completes_commands_options_and_values(line: str, offered: str) -> None:
    assert offered in completions_of(line)


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_have_a_script(shell: str) -> None:
    printed = subprocess.run(
        [COMMAND, "completion", shell], capture_output=True, text=True, check=True
    ).stdout
    assert "_TAILROOM_COMPLETE" in printed
