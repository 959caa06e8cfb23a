"""The importer of the Aerospike Java benchmark's standard output.

Each period begins with a line of counts (`tps=` is the count of answered calls since the last line, not a
rate), followed by latencies in one of three styles. Only answered calls are timed. Times of day are local,
and the zone is not stated. Source: `Main.collectRWStats`, `Main.collectInsertStats`.
"""

import re
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import Misses
from tailroom.domain.units import NS_PER_MS, NS_PER_US
from tailroom.importers.aerospike_java.tables import (
    Alternate,
    OperationResults,
    Shares,
    Ycsb,
    banner_values,
    header_limits_ns,
    parse_alternate,
    parse_shares,
    parse_ycsb,
)
from tailroom.importers.disclosure import not_stated
from tailroom.importers.importer import Certainty, ContentUnreadable, Detection
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, Problem, Severity, Value
from tailroom.importers.printed import MAX_COUNT, MAX_TEXT_BYTES, moment, whole
from tailroom.importers.problems import ProblemList
from tailroom.importers.source import Head, Source
from tailroom.importers.text_runs import ToolImporter

COUNTS = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}) ((?:write|read)\((?:count=\d+ )?tps=.*)")
OTHER_LOG = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}) ([A-Z]+) (.*)")
OPERATION = re.compile(r"\b(\w{1,40})\((?:count=(\d+) )?tps=(\d+) timeouts=(\d+) errors=(\d+)")
END = re.compile(r"Transaction limit reached: \d+\. Exiting\.?")
WARMING = re.compile(r"Warming up \(-?\d+ left\)\.\.\.")
_MARK = re.compile(r"[\s:(%=<]")
"""Every line of the benchmark has one of these characters."""
_STATED_BY = {"address": "address", "keys": "keys", "connections": "threads", "value_bytes": "bin_0"}
"""Parameters that state a fact to be disclosed."""
_COLUMNS_CHANGE = "the columns change within the run; the row was left out"
_FIRST_PERIOD_NS = 900 * NS_PER_MS
_MAX_PERIODS = 20_000
_FAILED_PERIODS = 3
_FORM, _TOOL = "aerospike-java-log", "aerospike-java-benchmark"
_MAX_RUNS = 100


@dataclass(slots=True)
class JavaBenchmarkReader:
    """Reader of the lines of one run."""

    has_measurements: bool = False
    total_fell: bool = False
    """Whether a running total fell, so that no further line belongs to this run."""
    problems: ProblemList = field(default_factory=ProblemList)
    _parameters: dict[str, Value] = field(default_factory=dict)
    _claims: list[Claim] = field(default_factory=list)
    _operations: dict[str, OperationResults] = field(default_factory=dict)
    _limits: tuple[int, ...] = ()
    """Limits in ns of the last head of columns; empty after a line of counts."""
    _column_limits: tuple[int, ...] = ()
    """Limits in ns of the first row; rows with other limits are left out."""
    _in_summary: bool = False
    _has_summary: bool = False
    _has_limit: bool = False
    _started: datetime | None = None
    _last: datetime | None = None
    _period: tuple[int, int] = (0, 0)
    """Start and length of the current period in ns."""
    _failing: int = 0
    """Number of periods in a row in which every call failed."""

    def line(self, line_no: int, text: str) -> None:
        """Store the content of a line; report errors, warnings and unknown forms, with the text cut."""
        if _MARK.search(text) is None:
            # Damaged files have millions of such lines: they are not tried against every form.
            if text:
                self.problems.add(f"not a line of the benchmark: {text[:80]!r}", line_no)
        elif (counts := COUNTS.fullmatch(text)) is not None:
            self._read_counts(line_no, counts)
        elif (log := OTHER_LOG.fullmatch(text)) is not None:
            self._started = self._started or moment(log[1])
            if log[2] in ("ERROR", "WARN"):
                self.problems.add(f"the tool says: {log[3][:300]}", line_no)
        elif text == "Latency Summary":
            self._in_summary = self._has_summary = True
        elif END.fullmatch(text):
            self._has_limit = True
        elif self._read_latencies(line_no, text) or not text.strip() or WARMING.fullmatch(text):
            return
        elif not self.has_measurements and (values := banner_values(text.strip())) is not None:
            for name, value in values.items():
                self._parameters.setdefault(name, value)
        else:
            self.problems.add(f"not a line of the benchmark: {text[:80]!r}", line_no)

    def _read_latencies(self, line_no: int, text: str) -> bool:
        """Store latencies or a head of columns, in any of three styles; return False for other lines."""
        if (limits := header_limits_ns(text)) is not None:
            self._limits = limits
        elif self._limits and (row := parse_shares(text, len(self._limits))) is not None:
            self._store_shares(line_no, row)
        elif (counted := parse_alternate(text)) is not None:
            self._store_alternate(line_no, counted)
        elif (totals := parse_ycsb(text)) is not None:
            self._store_ycsb(line_no, totals)
        else:
            return False
        return True

    def finish(self) -> ParsedRun:
        """Return the run; a series that contradicts itself becomes a problem. To be called once."""
        series = []
        for operation, results in self._operations.items():
            try:
                parsed = results.series(operation, self._column_limits, self.problems)
            except DomainError as error:
                self.problems.error(f"{operation}: {error}")
                continue
            series += [parsed] if parsed is not None else []
            self._claims += results.count_claims(operation)
        if not series:
            self.problems.add("no latencies: -latency was not asked for")
        parameters = dict(self._parameters)
        if self._started is not None:
            parameters["started_at_local"] = self._started.isoformat(sep=" ", timespec="milliseconds")
        state, state_text = self._state()
        return ParsedRun(
            format=_FORM,
            tool=_TOOL,
            tool_version=None,
            series=tuple(series),
            state=state,
            state_text=state_text,
            claims=tuple(self._claims),
            problems=tuple(self.problems),
            missing=not_stated(
                "started_at",
                "tool_version",
                *(fact for fact, name in _STATED_BY.items() if name not in parameters),
            ),
            parameters=parameters,
            duration_ns=sum(self._period) if self._period[1] else None,
            closed_loop=True,
        )

    def _read_counts(self, line_no: int, match: re.Match[str]) -> None:
        """Begin a period with a line of counts; an earlier time than the last is replaced by the last."""
        now = moment(match[1])
        if now is None:
            self.problems.add("the time of the line is no time", line_no)
            return
        self._in_summary, self._limits, self.has_measurements = False, (), True
        if self._started is None:
            self._started = now - timedelta(microseconds=_FIRST_PERIOD_NS // NS_PER_US)
        before = self._last or self._started
        if now < before:
            self.problems.error("the clock goes back: a second run, or a clock that was set", line_no)
            now = before
        self._period = (_ns(before - self._started), _ns(now - before))
        self._last = now
        answered = failed = 0
        for part in OPERATION.finditer(match[2]):
            if part[1] == "total":
                if (total := whole(part[3])) is not None:
                    self._claim(Claim("total", "operation_count", part[3], total, total, line=line_no))
                continue
            cumulative, numbers = part[2], [whole(text) for text in part.groups()[2:5]]
            values = [min(number, MAX_COUNT >> 8) for number in numbers if number is not None]
            if len(values) < 3:
                self.problems.error(f"a count of {part[1]} is impossibly large", line_no)
                continue
            operation = self._operations.setdefault(
                "txn" if part[1] == "txns" else part[1], OperationResults()
            )
            operation.begin_period(values[0], Misses(errors=values[2], timeouts=values[1]))
            self._check_total(line_no, part[1], cumulative, operation)
            answered, failed = answered + values[0], failed + values[1] + values[2]
            self._claim(Claim(part[1], "operation_count", part[3], values[0], values[0], line=line_no))
        self._failing = self._failing + 1 if failed and not answered else 0

    def _check_total(
        self, line_no: int, operation: str, cumulative: str | None, results: OperationResults
    ) -> None:
        """Compare the printed running total of an operation (None if absent) with the sum of its periods.

        A total below the sum of the earlier periods is reported, ends the run and drops this period. Any
        other difference is noted, and the printed total replaces the sum.
        """
        if cumulative is None:
            return
        total = whole(cumulative)
        if total is None or total < results.count - results.period_count:
            self.total_fell = True
            self.problems.error(
                f"the total of {operation} falls to {cumulative[:20]}: another run begins here, or the file "
                "is damaged; nothing after it was used",
                line_no,
            )
            results.drop_period()
        elif total != results.count:
            self.problems.note(
                f"the total of {operation} is {total}, but the periods add up to {results.count}", line_no
            )
            results.count = total

    def _claim(self, claim: Claim) -> None:
        if len(self._claims) < _MAX_PERIODS:
            start_ns, duration_ns = self._period
            self._claims.append(replace(claim, start_ns=start_ns, duration_ns=duration_ns))

    def _store_shares(self, line_no: int, row: Shares) -> None:
        """Store a row of style `latency`, up to 20,000. Report contradictions, changed columns, more rows."""
        operation = self._operations.setdefault(row.operation, OperationResults())
        if row.empty:
            return
        self._column_limits = self._column_limits or self._limits
        if self._limits != self._column_limits:
            self.problems.error(_COLUMNS_CHANGE, line_no)
        elif abs(row.up_to_first + row.over[0] - 100) > 1 or any(
            a < b for a, b in zip(row.over, row.over[1:], strict=False)
        ):
            self.problems.error(
                f"the shares of {row.operation} contradict each other; the row was left out", line_no
            )
        elif self._in_summary:
            operation.summary = row
        elif len(operation.shares) < _MAX_PERIODS:
            operation.shares.append((*self._period, operation.period_count, row))
        elif len(operation.shares) == _MAX_PERIODS:
            self.problems.note("later periods are left out", line_no)

    def _store_alternate(self, line_no: int, row: Alternate | str) -> None:
        """Store a row of style `alt`, of a period or of the summary; report an invalid row."""
        if isinstance(row, str):
            self.problems.error(f"{row}; the row was left out", line_no)
            return
        self.has_measurements = True
        operation = self._operations.setdefault(row.operation, OperationResults())
        if operation.layout is not None and operation.layout != row.layout:
            self.problems.error(_COLUMNS_CHANGE, line_no)
            return
        operation.layout = row.layout
        if self._in_summary:
            operation.summary_counts = row
            return
        operation.add_counts(*self._period, row.counts)

    def _store_ycsb(self, line_no: int, row: Ycsb | str) -> None:
        """Store a cumulative line of style `ycsb`, and its period's mean; a total that falls ends the run."""
        if isinstance(row, str):
            self.problems.error(f"{row}; the line was left out", line_no)
            return
        self.has_measurements = True
        operation = self._operations.setdefault(row.operation, OperationResults())
        if operation.last_ycsb is not None and row.total_count < operation.last_ycsb[1].total_count:
            self.total_fell = True
            self.problems.error(
                f"the total of {row.operation} falls from {operation.last_ycsb[1].total_count} to "
                f"{row.total_count}: another run begins here, or the file is damaged; nothing after it was "
                "used",
                line_no,
            )
            return
        operation.last_ycsb = (line_no, row)
        if row.period_count:
            mean_ns, text = row.period_mean_us * NS_PER_US, f"{row.period_mean_us}us"
            ends = mean_ns, mean_ns + NS_PER_US
            self._claim(Claim(row.operation, "latency_mean_ns", text, *ends, line=line_no))

    def _state(self) -> tuple[EndState, str]:
        keys = self._parameters.get("keys")
        if self._failing >= _FAILED_PERIODS:
            return EndState.FAILED, f"every call failed in the last {self._failing} periods"
        if self._has_limit:
            return EndState.FINISHED, "the benchmark reached its number of transactions"
        if self._parameters.get("workload") == "INITIALIZE" and isinstance(keys, int) and keys:
            written = self._operations["write"].count if "write" in self._operations else 0
            state = EndState.FINISHED if written >= keys else EndState.KILLED
            return state, f"{written} of {keys} records were written"
        if self._has_summary:
            return EndState.FINISHED, "the benchmark printed its summary"
        if self._parameters.get("transactions_max"):
            return EndState.KILLED, "the number of transactions was not reached"
        return EndState.UNKNOWN, "without a number of transactions the benchmark runs until it is stopped"


def _ns(span: timedelta) -> int:
    """Return a span in ns, rounded down to whole milliseconds."""
    return (span // timedelta(milliseconds=1)) * NS_PER_MS


def _detect(head: Head) -> Detection | None:
    for line in head.lines:
        if line.startswith("Benchmark: ") and ", namespace: " in line:
            return Detection(_FORM, _TOOL, None, "the banner `Benchmark: … namespace: …`")
        if COUNTS.fullmatch(line):
            return Detection(_FORM, _TOOL, None, "lines `write(tps=… timeouts=… errors=…)`", Certainty.LIKELY)
        if header_limits_ns(line) or parse_ycsb(line) is not None:
            return Detection(_FORM, _TOOL, None, "columns `<=1ms >1ms …` of a period", Certainty.LIKELY)
        if parse_alternate(line) is not None:
            return Detection(_FORM, _TOOL, None, "counts `<=1ms(…) >1ms(…) total(…)`", Certainty.LIKELY)
    return None


def _runs(source: Source) -> list[ParsedRun]:
    """Return up to 100 measured runs; more are a problem of the last. Raise ContentUnreadable without any."""
    runs = [JavaBenchmarkReader()]
    for line_no, raw in source.lines():
        text = raw[:MAX_TEXT_BYTES].decode("utf-8", "replace").rstrip()
        if text.startswith("Benchmark: ") and runs[-1].has_measurements:
            if len(runs) >= _MAX_RUNS:
                reason = f"more than {_MAX_RUNS} runs in one file"
                runs[-1].problems.append(Problem(reason, line_no, Severity.ERROR))
                break
            runs.append(JavaBenchmarkReader())
        if not runs[-1].total_fell:
            runs[-1].line(line_no, text)
    measured = [run for run in runs if run.has_measurements]
    if not measured:
        raise ContentUnreadable(
            f"{source.name} opens as a log of the Aerospike Java benchmark, but no measurement follows"
        )
    return [run.finish() for run in measured]


AEROSPIKE_JAVA = ToolImporter("aerospike-java", "the Aerospike Java benchmark", _detect, _runs)
