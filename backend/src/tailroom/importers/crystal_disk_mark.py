"""The importer of CrystalDiskMark: the text that it copies and saves.

A line is the best of several passes: the highest rate and the smallest mean of a pass, which need not be the
same pass. So with more than one pass a mean is only a claim. `IOPS` is calculated from the rate.
Queues are kept full, a closed loop. Source: CrystalDiskMark `DiskMarkDlg.cpp`, `DiskBench.cpp`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tailroom.domain.units import NS_PER_US
from tailroom.importers.importer import Detection
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, ParsedSeries, Value
from tailroom.importers.printed import printed, whole
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import Summary, rounded
from tailroom.importers.text_runs import TextImporter, summarised_run, text_lines
from tailroom.importers.web_load.claims import number_claims

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
class _Result:
    """One result text: its tests, and the facts below them."""

    line: int
    version: str
    tests: list[_DiskMarkTest] = field(default_factory=list)
    parameters: dict[str, Value] = field(default_factory=dict)

    @property
    def passes(self) -> int | None:
        """Number of passes of which the best is printed; None if not stated."""
        match = _PASSES.fullmatch(str(self.parameters.get("test", "")))
        return None if match is None else whole(match[1])

    def finish(self) -> ParsedRun:
        """Return the run with the printed numbers as claims; means become series only of single passes."""
        problems, claims = Problems(), list[Claim]()
        series: list[ParsedSeries] = []
        for test in self.tests:
            label = f"{test.operation} {test.name}"
            rate, iops = printed(test.rate), printed(test.iops or "")
            claims += number_claims(label, "bandwidth_bytes_per_s", rate, _MB, test.line)
            claims += number_claims(label, "throughput_ops_per_s", iops, 1, test.line)
            mean = None if test.mean is None else rounded(test.mean, NS_PER_US, "us")
            if mean is None or not mean.upper_ns or float(test.mean or 0) == 0.0:
                continue
            summary = Summary(test.operation, test.line, mean=mean, name=test.name)
            claims.append(mean.claim(label, "latency_mean_ns", test.line))
            parsed = summary.series(problems, _SEMANTICS, phase=test.name) if self.passes == 1 else None
            series += [] if parsed is None else [parsed]
        if not series:
            problems.add(
                "best",
                "each figure is the best of its passes, chosen for itself: it says nothing of the others, "
                "and is only shown",
                self.line,
                note=True,
            )
        return summarised_run(
            FORM,
            TOOL,
            [],
            series,
            problems,
            state=EndState.FINISHED,
            state_text="the text is written when the tests have ended",
            version=self.version,
            claims=claims,
            parameters=self.parameters,
        )


def _detect(head: Head) -> Detection | None:
    """Recognise the format by its title and a line of a test; None for other files."""
    title = next((match for line in head.lines if (match := _TITLE.fullmatch(line)) is not None), None)
    if title is not None and any(_TEST.fullmatch(line.rstrip()) for line in head.lines):
        return Detection(FORM, TOOL, title[1], f"`CrystalDiskMark {title[1]}`")
    return None


def _runs(source: Source) -> Iterator[ParsedRun]:
    """Yield a run for each result with tests."""
    return (result.finish() for result in _results(source) if result.tests)


def _results(source: Source) -> Iterator[_Result]:
    """Yield each result text of the file, from its title on."""
    result: _Result | None = None
    operation = ""
    for line_no, text in text_lines(source):
        title, part = _TITLE.fullmatch(text), _PART.fullmatch(text)
        if title is not None:
            if result is not None:
                yield result
            result, operation = _Result(line_no, title[1]), ""
        elif part is not None:
            operation = part[1].lower()
        elif result is not None and (match := _TEST.fullmatch(text)) is not None:
            name = " ".join(match[1].split())
            of_old = "read" if " Read" in name else "write" if " Write" in name else ""
            result.tests.append(_DiskMarkTest(line_no, operation or of_old, name, *match.groups()[1:]))
        elif result is not None and (fact := _FACT.fullmatch(text)) is not None:
            result.parameters.setdefault(fact[1].lower(), fact[2].strip()[:300])
    if result is not None:
        yield result


CRYSTAL_DISK_MARK = TextImporter(
    FORM,
    "`CrystalDiskMark` with its version, and lines of `MB/s`",
    "CrystalDiskMark",
    _detect,
    _runs,
)
