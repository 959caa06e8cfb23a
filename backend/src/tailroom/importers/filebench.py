"""The importer of filebench: the breakdown by operation that it prints at its end.

Times are rounded to whole microseconds. With `enable lathist` each operation has exact counts between powers
of two nanoseconds. A thread waits for an operation before the next. Operations that only wait for other
threads are included. Source: filebench `stats.c`, `flowop.c`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tailroom.domain.units import NS_PER_MS
from tailroom.importers.importer import Detection
from tailroom.importers.parsed_run import ParsedRun, Value
from tailroom.importers.printed import printed, whole
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import Summary, Time, all_series, rounded
from tailroom.importers.text_runs import PrintedRun, ToolImporter, finished, sections

FORM = TOOL = "filebench"
_BEGIN = re.compile(r"[\d.]{1,12}: Per-Operation Breakdown")
_NUMBER = r"(\d[\d.]{0,30})"
_OPERATION = re.compile(
    rf"(\S{{1,100}})\s+(\d{{1,18}})ops\s+{_NUMBER}ops/s\s+{_NUMBER}mb/s\s+{_NUMBER}ms/op"
    rf"(?:\s+\[{_NUMBER}ms\s+-\s+{_NUMBER}ms\])?(?:\s+\[((?:\s++\d++)++)\s+\])?"
)
_SUMMARY = re.compile(
    rf"[\d.]{{1,12}}: IO Summary:\s+(\d{{1,18}}) ops\s+{_NUMBER} ops/s\s+(\d{{1,18}})/(\d{{1,18}}) rd/wr"
    rf"\s+{_NUMBER}mb/s\s+{_NUMBER}ms/op"
)
_VERSION = re.compile(r"Filebench Version (\S{1,40})")
_RAN = re.compile(r"[\d.]{1,12}: Run took (\d{1,9}) seconds.*")
_MIB = 1 << 20
_BUCKETS = 64
_SEMANTICS = "one operation of a thread, from its call to its return"


@dataclass(slots=True)
class _Breakdown(PrintedRun):
    """Printed results of one breakdown, with a summary for each operation."""

    summaries: list[Summary] = field(default_factory=list)

    def take(self, line_no: int, text: str) -> None:
        """Store the numbers of an operation, or of all; ignore any other line."""
        if (match := _OPERATION.fullmatch(text)) is not None:
            self.add(line_no, match)
        elif (match := _SUMMARY.fullmatch(text)) is not None:
            count, rate, reads, writes, bandwidth, mean = map(printed, match.groups())
            self.add_number("total", "operation_count", count, line=line_no)
            self.add_number("total", "throughput_ops_per_s", rate, line=line_no)
            self.add_number("read", "throughput_ops_per_s", reads, line=line_no)
            self.add_number("write", "throughput_ops_per_s", writes, line=line_no)
            self.add_number("total", "bandwidth_bytes_per_s", bandwidth, _MIB, line_no)
            self.add_number("total", "latency_mean_ns", mean, NS_PER_MS, line_no)

    def add(self, line_no: int, match: re.Match[str]) -> None:
        """Add the operation of a line; a histogram whose sum is not its count is left out, with a problem."""
        name, count, rate, bandwidth, mean, least, most, histogram = match.groups()
        summary = Summary(name, line_no, count=whole(count), rate=printed(rate), name=name)
        self.add_number(name, "bandwidth_bytes_per_s", printed(bandwidth), _MIB, line_no)
        if summary.count:
            summary.mean = rounded(mean, NS_PER_MS, "ms")
            summary.most = None if most is None else rounded(most, NS_PER_MS, "ms")
            summary.least = None if least is None else rounded(least, NS_PER_MS, "ms")
        amounts = [whole(text) for text in histogram.split()] if histogram else []
        if amounts and (len(amounts) != _BUCKETS or sum(amount or 0 for amount in amounts) != summary.count):
            self.problems.add("histogram", f"the histogram of {name} does not count its operations", line_no)
        elif amounts:
            total = 0
            for bucket, amount in enumerate(amounts):
                total += amount or 0
                if amount and bucket < _BUCKETS - 4:
                    edge_ns = 1 << bucket
                    summary.below.append((Time(f"{edge_ns} ns", edge_ns, edge_ns - 1), total))
                    low_ns = edge_ns >> 1
                    summary.below.append((Time(f"{low_ns} ns", low_ns, low_ns - 1), total - amount))
        self.summaries.append(summary)

    def finish(self) -> ParsedRun:
        """Return the breakdown as a run; report one without latencies."""
        series = all_series(self.summaries, self.problems, _SEMANTICS)
        ending = finished("the breakdown was printed")
        return self.parsed(FORM, TOOL, self.summaries, series, ending, without_series="no latencies")


def _detect(head: Head) -> Detection | None:
    if any(_BEGIN.fullmatch(line.strip()) for line in head.lines) and "ms/op" in head.text:
        return Detection(FORM, TOOL, None, "`Per-Operation Breakdown`")
    return None


def _runs(source: Source) -> Iterator[ParsedRun]:
    version: str | None = None
    settings: dict[str, Value] = {}

    def begin(line_no: int, text: str, _: _Breakdown | None) -> _Breakdown | None:
        nonlocal version, settings
        if (title := _VERSION.search(text)) is not None:
            version = title[1]
        elif (ran := _RAN.fullmatch(text.strip())) is not None:
            settings = {"run_seconds": whole(ran[1])}
        elif _BEGIN.fullmatch(text.strip()) is not None:
            stated, settings = settings, {}
            return _Breakdown(line_no, stated, version=version)
        return None

    def add(breakdown: _Breakdown, line_no: int, text: str) -> None:
        breakdown.take(line_no, text.strip())

    return (breakdown.finish() for breakdown in sections(source, begin, add) if breakdown.summaries)


FILEBENCH = ToolImporter(FORM, "filebench", _detect, _runs)
