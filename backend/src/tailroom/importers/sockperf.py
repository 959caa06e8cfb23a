"""The importer of sockperf: the statistics of its client, for each server.

A latency is half of the time from sending a message to receiving its echo. Messages are sent on a schedule
(`under-load`) or when the previous message came back (`ping-pong`), which the output does not state. Numbers
are microseconds with three decimals. Source: sockperf `src/client.cpp`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tailroom.domain.units import NS_PER_S, NS_PER_US
from tailroom.importers.importer import Detection
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.printed import whole
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import Summary, all_series, rounded
from tailroom.importers.text_runs import PrintedRun, ToolImporter, finished_if, sections

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
class _SockperfRun(PrintedRun):
    """The statistics of one server; latencies are in `summary`."""

    summary: Summary = field(default_factory=lambda: Summary("message", 1, name="latency", later_ranks=1))

    def take(self, line_no: int, text: str) -> None:
        """Store the numbers of a line of the statistics; ignore any other line."""
        if "sockperf: " not in text:
            return
        summary = self.summary
        if (mean := _MEAN.fullmatch(text)) is not None:
            summary.line = line_no
            summary.mean, summary.deviation = (rounded(mean[at], NS_PER_US, "µs") for at in (1, 2))
        elif (total := _TOTAL.fullmatch(text)) is not None:
            summary.count = whole(total[1])
        elif (row := _ROW.fullmatch(text)) is not None:
            summary.set_time(row[1] or row[2].lower(), rounded(row[3], NS_PER_US, "µs"))
        elif (lost := _LOST.fullmatch(text)) is not None and int(lost[1]):
            summary.errors = int(lost[1])
            self.problems.add("lost", f"{lost[1]} messages were dropped", line_no)

    def finish(self) -> ParsedRun:
        """Return the statistics of the server as a run, without latencies if it observed no message."""
        summary = self.summary
        if summary.count == 0:
            summary.drop_times()
        return self.parsed(
            "sockperf",
            "sockperf",
            [summary],
            all_series([summary], self.problems, _SEMANTICS),
            finished_if(summary.least, "the smallest was printed at the end", "the output is cut"),
        )


def _detect(head: Head) -> Detection | None:
    if any(
        "sockperf: " in line and (_ROW.fullmatch(line.rstrip()) or "[Valid" in line) for line in head.lines
    ):
        return Detection("sockperf", "sockperf", None, "`sockperf: ---> percentile …`")
    return None


def _runs(source: Source) -> Iterator[ParsedRun]:
    version: str | None = None

    def begin(line_no: int, raw: str, run: _SockperfRun | None) -> _SockperfRun | None:
        nonlocal version
        text = raw.strip()
        named, valid = _VERSION.fullmatch(text), _VALID.fullmatch(text)
        version = version if named is None else named[1]
        if valid is None and run is not None:
            return None
        # The statistics of an excerpt may be without their first line.
        begun = _SockperfRun(line_no if valid is not None else 1, version=version)
        begun.take(line_no, text)
        if valid is None:
            return begun
        begun.set_duration(rounded(valid[1], NS_PER_S, "s"), line_no)
        begun.add_count("message", "sent_count", whole(valid[2]), line_no)
        begun.add_count("message", "received_count", whole(valid[3]), line_no)
        return begun

    for run in sections(source, begin, _SockperfRun.take):
        if run.summary.mean is not None or run.summary.count:
            yield run.finish()


SOCKPERF = ToolImporter("sockperf", "sockperf", _detect, _runs)
