"""`tailroom completion SHELL`: the script that completes commands and options of `tailroom` in a shell."""

from enum import StrEnum
from typing import Annotated

import typer

from tailroom.cli.terminal import echo

COMPLETE_VARIABLE = "_TAILROOM_COMPLETE"
"""The script sets it when it asks for completions."""


class Shell(StrEnum):
    """Shells for which completion scripts exist."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def completion(
    shell: Annotated[Shell, typer.Argument(help="The shell that reads the script.")],
) -> None:
    """Print the script of a shell; bash reads it by `source <(tailroom completion bash)`."""
    from typer._completion_shared import get_completion_script

    echo(get_completion_script(prog_name="tailroom", complete_var=COMPLETE_VARIABLE, shell=shell.value))
