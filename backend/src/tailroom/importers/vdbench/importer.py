"""The importer of vdbench: flat file, totals, summary, standard output and histograms, a run for each `RD=`.

Times are milliseconds with three decimals (four in the flat file), rounded, from the start of the I/O to its
end, without the wait for a late thread. Only rates are printed, no numbers of operations. `avg_2-60` are the
averages of the run without its first intervals; if they are missing, the run has the bounds that hold in
every interval. Histograms count whole microseconds exactly. Source: `Vdb/Flat.java`, `Vdb/Report.java`,
`Vdb/Histogram.java`, `Vdb/BucketRanges.java`, `Vdb/RD_entry.java`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from tailroom.domain.errors import DomainError
from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.importer import Detection
from tailroom.importers.parsed_run import EndState, ParsedRun, ParsedSeries, Period, Value
from tailroom.importers.printed import amount, printed
from tailroom.importers.source import Head, Source
from tailroom.importers.statements import Statements, enclosing
from tailroom.importers.summaries import Summary, rounded
from tailroom.importers.text_runs import MAX_RUNS, PrintedRun, ToolImporter, finished_if, text_lines
from tailroom.importers.vdbench.rows import (
    TITLES,
    Histogram,
    VdbenchRow,
    VdbenchTable,
    is_flat_head,
    is_table_head,
    plain,
)

_RUN = re.compile(r"(?:\d\d:\d\d:\d\d\.\d{3}\s+)?(?:Starting|Simulating) RD=([^;\s]{1,80})(;?.{0,400})")
_FACT = re.compile(r"(I/O rate|elapsed|fwdrate|For loops)[:=]\s*([^;]{1,120})")
_VERSION = re.compile(r"[Vv]dbench distribution: ?(vdbench\S{1,40})")
_FAILURE = re.compile(
    r".*(?:Vdbench aborting|java\.lang\.RuntimeException|ERROR RECAP|Data Validation error).*"
)
_EXTREME = re.compile(
    r"\d\d:\d\d:\d\d\.\d{3}\s+(std|max)_\d{1,9}-\d{1,9}\s+[\d.]{1,20}\s+(\d{1,15}\.\d{1,4})(?:\s.*)?"
)
"""Below the averages of file systems: deviation and largest of all response times, in the second column."""
_SEMANTICS = "one I/O, from its start on a thread of vdbench to its end; the wait for a thread is not in it"
_OPERATIONS = (("all", "", "rate"), ("read", "read_", "read_rate"), ("write", "write_", "write_rate"))
_MAX_ROWS = 100_000
_MAX_HISTOGRAMS = 20


@dataclass(slots=True)
class _VdbenchRun(PrintedRun):
    """One run (`RD=`): its intervals (`rows`), averages at its end, and histograms."""

    name: str = ""
    rows: list[VdbenchRow] = field(default_factory=list)
    average: VdbenchRow | None = None
    histograms: list[Histogram] = field(default_factory=list)
    failure: str | None = None

    def finish(self, version: str | None) -> ParsedRun:
        """Return the run, from its histograms, else its averages, else its intervals."""
        summaries = [] if self.average is None else list(_summaries(self.average))
        seconds = self._interval_s()
        series = list(self._series(summaries, seconds))
        words = "the averages of the run were printed"
        if not self.rows and self.average is None:
            words = "the histograms of the run were printed"
        otherwise = "the averages at the end are missing: the run was stopped, or is not over"
        ending = finished_if(self.average is not None or not self.rows, words, otherwise)
        if self.average is not None:
            bandwidth, line = amount(self.average.values.get("mb/sec", "")), self.average.line
            self.add_number("all", "bandwidth_bytes_per_s", bandwidth, 1 << 20, line, sign=" MiB/s")
        self.version, self.parameters = version, {"run": self.name, **self.parameters}
        self.duration_ns = None if seconds is None else len(self.rows) * seconds * NS_PER_S
        return self.parsed(
            "vdbench",
            "vdbench",
            summaries,
            series,
            ending if self.failure is None else (EndState.FAILED, self.failure),
            without_series=f"no response times in {self.name}",
            stated=["address"],
        )

    def _interval_s(self) -> int | None:
        """Return the length of an interval in seconds, by the times of day of its lines; None if unknown."""
        gaps = [after.time_ms - before.time_ms for before, after in pairwise(self.rows)]
        seconds = round(median(gaps) / 1000) if gaps else 0
        return seconds if 0 < seconds < 1_000_000 else None

    def _series(self, summaries: Sequence[Summary], seconds: int | None) -> Iterator[ParsedSeries]:
        """Yield series of all, reads, writes: by histogram, averages or intervals of `seconds` (or None)."""
        exact = {histogram.operation: histogram for histogram in self.histograms}
        by_name = {summary.operation: summary for summary in summaries}
        for name, _, _ in _OPERATIONS:
            periods, summary = self._periods(name, seconds), by_name.get(name)
            series = None
            if name in exact:
                series = self._histogram_series(exact[name], summary, periods)
            if series is None and summary is not None:
                series = summary.series(self.problems, _SEMANTICS, periods=periods)
            elif series is None and self.average is None and periods:
                series = self._enclosing_series(name, periods)
            if series is not None:
                yield series

    def _histogram_series(
        self, histogram: Histogram, summary: Summary | None, periods: tuple[Period, ...]
    ) -> ParsedSeries | None:
        operation = histogram.operation
        try:
            record = histogram.distribution()
        except DomainError as error:
            reason = f"histogram of {operation}: {error}"
            self.problems.error("histogram", reason, histogram.line)
            return None
        summary = summary or Summary(operation, histogram.line)
        return summary.series_of(record, _SEMANTICS, periods=periods)

    def _statements(self, operation: str) -> Iterator[tuple[int, Statements]]:
        for row in self.rows:
            for summary in _summaries(row):
                if summary.operation == operation:
                    yield int(row.interval), summary.statements()

    def _periods(self, operation: str, seconds: int | None) -> tuple[Period, ...]:
        periods = []
        for interval, statements in self._statements(operation) if seconds is not None else ():
            length_ns = (seconds or 0) * NS_PER_S
            with suppress(DomainError):
                periods.append(Period((interval - 1) * length_ns, length_ns, statements.record()))
        return tuple(periods)

    def _enclosing_series(self, operation: str, periods: tuple[Period, ...]) -> ParsedSeries | None:
        """Return the series of bounds that hold in every interval, with a note; None if contradictory."""
        reason = f"{operation}: what holds of every interval that was printed"
        self.problems.note("averages", reason, self.line)
        try:
            record = enclosing([statements for _, statements in self._statements(operation)]).record()
        except DomainError:
            return None
        return Summary(operation, self.line).series_of(record, _SEMANTICS, periods=periods)


def _summaries(row: VdbenchRow) -> Iterator[Summary]:
    """Yield the summaries of all operations, of reads and of writes of a row, if any were done and timed."""
    share = printed(row.values.get("read%", ""))
    for operation, prefix, rate_name in _OPERATIONS:
        summary = Summary(operation, row.line, name=operation, rate=printed(row.values.get(rate_name, "")))
        if summary.rate is not None and summary.rate.value == 0:
            continue
        if share is not None and share.value == {"read": 0, "write": 100}.get(operation, -1):
            continue
        names = ("resp", "resp_std", "resp_max")
        if prefix:
            names = (f"{prefix}resp", f"{prefix}std", f"{prefix}max")
        mean, deviation, most = (rounded(row.values.get(name, ""), NS_PER_MS, "ms") for name in names)
        if mean is None or mean.upper_ns == 0 or _is_zero(row.values.get(names[0], "")):
            continue
        summary.mean, summary.deviation = mean, deviation
        summary.most = None if most is None or _is_zero(row.values.get(names[2], "")) else most
        yield summary


def _is_zero(text: str) -> bool:
    number = printed(text)
    return number is not None and number.value == 0


@dataclass(slots=True)
class _Report:
    """Parser of all runs of a file; call `line` for each line, and read `runs`."""

    runs: list[_VdbenchRun] = field(default_factory=list)
    version: str | None = None
    table: VdbenchTable = field(default_factory=VdbenchTable)
    histogram: Histogram | None = None

    def line(self, line_no: int, raw: str) -> None:
        """Store the content of one line of any report; ignore lines of other programs."""
        text = plain(raw)
        if (begin := _RUN.match(text.strip())) is not None:
            self._begin_run(line_no, begin[1], _facts(begin[2]))
        elif (version := _VERSION.search(text)) is not None:
            self.version = version[1]
        elif text.strip() in TITLES:
            self._begin_histogram(line_no, TITLES[text.strip()])
        elif self.histogram is not None and self.histogram.row(text):
            return
        elif self.table.head(text):
            self.histogram = None
        elif (row := self.table.row(line_no, text)) is not None:
            self._add_row(row)
        elif self.runs and (extreme := _EXTREME.fullmatch(text.strip())) is not None:
            self._add_extreme(line_no, extreme)
        elif self.runs and _FAILURE.fullmatch(text):
            self.runs[-1].failure = self.runs[-1].failure or text.strip()[:200]

    def _add_extreme(self, line_no: int, match: re.Match[str]) -> None:
        time = rounded(match[2], NS_PER_MS, "ms")
        if time is not None and time.upper_ns > 0:
            quantity = "latency_max_ns" if match[1] == "max" else "latency_deviation_ns"
            self.runs[-1].add_time("all", quantity, time, line_no)

    def _begin_run(self, line_no: int, name: str, parameters: Mapping[str, Value]) -> None:
        """Begin a run and end the current histogram; after MAX_RUNS + 1 runs no further run begins."""
        self.histogram = None
        if len(self.runs) <= MAX_RUNS:
            self.runs.append(_VdbenchRun(line_no, dict(parameters), name=name))

    def _begin_histogram(self, line_no: int, operation: str) -> None:
        """Begin a histogram, in another run if it is the second of an operation; 20 a run are stored."""
        if not self.runs:
            self._begin_run(line_no, "histogram", {})
        run = self.runs[-1]
        is_second = any(histogram.operation == operation for histogram in run.histograms)
        if is_second and len(self.runs) <= MAX_RUNS:
            run = _VdbenchRun(line_no, name=run.name)
            self.runs.append(run)
        self.histogram = Histogram(operation, line_no)
        if len(run.histograms) < _MAX_HISTOGRAMS:
            run.histograms.append(self.histogram)

    def _add_row(self, row: VdbenchRow) -> None:
        """Add an interval, or the averages, to the run that it names, else to the last."""
        name = row.values.get("run")
        if not self.runs or (name is not None and self.runs[-1].name != name):
            facts: dict[str, Value] = {"xfersize": row.values["xfersize"]} if "xfersize" in row.values else {}
            self._begin_run(row.line, name or "unknown", facts)
        version = row.values.get("version", "n/a")
        self.version = version if version != "n/a" else self.version
        run = self.runs[-1]
        if row.is_average:
            run.average = row
        elif len(run.rows) < _MAX_ROWS and (not run.rows or int(row.interval) > int(run.rows[-1].interval)):
            run.rows.append(row)


def _facts(text: str) -> dict[str, Value]:
    return {name.lower(): value.strip() for name, value in _FACT.findall(text)}


def _detect(head: Head) -> Detection | None:
    lines = [plain(line) for line in head.lines]
    version = _VERSION.search(head.text)
    for line in lines:
        if is_flat_head(line) or is_table_head(line) or (_RUN.match(line.strip()) and "RD=" in line):
            reason = f"`{line.strip()[:50]}`"
            return Detection("vdbench", "vdbench", version[1] if version else None, reason)
    if any(line.strip() in TITLES for line in lines) and "min(ms) <" in head.text:
        return Detection("vdbench", "vdbench", None, "`min(ms) <  max(ms)` below the title of a histogram")
    return None


def _runs(source: Source) -> Iterator[ParsedRun]:
    report = _Report()
    for line_no, text in text_lines(source):
        report.line(line_no, text)
    filled = (run for run in report.runs if run.average or run.rows or run.histograms)
    return (run.finish(report.version) for run in filled)


VDBENCH = ToolImporter("vdbench", "vdbench", _detect, _runs)
