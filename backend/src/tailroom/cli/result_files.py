"""Result files as the command line reads them, with unit, operation and loop from its options."""

import sys
from collections.abc import Sequence
from pathlib import Path

from tailroom.cli.options import DisplayUnit, Loop
from tailroom.cli.progress import counted
from tailroom.cli.run_addresses import files_of_run, is_address
from tailroom.domain.errors import DomainError
from tailroom.domain.verdicts.unknown_conditions import OTHER_NAMES
from tailroom.evidence.answers import Answers
from tailroom.importers.joining import joined_files
from tailroom.importers.limits import DEFAULT_LIMITS
from tailroom.importers.metric_choice import MetricChoice
from tailroom.importers.opening import open_bytes, open_path
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.registry import read_together, runs_together
from tailroom.importers.source import Source

UNREADABLE = (DomainError, OSError, RecursionError, UnicodeError)
"""Exceptions that reading a file may raise."""


class InputTooLong(DomainError):
    """Standard input exceeds the number of bytes that is read at once."""


class FilesApart(DomainError):
    """Several files were named without `--join`, so they may belong to different tests."""


class NamesRepeat(DomainError):
    """A file is named twice, or two files have the same name."""


class NoMetrics(DomainError):
    """A metric was chosen, and the file is not from Prometheus or OpenTelemetry."""


_NAMES_SHOWN = 3


def answers_of(operation: str | None, loop: Loop | None, unit: DisplayUnit | None) -> Answers:
    """Return the options about a file as answers to the facts that it does not state; None for no answer."""
    return Answers(unit and OTHER_NAMES.get(unit, unit.value), operation, loop and loop.value)


def with_answers(
    run: ParsedRun, operation: str | None, loop: Loop | None, unit: DisplayUnit | None
) -> ParsedRun:
    """Return the run with the facts of these options that its file does not state."""
    return answers_of(operation, loop, unit).apply(run)


def runs_of(file: str, unit: DisplayUnit | None) -> list[ParsedRun]:
    """Return every run of a file, an address or standard input (`-`). Raise one of UNREADABLE if that fails.

    `unit`: unit of latencies in a file that does not state it.
    """
    return runs_of_files([file], unit)


def runs_of_files(
    files: Sequence[str],
    unit: DisplayUnit | None,
    choice: MetricChoice | None = None,
    *,
    join: bool = False,
) -> list[ParsedRun]:
    """Return every run of a file, or with `join` a single run that sums the files of several clients.

    `unit`: unit of latencies in files that do not state it; `choice`: histograms to read of a production
    system's file. Raise FilesApart for several files without `join`, NamesRepeat for a file named twice,
    NoMetrics for a metric of another kind of file; another of UNREADABLE if a file cannot be read.
    """
    if len(files) > 1 and not join:
        raise FilesApart(
            "several files are judged as one test only with --join; judge each by itself, or compare them"
        )
    twice = next((file for at, file in enumerate(files) if file in files[:at]), None)
    if twice is not None:
        raise NamesRepeat(f"{twice} is named twice; its operations would count twice")
    sources = [source for file in files for source in sources_of(file)]
    for source in sources:
        source.stated_unit_ns = answers_of(None, None, unit).unit_ns
        source.metric = choice
    runs = [joined_files(list(read_together(sources)))] if join else runs_together(sources)
    other_run = next((run for run in runs if choice is not None and "metric" not in run.parameters), None)
    if other_run is not None:
        raise NoMetrics(
            f"--metric and --match choose among the histograms of Prometheus and OpenTelemetry; this is a "
            f"result of {other_run.tool}"
        )
    return runs


def name_of(files: Sequence[str]) -> str:
    """Return a name for files in an answer: the file, or their number and the first three names."""
    if len(files) == 1:
        return files[0]
    more = len(files) - _NAMES_SHOWN
    shown = ", ".join(files[:_NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "")
    return f"{len(files)} files ({shown})"


def contents_of(subjects: Sequence[str]) -> dict[str, bytes]:
    """Return the contents of files and of runs at addresses, by file name.

    Raise NamesRepeat if two have the same file name, RunUnreachable if an address gives no file, OSError if a
    file cannot be read.
    """
    contents: dict[str, bytes] = {}
    for subject in subjects:
        files = (
            files_of_run(subject) if is_address(subject) else {Path(subject).name: Path(subject).read_bytes()}
        )
        twice = next((name for name in files if name in contents), None)
        if twice is not None:
            raise NamesRepeat(f"two of the files are called {twice}; each needs a name of its own")
        contents |= files
    return contents


def sources_of(file: str) -> list[Source]:
    """Return the sources of a file, of the run at an address, or of standard input (`-`).

    Raise InputTooLong for too much standard input, RunUnreachable, or an error of a file that cannot be
    opened.
    """
    if is_address(file):
        return [source for name, data in files_of_run(file).items() for source in open_bytes(name, data)]
    if file != "-":
        return [with_progress(source) for source in open_path(Path(file), file)]
    limit = DEFAULT_LIMITS.whole_bytes
    data = sys.stdin.buffer.read(limit + 1)
    if len(data) > limit:
        raise InputTooLong(f"more than {limit} bytes came from the pipe; write them to a file")
    return open_bytes("standard input", data)


def with_progress(source: Source) -> Source:
    """Make a source of known size show progress while it is read; return the same source."""
    opener, size_bytes = source.opener, source.stored_bytes
    if size_bytes is not None:
        source.opener = lambda: counted(opener(), f"reading {source.base_name}", size_bytes)
    return source


def reason_of(error: BaseException) -> str:
    """Return why a file could not be read, as text."""
    if isinstance(error, RecursionError):
        return "its brackets are nested too deeply"
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return str(error)


def reason_about(file: str, error: BaseException) -> str:
    """Return why a file could not be read, for a sentence that has its name already."""
    reason = reason_of(error).removeprefix(f"{file}: ")
    return f"it{reason.removeprefix(file)}" if reason.startswith(f"{file} ") else reason
