"""The importer of CrystalDiskMark: the text that it copies and saves.

A line has the highest rate and the smallest mean of several passes, perhaps of different passes. So with more
than one pass a mean is only shown. `IOPS` is calculated from the rate. Queues are kept full, a closed loop.
Source: CrystalDiskMark `DiskMarkDlg.cpp`, `DiskBench.cpp`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tailroom.domain.units import NS_PER_US
from tailroom.importers.importer import Detection
from tailroom.importers.parsed_run import ParsedRun, ParsedSeries
from tailroom.importers.printed import printed, whole
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import Summary, all_series, rounded
from tailroom.importers.text_runs import PrintedRun, ToolImporter, finished, sections

FORM = TOOL = "crystaldiskmark"
_TITLE = re.compile(r"\s*CrystalDiskMark (\d[\w.]{0,20})\b.*")
_PART = re.compile(r"\[(Read|Write|Mix)\].*")
_TEST = re.compile(
    r"\s*((?:SEQ|RND|Sequential|Random)\s+\d+\s*[KM]iB \(Q=\s*\d+, ?T=\s*\d+\)|"
    r"(?:Sequential|Random) (?:Read|Write)[^:]{0,40}?)\s*:"
    r"\s+(\d[\d.]{0,20}) MB/s(?:\s+\[\s*(\d[\d.]{0,20}) IOPS\])?(?:\s+<\s*(\d[\d.]{0,20}) us>)?"
)
_FACT = re.compile(r"\s*(Profile|Test|Mode|Time|Date|OS|Comment)\s*: ?\s*(\S.*)")
_PASSES = re.compile(r".*\(x\s?(\d{1,3})\).*")
_SEMANTICS = "mean of one pass, from queueing to completion, as the load generator inside prints it"
_MB = 1_000_000


@dataclass(slots=True)
class _DiskMarkTest:
    """One line of a result; `rate` (MB/s), `iops` and `mean` (µs) are texts as printed, None if absent."""

    line: int
    operation: str
    name: str
    rate: str
    iops: str | None
    mean: str | None


@dataclass(slots=True)
class _Result(PrintedRun):
    """One result text: its tests, and the facts below them; `operation` is that of the next tests."""

    tests: list[_DiskMarkTest] = field(default_factory=list)
    operation: str = ""

    @property
    def passes(self) -> int | None:
        """Number of passes, of which each printed figure is the best; None if not stated."""
        match = _PASSES.fullmatch(str(self.parameters.get("test", "")))
        return None if match is None else whole(match[1])

    def take(self, line_no: int, text: str) -> None:
        """Store a test, the operation of the next tests, or a fact; ignore any other line."""
        if (part := _PART.fullmatch(text)) is not None:
            self.operation = part[1].lower()
        elif (match := _TEST.fullmatch(text)) is not None:
            name = " ".join(match[1].split())
            of_old = "read" if " Read" in name else "write" if " Write" in name else ""
            self.tests.append(_DiskMarkTest(line_no, self.operation or of_old, name, *match.groups()[1:]))
        elif (fact := _FACT.fullmatch(text)) is not None:
            self.parameters.setdefault(fact[1].lower(), fact[2].strip()[:300])

    def finish(self) -> ParsedRun:
        """Return the run: numbers as claims, and means as series if the tests had one pass, else a note."""
        series: list[ParsedSeries] = []
        for test in self.tests:
            label = f"{test.operation} {test.name}"
            self.add_number(label, "bandwidth_bytes_per_s", printed(test.rate), _MB, test.line)
            self.add_number(label, "throughput_ops_per_s", printed(test.iops or ""), 1, test.line)
            mean = None if test.mean is None else rounded(test.mean, NS_PER_US, "us")
            if mean is None or not mean.upper_ns or float(test.mean or 0) == 0.0:
                continue
            summary = Summary(test.operation, test.line, mean=mean, name=test.name)
            self.add_time(label, "latency_mean_ns", mean, test.line)
            if self.passes == 1:
                series += all_series([summary], self.problems, _SEMANTICS, phase=test.name)
        if not series:
            self.problems.note(
                "best",
                "each figure is the best of its passes, chosen for itself: it says nothing of the others, "
                "and is only shown",
                self.line,
            )
        ending = finished("the text is written when the tests have ended")
        return self.parsed(FORM, TOOL, [], series, ending)


def _detect(head: Head) -> Detection | None:
    title = next((match for line in head.lines if (match := _TITLE.fullmatch(line)) is not None), None)
    if title is not None and any(_TEST.fullmatch(line.rstrip()) for line in head.lines):
        return Detection(FORM, TOOL, title[1], f"`CrystalDiskMark {title[1]}`")
    return None


def _begin(line_no: int, text: str, _: _Result | None) -> _Result | None:
    title = _TITLE.fullmatch(text)
    return None if title is None else _Result(line_no, version=title[1])


def _runs(source: Source) -> Iterator[ParsedRun]:
    return (result.finish() for result in sections(source, _begin, _Result.take) if result.tests)


CRYSTAL_DISK_MARK = ToolImporter(FORM, "CrystalDiskMark", _detect, _runs)
