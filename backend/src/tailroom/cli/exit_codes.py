"""Meanings of the exit codes, and a function that ends a command with a message."""

from typing import NoReturn

import typer

from tailroom.kit.exit_codes import ExitCode

MEANINGS = {
    ExitCode.FINE: "fine",
    ExitCode.FAILED: "FAIL, a regression, or a pack that differs",
    ExitCode.UNUSABLE: "usage or input cannot be used",
    ExitCode.UNDECIDED: "undecided",
    ExitCode.NO_BASELINE: "no baseline yet",
    ExitCode.FAULT: "a fault of Tailroom, or of a server it needs",
}


def stop(message: str, code: ExitCode = ExitCode.UNUSABLE) -> NoReturn:
    """Print a message to standard error and end the command with this exit code."""
    from tailroom.cli.terminal import echo

    echo(message, err=True)
    raise typer.Exit(int(code))
