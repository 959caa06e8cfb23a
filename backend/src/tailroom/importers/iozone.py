"""The importer of iozone: the table of its automatic and single tests.

A row is a size of file and of record, with a rate for each test; with `-N` it is the mean time of an
operation. Both are whole numbers, cut. No other time is printed. Source: iozone `iozone.c`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tailroom.domain.units import NS_PER_US
from tailroom.importers.importer import Detection
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, ParsedSeries, Value
from tailroom.importers.printed import whole
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import Summary, cut
from tailroom.importers.text_runs import TextImporter, summarised_run, text_lines

FORM = TOOL = "iozone"
_TITLE = re.compile(r"\s*Iozone: Performance Test of File I/O")
_VERSION = re.compile(r"\s*Version \$Revision: ([\d.]{1,20}) \$")
_CELLS = re.compile(r"\s*\d{1,15}(?:[ ]+\d{1,15}){2,14}\s*")
_HEAD = re.compile(r"\s*kB\s+reclen\s+\S.*")
_UNIT = re.compile(
    r".{0,60}Output is in (kBytes/sec|operations per second|microseconds per operation).*", re.I
)
_COMMAND = re.compile(r"\s*Command line used: (.{1,300})")
_TESTS = {
    17: "write",
    26: "rewrite",
    35: "read",
    44: "reread",
    53: "random read",
    62: "random write",
    71: "bkwd read",
    81: "record rewrite",
    91: "stride read",
    100: "fwrite",
    109: "frewrite",
    118: "fread",
    127: "freread",
}
"""Tests by the distance in characters from the end of the file size to the end of their numbers."""
_RATES = {
    "kbytes/sec": ("bandwidth_bytes_per_s", 1 << 10),
    "operations per second": ("throughput_ops_per_s", 1),
}
_MOST_ROWS = 10_000
_SEMANTICS = "one call of a process, as the mean of all of them"


@dataclass(slots=True)
class _ReportTable:
    """One table: line number and text of each row; `unit` of its numbers as printed, in lower case."""

    line: int
    version: str | None = None
    unit: str = ""
    has_head: bool = False
    rows: list[tuple[int, str]] = field(default_factory=list)
    parameters: dict[str, Value] = field(default_factory=dict)

    def finish(self) -> ParsedRun:
        """Return the table as a run: a series for each mean time, a claim for each mean or rate.

        Report a missing unit, rows whose tests are unknown, and a table without times.
        """
        problems, claims = Problems(), list[Claim]()
        series: list[ParsedSeries] = []
        if not self.unit:
            problems.add("unit", "the unit of the output is not stated, so that nothing is read", self.line)
        for line_no, text in self.rows if self.unit else ():
            sizes, cells = _cells(text)
            if not cells:
                problems.add(
                    "columns", "which tests the numbers are of cannot be said by their places", line_no
                )
            phase = f"{sizes[0]} KiB in {sizes[1]} KiB"
            for test, value in cells:
                label = f"{test}, {phase}"
                if self.unit == "microseconds per operation":
                    mean = cut(value, NS_PER_US, "us")
                    if mean is None or not whole(value):
                        continue
                    claims.append(mean.claim(label, "latency_mean_ns", line_no))
                    summary = Summary(test, line_no, mean=mean, name=label)
                    parsed = summary.series(problems, _SEMANTICS, phase=phase)
                    series += [] if parsed is None else [parsed]
                elif rate := whole(value):
                    quantity, unit = _RATES[self.unit]
                    ends = float(rate * unit), float((rate + 1) * unit)
                    claims.append(Claim(label, quantity, value, *ends, line=line_no))
        if not series:
            problems.add("none", "it holds rates; iozone prints times with -N", self.line, note=True)
        return summarised_run(
            FORM,
            TOOL,
            [],
            series,
            problems,
            state=EndState.FINISHED,
            state_text="the rows were printed",
            version=self.version,
            claims=claims,
            parameters=self.parameters,
        )


def _detect(head: Head) -> Detection | None:
    """Recognise the format by its title and the head of a table; None for other files."""
    if any(_TITLE.match(line) for line in head.lines) and any(_HEAD.fullmatch(line) for line in head.lines):
        return Detection(FORM, TOOL, None, "`Iozone: Performance Test of File I/O`")
    return None


def _runs(source: Source) -> Iterator[ParsedRun]:
    """Yield a run for each table with rows."""
    return (table.finish() for table in _tables(source) if table.rows)


def _tables(source: Source) -> Iterator[_ReportTable]:
    """Yield each table of the file, also those without rows."""
    table: _ReportTable | None = None
    for line_no, text in text_lines(source):
        if _TITLE.match(text) is not None:
            if table is not None:
                yield table
            table = _ReportTable(line_no)
        if table is None:
            continue
        if (version := _VERSION.match(text)) is not None:
            table.version = version[1]
        elif (unit := _UNIT.fullmatch(text)) is not None:
            table.unit = unit[1].lower()
        elif (command := _COMMAND.fullmatch(text)) is not None:
            table.parameters["command"] = command[1].strip()
        elif _HEAD.fullmatch(text) is not None:
            table.has_head = True
        elif table.has_head and len(table.rows) < _MOST_ROWS and _CELLS.fullmatch(text) is not None:
            table.rows.append((line_no, text))
    if table is not None:
        yield table


def _cells(text: str) -> tuple[tuple[str, str], list[tuple[str, str]]]:
    """Return the sizes of file and record (KiB, as printed), and pairs of test and number.

    There are no pairs if a number is in the column of no test.
    """
    matches = list(re.finditer(r"\d+", text))
    sizes = matches[0][0], matches[1][0]
    begin = matches[0].end()
    values = matches[2:]
    if len(values) == len(_TESTS):
        return sizes, [(test, value[0]) for test, value in zip(_TESTS.values(), values, strict=True)]
    tests = [_TESTS.get(value.end() - begin) for value in values]
    cells = [(test, value[0]) for test, value in zip(tests, values, strict=True) if test is not None]
    return sizes, cells if len(cells) == len(values) else []


IOZONE = TextImporter(
    FORM,
    "`Iozone: Performance Test of File I/O`, then a table `kB reclen write …`",
    "iozone",
    _detect,
    _runs,
)
