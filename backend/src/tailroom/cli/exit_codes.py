"""Exit codes of every command, and the end of a command with a message."""

from enum import IntEnum
from typing import NoReturn

import typer


class ExitCode(IntEnum):
    """What the end of a command means; docs/usage.md has the same table."""

    FINE = 0
    FAILED = 1
    """A FAIL, a regression, or a pack that differs."""
    UNUSABLE = 2
    """The command or its input cannot be used."""
    UNDECIDED = 3
    NO_BASELINE = 4
    FAULT = 70
    """A fault of Tailroom itself, or of what it runs on."""


MEANINGS = {
    ExitCode.FINE: "fine",
    ExitCode.FAILED: "FAIL, a regression, or a pack that differs",
    ExitCode.UNUSABLE: "usage or input cannot be used",
    ExitCode.UNDECIDED: "undecided",
    ExitCode.NO_BASELINE: "no baseline yet",
    ExitCode.FAULT: "a fault of Tailroom, or of a server it needs",
}


def stop(message: str, code: ExitCode = ExitCode.UNUSABLE) -> NoReturn:
    """Print a message to standard error and end the command."""
    from tailroom.cli.terminal import echo

    echo(message, err=True)
    raise typer.Exit(int(code))
