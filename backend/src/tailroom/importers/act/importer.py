"""The importer of ACT logs, and of the configurations that they were made with.

A log is read line by line: the head before the first block, then block after block. A banner begins another
run, and so do falling counts; the next run has the head of the previous run. Blocks are read a mebibyte of
text at a time, and the last block, which may be incomplete, waits for the next.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tailroom.domain.latency.layouts import Pow2Layout
from tailroom.domain.units import NS_PER_MS
from tailroom.importers.act.configuration import (
    Configuration,
    Value,
    is_config_file,
    read_config_file,
    read_head,
    with_config_file,
)
from tailroom.importers.act.counters import Counters
from tailroom.importers.act.events import NOT_STARTED, Events
from tailroom.importers.act.generations import BANNER, BLOCK_START, ActLogGeneration
from tailroom.importers.act.runs import Numbering, RunInProgress, parsed_run
from tailroom.importers.act.scanner import Blocks, label_of, scan
from tailroom.importers.importer import Certainty, ContentUnreadable, Detection
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.problems import Problems
from tailroom.importers.source import Block, Head, Source, line_count

RUNS_MAX = 100
SERIES_MAX = 1024

_HEAD_BYTES_MAX = 1 << 20
_CARRY_BYTES_MAX = 8 << 20
_HEAD_EVENTS = (b"ERROR", b"drive(s)", b"ACT can't", b"Signal", b"SIG", *NOT_STARTED)
_TOTAL = re.compile(rb"^\S[^\n]{0,200} \(\d+ total\)\r?$", re.MULTILINE)


class ActTooManyRuns(ContentUnreadable):
    """The file has more than 100 starts of a test."""


class ActTooManyHistograms(ContentUnreadable):
    """The file has more than 1,024 names of histograms."""


def _read_runs(source: Source, config_files: Sequence[Source]) -> list[ParsedRun]:
    """Return every run of a log in order, at least one; configurations of the same run complete its head."""
    configs = {config_file.name: read_config_file(config_file) for config_file in config_files}
    runs: list[ParsedRun] = []
    head = _Head(source.name, configs)
    blocks: _BlockReader | None = None
    cut = False
    for part, begins_run in _parts(source):
        if begins_run and head.has_banner:
            runs.extend((blocks or head.block_reader()).finish(cut=False))
            head, blocks = _Head(source.name, configs), None
        cut = not part.data.endswith(b"\n")
        if blocks is None:
            rest = head.feed(part)
            if rest is None:
                continue
            blocks = head.block_reader()
            runs.extend(blocks.feed(rest))
        else:
            runs.extend(blocks.feed(part))
        if len(runs) > RUNS_MAX:
            raise ActTooManyRuns(f"{source.name} holds more than {RUNS_MAX} starts of a test")
    runs.extend((blocks or head.block_reader()).finish(cut=cut))
    return runs


def _parts(source: Source) -> Iterator[tuple[Block, bool]]:
    """Yield parts of whole lines, and whether a part begins with a banner. A banner always begins a part."""
    for block in source.blocks():
        begins: set[int] = set()
        # A sign, then two words, is ten times as quick as the pattern; they are in a log once.
        if b"A" in block.data and (b"ACT version " in block.data or b"Aerospike act" in block.data):
            begins = {match.start() for match in BANNER.finditer(block.data)}
        if not begins:
            yield block, False
            continue
        line = block.first_line
        for begin, end in pairwise(sorted({0, *begins, len(block.data)})):
            data = block.data[begin:end]
            yield Block(line, data), begin in begins
            line += data.count(b"\n")


@dataclass(slots=True)
class _Head:
    """The lines before the first block, a mebibyte of them at most."""

    file: str
    configs: Mapping[str, Mapping[str, Value]]
    has_banner: bool = False
    _bytes: int = 0
    _lines: list[tuple[int, bytes]] = field(default_factory=list)
    _skipped_line: int | None = None
    """The first line of the part from which on lines were skipped; None if none were."""

    def feed(self, part: Block) -> Block | None:
        """Store at most a mebibyte of lines before the first block; return the rest from it on, else None."""
        self.has_banner = self.has_banner or BANNER.match(part.data) is not None
        start = BLOCK_START.search(part.data)
        at = len(part.data) if start is None else start.start()
        room = max(0, _HEAD_BYTES_MAX - self._bytes)
        if at > room and self._skipped_line is None:
            self._skipped_line = part.first_line
        data = part.data[: min(at, room)]
        self._bytes += len(data)
        self._lines.extend(enumerate(data.split(b"\n"), part.first_line))
        if start is None:
            return None
        return Block(part.first_line + part.data.count(b"\n", 0, at), part.data[at:])

    def block_reader(self) -> "_BlockReader":
        """Return a new reader of the blocks below this head, with the problems and events of the head."""
        problems = Problems(self.file)
        head = read_head([text.decode("utf-8", "replace") for _, text in self._lines])
        for name, items in self.configs.items():
            if (problem := with_config_file(head, name, items)) is not None:
                problems.add("config", problem)
        if self._skipped_line is not None:
            problems.add(
                "head",
                f"more than {_HEAD_BYTES_MAX} bytes before the first block; skipped",
                self._skipped_line,
            )
        reader = _BlockReader(head, _new_run(head, problems))
        for line_no, text in self._lines:
            if text.startswith(_HEAD_EVENTS):
                reader.run.events.read_line(text.strip(), line_no, 0)
        return reader


def _new_run(head: Configuration, problems: Problems) -> RunInProgress:
    return RunInProgress(
        problems=problems,
        events=Events(problems, commit_to_device=head.items.get("commit-to-device") is True),
        counters=Counters(
            interval_s=head.interval_s,
            live_totals=head.generation is ActLogGeneration.LEGACY,
            bucket_max=Pow2Layout(head.unit_ns or NS_PER_MS).index_limit - 2,
            problems=problems,
        ),
        numbering=Numbering(head, problems),
    )


@dataclass(slots=True)
class _BlockReader:
    """Reader of blocks; a restart of the test ends `run`, and begins another with the same head."""

    head: Configuration
    run: RunInProgress
    _carry: Block | None = None
    """The last block, which may be incomplete."""

    def feed(self, part: Block) -> Iterator[ParsedRun]:
        """Add the complete blocks of `part` and store its last; yield the runs that ended in them.

        If more than 8 MiB are stored without another block, their whole lines are added. Nothing happens
        before the result is iterated.
        """
        data, line = part.data, part.first_line
        if self._carry is not None:
            data, line = self._carry.data + data, self._carry.first_line
        cut = (data.rfind(b"\nafter ") + 1) or (data.rfind(b"\nAfter ") + 1)
        if cut == 0 and len(data) > _CARRY_BYTES_MAX:
            cut = data.rfind(b"\n") + 1
        blocks, rest = data[:cut], data[cut:]
        self._carry = Block(line + line_count(blocks), rest)
        if blocks:
            yield from self._read_blocks(blocks, line, label_of(rest[:64]))

    def finish(self, *, cut: bool) -> Iterator[ParsedRun]:
        """Add the last block, and yield the last runs. With `cut`, drop the line in which the file ends."""
        if self._carry is not None:
            data = self._carry.data
            if cut:
                # Half a line says half a number.
                data = data[: data.rfind(b"\n") + 1]
            if data:
                yield from self._read_blocks(data, self._carry.first_line, None)
        yield parsed_run(self.head, self.run, cut=cut)

    def _read_blocks(self, data: bytes, line: int, next_s: int | None) -> Iterator[ParsedRun]:
        """Add blocks; yield each run that a restart ends. Raise ActTooManyHistograms over 1,024 names."""
        rest: Blocks | None = scan(data, line, self.run.numbering.names)
        while rest is not None:
            run = self.run
            series_of = run.numbering.series_of(rest)
            if len(run.numbering.names.texts) > SERIES_MAX:
                raise ActTooManyHistograms(
                    f"{run.problems.file}: more than {SERIES_MAX} names of histograms by line {line}"
                )
            before_s = run.counters.last_s
            restart = run.counters.add(rest, series_of, next_s)
            labels = rest.label_s.tolist()
            for block, line_no, text in rest.others:
                if restart is None or block < restart:
                    run.events.read_line(text, line_no, labels[block] if block >= 0 else before_s)
            if restart is None:
                return
            yield parsed_run(self.head, run, cut=False)
            self.run = _new_run(self.head, Problems(run.problems.file))
            self.run.numbering.names = run.numbering.names
            rest = rest.since(restart)


class ActConfigAlone(ContentUnreadable):
    """The file is a configuration without a log, and so has no measurements."""


@dataclass(frozen=True, slots=True)
class ActImporter:
    """Importer of ACT logs, and of the configurations that they were made with."""

    name: str = "act"

    def detect(self, head: Head) -> Detection | None:
        """Recognise a log by its banner or its blocks, a configuration by its keys; None for other files."""
        if (banner := BANNER.search(head.data)) is not None:
            before = head.data[: head.data.find(b"\nafter ")] if b"\nafter " in head.data else head.data
            configuration = read_head(before.decode("utf-8", "replace").splitlines())
            words = banner.group().decode("utf-8", "replace").strip()
            return Detection(
                f"act-{configuration.kind}", "act", configuration.version, f"the banner says “{words}”"
            )
        if BLOCK_START.search(head.data) is not None and _TOTAL.search(head.data) is not None:
            return Detection(
                "act-storage",
                "act",
                None,
                "blocks “after N sec:” with histograms “… (N total)”, without the head of the log",
                Certainty.LIKELY,
            )
        if is_config_file(head.text):
            return Detection(
                "act-config",
                "act",
                None,
                "keys of an ACT configuration, “device-names” among them",
                companion=True,
            )
        return None

    def parse(self, source: Source, beside: Sequence[Source]) -> list[ParsedRun]:
        """Return every run of a log, completed by configurations in `beside`.

        Raise ActConfigAlone for a configuration, other ContentUnreadable for an unreadable log.
        """
        detection = self.detect(source.head)
        if detection is not None and detection.companion:
            raise ActConfigAlone(
                f"{source.name} is the configuration of an ACT test and holds no measurements; name the log "
                f"with it"
            )
        configs = [file for file in beside if is_config_file(file.head.text)]
        return _read_runs(source, configs)


ACT = ActImporter()
