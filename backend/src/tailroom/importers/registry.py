"""The importer of a file, by its content, and the files that are read together.

Of the importers that recognise the beginning of a file, the most certain reads it; without any, the refusal
names the nearest format. To add a tool: a module with an object that satisfies `Importer`, and an entry in
the table of tools (`domain.tools`).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib import import_module

from tailroom.domain.errors import DomainError
from tailroom.domain.tools import TOOLS
from tailroom.importers.importer import (
    Certainty,
    Detection,
    FilesNotJoinable,
    FormatUnknown,
    Importer,
    SourceEmpty,
)
from tailroom.importers.nearest import unknown_text
from tailroom.importers.parsed_run import Claim, ParsedRun, Problem, Severity
from tailroom.importers.source import HEAD_BYTES, Head, Source
from tailroom.importers.unpacking import ReadingOverdue, ReadingTooLong
from tailroom.importers.writing import is_manual, is_written
from tailroom.kit.deadlines import Deadline, working_until


def _importer(path: str) -> Importer:
    """Return the importer at a path such as `act.importer:ACT` below this package."""
    module, _, name = path.partition(":")
    instance: Importer = getattr(import_module(f"tailroom.importers.{module}"), name)
    return instance


IMPORTERS: tuple[Importer, ...] = tuple(_importer(tool.importer) for tool in TOOLS)
"""Importers in the order of the table of tools."""


@dataclass(frozen=True, slots=True, eq=False)
class ReadResult:
    """Content of one file. `runs` is empty for a companion or part that was read with another file."""

    detection: Detection
    runs: tuple[ParsedRun, ...]
    problems: tuple[Problem, ...]
    """The errors in the bytes; problems of the content are in the runs."""


@dataclass(frozen=True, slots=True, eq=False)
class FileResult:
    """The result of one file of several: its content, or the refusal."""

    name: str
    source: Source
    importer: Importer | None = None
    result: ReadResult | None = None
    refusal: DomainError | None = None
    read_with: str | None = None
    """For companions and parts: the name of the file with which they were read; None for other files."""
    from_before: tuple[Source, ...] = ()
    """Companions and parts of earlier uploads with which it was read."""


def detect(source: Source) -> tuple[Detection, Importer]:
    """Return the most certain detection of a file's format, and its importer.

    If the beginning of a long file matches none, a certain detection of its end decides, which becomes its
    `head`. Set `is_binary` of the source, and note text that copying added. Raise SourceEmpty without bytes,
    FormatUnknown if no importer recognises the file or it is a text about a tool.
    """
    head = source.head
    if not head.data:
        why = "; ".join(problem.reason for problem in source.problems)
        raise SourceEmpty(f"{source.name} is empty" + (f": {why}" if why else ""))
    detections = _detections(head)
    if not detections and len(head.data) >= HEAD_BYTES:
        # Results are at the end of long output: debug lines, progress, messages of a database.
        detections = [pair for pair in _detections(source.tail) if pair[0].certainty is Certainty.CERTAIN]
        if detections:
            source.head = source.tail
    if not detections:
        raise FormatUnknown(unknown_text(source.name, head))
    # Of equally certain detections `max` takes the first in the order of `domain/tools`.
    detection, importer = max(detections, key=lambda pair: pair[0].certainty)
    if not detection.companion and _is_example(source, importer):
        raise FormatUnknown(
            f"{source.name}: format not recognised; it is a text or program about {detection.tool}, "
            "not its output: send what the tool printed"
        )
    source.is_binary = detection.is_binary
    _note_other_tools(source, detection, detections)
    if source.copied:
        source.note(f"copied output; taken out: {', '.join(source.copied)}", None, Severity.NOTE)
    return detection, importer


def _note_other_tools(
    source: Source, chosen: Detection, detections: Sequence[tuple[Detection, Importer]]
) -> None:
    """Note of which other tools the file holds output, which the importer of `chosen` may not read."""
    others = {
        each.tool
        for each, _ in detections
        if each.certainty is Certainty.CERTAIN and not each.companion and each.tool != chosen.tool
    }
    # Output of wrk2 and nosqlbench contains tables and logs of HdrHistogram.
    others.discard("hdrhistogram")
    if others and not chosen.companion:
        names = ", ".join(sorted(others))
        source.note(f"read as output of {chosen.tool} alone; send that of {names} as a file of its own")


def _is_example(source: Source, importer: Importer) -> bool:
    """Return whether the output is only an example in a manual, a post or a program."""
    if not is_written(source.head.text):
        return False
    fenced = Head(source.name, source.layers.fenced)
    if not fenced.data or importer.detect(fenced) is None:
        return True
    return is_manual(source.head.text, fenced.text)


def _detections(head: Head) -> list[tuple[Detection, Importer]]:
    return [
        (detection, importer) for importer in IMPORTERS if (detection := importer.detect(head)) is not None
    ]


def read(source: Source, beside: Sequence[Source] = ()) -> ReadResult:
    """Return the runs of a file with its companions. Raise DomainError, mostly SourceUnreadable."""
    detection, importer = detect(source)
    return ReadResult(detection, _parse(importer, source, beside), source.problems)


def _parse(importer: Importer, source: Source, beside: Sequence[Source]) -> tuple[ParsedRun, ...]:
    """Return the runs of a file, with line numbers of the stored file, not of the cleaned text."""
    runs = importer.parse(source, beside)
    if source.layers.is_renumbered:
        return tuple(_with_file_lines(run, source.name, source.layers.original_line) for run in runs)
    return tuple(runs)


def _with_file_lines(run: ParsedRun, name: str, original_line: Callable[[int], int]) -> ParsedRun:
    """Return the run with lines of the original file; problems of files other than `name` stay."""

    def placed(line: int | None) -> int | None:
        return None if line is None else original_line(line)

    def problem(each: Problem) -> Problem:
        return each if each.file not in (None, name) else replace(each, line=placed(each.line))

    def claims(numbered: Sequence[Claim]) -> tuple[Claim, ...]:
        return tuple(replace(claim, line=placed(claim.line)) for claim in numbered)

    return replace(
        run,
        problems=tuple(map(problem, run.problems)),
        claims=claims(run.claims),
        series=tuple(replace(series, printed=claims(series.printed)) for series in run.series),
    )


def runs_together(sources: Sequence[Source]) -> list[ParsedRun]:
    """Return the runs of files in order. Raise the first refusal if no file has a run."""
    results = list(read_together(sources))
    runs = [run for each in results if each.result is not None for run in each.result.runs]
    refusals = [each.refusal for each in results if each.refusal is not None]
    if refusals and not runs:
        raise refusals[0]
    return runs


def read_together(
    sources: Sequence[Source], remembered: Mapping[int, Sequence[Source]] | None = None
) -> Iterator[FileResult]:
    """Yield the result of each of several files in order; refusals are results, too.

    Companions and parts are read with their file: a companion belongs to the files of its tool with its stem,
    or to the only file of its tool. `remembered` are companions and parts of earlier uploads by position of
    the source, which are read if no companion, or no copy of the part, came now.
    """
    seen: list[tuple[Detection, Importer] | DomainError] = []
    for source in sources:
        try:
            seen.append(detect(source))
        except DomainError as refusal:
            seen.append(refusal)
    plan = _ReadingPlan(sources, seen, remembered or {})
    for position in range(len(sources)):
        yield plan.read(position)


def refuse_same_content(sources: Sequence[Source]) -> None:
    """Raise FilesNotJoinable if two files have the same bytes unpacked."""
    alike = Counter(source.head.data for source in sources)
    files: dict[bytes, str] = {}
    for source in sources:
        if alike[source.head.data] > 1:
            digest = sha256()
            for chunk in source.unpacked():
                digest.update(chunk)
            if (other := files.get(digest.digest())) is not None:
                raise FilesNotJoinable(
                    f"{source.name} has the same content as {other}: it is a copy, whose operations would "
                    "count twice; leave it out"
                )
            files[digest.digest()] = source.name


class _ReadingPlan:
    """Which files are read together, by their positions: a file with its further parts (such as the logs of
    other threads) and its companions (such as a configuration), also those of earlier uploads.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        seen: Sequence[tuple[Detection, Importer] | DomainError],
        remembered: Mapping[int, Sequence[Source]],
    ) -> None:
        self._sources, self._seen = sources, seen
        self._detected = {
            position: detected
            for position, detected in enumerate(seen)
            if not isinstance(detected, DomainError)
        }
        self._from_before = dict[int, list[Source]]()
        self._read_with: dict[int, int] = {}
        first_of_group: dict[tuple[str, str], int] = {}
        for position, (detection, importer) in self._detected.items():
            if detection.companion or detection.group is None:
                continue
            first = first_of_group.setdefault((importer.name, detection.group), position)
            if first != position:
                self._read_with[position] = first
        mains = [
            position
            for position, (detection, _) in self._detected.items()
            if not detection.companion and position not in self._read_with
        ]
        self._beside: dict[int, list[int]] = {position: [] for position in mains}
        for position, main in self._read_with.items():
            self._beside[main].append(position)
        for position, (detection, importer) in self._detected.items():
            for main in self._owners(position, importer, mains) if detection.companion else ():
                self._beside[main].append(position)
                self._read_with.setdefault(position, main)
        for main in mains:
            earlier = remembered.get(main, ())
            self._from_before[main] = self._missing_parts(main, earlier)
            if not any(self._detected[position][0].companion for position in self._beside[main]):
                self._from_before[main] += self._earlier_companions(main, earlier)

    def _missing_parts(self, main: int, remembered: Sequence[Source]) -> list[Source]:
        """Return the parts of the same run from earlier uploads, without those whose name came again now."""
        detection, importer = self._detected[main]
        if detection.group is None:
            return []
        here = {self._sources[position].base_name for position in (main, *self._beside[main])}
        return [
            part
            for part in remembered
            if part.base_name not in here and _group_of(part) == (importer.name, detection.group)
        ]

    def _earlier_companions(self, main: int, remembered: Sequence[Source]) -> list[Source]:
        """Return earlier uploads' companions with the main file's stem, else the only companion or none."""
        companions = [source for source in remembered if _is_companion_of(source, self._detected[main][1])]
        same_stem = [source for source in companions if source.stem == self._sources[main].stem]
        return same_stem or (companions if len(companions) == 1 else [])

    def _owners(self, companion: int, importer: Importer, mains: Sequence[int]) -> list[int]:
        """Return the positions of the importer's files with the companion's stem, else of its only file."""
        same_tool = [main for main in mains if self._detected[main][1] is importer]
        stem = self._sources[companion].stem
        same_stem = [main for main in same_tool if self._sources[main].stem == stem]
        return same_stem or (same_tool if len(same_tool) == 1 else [])

    def read(self, position: int) -> FileResult:
        """Return the result of a file; errors about it become its refusal. Companions have no runs."""
        source, detected = self._sources[position], self._seen[position]
        if isinstance(detected, DomainError):
            return FileResult(source.name, source, refusal=detected)
        detection, importer = detected
        if position in self._read_with or detection.companion:
            main = self._read_with.get(position)
            no_runs = ReadResult(detection, (), source.problems)
            read_with = None if main is None else self._sources[main].name
            return FileResult(source.name, source, importer, no_runs, read_with=read_with)
        before = self._from_before[position]
        beside = [*(self._sources[index] for index in self._beside[position]), *before]
        try:
            if detection.group is not None:
                refuse_same_content([source, *beside])
            with working_until(Deadline(source.limits.until_s, ReadingOverdue)):
                runs = _parse(importer, source, beside)
        except ReadingOverdue:
            overdue = ReadingTooLong(f"{source.name} takes longer to read than it may")
            return FileResult(source.name, source, importer, refusal=overdue)
        except DomainError as refusal:
            return FileResult(source.name, source, importer, refusal=refusal)
        result = ReadResult(detection, runs, source.problems)
        return FileResult(source.name, source, importer, result, from_before=tuple(before))


def _group_of(source: Source) -> tuple[str, str] | None:
    """Return importer and group of a part; None for companions, unknown formats and without a group."""
    try:
        detection, importer = detect(source)
    except DomainError:
        return None
    return None if detection.companion or detection.group is None else (importer.name, detection.group)


def _is_companion_of(source: Source, importer: Importer) -> bool:
    try:
        detection, own = detect(source)
    except DomainError:
        return False
    return detection.companion and own is importer
