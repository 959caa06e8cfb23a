"""Reading the files of an upload into rows, one file after the other, in a child process.

An importer that exceeds its time without checking the clock is ended with its process. Uncompressed contents
have hashes, to compare copies of a log.
"""

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Self

import msgspec

from tailroom.domain.errors import DomainError
from tailroom.importers.importer import Detection, FilesNotJoinable
from tailroom.importers.joining import joined_results
from tailroom.importers.limits import DEFAULT_LIMITS, Limits
from tailroom.importers.metric_choice import MetricChoice
from tailroom.importers.opening import open_path
from tailroom.importers.parsed_run import Problem, Severity
from tailroom.importers.registry import FileResult, read_together
from tailroom.importers.related_files import Outline, notes, outline
from tailroom.importers.source import Source, from_path
from tailroom.importers.unpacking import ReadingOverdue, ReadingTooLong, is_gzip, is_zstd
from tailroom.kit.child_process import ProcessTimedOut, run_in_child
from tailroom.kit.deadlines import Deadline, working_until
from tailroom.uploads.storable import StorableRun, problem_document, storable
from tailroom.uploads.texts import sentence

OVERTIME_S = 5.0
"""Seconds after the limit in which an importer can still end itself, which identifies the slow file."""
TOO_LONG = "{} takes longer to read than it may"


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """Whether the files are one run, and which production histograms are read."""

    join: bool = False
    """Whether the files are of several clients of one test, which make one run."""

    metric: str | None = None
    """Metric of production histograms to read; None: all metrics."""
    match: str | None = None
    """Conditions on the labels of these histograms; None: no condition."""

    @classmethod
    def from_stored(cls, stored: Mapping[str, Any]) -> Self:
        """Return the options in a document that `stored` returned; missing options have their default."""
        return msgspec.convert(stored, cls)

    def stored(self) -> dict[str, Any]:
        """Return the options as stored with an upload, without those that have their default."""
        return {name: value for name, value in asdict(self).items() if value}

    def choice(self) -> MetricChoice | None:
        """Return the choice of histograms; None: all. Raise MetricChoiceInvalid if `match` is invalid."""
        return MetricChoice.of(self.metric, self.match)

    def chosen(self) -> str:
        """Return the choice as text, empty for all. Raise MetricChoiceInvalid if `match` cannot be parsed."""
        choice = self.choice()
        return "" if choice is None else choice.text()

    def distinction(self) -> bytes:
        """Return bytes for the hash of an upload: the same files with other options are another upload."""
        return (b"joined" if self.join else b"") + self.chosen().encode()


def beginnings(path: Path, sizes: Sequence[int]) -> dict[int, bytes]:
    """Return the SHA-256 of the first bytes of a file, uncompressed, by each number of bytes in `sizes`.

    `sizes` ascend. Sizes beyond the end of the file, or of what can be unpacked, are left out.
    """
    hashes: dict[int, bytes] = {}
    remaining = list(sizes)
    digest, done = hashlib.sha256(), 0
    with suppress(DomainError):
        for chunk in from_path(path).unpacked():
            offset = 0
            while remaining and remaining[0] <= done + len(chunk):
                digest.update(chunk[offset : remaining[0] - done])
                offset = remaining[0] - done
                hashes[remaining.pop(0)] = digest.copy().digest()
            if not remaining:
                break
            digest.update(chunk[offset:])
            done += len(chunk)
    return hashes


def content_of(path: Path) -> tuple[int, bytes]:
    """Return size in bytes and SHA-256 of a file, uncompressed. Raise DomainError if unpacking is refused."""
    digest, size = hashlib.sha256(), 0
    for chunk in from_path(path).unpacked():
        digest.update(chunk)
        size += len(chunk)
    return size, digest.digest()


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file of an upload whose bytes are stored; `path` is a local copy."""

    name: str
    sha256: bytes
    size_bytes: int
    path: Path


@dataclass(slots=True, eq=False)
class ReadFile:
    """Result of a file or member. `refusal`: why nothing was read; `read_with`: the file with its run."""

    name: str
    stored: StoredFile
    member: str = ""
    detection: Detection | None = None
    refusal: str | None = None
    read_with: str | None = None
    problems: list[dict[str, Any]] = field(default_factory=list)
    runs: list[StorableRun] = field(default_factory=list)
    took_too_long: bool = False
    """Whether it was refused only because it takes too long."""
    is_joined: bool = False
    """Whether its run is the sum of those of several clients of a test."""
    outlines: list[Outline] = field(default_factory=list)
    """Outline of each run, to find parts of one test."""
    beside: tuple[bytes, ...] = ()
    """SHA-256 of the files that it was read with, sorted."""
    content: tuple[int, bytes] = (0, b"")
    """Size in bytes and SHA-256, uncompressed only for a file with runs that is no member of an archive."""
    beginnings: dict[int, bytes] = field(default_factory=dict)
    """SHA-256 of its first bytes, by their number, for the sizes of earlier files that it may continue."""


def read_apart(
    files: Sequence[StoredFile],
    limits: Limits,
    companions: Mapping[bytes, Sequence[StoredFile]],
    units_ns: Mapping[bytes, int],
    options: ReadingOptions,
) -> list[ReadFile]:
    """Return the results of `read_files`, run in a child process that also prepares the rows of their runs.

    All files are refused if it exceeds the limit by `OVERTIME_S`. Raise ProcessEnded if it ends otherwise.
    """
    within_s = limits.until_s - time.monotonic()
    read = partial(read_files, files, companions=companions, units_ns=units_ns, options=options)
    work = partial(_read_and_prepare, read, limits, within_s)
    try:
        return run_in_child(work, max(within_s, 0) + OVERTIME_S, [__name__])
    except ProcessTimedOut:
        return [
            ReadFile(
                sentence(file.name), file, refusal=TOO_LONG.format(sentence(file.name)), took_too_long=True
            )
            for file in files
        ]


def _read_and_prepare(read: Callable[..., list[ReadFile]], limits: Limits, within_s: float) -> list[ReadFile]:
    """Return the results of `read_files`, with the rows of their runs prepared; `within_s`: seconds left."""
    results = read(limits=replace(limits, until_s=time.monotonic() + within_s))
    for file in results:
        for run in file.runs:
            run.prepare()
    return results


def read_files(
    files: Sequence[StoredFile],
    limits: Limits = DEFAULT_LIMITS,
    companions: Mapping[bytes, Sequence[StoredFile]] | None = None,
    units_ns: Mapping[bytes, int] | None = None,
    options: ReadingOptions | None = None,
) -> list[ReadFile]:
    """Return the result of every file and archive member, in order, refusals included.

    `companions`: stored files to read with a file, by SHA-256 of that file. `units_ns`: answered units of
    latency in ns by SHA-256, for formats that do not state a unit. `options` None: the defaults.
    """
    options = options or ReadingOptions()
    choice = options.choice()
    opened: list[ReadFile] = []
    sources: list[Source] = []
    of_source: list[ReadFile] = []
    before: dict[int, list[Source]] = {}
    content: dict[Source, bytes] = {}
    for stored in files:
        try:
            in_file = open_path(stored.path, stored.name, limits)
        except DomainError as refusal:
            opened.append(ReadFile(stored.name, stored, refusal=sentence(str(refusal))))
            continue
        if not in_file:
            opened.append(ReadFile(stored.name, stored, refusal=f"{stored.name} is an archive without files"))
        for source in in_file:
            member = source.name.removeprefix(f"{stored.name}/") if source.packed is not None else ""
            file = ReadFile(sentence(source.name), stored, sentence(member))
            source.stated_unit_ns = (units_ns or {}).get(stored.sha256)
            source.metric = choice
            if not member:
                before[len(sources)] = list(
                    _open_companions((companions or {}).get(stored.sha256, ()), limits, content)
                )
            opened.append(file)
            of_source.append(file)
            sources.append(source)
    results: Iterable[FileResult] = read_together(sources, before)
    if options.join:
        # A sum without a file that cannot be opened would be wrong.
        closed = next((file.refusal for file in opened if file.refusal is not None), None)
        results = joined_results(list(results)) if closed is None else _refuse_all(list(results), closed)
    for file, result in zip(of_source, results, strict=True):
        file.is_joined = options.join
        _apply_result(file, result)
        file.beside = tuple(content[source] for source in result.from_before)
    _note_unjoined_runs(of_source)
    for file in of_source:
        parts = [part for part in of_source if part.read_with == file.name and part is not file]
        file.beside = tuple(sorted({*file.beside, *(part.stored.sha256 for part in parts)}))
        file.content = _uncompressed_content(file)
    return opened


def _refuse_all(results: Sequence[FileResult], why: str) -> list[FileResult]:
    refusal = FilesNotJoinable(f"the files of one test are read together, and one of them cannot be: {why}")
    return [replace(result, result=None, refusal=refusal) for result in results]


def _uncompressed_content(file: ReadFile) -> tuple[int, bytes]:
    """Return size in bytes and SHA-256 of a file with runs, uncompressed if it is gzip or zstd.

    For a file without runs, and a member of an archive, those of the stored file.
    """
    with file.stored.path.open("rb") as stream:
        first = stream.read(4)
    if file.member or not file.runs or not (is_gzip(first) or is_zstd(first)):
        return file.stored.size_bytes, file.stored.sha256
    return content_of(file.stored.path)


def _open_companions(
    companions: Sequence[StoredFile], limits: Limits, content: dict[Source, bytes]
) -> Iterator[Source]:
    """Yield the sources of companions that can be opened; store the SHA-256 of their files in `content`."""
    for stored in companions:
        try:
            sources = open_path(stored.path, stored.name, limits)
        except DomainError:
            # A companion that was read before may be refused now; the log is then read without it.
            continue
        for source in sources:
            content[source] = stored.sha256
            yield source


def _apply_result(file: ReadFile, result: FileResult) -> None:
    """Set the result of an importer in the file: its refusal, or its runs, with the problems of the file."""
    file.read_with = None if result.read_with is None else sentence(result.read_with)
    if result.result is None:
        file.refusal = sentence(str(result.refusal or "it could not be read"))
        file.took_too_long = isinstance(result.refusal, ReadingTooLong)
        file.problems = [problem_document(problem, file.name) for problem in result.source.problems]
        return
    file.detection = result.result.detection
    file_problems = [problem_document(problem, file.name) for problem in result.result.problems]
    try:
        with working_until(Deadline(result.source.limits.until_s, ReadingOverdue)):
            runs = [storable(run, file.name) for run in result.result.runs]
        file.runs, file.outlines = runs, [outline(file.name, run) for run in result.result.runs]
    except ReadingOverdue:
        file.refusal, file.took_too_long = sentence(TOO_LONG.format(file.name)), True
    except DomainError as refusal:
        file.refusal = sentence(str(refusal))
    for source in result.from_before:
        note = f"read with {source.name}, which came with an earlier copy of this file"
        file_problems.append(problem_document(Problem(note, None, Severity.NOTE), file.name))
    for run in file.runs:
        run_problems = run.values["problems"]
        run_problems.extend(problem for problem in file_problems if problem not in run_problems)
    file.problems = file_problems


def _note_unjoined_runs(files: Sequence[ReadFile]) -> None:
    """Append notes to the problems of the runs and files that look like parts of one test."""
    runs = [
        (file, run, outline_)
        for file in files
        for run, outline_ in zip(file.runs, file.outlines, strict=True)
    ]
    for (file, run, _), problems in zip(runs, notes([outline_ for _, _, outline_ in runs]), strict=True):
        documents = [problem_document(problem, file.name) for problem in problems]
        run.values["problems"].extend(documents)
        # A stored run is not replaced by an equal copy, so its file has the note too.
        file.problems.extend(document for document in documents if document not in file.problems)
