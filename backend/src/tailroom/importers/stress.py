"""The importer of cassandra-stress.

It prints milliseconds with one decimal, since 4.0 with the unit; its percentiles come from an HdrHistogram of
three digits (since 3.2; before from a sample), and the count of partitions is that of operations only if
one operation reads one. In brackets stands each operation apart. Rows that it prints meanwhile are its course
(`stress_rows`), and all there is of a test that was stopped. Source: Cassandra `tools/stress`
(`StressMetrics`, `TimingInterval`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from tailroom.domain.errors import DomainError
from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.importer import Detection
from tailroom.importers.parsed_run import ParsedRun, ParsedSeries, Value
from tailroom.importers.printed import amount, whole
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.stress_rows import HEAD, RunRows, is_row
from tailroom.importers.summaries import THREE_DIGITS, Summary, all_series, rounded
from tailroom.importers.text_runs import MAX_RUNS, PrintedRun, ToolImporter, finished_if, text_lines

_ROW = re.compile(
    r"\s*((?:op|partition|row) rate|latency (?:mean|median|max|[\d.]{2,7}th percentile)|"
    r"total (?:partitions|operations|errors|operation time))\s*: (.{1,2000})",
    re.IGNORECASE,
)
_PARTS = re.compile(r"([\w-]{1,60}):\s*([\d.,]{1,40}|NaN)")
_FIRST = re.compile(r"\s*([\d.,]{1,40}|NaN)")
_TIME_OF_DAY = re.compile(r"(\d{1,4}):(\d\d):(\d\d)")
_RUNNING = re.compile(r"Running (\S{1,60}) with (\d{1,9}) threads.*")
_TOTAL = "total"
_CASSANDRA = "one operation of cassandra-stress, from calling the driver to its answer, retries included"


@dataclass(slots=True)
class _Stress(PrintedRun):
    """The results of one run, by operation; `course` are the rows that were printed during it."""

    summaries: dict[str, Summary] = field(default_factory=dict)
    ended: bool = False
    course: RunRows | None = None

    def row(self, line_no: int, name: str, rest: str) -> None:
        """Store the numbers of a row, `latency mean : 4.3 [WRITE:4.3]`, of all operations and of each kind.

        `name` is the text before the colon in lower case, `rest` the text behind it. The row of the
        total time ends the results.
        """
        if name == "total operation time":
            self.ended = True
            time = _TIME_OF_DAY.search(rest)
            if time is not None:
                seconds = int(time[1]) * 3600 + int(time[2]) * 60 + int(time[3])
                self.duration_ns = seconds * NS_PER_S or None
            return
        for operation, text in _values(rest):
            if name in ("partition rate", "row rate"):
                self.parameters[f"{name} {operation}"] = text
            self._store_value(line_no, name, operation, text)

    def _store_value(self, line_no: int, name: str, operation: str, text: str) -> None:
        """Store the value of a row, by its name in lower case, for an operation or `total`; ignore `NaN`."""
        summary = self.summaries.setdefault(operation, Summary(operation, line_no, name=operation))
        if text == "NaN":
            return
        if name.startswith("total"):
            count = whole(text)
            if name == "total errors":
                summary.errors = count or 0
            elif count is not None and name in ("total partitions", "total operations"):
                summary.count = count
            return
        if name == "op rate":
            summary.rate = amount(text)
            return
        time = rounded(text, NS_PER_MS, "ms")
        if name.startswith("latency ") and time is not None:
            kind = name.removeprefix("latency ").removesuffix(" percentile")
            summary.set_time(kind, time.widened(THREE_DIGITS))

    def finish(self) -> ParsedRun:
        """Return the run; the total is left out if there is a single operation.

        A count of partitions that is not that of operations is dropped with a note.
        """
        parts = {name: summary for name, summary in self.summaries.items() if name != _TOTAL}
        if len(parts) == 1:
            self.summaries.pop(_TOTAL, None)
        summaries = list(self.summaries.values())
        for summary in summaries:
            # An operation may touch several partitions: the count only holds if the rates agree.
            if summary.count is not None and not self._is_count_of_operations(summary):
                summary.count = None
                self.problems.note(
                    "partitions",
                    f"{summary.operation}: partitions are counted, and an operation touches several or none",
                    summary.line,
                )
            summary.errors = 0 if summary.count is None else summary.errors
        series = all_series(summaries, self.problems, _CASSANDRA)
        if self.course is not None:
            series = tuple(self._attach_course(self.course, series))
        otherwise = "the end of the results is missing" if summaries else "the results are missing"
        if self.duration_ns is None and self.course is not None:
            self.duration_ns = self.course.duration_ns
        return self.parsed(
            "cassandra-stress",
            "cassandra-stress",
            summaries,
            series,
            finished_if(self.ended, "the total time was printed", otherwise),
            stated=["connections"] if "threads" in self.parameters else [],
        )

    def _attach_course(self, course: RunRows, series: Sequence[ParsedSeries]) -> Iterator[ParsedSeries]:
        """Yield the series with intervals, without results those of the intervals; claim all rates."""
        only = series[0].operation if len(series) == 1 else _TOTAL
        names = {only if name == _TOTAL and len(course.rows) == 1 else name: name for name in course.rows}
        for operation, name in names.items():
            self.claims += course.rate_claims(name, operation)
        for each in series:
            if each.operation in names:
                periods, _ = course.periods(names[each.operation], self.problems)
                yield replace(each, periods=periods)
            else:
                yield each
        for operation, name in () if self.summaries else names.items():
            periods, together = course.periods(name, self.problems)
            if together is None:
                continue
            try:
                record = together.record()
            except DomainError as error:
                self.problems.error("series", f"{operation}: {error}", self.line)
                continue
            yield ParsedSeries(
                operation, "service", record, semantics=_CASSANDRA, source_name=name, periods=periods
            )

    def _is_count_of_operations(self, summary: Summary) -> bool:
        """Return whether operations and partitions have the same printed rate, and so the same count."""
        rate, partitions = summary.rate, self.parameters.get(f"partition rate {summary.operation}")
        return rate is not None and partitions == rate.text


def _detect(head: Head) -> Detection | None:
    """Recognise the format by two rows of its results, or the head of its table; None for other files."""
    rows = {match[1].lower() for line in head.lines if (match := _ROW.fullmatch(line)) is not None}
    if {"op rate", "latency mean"} <= rows:
        return Detection("cassandra-stress", "cassandra-stress", None, "`Op rate :` and `Latency mean :`")
    if any(HEAD.fullmatch(line) for line in head.lines) or sum(map(is_row, head.lines)) > 1:
        return Detection("cassandra-stress", "cassandra-stress", None, "`type, total ops, op/s, pk/s, …`")
    return None


def _runs(source: Source) -> Iterator[ParsedRun]:
    """Yield a run for each `Results:`, and for rows that no results follow."""
    runs: list[_Stress] = []
    running: dict[str, Value] = {}
    course: RunRows | None = None
    unknown = Problems()
    for line_no, text in text_lines(source):
        if course is not None and course.row(line_no, text, unknown):
            continue
        if course is None and is_row(text):
            course = RunRows.without_header()
            course.row(line_no, text, unknown)
            continue
        if HEAD.fullmatch(text):
            runs += _stopped_runs(course, running, unknown, line_no)
            course, unknown = RunRows.with_header(text), Problems()
            continue
        row = _ROW.fullmatch(text)
        if row is not None:
            name, rest = " ".join(row[1].lower().split()), row[2]
            if (name == "op rate" or not runs) and len(runs) <= MAX_RUNS:
                runs.append(_Stress(line_no, dict(running), problems=unknown, course=course))
                course, unknown = None, Problems()
            runs[-1].row(line_no, name, rest)
        elif (match := _RUNNING.match(text.strip().lstrip("# "))) is not None:
            running = {"command": match[1].lower(), "threads": int(match[2])}
    runs += _stopped_runs(course, running, unknown, 1)
    return (run.finish() for run in runs)


def _stopped_runs(
    course: RunRows | None, running: dict[str, Value], problems: Problems, line_no: int
) -> list[_Stress]:
    """Return the run of rows without results as the only element; an empty list without rows."""
    if course is None or not course.rows:
        return []
    return [_Stress(line_no, dict(running), problems=problems, course=course)]


def _values(text: str) -> Iterator[tuple[str, str]]:
    """Yield `total`, then each operation, with its value, without separators of thousands."""
    first = _FIRST.match(text)
    if first is not None:
        yield _TOTAL, first[1].replace(",", "")
    begin = text.find("[")
    for operation, value in _PARTS.findall(text[begin:]) if begin >= 0 else ():
        yield operation.lower(), value.replace(",", "")


CASSANDRA_STRESS = ToolImporter("cassandra-stress", "cassandra-stress", _detect, _runs)
