"""The importer of the agent's own result files (`tailroom-agent run --result`), with an object on each line.

The keys are those of docs/contracts/wire.md: the announcement, the series, intervals, and last the end of the
run. A damaged line removes only its own intervals; a gap between two sequence numbers, or before the last
number of the end line, makes the load unreliable, as for a run that was sent. Ticks, the counts of each
second for live display, are of the same operations as the histograms and are left out.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from typing import Any

import msgspec

from tailroom.catalogue.disclosure import STARTED_AT, is_closed_loop, missing_fields, required_fields
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.importers.agent_result.series_intervals import (
    AnnouncementLine,
    FinishLine,
    ResultLine,
    SeriesIntervals,
    SeriesLine,
)
from tailroom.importers.disclosure import TOOL_VERSION
from tailroom.importers.importer import ContentUnreadable, Detection
from tailroom.importers.parsed_run import EndState, ParsedRun, ParsedSeries, Value, last_end_ns
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.text_runs import ToolImporter
from tailroom.kit.clock import from_unix_ns

_SECTIONS = {
    "act-storage": "act_storage",
    "fraud-transaction": "fraud",
    "fraud": "fraud",
    "sync-write": "sync_write",
    "qualify": "qualify",
}
_NOT_OF_THE_LOAD = frozenset({"ladder"})
"""Sections of a plan that name the ladder of a run: its steps differ by their load, listed separately."""
FORMAT = "agent-result"
TOOL = "tailroom-agent"
VERSION = 1
_FIRST_KEY = re.compile(r'\s*+\{\s*+"tailroom_agent_result"\s*+:\s*+(\d{1,9})?')
_MAX_SERIES = 1_000

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


def parameters_of(title: str, workload: str, run_id: str | None, plan: Mapping[str, Any]) -> dict[str, Value]:
    """Return title, workload, run and entries of the plan as parameters by name.

    Nested entries are named `section.key`, those of the workload's own section `key`; `ladder` is left out.
    """
    section = _SECTIONS.get(workload, "")
    inner = plan.get(section)
    stated: dict[str, Value] = {"title": title, "workload": workload, "run_id": run_id}
    stated.update(_flat({name: value for name, value in plan.items() if name != section}))
    stated.update(_flat(inner if isinstance(inner, Mapping) else {}))
    return stated


def _flat(items: Mapping[str, Any]) -> Iterator[tuple[str, Value]]:
    """Yield name and value of each entry, also of nested mappings (`name.key`); lists become text."""
    waiting = [(name, value) for name, value in items.items() if name not in _NOT_OF_THE_LOAD]
    while waiting:
        name, value = waiting.pop(0)
        if value is None or isinstance(value, str | int | float | bool):
            yield name, value
        elif isinstance(value, list) and all(isinstance(each, str | int | float) for each in value):
            yield name, ", ".join(map(str, value))
        elif isinstance(value, Mapping):
            waiting.extend((f"{name}.{key}", each) for key, each in value.items())


def _detect(head: Head) -> Detection | None:
    if _FIRST_KEY.match(head.text) is None:
        return None
    version = re.search(r'"agent"\s*:\s*\{[^{}]{0,500}?"version"\s*:\s*"([^"\\]{1,100})"', head.text)
    return Detection(
        FORMAT, TOOL, version[1] if version else None, "the first key is `tailroom_agent_result`"
    )


def _runs(source: Source) -> list[ParsedRun]:
    """Return the only run of the file. Raise ContentUnreadable for another version and for a second run."""
    first = _FIRST_KEY.match(source.head.text)
    if first is None or first[1] is None or int(first[1]) != VERSION:
        written = first[1] if first else None
        raise ContentUnreadable(
            f"{source.name} is a result file of version {written or 'unknown'}; version {VERSION} is read"
        )
    reader = _ResultReader()
    decoder = msgspec.json.Decoder(ResultLine)
    for line_no, line in source.lines():
        if not line.strip():
            continue
        try:
            decoded = decoder.decode(line)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            reader.problems.error("line", f"the line cannot be read: {error}", line_no)
            continue
        reader.read_line(line_no, decoded)
    return [reader.finish()]


AGENT_RESULT = ToolImporter(FORMAT, "the Tailroom agent", _detect, _runs)


@dataclass(slots=True)
class _ResultReader:
    """Reader of the lines of a run; `definitions` and `by_series` are by number of the series."""

    problems: Problems = field(default_factory=Problems)
    announcement: AnnouncementLine | None = None
    end: FinishLine | None = None
    definitions: dict[int, SeriesLine] = field(default_factory=dict)
    by_series: dict[int, SeriesIntervals] = field(default_factory=dict)
    """Intervals of each valid series of histograms."""

    def read_line(self, line_no: int, line: ResultLine) -> None:
        """Store the content of a line; report a line without any, and intervals of undefined series.

        Intervals of ticks are silently left out. Raise ContentUnreadable if it announces another run.
        """
        announced = (line.announce, line.series, line.intervals, line.finish)
        if all(part is None for part in announced):
            self.problems.add("line", "the line is none of announce, series, intervals and finish", line_no)
        if line.announce is not None:
            if self.announcement is not None:
                raise ContentUnreadable(f"line {line_no} begins another run: a result file holds one")
            self.announcement = line.announce
        for definition in line.series or ():
            self._define(line_no, definition)
        for interval in line.intervals or ():
            if interval.series in self.by_series:
                self.by_series[interval.series].add(line_no, interval, self.problems)
            elif interval.series not in self.definitions:
                reason = f"series {interval.series} is not defined; its intervals are left out"
                self.problems.error("undefined", reason, line_no)
        self.end = line.finish or self.end

    def _define(self, line_no: int, definition: SeriesLine) -> None:
        """Store the definition of a series; report a repeated or invalid one, and more than 1,000."""
        number, thresholds = definition.series_no, definition.pin_thresholds_ns
        before = self.definitions.get(number)
        if before is not None:
            if before != definition:
                reason = f"series {number} is defined again, and otherwise"
                self.problems.error("series", reason, line_no)
            return
        if len(self.definitions) >= _MAX_SERIES:
            self.problems.error("series", f"more than {_MAX_SERIES} series", line_no)
            return
        self.definitions[number] = definition
        if definition.kind == "tick":
            return
        layout = definition.layout
        try:
            if layout is None or any(after <= before for before, after in pairwise(thresholds)):
                raise ContentUnreadable("a histogram series needs a layout and ascending thresholds")
            self.by_series[number] = SeriesIntervals(
                definition, HdrLayout(layout.unit_ns, layout.significant_digits)
            )
        except DomainError as error:
            self.problems.error("series", f"series {number}: {error}", line_no)

    def finish(self) -> ParsedRun:
        """Return the run; report ticks without histograms, missing intervals and a run without operations."""
        self._note_ticks_alone()
        parsed = [self._finish_series(series_intervals) for series_intervals in self.by_series.values()]
        series = [each for each in parsed if each is not None]
        if not series:
            self.problems.add("empty", "the file holds no histogram with an operation")
        announced, end = self.announcement, self.end
        ladder = announced.plan.get("ladder") if announced else None
        state_text = "no last line says how the run ended: it goes on, or the agent was cut off"
        if end is not None:
            state_text = end.reason or f"the agent says {end.outcome}"
        return ParsedRun(
            format=FORMAT,
            tool=TOOL,
            tool_version=announced.agent.version if announced else None,
            series=tuple(series),
            closed_loop=announced is not None and is_closed_loop(announced.plan),
            state=_STATES[end.outcome] if end else EndState.GROWING,
            state_text=state_text,
            problems=self.problems.all(),
            missing=_missing(announced),
            parameters=(
                parameters_of(announced.title, announced.workload, announced.run_id, announced.plan)
                if announced
                else {}
            ),
            started_at=_started_at(announced.started_at_unix_ns) if announced else None,
            duration_ns=end.duration_ns if end else last_end_ns(series),
            host=announced.host if announced else {},
            ladder=ladder if isinstance(ladder, Mapping) else {},
        )

    def _finish_series(self, series_intervals: SeriesIntervals) -> ParsedSeries | None:
        """Decode the last histograms; return the series, None without operations or if contradictory."""
        definition = series_intervals.definition
        name = f"series {definition.series_no} ({definition.operation}, {definition.clock})"
        series_intervals.flush(self.problems)
        last = self.end.last_seq.get(definition.series_no, -1) if self.end else -1
        if last >= series_intervals.next_seq:
            gap = last - series_intervals.next_seq + 1
            reason = f"{name}: intervals {series_intervals.next_seq} to {last} ({gap}) are missing at the end"
            self.problems.error("gap", reason)
            series_intervals.missing += gap
        if not series_intervals.rows:
            return None
        try:
            intervals = series_intervals.intervals()
            record = intervals.total()
            # Counts over thresholds that contradict the buckets are seen only here.
            _ = record.cells
        except DomainError as error:
            self.problems.error("series", f"{name} is left out: {error}")
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
            target_count=series_intervals.target_count,
            missing_intervals=series_intervals.missing,
        )

    def _note_ticks_alone(self) -> None:
        identities = {_identity(series_intervals.definition) for series_intervals in self.by_series.values()}
        for definition in self.definitions.values():
            if definition.kind == "tick" and _identity(definition) not in identities:
                self.problems.add(
                    "tick",
                    f"series {definition.series_no} ({definition.operation}, {definition.clock}) has live "
                    f"ticks and no histograms; it is not read",
                )


def _identity(series: SeriesLine) -> tuple[str, str, str, str | None]:
    return series.operation, series.clock, series.phase, series.device


def _started_at(unix_ns: int) -> datetime | None:
    """Return the UTC time of nanoseconds since 1970, rounded down to µs; None beyond the range of dates."""
    try:
        return from_unix_ns(unix_ns)
    except OverflowError:
        return None


def _missing(announced: AnnouncementLine | None) -> tuple[str, ...]:
    """Return the disclosure fields that the announcement lacks; without it, those of every run."""
    if announced is None:
        return (STARTED_AT, TOOL_VERSION, *(missing.field for missing in required_fields("")))
    facts = {"agent": msgspec.to_builtins(announced.agent), "host": announced.host, "plan": announced.plan}
    return tuple(missing.field for missing in missing_fields(announced.workload, facts))
