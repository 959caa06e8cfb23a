"""pgbench's summary with the progress lines above it (`progress`), on their own or mixed (`2>&1`).

The mean latency is measured only where a deviation is printed, too (--progress, --rate, --latency-limit);
else it is the running time times the clients over the transactions, and no latency. Mean and deviation limit
the tail; the share over the latency limit is exact. Progress lines say how many transactions a second there
were, rounded, so that they hold no counts. Wording changed in 9.6 (`latency average:`), 14 (`without initial
connection time`) and 15 (failures). Source: pgbench.c (`printResults`, `printProgressReport`).
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
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
    Severity,
)
from tailroom.importers.pgbench import words
from tailroom.importers.pgbench.progress import (
    MAX_PERIODS,
    PROGRESS,
    Progress,
    Stretch,
    add_printed_moments,
    progress_of,
    stretches_of,
)
from tailroom.importers.printed import Printed, printed, whole
from tailroom.importers.problems import Problems
from tailroom.importers.statements import MAX_TIME_NS, Statements

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
_COUNTED = re.compile(
    r"(number of failed transactions|number of serialization failures|number of deadlock failures|"
    r"number of other failures|number of transactions retried|total number of retries|"
    r"number of transactions skipped): (\d{1,18})(?: \(.*)?"
)
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
_BEGIN = re.compile(
    r"\s{0,9}(?:pgbench \(|transaction type: |progress: \d|number of transactions actually processed: )"
)
_MAX_SERIES = 130


@dataclass(slots=True)
class _SummaryPart:
    """The printed numbers of all transactions, or of those of a script; mean and deviation in
    milliseconds.
    """

    operation: str
    line: int
    processed: int | None = None
    wanted: int | None = None
    """How many transactions were to be done; None where not stated."""
    counts: dict[str, int] = field(default_factory=dict)
    """Numbers of failed, skipped and retried transactions by the words before them."""
    limit: tuple[Fraction, int, int] | None = None
    """Latency limit in milliseconds, number of transactions above it, and of all."""
    average: Printed | None = None
    deviation: Printed | None = None


class SummaryReader:
    """Parser of a pgbench summary and of the progress lines above it."""

    def __init__(self) -> None:
        self._problems = Problems()
        self._all = _SummaryPart(words.TRANSACTION, 1)
        self._parts = [self._all]
        self._progress: list[Progress] = []
        self._parameters: dict[str, str | int | float | bool | None] = {}
        self._claims: list[Claim] = []
        self._version: str | None = None
        self._has_rate = self._in_statements = self._ended = False
        self._aborted: str | None = None

    @property
    def has_result(self) -> bool:
        """Whether there is a summary or a progress line."""
        return self._all.processed is not None or bool(self._progress)

    def is_over(self, text: str) -> bool:
        """Return whether a line belongs to the next test: scripts of users print several summaries."""
        return self._all.processed is not None and _BEGIN.match(text) is not None

    def line(self, line_no: int, text: str) -> None:
        """Read one line; a line that belongs to no summary is skipped."""
        stripped = text.strip().removeprefix("- ").strip()
        if self._in_statements and (statement := _STATEMENT.fullmatch(text)) is not None:
            self._statement(line_no, statement)
            return
        for pattern, take in self._takers():
            if (match := pattern.fullmatch(stripped)) is not None:
                take(line_no, match)
                return

    def _takers(self) -> tuple[tuple[re.Pattern[str], Callable[[int, "re.Match[str]"], None]], ...]:
        """Return the pattern of each kind of line, and the method that reads it."""
        return (
            (PROGRESS, self._take_progress),
            (BANNER, self._banner),
            (_FACT, self._fact),
            (_SCRIPT, self._script),
            (_PROCESSED, self._processed),
            (_OLD_PROCESSED, self._old_processed),
            (_WEIGHT, self._weight),
            (_COUNTED, self._counted),
            (_LIMIT, self._limit),
            (_AVERAGE, self._average),
            (_DEVIATION, self._deviation),
            (_LAG, self._lag),
            (_CONNECTION, self._connection),
            (_TPS, self._tps),
            (_STATEMENTS, self._statements),
            (_ABORTED, self._abort),
        )

    def _banner(self, _: int, match: re.Match[str]) -> None:
        self._version = match[1]
        if match[2]:
            self._parameters["server_version"] = match[2]

    def _fact(self, _: int, match: re.Match[str]) -> None:
        number = whole(match[2])
        self._parameters[_FACTS[match[1]]] = match[2] if number is None else number

    def _script(self, line_no: int, match: re.Match[str]) -> None:
        self._in_statements = False
        number = int(match[1]) - 1
        if number >= 0 and len(self._parts) < _MAX_SERIES:
            self._parts.append(_SummaryPart(words.script_name(number, only=False), line_no))
            self._parameters[f"script_{number}"] = match[2]

    def _processed(self, line_no: int, match: re.Match[str]) -> None:
        """Read the number of transactions of the current part, and how many were to be done."""
        part = self._parts[-1]
        part.processed, part.line = whole(match[1]), line_no
        part.wanted = whole(match[2]) if match[2] else None
        self._rate_of_part(part, match[3], line_no)

    def _old_processed(self, line_no: int, match: re.Match[str]) -> None:
        part = self._parts[-1]
        if part is self._all:
            return
        part.processed, part.line = whole(match[1]), line_no
        self._rate_of_part(part, match[2], line_no)

    def _rate_of_part(self, part: _SummaryPart, text: str | None, line_no: int) -> None:
        """Add the rate of a part as a claim; `text` is None where it is not printed."""
        rate = self._number(text, line_no) if text else None
        if rate is not None:
            self._claims.append(_claim(part.operation, "throughput_ops_per_s", rate, 1, line_no))

    def _weight(self, _: int, match: re.Match[str]) -> None:
        if self._parts[-1] is not self._all:
            self._parameters[f"{self._parts[-1].operation.replace('-', '_')}_weight"] = whole(match[1])

    def _counted(self, line_no: int, match: re.Match[str]) -> None:
        part, count = self._parts[-1], whole(match[2])
        if count is None:
            self._problems.add("count", f"{match[2]} is no count", line_no)
            return
        part.counts[match[1]] = count
        self._claims.append(
            Claim(part.operation, _COUNT_CLAIMS[match[1]], match[2], count, count, line=line_no)
        )

    def _limit(self, line_no: int, match: re.Match[str]) -> None:
        part, over = self._parts[-1], whole(match[2])
        total = whole(match[3]) if match[3] else part.processed
        if over is None or not total or over > total:
            self._problems.add("limit", "more transactions above the latency limit than there were", line_no)
            return
        part.limit = Fraction(match[1]), over, total

    def _average(self, line_no: int, match: re.Match[str]) -> None:
        self._parts[-1].average = self._number(match[1], line_no)

    def _deviation(self, line_no: int, match: re.Match[str]) -> None:
        self._parts[-1].deviation = self._number(match[1], line_no)

    def _lag(self, line_no: int, match: re.Match[str]) -> None:
        self._has_rate = True
        for text, quantity in ((match[1], "schedule_lag_mean_ns"), (match[2], "schedule_lag_max_ns")):
            number = self._number(text, line_no)
            if number is not None:
                self._claims.append(_claim(words.TRANSACTION, quantity, number, NS_PER_MS, line_no))

    def _connection(self, line_no: int, match: re.Match[str]) -> None:
        number = self._number(match[2], line_no)
        if number is not None:
            self._claims.append(
                _claim("connect", f"{match[1]}_connection_time_ns", number, NS_PER_MS, line_no)
            )

    def _tps(self, line_no: int, match: re.Match[str]) -> None:
        number = self._number(match[1], line_no)
        if number is None:
            return
        self._ended = True
        including = (match[2] or "").startswith("including connections")
        quantity = "throughput_with_connecting_ops_per_s" if including else "throughput_ops_per_s"
        self._claims.append(_claim(words.TRANSACTION, quantity, number, 1, line_no))

    def _statements(self, _: int, match: re.Match[str]) -> None:  # noqa: ARG002
        self._in_statements = True

    def _statement(self, line_no: int, match: re.Match[str]) -> None:
        number = printed(match[1])
        if number is not None and number.value * NS_PER_MS < MAX_TIME_NS and len(self._claims) < 2_000:
            operation = f"statement: {match[3][:120]}"
            self._claims.append(_claim(operation, "latency_mean_ns", number, NS_PER_MS, line_no))
            for quantity, text in zip(("error_count", "retry_count"), match[2].split(), strict=False):
                count = whole(text)
                if count is not None:
                    self._claims.append(Claim(operation, quantity, text, count, count, line=line_no))

    def _abort(self, line_no: int, match: re.Match[str]) -> None:
        self._aborted = match[0][:200]
        self._problems.add("abort", match[0][:200], line_no, error=True)

    def _take_progress(self, line_no: int, match: re.Match[str]) -> None:
        if len(self._progress) >= MAX_PERIODS:
            self._problems.add("many", "more progress lines than are kept", line_no, note=True)
            return
        if ", lag " in match[5]:
            self._has_rate = True
        progress = progress_of(line_no, match)
        if progress.tps is None:
            self._problems.add("progress", "a number of the progress line is no number", line_no, note=True)
        self._progress.append(progress)

    def _number(self, text: str, line_no: int) -> Printed | None:
        """Return a printed rate or time in ms; None, and a problem, for any other text."""
        number = printed(text)
        if number is None or number.value < 0 or number.value * NS_PER_MS >= MAX_TIME_NS:
            self._problems.add("number", f"{text[:40]!r} is no time or rate", line_no)
            return None
        return number

    def finish(self) -> ParsedRun:
        """Return the run of the lines so far."""
        series: list[ParsedSeries] = []
        stretches = stretches_of(self._progress, self._problems)
        claims: list[Claim | Stretch] = [*self._claims, *stretches]
        periods = PeriodsOnDemand(len(stretches), lambda at: stretches[at].period())
        for part in self._parts:
            claims += self._part_claims(part)
            record = self._record(part)
            if record is not None:
                series.append(self._made(part, record, periods if part is self._all else ()))
        if not series and periods:
            series.append(self._made(self._all, KnotsRecord(()), periods))
        state, text = self._state()
        is_summary = self._all.processed is not None
        return ParsedRun(
            format="pgbench-summary" if is_summary else "pgbench-progress",
            tool="pgbench",
            tool_version=self._version,
            series=tuple(series),
            state=state,
            state_text=text,
            claims=ClaimsOnDemand.of(claims),
            problems=self._problems.all(),
            missing=words.open_facts(
                version=self._version is not None,
                connections="connections" in self._parameters,
                started=False,
            ),
            parameters=self._parameters,
            duration_ns=self._duration_ns(periods),
            closed_loop=not self._has_rate,
        )

    def _made(self, part: _SummaryPart, record: KnotsRecord, periods: Sequence[Period]) -> ParsedSeries:
        return ParsedSeries(
            part.operation,
            "response" if self._has_rate else "service",
            record,
            semantics=words.RESPONSE if self._has_rate else words.SERVICE,
            source_name="latency",
            periods=periods,
        )

    def _record(self, part: _SummaryPart) -> KnotsRecord | None:
        """Return what a part proves of its latencies; None without a count. Where it contradicts itself, only
        the count.
        """
        if part.processed is None:
            return None
        failed = part.counts.get("number of failed transactions", 0)
        skipped = part.counts.get("number of transactions skipped", 0)
        misses = Misses(errors=failed, timeouts=skipped)
        statements = Statements(part.processed)
        if part.processed and part.limit is not None and part.limit[2] == part.processed:
            limit_ms, over, total = part.limit
            # Latencies are whole microseconds: not above the limit is below the next one.
            at_ns = int(limit_ms * NS_PER_MS) + NS_PER_US
            statements.at_least(at_ns, Fraction(total - over, total))
            statements.at_most(at_ns, Fraction(total - over, total))
        if part.processed and part.average is not None and part.deviation is not None:
            add_printed_moments(statements, part.average, part.deviation)
        severities: list[Severity] = []
        try:
            record = statements.record(misses)
        except DomainError as error:
            self._problems.add("series", f"{part.operation}: {error}", part.line, error=True)
            severities.append(Severity.ERROR)
            record = KnotsRecord((), part.processed, misses=misses)
        return record

    def _part_claims(self, part: _SummaryPart) -> list[Claim]:
        claims = []
        if part.processed is not None:
            count = part.processed
            claims.append(Claim(part.operation, "operation_count", str(count), count, count, line=part.line))
        if part.average is not None:
            measured = part.deviation is not None
            if not measured and part is self._all:
                self._problems.add(
                    "average",
                    "latency average is worked out from running time, clients and transactions: without "
                    "--progress, --rate or --latency-limit pgbench does not measure it",
                    part.line,
                    note=True,
                )
            quantity = "latency_mean_ns" if measured else "time_per_transaction_ns"
            claims.append(_claim(part.operation, quantity, part.average, NS_PER_MS, part.line))
        if part.deviation is not None:
            claims.append(
                _claim(part.operation, "latency_deviation_ns", part.deviation, NS_PER_MS, part.line)
            )
        return claims

    def _duration_ns(self, periods: Sequence[Period]) -> int | None:
        """Return the running time as stated, else as long as the progress lines cover; None
        without either.
        """
        stated = re.fullmatch(r"(\d{1,9}) s", str(self._parameters.get("duration", "")))
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
        if part.wanted is not None and part.processed is not None:
            lost = part.wanted - part.processed - part.counts.get("number of failed transactions", 0)
            lost -= part.counts.get("number of transactions skipped", 0)
            if lost > 0:
                return EndState.FAILED, f"{lost} of {part.wanted} transactions were not done: clients gave up"
        if part.processed is None:
            return EndState.UNKNOWN, "there are progress lines only, without a summary"
        if not self._ended:
            return EndState.UNKNOWN, "the summary ends before its rate"
        return EndState.FINISHED, "the summary is whole"


def _claim(operation: str, quantity: str, number: Printed, unit: int, line: int) -> Claim:
    return Claim(operation, quantity, number.text, *number.ends(unit), line=line)
