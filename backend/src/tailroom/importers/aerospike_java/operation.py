"""The printed results of one operation of the Aerospike Java benchmark, and the series that they prove."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from tailroom.domain.latency.distribution import Misses
from tailroom.domain.latency.layouts import ExplicitLayout
from tailroom.domain.units import NS_PER_US
from tailroom.importers.aerospike_java.tables import Alternate, Shares, Ycsb
from tailroom.importers.columns import interval_records
from tailroom.importers.parsed_run import Claim, ParsedSeries, Period
from tailroom.importers.problems import ProblemList
from tailroom.importers.statements import merged

SEMANTICS = (
    "time of one answered call; rounded up to the unit before it is compared, so that a bucket is (lower, "
    "upper]; failed calls are not in it"
)


@dataclass(slots=True)
class OperationResults:
    """Printed numbers of one operation: style `latency` in `shares`, `alt` in `rows`, `ycsb` in `last_ycsb`.

    `summary` (style `latency`) and `summary_counts` (`alt`) are rows about the whole run, None if not
    printed.
    """

    count: int = 0
    """Number of answered operations of all periods; `period_count` is that of the last."""
    misses: Misses = field(default_factory=Misses)
    """Failed calls of all periods; `period_misses` are those of the last."""
    period_count: int = 0
    period_misses: Misses = field(default_factory=Misses)
    """Failed calls of the last period."""
    summary: Shares | None = None
    summary_counts: Alternate | None = None
    shares: list[tuple[int, int, int, Shares]] = field(default_factory=list)
    """Start and length of a period in ns, its number of operations, and its shares."""
    layout: ExplicitLayout | None = None
    start_ns: list[int] = field(default_factory=list)
    duration_ns: list[int] = field(default_factory=list)
    rows: list[tuple[int, int, int]] = field(default_factory=list)
    """Position of a period (as in `start_ns` and `errors`), bucket, and count."""
    errors: list[int] = field(default_factory=list)
    timeouts: list[int] = field(default_factory=list)
    last_ycsb: tuple[int, Ycsb] | None = None
    """Number and content of the last cumulative line."""

    def begin_period(self, count: int, misses: Misses) -> None:
        """Begin a period with its answered and its failed calls (`misses`), and add both to the totals."""
        self.period_count, self.period_misses = count, misses
        self.count += count
        self.misses += misses

    def drop_period(self) -> None:
        """Subtract the answered and the failed calls of the last period from the totals."""
        self.count -= self.period_count
        self.misses = Misses(
            self.misses.errors - self.period_misses.errors, self.misses.timeouts - self.period_misses.timeouts
        )

    def add_counts(self, start_ns: int, duration_ns: int, counts: Sequence[int]) -> None:
        """Add a period with its counts by bucket and the failed calls of the last begun period."""
        period = len(self.start_ns)
        self.start_ns.append(start_ns)
        self.duration_ns.append(duration_ns)
        self.errors.append(self.period_misses.errors)
        self.timeouts.append(self.period_misses.timeouts)
        self.rows.extend((period, bucket, count) for bucket, count in enumerate(counts) if count)

    def count_claims(self, operation: str) -> Iterator[Claim]:
        """Yield claims about the number of operations and of failures; none if nothing was counted.

        A last line of style `ycsb` adds a claim about its own total.
        """
        if self.layout is None and self.last_ycsb is not None and (total := self.last_ycsb[1].total_count):
            yield Claim.of_count(operation, "operation_count", total)
        if self.count or self.misses.total:
            yield Claim.of_count(operation, "operation_count", self.count)
            yield Claim.of_count(operation, "error_count", self.misses.total)

    def series(
        self, operation: str, limits_ns: tuple[int, ...], problems: ProblemList
    ) -> ParsedSeries | None:
        """Return the series; None without latencies. `limits_ns` are the columns of style `latency`.

        Raise DomainError if the printed numbers contradict each other.
        """
        if self.layout is not None:
            return self._counted_series(operation, self.layout, problems)
        if self.last_ycsb is not None:
            return self._ycsb_series(operation, self.last_ycsb[1], problems)
        if self.summary is not None:
            whole_run = self.summary.statements(limits_ns, self.count or None)
        elif not self.shares:
            return None
        else:
            # The run was ended from outside: the periods replace the totals, by their counts.
            whole_run = merged(row.statements(limits_ns, count) for _, _, count, row in self.shares)
            if not whole_run:
                return None
        return ParsedSeries(
            operation,
            "service",
            whole_run.record(self.misses),
            semantics=SEMANTICS + "; whole per cent",
            source_name=operation,
            periods=tuple(
                Period(start, length, row.statements(limits_ns, count or None).record())
                for start, length, count, row in self.shares
            ),
        )

    def _ycsb_series(self, operation: str, row: Ycsb, problems: ProblemList) -> ParsedSeries | None:
        """Return the series of the last line of style `ycsb`; None if it counts no operations.

        Raise StatementsContradict if its numbers contradict each other.
        """
        if row.total_count == 0:
            return None
        statements = row.statements()
        statements.mean_ns = float(row.mean_us * NS_PER_US), float((row.mean_us + 2) * NS_PER_US)
        return ParsedSeries(
            operation,
            "service",
            statements.record(self.misses, problems),
            semantics=SEMANTICS,
            source_name=operation,
            printed=row.printed(),
        )

    def _counted_series(self, operation: str, layout: ExplicitLayout, problems: ProblemList) -> ParsedSeries:
        """Return the series of style `alt`; report a summary with another number of operations."""
        rows = np.array(self.rows, dtype=np.int64).reshape(-1, 3)
        intervals = interval_records(
            layout,
            np.array(self.start_ns, dtype=np.int64),
            np.array(self.duration_ns, dtype=np.int64),
            (rows[:, 0], rows[:, 1], rows[:, 2]),
            errors=np.array(self.errors, dtype=np.int64),
            timeouts=np.array(self.timeouts, dtype=np.int64),
        )
        record = intervals.total()
        if self.summary_counts is not None and sum(self.summary_counts.counts) != record.count:
            problems.add(
                f"the summary of {operation} counts {sum(self.summary_counts.counts)} operations, the "
                f"periods {record.count}"
            )
        return ParsedSeries(
            operation, "service", record, intervals=intervals, semantics=SEMANTICS, source_name=operation
        )
