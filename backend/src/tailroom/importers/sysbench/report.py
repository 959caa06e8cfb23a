"""sysbench's report, from 0.4 to 1.1: options, intermediate lines, histogram, statistics.

A latency is that of an event (a transaction, a file operation, a calculation), with all tries of a
transaction that was rolled back. With --rate it begins when the event was due, else when its thread began
with it. Least, mean and largest are printed with two decimals of a millisecond, the sum as well, so that the
mean follows from it more exactly. A percentile is the name of a bucket of the histogram (`histogram`).
Intermediate lines hold rates and a percentile, no counts. Source: sysbench `sysbench.c`, `db_driver.c`,
`sb_fileio.c`, `sb_memory.c`; 0.4.12 and 0.5 for the older words.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import LatencyDist, Misses
from tailroom.domain.latency.layouts import NEVER_NS
from tailroom.domain.latency.record import LatencyRecord
from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.excerpts import begins_in_the_middle
from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.parsed_run import (
    Claim,
    ClaimsOnDemand,
    EndState,
    ParsedRun,
    ParsedSeries,
    Period,
    PeriodsOnDemand,
    Problem,
)
from tailroom.importers.printed import Printed, printed, whole
from tailroom.importers.problems import Problems
from tailroom.importers.server_disclosure import not_stated
from tailroom.importers.source import Source
from tailroom.importers.statements import MAX_TIME_NS, Statements
from tailroom.importers.sysbench import histogram
from tailroom.importers.sysbench.words import (
    COUNTS,
    MIB,
    NUMBER,
    OF_USUAL,
    OPTIONS,
    PERCENTILE,
    RATES,
    RESPONSE,
    SERVICE,
    TOTALS,
    USUAL,
)

BANNER = re.compile(r"sysbench (\d[\w.~+-]{0,40})(?:[:\s].*)?")
INTERVAL = re.compile(r"\[\s*(\d{1,9})s\s*\]\s*(\S.*)")
_KEY = re.compile(r"([A-Za-z][^:]{0,60}):\s+(\S.*)")
_EVENTS = re.compile(r"total number of events:\s+(\d{1,18})")
_TIME = re.compile(rf"(?:total time|time elapsed):\s+{NUMBER}s")
_MOMENT = re.compile(rf"(min|avg|max|sum):\s+{NUMBER}(ms|s)?")
_LAST_PERCENTILE = re.compile(rf"(approx\.\s+)?(\d{{1,3}})(?:th)? percentile:\s+{NUMBER}(ms|s)?")
_UNFINISHED = re.compile(r"Number of unfinished transactions on forced shutdown: (\d{1,9})")
_FATAL = re.compile(r"(?:FATAL|ERROR|ALERT): .*")
_FORCED = "forcing shutdown"
_HISTOGRAM = "Latency histogram"
_ROW = re.compile(r"\s+(\d{1,9}\.\d{3}) \|\*{0,40}\s*(\d{1,18})")
_CHECKPOINT = re.compile(r"\[\s*\d{1,9}s\s*\] Checkpoint report:.*")
_BLOCK = re.compile(r"(\d{1,12})([KMG]?)i?[bB]")
_BLOCK_UNITS = {"": 1, "K": 1 << 10, "M": MIB, "G": 1 << 30}
_MAX_PERIODS = 200_000
_MAX_ROWS = 4_096
_OF_SERVERS = ("plan.fraud.", "host.network_interfaces.")


@dataclass(frozen=True, slots=True)
class _Interval:
    """An intermediate line: its end, and share in per cent and time in ms of its percentile."""

    line: int
    end_s: int
    percentile: tuple[int, Printed] | None
    rate: float
    """Events a second, at least."""


@dataclass(frozen=True, slots=True)
class _Line:
    """An intermediate line, stored as text: its statements are ten times as large."""

    line: int
    begin_s: int
    end_s: int
    text: str

    def claims(self) -> Iterator[Claim]:
        """Yield rates, then the percentile."""
        start_ns, duration_ns = self.begin_s * NS_PER_S, (self.end_s - self.begin_s) * NS_PER_S
        for operation, quantity, value, unit, quantile in _stated(self.text):
            yield Claim(
                operation,
                quantity,
                value.text,
                *value.ends(unit),
                quantile,
                line=self.line,
                start_ns=start_ns,
                duration_ns=duration_ns,
            )


def _stated(text: str) -> Iterator[tuple[str, str, Printed, int, float | None]]:
    """Yield operation, quantity, number, unit and share of all that an intermediate line states."""
    usual = USUAL.fullmatch(text)
    if usual is not None:
        tps, qps, read, write, other, _, _, errors, reconnects = usual.groups()
        numbers = (tps, qps, read, write, other, errors, reconnects)
        for (operation, quantity), number in zip(OF_USUAL, numbers, strict=True):
            if (value := printed(number)) is not None:
                yield operation, quantity, value, 1, None
    for mark, pattern, operation, quantity, unit in () if usual is not None else RATES:
        match = pattern.search(text) if mark in text else None
        value = printed(match[1]) if match is not None else None
        if value is not None:
            yield operation, quantity, value, unit, None
    held = _percentile_of(PERCENTILE.search(text))
    if held is not None:
        yield "event", "latency_quantile_ns", held[1], NS_PER_MS, held[0] / 100


def _percentile_of(match: re.Match[str] | None) -> tuple[int, Printed] | None:
    """Return the share in per cent and the printed time of a percentile; None where they are impossible."""
    if match is None:
        return None
    share, value = int(match[1] or match[3] or 0), printed(match[2])
    return (share, value) if value is not None and 0 < share <= 100 else None


@dataclass(slots=True)
class SysbenchReportReader:
    """Takes the lines of a report."""

    problems: Problems
    version: str | None = None
    parameters: dict[str, str | int | float | bool | None] = field(default_factory=dict)
    claims: list[Claim | _Line] = field(default_factory=list)
    operations: set[str] = field(default_factory=set)
    """Operations about which a line states something."""
    intervals: list[_Interval] = field(default_factory=list)
    rows: list[histogram.SysbenchHistogramRow] = field(default_factory=list)
    moments: dict[str, Printed] = field(default_factory=dict)
    """Printed `min`, `avg`, `max` and `sum`, in `moments_unit_ns`."""
    moments_unit_ns: int = NS_PER_MS
    percentile: tuple[int, Printed] | None = None
    approximate: bool = False
    events: int | None = None
    events_line: int | None = None
    total_s: Printed | None = None
    unfinished: int = 0
    failed: str | None = None
    forced: bool = False
    ended: bool = False
    in_histogram: bool = False
    last_second: int = 0
    first_second: int | None = None
    """End of the first interval, until the second one shows whether the output begins with it."""
    origin_s: int = 0
    """Start of the statements, later than 0 in an excerpt."""

    def line(self, line_no: int, text: str) -> None:
        """Read one line; a line that belongs to no report is skipped."""
        stripped = text.strip()
        if self.in_histogram and self._row(line_no, text):
            return
        if " " not in stripped and "\t" not in stripped:
            # No line of a report is a single word; damaged files have millions of them.
            return
        if _CHECKPOINT.fullmatch(stripped):
            self._checkpoint(line_no)
        elif (interval := INTERVAL.fullmatch(stripped)) is not None:
            self._interval(line_no, interval)
        elif (banner := BANNER.fullmatch(stripped)) is not None:
            self._banner(line_no, banner)
        elif stripped.startswith(_HISTOGRAM):
            self.in_histogram = True
        elif _FATAL.match(stripped) or _FORCED in stripped:
            self._fatal(line_no, stripped)
        elif not self._statistics(line_no, stripped):
            self._option(stripped)

    def _banner(self, _: int, match: re.Match[str]) -> None:
        self.version = match[1].rstrip(":")

    def _checkpoint(self, line_no: int) -> None:
        """Drop the statistics before a checkpoint; intermediate lines remain."""
        lines = [claim for claim in self.claims if isinstance(claim, _Line)]
        self.moments, self.percentile, self.claims = {}, None, [*lines]
        self.operations = {operation for line in lines for operation, *_ in _stated(line.text)}
        self.problems.add(
            "checkpoint", "a checkpoint: statistics after it start again, those before were left out", line_no
        )

    def _fatal(self, line_no: int, text: str) -> None:
        """Store an error that ended the run, or that it was shut down by force."""
        if _FORCED in text:
            self.forced = True
        else:
            self.failed = self.failed or text[:200]
        self.problems.add("fatal", text[:200], line_no, error=True)

    def _row(self, line_no: int, text: str) -> bool:
        """Read a line of the histogram; return False where it is none."""
        match = _ROW.fullmatch(text)
        if match is None:
            self.in_histogram = not (self.rows and (not text.strip() or ":" in text))
            return "value" in text and "distribution" in text
        too_many = len(self.rows) >= _MAX_ROWS
        name, count = (None, None) if too_many else (printed(match[1]), whole(match[2]))
        if name is None or count is None:
            self.problems.add("row", f"no row of a histogram: {text.strip()[:60]!r}", line_no, error=True)
        else:
            self.rows.append(histogram.SysbenchHistogramRow(line_no, name, count))
        return True

    def _interval(self, line_no: int, match: re.Match[str]) -> None:
        """Store the rates and the percentile of an intermediate line."""
        end_s, rest = int(match[1]), match[2]
        if end_s < self.last_second or len(self.intervals) >= _MAX_PERIODS:
            self.problems.add("time", "the time falls, or there are too many lines; left out", line_no)
            return
        self._find_origin(line_no, end_s)
        begin_s = self.last_second if end_s > self.last_second else self._length_before()
        percentile = PERCENTILE.search(rest)
        rate = moved = 0.0
        states = False
        for operation, quantity, value, unit, quantile in _stated(rest):
            if quantile is None and operation == "event" and quantity == "throughput_ops_per_s":
                rate = value.ends()[0]
            elif operation in ("read", "write"):
                moved += value.ends(unit)[0]
            self.operations.add(operation)
            states = True
        if states:
            self.claims.append(_Line(line_no, begin_s, end_s, rest))
        block = _BLOCK.fullmatch(str(self.parameters.get("block_size", "")))
        if block is not None and int(block[1]):
            rate = max(rate, moved / (int(block[1]) * _BLOCK_UNITS[block[2]]))
        if percentile is not None:
            self.intervals.append(_Interval(line_no, end_s, _percentile_of(percentile), rate))
        self.last_second = end_s

    def _find_origin(self, line_no: int, end_s: int) -> None:
        """Look, at the second interval, whether the first one can have begun with the run. Else it only says
        where the second begins.
        """
        first_s = self.first_second
        if first_s is None and not self.intervals:
            self.first_second = end_s
        elif first_s is not None and end_s > first_s:
            self.first_second = None
            if begins_in_the_middle((first_s, end_s), 1):
                self.origin_s = first_s
                self.claims = [claim for claim in self.claims if not isinstance(claim, _Line)]
                self.intervals = []
                self.problems.add(
                    "excerpt",
                    f"the lines before are missing: that of {first_s} s only says where this one begins",
                    line_no,
                    note=True,
                )

    def _length_before(self) -> int:
        """Return the start in seconds of an interval that was printed in several lines (`queue length:` has
        its own line).
        """
        return self.intervals[-2].end_s if len(self.intervals) > 1 else 0

    def _statistics(self, line_no: int, text: str) -> bool:
        """Read a line of the statistics; return False where it is none."""
        if (events := _EVENTS.fullmatch(text)) is not None:
            self.events, self.events_line, self.ended = whole(events[1]), line_no, True
        elif (total := _TIME.fullmatch(text)) is not None:
            self.total_s = printed(total[1])
        elif (moment := _MOMENT.fullmatch(text)) is not None:
            value = printed(moment[2])
            if value is not None:
                self.moments[moment[1]] = value
                self.moments_unit_ns = NS_PER_S if moment[3] == "s" else NS_PER_MS
        elif (last := _LAST_PERCENTILE.fullmatch(text)) is not None:
            value = printed(last[3])
            if value is not None and 0 < int(last[2]) <= 100:
                self.percentile, self.approximate = (int(last[2]), value), last[1] is not None
        elif (left := _UNFINISHED.fullmatch(text)) is not None:
            self.unfinished = int(left[1])
        else:
            return self._totals(line_no, text)
        return True

    def _totals(self, line_no: int, text: str) -> bool:
        """Store the rates and counts of a line as claims; return False where it states none."""
        has_total = False
        for pattern, operation, quantity, unit in TOTALS:
            match = pattern.fullmatch(text)
            value = printed(match[1]) if match is not None else None
            if value is not None:
                self._claim(operation, quantity, value, unit, line_no=line_no)
                has_total = True
        for pattern, operation, quantity in COUNTS:
            match = pattern.fullmatch(text)
            count = whole(match[1]) if match is not None else None
            if match is not None and count is not None:
                self.claims.append(Claim(operation, quantity, match[1], count, count, line=line_no))
                self.operations.add(operation)
                has_total = True
        return has_total

    def _option(self, text: str) -> None:
        """Store the parameter that a line of options states, if any."""
        for pattern, name in OPTIONS:
            match = pattern.fullmatch(text)
            if match is not None:
                number = whole(match[1])
                self.parameters.setdefault(name, match[1] if number is None else number)

    def _claim(self, operation: str, quantity: str, value: Printed, unit: int, *, line_no: int) -> None:
        self.claims.append(Claim(operation, quantity, value.text, *value.ends(unit), line=line_no))
        self.operations.add(operation)

    @property
    def begun(self) -> bool:
        """Whether there is anything of a run."""
        return self.events is not None or bool(self.intervals) or bool(self.claims) or self.failed is not None

    def finish(self, source: Source) -> ParsedRun:
        """Return the run. Raise ContentUnreadable where there is neither a statistic nor an intermediate
        line.
        """
        if not self.begun:
            raise ContentUnreadable(f"{source.name} has no result of sysbench that can be read")
        has_rate = "rate_per_s" in self.parameters or "queue" in self.operations
        periods = self._periods()
        record = self._record()
        self._moment_claims()
        series = []
        if record is not None or periods:
            series.append(
                ParsedSeries(
                    "event",
                    "response" if has_rate else "service",
                    record if record is not None else Statements().record(),
                    semantics=RESPONSE if has_rate else SERVICE,
                    source_name="Latency",
                    periods=periods,
                )
            )
        state, words = self._state()
        return ParsedRun(
            format="sysbench",
            tool="sysbench",
            tool_version=self.version,
            series=tuple(series),
            state=state,
            state_text=words,
            claims=ClaimsOnDemand.of(self.claims),
            problems=self.problems.all(),
            missing=self._missing(),
            parameters=self.parameters,
            duration_ns=self._duration_ns(),
            closed_loop=not has_rate,
        )

    def _missing(self) -> tuple[str, ...]:
        """Return the disclosure fields that are open; facts about a server only where queries were
        measured.
        """
        facts = [] if self.version is not None else ["tool_version"]
        facts += [] if "connections" in self.parameters else ["connections"]
        if "query" in self.operations:
            return not_stated("started_at", "address", "keys", "value_bytes", *facts)
        names = not_stated("started_at", *facts)
        # Without a server there is nothing to say about one.
        return tuple(name for name in names if not name.startswith(_OF_SERVERS))

    def _duration_ns(self) -> int | None:
        if self.total_s is not None and self.total_s.value * NS_PER_S < MAX_TIME_NS:
            return int(self.total_s.value * NS_PER_S)
        return (self.last_second - self.origin_s) * NS_PER_S or None

    def _state(self) -> tuple[EndState, str]:
        """Return the end state of the run, and a sentence about it."""
        if self.failed is not None:
            return EndState.FAILED, self.failed
        if self.forced:
            return EndState.KILLED, "the time limit was over before the last events: forced shutdown"
        if not self.ended:
            return EndState.UNKNOWN, "the statistics are missing: the run was stopped, or is not over"
        return EndState.FINISHED, "the statistics are whole"

    def _record(self) -> LatencyRecord | None:
        """Return the record of the histogram where it is printed, else of percentile, smallest, largest and
        mean.

        None without statistics.
        """
        misses = Misses(unfinished=self.unfinished)
        exact = self._from_histogram(misses)
        if exact is not None:
            return exact
        if self.events is None:
            return None
        statements = Statements(self.events)
        if self.events:
            self._ends(statements)
            if self.percentile is not None and not self.approximate:
                _percentile(statements, *self.percentile, events=self.events)
        problems: list[Problem] = []
        try:
            record = statements.record(misses, problems)
        except DomainError as error:
            self.problems.add("series", str(error), self.events_line, error=True)
            return Statements(self.events).record(misses)
        for problem in problems:
            self.problems.add("mean", problem.reason, self.events_line)
        return record

    def _from_histogram(self, misses: Misses) -> LatencyDist | None:
        """Return the record of the printed histogram; None without rows or, with a problem, for
        invalid rows.
        """
        if not self.rows:
            return None
        try:
            distribution = histogram.distribution(self.rows)
        except DomainError as error:
            self.problems.add("histogram", str(error), self.rows[0].line, error=True)
            return None
        if self.events is not None and distribution.count != self.events:
            self.problems.add(
                "total",
                f"the histogram holds {distribution.count} events, the statistics {self.events}: it counts",
                self.rows[0].line,
            )
        least, most = (self._time_ns(name) for name in ("min", "max"))
        try:
            total = self._time_ns("sum")
            cut = replace(
                distribution,
                misses=misses,
                # Printed to 10 µs for all events together: nothing, for one of them.
                sum_ns=sum(total) // 2 if total is not None and distribution.count == self.events else None,
                min_ns=least[0] if least is not None else None,
                max_ns=most[1] if most is not None else None,
            )
            _ = cut.cells
        except DomainError as error:
            self.problems.add("ends", f"{error}; smallest and largest were left out", self.events_line)
            return replace(distribution, misses=misses)
        return cut

    def _time_ns(self, name: str) -> tuple[int, int] | None:
        """Return the bounds of `min`, `avg`, `max` or `sum` in ns; None where it is absent or impossible."""
        value = self.moments.get(name)
        ends = None if value is None else value.outward(self.moments_unit_ns)
        return ends if ends is not None and ends[1] <= MAX_TIME_NS else None

    def _ends(self, statements: Statements) -> None:
        """Add smallest, largest and mean to the statements."""
        least, most = self._time_ns("min"), self._time_ns("max")
        statements.span(least[0] if least is not None else None, most[1] + 1 if most is not None else None)
        total, mean = self._time_ns("sum"), self._time_ns("avg")
        if total is not None and statements.count:
            statements.mean_ns = total[0] / statements.count, total[1] / statements.count
        elif mean is not None:
            statements.mean_ns = float(mean[0]), float(mean[1])

    def _moment_claims(self) -> None:
        """Add claims about smallest, mean, largest and sum, the number of events, and the percentile."""
        names = {"min": "latency_min_ns", "avg": "latency_mean_ns", "max": "latency_max_ns"}
        names["sum"] = "latency_sum_ns"
        for name, quantity in names.items():
            ends, value = self._time_ns(name), self.moments.get(name)
            if ends is not None and value is not None:
                self.claims.append(Claim("event", quantity, value.text, *ends, line=self.events_line))
        if self.events is not None:
            count = self.events
            self.claims.append(
                Claim("event", "operation_count", str(count), count, count, line=self.events_line)
            )
        if self.percentile is not None:
            share, value = self.percentile
            low, high = float(value.lower * NS_PER_MS), float(value.upper * NS_PER_MS)
            self.claims.append(
                Claim(
                    "event", "latency_quantile_ns", value.text, low, high, share / 100, line=self.events_line
                )
            )

    def _periods(self) -> PeriodsOnDemand:
        """Return a period for each interval with a percentile, built on access."""
        periods: list[tuple[int, int, _Interval]] = []
        before_s = self.origin_s
        for interval in self.intervals:
            if interval.end_s > before_s:
                periods.append((before_s, interval.end_s - before_s, interval))
                before_s = interval.end_s
        return PeriodsOnDemand(len(periods), lambda at: _period(*periods[at]))


def _period(start_s: int, length_s: int, interval: _Interval) -> Period:
    """Return the period of an interval, with its percentile; a single percentile contradicts nothing."""
    statements = Statements()
    # Seconds are rounded, so half of the events that the rate promises are certain.
    least_events = math.floor(interval.rate * length_s / 2)
    if interval.percentile is not None and least_events > 0:
        _percentile(statements, *interval.percentile, slack=Fraction(1, least_events))
    return Period(start_s * NS_PER_S, length_s * NS_PER_S, statements.record())


def _percentile(
    statements: Statements,
    share: int,
    value: Printed,
    *,
    events: int | None = None,
    slack: Fraction = Fraction(0),
) -> None:
    """Add the statement that `floor(events · share + 1/2)` events are in the named bucket or below it, fewer
    below it alone.

    `share` is in per cent, `value` the printed time in ms. Without `events` the share itself, give or take
    `slack`.
    """
    buckets = histogram.buckets_named(value)
    if not buckets:
        return
    lower_ns, upper_ns = histogram.ends_ns(buckets)
    exact = Fraction(share, 100)
    at_least, at_most = exact - slack, exact + slack
    if events:
        rank = math.floor(events * exact + Fraction(1, 2))
        at_least, at_most = Fraction(rank, events), Fraction(max(0, rank - 1), events)
    if upper_ns != NEVER_NS:
        statements.at_least(upper_ns, at_least)
    if events is None or events * exact >= Fraction(1, 2):
        statements.at_most(lower_ns, at_most)
