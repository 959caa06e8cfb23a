"""The importer of nosqlbench: see `metrics` for what its numbers mean.

Its HdrHistogram logs (`--log-histograms`) are read by `hdr_log`. Metrics of one folder are one session: their
intervals together are the series of its run, and each is a period.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from statistics import median

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import Misses
from tailroom.domain.units import NS_PER_S, ceil_div
from tailroom.importers.importer import Certainty, Detection
from tailroom.importers.nosqlbench.metrics import NosqlbenchMetric, State
from tailroom.importers.nosqlbench.readers import (
    BANNER,
    COUNTS_BEGIN,
    CSV_OTHERS,
    CSV_TIMER,
    LOG_TIMER,
    SECTION,
    STATS_COMMENT,
    STATS_LEGEND,
    Session,
    read_console,
    read_csv,
    read_log,
    read_stats,
)
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, ParsedSeries, Period
from tailroom.importers.printed import MAX_COUNT
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.statements import Merging, Statements, enclosing, merged, record_or_report
from tailroom.importers.text_runs import PrintedRun, nothing_read

_MOST_PERIODS = 10_000
_SEMANTICS = {
    "service": "from sending an operation to its result, on a clock of nanoseconds",
    "response": "from the moment at which the rate limit meant to start the cycle to its end",
    "queue": "how far the cycle was behind the rate limit",
    "operation": "one stage of nosqlbench's own work",
}
_READERS: dict[str, Callable[[Source, Session], None]] = {
    "nosqlbench-csv": read_csv,
    "nosqlbench-stats": read_stats,
    "nosqlbench-log": read_log,
    "nosqlbench-summary": read_console,
}


@dataclass(frozen=True, slots=True)
class _LogInterval:
    """The interval of a report; `begin_ns` is its start on the file's clock, None without times.

    `count` is its number of operations; None if the printed count is not of this interval alone.
    """

    metric: NosqlbenchMetric
    state: State
    count: int | None
    begin_ns: int | None = None

    @property
    def statements(self) -> Statements:
        """Bounds of the distribution, computed on each access: those of a day are ten times the file."""
        return self.metric.summary(self.state, self.count).statements()


def run_of(session: Session, form: str) -> ParsedRun:
    """Return the run of a session; `form` is the format. Each of several activities is a phase."""
    run, problems = PrintedRun(1, problems=session.problems), session.problems
    named = {name: metric.instrument for name, metric in session.metrics.items()}
    activities = {parts[0] for parts in named.values() if parts is not None}
    every = [
        state.at_ns - (state.length_ns or 0)
        for metric in session.metrics.values()
        for state in metric.states[:1]
        if state.at_ns is not None
    ]
    steps = [_step_ns(metric) for metric in session.metrics.values()]
    start_ns = session.start_ns
    if start_ns is None and every:
        start_ns = min(every) - max(steps, default=0)
    series: list[ParsedSeries] = []
    for name, metric in session.metrics.items():
        tag = named[name]
        if tag is None and not metric.is_nosqlbench:
            run.claims += _claims_of_a_sample(metric, problems)
            continue
        phase = tag[0] if tag is not None and len(activities) > 1 else None
        operation, clock = (tag[1], tag[2]) if tag is not None else (name.lower(), "operation")
        of_metric = _series(metric, operation, clock, phase, start_ns, run=run)
        series += [of_metric] if of_metric is not None else []
    for name, (line_no, count) in session.counts.items():
        run.add_count(name, "operation_count", count, line_no)
    ends = [metric.states[-1].at_ns for metric in session.metrics.values() if metric.states]
    last_ns = max((end for end in ends if end is not None), default=None)
    if last_ns is not None and start_ns is not None and last_ns > start_ns:
        run.duration_ns = last_ns - start_ns
    if not series:
        problems.add("series", "no latency of the operations is known")
    return run.parsed(
        form,
        "nosqlbench",
        [],
        series,
        (EndState.UNKNOWN, "reports of metrics have no mark at their end"),
        started_at=datetime.fromtimestamp(start_ns / NS_PER_S, UTC) if session.epoch and start_ns else None,
        closed_loop=not any(each.clock == "response" for each in series),
    )


def _step_ns(metric: NosqlbenchMetric) -> int:
    """Return the median distance in ns of consecutive reports, which is the usual interval; 0 if unknown."""
    times = [state.at_ns for state in metric.states if state.at_ns is not None]
    steps = [later - earlier for earlier, later in pairwise(times) if later > earlier]
    return int(median(steps)) if steps else 0


def _series(
    metric: NosqlbenchMetric,
    operation: str,
    clock: str,
    phase: str | None,
    start_ns: int | None,
    *,
    run: PrintedRun,
) -> ParsedSeries | None:
    """Return the series of a metric, None without consistent latencies; add its claims to the run."""
    scope, problems = metric.counts(), run.problems
    intervals = list(_intervals(metric, scope, problems))
    run.claims += _count_claims(metric, operation, scope, intervals)
    if not intervals:
        if any(state.count for state in metric.states):
            problems.add("nothing", f"{metric.name}: only counts and rates are printed, no latencies")
        return None
    counted = (
        all(interval.count is not None for interval in intervals)
        and len(intervals) == sum(not state.is_empty for state in metric.states)
        and sum(interval.count or 0 for interval in intervals) <= MAX_COUNT
    )
    if not counted:
        problems.note(
            f"count {metric.name}",
            f"{metric.name}: how many operations each report's percentiles are of is not in the file; what "
            "holds of every report holds of the run",
        )
    together = Merging()
    periods = tuple(_periods(intervals, start_ns, together if counted else None))
    total = together.statements() if counted else enclosing([interval.statements for interval in intervals])
    record = record_or_report(total, Misses(), problems, metric.name, None)
    if record is None:
        return None
    summary = metric.summary(intervals[0].state, intervals[0].count)
    summary.operation = operation
    return ParsedSeries(
        operation,
        clock,
        record,
        semantics=_SEMANTICS[clock],
        phase=phase,
        source_name=metric.name,
        periods=periods,
        printed=tuple(summary.printed()) if len(intervals) == 1 else (),
    )


def _intervals(metric: NosqlbenchMetric, scope: str, problems: Problems) -> Iterator[_LogInterval]:
    """Yield the reports with new operations; report contradictions, and a time or count that falls."""
    before_ns: int | None = None
    before = 0
    step_ns = _step_ns(metric)
    for state in metric.states:
        begin_ns = before_ns
        if state.at_ns is not None:
            begin_ns = state.at_ns - (state.length_ns or step_ns) if before_ns is None else before_ns
            if state.length_ns is not None:
                begin_ns = state.at_ns - state.length_ns
            if before_ns is not None and state.at_ns < before_ns:
                problems.add("time", f"{metric.name}: the clock went back", state.line)
            before_ns = state.at_ns
        same = scope == "total" and state.count == before
        if scope == "total" and (state.count or 0) < before:
            problems.add("falls", f"{metric.name}: the count falls: a second run was appended", state.line)
        before = state.count or 0
        if state.is_empty or same:
            continue
        count = state.count if scope == "interval" else None
        statements = metric.summary(state, count).statements()
        try:
            statements.parts()
        except DomainError as error:
            problems.add("contradicts", f"{metric.name}: {error}; the report was left out", state.line)
            continue
        if statements:
            yield _LogInterval(metric, state, count, begin_ns)


def _periods(
    intervals: Sequence[_LogInterval], start_ns: int | None, together: Merging | None
) -> Iterator[Period]:
    """Yield at most 10,000 periods, each of one or several reports, and add all reports to `together`.

    If `together` is None, a period has only bounds that hold for each of its reports. Reports without times,
    or that contradict each other, have no period.
    """
    size = ceil_div(len(intervals), _MOST_PERIODS)
    for at in range(0, len(intervals), size):
        group = intervals[at : at + size]
        parts = [interval.statements for interval in group]
        if together is not None:
            for part in parts:
                together.add(part)
        begin_ns, end_ns = group[0].begin_ns, group[-1].state.at_ns
        if start_ns is None or begin_ns is None or end_ns is None or not begin_ns < end_ns:
            continue
        try:
            record = (enclosing(parts) if together is None else merged(parts)).record()
        except DomainError:
            continue
        yield Period(max(0, begin_ns - start_ns), end_ns - begin_ns, record)


def _count_claims(
    metric: NosqlbenchMetric, operation: str, scope: str, intervals: Sequence[_LogInterval]
) -> Iterator[Claim]:
    last = metric.states[-1] if metric.states else None
    if last is None:
        return
    total: int | None = last.count if scope == "total" or len(metric.states) == 1 else None
    if scope == "interval":
        total = sum(interval.count or 0 for interval in intervals)
    if total is not None and total <= MAX_COUNT:
        yield Claim.of_count(operation, "operation_count", total, last.line)
    if last.rate is not None and last.rate.value > 0:
        yield Claim.of_number(operation, "throughput_ops_per_s", last.rate, line=last.line)


def _claims_of_a_sample(metric: NosqlbenchMetric, problems: Problems) -> Iterator[Claim]:
    """Yield the numbers of another program's last report; report that they are of a decaying sample."""
    problems.add(
        "sample",
        f"{metric.name} is no metric of nosqlbench; programs with Dropwizard Metrics write the same columns, "
        "of a sample: what they print is shown, and nothing follows from it",
    )
    if metric.states:
        last = metric.states[-1]
        if last.count is not None:
            yield Claim.of_count(metric.name, "operation_count", last.count, last.line)
        if not last.is_empty:
            yield from metric.summary(last, None).printed()


@dataclass(frozen=True, slots=True)
class NosqlbenchImporter:
    """Importer of nosqlbench's CSV of timers, statistics of histograms, session log and console summary."""

    name: str = "nosqlbench"

    def detect(self, head: Head) -> Detection | None:
        """Recognise the format; tables without latencies are companions."""
        first = next((line.strip() for line in head.lines if line.strip()), "")
        folder = head.name.replace("\\", "/").rpartition("/")[0]
        if first == CSV_TIMER:
            reason = "the columns of a timer"
            return Detection("nosqlbench-csv", self.name, None, reason, group=f"metrics in {folder}")
        if first in CSV_OTHERS:
            words = f"the columns of a {CSV_OTHERS[first]}, which has no latencies"
            certainty = Certainty.POSSIBLE if first == "t,value" else Certainty.CERTAIN
            return Detection("nosqlbench-other", self.name, None, words, certainty, companion=True)
        if first.startswith(STATS_COMMENT) or STATS_LEGEND in head.lines[:20]:
            return Detection("nosqlbench-stats", self.name, None, "`logging stats for session …`")
        banner = section = False
        for line in head.lines:
            if "type=TIMER" in line and LOG_TIMER.fullmatch(line) is not None:
                return Detection("nosqlbench-log", self.name, None, "lines `type=TIMER, name=…`")
            banner = banner or BANNER.fullmatch(line) is not None
            section = section or SECTION.fullmatch(line) is not None or line.startswith(COUNTS_BEGIN)
        if section and (banner or COUNTS_BEGIN in head.text):
            return Detection("nosqlbench-summary", self.name, None, "sections `-- Timers ---` below a banner")
        return None

    def parse(self, source: Source, beside: Sequence[Source]) -> list[ParsedRun]:
        """Return one run, of all timers of a folder or of a file. Raise ContentUnreadable without numbers."""
        session = Session()
        kind = self._kind(source)
        reader = _READERS.get(kind)
        if reader is None:
            raise nothing_read(source, "nosqlbench")
        reader(source, session)
        if kind == "nosqlbench-csv":
            for companion in beside:
                if self._kind(companion) == kind and companion.stem not in session.metrics:
                    read_csv(companion, session)
        if not any(metric.states for metric in session.metrics.values()) and not session.counts:
            raise nothing_read(source, "nosqlbench")
        return [run_of(session, kind)]

    def _kind(self, source: Source) -> str:
        """Return the format of a file; empty for a file of another tool."""
        detection = self.detect(source.head)
        return "" if detection is None else detection.format


NOSQLBENCH = NosqlbenchImporter()
