"""Importers of reports: their lines, and runs that are made of printed numbers.

A tool adds the fields of its lines to `PrintedRun`, and is an importer by two functions (`ToolImporter`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from typing import TypeVar

from tailroom.importers.disclosure import not_stated, workload_of_tool
from tailroom.importers.importer import ContentUnreadable, Detection
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, ParsedSeries, Problem, Value
from tailroom.importers.printed import MAX_TEXT_BYTES, Printed
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import Summary, Time

MAX_RUNS = 1_000
Section = TypeVar("Section")
Ending = tuple[EndState, str]
"""The end state of a run, and its reason in words."""


@dataclass(frozen=True, slots=True)
class ToolImporter:
    """Importer of a tool by its functions; `tool` is its name in messages."""

    name: str
    tool: str
    detect: Callable[[Head], Detection | None]
    runs: Callable[[Source], Iterable[ParsedRun]]
    most_runs: int = MAX_RUNS

    def parse(self, source: Source, beside: Sequence[Source]) -> list[ParsedRun]:  # noqa: ARG002
        """Return the first `most_runs` runs, with a problem for more. Raise ContentUnreadable without any."""
        runs = list(islice(self.runs(source), self.most_runs + 1))
        if not runs:
            raise nothing_read(source, self.tool)
        if len(runs) > self.most_runs:
            reason = (
                f"the file has more than {self.most_runs:,} runs; those behind this were not read: split it"
            )
            last = runs[self.most_runs - 1]
            runs[self.most_runs - 1 :] = [replace(last, problems=(*last.problems, Problem(reason)))]
        return runs


@dataclass(slots=True)
class PrintedRun:
    """A run as far as it was read; `line` is the number of its first line."""

    line: int
    parameters: dict[str, Value] = field(default_factory=dict)
    claims: list[Claim] = field(default_factory=list)
    problems: Problems = field(default_factory=Problems)
    version: str | None = None
    duration_ns: int | None = None

    def add_number(
        self,
        operation: str,
        quantity: str,
        number: Printed | None,
        unit: int = 1,
        line: int | None = None,
        *,
        sign: str = "",
    ) -> None:
        """Add the claim of a rounded number (`Claim.of_number`); ignore None."""
        if number is not None:
            self.claims.append(Claim.of_number(operation, quantity, number, unit, line, sign=sign))

    def add_count(self, operation: str, quantity: str, count: int | None, line: int | None = None) -> None:
        """Add the claim of an exact count; ignore None."""
        if count is not None:
            self.claims.append(Claim.of_count(operation, quantity, count, line))

    def add_time(self, operation: str, quantity: str, time: Time | None, line: int | None = None) -> None:
        """Add the claim of a time; ignore None."""
        if time is not None:
            self.claims.append(time.claim(operation, quantity, line))

    def set_duration(self, time: Time | None, line: int | None = None) -> None:
        """Set the running time to the middle of the bounds of `time`, and add its claim; ignore None."""
        self.add_time("total", "duration_ns", time, line)
        self.duration_ns = self.duration_ns if time is None else time.middle_ns

    def parsed(
        self,
        form: str,
        tool: str,
        summaries: Sequence[Summary],
        series: Sequence[ParsedSeries],
        ending: Ending,
        *,
        without_series: str = "",
        started_at: datetime | None = None,
        closed_loop: bool = True,
        stated: Sequence[str] = (),
    ) -> ParsedRun:
        """Return the run in the format `form`, with the claims of `summaries` before its own.

        `without_series` is the problem of a run without series, `stated` are facts of `not_stated`.
        """
        if without_series and not series:
            self.problems.add("none", without_series, self.line)
        is_open = {
            "started_at": started_at is None,
            **dict.fromkeys(("address", "connections", "keys", "value_bytes"), True),
            "tool_version": self.version is None,
        }
        open_facts = [fact for fact, opens in is_open.items() if opens and fact not in stated]
        return ParsedRun(
            format=form,
            tool=tool,
            tool_version=self.version,
            series=tuple(series),
            state=ending[0],
            state_text=ending[1],
            claims=(*(claim for summary in summaries for claim in summary.claims()), *self.claims),
            problems=self.problems.all(),
            missing=not_stated(*open_facts, workload=workload_of_tool(tool, form)),
            parameters=self.parameters,
            duration_ns=self.duration_ns,
            started_at=started_at,
            closed_loop=closed_loop,
        )


def finished(words: str) -> Ending:
    """Return the end state `finished` with the reason `words`."""
    return EndState.FINISHED, words


def finished_if(is_complete: object, words: str, otherwise: str) -> Ending:
    """Return the end state `finished` with the reason `words`, or `unknown` with the reason `otherwise`."""
    return (EndState.FINISHED, words) if is_complete else (EndState.UNKNOWN, otherwise)


def text_lines(source: Source) -> Iterator[tuple[int, str]]:
    """Yield number and text of each line: of its last `MAX_TEXT_BYTES` the part after carriage returns."""
    for line_no, raw in source.lines():
        yield line_no, raw[-MAX_TEXT_BYTES:].decode("utf-8", "replace").rsplit("\r", 1)[-1].rstrip()


def sections(
    source: Source,
    begin: Callable[[int, str, Section | None], Section | None],
    add: Callable[[Section, int, str], None],
) -> Iterator[Section]:
    """Yield the sections of a text; each begins with a line for which `begin` returns a section.

    `begin` is called with line number, text and the section so far, if any; `add` with each further line.
    Lines before the first section are skipped.
    """
    section: Section | None = None
    for line_no, text in text_lines(source):
        begun = begin(line_no, text, section)
        if begun is not None:
            if section is not None:
                yield section
            section = begun
        elif section is not None:
            add(section, line_no, text)
    if section is not None:
        yield section


def nothing_read(source: Source, tool: str) -> ContentUnreadable:
    """Return the error for a file of a tool that holds no result."""
    return ContentUnreadable(f"{source.name} is output of {tool}, but holds no result")
