"""The importer of sysbench, from 0.4 to 1.1: options, intermediate lines, histogram, statistics.

A latency is that of an event (a transaction, a file operation, a calculation), with all tries of a
transaction that was rolled back. With --rate it begins when the event was due, else when its thread began
with it. Least, mean and largest are printed with two decimals of a millisecond, the sum as well, so that the
mean follows from it more exactly. A percentile is the name of a bucket of the histogram (`intervals`).
Intermediate lines hold rates and a percentile, no counts. Source: sysbench `sysbench.c`, `db_driver.c`,
`sb_fileio.c`, `sb_memory.c`; 0.4.12 and 0.5 for the older words.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tailroom.domain.units import NS_PER_S
from tailroom.importers.columns import lacks_first_rows
from tailroom.importers.importer import Certainty, ContentUnreadable, Detection
from tailroom.importers.parsed_run import Claim, ClaimsOnDemand, EndState, ParsedRun, ParsedSeries
from tailroom.importers.printed import Printed, printed, whole
from tailroom.importers.source import Head, Source
from tailroom.importers.statements import MAX_TIME_NS, Statements
from tailroom.importers.sysbench.intervals import (
    MIB,
    NUMBER,
    OPTIONS,
    PERCENTILE,
    RESPONSE_SEMANTICS,
    SERVICE_SEMANTICS,
    TOTALS,
    IntervalLine,
    IntervalPercentile,
    SysbenchHistogramRow,
    percentile_of,
    periods_of,
    stated_numbers,
)
from tailroom.importers.sysbench.statistics import SysbenchStatistics
from tailroom.importers.text_runs import MAX_RUNS, PrintedRun, ToolImporter

BANNER = re.compile(r"sysbench (\d[\w.~+-]{0,40})(?:[:\s].*)?")
INTERVAL = re.compile(r"\[\s*(\d{1,9})s\s*\]\s*(\S.*)")
_TIME = re.compile(rf"(?:total time|time elapsed):\s+{NUMBER}s")
_FATAL = re.compile(r"(?:FATAL|ERROR|ALERT): .*")
_FORCED = "forcing shutdown"
_HISTOGRAM = "Latency histogram"
_ROW = re.compile(r"\s+(\d{1,9}\.\d{3}) \|\*{0,40}\s*(\d{1,18})")
_CHECKPOINT = re.compile(r"\[\s*\d{1,9}s\s*\] Checkpoint report:.*")
_BLOCK = re.compile(r"(\d{1,12})([KMG]?)i?[bB]")
_BLOCK_UNITS = {"": 1, "K": 1 << 10, "M": MIB, "G": 1 << 30}
_MAX_PERIODS = 200_000
_MAX_ROWS = 4_096
_SERVER_FACTS = ("plan.fraud.", "host.network_interfaces.")
_WORDS = ("Threads started!", "total number of events:", "Threads fairness:", "Test execution summary:")
_FIRST_OF_REPORT = ("Running the test with following options", "Initializing random number generator")
_FIRST_OF_STATISTICS = (
    *("SQL statistics:", "OLTP test statistics:", "CPU speed:", "File operations:", "Throughput:"),
    *("Operations performed:", "Total operations:", "General statistics:", "Test execution summary:"),
)
_RATES = ("tps:", "eps:", "qps:", "MiB/s", "queue length:")


@dataclass(slots=True)
class SysbenchReportReader(PrintedRun):
    """Parser of a report; call `read` for each line, then `finish`."""

    interval_lines: list[IntervalLine] = field(default_factory=list)
    operations: set[str] = field(default_factory=set)
    """Operations about which a line states something."""
    intervals: list[IntervalPercentile] = field(default_factory=list)
    statistics: SysbenchStatistics = field(default_factory=SysbenchStatistics)
    total_s: Printed | None = None
    """Stated total time in seconds; None if not printed."""
    failed: str | None = None
    """The first error that sysbench printed; None without any."""
    forced: bool = False
    """Whether the run was shut down by force."""
    in_histogram: bool = False
    last_second: int = 0
    """End of the last interval in seconds."""
    first_second: int | None = None
    """End of the first interval, until the second one shows whether the output begins with it."""
    origin_s: int = 0
    """Second at which the first stored interval begins, later than 0 in an excerpt."""

    def read(self, line_no: int, text: str) -> None:
        """Store what a line states; an empty line, or text with a colon, ends a histogram."""
        stripped = text.strip()
        if self.in_histogram and self._read_histogram_row(line_no, text):
            return
        if " " not in stripped and "\t" not in stripped:
            # No line of a report is a single word; damaged files have millions of them.
            return
        if _CHECKPOINT.fullmatch(stripped):
            self._drop_before_checkpoint(line_no)
        elif (interval := INTERVAL.fullmatch(stripped)) is not None:
            self._add_interval(line_no, interval)
        elif (banner := BANNER.fullmatch(stripped)) is not None:
            self.version = banner[1].rstrip(":")
        elif stripped.startswith(_HISTOGRAM):
            self.in_histogram = True
        elif _FATAL.match(stripped) or _FORCED in stripped:
            self._store_error(line_no, stripped)
        elif (total := _TIME.fullmatch(stripped)) is not None:
            self.total_s = printed(total[1])
        elif not (self.statistics.line(line_no, stripped) or self._store_totals(line_no, stripped)):
            self._store_option(stripped)

    def _drop_before_checkpoint(self, line_no: int) -> None:
        self.statistics.moments, self.statistics.percentile, self.claims = {}, None, []
        self.operations = {
            operation for line in self.interval_lines for operation, *_ in stated_numbers(line.text)
        }
        reason = "a checkpoint: statistics after it start again, those before were left out"
        self.problems.add("checkpoint", reason, line_no)

    def _store_error(self, line_no: int, text: str) -> None:
        if _FORCED in text:
            self.forced = True
        else:
            self.failed = self.failed or text[:200]
        self.problems.error("fatal", text[:200], line_no)

    def _read_histogram_row(self, line_no: int, text: str) -> bool:
        """Store a row of the histogram; return True for a row or the heading of its columns."""
        match = _ROW.fullmatch(text)
        if match is None:
            self.in_histogram = not (self.statistics.rows and (not text.strip() or ":" in text))
            return "value" in text and "distribution" in text
        name, count = printed(match[1]), whole(match[2])
        if name is None or count is None or len(self.statistics.rows) >= _MAX_ROWS:
            self.problems.error("row", f"no row of a histogram: {text.strip()[:60]!r}", line_no)
        else:
            self.statistics.rows.append(SysbenchHistogramRow(line_no, name, count))
        return True

    def _add_interval(self, line_no: int, match: re.Match[str]) -> None:
        """Store rates and percentile of a line; report and ignore a falling time, and over 200,000 lines."""
        end_s, rest = int(match[1]), match[2]
        if end_s < self.last_second or len(self.intervals) >= _MAX_PERIODS:
            self.problems.add("time", "the time falls, or there are too many lines; left out", line_no)
            return
        self._find_origin(line_no, end_s)
        numbers = list(stated_numbers(rest))
        self.operations.update(operation for operation, *_ in numbers)
        if numbers:
            begin_s = self.last_second
            if end_s == begin_s:
                # A further line about the last interval: `queue length:`.
                begin_s = self.intervals[-2].end_s if len(self.intervals) > 1 else 0
            self.interval_lines.append(IntervalLine(line_no, begin_s, end_s, rest))
        if (percentile := PERCENTILE.search(rest)) is not None:
            rate = self._least_rate(numbers)
            self.intervals.append(IntervalPercentile(end_s, percentile_of(percentile), rate))
        self.last_second = end_s

    def _least_rate(self, numbers: Sequence[tuple[str, str, Printed, int, float | None]]) -> float:
        """Return a lower bound of events a second, by rate and bandwidth in whole blocks; 0 without them."""
        rate = moved = 0.0
        for operation, quantity, value, unit, _ in numbers:
            if operation == "event" and quantity == "throughput_ops_per_s":
                rate = value.ends()[0]
            elif operation in ("read", "write"):
                moved += value.ends(unit)[0]
        block = _BLOCK.fullmatch(str(self.parameters.get("block_size", "")))
        if block is not None and int(block[1]):
            rate = max(rate, moved / (int(block[1]) * _BLOCK_UNITS[block[2]]))
        return rate

    def _find_origin(self, line_no: int, end_s: int) -> None:
        """Drop the first interval, with a note, if the second shows that the lines before are missing."""
        first_s = self.first_second
        if first_s is None and not self.intervals:
            self.first_second = end_s
        elif first_s is not None and end_s > first_s:
            self.first_second = None
            if lacks_first_rows((first_s, end_s), 1):
                self.origin_s = first_s
                self.interval_lines, self.intervals = [], []
                self.problems.note(
                    "excerpt",
                    f"the lines before are missing: that of {first_s} s only says where this one begins",
                    line_no,
                )

    def _store_totals(self, line_no: int, text: str) -> bool:
        """Store the rates and counts of a line as claims; return False if it states none."""
        before = len(self.claims)
        for pattern, operation, quantity, unit in TOTALS:
            match = pattern.fullmatch(text)
            if match is None:
                continue
            if unit is None:
                self.add_count(operation, quantity, whole(match[1]), line_no)
            else:
                self.add_number(operation, quantity, printed(match[1]), unit, line_no)
        self.operations.update(claim.operation for claim in self.claims[before:])
        return len(self.claims) > before

    def _store_option(self, text: str) -> None:
        for pattern, name in OPTIONS:
            match = pattern.fullmatch(text)
            if match is not None:
                number = whole(match[1])
                self.parameters.setdefault(name, match[1] if number is None else number)

    @property
    def begun(self) -> bool:
        """Whether statistics, intermediate lines, claims or an error were read."""
        has_events = self.statistics.events is not None
        has_lines = bool(self.intervals or self.interval_lines or self.claims)
        return has_events or has_lines or self.failed is not None

    def finish(self) -> ParsedRun:
        """Return the run so far."""
        has_rate = "rate_per_s" in self.parameters or "queue" in self.operations
        periods = periods_of(self.intervals, self.origin_s)
        record = self.statistics.record(self.problems)
        claims: list[Claim | IntervalLine] = [*self.interval_lines, *self.claims, *self.statistics.claims()]
        series = []
        if record is not None or periods:
            series.append(
                ParsedSeries(
                    "event",
                    "response" if has_rate else "service",
                    record if record is not None else Statements().record(),
                    semantics=RESPONSE_SEMANTICS if has_rate else SERVICE_SEMANTICS,
                    source_name="Latency",
                    periods=periods,
                )
            )
        self.duration_ns = self._duration_ns()
        stated = ["connections"] if "connections" in self.parameters else []
        run = self.parsed(
            "sysbench", "sysbench", [], series, self._state(), closed_loop=not has_rate, stated=stated
        )
        missing = run.missing
        if "query" not in self.operations:
            missing = tuple(name for name in missing if not name.startswith(_SERVER_FACTS))
        return replace(run, claims=ClaimsOnDemand.of(claims), missing=missing)

    def _duration_ns(self) -> int | None:
        """Return the stated total time in ns, else the time from origin to the last interval; None if 0."""
        if self.total_s is not None and self.total_s.value * NS_PER_S < MAX_TIME_NS:
            return int(self.total_s.value * NS_PER_S)
        return (self.last_second - self.origin_s) * NS_PER_S or None

    def _state(self) -> tuple[EndState, str]:
        if self.failed is not None:
            return EndState.FAILED, self.failed
        if self.forced:
            return EndState.KILLED, "the time limit was over before the last events: forced shutdown"
        if not self.statistics.is_complete:
            return EndState.UNKNOWN, "the statistics are missing: the run was stopped, or is not over"
        return EndState.FINISHED, "the statistics are whole"


def _detect(head: Head) -> Detection | None:
    lines = [line.strip() for line in head.lines]
    banner = next((match for line in lines if (match := BANNER.fullmatch(line))), None)
    words = [word for word in _WORDS if word in head.text]
    if banner is not None and ("Running the test with following options" in head.text or words):
        return Detection(
            "sysbench", "sysbench", banner[1].rstrip(":"), "the banner of sysbench and its report"
        )
    intervals = [match for line in lines if (match := INTERVAL.fullmatch(line))]
    if any("thds:" in interval[2] for interval in intervals) or len(words) > 1:
        return Detection("sysbench", "sysbench", None, "lines of a report of sysbench")
    if intervals and any(word in interval[2] for interval in intervals for word in _RATES):
        return Detection(
            "sysbench", "sysbench", None, "lines of seconds and rates as sysbench's", Certainty.LIKELY
        )
    return None


def _runs(source: Source) -> list[ParsedRun]:
    """Return the reports with a result, 1,000 at most. Raise ContentUnreadable without any."""
    readers = [SysbenchReportReader(1)]
    for line_no, line in source.lines():
        text = line.decode("utf-8", "replace")
        if _is_next_report(text, readers[-1]) and len(readers) < MAX_RUNS:
            readers.append(SysbenchReportReader(line_no))
        readers[-1].read(line_no, text)
    runs = [reader.finish() for reader in readers if reader.begun]
    if not runs:
        raise ContentUnreadable(f"{source.name} has no result of sysbench that can be read")
    return runs


def _is_next_report(text: str, before: SysbenchReportReader) -> bool:
    """Return whether a line begins another report: a banner after any result of the report `before`.

    Reports are copied without banner, too: after a number of events, options or statistics begin the next.
    """
    if not before.begun:
        return False
    if "sysbench " in text and BANNER.fullmatch(text.strip()) is not None:
        return True
    if before.statistics.events is None:
        return False
    return text.lstrip().startswith((*_FIRST_OF_REPORT, *_FIRST_OF_STATISTICS))


SYSBENCH = ToolImporter("sysbench", "sysbench", _detect, _runs)
