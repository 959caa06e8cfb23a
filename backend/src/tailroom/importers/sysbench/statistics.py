"""The statistics and the histogram at the end of sysbench's report."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import LatencyDist, LatencyRecord, Misses
from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.parsed_run import Claim, Problem
from tailroom.importers.printed import Printed, printed, whole
from tailroom.importers.problems import Problems
from tailroom.importers.statements import MAX_TIME_NS, Statements
from tailroom.importers.sysbench.intervals import NUMBER, SysbenchHistogramRow, add_percentile, distribution

_EVENTS = re.compile(r"total number of events:\s+(\d{1,18})")
_MOMENT = re.compile(rf"(min|avg|max|sum):\s+{NUMBER}(ms|s)?")
_SUMMARY_PERCENTILE = re.compile(rf"(approx\.\s+)?(\d{{1,3}})(?:th)? percentile:\s+{NUMBER}(ms|s)?")
_UNFINISHED = re.compile(r"Number of unfinished transactions on forced shutdown: (\d{1,9})")


@dataclass(slots=True)
class SysbenchStatistics:
    """Printed numbers of all events of a report; call `line` for each line."""

    rows: list[SysbenchHistogramRow] = field(default_factory=list)
    moments: dict[str, Printed] = field(default_factory=dict)
    """Printed `min`, `avg`, `max` and `sum`, in `moments_unit_ns`."""
    moments_unit_ns: int = NS_PER_MS
    percentile: tuple[int, Printed] | None = None
    """Share in per cent, and time in milliseconds."""
    is_approximate: bool = False
    """Whether the percentile is printed as approximate, so that it proves nothing."""
    events: int | None = None
    """Number of events; None if not printed or impossible."""
    events_line: int | None = None
    unfinished: int = 0
    """Transactions that a forced shutdown left unfinished."""
    is_complete: bool = False
    """Whether the number of events was printed."""

    def line(self, line_no: int, text: str) -> bool:
        """Return whether a line is one of the statistics; store its number unless it is impossible."""
        if (events := _EVENTS.fullmatch(text)) is not None:
            self.events, self.events_line, self.is_complete = whole(events[1]), line_no, True
        elif (moment := _MOMENT.fullmatch(text)) is not None:
            value = printed(moment[2])
            if value is not None:
                self.moments[moment[1]] = value
                self.moments_unit_ns = NS_PER_S if moment[3] == "s" else NS_PER_MS
        elif (percentile := _SUMMARY_PERCENTILE.fullmatch(text)) is not None:
            value = printed(percentile[3])
            if value is not None and 0 < int(percentile[2]) <= 100:
                self.percentile = int(percentile[2]), value
                self.is_approximate = percentile[1] is not None
        elif (unfinished := _UNFINISHED.fullmatch(text)) is not None:
            self.unfinished = int(unfinished[1])
        else:
            return False
        return True

    def record(self, problems: Problems) -> LatencyRecord | None:
        """Return the record of the histogram, else of the other numbers if they do not contradict."""
        misses = Misses(unfinished=self.unfinished)
        exact = self._histogram_distribution(misses, problems)
        if exact is not None:
            return exact
        if self.events is None:
            return None
        statements = Statements(self.events)
        if self.events:
            self._add_extremes_and_mean(statements)
            if self.percentile is not None and not self.is_approximate:
                add_percentile(statements, *self.percentile, events=self.events)
        contradictions: list[Problem] = []
        try:
            record = statements.record(misses, contradictions)
        except DomainError as error:
            problems.error("series", str(error), self.events_line)
            return Statements(self.events).record(misses)
        for problem in contradictions:
            problems.add("mean", problem.reason, self.events_line)
        return record

    def _histogram_distribution(self, misses: Misses, problems: Problems) -> LatencyDist | None:
        """Return the distribution of the printed histogram; None without rows, or if they are wrong."""
        if not self.rows:
            return None
        try:
            counted = distribution(self.rows)
        except DomainError as error:
            problems.error("histogram", str(error), self.rows[0].line)
            return None
        if self.events is not None and counted.count != self.events:
            problems.add(
                "total",
                f"the histogram holds {counted.count} events, the statistics {self.events}: it counts",
                self.rows[0].line,
            )
        least, most = (self._time_ns(name) for name in ("min", "max"))
        try:
            total = self._time_ns("sum")
            with_extremes = replace(
                counted,
                misses=misses,
                # The sum is rounded to 10 µs, which is nothing for the mean.
                sum_ns=sum(total) // 2 if total is not None and counted.count == self.events else None,
                min_ns=least[0] if least is not None else None,
                max_ns=most[1] if most is not None else None,
            )
            _ = with_extremes.cells
        except DomainError as error:
            problems.add("ends", f"{error}; smallest and largest were left out", self.events_line)
            return replace(counted, misses=misses)
        return with_extremes

    def _time_ns(self, name: str) -> tuple[int, int] | None:
        """Return the bounds of `min`, `avg`, `max` or `sum` in ns; None if it is absent or impossible."""
        value = self.moments.get(name)
        ends = None if value is None else value.outward(self.moments_unit_ns)
        return ends if ends is not None and ends[1] <= MAX_TIME_NS else None

    def _add_extremes_and_mean(self, statements: Statements) -> None:
        least, most = self._time_ns("min"), self._time_ns("max")
        statements.span(least[0] if least is not None else None, most[1] + 1 if most is not None else None)
        total, mean = self._time_ns("sum"), self._time_ns("avg")
        if total is not None and statements.count:
            statements.mean_ns = total[0] / statements.count, total[1] / statements.count
        elif mean is not None:
            statements.mean_ns = float(mean[0]), float(mean[1])

    def claims(self) -> Iterator[Claim]:
        """Yield claims of extremes, mean, sum, events and percentile, if printed and possible."""
        line = self.events_line
        for name, printed_name in (("min", "min"), ("mean", "avg"), ("max", "max"), ("sum", "sum")):
            ends, value = self._time_ns(printed_name), self.moments.get(printed_name)
            if ends is not None and value is not None:
                yield Claim("event", f"latency_{name}_ns", value.text, *ends, line=line)
        if self.events is not None:
            yield Claim.of_count("event", "operation_count", self.events, line)
        if self.percentile is not None:
            share, value = self.percentile
            low, high = float(value.lower * NS_PER_MS), float(value.upper * NS_PER_MS)
            yield Claim("event", "latency_quantile_ns", value.text, low, high, share / 100, line)
