"""The importer of iozone: the table of its automatic and single tests.

A row is a size of file and of record, with a rate for each test; with `-N` it is the mean time of an
operation. Both are whole numbers, cut. No other time is printed. Source: iozone `iozone.c`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tailroom.domain.units import NS_PER_US
from tailroom.importers.importer import Detection
from tailroom.importers.parsed_run import Claim, ParsedRun, ParsedSeries
from tailroom.importers.printed import whole
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import Summary, all_series, cut
from tailroom.importers.text_runs import PrintedRun, ToolImporter, finished, sections

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
class _ReportTable(PrintedRun):
    """One table: line number and text of each row; `unit` of its numbers as printed, in lower case."""

    unit: str = ""
    has_head: bool = False
    rows: list[tuple[int, str]] = field(default_factory=list)
    has_more_rows: bool = False

    def take(self, line_no: int, text: str) -> None:
        """Store a row, a fact above the table, or its head; ignore any other line."""
        if (version := _VERSION.match(text)) is not None:
            self.version = version[1]
        elif (unit := _UNIT.fullmatch(text)) is not None:
            self.unit = unit[1].lower()
        elif (command := _COMMAND.fullmatch(text)) is not None:
            self.parameters["command"] = command[1].strip()
        elif _HEAD.fullmatch(text) is not None:
            self.has_head = True
        elif self.has_head and _CELLS.fullmatch(text) is not None:
            self.has_more_rows = len(self.rows) >= _MOST_ROWS
            self.rows += [] if self.has_more_rows else [(line_no, text)]

    def finish(self) -> ParsedRun:
        """Return the run: mean times as series, means and rates as claims; report missing times and units."""
        series: list[ParsedSeries] = []
        if not self.unit:
            reason = "the unit of the output is not stated, so that nothing is read"
            self.problems.add("unit", reason, self.line)
        for line_no, text in self.rows if self.unit else ():
            sizes, cells = _cells(text)
            if not cells:
                reason = "which tests the numbers are of cannot be said by their places"
                self.problems.add("columns", reason, line_no)
            phase = f"{sizes[0]} KiB in {sizes[1]} KiB"
            for test, value in cells:
                label = f"{test}, {phase}"
                if self.unit == "microseconds per operation":
                    mean = cut(value, NS_PER_US, "us")
                    if mean is None or not whole(value):
                        continue
                    self.add_time(label, "latency_mean_ns", mean, line_no)
                    summary = Summary(test, line_no, mean=mean, name=label)
                    series += all_series([summary], self.problems, _SEMANTICS, phase=phase)
                elif rate := whole(value):
                    quantity, unit = _RATES[self.unit]
                    ends = float(rate * unit), float((rate + 1) * unit)
                    self.claims.append(Claim(label, quantity, value, *ends, line=line_no))
        if self.has_more_rows:
            reason = f"the table has more than {_MOST_ROWS:,} rows; those behind were not read: split it"
            self.problems.add("rows", reason, self.rows[-1][0])
        if not series:
            self.problems.note("none", "it holds rates; iozone prints times with -N", self.line)
        return self.parsed(FORM, TOOL, [], series, finished("the rows were printed"))


def _detect(head: Head) -> Detection | None:
    if any(_TITLE.match(line) for line in head.lines) and any(_HEAD.fullmatch(line) for line in head.lines):
        return Detection(FORM, TOOL, None, "`Iozone: Performance Test of File I/O`")
    return None


def _begin(line_no: int, text: str, _: _ReportTable | None) -> _ReportTable | None:
    return None if _TITLE.match(text) is None else _ReportTable(line_no)


def _runs(source: Source) -> Iterator[ParsedRun]:
    return (table.finish() for table in sections(source, _begin, _ReportTable.take) if table.rows)


def _cells(text: str) -> tuple[tuple[str, str], list[tuple[str, str]]]:
    """Return the sizes of file and record (KiB, as printed), and pairs of test and number.

    Thirteen numbers are those of the tests in order, fewer belong to the test in whose column they end. There
    are no pairs if a number is in the column of no test.
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


IOZONE = ToolImporter(FORM, "iozone", _detect, _runs)
