"""One run of the Aerospike Java benchmark, line by line.

Each period begins with a line of counts (`tps=` is the count of answered calls since the last line, not a
rate), followed by latencies in one of three styles. Only answered calls are timed. Times of day are local,
and the zone is not stated. Source: `Main.collectRWStats`, `Main.collectInsertStats`.
"""

import re
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import Misses
from tailroom.domain.latency.layouts import ExplicitLayout
from tailroom.domain.units import NS_PER_MS, NS_PER_US
from tailroom.importers.aerospike_java.banner import Value, banner_values
from tailroom.importers.aerospike_java.tables import (
    Alternate,
    Shares,
    Ycsb,
    alternate,
    header_limits_ns,
    row_shares,
    ycsb,
)
from tailroom.importers.columns import interval_records
from tailroom.importers.parsed_run import (
    Claim,
    EndState,
    ParsedRun,
    ParsedSeries,
    Period,
    Problem,
    Severity,
)
from tailroom.importers.printed import MAX_COUNT, moment, whole
from tailroom.importers.server_disclosure import not_stated
from tailroom.importers.statements import merged

COUNTS = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}) ((?:write|read)\((?:count=\d+ )?tps=.*)")
OTHER_LOG = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}) ([A-Z]+) (.*)")
OPERATION = re.compile(r"\b(\w{1,40})\((?:count=(\d+) )?tps=(\d+) timeouts=(\d+) errors=(\d+)")
END = re.compile(r"Transaction limit reached: \d+\. Exiting\.?")
WARMING = re.compile(r"Warming up \(-?\d+ left\)\.\.\.")
_MARK = re.compile(r"[\s:(%=<]")
"""Every line of the benchmark has one of these."""
_FIRST_PERIOD_NS = 900 * NS_PER_MS
_MAX_PROBLEMS = 200
_MAX_PERIODS = 20_000
_FAILED_PERIODS = 3

SEMANTICS = (
    "time of one answered call; rounded up to the unit before it is compared, so that a bucket is (lower, "
    "upper]; failed calls are not in it"
)


@dataclass(slots=True)
class _Operation:
    """The printed numbers of one operation; `shares`, `rows` and `last_ycsb` hold the three styles."""

    count: int = 0
    misses: Misses = field(default_factory=Misses)
    period_count: int = 0
    period_misses: Misses = field(default_factory=Misses)
    summary: Shares | None = None
    summary_counts: Alternate | None = None
    shares: list[tuple[int, int, int, Shares]] = field(default_factory=list)
    """Start and length of a period in ns, its number of operations, and its shares."""
    layout: ExplicitLayout | None = None
    start_ns: list[int] = field(default_factory=list)
    duration_ns: list[int] = field(default_factory=list)
    rows: list[tuple[int, int, int]] = field(default_factory=list)
    """Period, bucket and count, with columns for each period beside them."""
    errors: list[int] = field(default_factory=list)
    timeouts: list[int] = field(default_factory=list)
    last_ycsb: tuple[int, Ycsb] | None = None


@dataclass(slots=True)
class JavaBenchmarkReader:
    """Reader of one run. `fallen`: a total fell, so that nothing more is read."""

    begun: bool = False
    fallen: bool = False
    problems: list[Problem] = field(default_factory=list)
    _parameters: dict[str, Value] = field(default_factory=dict)
    _claims: list[Claim] = field(default_factory=list)
    _operations: dict[str, _Operation] = field(default_factory=dict)
    _limits: tuple[int, ...] = ()
    _column_limits: tuple[int, ...] = ()
    _in_summary: bool = False
    _has_summary: bool = False
    _has_limit: bool = False
    _started: datetime | None = None
    _last: datetime | None = None
    _period: tuple[int, int] = (0, 0)
    _failing: int = 0

    def line(self, line_no: int, text: str) -> None:
        """Read one line of the output; a line that the benchmark does not print becomes a problem."""
        if _MARK.search(text) is None:
            # Damaged files have millions of such lines: they are not tried against every form.
            if text:
                self._problem(f"not a line of the benchmark: {text[:80]!r}", line_no, Severity.WARNING)
        elif (counts := COUNTS.fullmatch(text)) is not None:
            self._counts(line_no, counts)
        elif (log := OTHER_LOG.fullmatch(text)) is not None:
            self._started = self._started or moment(log[1])
            if log[2] in ("ERROR", "WARN"):
                self._problem(f"the tool says: {log[3][:300]}", line_no, Severity.WARNING)
        elif text == "Latency Summary":
            self._in_summary = self._has_summary = True
        elif END.fullmatch(text):
            self._has_limit = True
        elif self._latencies(line_no, text) or not text.strip() or WARMING.fullmatch(text):
            return
        elif not self.begun and (values := banner_values(text.strip())) is not None:
            for name, value in values.items():
                self._parameters.setdefault(name, value)
        else:
            self._problem(f"not a line of the benchmark: {text[:80]!r}", line_no, Severity.WARNING)

    def _latencies(self, line_no: int, text: str) -> bool:
        """Read a line of latencies in any of the three styles; return False where it is none."""
        if (limits := header_limits_ns(text)) is not None:
            self._limits = limits
        elif self._limits and (row := row_shares(text, len(self._limits))) is not None:
            self._shares(line_no, row)
        elif (counted := alternate(text)) is not None:
            self._alternate(line_no, counted)
        elif (totals := ycsb(text)) is not None:
            self._ycsb(line_no, totals)
        else:
            return False
        return True

    def finish(self) -> ParsedRun:
        """Return the run as far as it was read."""
        series = []
        for operation, totals in self._operations.items():
            try:
                made = self._series(operation, totals)
            except DomainError as error:
                self._problem(f"{operation}: {error}", None, Severity.ERROR)
                continue
            series += [made] if made is not None else []
            if totals.count or totals.misses.total:
                self._claims.append(
                    Claim(operation, "operation_count", str(totals.count), totals.count, totals.count)
                )
                self._claims.append(
                    Claim(
                        operation,
                        "error_count",
                        str(totals.misses.total),
                        totals.misses.total,
                        totals.misses.total,
                    )
                )
        if not series:
            self._problem("no latencies: -latency was not asked for", None, Severity.WARNING)
        parameters = dict(self._parameters)
        if self._started is not None:
            parameters["started_at_local"] = self._started.isoformat(sep=" ", timespec="milliseconds")
        state, state_text = self._state()
        return ParsedRun(
            format="aerospike-java-log",
            tool="aerospike-java-benchmark",
            tool_version=None,
            series=tuple(series),
            state=state,
            state_text=state_text,
            claims=tuple(self._claims),
            problems=tuple(self.problems),
            missing=not_stated(
                "started_at",
                "tool_version",
                *(
                    fact
                    for fact, name in (
                        ("address", "address"),
                        ("keys", "keys"),
                        ("connections", "threads"),
                        ("value_bytes", "bin_0"),
                    )
                    if name not in parameters
                ),
            ),
            parameters=parameters,
            duration_ns=sum(self._period) if self._period[1] else None,
            closed_loop=True,
        )

    def _counts(self, line_no: int, match: re.Match[str]) -> None:
        """Read a line of counts, which begins a period."""
        now = moment(match[1])
        if now is None:
            self._problem("the time of the line is no time", line_no, Severity.WARNING)
            return
        self._in_summary, self._limits, self.begun = False, (), True
        if self._started is None:
            self._started = now - timedelta(microseconds=_FIRST_PERIOD_NS // NS_PER_US)
        before = self._last or self._started
        if now < before:
            self._problem(
                "the clock goes back: a second run, or a clock that was set", line_no, Severity.ERROR
            )
            now = before
        self._period = (_ns(before - self._started), _ns(now - before))
        self._last = now
        answered = failed = 0
        for part in OPERATION.finditer(match[2]):
            if part[1] == "total":
                self._total(line_no, part[3])
                continue
            cumulative, numbers = part[2], [whole(text) for text in part.groups()[2:5]]
            values = [min(number, MAX_COUNT >> 8) for number in numbers if number is not None]
            if len(values) < 3:
                self._problem(f"a count of {part[1]} is impossibly large", line_no, Severity.ERROR)
                continue
            operation = self._operations.setdefault("txn" if part[1] == "txns" else part[1], _Operation())
            operation.period_count, operation.period_misses = (
                values[0],
                Misses(errors=values[2], timeouts=values[1]),
            )
            operation.count += values[0]
            operation.misses += operation.period_misses
            self._check_total(line_no, part[1], cumulative, operation)
            answered, failed = answered + values[0], failed + values[1] + values[2]
            self._claim(Claim(part[1], "operation_count", part[3], values[0], values[0], line=line_no))
        self._failing = self._failing + 1 if failed and not answered else 0

    def _total(self, line_no: int, text: str) -> None:
        """Store the printed number of operations of the period as a claim."""
        total = whole(text)
        if total is not None:
            self._claim(Claim("total", "operation_count", text, total, total, line=line_no))

    def _check_total(self, line_no: int, operation: str, cumulative: str | None, state: _Operation) -> None:
        """Compare the printed running total of an operation, None if absent, with the sum of its periods."""
        if cumulative is None:
            return
        total = whole(cumulative)
        if total is None or total < state.count - state.period_count:
            self.fallen = True
            self._problem(
                f"the total of {operation} falls to {cumulative[:20]}: another run begins here, or the file "
                "is damaged; nothing after it was used",
                line_no,
                Severity.ERROR,
            )
            state.count -= state.period_count
            state.misses = Misses(
                state.misses.errors - state.period_misses.errors,
                state.misses.timeouts - state.period_misses.timeouts,
            )
        elif total != state.count:
            self._problem(
                f"the total of {operation} is {total}, but the periods add up to {state.count}",
                line_no,
                Severity.NOTE,
            )
            state.count = total

    def _claim(self, claim: Claim) -> None:
        """Store a claim about the period that was just read."""
        if len(self._claims) < _MAX_PERIODS:
            start_ns, duration_ns = self._period
            self._claims.append(replace(claim, start_ns=start_ns, duration_ns=duration_ns))

    def _shares(self, line_no: int, row: Shares) -> None:
        """Store a row of style `latency`, of a period or of the summary, unless it contradicts itself."""
        operation = self._operations.setdefault(row.operation, _Operation())
        if row.empty:
            return
        self._column_limits = self._column_limits or self._limits
        if self._limits != self._column_limits:
            self._problem("the columns change within the run; the row was left out", line_no, Severity.ERROR)
        elif abs(row.up_to_first + row.over[0] - 100) > 1 or any(
            a < b for a, b in zip(row.over, row.over[1:], strict=False)
        ):
            self._problem(
                f"the shares of {row.operation} contradict each other; the row was left out",
                line_no,
                Severity.ERROR,
            )
        elif self._in_summary:
            operation.summary = row
        elif len(operation.shares) < _MAX_PERIODS:
            operation.shares.append((*self._period, operation.period_count, row))
        elif len(operation.shares) == _MAX_PERIODS:
            self._problem("later periods are left out", line_no, Severity.NOTE)

    def _alternate(self, line_no: int, row: Alternate | str) -> None:
        """Store a row of style `alt`, of a period or of the summary; a text says why it is invalid."""
        if isinstance(row, str):
            self._problem(f"{row}; the row was left out", line_no, Severity.ERROR)
            return
        self.begun = True
        operation = self._operations.setdefault(row.operation, _Operation())
        if operation.layout is not None and operation.layout != row.layout:
            self._problem("the columns change within the run; the row was left out", line_no, Severity.ERROR)
            return
        operation.layout = row.layout
        if self._in_summary:
            operation.summary_counts = row
            return
        piece = len(operation.start_ns)
        operation.start_ns.append(self._period[0])
        operation.duration_ns.append(self._period[1])
        operation.errors.append(operation.period_misses.errors)
        operation.timeouts.append(operation.period_misses.timeouts)
        operation.rows.extend((piece, bucket, count) for bucket, count in enumerate(row.counts) if count)

    def _ycsb(self, line_no: int, row: Ycsb | str) -> None:
        """Store a cumulative line of style `ycsb`; a text says why it is invalid."""
        if isinstance(row, str):
            self._problem(f"{row}; the line was left out", line_no, Severity.ERROR)
            return
        self.begun = True
        operation = self._operations.setdefault(row.operation, _Operation())
        if operation.last_ycsb is not None and row.total_count < operation.last_ycsb[1].total_count:
            self.fallen = True
            self._problem(
                f"the total of {row.operation} falls from {operation.last_ycsb[1].total_count} to "
                f"{row.total_count}: another run begins here, or the file is damaged; nothing after it was "
                "used",
                line_no,
                Severity.ERROR,
            )
            return
        operation.last_ycsb = (line_no, row)
        if row.period_count:
            mean_ns = row.period_mean_us * NS_PER_US
            printed_mean = f"{row.period_mean_us}us"
            self._claim(
                Claim(
                    row.operation,
                    "latency_mean_ns",
                    printed_mean,
                    mean_ns,
                    mean_ns + NS_PER_US,
                    line=line_no,
                )
            )

    def _series(self, operation: str, state: _Operation) -> ParsedSeries | None:
        """Return the series of an operation; None without latencies. Raise DomainError."""
        if state.layout is not None:
            return self._counted_series(operation, state, state.layout)
        if state.last_ycsb is not None:
            row = state.last_ycsb[1]
            if row.total_count == 0:
                return None
            statements = row.statements()
            statements.mean_ns = float(row.mean_us * NS_PER_US), float((row.mean_us + 2) * NS_PER_US)
            record = statements.record(state.misses, self.problems)
            total = row.total_count
            self._claims.append(Claim(operation, "operation_count", str(total), total, total))
            return ParsedSeries(
                operation,
                "service",
                record,
                semantics=SEMANTICS,
                source_name=operation,
                printed=row.printed(),
            )
        if not state.shares and state.summary is None:
            return None
        limits = self._column_limits
        if state.summary is not None:
            whole_run = state.summary.statements(limits, state.count or None)
        else:
            # The run was ended from outside: the periods replace the totals, by their counts.
            whole_run = merged(row.statements(limits, count) for _, _, count, row in state.shares)
            if not whole_run:
                return None
        periods = tuple(
            Period(start, length, row.statements(limits, count or None).record())
            for start, length, count, row in state.shares
        )
        return ParsedSeries(
            operation,
            "service",
            whole_run.record(state.misses),
            semantics=SEMANTICS + "; whole per cent",
            source_name=operation,
            periods=periods,
        )

    def _counted_series(self, operation: str, state: _Operation, layout: ExplicitLayout) -> ParsedSeries:
        """Return the series of an operation with counts of style `alt`."""
        rows = np.array(state.rows, dtype=np.int64).reshape(-1, 3)
        intervals = interval_records(
            layout,
            np.array(state.start_ns, dtype=np.int64),
            np.array(state.duration_ns, dtype=np.int64),
            (rows[:, 0], rows[:, 1], rows[:, 2]),
            errors=np.array(state.errors, dtype=np.int64),
            timeouts=np.array(state.timeouts, dtype=np.int64),
        )
        record = intervals.total()
        if state.summary_counts is not None and sum(state.summary_counts.counts) != record.count:
            self._problem(
                f"the summary of {operation} counts {sum(state.summary_counts.counts)} operations, the "
                f"periods {record.count}",
                None,
                Severity.WARNING,
            )
        return ParsedSeries(
            operation, "service", record, intervals=intervals, semantics=SEMANTICS, source_name=operation
        )

    def _state(self) -> tuple[EndState, str]:
        """Return the end state of the run, and a sentence about it."""
        keys = self._parameters.get("keys")
        written = self._operations.get("write", _Operation()).count
        if self._failing >= _FAILED_PERIODS:
            end_state = EndState.FAILED, f"every call failed in the last {self._failing} periods"
        elif self._has_limit:
            end_state = EndState.FINISHED, "the benchmark reached its number of transactions"
        elif self._parameters.get("workload") == "INITIALIZE" and isinstance(keys, int) and keys:
            whole_set = written >= keys
            end_state = (
                EndState.FINISHED if whole_set else EndState.KILLED,
                f"{written} of {keys} records were written",
            )
        elif self._has_summary:
            end_state = EndState.FINISHED, "the benchmark printed its summary"
        elif self._parameters.get("transactions_max"):
            end_state = EndState.KILLED, "the number of transactions was not reached"
        else:
            end_state = (
                EndState.UNKNOWN,
                "without a number of transactions the benchmark runs until it is stopped",
            )
        return end_state

    def _problem(self, reason: str, line_no: int | None, severity: Severity) -> None:
        if len(self.problems) < _MAX_PROBLEMS:
            self.problems.append(Problem(reason, line_no, severity))
        elif len(self.problems) == _MAX_PROBLEMS:
            self.problems.append(Problem("more problems are not listed", line_no))


def _ns(span: timedelta) -> int:
    return (span // timedelta(milliseconds=1)) * NS_PER_MS
