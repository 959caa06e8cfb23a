"""A command (such as GET) of a run of memtier_benchmark: its printed numbers, claims and series.

The meaning of the rows `<= msec, percent` depends on the version. Since 1.4 they come from an HdrHistogram:
the percent is the requested one, printed with three decimals (two in builds just before), and the time the
upper end of the first bucket that reaches it. Before, the percent is the share counted so far, printed with
two decimals, and the time is the latency *rounded* to two digits, so that a row reaches half a step beyond
what it says. Up to 1.2.6 latencies of SET were cut to whole milliseconds before, and a latency below a
millisecond turned the whole table into one row `nan`. Every version ends with a row of 100 % at the bucket of
the slowest operation, so nothing lies beyond it if the table is known to be complete. Source:
`run_stats.cpp`, `client.cpp`.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import LatencyDist, LatencyRecord, Misses
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.units import NS_PER_MS, NS_PER_S, NS_PER_US
from tailroom.importers.hdr_log.rows import decoded
from tailroom.importers.parsed_run import Claim, ParsedSeries, Period
from tailroom.importers.printed import Printed
from tailroom.importers.problems import ProblemList
from tailroom.importers.statements import MAX_TIME_NS, Statements, hdr_bucket_ns

TABLE_LAYOUT = HdrLayout(8 * NS_PER_US, 2)
"""Wide enough for every version: some count two digits, some three; both in steps of 8 µs."""
_WHOLE, _HALF, _STEP = 100, 50, 5
"""Per cent: HdrHistogram prints ten steps to the middle."""
_FLOAT_FROM_MS = 8_192
"""From here on a 32-bit float, in which the times are printed, is coarser than a microsecond."""
_FLOAT_RELATIVE = Fraction(1, 1 << 23)
SEMANTICS = (
    "from sending a command to its answer, on a clock of whole microseconds; with a pipeline the wait of "
    "the commands before it is in it"
)
_MAX_PERIODS = 10_000


@dataclass(frozen=True, slots=True)
class PercentRow:
    """One row; `time_ms` is None if the tool printed `nan`."""

    time_ms: Printed | None
    percent: Printed
    line_no: int | None = None


class TableUnusable(ValueError):
    """The table states nothing about latencies; the message gives the reason."""


def add_table(statements: Statements, rows: list[PercentRow], *, is_complete: bool = False) -> None:
    """Add the bounds of the distribution that a table proves; unless `is_complete`, last rows may be missing.

    Raise TableUnusable if a time is `nan` or impossibly large, or a share is outside 0 to 100 %.
    """
    times_ms = [row.time_ms.value for row in rows if row.time_ms is not None]
    if len(times_ms) < len(rows):
        raise TableUnusable("all latencies are in one bucket `nan`, as memtier_benchmark 1.2.6 writes them")
    if any(not 0 <= row.percent.value <= 100 for row in rows):
        raise TableUnusable("a share is over 100 %")
    if any(time_ms * NS_PER_MS > MAX_TIME_NS for time_ms in times_ms):
        raise TableUnusable("a time is impossibly large")
    is_looked_up = all(row.percent.ulp <= Fraction(1, 1_000) for row in rows) or _are_steps(rows)
    whole_ms = all(time_ms.denominator == 1 for time_ms in times_ms)
    for row, time_ms in zip(rows, times_ms, strict=True):
        least, most = row.percent.lower / 100, row.percent.upper / 100
        if is_complete and row is rows[-1] and row.percent.value == _WHOLE:
            least = Fraction(1)
        if is_looked_up:
            lower_ns, upper_ns = bucket_ns(time_ms)
            statements.at_least(upper_ns, least)
            statements.at_most(lower_ns, most)
        else:
            _add_counted(statements, time_ms, (least, most), cut_to_ms=whole_ms)


def _are_steps(rows: list[PercentRow]) -> bool:
    """Return whether all shares have two decimals, and those up to 50 % are exactly 0, 5, 10, …, 50."""
    halves = [row.percent.value for row in rows if row.percent.value <= _HALF]
    two_decimals = all(row.percent.ulp == Fraction(1, 100) for row in rows)
    return two_decimals and halves == list(range(0, _HALF + 1, _STEP))


def bucket_ns(time_ms: Fraction) -> tuple[int, int]:
    """Return the edges in ns, lower inclusive and upper exclusive, of the bucket that a printed time names.

    From 8,192 ms on, times are printed less precisely than buckets, so that neighbouring buckets are
    included. Raise LatencyImpossible for a time over MAX_TIME_NS.
    """
    slack = time_ms * _FLOAT_RELATIVE if time_ms >= _FLOAT_FROM_MS else Fraction(0)
    lower = hdr_bucket_ns(TABLE_LAYOUT, max(0, math.floor((time_ms - slack) * 1_000)))[0]
    return lower, hdr_bucket_ns(TABLE_LAYOUT, math.ceil((time_ms + slack) * 1_000))[1]


def _add_counted(
    statements: Statements, time_ms: Fraction, shares: tuple[Fraction, Fraction], *, cut_to_ms: bool
) -> None:
    """Add the bounds of a row whose `shares` (least and most) are of the operations counted so far.

    Nothing for a time of 0. `cut_to_ms`: latencies may have been cut to whole milliseconds before.
    """
    if time_ms <= 0:
        return
    half_step_ms = Fraction(10) ** (_decade(time_ms) - 1) / 2
    end_us = (time_ms + half_step_ms) * 1_000
    statements.at_most(math.ceil(end_us) * NS_PER_US, shares[1])
    beyond_ns = (math.floor(end_us) + 1) * NS_PER_US
    if cut_to_ms:
        beyond_ns = max(beyond_ns, (math.floor(time_ms + half_step_ms) + 1) * NS_PER_MS)
    statements.at_least(beyond_ns, shares[0])


def _decade(value: Fraction) -> int:
    """Return the exponent of the largest power of ten that is at most the value, which is over 0."""
    decade = len(str(math.floor(value))) - 1 if value >= 1 else -len(str(math.floor(1 / value)))
    while Fraction(10) ** decade > value:
        decade -= 1
    while Fraction(10) ** (decade + 1) <= value:
        decade += 1
    return decade


@dataclass(frozen=True, slots=True)
class SecondStatistics:
    """The numbers of a command in one second, without buckets."""

    second: int
    """Seconds from the start of the run, from 0."""
    count: int
    least_ms: Printed | None
    most_ms: Printed | None
    quantiles: tuple["Quantile", ...]


@dataclass(frozen=True, slots=True)
class Quantile:
    """A percentile: its share as a ratio, which may be larger by up to `cut`, and its printed time.

    The JSON has room for six characters: `p99.99` may be the percentile 99.99 or 99.999.
    """

    share: Fraction
    time_ms: Printed
    cut: Fraction = Fraction(0)

    def add_to(self, statements: Statements) -> None:
        """Add the bounds of the percentile, if its time is at least 0 and below 2**32 ms."""
        if _is_possible(self.time_ms):
            statements.hdr_quantile(self.share, *bucket_ns(self.time_ms.value), cut=self.cut)


@dataclass(slots=True)
class CommandRow:
    """Printed numbers of a command, named as in the file (`Sets` or `GET`); None if not printed."""

    name: str
    line_no: int | None = None
    count: int | None = None
    rate: Printed | None = None
    """Operations a second."""
    kilobytes_per_s: Printed | None = None
    hits_per_s: Printed | None = None
    misses_per_s: Printed | None = None
    """Lookups a second with a value, and without any; both None if not printed or nothing was looked up."""
    mean_ms: Printed | None = None
    least_ms: Printed | None = None
    most_ms: Printed | None = None
    quantiles: list[Quantile] = field(default_factory=list)
    table: list[PercentRow] = field(default_factory=list)
    has_whole_table: bool = False
    """Whether the end of the table is in the file."""
    histogram: str | None = None
    """The encoded HdrHistogram (`HIST…` in base64)."""
    seconds: list[SecondStatistics] = field(default_factory=list)

    @property
    def has_no_operations(self) -> bool:
        """Whether the count is 0, or without a count the rate is 0, so that no latency was measured."""
        return self.count == 0 or (self.count is None and self.rate is not None and self.rate.value == 0)

    def drop_zero_percentiles(self) -> str | None:
        """Drop percentiles (and a minimum) of 0 below a larger mean; return the problem, None without."""
        zeros = bool(self.quantiles) and all(quantile.time_ms.value == 0 for quantile in self.quantiles)
        if not zeros or self.has_no_operations or self.mean_ms is None or self.mean_ms.value == 0:
            return None
        self.quantiles = []
        if self.least_ms is not None and self.least_ms.value == 0:
            self.least_ms = None
        return (
            f"{self.name}: percentiles of 0 contradict its mean of {self.mean_ms.text} ms, as some versions "
            "print them; they were left out"
        )

    @property
    def operation(self) -> str:
        """Name of the operation: `set` for `Sets` and `SET`, `total` for `Totals`."""
        if self.name == self.name.upper():
            return self.name.lower()
        return "total" if self.name == "Totals" else self.name.lower().removesuffix("s")


def claims_of(row: CommandRow, *, with_bandwidth: bool) -> Iterator[Claim]:
    """Yield claims of count, rates (with `with_bandwidth` bytes, too) and, if any operations, latencies."""
    name, line_no = row.operation, row.line_no
    if row.count is not None:
        yield Claim.of_count(name, "operation_count", row.count, line_no)
    if row.rate is not None:
        yield Claim.of_number(name, "throughput_ops_per_s", row.rate, line=line_no)
    if row.kilobytes_per_s is not None and with_bandwidth:
        yield Claim.of_number(name, "bandwidth_bytes_per_s", row.kilobytes_per_s, 1024, line_no, sign=" KB/s")
    for quantity, rate in (("hit_rate_per_s", row.hits_per_s), ("miss_rate_per_s", row.misses_per_s)):
        if rate is not None:
            yield Claim.of_number(name, quantity, rate, line=line_no)
    if row.has_no_operations:
        return
    if row.mean_ms is not None:
        # Some versions cut averages and some round them.
        lower = float(row.mean_ms.value - row.mean_ms.ulp) * NS_PER_MS
        upper = float(row.mean_ms.value + row.mean_ms.ulp) * NS_PER_MS
        yield Claim(name, "latency_mean_ns", f"{row.mean_ms.text} ms", max(0.0, lower), upper, line=line_no)
    for quantity, value, share in (
        ("latency_min_ns", row.least_ms, None),
        ("latency_max_ns", row.most_ms, None),
        *(("latency_quantile_ns", each.time_ms, float(each.share)) for each in row.quantiles),
    ):
        if value is not None and _is_possible(value):
            yield Claim(name, quantity, f"{value.text} ms", *bucket_ns(value.value), share, line_no)


def series_of(row: CommandRow, problems: ProblemList) -> ParsedSeries | None:
    """Return the series; None without operations or latencies and, with a problem, if contradictory."""
    if row.has_no_operations:
        has_times = any(percent.time_ms is None or percent.time_ms.value > 0 for percent in row.table)
        if has_times or (row.mean_ms is not None and row.mean_ms.value > 0):
            reason = "memtier_benchmark prints latencies, but none a second: output that contradicts itself"
            problems.error(f"{row.name}: {reason}, left out", row.line_no)
        return None
    try:
        record = (
            _counted_record(row, problems) if row.histogram is not None else _stated_record(row, problems)
        )
    except DomainError as error:
        problems.error(f"{row.name}: {error}", row.line_no)
        return None
    if record is None:
        return None
    return ParsedSeries(
        row.operation,
        "service",
        record,
        semantics=SEMANTICS,
        source_name=row.name,
        periods=_periods(row, problems),
    )


def _counted_record(row: CommandRow, problems: ProblemList) -> LatencyRecord | None:
    """Return the record of the histogram, None if it is empty; what it cannot hold counts as unfinished."""
    raw = decoded(row.histogram or "")
    total = int(raw.counts.sum())
    if total == 0:
        return None
    slower = max(0, (row.count or 0) - total)
    if slower:
        reason = (
            f"{slower} operations are counted but not in the histogram; this version drops what is slower "
            "than its histogram can hold, so they count as never answered"
        )
        problems.add(f"{row.name}: {reason}", row.line_no)
    elif row.count is not None and row.count < total:
        reason = f"the histogram holds {total} operations, the report says {row.count}"
        problems.add(f"{row.name}: {reason}", row.line_no)
    return LatencyDist(
        HdrLayout(raw.step * NS_PER_US, raw.digits),
        Counts(raw.indices, raw.counts),
        misses=Misses(unfinished=slower),
    )


def _stated_record(row: CommandRow, problems: ProblemList) -> LatencyRecord | None:
    """Return the record that the printed numbers prove; None without any, or for an unusable table."""
    statements = Statements(row.count)
    if row.table:
        try:
            add_table(statements, row.table, is_complete=row.has_whole_table)
        except TableUnusable as unusable:
            problems.add(f"{row.name}: {unusable}", row.table[0].line_no)
            return None
    for quantile in row.quantiles:
        quantile.add_to(statements)
    if row.most_ms is not None and _is_possible(row.most_ms):
        statements.span(None, bucket_ns(row.most_ms.value)[1])
    statements.mean_ns = None if row.mean_ms is None else _mean_ns(row.mean_ms)
    if not statements and statements.mean_ns is None:
        return None
    return statements.record(problems=problems)


def _periods(row: CommandRow, problems: ProblemList) -> tuple[Period, ...]:
    """Return a period for each of the first 10,000 seconds with operations, without contradictory ones."""
    periods = []
    contradictions = 0
    for second in row.seconds[:_MAX_PERIODS]:
        if second.count <= 0:
            continue
        statements = Statements(second.count)
        extremes = [printed for printed in (second.least_ms, second.most_ms) if printed is not None]
        if not all(map(_is_possible, extremes)):
            contradictions += 1
            continue
        least = 0 if second.least_ms is None else int(second.least_ms.value * 1_000) * NS_PER_US
        most = None if second.most_ms is None else int(second.most_ms.value * 1_000 + 1) * NS_PER_US
        statements.span(least, most)
        possible = [
            quantile
            for quantile in second.quantiles
            if _is_possible(quantile.time_ms) and bucket_ns(quantile.time_ms.value)[1] > least
        ]
        contradictions += len(possible) < len(second.quantiles)
        for quantile in possible:
            quantile.add_to(statements)
        try:
            record = statements.record()
        except DomainError:
            contradictions += 1
            continue
        periods.append(Period(second.second * NS_PER_S, NS_PER_S, record))
    if contradictions:
        reason = (
            f"percentiles of {contradictions} seconds lie below the smallest latency of the second; they "
            "were left out"
        )
        problems.note(f"{row.name}: {reason}", row.line_no)
    if len(row.seconds) > _MAX_PERIODS:
        reason = f"{row.name}: seconds after {_MAX_PERIODS} are left out"
        problems.note(reason, row.line_no)
    return tuple(periods)


def _mean_ns(mean: Printed) -> tuple[float, float]:
    """Return the bounds in ns of an average, which is cut, rounded or made of bucket ends, by version."""
    least = float(mean.value - mean.ulp) * NS_PER_MS * (1 - 1 / 128)
    return max(0.0, least), float(mean.value + mean.ulp) * NS_PER_MS * (1 + 1 / 128) + 8 * NS_PER_US


def _is_possible(value: Printed) -> bool:
    """Return whether a printed number of milliseconds can be a latency: at least 0 and below 2**32."""
    return 0 <= value.value < 1 << 32
