"""Output and end of commands. File names may have characters that control the terminal: they are escaped."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from tailroom.kit.encodings import terminal_text
from tailroom.kit.exit_codes import ExitCode

if TYPE_CHECKING:
    from rich.table import Table

_WIDTH_OF_PIPES = 1_000
MEANINGS = {
    ExitCode.FINE: "fine",
    ExitCode.FAILED: "FAIL, a regression, or a pack that differs",
    ExitCode.UNUSABLE: "usage or input cannot be used",
    ExitCode.UNDECIDED: "undecided",
    ExitCode.NO_BASELINE: "no baseline yet",
    ExitCode.FAULT: "a fault of Tailroom, or of a server it needs",
}
"""Meanings of the exit codes."""


def echo(text: str, *, err: bool = False) -> None:
    """Print text; control and direction characters are shown as escapes. A closed pipe discards the rest."""
    try:
        typer.echo(terminal_text(text), err=err)
    except BrokenPipeError:
        discard_output()


def stop(message: str, code: ExitCode = ExitCode.UNUSABLE) -> NoReturn:
    """Print a message to standard error and end the command with this exit code."""
    echo(message, err=True)
    raise typer.Exit(int(code))


def print_table(table: "Table") -> None:
    """Print a table as wide as the terminal; without a terminal so wide that no row is broken."""
    from rich.console import Console

    console = Console()
    if not console.is_terminal:
        console = Console(width=_WIDTH_OF_PIPES)
    console.print(table)


def print_or_compare(text: str, check: Path | None, command: str, what_is: str) -> None:
    """Print a text, or end the command with 1 if the file `check` does not equal it.

    `command` writes the file; `what_is` is its content in words: `the API is`.
    """
    if check is None:
        typer.echo(text, nl=False)
    elif not check.is_file() or check.read_text() != text:
        typer.echo(f"{check} is not what {what_is}: write it with `tailroom {command} > {check}`", err=True)
        raise typer.Exit(1)
    else:
        typer.echo(f"{check} equals {what_is.rpartition(' ')[0]}")


def number_of(count: int, noun: str) -> str:
    """Return a count with its noun: `1 file`, `2 files`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def discard_output() -> None:
    """Redirect standard output to the null device, because the reader of the pipe has closed it."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123 - a device, not a file
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
