"""The importer of the agent's own result files: what `tailroom-agent run --result` writes, an object a line.

The words are those of docs/contracts/wire.md: the announcement, the series, what was measured, and last how
the run ended. A damaged line takes its own intervals away and nothing else; what is then missing between two
sequence numbers, or before the last one that the end names, makes the load doubtful, as it does for a run
that was sent. Live ticks count the same operations as the histograms and are left out.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta, Struct

from tailroom.catalogue.disclosure import STARTED_AT, missing_fields, required_fields
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.histogram import CountsBatch, decode_many
from tailroom.domain.latency.intervals import UNKNOWN, IntervalRecords
from tailroom.domain.units import NS_PER_US
from tailroom.importers.importer import ContentUnreadable, Detection
from tailroom.importers.parsed_run import EndState, ParsedRun, ParsedSeries
from tailroom.importers.printed import MAX_COUNT
from tailroom.importers.problems import Problems
from tailroom.importers.server_disclosure import TOOL_VERSION
from tailroom.importers.source import Head, Source

FORMAT = "agent-result"
TOOL = "tailroom-agent"
VERSION = 1
_FIRST_KEY = re.compile(r'\s*+\{\s*+"tailroom_agent_result"\s*+:\s*+(\d{1,9})?')
_BATCH = 256
_MAX_SERIES = 1_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_SEMANTICS = {
    "response": "from the intended start to completion, waiting included; whole microseconds, rounded down",
    "service": "from submission to completion; whole microseconds, rounded down",
}
_STATES = {
    "completed": EndState.FINISHED,
    "stopped": EndState.KILLED,
    "interrupted": EndState.KILLED,
    "failed": EndState.FAILED,
}

_Count = Annotated[int, Meta(ge=0, lt=MAX_COUNT)]
_Time = Annotated[int, Meta(ge=0, lt=1 << 62)]
_Length = Annotated[int, Meta(gt=0, lt=1 << 62)]


class _Agent(Struct):
    version: str


class _Announcement(Struct):
    title: str
    workload: str
    started_at_unix_ns: _Time
    agent: _Agent
    host: dict[str, Any]
    plan: dict[str, Any]
    run_id: str | None = None


class _Layout(Struct):
    t: Literal["hdr"]
    unit_ns: int
    significant_digits: int


class _Series(Struct):
    series_no: int
    operation: Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,40}\Z")]
    clock: Literal["response", "service", "queue", "operation"]
    kind: Literal["tick", "histogram"]
    pin_thresholds_ns: Annotated[list[_Length], Meta(max_length=16)]
    phase: str = "main"
    device: str | None = None
    layout: _Layout | None = None


class _Interval(Struct, gc=False):
    series: int
    seq: _Count
    start_ns: _Time
    duration_ns: _Length
    count: _Count
    errors: _Count
    timeouts: _Count
    unfinished: _Count
    sum_ns: _Time
    pins: list[_Count]
    min_ns: _Time | None = None
    max_ns: _Time | None = None
    target_count: _Count | None = None
    histogram: bytes | None = None


class _Finish(Struct):
    outcome: Literal["completed", "stopped", "failed", "interrupted"]
    duration_ns: _Time
    last_seq: dict[int, Annotated[int, Meta(ge=-1, lt=MAX_COUNT)]]
    reason: str | None = None


class _Line(Struct):
    """Any line: exactly one of these is there."""

    announce: _Announcement | None = None
    series: list[_Series] | None = None
    intervals: list[_Interval] | None = None
    finish: _Finish | None = None


@dataclass(frozen=True, slots=True)
class AgentResultImporter:
    """See `tailroom.importers.importer.Importer`."""

    name: str = FORMAT
    looks_for: str = 'a first line `{"tailroom_agent_result": 1, …`'

    def detect(self, head: Head) -> Detection | None:
        """By the first key of the first line."""
        if _FIRST_KEY.match(head.text) is None:
            return None
        version = re.search(r'"agent"\s*:\s*\{[^{}]{0,500}?"version"\s*:\s*"([^"\\]{1,100})"', head.text)
        return Detection(
            FORMAT, TOOL, version[1] if version else None, "the first key is `tailroom_agent_result`"
        )

    def parse(self, source: Source, beside: Sequence[Source]) -> list[ParsedRun]:  # noqa: ARG002
        """The one run of the file. `ContentUnreadable` where a newer agent has written it."""
        first = _FIRST_KEY.match(source.head.text)
        if first is None or first[1] is None or int(first[1]) != VERSION:
            written = first[1] if first else None
            raise ContentUnreadable(
                f"{source.name} is a result file of version {written or 'unknown'}; version {VERSION} is read"
            )
        reading = _Reading()
        decoder = msgspec.json.Decoder(_Line)
        for line_no, line in source.lines():
            if not line.strip():
                continue
            try:
                found = decoder.decode(line)
            except (msgspec.MsgspecError, ValueError, RecursionError) as error:
                reading.problems.add("line", f"the line cannot be read: {error}", line_no, error=True)
                continue
            reading.take(line_no, found)
        return [reading.run()]


AGENT_RESULT = AgentResultImporter()


@dataclass(slots=True)
class _Pieces:
    """Intervals of one histogram series; histograms are decoded some at a time, so that few payloads wait."""

    definition: _Series
    layout: HdrLayout
    next_seq: int = 0
    missing: int = 0
    total: int = 0
    kept: list[_Interval] = field(default_factory=list)
    _waiting: list[tuple[int, _Interval]] = field(default_factory=list)
    _columns: list[tuple[Int64s, Int64s, Int64s]] = field(default_factory=list)
    """Filled buckets of each kept interval (one row), their numbers, and their counts."""

    def add(self, line_no: int, one: _Interval, problems: Problems) -> None:
        """One interval; gaps before it are counted, and what cannot be true is left out and counted too."""
        name = f"series {one.series}, interval {one.seq}"
        if one.seq < self.next_seq:
            problems.add("seq", f"{name} comes after interval {self.next_seq - 1}; it is left out", line_no)
            return
        if one.seq > self.next_seq:
            gap = one.seq - self.next_seq
            problems.add(
                "gap",
                f"series {one.series}: intervals {self.next_seq} to {one.seq - 1} ({gap}) are missing",
                line_no,
                error=True,
            )
            self.missing += gap
        self.next_seq = one.seq + 1
        wrong = self._wrong(one)
        if wrong is not None:
            self.missing += 1
            problems.add("interval", f"{name}: {wrong}; it is left out", line_no, error=True)
            return
        self.total += one.count + one.errors + one.timeouts + one.unfinished
        self._waiting.append((line_no, one))
        if len(self._waiting) >= _BATCH:
            self.flush(problems)

    def _wrong(self, one: _Interval) -> str | None:
        """The rule of docs/contracts/wire.md that an interval breaks; none where it breaks none."""
        last = self._waiting[-1][1] if self._waiting else self.kept[-1] if self.kept else None
        together = self.total + one.count + one.errors + one.timeouts + one.unfinished
        thresholds = len(self.definition.pin_thresholds_ns)
        rules = (
            (last is not None and one.start_ns < last.start_ns, "it starts before the interval before it"),
            (together >= MAX_COUNT, "the operations add up to 2**53 or more"),
            (len(one.pins) != thresholds, f"{len(one.pins)} pins for {thresholds} thresholds"),
            (
                any(after > before for before, after in pairwise([one.count, *one.pins])),
                "its pins rise, or exceed its count",
            ),
            (_times_wrong(one), "its sum, smallest and largest latency do not go with its count"),
            (one.count > 0 and one.histogram is None, "operations without a histogram"),
        )
        return next((reason for is_broken, reason in rules if is_broken), None)

    def flush(self, problems: Problems) -> None:
        """Decodes what is waiting; histograms that cannot be read take their interval with them."""
        payloads = [one.histogram or b"" for _, one in self._waiting if one.count]
        try:
            batch = decode_many(payloads, self.layout) if payloads else None
            parts = _parts(batch, [one.count > 0 for _, one in self._waiting])
        except DomainError:
            parts = [self._alone(line_no, one, problems) for line_no, one in self._waiting]
        for (line_no, one), part in zip(self._waiting, parts, strict=True):
            if part is None:
                self.missing += 1
            elif int(part[1].sum()) != one.count:
                self.missing += 1
                problems.add(
                    "histogram",
                    f"series {one.series}, interval {one.seq}: the histogram holds {int(part[1].sum())} "
                    f"values, the count is {one.count}; it is left out",
                    line_no,
                    error=True,
                )
            else:
                one.histogram = None
                self._columns.append((np.array([part[0].size]), part[0], part[1]))
                self.kept.append(one)
        self._waiting.clear()

    def _alone(self, line_no: int, one: _Interval, problems: Problems) -> tuple[Int64s, Int64s] | None:
        try:
            batch = decode_many([one.histogram or b""], self.layout) if one.count else None
        except DomainError as error:
            why = str(error).replace("histogram 0 of the batch", "the histogram")
            problems.add(
                "histogram",
                f"series {one.series}, interval {one.seq}: {why}; it is left out",
                line_no,
                error=True,
            )
            return None
        return _parts(batch, [one.count > 0])[0]

    @property
    def target_count(self) -> int | None:
        """Operations that the schedule intended; none where an interval does not say."""
        targets = [one.target_count for one in self.kept]
        return None if not targets or None in targets else sum(one for one in targets if one is not None)

    def intervals(self) -> IntervalRecords:
        """All of it as columns."""
        lengths, indices, counts = (np.concatenate(column) for column in zip(*self._columns, strict=True))
        kept, thresholds = self.kept, tuple(self.definition.pin_thresholds_ns)

        def column(name: str) -> Int64s:
            values = (getattr(one, name) for one in kept)
            return np.array([UNKNOWN if value is None else value for value in values], dtype=np.int64)

        return IntervalRecords(
            layout=self.layout,
            offsets=np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths))),
            indices=indices,
            counts=counts,
            thresholds_ns=thresholds,
            pins=np.array([one.pins for one in kept], np.int64).reshape(len(kept), len(thresholds)),
            start_ns=column("start_ns"),
            duration_ns=column("duration_ns"),
            errors=column("errors"),
            timeouts=column("timeouts"),
            unfinished=column("unfinished"),
            sum_ns=column("sum_ns"),
            min_ns=column("min_ns"),
            max_ns=column("max_ns"),
        )


def _parts(batch: CountsBatch | None, filled: Sequence[bool]) -> list[tuple[Int64s, Int64s] | None]:
    """Buckets of each interval; the batch has a histogram for each filled one."""
    none = np.empty(0, np.int64)
    if batch is None:
        return [(none, none) for _ in filled]
    ends = iter(np.searchsorted(batch.histogram_no, np.arange(1, batch.size + 1)).tolist())
    parts: list[tuple[Int64s, Int64s] | None] = []
    begin = 0
    for has_values in filled:
        end = next(ends) if has_values else begin
        # Copies, or one small interval would keep the whole batch.
        parts.append((batch.indices[begin:end].copy(), batch.counts[begin:end].copy()))
        begin = end
    return parts


@dataclass(slots=True)
class _Reading:
    """The run as far as it has been read."""

    problems: Problems = field(default_factory=Problems)
    announcement: _Announcement | None = None
    finish: _Finish | None = None
    definitions: dict[int, _Series] = field(default_factory=dict)
    pieces: dict[int, _Pieces] = field(default_factory=dict)

    def take(self, line_no: int, line: _Line) -> None:
        """One line."""
        given = (line.announce, line.series, line.intervals, line.finish)
        if all(part is None for part in given):
            self.problems.add("line", "the line is none of announce, series, intervals and finish", line_no)
        if line.announce is not None:
            if self.announcement is not None:
                raise ContentUnreadable(f"line {line_no} begins another run: a result file holds one")
            self.announcement = line.announce
        for definition in line.series or ():
            self._define(line_no, definition)
        for one in line.intervals or ():
            if one.series in self.pieces:
                self.pieces[one.series].add(line_no, one, self.problems)
            elif one.series not in self.definitions:
                reason = f"series {one.series} is not defined; its intervals are left out"
                self.problems.add("undefined", reason, line_no, error=True)
        self.finish = line.finish or self.finish

    def _define(self, line_no: int, definition: _Series) -> None:
        number, thresholds = definition.series_no, definition.pin_thresholds_ns
        before = self.definitions.get(number)
        if before is not None:
            if before != definition:
                reason = f"series {number} is defined again, and otherwise"
                self.problems.add("series", reason, line_no, error=True)
            return
        if len(self.definitions) >= _MAX_SERIES:
            self.problems.add("series", f"more than {_MAX_SERIES} series", line_no, error=True)
            return
        self.definitions[number] = definition
        if definition.kind == "tick":
            return
        layout = definition.layout
        try:
            if layout is None or any(after <= before for before, after in pairwise(thresholds)):
                raise ContentUnreadable("a histogram series needs a layout and ascending thresholds")
            self.pieces[number] = _Pieces(definition, HdrLayout(layout.unit_ns, layout.significant_digits))
        except DomainError as error:
            self.problems.add("series", f"series {number}: {error}", line_no, error=True)

    def run(self) -> ParsedRun:
        """What was read."""
        self._note_ticks_alone()
        series = [one for pieces in self.pieces.values() if (one := self._series(pieces)) is not None]
        if not series:
            self.problems.add("empty", "the file holds no histogram with an operation")
        announced, finish = self.announcement, self.finish
        ends = [one.intervals.end_ns for one in series if one.intervals is not None]
        state_text = "no last line says how the run ended: it goes on, or the agent was cut off"
        if finish is not None:
            state_text = finish.reason or f"the agent says {finish.outcome}"
        return ParsedRun(
            format=FORMAT,
            tool=TOOL,
            tool_version=announced.agent.version if announced else None,
            series=tuple(series),
            state=_STATES[finish.outcome] if finish else EndState.GROWING,
            state_text=state_text,
            problems=self.problems.all(),
            missing=_missing(announced),
            parameters=_parameters(announced) if announced else {},
            started_at=_started_at(announced.started_at_unix_ns) if announced else None,
            duration_ns=finish.duration_ns if finish else max(ends, default=None),
        )

    def _series(self, pieces: _Pieces) -> ParsedSeries | None:
        definition = pieces.definition
        name = f"series {definition.series_no} ({definition.operation}, {definition.clock})"
        pieces.flush(self.problems)
        last = self.finish.last_seq.get(definition.series_no, -1) if self.finish else -1
        if last >= pieces.next_seq:
            gap = last - pieces.next_seq + 1
            reason = f"{name}: intervals {pieces.next_seq} to {last} ({gap}) are missing at the end"
            self.problems.add("gap", reason, error=True)
            pieces.missing += gap
        if not pieces.kept:
            return None
        try:
            intervals = pieces.intervals()
            record = intervals.total()
            # Counts over thresholds that contradict the buckets are seen only here.
            _ = record.cells
        except DomainError as error:
            self.problems.add("series", f"{name} is left out: {error}", error=True)
            return None
        if record.total == 0:
            return None
        return ParsedSeries(
            definition.operation,
            definition.clock,
            record,
            device=definition.device,
            intervals=intervals,
            semantics=_SEMANTICS.get(definition.clock, ""),
            phase=definition.phase if definition.phase != "main" else None,
            source_name=f"series {definition.series_no}",
            target_count=pieces.target_count,
            missing_intervals=pieces.missing,
        )

    def _note_ticks_alone(self) -> None:
        known = {_place(pieces.definition) for pieces in self.pieces.values()}
        for definition in self.definitions.values():
            if definition.kind == "tick" and _place(definition) not in known:
                self.problems.add(
                    "tick",
                    f"series {definition.series_no} ({definition.operation}, {definition.clock}) has live "
                    f"ticks and no histograms; it is not read",
                )


def _times_wrong(one: _Interval) -> bool:
    """Times are there exactly where operations are, and the mean lies between the ends."""
    if one.min_ns is None or one.max_ns is None:
        return one.count > 0 or one.sum_ns != 0 or one.min_ns != one.max_ns
    return one.count == 0 or not one.min_ns * one.count <= one.sum_ns <= one.max_ns * one.count


def _place(one: _Series) -> tuple[str, str, str, str | None]:
    return one.operation, one.clock, one.phase, one.device


def _started_at(unix_ns: int) -> datetime | None:
    try:
        return _EPOCH + timedelta(microseconds=unix_ns // NS_PER_US)
    except OverflowError:
        return None


def _missing(announced: _Announcement | None) -> tuple[str, ...]:
    """What the agent could not find out; everything where the announcement is not there."""
    if announced is None:
        return (STARTED_AT, TOOL_VERSION, *(one.field for one in required_fields("")))
    facts = {"agent": msgspec.to_builtins(announced.agent), "host": announced.host, "plan": announced.plan}
    return tuple(one.field for one in missing_fields(announced.workload, facts))


def _parameters(announced: _Announcement) -> dict[str, str | int | float | bool | None]:
    """The plan as it was executed, its section for the workload included; lists as text."""
    section = {"act-storage": "act_storage", "fraud-transaction": "fraud"}.get(announced.workload, "")
    inner = announced.plan.get(section)
    items = {**announced.plan, **(inner if isinstance(inner, Mapping) else {})}
    found: dict[str, str | int | float | bool | None] = {
        "title": announced.title,
        "workload": announced.workload,
        "run_id": announced.run_id,
    }
    for name, value in items.items():
        if value is None or isinstance(value, str | int | float | bool):
            found[name] = value
        elif isinstance(value, list) and all(isinstance(one, str | int | float) for one in value):
            found[name] = ", ".join(map(str, value))
    return found
