"""A run of YCSB, from its summary, raw lines, status lines and command line."""

import re
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from fractions import Fraction

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import LatencyDist, LatencyRecord, Misses
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.units import NS_PER_MS
from tailroom.importers.disclosure import not_stated
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, ParsedSeries, Severity, Value
from tailroom.importers.printed import printed
from tailroom.importers.problems import ProblemList
from tailroom.importers.statements import Statements
from tailroom.importers.ycsb.entries import Entry, YcsbRawReader
from tailroom.importers.ycsb.metric import YcsbMetric
from tailroom.importers.ycsb.status import StatusReader

_TWIN = re.compile(r"(Raw|Hdr|Bucket)((?:Intended-)?[A-Z].*)")
_OVERLAPPING = "READ-MODIFY-WRITE"
_NOT_OPERATIONS = frozenset({"THREAD_COUNT", "USED_MEM_MB", "SYS_LOAD_AVG", "GCS", "GCS_TIME"})
_MAX_METRICS = 1_000

SEMANTICS = "one call of the database binding, cut to whole microseconds"
INTENDED = "from the intended start of the call to its end, cut to whole microseconds"


@dataclass(slots=True)
class Exceptions:
    """Exceptions that the database binding printed: the first with its line, and their number."""

    first: str | None = None
    line_no: int | None = None
    count: int = 0

    def line(self, line_no: int, text: str) -> None:
        """Count an exception by its first line; lines of its stack trace are not counted."""
        if text.startswith(("\t", "Caused by:")) and self.first is not None:
            return
        self.count += 1
        if self.first is None:
            self.first, self.line_no = text.strip()[:200], line_no


@dataclass(slots=True)
class YcsbReader:
    """A run as far as it was read; `overall` holds the texts under `[OVERALL]` by measurement."""

    metrics: dict[str, YcsbMetric] = field(default_factory=dict)
    overall: dict[str, str] = field(default_factory=dict)
    raw: YcsbRawReader = field(default_factory=YcsbRawReader)
    raw_headers: set[str] = field(default_factory=set)
    status: StatusReader = field(default_factory=StatusReader)
    parameters: dict[str, Value] = field(default_factory=dict)
    version: str | None = None
    has_command: bool = False
    crashed: str | None = None
    """Message of the client when a thread of it stopped; None if none did."""
    exceptions: Exceptions = field(default_factory=Exceptions)
    problems: ProblemList = field(default_factory=ProblemList)

    @property
    def begun(self) -> bool:
        """Whether there are entries of a summary, raw lines or their header, or status lines."""
        return bool(self.metrics or self.overall or self.raw.operations or self.raw_headers or self.status)

    def entry(self, entry: Entry) -> None:
        """Store an entry of the summary in its metric, or of the whole run; report one that is refused."""
        if entry.metric == "OVERALL":
            self.overall[entry.measurement] = entry.text
            return
        if entry.metric.startswith(("TOTAL_GC", "MAX_", "MIN_")):
            self.parameters[f"{entry.metric} {entry.measurement}"[:80]] = entry.text
            return
        if entry.metric not in self.metrics and len(self.metrics) >= _MAX_METRICS:
            self.problems.error(f"more than {_MAX_METRICS} metrics", entry.line_no)
            return
        metric = self.metrics.setdefault(entry.metric, YcsbMetric(entry.metric, entry.line_no))
        reason = metric.add(entry)
        if reason is not None:
            self.problems.add(f"[{entry.metric}]: {reason}", entry.line_no)

    def finish(self, form: str) -> ParsedRun:
        """Return the run as far as it was read; `form` is its format. Call it once."""
        claims = self._overall_claims() + self.status.claims
        series: dict[tuple[str, str], ParsedSeries] = {}
        names = [*self.raw.operations, *self.metrics, *self.status.periods]
        for name in dict.fromkeys(names):
            if name in _NOT_OPERATIONS:
                continue
            operation, clock = self._operation(name)
            metric = self.metrics.get(name)
            if metric is not None:
                claims += metric.claims(operation)
            try:
                parsed = self._series(name, operation, clock)
            except DomainError as error:
                self.problems.error(f"{name}: {error}", metric.line_no if metric else None)
                continue
            # Of two measurement types at once the first is the finest (raw, then HDR).
            if parsed is not None:
                series.setdefault((operation, clock), parsed)
        self._note_duplicate_times([operation for operation, _ in series])
        if self.exceptions.first is not None:
            self.problems.add(
                f"{self.exceptions.count} exceptions were printed, the first: {self.exceptions.first}",
                self.exceptions.line_no,
            )
        started = self._started_at()
        if self.status.started_local is not None:
            self.parameters["started_at_local"] = self.status.started_local.isoformat(sep=" ")
        if not series:
            self.problems.add("no latencies of any operation", None)
        state, state_text = self._state(bool(series))
        return ParsedRun(
            format=form,
            tool="ycsb",
            tool_version=self.version,
            series=tuple(series.values()),
            state=state,
            state_text=state_text,
            claims=tuple(claims),
            problems=(*self.problems, *self.status.problems),
            missing=not_stated(*self._open_facts(started)),
            parameters=self.parameters,
            started_at=started,
            duration_ns=self._duration_ns(),
            closed_loop=not self._has_schedule() or not any(clock == "response" for _, clock in series),
        )

    def _series(self, name: str, operation: str, clock: str) -> ParsedSeries | None:
        """Return the series of a name; None without any. Raise StatementsContradict if contradictory."""
        semantics = SEMANTICS if clock == "service" else INTENDED
        periods = self.status.periods_of(name)
        metric = self.metrics.get(name)
        raw = self.raw.operations.get(name)
        intervals: IntervalRecords | None = None
        record: LatencyRecord | None
        if raw is not None:
            intervals = raw.intervals(self._first_raw_ms)
            if metric is not None and metric.count is not None and metric.count != raw.count:
                self.problems.error(
                    f"{name}: {raw.count} raw lines, but the summary counts {metric.count} operations",
                    metric.line_no,
                )
            if metric is not None and self._failed_count(metric):
                intervals = _add_errors(intervals, self._failed_count(metric))
            record = intervals.total()
        elif metric is None:
            statements = self.status.merged_of(name)
            record = statements.record() if statements else None
        else:
            failed = self._failed_count(metric)
            record = self._successful_record(metric, failed)
            returned = sum(metric.returns.values()) - metric.failed
            if self._has_timed_failures(metric):
                self.problems.add(
                    f"{name}: {failed} of the {metric.count} calls that were timed failed; their times are "
                    "among the others, so that shares of the good ones lie between two ends",
                    metric.line_no,
                )
            elif metric.count is not None and returned not in (0, metric.count):
                self.problems.add(
                    f"{name}: {metric.count} operations were timed, but {returned} came back well",
                    metric.line_no,
                    Severity.WARNING if returned > metric.count else Severity.NOTE,
                )
        if record is None or record.total == 0:
            return None
        return ParsedSeries(
            operation,
            clock,
            record,
            intervals=intervals,
            semantics=semantics,
            source_name=name,
            periods=periods,
            printed=self._printed(metric, operation, record),
        )

    def _has_timed_failures(self, metric: YcsbMetric) -> bool:
        """Return whether failed calls were timed too, as up to 0.2: all return codes add up to the count."""
        return (
            metric.failed > 0
            and f"{metric.name}-FAILED" not in self.metrics
            and metric.count == sum(metric.returns.values())
        )

    def _successful_record(self, metric: YcsbMetric, failed: int) -> LatencyRecord | None:
        """Return the record of the calls that succeeded, with bounds if failed calls were timed with them."""
        if not self._has_timed_failures(metric):
            return metric.record(self.problems, failed)
        timed = metric.record(self.problems, 0)
        good = (metric.count or 0) - failed
        if timed is None or good == 0:
            return Statements(good).record(Misses(errors=failed))
        statements = Statements(good)
        edges = timed.edges_ns()
        least, most = timed.below_each(edges)
        for at_ns, low, high in zip(edges.tolist(), least.tolist(), most.tolist(), strict=True):
            statements.at_least(at_ns, Fraction(max(0, low - failed), good))
            statements.at_most(at_ns, Fraction(min(good, high), good))
        return statements.record(Misses(errors=failed))

    def _failed_count(self, metric: YcsbMetric) -> int:
        """Return the number of failed calls: the larger of those by return code and those under `-FAILED`."""
        timed = self.metrics.get(f"{metric.name}-FAILED")
        return max(metric.failed, (timed.count or 0) if timed is not None else 0)

    def _operation(self, name: str) -> tuple[str, str]:
        """Return operation, in lower case, and measured time of a name, ignoring `Hdr`, `Raw`, `Bucket`."""
        twin = _TWIN.fullmatch(name)
        plain = twin[2] if twin is not None else name
        intended = plain.startswith("Intended-") or self.parameters.get("measurement.interval") == "intended"
        return plain.removeprefix("Intended-").lower(), self._clock(intended=intended)

    def _clock(self, *, intended: bool) -> str:
        """Return the measured time: `service`; if `intended`, `response`, or `operation` without -target."""
        if not intended:
            return "service"
        return "response" if self._has_schedule() else "operation"

    def _printed(self, metric: YcsbMetric | None, operation: str, record: LatencyRecord) -> tuple[Claim, ...]:
        """Return the printed latencies of an operation timed from two starts; no quantiles beside counts."""
        plain = "" if metric is None else metric.name.removeprefix("Intended-")
        if metric is None or plain not in self.metrics or f"Intended-{plain}" not in self.metrics:
            return ()
        claims = metric.printed(operation)
        if not isinstance(record, LatencyDist):
            return claims
        return tuple(claim for claim in claims if claim.quantity != "latency_quantile_ns")

    def _has_schedule(self) -> bool:
        target = self.parameters.get("target")
        return isinstance(target, int | float) and not isinstance(target, bool) and target > 0

    def _note_duplicate_times(self, operations: list[str]) -> None:
        """Note operations that are counted twice, and intended times that equal the others."""
        if _OVERLAPPING.lower() in operations:
            self.problems.note(
                f"{_OVERLAPPING} is a read and an update, which are counted again under READ and UPDATE: "
                "the counts of the three do not add up to the operations of the run"
            )
        if any(name.startswith("Intended-") for name in self.metrics) and not self._has_schedule():
            self.problems.note(
                "times from the intended start, but no -target is stated: without one they are the same as "
                "the others"
            )

    def _overall_claims(self) -> list[Claim]:
        rate = printed(self.overall.get("Throughput(ops/sec)", ""))
        if rate is not None and rate.value < 0:
            self.problems.add(f"a rate of {rate.text[:20]} is none: the clock of the client went back", None)
        if rate is None or rate.value < 0:
            return []
        return [Claim.of_number("total", "throughput_ops_per_s", rate)]

    def _duration_ns(self) -> int | None:
        """Return the running time in ns by summary, else raw lines, else status lines; None without any."""
        runtime = printed(self.overall.get("RunTime(ms)", ""))
        if runtime is not None and 0 <= runtime.value < 10**12:
            return int(runtime.value * NS_PER_MS)
        if self.raw.operations:
            last_ms = max(operation.last_ms for operation in self.raw.operations.values())
            return (last_ms - self._first_raw_ms + 1) * NS_PER_MS
        return self.status.end_ns if self.status else None

    def _started_at(self) -> datetime | None:
        if not self.raw.operations or self._first_raw_ms >= 7_000_000_000_000:
            return None
        return datetime.fromtimestamp(self._first_raw_ms / 1000, UTC)

    @property
    def _first_raw_ms(self) -> int:
        return min(operation.first_ms for operation in self.raw.operations.values())

    def _all_failed(self) -> bool:
        metrics = [metric for name, metric in self.metrics.items() if name != "CLEANUP"]
        calls = [metric for metric in metrics if metric.returns]
        return bool(calls) and all(sum(call.returns.values()) == call.failed for call in calls)

    def _open_facts(self, started: datetime | None) -> list[str]:
        """Return the facts that neither command line nor raw lines state, by the names of `not_stated`."""
        stated = " ".join(self.parameters)
        is_stated = {
            "started_at": started is not None,
            "tool_version": self.version is not None,
            "address": any(mark in stated for mark in (".host", "hosts", "url")),
            "connections": "threads" in stated,
            "keys": "recordcount" in stated,
            "value_bytes": "fieldlength" in stated,
        }
        return [fact for fact, is_known in is_stated.items() if not is_known]

    def _state(self, has_series: bool) -> tuple[EndState, str]:
        if self.crashed is not None:
            return EndState.FAILED, f"a thread of the client stopped: {self.crashed}"
        if self.overall and self._all_failed():
            return EndState.FAILED, "the summary was printed, but no operation succeeded"
        if self.overall and has_series:
            return EndState.FINISHED, "the summary was printed"
        if self.overall:
            return EndState.FAILED, "the summary has no operations"
        return self._state_without_summary(has_series)

    def _state_without_summary(self, has_series: bool) -> tuple[EndState, str]:
        if self.exceptions.first is not None and not has_series:
            return EndState.FAILED, f"an exception, and no summary: {self.exceptions.first}"
        if self.status:
            if self.status.finished and self.status.total_operations:
                return EndState.FINISHED, "the last status line has nothing left to do"
            return EndState.KILLED, "the last status line still has operations to do"
        return EndState.UNKNOWN, "the summary of the whole run is missing"


def _add_errors(intervals: IntervalRecords, failed: int) -> IntervalRecords:
    """Return the intervals with failed calls, which have no time in the file, in the last interval."""
    errors = intervals.errors.copy()
    errors[-1] += failed
    return replace(intervals, errors=errors)
