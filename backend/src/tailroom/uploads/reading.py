"""How the files of an upload are read: opened, unpacked, recognised, turned into rows, one after the other.

Pure but for reading the files, in a process of its own: an importer that is past its time and does not look
at the clock is ended. What was read of one file is let go before the next one is read; what stays is
as small as what is stored.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from tailroom.domain.errors import DomainError
from tailroom.importers.importer import Detection
from tailroom.importers.kinship import Outline, notes, outline
from tailroom.importers.limits import DEFAULT_LIMITS, Limits
from tailroom.importers.opening import open_path
from tailroom.importers.parsed_run import Problem, Severity
from tailroom.importers.registry import FileResult, read_together
from tailroom.importers.source import Source
from tailroom.importers.unpacking import ReadingOverdue, ReadingTooLong, is_gzip, is_zstd
from tailroom.kit.apart import run_apart
from tailroom.kit.deadlines import Deadline, working_until
from tailroom.kit.forks import TimeOver
from tailroom.uploads.kept_content import content_of
from tailroom.uploads.storable import StorableRun, problem_document, storable
from tailroom.uploads.texts import sentence

OVERTIME_S = 5.0
"""After its time an importer is ended from inside, which says which of several files takes so long; what is
still at work after this is ended from outside.
"""
TOO_LONG = "{} takes longer to read than it may"


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file of an upload whose bytes are kept."""

    name: str
    sha256: bytes
    size_bytes: int
    path: Path


@dataclass(slots=True, eq=False)
class ReadFile:
    """What was made of a file, or of one member of an archive."""

    name: str
    kept: KeptFile
    member: str = ""
    detection: Detection | None = None
    refusal: str | None = None
    read_with: str | None = None
    problems: list[dict[str, Any]] = field(default_factory=list)
    runs: list[StorableRun] = field(default_factory=list)
    took_too_long: bool = False
    """Refused only because of the time that it takes."""
    outlines: list[Outline] = field(default_factory=list)
    """Of each run."""
    beside: tuple[bytes, ...] = ()
    """Contents of the files that were read with it, sorted."""
    content: tuple[int, bytes] = (0, b"")
    """Size and SHA-256 below its packing; of a member of an archive those of the archive."""
    beginnings: dict[int, bytes] = field(default_factory=dict)
    """SHA-256 of its first so many bytes, for the sizes of earlier files that it may be a longer copy of."""


def read_apart(
    files: Sequence[KeptFile],
    limits: Limits,
    companions: Mapping[bytes, Sequence[KeptFile]],
    units_ns: Mapping[bytes, int],
) -> list[ReadFile]:
    """Return what `read_files` returns, with the rows made. Files of which none is read when the time of the
    limits is over are refused for it. Raise ProcessEnded.
    """
    work = partial(_prepared, files, limits, companions, units_ns)
    try:
        return run_apart(work, limits.until_s - time.monotonic() + OVERTIME_S, [__name__])
    except TimeOver:
        return [
            ReadFile(sentence(one.name), one, refusal=TOO_LONG.format(sentence(one.name)), took_too_long=True)
            for one in files
        ]


def _prepared(
    files: Sequence[KeptFile],
    limits: Limits,
    companions: Mapping[bytes, Sequence[KeptFile]],
    units_ns: Mapping[bytes, int],
) -> list[ReadFile]:
    read = read_files(files, limits, companions, units_ns)
    for one in read:
        for run in one.runs:
            run.prepare()
    return read


def read_files(
    files: Sequence[KeptFile],
    limits: Limits = DEFAULT_LIMITS,
    companions: Mapping[bytes, Sequence[KeptFile]] | None = None,
    units_ns: Mapping[bytes, int] | None = None,
) -> list[ReadFile]:
    """Every file in order. Nothing raises: refusals are results, in the words of the importers.

    `companions` are files that came earlier with a shorter copy of a file, by the content of that file.
    `units_ns` are units that somebody has answered, by content, for formats that do not state one.
    """
    opened: list[ReadFile] = []
    sources: list[Source] = []
    of_source: list[ReadFile] = []
    before: dict[int, list[Source]] = {}
    content: dict[Source, bytes] = {}
    for kept in files:
        try:
            found = open_path(kept.path, kept.name, limits)
        except DomainError as refusal:
            opened.append(ReadFile(kept.name, kept, refusal=sentence(str(refusal))))
            continue
        if not found:
            opened.append(ReadFile(kept.name, kept, refusal=f"{kept.name} is an archive without files"))
        for source in found:
            member = source.name.removeprefix(f"{kept.name}/") if source.packed is not None else ""
            one = ReadFile(sentence(source.name), kept, sentence(member))
            source.stated_unit_ns = (units_ns or {}).get(kept.sha256)
            if not member:
                before[len(sources)] = list(_opened((companions or {}).get(kept.sha256, ()), limits, content))
            opened.append(one)
            of_source.append(one)
            sources.append(source)
    for one, result in zip(of_source, read_together(sources, before), strict=True):
        _take(one, result)
        one.beside = tuple(content[source] for source in result.from_before)
    _say_what_was_not_joined(of_source)
    for one in of_source:
        parts = [other for other in of_source if other.read_with == one.name and other is not one]
        one.beside = tuple(sorted({*one.beside, *(part.kept.sha256 for part in parts)}))
        one.content = _content(one)
    return opened


def _content(one: ReadFile) -> tuple[int, bytes]:
    with one.kept.path.open("rb") as stream:
        first = stream.read(4)
    if one.member or not one.runs or not (is_gzip(first) or is_zstd(first)):
        return one.kept.size_bytes, one.kept.sha256
    return content_of(one.kept.path)


def _opened(companions: Sequence[KeptFile], limits: Limits, content: dict[Source, bytes]) -> Iterator[Source]:
    """Sources of companions; notes of each the content that it is, or is packed in."""
    for kept in companions:
        try:
            found = open_path(kept.path, kept.name, limits)
        except DomainError:
            # It was read once, with the shorter copy; a later version that refuses it reads the log alone.
            continue
        for source in found:
            content[source] = kept.sha256
            yield source


def _take(one: ReadFile, result: FileResult) -> None:
    one.read_with = None if result.read_with is None else sentence(result.read_with)
    if result.result is None:
        one.refusal = sentence(str(result.refusal or "it could not be read"))
        one.took_too_long = isinstance(result.refusal, ReadingTooLong)
        one.problems = [problem_document(problem, one.name) for problem in result.source.problems]
        return
    one.detection = result.result.detection
    bytes_wrong = [problem_document(problem, one.name) for problem in result.result.problems]
    try:
        with working_until(Deadline(result.source.limits.until_s, ReadingOverdue)):
            runs = [storable(run, one.name) for run in result.result.runs]
        one.runs, one.outlines = runs, [outline(one.name, run) for run in result.result.runs]
    except ReadingOverdue:
        one.refusal, one.took_too_long = sentence(TOO_LONG.format(one.name)), True
    except DomainError as refusal:
        one.refusal = sentence(str(refusal))
    for source in result.from_before:
        note = f"read with {source.name}, which came with an earlier copy of this file"
        bytes_wrong.append(problem_document(Problem(note, None, Severity.NOTE), one.name))
    for run in one.runs:
        known = run.values["problems"]
        known.extend(problem for problem in bytes_wrong if problem not in known)
    one.problems = bytes_wrong


def _say_what_was_not_joined(files: Sequence[ReadFile]) -> None:
    runs = [(one, run, found) for one in files for run, found in zip(one.runs, one.outlines, strict=True)]
    for (one, run, _), said in zip(runs, notes([found for _, _, found in runs]), strict=True):
        documents = [problem_document(problem, one.name) for problem in said]
        run.values["problems"].extend(documents)
        # A run that is on record already is not read again; then only its file can say so.
        one.problems.extend(document for document in documents if document not in one.problems)
