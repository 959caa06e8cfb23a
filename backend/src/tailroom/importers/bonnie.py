"""The importer of bonnie++: the line of CSV after its table.

`Latency` is the largest time of one operation of a test, in whole µs, ms or s; no other latency is known.
`+++++` instead of a rate means that the test was too short to be measured. Since 1.98 the line has two more
columns: the numbers of seeks and of processes that seek. Source: the manuals of bonnie++.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tailroom.importers.importer import Detection
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.printed import amount
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import UNITS_NS, Summary, Time, all_series, cut
from tailroom.importers.text_runs import PrintedRun, ToolImporter, finished, text_lines

FORM = TOOL = "bonnie++"
_TESTS = (
    "putc",
    "put_block",
    "rewrite",
    "getc",
    "get_block",
    "seek",
    "seq_create",
    "seq_stat",
    "seq_delete",
    "ran_create",
    "ran_stat",
    "ran_delete",
)
_OF_BYTES = 5
"""The first tests are measured in KiB a second, the others in operations a second."""
_COLUMNS = (48, 50)
"""Number of columns up to 1.97, and since 1.98."""
_FACTS = {2: "machine", 3: "concurrency", 5: "file_size", 6: "chunk_size"}
_OF_SEEKS = {7: "seeks", 8: "seek_processes"}
_FILES = {
    12: "files",
    13: "file_most_bytes",
    14: "file_least_bytes",
    15: "directories",
    16: "file_chunk_size",
}
"""Columns with facts about files, counted from the first rate on."""
_FIRST_RATE = 7
_FIRST_OF_FILES, _FIRST_LATENCY = 17, 29
_LINE = re.compile(r"(?:[12]\.\d{1,2}[a-z]?),(?:[12]\.\d{1,2}[a-z]?),[^,\n]{0,200},\d{1,6},\d{1,20},.*")
_TIME = re.compile(r"(\d{1,12})(us|ms|s)")
_KIB = 1 << 10
_SEMANTICS = "one operation of a test, as the process times it; only the largest is printed"


def _detect(head: Head) -> Detection | None:
    for line in head.lines:
        if _LINE.fullmatch(line.strip()) is not None and line.count(",") + 1 in _COLUMNS:
            return Detection(FORM, TOOL, line.split(",")[1], "a line of CSV with 48 or 50 columns")
    return None


def _runs(source: Source) -> Iterator[ParsedRun]:
    for line_no, text in text_lines(source):
        cells = text.strip().split(",")
        if _LINE.fullmatch(text.strip()) is not None and len(cells) in _COLUMNS:
            yield _BonnieLine(line_no, cells=cells).run()


@dataclass(slots=True)
class _BonnieLine(PrintedRun):
    """One line of CSV, split into its columns (`cells`), as a run."""

    cells: list[str] = field(default_factory=list)

    @property
    def first(self) -> int:
        """Index of the column with the first rate."""
        return _FIRST_RATE + len(self.cells) - _COLUMNS[0]

    def run(self) -> ParsedRun:
        """Return the run, its facts cut to 200 characters. Without latencies it has a problem. Call once."""
        summaries = [self._read_test(number, name) for number, name in enumerate(_TESTS)]
        facts = _FACTS | {self.first + at: name for at, name in _FILES.items()}
        facts |= _OF_SEEKS if self.first > _FIRST_RATE else {}
        self.parameters = {name: self.cells[at][:200] for at, name in facts.items() if self.cells[at]}
        self.version = self.cells[1] or None
        series = all_series(summaries, self.problems, _SEMANTICS)
        ending = finished("the line is printed when the tests have ended")
        return self.parsed(FORM, TOOL, summaries, series, ending, without_series="no latencies")

    def _read_test(self, number: int, name: str) -> Summary:
        """Return the summary of test `number` (from 0); add its rate and CPU percentage to `claims`."""
        at = 2 * number if number <= _OF_BYTES else _FIRST_OF_FILES + 2 * (number - _OF_BYTES - 1)
        at += self.first
        rate, processor = amount(self.cells[at]), amount(self.cells[at + 1])
        is_bytes = number < _OF_BYTES
        quantity = "bandwidth_bytes_per_s" if is_bytes else "throughput_ops_per_s"
        self.add_number(name, quantity, rate, _KIB if is_bytes else 1, self.line)
        self.add_number(name, "processor_percent", processor, 1, self.line)
        match = _TIME.fullmatch(self.cells[self.first + _FIRST_LATENCY + number])
        most = None if match is None else cut(match[1], UNITS_NS[match[2]], match[2])
        if most is not None and match is not None:
            # Whether the last digit is rounded or cut is not documented: it may be either.
            most = Time(most.text, max(0, most.lower_ns - UNITS_NS[match[2]] // 2), most.upper_ns)
        return Summary(name, self.line, most=most, name=name)


BONNIE = ToolImporter(FORM, "bonnie++", _detect, _runs)
