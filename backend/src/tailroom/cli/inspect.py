"""`tailroom inspect FILE…`: what result files are, what was read of them, what is wrong; without a server."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tailroom.cli.terminal import discard_output, echo
from tailroom.kit.exit_codes import ExitCode

if TYPE_CHECKING:
    from tailroom.importers.inspection import InspectionResult

SLICE_MAX_S = 366 * 86_400
_FREED_MIB = 128
"""Freed memory that stays in the process, because the next mebibyte of text needs as much again."""
LIMIT_MAX_MS = 86_400_000.0


def inspect(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE…", help="result files, and their configurations")
    ],
    slice_s: Annotated[
        int,
        typer.Option(
            "--slice",
            min=1,
            max=SLICE_MAX_S,
            metavar="SECONDS",
            help="length of the slices of shares over limits, which --verbose and --json show",
        ),
    ] = 3600,
    threshold_ms: Annotated[
        list[float] | None,
        typer.Option(
            "--threshold",
            metavar="MS",
            help="limit of such shares in ms; may be repeated; otherwise 1, 8 and 64",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object a line, for each file")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="everything that was read")] = False,
) -> None:
    """Read result files of benchmark tools and print what is in them.

    Exit with 0 if every file was read, with 2 if one could not be, with 70 if Tailroom itself failed.
    """
    from tailroom.cli.result_files import with_progress
    from tailroom.importers.inspection import InspectionResult, inspect_paths
    from tailroom.kit.memory import retain_freed_memory

    retain_freed_memory(_FREED_MIB)

    limits_ms = threshold_ms or [1.0, 8.0, 64.0]
    if not all(1e-6 <= limit_ms <= LIMIT_MAX_MS for limit_ms in limits_ms):
        raise typer.BadParameter(
            "a limit must be longer than 0 ms and at most a day", param_hint="--threshold"
        )
    thresholds_ns = tuple(sorted({round(limit_ms * 1_000_000) for limit_ms in limits_ms}))
    unreadable = False

    def noting_refusals() -> Iterator[InspectionResult]:
        nonlocal unreadable
        for file in inspect_paths(
            [Path(name) for name in files], files, slice_s, thresholds_ns, with_progress
        ):
            unreadable = unreadable or file.refusal is not None
            yield file

    try:
        for text in _texts(noting_refusals(), as_json=as_json, verbose=verbose):
            sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the pipe has closed it; the interpreter must not fail on a final flush.
        discard_output()
    except Exception as error:
        if isinstance(error, OSError) and error.filename is None:
            raise  # what is printed cannot be written
        # A file must never end in a traceback: such an error is a bug of Tailroom and is reported as such.
        echo(f"Tailroom itself failed here ({type(error).__name__}: {error}); please report it.", err=True)
        raise typer.Exit(int(ExitCode.FAULT)) from error
    raise typer.Exit(int(ExitCode.UNUSABLE if unreadable else ExitCode.FINE))


def _texts(files: "Iterator[InspectionResult]", *, as_json: bool, verbose: bool) -> Iterator[str]:
    from tailroom.cli.inspection_text import text_lines
    from tailroom.importers.inspection_json import json_lines

    if as_json:
        return json_lines(file.document for file in files)
    return (f"{line}\n" for line in text_lines(files, verbose=verbose))
