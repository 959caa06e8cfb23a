"""The parameters and the latency lines of the Aerospike Java benchmark, and what they prove of an operation.

`latency` prints whole per cent of a period, rounded to the nearest: `<=1ms`, then the shares *over* each
limit. `alt` prints counts in the same columns. Latencies are rounded up to the unit before they are compared,
so a limit of 1 ms includes exactly 1,000,000 ns: the edge is one nanosecond later. `ycsb` prints truncated
averages and quantiles in whole milliseconds. Source: `LatencyManagerAerospike`, `…Alternate`, `…Ycsb`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from tailroom.domain.latency.distribution import Misses
from tailroom.domain.latency.layouts import ExplicitLayout
from tailroom.domain.units import NS_PER_MS, NS_PER_US
from tailroom.importers.columns import interval_records
from tailroom.importers.parsed_run import Claim, ParsedSeries, Period, Value
from tailroom.importers.printed import MAX_COUNT, parameter_value, whole
from tailroom.importers.problems import ProblemList
from tailroom.importers.statements import MAX_TIME_NS, Statements, merged
from tailroom.importers.summaries import UNITS_NS

_PAIR = re.compile(r"([a-zA-Z][A-Za-z ]{0,40}): ([^,]*)")
_BIN = re.compile(r"bin\[(\d{1,3})\]: (\S+)")
_SHARES = re.compile(r"read: (\d{1,3})% .*write: (\d{1,3})% .*")
_NAMES = {
    "Benchmark": "address",
    "namespace": "namespace",
    "set": "set",
    "threads": "threads",
    "workload": "workload",
    "keys": "keys",
    "start key": "key_start",
    "transactions": "transactions_max",
    "bins": "bins",
    "throughput": "target_operations_per_s",
    "batch size": "batch_size",
    "readModeAP": "read_mode",
    "replica": "read_replica",
    "commitLevel": "commit_level",
    "reportNotFound": "report_not_found",
}
_MAX_TEXT = 200
HEADER = re.compile(r"\s*<=(\d{1,9})(ms|us)((?: +>\d{1,9}(?:ms|us))+)\s*")
ROW = re.compile(r"(\w{1,40})((?: +\d+%)+)\s*")
ALTERNATE = re.compile(
    r"\s*(\w+) +<=(\d{1,9})(ms|us)\((\d+):[^)]*\)((?: >\d{1,9}(?:ms|us)\(\d+:[^)]*\))+) total\((\d+)\)\s*"
)
YCSB = re.compile(
    r"\s*(\w+): Period\[Ops:(\d+) Avg Latency:(-?\d+)us\] Total\[Ops:(\d+) "
    r"Latency:\(avg:(-?\d+)us Min:(-?\d+)us Max:(-?\d+)us\)((?: \d{1,3}th% Latency:\d{1,9}ms)*)\]\s*"
)
_LIMIT = re.compile(r">(\d{1,9})(ms|us)(?:\((\d+):)?")
_YCSB_QUANTILE = re.compile(r"(\d{1,3})th% Latency:(\d{1,9})ms")
_HALF = Fraction(1, 200)
_LEAST = tuple(Fraction(percent, 100) - _HALF for percent in range(101))
_MOST = tuple(Fraction(percent, 100) + _HALF for percent in range(101))
"""Bounds of each whole per cent, made once: logs have a million of them, and fractions are slow to make."""
_MAX_COLUMNS = 64
SEMANTICS = (
    "time of one answered call; rounded up to the unit before it is compared, so that a bucket is (lower, "
    "upper]; failed calls are not in it"
)


def banner_values(text: str) -> dict[str, Value] | None:
    """Return the known parameters of a line of the banner by name, perhaps none; None for another line."""
    shares = _SHARES.fullmatch(text)
    if shares is not None:
        return {"read_percent": int(shares[1]), "write_percent": int(shares[2])}
    value_bytes = _BIN.fullmatch(text)
    if value_bytes is not None:
        return {f"bin_{value_bytes[1]}": value_bytes[2][:_MAX_TEXT]}
    pairs = _PAIR.findall(text)
    if not pairs and not text.endswith("policy:"):
        return None
    return {_NAMES[name]: parameter_value(value.strip()) for name, value in pairs if name in _NAMES}


def header_limits_ns(text: str) -> tuple[int, ...] | None:
    """Return the limits in ns of the columns `>1ms >2ms …`, which a head of columns names.

    None for other text, for over 64 limits, and unless they ascend from the limit of the column `<=`.
    """
    match = HEADER.fullmatch(text)
    if match is None:
        return None
    limits = [int(number) * UNITS_NS[unit] for number, unit, _ in _LIMIT.findall(match[3])]
    first = int(match[1]) * UNITS_NS[match[2]]
    return tuple(limits) if _limits_fit(first, limits) else None


@dataclass(frozen=True, slots=True)
class Shares:
    """One row of whole per cent: the share up to the first limit, and the share over each limit."""

    operation: str
    up_to_first: int
    over: tuple[int, ...]

    @property
    def empty(self) -> bool:
        """Whether nothing was counted: every column is 0 %."""
        return self.up_to_first == 0 and not any(self.over)

    def statements(self, limits_ns: tuple[int, ...], count: int | None) -> Statements:
        """Return the bounds that the rounded shares of `count` operations (None: unknown) prove."""
        statements = Statements(count)
        statements.at_least(limits_ns[0] + 1, _LEAST[self.up_to_first])
        statements.at_most(limits_ns[0] + 1, _MOST[self.up_to_first])
        for limit_ns, over in zip(limits_ns, self.over, strict=True):
            statements.at_least(limit_ns + 1, _LEAST[100 - over])
            statements.at_most(limit_ns + 1, _MOST[100 - over])
        return statements


def parse_shares(text: str, columns: int) -> Shares | None:
    """Return a row of style `latency`: the share up to the first of `columns` limits, and over each limit.

    None for other text, another number of shares, or a share above 100 %.
    """
    match = ROW.fullmatch(text)
    if match is None:
        return None
    shares = [int(part[:-1]) if len(part) < 5 else 101 for part in match[2].split()]
    if len(shares) != columns + 1 or max(shares) > 100:
        return None
    return Shares(match[1], shares[0], tuple(shares[1:]))


@dataclass(frozen=True, slots=True)
class Alternate:
    """One row of counts: `counts[i]` operations in bucket i of the layout."""

    operation: str
    layout: ExplicitLayout
    counts: tuple[int, ...]


def parse_alternate(text: str) -> Alternate | str | None:
    """Return a row of style `alt`, or as text why it contradicts itself; None for other text."""
    match = ALTERNATE.fullmatch(text)
    if match is None:
        return None
    parts = _LIMIT.findall(match[5])
    limits = [int(number) * UNITS_NS[unit] for number, unit, _ in parts]
    cumulative = [whole(number) for _, _, number in parts]
    up_to_first, total = whole(match[4]), whole(match[6])
    numbers = [number for number in (up_to_first, total, *cumulative) if number is not None]
    if not _limits_fit(int(match[2]) * UNITS_NS[match[3]], limits) or len(numbers) != len(parts) + 2:
        return "the limits do not ascend, or a count is too large"
    over = numbers[2:]
    if any(a < b for a, b in pairwise(over)):
        return "more operations are over a larger limit than over a smaller one"
    if numbers[0] + over[0] != numbers[1] or numbers[1] > MAX_COUNT:
        return f"the columns add up to {numbers[0] + over[0]}, but the row says {numbers[1]}"
    counts = (numbers[0], *(a - b for a, b in zip(over, [*over[1:], 0], strict=True)))
    return Alternate(match[1], ExplicitLayout((0, *(limit + 1 for limit in limits)), open_ended=True), counts)


@dataclass(frozen=True, slots=True)
class Ycsb:
    """One line of style `ycsb`: `period_…` is about its period, the rest about the run so far.

    `quantiles` are pairs of per cent and whole milliseconds.
    """

    operation: str
    period_count: int
    period_mean_us: int
    total_count: int
    mean_us: int
    least_us: int
    most_us: int
    quantiles: tuple[tuple[int, int], ...]

    def printed(self) -> tuple[Claim, ...]:
        """Return the printed latencies of the run so far as claims in ns; they were rounded down."""
        times: list[tuple[str, int, str, int, float | None]] = [
            ("latency_mean_ns", self.mean_us, "us", NS_PER_US, None),
            ("latency_min_ns", self.least_us, "us", NS_PER_US, None),
            ("latency_max_ns", self.most_us, "us", NS_PER_US, None),
        ]
        times += [
            ("latency_quantile_ns", value_ms, "ms", NS_PER_MS, percent / 100)
            for percent, value_ms in self.quantiles
        ]
        return tuple(
            Claim(
                self.operation, quantity, f"{value}{unit}", value * unit_ns, (value + 1) * unit_ns, quantile
            )
            for quantity, value, unit, unit_ns, quantile in times
        )

    def statements(self) -> Statements:
        """Return bounds of the distribution of the run so far; extremes are whole µs, quantiles whole ms."""
        statements = Statements(self.total_count)
        statements.span(self.least_us * NS_PER_US, (self.most_us + 1) * NS_PER_US)
        for percent, value_ms in self.quantiles:
            statements.at_least((value_ms + 1) * NS_PER_MS, Fraction(percent, 100))
            statements.at_most(value_ms * NS_PER_MS, Fraction(percent, 100))
        return statements


def parse_ycsb(text: str) -> Ycsb | str | None:
    """Return a line of style `ycsb`, or as text which numbers are impossible; None for other text."""
    match = YCSB.fullmatch(text)
    if match is None:
        return None
    numbers = [whole(part) for part in match.groups()[1:7]]
    values = [number for number in numbers if number is not None]
    if len(values) != len(numbers) or max(values) * NS_PER_US > MAX_TIME_NS:
        return "a number is negative or impossibly large"
    quantiles = tuple((int(percent), int(ms)) for percent, ms in _YCSB_QUANTILE.findall(match[8]))
    if any(percent >= 100 or ms * NS_PER_MS > MAX_TIME_NS for percent, ms in quantiles):
        return "a quantile is impossible"
    count, mean, total, total_mean, least, most = values
    return Ycsb(match[1], count, mean, total, total_mean, least, most, quantiles)


def _limits_fit(first_ns: int, limits_ns: list[int]) -> bool:
    """Return whether there are 1 to 64 limits that ascend from `first_ns` and are possible latencies."""
    return (
        0 < len(limits_ns) <= _MAX_COLUMNS
        and first_ns == limits_ns[0]
        and limits_ns[0] > 0
        and limits_ns[-1] < MAX_TIME_NS
        and all(a < b for a, b in pairwise(limits_ns))
    )


@dataclass(slots=True)
class OperationResults:
    """Printed numbers of one operation: style `latency` in `shares`, `alt` in `rows`, `ycsb` in `last_ycsb`.

    `summary` (style `latency`) and `summary_counts` (`alt`) are of the whole run, None if not printed.
    """

    count: int = 0
    """Number of answered operations of all periods; `period_count` is that of the last."""
    misses: Misses = field(default_factory=Misses)
    """Failed calls of all periods; `period_misses` are those of the last."""
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
        """Return the series of the last line; None if it is empty. Raise StatementsContradict."""
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
        intervals = interval_records(
            layout, self.start_ns, self.duration_ns, self.rows, errors=self.errors, timeouts=self.timeouts
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
