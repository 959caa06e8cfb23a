"""The importer of cassandra-stress: its results, and the rows that it prints during a run.

It prints milliseconds with one decimal, since 4.0 with the unit, and in brackets the numbers of each
operation. Percentiles come from an HdrHistogram of three digits (before 3.2 from a sample). The count of
partitions is that of operations only if one operation reads one. A test that was stopped has only rows
`total, 5000, 5000, …`: operations since the beginning, rates of the interval, its mean, median, percentiles
and largest, seconds since the beginning. Their head names the columns, which differ between versions.
Source: Cassandra `tools/stress` (`StressMetrics`, `TimingInterval`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.importer import Detection
from tailroom.importers.parsed_run import Claim, ParsedRun, ParsedSeries, Period, Value
from tailroom.importers.period_columns import PeriodCollector, PeriodColumns
from tailroom.importers.printed import MAX_COUNT, amount, whole
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.statements import Statements, hdr_ranks_each
from tailroom.importers.summaries import THREE_DIGITS, Summary, all_series, rounded
from tailroom.importers.text_runs import MAX_RUNS, PrintedRun, ToolImporter, finished_if, text_lines

_HEAD = re.compile(r"[ \t]*(?:type,?\s+)?total ops\s*,(?:\s+adj row/s,)?\s+op/s,\s+pk/s,.{1,400}")
_TYPE = re.compile(r"type,?[ \t]{1,40}")
_COURSE_ROW = re.compile(
    r"\s*([A-Za-z][\w-]{0,60}),\s+(\d{1,18}),(?:\s+\d{1,18},){3}(?:\s+\d{1,12}\.\d,){7}.{1,300}"
)
"""A row of a version that names its operation, by which it is known without the head."""
_NUMBER = re.compile(r"\s*(\d{1,15}(?:\.\d{1,9})?)\s*")
_COLUMNS = ("total ops", "op/s", "pk/s", "row/s", "mean", "med", ".95", ".99", ".999", "max", "time")
_SHARES = {
    "med": Fraction(1, 2),
    ".95": Fraction(95, 100),
    ".99": Fraction(99, 100),
    ".999": Fraction(999, 1000),
}
_HALF_NS = 50_000
"""Times are rounded to a tenth of a millisecond."""
_MOST_ROWS = 100_000
_MOST_RATES = 5_000
_MOST_OPERATIONS = 100
_MOST_MS = 1e9
_ROW = re.compile(
    r"\s*((?:op|partition|row) rate|latency (?:mean|median|max|[\d.]{2,7}th percentile)|"
    r"total (?:partitions|operations|errors|operation time))\s*: (.{1,2000})",
    re.IGNORECASE,
)
_PARTS = re.compile(r"([\w-]{1,60}):\s*([\d.,]{1,40}|NaN)")
_FIRST = re.compile(r"\s*([\d.,]{1,40}|NaN)")
_THOUSANDS = re.compile(r"[.,](?=\d{3}(?!\d))")
"""A separator of thousands: times have one decimal, rates and counts none, with the signs of any language."""
_TIME_OF_DAY = re.compile(r"(\d{1,4}):(\d\d):(\d\d)")
_RUNNING = re.compile(r"Running (\S{1,60}) with (\d{1,9}) threads.*")
_TOTAL = "total"
_CASSANDRA = "one operation of cassandra-stress, from calling the driver to its answer, retries included"


def _is_row(text: str) -> bool:
    return _COURSE_ROW.fullmatch(text) is not None


@dataclass(slots=True)
class _Rows:
    """The rows of one operation, with numbers in the order of `_COLUMNS`."""

    numbers: list[tuple[float, ...]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    """The line number of each row."""
    rates: list[str] = field(default_factory=list)
    """The operations a second of each row, as printed."""
    has_fallen: bool = False
    """Whether a count or time fell, so that later rows are those of another run."""


@dataclass(slots=True)
class _RunRows:
    """Rows of one run by operation, and the columns of their head."""

    positions: dict[str, int]
    """Position of the cell of each column."""
    width: int
    """Number of cells; 0 if unknown."""
    is_named: bool
    """Whether the first cell is the operation."""
    is_complete: bool = True
    """Whether the rows follow their head, so that the first row counts from 0."""
    rows: dict[str, _Rows] = field(default_factory=dict)

    @staticmethod
    def with_header(text: str) -> "_RunRows | None":
        """Return a reader by the head of the table; None if a column is missing."""
        head = text.strip()
        named = _TYPE.match(head) is not None
        cells = [cell.strip() for cell in _TYPE.sub("", head, count=1).split(",")]
        positions = {name: cells.index(name) + named for name in _COLUMNS if name in cells}
        return _RunRows(positions, len(cells) + named, named) if len(positions) == len(_COLUMNS) else None

    @staticmethod
    def without_header() -> "_RunRows":
        """Return a reader of rows that name their operation, whose first row is only a start."""
        positions = {name: number for number, name in enumerate(_COLUMNS, 1)}
        return _RunRows(positions, 0, is_named=True, is_complete=False)

    def row(self, line_no: int, text: str, problems: Problems) -> bool:
        """Store a row, unless it is impossible or after a fall; return False for other lines."""
        cells = text.split(",")
        if len(cells) < len(_COLUMNS) + self.is_named or (self.width and len(cells) != self.width):
            return False
        name = cells[0].strip().lower() if self.is_named else "total"
        cells_matched = [_NUMBER.fullmatch(cells[self.positions[column]]) for column in _COLUMNS]
        if not name or any(match is None for match in cells_matched):
            return False
        texts = [match[1] for match in cells_matched if match is not None]
        numbers = tuple(map(float, texts))
        if name not in self.rows and len(self.rows) >= _MOST_OPERATIONS:
            problems.error("operations", f"more than {_MOST_OPERATIONS} operations", line_no)
            return True
        rows = self.rows.setdefault(name, _Rows())
        if rows.has_fallen or len(rows.lines) >= _MOST_ROWS:
            return True
        if numbers[0] > MAX_COUNT or max(numbers[4:10]) > _MOST_MS or numbers[-1] * NS_PER_S > MAX_COUNT:
            problems.error("row", f"{name}: a number that no row can have", line_no)
        elif rows.numbers and (numbers[0] < rows.numbers[-1][0] or numbers[-1] < rows.numbers[-1][-1]):
            rows.has_fallen = True
            problems.add("falls", f"{name}: the number of operations or the time falls: another run", line_no)
        else:
            rows.numbers.append(numbers)
            rows.lines.append(line_no)
            rows.rates.append(texts[1])
        return True

    @property
    def duration_ns(self) -> int | None:
        """Time from the start of the run to the last row, in ns; None without rows, or for 0 s."""
        ends = [rows.numbers[-1][-1] for rows in self.rows.values() if rows.numbers]
        return round(max(ends) * NS_PER_S) or None if ends else None

    def periods(self, name: str, problems: Problems) -> tuple[Sequence[Period], Statements | None]:
        """Return the intervals of an operation, and the sum of their statements; None if contradictory."""
        rows = self.rows.get(name)
        if rows is None:
            return (), None
        collector = PeriodCollector(_MOST_ROWS)
        columns = self._columns(rows)
        if columns is not None:
            collector.add(columns)
        for reason in collector.contradictions:
            problems.add("row", f"{name}: {reason}", rows.lines[0])
        collected = collector.periods()
        return collected, collector.merged() if collector.total and not collector.contradictions else None

    def _columns(self, rows: _Rows) -> PeriodColumns | None:
        """Return the intervals between rows in which operations ended; None without any. Rows have totals.

        The first row ends an interval only if no row before it is missing (`is_complete`).
        """
        table = np.array(rows.numbers, np.float64).reshape(-1, len(_COLUMNS))
        before = np.zeros((1, len(_COLUMNS))) if self.is_complete else table[:1]
        table = table if self.is_complete else table[1:]
        if not table.size:
            return None
        earlier = np.concatenate((before, table[:-1]))
        counts = (table[:, 0] - earlier[:, 0]).astype(np.int64)
        some = np.flatnonzero(counts)
        if not some.size:
            return None
        counts = counts[some]
        starts_ns, ends_ns = (
            np.rint(columns[some, -1] * NS_PER_S).astype(np.int64) for columns in (earlier, table)
        )
        at = {name: _bounds_ns(table[some, number]) for number, name in enumerate(_COLUMNS)}
        least = [(at["max"][1] + 1, counts)]
        most = []
        for name, share in _SHARES.items():
            low, high = hdr_ranks_each(share, counts)
            least.append((at[name][1] + 1, low))
            most.append((at[name][0], high - 1))
        mean = at["mean"][0].astype(np.float64), at["mean"][1].astype(np.float64)
        return PeriodColumns.of(starts_ns, ends_ns - starts_ns, counts, least, most, mean_ns=mean)

    def rate_claims(self, name: str, operation: str) -> Iterator[Claim]:
        """Yield the operations a second of the first 5,000 rows of `name`, as claims about `operation`."""
        rows = self.rows.get(name, _Rows())
        before_s = 0.0 if self.is_complete or not rows.numbers else None
        for numbers, line_no, text in zip(rows.numbers[:_MOST_RATES], rows.lines, rows.rates, strict=False):
            if before_s is not None and numbers[-1] > before_s:
                span = round(before_s * NS_PER_S), round((numbers[-1] - before_s) * NS_PER_S)
                low, high = max(0.0, numbers[1] - 0.5), numbers[1] + 0.5
                yield Claim(operation, "throughput_ops_per_s", text, low, high, None, line_no, *span)
            before_s = numbers[-1]


def _bounds_ns(values_ms: Floats) -> tuple[Int64s, Int64s]:
    """Return lower and upper bounds in ns of times printed in ms, rounded and in buckets of three digits."""
    middle = np.rint(np.minimum(values_ms, _MOST_MS) * NS_PER_MS).astype(np.int64)
    low, high = np.maximum(0, middle - _HALF_NS), middle + _HALF_NS
    return low - low // THREE_DIGITS, high + high // THREE_DIGITS


@dataclass(slots=True)
class _Stress(PrintedRun):
    """The results of one run, by operation; `course` are the rows that were printed during it."""

    summaries: dict[str, Summary] = field(default_factory=dict)
    ended: bool = False
    course: _RunRows | None = None

    def row(self, line_no: int, name: str, rest: str) -> None:
        """Store the numbers of a row by its name in lower case; the total time ends the results."""
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
        """Return the run, without the total beside a single operation, and without counts of partitions."""
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

    def _attach_course(self, course: _RunRows, series: Sequence[ParsedSeries]) -> Iterator[ParsedSeries]:
        """Yield the series with intervals, without results series of the intervals; claim all rates."""
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
    rows = {match[1].lower() for line in head.lines if (match := _ROW.fullmatch(line)) is not None}
    if {"op rate", "latency mean"} <= rows:
        return Detection("cassandra-stress", "cassandra-stress", None, "`Op rate :` and `Latency mean :`")
    if any(_HEAD.fullmatch(line) for line in head.lines) or sum(map(_is_row, head.lines)) > 1:
        return Detection("cassandra-stress", "cassandra-stress", None, "`type, total ops, op/s, pk/s, …`")
    return None


def _runs(source: Source) -> Iterator[ParsedRun]:
    runs: list[_Stress] = []
    running: dict[str, Value] = {}
    course: _RunRows | None = None
    unknown = Problems()
    for line_no, text in text_lines(source):
        if course is not None and course.row(line_no, text, unknown):
            continue
        if course is None and _is_row(text):
            course = _RunRows.without_header()
            course.row(line_no, text, unknown)
            continue
        if _HEAD.fullmatch(text):
            runs += _stopped_runs(course, running, unknown, line_no)
            course, unknown = _RunRows.with_header(text), Problems()
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
    course: _RunRows | None, running: dict[str, Value], problems: Problems, line_no: int
) -> list[_Stress]:
    """Return the run of rows without results, as the only element of a list that is empty without rows."""
    if course is None or not course.rows:
        return []
    return [_Stress(line_no, dict(running), problems=problems, course=course)]


def _values(text: str) -> Iterator[tuple[str, str]]:
    """Yield `total`, then each operation, with its value, with a decimal point alone."""
    first = _FIRST.match(text)
    begin = text.find("[")
    parts = _PARTS.findall(text[begin:]) if begin >= 0 else []
    for operation, value in ([(_TOTAL, first[1])] if first is not None else []) + parts:
        yield operation.lower(), _THOUSANDS.sub("", value.rstrip(",.")).replace(",", ".")


CASSANDRA_STRESS = ToolImporter("cassandra-stress", "cassandra-stress", _detect, _runs)
