"""Result files as the command line reads them: what they hold, with what the command states of them.

A file that does not state its unit, its operation or its loop is asked about; the options answer.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from tailroom.cli.options import Loop, Unit
from tailroom.cli.run_addresses import files_of_run, is_address
from tailroom.domain.errors import DomainError
from tailroom.domain.verdicts.unknown_conditions import UNITS_NS
from tailroom.evidence.answers import Answers
from tailroom.importers.limits import DEFAULT_LIMITS
from tailroom.importers.metric_choice import MetricChoice
from tailroom.importers.opening import open_bytes, open_path
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.registry import runs_together
from tailroom.importers.source import Source

UNREADABLE = (DomainError, OSError, RecursionError, UnicodeError)
"""What reading a file may raise."""


class InputTooLong(DomainError):
    """More came from a pipe than is read at once."""


class NamesRepeat(DomainError):
    """Two files of one name, where each needs one of its own."""


_UNIT_NAMES = {Unit.NS: "ns", Unit.US: "µs", Unit.MS: "ms", Unit.S: "s"}


def answers_of(operation: str | None, loop: Loop | None, unit: Unit | None) -> Answers:
    """Return the answers of the command line for files that do not state them."""
    return Answers(None if unit is None else _UNIT_NAMES[unit], operation, loop and loop.value)


def answered(run: ParsedRun, operation: str | None, loop: Loop | None, unit: Unit | None) -> ParsedRun:
    """Return the run with these answers."""
    return answers_of(operation, loop, unit).applied([run])[0]


def runs_of(
    file: str, unit: Unit | None, metric: str | None = None, match: str | None = None
) -> list[ParsedRun]:
    """Return every run of the file, of those histograms that are meant. Raise for an unreadable file;
    problems inside are for `inspect`.
    """
    choice = MetricChoice.of(metric, match)
    sources = sources_of(file)
    for source in sources:
        source.stated_unit_ns = None if unit is None else UNITS_NS[_UNIT_NAMES[unit]]
        source.metric = choice
    return runs_together(sources)


def contents_of(subjects: Sequence[str]) -> dict[str, bytes]:
    """Return the contents of files and of runs at addresses, by file name. Raise NamesRepeat, RunUnreachable,
    OSError.
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
    if is_address(file):
        return [source for name, data in files_of_run(file).items() for source in open_bytes(name, data)]
    if file != "-":
        return open_path(Path(file), file)
    limit = DEFAULT_LIMITS.whole_bytes
    data = sys.stdin.buffer.read(limit + 1)
    if len(data) > limit:
        raise InputTooLong(f"more than {limit} bytes came from the pipe; write them to a file")
    return open_bytes("standard input", data)


def reason_of(error: BaseException) -> str:
    if isinstance(error, RecursionError):
        return "its brackets are nested too deeply"
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return str(error)
