"""The importer of redis-benchmark: `--csv`, its usual text, and `-q`.

The text names exact counts: `50.000% <= 0.127 milliseconds (cumulative count 50576)` says that 50,576
requests took at most 127 µs, counted in an HdrHistogram of 8 µs steps. The CSV has percentiles only, and no
number of requests. Requests of more than 3 s are counted as 3 s. Before Redis 6.2 latencies were printed in
whole milliseconds, rounded down. Source: `redis-benchmark.c` (`showLatencyReport`).
"""

import csv
import re
from dataclasses import dataclass, field, replace
from fractions import Fraction

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.cells import PinsContradictBuckets
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.latency.layouts import NEVER_NS, HdrLayout
from tailroom.domain.units import NS_PER_MS, NS_PER_S, NS_PER_US
from tailroom.importers.disclosure import not_stated
from tailroom.importers.exact_counts import cumulative_distribution
from tailroom.importers.importer import Certainty, ContentUnreadable, Detection
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, ParsedSeries, Value
from tailroom.importers.printed import MAX_TEXT_BYTES, Printed, printed, whole
from tailroom.importers.problems import ProblemList
from tailroom.importers.source import Head, Source
from tailroom.importers.statements import MAX_TIME_NS, Statements, hdr_bucket_ns, time_ns
from tailroom.importers.text_runs import ToolImporter

_LAYOUT = HdrLayout(8 * NS_PER_US, 3)
_CAPPED_NS = 3_000 * NS_PER_MS
_HEADER = re.compile(r'"test","rps"((?:,"\w+")*)\s*')
_CSV_ROW = re.compile(r'"[^"]{1,200}","[\d.]{1,30}"((?:,"[\d.]{1,30}")*)\s*')
_TITLE = re.compile(r"====== (.+) ======\s*")
_COMPLETED = re.compile(r"\s+(\d+) requests completed in ([\d.]+) seconds")
_COUNTED = re.compile(r"([\d.]+)% <= ([\d.]+) milliseconds \(cumulative count (\d+)\)")
_OLD_SHARE = re.compile(r"([\d.]+)% <= (\d{1,9}(?:\.\d{1,3})?) milliseconds")
_PARAMETER = re.compile(
    r"\s+(?:(\d+) (parallel clients|bytes payload)|(keep alive|threads): (\d+)|(multi-thread): (yes|no))"
)
_RATE = re.compile(r"\s*(?:throughput summary: )?([\d.]+) requests per second")
_QUIET = re.compile(r"(.+): ([\d.]+) requests per second(?:, p50=([\d.]+) msec)?")
_PARAMETER_NAMES = {
    "parallel clients": "connections",
    "bytes payload": "value_bytes",
    "keep alive": "keep_alive",
    "threads": "threads",
}
_SUMMARY = "latency summary (msec):"
_SUMMARY_HEADER = ["avg", "min", "p50", "p95", "p99", "max"]
_QUANTILE_COLUMN = re.compile(r"p(\d{1,2}(?:\.\d{1,6})?)_latency_ms")

_SEMANTICS = (
    "from writing a request to its answer, on a clock of whole microseconds; HdrHistogram of 8 µs steps "
    "and three digits; with a pipeline, of the whole batch"
)


@dataclass(slots=True)
class _CommandTest:
    """The printed numbers of the test of one command."""

    name: str
    line_no: int
    requests: int | None = None
    duration_s: Printed | None = None
    cumulative: dict[int, int] = field(default_factory=dict)
    """Number of requests below each edge in ns."""
    old_percentages: list[tuple[Printed, Printed]] = field(default_factory=list)
    """Per cent and milliseconds of a table before Redis 6.2."""
    quantiles: list[tuple[Fraction, int]] = field(default_factory=list)
    """Shares, and their times in µs."""
    least_us: int | None = None
    most_us: int | None = None
    mean: Printed | None = None
    """Mean latency in milliseconds."""
    rate: str | None = None
    """Requests a second as printed; None as long as the test has no result."""


def _detect(head: Head) -> Detection | None:
    lines = [_last_part(line) for line in head.data.decode("utf-8", "replace").split("\n")]
    if any(_HEADER.fullmatch(line) for line in lines):
        return _detection("csv", 'the header `"test","rps"`')
    if "requests completed in" in head.text and any(_TITLE.fullmatch(line) for line in lines):
        return _detection("text", "`====== … ======` and its summary")
    if any(line.strip() == _SUMMARY for line in lines):
        return _detection("text", f"the words `{_SUMMARY}`", Certainty.LIKELY)
    filled = [line for line in lines[:-1] if line.strip()] or [line for line in lines if line.strip()]
    if filled and all(_QUIET.fullmatch(line) for line in filled):
        return _detection("quiet", "`… requests per second` only", Certainty.LIKELY)
    if filled and all(_CSV_ROW.fullmatch(line) for line in filled):
        return _detection("csv", "rows of a name and a rate", Certainty.POSSIBLE)
    return None


def _runs(source: Source) -> list[ParsedRun]:
    detection = _detect(source.head)
    form = detection.format if detection is not None else "redis-benchmark-text"
    reader = _RedisReader()
    for line_no, raw in source.lines():
        reader.line(line_no, _last_part(raw[-MAX_TEXT_BYTES:].decode("utf-8", "replace")))
    return [reader.finish(source.name, form)]


def _detection(form: str, reason: str, certainty: Certainty = Certainty.CERTAIN) -> Detection:
    return Detection(f"redis-benchmark-{form}", "redis-benchmark", None, reason, certainty)


@dataclass(slots=True)
class _RedisReader:
    """Parser of the lines of a file; `summary_next`: the next line has the numbers of `latency summary`."""

    tests: list[_CommandTest] = field(default_factory=list)
    problems: ProblemList = field(default_factory=ProblemList)
    parameters: dict[str, Value] = field(default_factory=dict)
    header: list[str] | None = None
    summary_next: bool = False

    def line(self, line_no: int, text: str) -> None:
        """Store a line of CSV, text or `-q`; report an unknown line before the first test, ignore others."""
        if _HEADER.fullmatch(text):
            self.header = next(csv.reader([text.strip()]))
        elif (title := _TITLE.fullmatch(text)) is not None:
            self.tests.append(_CommandTest(title[1][:200], line_no))
        elif _CSV_ROW.fullmatch(text):
            self._add_csv_row(line_no, next(csv.reader([text.strip()])))
        elif self._begins_untitled_summary(text.strip()):
            self.tests.append(_CommandTest("all", line_no))
            self.problems.add("the command is not named: the beginning of the report is missing", line_no)
            self._read_test_line(line_no, text, self.tests[-1])
        elif (quiet := _QUIET.fullmatch(text)) is not None and not text.startswith(" "):
            self._add_quiet_line(line_no, quiet)
        elif not self.tests or not text.strip():
            if text.strip():
                self.problems.add(f"not a line of redis-benchmark: {text[:80]!r}", line_no)
        else:
            self._read_test_line(line_no, text, self.tests[-1])

    def _begins_untitled_summary(self, stripped: str) -> bool:
        """Return whether a line begins the summary of a test whose title is missing."""
        if stripped == "Summary:":
            return not self.tests or bool(self.tests[-1].rate)
        return not self.tests and (stripped == _SUMMARY or stripped.startswith("throughput summary: "))

    def _add_csv_row(self, line_no: int, row: list[str]) -> None:
        """Add a test by a row of the CSV, without a header only name and rate; report another length."""
        header = self.header or []
        if self.header is not None and len(row) != len(header):
            self.problems.add(
                f"the row has {len(row)} columns, the header {len(header)}; it was left out", line_no
            )
            return
        test = _CommandTest(row[0], line_no, rate=row[1])
        self.tests.append(test)
        for name, text in list(zip(header, row, strict=False))[2:]:
            value = printed(text)
            if value is None:
                self.problems.add(f"{text!r} is no number", line_no)
                continue
            quantile = _QUANTILE_COLUMN.fullmatch(name)
            if quantile is not None:
                test.quantiles.append((Fraction(quantile[1]) / 100, _us(value)))
            elif name == "avg_latency_ms":
                test.mean = value
            elif name == "min_latency_ms":
                test.least_us = _us(value)
            elif name == "max_latency_ms":
                test.most_us = _us(value)

    def _add_quiet_line(self, line_no: int, match: re.Match[str]) -> None:
        """Add a test by a line of `-q`: the rate, and since 6.2 the median in milliseconds."""
        test = _CommandTest(match[1][:200], line_no, rate=match[2])
        self.tests.append(test)
        value = printed(match[3]) if match[3] else None
        if value is not None:
            test.quantiles.append((Fraction(1, 2), _us(value)))

    def _read_test_line(self, line_no: int, text: str, test: _CommandTest) -> None:
        columns = text.split()
        if self.summary_next:
            self.summary_next = False
            self._store_summary(columns, test)
        elif (completed := _COMPLETED.fullmatch(text)) is not None:
            test.requests, test.duration_s = whole(completed[1]), printed(completed[2])
        elif (counted := _COUNTED.fullmatch(text)) is not None:
            value, count = printed(counted[2]), whole(counted[3])
            if value is None or count is None:
                self.problems.add("a number of the line is impossible", line_no)
            else:
                self._count(line_no, test, _us(value), count)
        elif (share := _OLD_SHARE.fullmatch(text)) is not None:
            ratio, limit = printed(share[1]), printed(share[2])
            if ratio is not None and limit is not None and ratio.value <= 100:
                test.old_percentages.append((ratio, limit))
        elif (parameter := _PARAMETER.fullmatch(text)) is not None:
            self._store_parameter(parameter)
        elif (rate := _RATE.fullmatch(text)) is not None:
            test.rate = rate[1]
        elif columns == _SUMMARY_HEADER:
            self.summary_next = True

    @staticmethod
    def _store_summary(columns: list[str], test: _CommandTest) -> None:
        numbers = [number for column in columns if (number := printed(column)) is not None]
        if len(numbers) == len(_SUMMARY_HEADER) == len(columns):
            test.mean = numbers[0]
            test.least_us, *quantiles_us, test.most_us = map(_us, numbers[1:])
            shares = (Fraction(1, 2), Fraction(95, 100), Fraction(99, 100))
            test.quantiles = list(zip(shares, quantiles_us, strict=True))

    def _store_parameter(self, match: re.Match[str]) -> None:
        for number, name in ((match[1], match[2]), (match[4], match[3])):
            if name:
                self.parameters.setdefault(_PARAMETER_NAMES[name], whole(number))
        if match[5]:
            self.parameters.setdefault("multi_thread", match[6] == "yes")

    def _count(self, line_no: int, test: _CommandTest, value_us: int, count: int) -> None:
        edge_ns = hdr_bucket_ns(_LAYOUT, value_us)[1]
        below = max((counted for at, counted in test.cumulative.items() if at <= edge_ns), default=0)
        above = min((counted for at, counted in test.cumulative.items() if at >= edge_ns), default=count)
        if not below <= count <= above:
            self.problems.error(f"the cumulative count {count} contradicts the lines before", line_no)
            return
        test.cumulative[edge_ns] = count

    def finish(self, name: str, form: str) -> ParsedRun:
        """Return the run of the file `name` in the format `form`. Raise ContentUnreadable without results."""
        series, claims = [], []
        seen: dict[str, int] = {}
        for test in self.tests:
            operation = _operation(test.name, seen)
            claims += _claims(operation, test)
            try:
                of_test = _series(operation, test, self.problems)
            except DomainError as error:
                self.problems.error(f"{test.name}: {error}", test.line_no)
                continue
            series += [of_test] if of_test is not None else []
        if not series and not claims:
            raise ContentUnreadable(f"{name} has no result of redis-benchmark that can be read")
        if form == "redis-benchmark-csv" and self.header is None:
            self.problems.note("no header: before Redis 6.2 the CSV has rates only")
        facts = [fact for fact in ("connections", "value_bytes") if fact not in self.parameters]
        is_complete = all(test.rate for test in self.tests)
        return ParsedRun(
            format=form,
            tool="redis-benchmark",
            tool_version=None,
            series=tuple(series),
            state=EndState.FINISHED if is_complete else EndState.UNKNOWN,
            state_text="every test has its result" if is_complete else "a test has no result",
            claims=tuple(claims),
            problems=tuple(self.problems),
            missing=not_stated("started_at", "tool_version", "address", "keys", *facts),
            parameters=self.parameters,
            closed_loop=True,
        )


def _series(operation: str, test: _CommandTest, problems: ProblemList) -> ParsedSeries | None:
    record = _counted_record(test, problems) if test.cumulative else _stated_record(test, problems)
    if record is None:
        return None
    return ParsedSeries(operation, "service", record, semantics=_SEMANTICS, source_name=test.name)


def _stated_record(test: _CommandTest, problems: ProblemList) -> KnotsRecord | None:
    """Return the record of the printed times, None without any. Raise DomainError for contradictions."""
    statements = Statements(test.requests)
    if test.old_percentages:
        _add_old_statements(statements, test)
    for quantile, value_us in test.quantiles:
        statements.hdr_quantile(quantile, *hdr_bucket_ns(_LAYOUT, value_us))
    least = None if test.least_us is None else hdr_bucket_ns(_LAYOUT, test.least_us)[0]
    most = None if test.most_us is None else hdr_bucket_ns(_LAYOUT, test.most_us)[1]
    statements.span(least, most if most is not None and most < _CAPPED_NS else None)
    if not statements:
        return None
    statements.mean_ns = _mean_ns(test)
    return statements.record(problems=problems)


def _counted_record(test: _CommandTest, problems: ProblemList) -> LatencyDist:
    """Return exact counts, the last bucket open over 3 s; a wrong minimum is left out, with a problem."""
    below = dict(test.cumulative)
    last_ns = max(below)
    if last_ns > _CAPPED_NS:
        # Values over 3 s are counted as 3 s: the last bucket has no upper bound.
        below[NEVER_NS] = below.pop(last_ns)
    counts = cumulative_distribution(below, test.requests or 0)
    least = None if test.least_us is None else hdr_bucket_ns(_LAYOUT, test.least_us)[0]
    record = replace(counts, min_ns=least)
    try:
        record.cells  # noqa: B018 - contradictions show here, and belong to the file
    except PinsContradictBuckets as contradiction:
        problems.error(f"{test.name}: {contradiction}", test.line_no)
        return counts
    return record


def _add_old_statements(statements: Statements, test: _CommandTest) -> None:
    """Add the bounds that follow from a table before Redis 6.2, a line for each latency as printed.

    A line counts the first request of the next latency too. The last line is only used if it states 100 %.
    """
    for position, (share, limit) in enumerate(test.old_percentages):
        at_ns = int(limit.value * NS_PER_MS)
        if position == len(test.old_percentages) - 1:
            if share.value == 100:
                statements.at_least(int((limit.value + limit.ulp) * NS_PER_MS), Fraction(1))
        elif test.requests:
            one_request = Fraction(1, test.requests)
            statements.at_least(at_ns, share.lower / 100 - one_request)
            statements.at_most(at_ns, share.upper / 100 - one_request)


def _claims(operation: str, test: _CommandTest) -> list[Claim]:
    claims = []
    line = test.line_no
    rate = printed(test.rate) if test.rate else None
    if rate is not None:
        claims.append(Claim.of_number(operation, "throughput_ops_per_s", rate, line=line))
    if test.requests is not None:
        claims.append(Claim.of_count(operation, "operation_count", test.requests, line))
    if test.duration_s is not None and test.duration_s.value * NS_PER_S < MAX_TIME_NS:
        claims.append(Claim.of_number(operation, "duration_ns", test.duration_s, NS_PER_S, line, sign=" s"))
    times: list[tuple[str, int | None, float | None]] = [
        ("latency_min_ns", test.least_us, None),
        ("latency_max_ns", test.most_us, None),
        *(("latency_quantile_ns", value_us, float(quantile)) for quantile, value_us in test.quantiles),
    ]
    for quantity, value_us, quantile in times:
        if value_us is not None:
            text = f"{value_us // 1_000}.{value_us % 1_000:03d} ms"
            claims.append(Claim(operation, quantity, text, *hdr_bucket_ns(_LAYOUT, value_us), quantile, line))
    mean = None if test.mean is None else time_ns(test.mean, NS_PER_MS)
    if mean is not None and test.mean is not None:
        claims.append(Claim(operation, "latency_mean_ns", f"{test.mean.text} ms", *mean, line=line))
    return claims


def _mean_ns(test: _CommandTest) -> tuple[float, float] | None:
    """Return the bounds in ns of the mean, which comes from bucket middles; None if missing or impossible."""
    ends = None if test.mean is None else time_ns(test.mean, NS_PER_MS)
    if ends is None:
        return None
    return max(0.0, ends[0] * (1 - 1 / 1024) - _LAYOUT.unit_ns), ends[1] * (1 + 1 / 1024) + _LAYOUT.unit_ns


def _us(value: Printed) -> int:
    """Return a printed number of milliseconds in µs, rounded, from 0 to at most MAX_TIME_NS."""
    return min(max(0, round(value.value * 1_000)), MAX_TIME_NS // NS_PER_US)


def _operation(name: str, seen: dict[str, int]) -> str:
    """Return the operation of a test, `set`, or `set #2` for the second of its name; count it in `seen`."""
    short = " ".join(name.lower().split())
    seen[short] = seen.get(short, 0) + 1
    return short if seen[short] == 1 else f"{short} #{seen[short]}"


def _last_part(text: str) -> str:
    """Return the last part of a line that was written over with carriage returns."""
    return text.rstrip("\r\n").rsplit("\r", 1)[-1].rstrip()


REDIS_BENCHMARK = ToolImporter("redis-benchmark", "redis-benchmark", _detect, _runs)
