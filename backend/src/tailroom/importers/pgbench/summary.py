"""pgbench's summary and progress lines, on their own or mixed (`2>&1`).

The mean latency is measured only if a deviation is printed, too (--progress, --rate, --latency-limit);
else it is the running time times the clients over the transactions, and no latency. Mean and deviation limit
the tail; the share over the latency limit is exact. Wording changed in 9.6 (`latency average:`), 14 (`without
initial connection time`) and 15 (failures). Source: pgbench.c (`printResults`, `printProgressReport`).
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import Misses
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.units import NS_PER_MS, NS_PER_S, NS_PER_US
from tailroom.importers.parsed_run import (
    Claim,
    ClaimsOnDemand,
    EndState,
    ParsedRun,
    ParsedSeries,
    Period,
    PeriodsOnDemand,
)
from tailroom.importers.pgbench import semantics
from tailroom.importers.pgbench.progress import (
    MAX_PERIODS,
    PROGRESS,
    Progress,
    ProgressInterval,
    add_printed_moments,
    intervals_of,
    read_progress,
)
from tailroom.importers.printed import Printed, printed, whole
from tailroom.importers.statements import MAX_TIME_NS, Statements
from tailroom.importers.text_runs import PrintedRun

BANNER = re.compile(r"pgbench \((?:PostgreSQL\) )?([0-9][\w.]{0,30})(?:.*server ([0-9][\w.]{0,30}))?.*")
_FACTS = {
    "transaction type": "transaction_type",
    "scaling factor": "scaling_factor",
    "partition method": "partition_method",
    "partitions": "partitions",
    "query mode": "query_mode",
    "number of clients": "connections",
    "number of threads": "threads",
    "maximum number of tries": "max_tries",
    "duration": "duration",
    "number of transactions per client": "transactions_per_client",
}
_FACT = re.compile(rf"({'|'.join(_FACTS)}): (.{{1,200}})")
_SCRIPT = re.compile(r"SQL script (\d{1,4}): (.{1,200})")
_PROCESSED = re.compile(
    r"number of transactions actually processed: (\d{1,18})(?:/(\d{1,18}))?"
    r"(?: \(tps = ([\d.]{1,40})\)| \(.*)?"
)
_OLD_PROCESSED = re.compile(r"(\d{1,18}) transactions \([\d.]{1,12}% of total(?:, tps = ([\d.]{1,40}))?\)")
_WEIGHT = re.compile(r"weight: (\d{1,18})(?: \(targets [\d.]{1,12}% of total\))?")
_LIMIT = re.compile(
    r"number of transactions above the (\d{1,12}\.\d) ms latency limit: (\d{1,18})(?:/(\d{1,18}))?(?: .*)?"
)
_AVERAGE = re.compile(r"latency average(?: =|:) (\S{1,40}) ms(?: \(including failures\))?")
_DEVIATION = re.compile(r"latency stddev(?: =|:) (\S{1,40}) ms")
_LAG = re.compile(r"rate limit schedule lag: avg (\S{1,40}) \(max (\S{1,40})\) ms")
_CONNECTION = re.compile(r"(initial|average) connection time = (\S{1,40}) ms")
_TPS = re.compile(r"tps = (\S{1,40})(?: \((.{1,60})\))?")
_STATEMENTS = re.compile(r"statement latencies in milliseconds.*:")
_STATEMENT = re.compile(r"\s+(\d{1,15}\.\d{3}(?:\d{3})?)((?:\s+\d{1,18}){0,2})\s+(\S.*)")
_ABORTED = re.compile(r"Run was aborted.*|pgbench: (?:error|fatal): .*|(?:client|Client) \d+ .*abort.*")
_COUNT_CLAIMS = {
    "number of failed transactions": "error_count",
    "number of serialization failures": "serialization_failure_count",
    "number of deadlock failures": "deadlock_failure_count",
    "number of other failures": "other_failure_count",
    "number of transactions retried": "retried_count",
    "total number of retries": "retry_count",
    "number of transactions skipped": "skipped_count",
}
_COUNTED = re.compile(rf"({'|'.join(_COUNT_CLAIMS)}): (\d{{1,18}})(?: \(.*)?")
_BEGIN = re.compile(
    r"\s{0,9}(?:pgbench \(|transaction type: |progress: \d|number of transactions actually processed: )"
)
_MAX_SERIES = 130


@dataclass(slots=True)
class _TransactionSummary:
    """The printed numbers of all transactions or of a script; mean and deviation in milliseconds."""

    operation: str
    line: int
    processed: int | None = None
    target: int | None = None
    """Number of transactions to be done; None if not stated."""
    counts: dict[str, int] = field(default_factory=dict)
    """Numbers of failed, skipped and retried transactions, by the words in front."""
    limit: tuple[Fraction, int, int] | None = None
    """Latency limit in milliseconds, number of transactions above it, and of all."""
    average: Printed | None = None
    deviation: Printed | None = None

    @property
    def failed(self) -> int:
        """Number of failed transactions."""
        return self.counts.get("number of failed transactions", 0)

    @property
    def skipped(self) -> int:
        """Number of transactions that were too late to be started."""
        return self.counts.get("number of transactions skipped", 0)


class SummaryReader(PrintedRun):
    """Parser of a summary and the progress above it; call `take` for each line, then `finish`."""

    def __init__(self) -> None:
        super().__init__(1)
        self._all = _TransactionSummary(semantics.TRANSACTION, 1)
        self._parts = [self._all]
        self._progress: list[Progress] = []
        self._has_rate = self._in_statements = self._ended = False
        self._aborted: str | None = None

    @property
    def has_result(self) -> bool:
        """Whether there is a number of transactions or a progress line."""
        return self._all.processed is not None or bool(self._progress)

    def is_over(self, text: str) -> bool:
        """Return whether a line begins the next summary of the file."""
        return self._all.processed is not None and _BEGIN.match(text) is not None

    def take(self, line_no: int, text: str) -> None:
        """Store the numbers of one line, and report invalid numbers; other lines are ignored."""
        stripped = text.strip().removeprefix("- ").strip()
        if self._in_statements and (statement := _STATEMENT.fullmatch(text)) is not None:
            self._take_statement(line_no, statement)
            return
        for pattern, take in self._line_readers():
            if (match := pattern.fullmatch(stripped)) is not None:
                take(line_no, match)
                return

    def _line_readers(self) -> tuple[tuple[re.Pattern[str], Callable[[int, "re.Match[str]"], None]], ...]:
        return (
            (PROGRESS, self._take_progress),
            (BANNER, self._take_banner),
            (_FACT, self._take_fact),
            (_SCRIPT, self._take_script),
            (_PROCESSED, self._take_processed),
            (_OLD_PROCESSED, self._take_old_processed),
            (_WEIGHT, self._take_weight),
            (_COUNTED, self._take_counted),
            (_LIMIT, self._take_limit),
            (_AVERAGE, self._take_average),
            (_DEVIATION, self._take_deviation),
            (_LAG, self._take_lag),
            (_CONNECTION, self._take_connection),
            (_TPS, self._take_tps),
            (_STATEMENTS, self._take_statements_head),
            (_ABORTED, self._take_abort),
        )

    def _take_banner(self, _: int, match: re.Match[str]) -> None:
        self.version = match[1]
        if match[2]:
            self.parameters["server_version"] = match[2]

    def _take_fact(self, _: int, match: re.Match[str]) -> None:
        number = whole(match[2])
        self.parameters[_FACTS[match[1]]] = match[2] if number is None else number

    def _take_script(self, line_no: int, match: re.Match[str]) -> None:
        """Begin the numbers of a script, which following lines state; after 129 they are of the last."""
        self._in_statements = False
        number = int(match[1]) - 1
        if number >= 0 and len(self._parts) < _MAX_SERIES:
            self._parts.append(_TransactionSummary(semantics.script_name(number, only=False), line_no))
            self.parameters[f"script_{number}"] = match[2]

    def _take_processed(self, line_no: int, match: re.Match[str]) -> None:
        part = self._parts[-1]
        part.processed, part.line = whole(match[1]), line_no
        part.target = whole(match[2]) if match[2] else None
        self._claim_rate(part, match[3], line_no)

    def _take_old_processed(self, line_no: int, match: re.Match[str]) -> None:
        """Store the number of transactions of a script as old versions print it; skip that of all."""
        part = self._parts[-1]
        if part is self._all:
            return
        part.processed, part.line = whole(match[1]), line_no
        self._claim_rate(part, match[2], line_no)

    def _claim_rate(self, part: _TransactionSummary, text: str | None, line_no: int) -> None:
        if text:
            self._claim_number(part.operation, "throughput_ops_per_s", text, 1, line_no)

    def _take_weight(self, _: int, match: re.Match[str]) -> None:
        if self._parts[-1] is not self._all:
            self.parameters[f"{self._parts[-1].operation.replace('-', '_')}_weight"] = whole(match[1])

    def _take_counted(self, line_no: int, match: re.Match[str]) -> None:
        part, count = self._parts[-1], whole(match[2])
        if count is None:
            self.problems.add("count", f"{match[2]} is no count", line_no)
            return
        part.counts[match[1]] = count
        self.add_count(part.operation, _COUNT_CLAIMS[match[1]], count, line_no)

    def _take_limit(self, line_no: int, match: re.Match[str]) -> None:
        """Store the latency limit (ms), the transactions above it, and the number of all if it is over 0."""
        part, over = self._parts[-1], whole(match[2])
        total = whole(match[3]) if match[3] else part.processed
        if over is None or total is None or over > total:
            self.problems.add("limit", "more transactions above the latency limit than there were", line_no)
        elif total:
            part.limit = Fraction(match[1]), over, total

    def _take_average(self, line_no: int, match: re.Match[str]) -> None:
        self._parts[-1].average = self._number(match[1], line_no)

    def _take_deviation(self, line_no: int, match: re.Match[str]) -> None:
        self._parts[-1].deviation = self._number(match[1], line_no)

    def _take_lag(self, line_no: int, match: re.Match[str]) -> None:
        self._has_rate = True
        for text, quantity in ((match[1], "schedule_lag_mean_ns"), (match[2], "schedule_lag_max_ns")):
            self._claim_number(semantics.TRANSACTION, quantity, text, NS_PER_MS, line_no)

    def _take_connection(self, line_no: int, match: re.Match[str]) -> None:
        quantity = f"{match[1]}_connection_time_ns"
        self._claim_number("connect", quantity, match[2], NS_PER_MS, line_no)

    def _take_tps(self, line_no: int, match: re.Match[str]) -> None:
        number = self._number(match[1], line_no)
        if number is None:
            return
        self._ended = True
        including = (match[2] or "").startswith("including connections")
        quantity = "throughput_with_connecting_ops_per_s" if including else "throughput_ops_per_s"
        self.claims.append(Claim.of_number(semantics.TRANSACTION, quantity, number, 1, line_no))

    def _take_statements_head(self, _: int, match: re.Match[str]) -> None:  # noqa: ARG002
        self._in_statements = True

    def _take_statement(self, line_no: int, match: re.Match[str]) -> None:
        number = printed(match[1])
        if number is not None and number.value * NS_PER_MS < MAX_TIME_NS and len(self.claims) < 2_000:
            operation = f"statement: {match[3][:120]}"
            self.claims.append(Claim.of_number(operation, "latency_mean_ns", number, NS_PER_MS, line_no))
            for quantity, text in zip(("error_count", "retry_count"), match[2].split(), strict=False):
                self.add_count(operation, quantity, whole(text), line_no)

    def _take_abort(self, line_no: int, match: re.Match[str]) -> None:
        self._aborted = match[0][:200]
        self.problems.error("abort", match[0][:200], line_no)

    def _take_progress(self, line_no: int, match: re.Match[str]) -> None:
        if len(self._progress) >= MAX_PERIODS:
            self.problems.note("many", "more progress lines than are kept", line_no)
            return
        if ", lag " in match[5]:
            self._has_rate = True
        progress = read_progress(line_no, match)
        if progress.tps is None:
            self.problems.note("progress", "a number of the progress line is no number", line_no)
        self._progress.append(progress)

    def _number(self, text: str, line_no: int) -> Printed | None:
        """Return a rate, or time in ms; None, with a problem, if no number, negative or too large."""
        number = printed(text)
        if number is None or number.value < 0 or number.value * NS_PER_MS >= MAX_TIME_NS:
            self.problems.add("number", f"{text[:40]!r} is no time or rate", line_no)
            return None
        return number

    def _claim_number(self, operation: str, quantity: str, text: str, unit: int, line_no: int) -> None:
        self.add_number(operation, quantity, self._number(text, line_no), unit, line_no)

    def finish(self) -> ParsedRun:
        """Return the run of the lines so far."""
        series: list[ParsedSeries] = []
        intervals = intervals_of(self._progress, self.problems)
        claims: list[Claim | ProgressInterval] = [*self.claims, *intervals]
        periods = PeriodsOnDemand(len(intervals), lambda at: intervals[at].period())
        for part in self._parts:
            claims += self._part_claims(part)
            record = self._record(part)
            if record is not None:
                series.append(self._series(part, record, periods if part is self._all else ()))
        if not series and periods:
            series.append(self._series(self._all, KnotsRecord(()), periods))
        self.duration_ns = self._duration_ns(periods)
        run = self.parsed(
            "pgbench-progress" if self._all.processed is None else "pgbench-summary",
            "pgbench",
            [],
            series,
            self._state(),
            closed_loop=not self._has_rate,
            stated=["connections"] if "connections" in self.parameters else [],
        )
        return replace(run, claims=ClaimsOnDemand.of(claims))

    def _series(
        self, part: _TransactionSummary, record: KnotsRecord, periods: Sequence[Period]
    ) -> ParsedSeries:
        return ParsedSeries(
            part.operation,
            "response" if self._has_rate else "service",
            record,
            semantics=semantics.RESPONSE if self._has_rate else semantics.SERVICE,
            source_name="latency",
            periods=periods,
        )

    def _record(self, part: _TransactionSummary) -> KnotsRecord | None:
        """Return the record, or None without a count. If contradictory, report it and use the count alone."""
        if part.processed is None:
            return None
        misses = Misses(errors=part.failed, timeouts=part.skipped)
        statements = Statements(part.processed)
        if part.processed and part.limit is not None and part.limit[2] == part.processed:
            limit_ms, over, total = part.limit
            # Latencies are whole microseconds: not above the limit is below the next one.
            at_ns = int(limit_ms * NS_PER_MS) + NS_PER_US
            statements.at_least(at_ns, Fraction(total - over, total))
            statements.at_most(at_ns, Fraction(total - over, total))
        if part.processed and part.average is not None and part.deviation is not None:
            add_printed_moments(statements, part.average, part.deviation)
        try:
            return statements.record(misses)
        except DomainError as error:
            self.problems.error("series", f"{part.operation}: {error}", part.line)
            return KnotsRecord((), part.processed, misses=misses)

    def _part_claims(self, part: _TransactionSummary) -> list[Claim]:
        """Return claims of count, mean and deviation; a mean that was not measured is no latency."""
        claims = []
        if part.processed is not None:
            claims.append(Claim.of_count(part.operation, "operation_count", part.processed, part.line))
        if part.average is not None:
            is_measured = part.deviation is not None
            if not is_measured and part is self._all:
                self.problems.note(
                    "average",
                    "latency average is worked out from running time, clients and transactions: without "
                    "--progress, --rate or --latency-limit pgbench does not measure it",
                    part.line,
                )
            quantity = "latency_mean_ns" if is_measured else "time_per_transaction_ns"
            claims.append(Claim.of_number(part.operation, quantity, part.average, NS_PER_MS, part.line))
        if part.deviation is not None:
            claims.append(
                Claim.of_number(part.operation, "latency_deviation_ns", part.deviation, NS_PER_MS, part.line)
            )
        return claims

    def _duration_ns(self, periods: Sequence[Period]) -> int | None:
        """Return the running time in ns as stated, else by the progress lines; None without either."""
        stated = re.fullmatch(r"(\d{1,9}) s", str(self.parameters.get("duration", "")))
        if stated is not None:
            return int(stated[1]) * NS_PER_S
        if not periods:
            return None
        # An excerpt proves nothing about the time before it.
        return periods[-1].start_ns + periods[-1].duration_ns - periods[0].start_ns

    def _state(self) -> tuple[EndState, str]:
        if self._aborted is not None:
            return EndState.FAILED, self._aborted
        part = self._all
        if part.target is not None and part.processed is not None:
            lost = part.target - part.processed - part.failed - part.skipped
            if lost > 0:
                return EndState.FAILED, f"{lost} of {part.target} transactions were not done: clients gave up"
        if part.processed is None:
            return EndState.UNKNOWN, "there are progress lines only, without a summary"
        if not self._ended:
            return EndState.UNKNOWN, "the summary ends before its rate"
        return EndState.FINISHED, "the summary is whole"
