"""The importer of sockperf: the statistics of its client, for each server.

A latency is half of the time from sending a message to receiving its echo. Messages are sent on a schedule
(`under-load`) or when the previous message came back (`ping-pong`), which the output does not state. Numbers
are microseconds with three decimals. Source: sockperf `src/client.cpp`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from tailroom.domain.units import NS_PER_S, NS_PER_US
from tailroom.importers.importer import Detection
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun
from tailroom.importers.printed import whole
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import Summary, all_series, rounded
from tailroom.importers.text_runs import MAX_RUNS, nothing_read, summarised_run, text_lines

_VALID = re.compile(
    r".*\[Valid Duration\] RunTime=([\d.]{1,20}) sec; SentMessages=(\d{1,18}); ReceivedMessages=(\d{1,18})"
)
_MEAN = re.compile(r".*avg-(?:latency|lat)= ?([\d.]{1,20}) \(std-dev=([\d.]{1,20}).*")
_TOTAL = re.compile(r".*Total (\d{1,18}) observations;.*")
_ROW = re.compile(r".*---> (?:percentile (\d{1,2}\.\d{1,6})|<(MAX|MIN)> observation) += +([\d.]{1,20})")
_LOST = re.compile(r".*# dropped messages = (\d{1,18}); # duplicated messages = (\d{1,18}); # out-of-order.*")
_VERSION = re.compile(r".*== version #([\w.-]{1,40}) ==.*")
_SEMANTICS = "half of the time from sending a message to receiving its echo"


@dataclass(slots=True)
class _SockperfRun:
    """The statistics of one server; latencies are in `summary`."""

    line: int
    summary: Summary = field(default_factory=lambda: Summary("message", 1, name="latency", later_ranks=1))
    claims: list[Claim] = field(default_factory=list)
    problems: Problems = field(default_factory=Problems)
    duration_ns: int | None = None
    version: str | None = None

    def read_line(self, line_no: int, text: str) -> None:
        """Store the numbers of a line of the statistics; ignore any other line."""
        summary = self.summary
        if (mean := _MEAN.fullmatch(text)) is not None:
            summary.line = line_no
            summary.mean, summary.deviation = (rounded(mean[at], NS_PER_US, "µs") for at in (1, 2))
        elif (total := _TOTAL.fullmatch(text)) is not None:
            summary.count = whole(total[1])
        elif (row := _ROW.fullmatch(text)) is not None:
            time = rounded(row[3], NS_PER_US, "µs")
            if row[2] == "MAX":
                summary.most = time
            elif row[2] == "MIN":
                summary.least = time
            elif time is not None and Fraction(row[1]) > 0:
                summary.quantiles.append((Fraction(row[1]) / 100, time))
        elif (lost := _LOST.fullmatch(text)) is not None and int(lost[1]):
            summary.errors = int(lost[1])
            self.problems.add("lost", f"{lost[1]} messages were dropped", line_no)

    def finish(self) -> ParsedRun:
        """Return the statistics of the server as a run."""
        summary = self.summary
        if summary.count == 0:
            summary.mean = summary.deviation = summary.least = summary.most = None
            summary.quantiles = []
        series = all_series([summary], self.problems, _SEMANTICS)
        is_whole = summary.least is not None
        return summarised_run(
            "sockperf",
            "sockperf",
            [summary],
            series,
            self.problems,
            state=EndState.FINISHED if is_whole else EndState.UNKNOWN,
            state_text="the smallest was printed at the end" if is_whole else "the output is cut",
            version=self.version,
            claims=self.claims,
            duration_ns=self.duration_ns,
        )


@dataclass(frozen=True, slots=True)
class SockperfImporter:
    """Importer of the statistics of sockperf's client."""

    name: str = "sockperf"
    looks_for: str = "`sockperf: ---> percentile 99.000 = …`"

    def detect(self, head: Head) -> Detection | None:
        """Recognise the format by the name before its lines. None for any other file."""
        if any(
            "sockperf: " in line and (_ROW.fullmatch(line.rstrip()) or "[Valid" in line)
            for line in head.lines
        ):
            return Detection("sockperf", "sockperf", None, "`sockperf: ---> percentile …`")
        return None

    def parse(self, source: Source, beside: Sequence[Source]) -> list[ParsedRun]:  # noqa: ARG002
        """Return a run for each server with a mean or a count. Raise ContentUnreadable without any."""
        runs = [run.finish() for run in _runs(source) if run.summary.mean is not None or run.summary.count]
        if not runs:
            raise nothing_read(source, "sockperf")
        return runs


def _runs(source: Source) -> Iterator[_SockperfRun]:
    """Yield the statistics of each of the first MAX_RUNS servers; without any, one without numbers."""
    run, number, version = _SockperfRun(1), 0, None
    for line_no, raw in text_lines(source):
        text = raw.strip()
        named, valid = _VERSION.fullmatch(text), _VALID.fullmatch(text)
        if named is not None:
            version = named[1]
        elif valid is not None and number < MAX_RUNS:
            if number:
                yield run
            run, number = _SockperfRun(line_no), number + 1
            ran = rounded(valid[1], NS_PER_S, "s")
            if ran is not None:
                run.duration_ns = ran.middle_ns
                run.claims.append(ran.claim("total", "duration_ns", line_no))
            for shown, quantity in ((valid[2], "sent_count"), (valid[3], "received_count")):
                if (count := whole(shown)) is not None:
                    run.claims.append(Claim.of_count("message", quantity, count, line_no))
        elif "sockperf: " in text:
            run.read_line(line_no, text)
        run.version = version
    yield run


SOCKPERF = SockperfImporter()
