"""The lines of sysbench: patterns, intermediate lines with rates and a percentile, and the histogram.

The histogram has 1,024 buckets, evenly spaced on a logarithmic scale. Bucket `i` of 0 to 1,023 is named by
`0.001 ms · 10^(8 i / 1023)` and holds what is nearer to it, by the logarithm, than to its neighbours: its
edges are half a step away, 0.9 % on either side. The first bucket holds everything below, the last everything
above. Names are printed with three decimals of a millisecond (in reports with two), so that several buckets
can have the same name. If fewer of them are printed, they are read as a single bucket from the first edge to
the last. Source: sysbench `sb_histogram.c`, `sb_logger.c`.
"""

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import groupby

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.layouts import NEVER_NS
from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.exact_counts import distribution_of
from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.parsed_run import Claim, Period, PeriodsOnDemand
from tailroom.importers.printed import Printed, printed
from tailroom.importers.statements import Statements

MIB = 1 << 20
_RATE = "throughput_ops_per_s"
_BANDWIDTH = "bandwidth_bytes_per_s"
NUMBER = r"(\d{1,20}(?:\.\d{1,9})?)"
_COUNT = r"(\d{1,18})"
OPTIONS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), name)
    for pattern, name in (
        (r"Number of threads: (\d{1,9})", "connections"),
        (r"Warmup time: (\d{1,9})s", "warmup_s"),
        (r"Target transaction rate: (\d{1,9})/sec", "rate_per_s"),
        (r"Report intermediate results every (\d{1,9}) second\(s\)", "report_interval_s"),
        (r"Prime numbers limit: (\d{1,12})", "prime_limit"),
        (r"Block size (\S{1,20})", "block_size"),
        (r"(\S{1,20}) total file size", "total_file_size"),
        (r"Extra file open flags: (.{1,80})", "file_open_flags"),
        (r"Number of IO requests: (\d{1,18})", "io_requests"),
        (r"Read/Write ratio for combined random IO test: ([\d.]{1,12})", "read_write_ratio"),
        (r"Using (\w[\w ]{0,30}) I/O mode", "io_mode"),
        (r"Doing (.{1,40}) test", "test"),
        (r"\s*block size: (\S{1,20})", "block_size"),
        (r"\s*total size: (\S{1,20})", "total_size"),
        (r"\s*operation: (\S{1,20})", "memory_operation"),
        (r"\s*scope: (\S{1,20})", "memory_scope"),
    )
)
RATES: tuple[tuple[str, re.Pattern[str], str, str, int], ...] = tuple(
    (mark, re.compile(pattern), operation, quantity, unit)
    for mark, pattern, operation, quantity, unit in (
        ("tps:", rf"\btps: {NUMBER}", "event", "throughput_ops_per_s", 1),
        ("eps:", rf"\beps: {NUMBER}", "event", "throughput_ops_per_s", 1),
        ("qps:", rf"\bqps: {NUMBER}", "query", "throughput_ops_per_s", 1),
        ("(r/w", rf"\(r/w/o: {NUMBER}/", "read query", "throughput_ops_per_s", 1),
        ("(r/w", rf"\(r/w/o: [\d.]+/{NUMBER}/", "write query", "throughput_ops_per_s", 1),
        ("(r/w", rf"\(r/w/o: [\d.]+/[\d.]+/{NUMBER}\)", "other query", "throughput_ops_per_s", 1),
        ("err/", rf"\berr/s:? {NUMBER}", "event", "error_rate_per_s", 1),
        ("errors:", rf"\berrors: {NUMBER}", "event", "error_rate_per_s", 1),
        ("reconn/", rf"\breconn/s: {NUMBER}", "event", "reconnect_rate_per_s", 1),
        ("reconnects:", rf"\breconnects:\s+{NUMBER}", "event", "reconnect_rate_per_s", 1),
        ("reads:", rf"\breads: {NUMBER} Mi?B/s", "read", "bandwidth_bytes_per_s", MIB),
        ("writes:", rf"\bwrites: {NUMBER} Mi?B/s", "write", "bandwidth_bytes_per_s", MIB),
        ("reads:", rf"\breads: {NUMBER},", "read query", "throughput_ops_per_s", 1),
        ("writes:", rf"\bwrites: {NUMBER},", "write query", "throughput_ops_per_s", 1),
        ("fsyncs:", rf"\bfsyncs: {NUMBER}/s", "fsync", "throughput_ops_per_s", 1),
        ("B/sec", rf"^{NUMBER} Mi?B/sec", "memory", "bandwidth_bytes_per_s", MIB),
        ("reads/s:", rf"\breads/s: {NUMBER}", "read query", "throughput_ops_per_s", 1),
        ("writes/s:", rf"\bwrites/s: {NUMBER}", "write query", "throughput_ops_per_s", 1),
        ("queue length:", r"\bqueue length: (\d{1,18})", "queue", "queue_length", 1),
    )
)
"""Text that is in every line that fits, pattern, operation, quantity, and unit of the number."""
DATABASE_LINE = re.compile(
    rf"thds: \d{{1,9}} tps: {NUMBER} qps: {NUMBER} \(r/w/o: {NUMBER}/{NUMBER}/{NUMBER}\) "
    rf"lat \(ms,\s?(\d{{1,3}})%\): {NUMBER} err/s:? {NUMBER} reconn/s: {NUMBER}"
)
"""Matched at once, because a week of a database test has 600,000 lines."""
DATABASE_RATES = tuple(
    (operation, quantity)
    for mark, _, operation, quantity, _ in RATES
    if mark in ("tps:", "qps:", "(r/w", "err/", "reconn/")
)
PERCENTILE = re.compile(
    rf"(?:lat(?:ency)? \(ms,\s?(\d{{1,3}})%\)|response time): {NUMBER}(?:ms \((\d{{1,3}})%\))?"
)
TOTALS: tuple[tuple[re.Pattern[str], str, str, int | None], ...] = tuple(
    (re.compile(pattern), operation, quantity, unit)
    for pattern, operation, quantity, unit in (
        (rf"events per second:\s+{NUMBER}", "event", "throughput_ops_per_s", 1),
        (rf"events/s \(eps\):\s+{NUMBER}", "event", "throughput_ops_per_s", 1),
        (rf"transactions:\s+\d+\s+\({NUMBER} per sec\.\)", "event", "throughput_ops_per_s", 1),
        (rf"queries:\s+\d+\s+\({NUMBER} per sec\.\)", "query", "throughput_ops_per_s", 1),
        (rf"reads/s:\s+{NUMBER}", "read", "throughput_ops_per_s", 1),
        (rf"writes/s:\s+{NUMBER}", "write", "throughput_ops_per_s", 1),
        (rf"fsyncs/s:\s+{NUMBER}", "fsync", "throughput_ops_per_s", 1),
        (rf"read:\s+IOPS={NUMBER}.*", "read", "throughput_ops_per_s", 1),
        (rf"write:\s+IOPS={NUMBER}.*", "write", "throughput_ops_per_s", 1),
        (rf"fsync:\s+IOPS={NUMBER}.*", "fsync", "throughput_ops_per_s", 1),
        (rf"ignored errors:\s+\d+\s+\({NUMBER} per sec\.\)", "event", "error_rate_per_s", 1),
        (rf"reconnects:\s+\d+\s+\({NUMBER} per sec\.\)", "event", "reconnect_rate_per_s", 1),
        (rf"read:\s+IOPS=[\d.]+ {NUMBER} MiB/s.*", "read", _BANDWIDTH, MIB),
        (rf"write:\s+IOPS=[\d.]+ {NUMBER} MiB/s.*", "write", _BANDWIDTH, MIB),
        (rf"read, MiB/s:\s+{NUMBER}", "read", "bandwidth_bytes_per_s", MIB),
        (rf"written, MiB/s:\s+{NUMBER}", "write", "bandwidth_bytes_per_s", MIB),
        (rf"{NUMBER} Mi?B transferred \(.*", "memory", "transferred_bytes", MIB),
        (rf"[\d.]+ Mi?B transferred \({NUMBER} Mi?B/sec\)", "memory", "bandwidth_bytes_per_s", MIB),
        (rf"Total operations: \d+ \(\s*{NUMBER} per second\)", "event", "throughput_ops_per_s", 1),
        (rf"Operations performed: \d+ \(\s*{NUMBER} ops/sec\)", "event", "throughput_ops_per_s", 1),
        (rf"{NUMBER} Requests/sec executed", "event", "throughput_ops_per_s", 1),
        (rf"read/write requests:\s+\d+\s+\({NUMBER} per sec\.\)", "read/write query", _RATE, 1),
        (rf"other operations:\s+\d+\s+\({NUMBER} per sec\.\)", "other query", _RATE, 1),
        *(
            (rf"Read .* Total transferred \S+  ?\({NUMBER}{unit}b/sec\)", "total", _BANDWIDTH, size)
            for unit, size in (("", 1), ("K", 1 << 10), ("M", MIB), ("G", 1 << 30))
        ),
        (rf"read:\s+{_COUNT}", "read query", "operation_count", None),
        (rf"write:\s+{_COUNT}", "write query", "operation_count", None),
        (rf"other:\s+{_COUNT}", "other query", "operation_count", None),
        (rf"total:\s+{_COUNT}", "query", "operation_count", None),
        (rf"read/write requests:\s+{_COUNT} .*", "read/write query", "operation_count", None),
        (rf"Operations performed:\s+{_COUNT} [Rr]eads?,.*", "read", "operation_count", None),
        (rf"Operations performed:\s+\d+ [Rr]eads?, {_COUNT} [Ww]rites?,.*", "write", "operation_count", None),
        (rf"Operations performed:.*, {_COUNT} Other = \d+ Total", "other", "operation_count", None),
        (rf"Operations performed:.* Other = {_COUNT} Total", "total", "operation_count", None),
        (rf"ignored errors:\s+{_COUNT}\b.*", "event", "error_count", None),
        (rf"deadlocks:\s+{_COUNT}\b.*", "event", "error_count", None),
        (rf"reconnects:\s+{_COUNT}\b.*", "event", "reconnect_count", None),
    )
)
"""Pattern, operation, quantity, and unit of the number; None for exact counts."""

SERVICE_SEMANTICS = (
    "from the moment at which a thread began with the event to its end, all tries included; the histogram "
    "behind percentiles has 128 buckets for each factor of ten (1.8 %)"
)
RESPONSE_SEMANTICS = (
    "from the moment at which the event was due by --rate (Poisson) to its end, waiting in the queue "
    "included; the histogram behind percentiles has 128 buckets for each factor of ten (1.8 %)"
)
_SIZE = 1_024
_LEAST_MS, _MOST_MS = 1e-3, 1e5
_FIRST = math.log(_LEAST_MS)
_STEPS = (_SIZE - 1) / (math.log(_MOST_MS) - _FIRST)


class SysbenchHistogramUnreadable(ContentUnreadable):
    """The rows are no histogram of sysbench; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class SysbenchHistogramRow:
    """A printed row: name of the bucket in milliseconds, and its count."""

    line: int
    name: Printed
    count: int


@cache
def _names() -> tuple[float, ...]:
    """Return the time in milliseconds that names each bucket."""
    return tuple(math.exp(index / _STEPS + _FIRST) for index in range(_SIZE))


@cache
def edges_ns() -> tuple[int, ...]:
    """Return the lower edge of each bucket in whole nanoseconds: the first nanosecond that falls into it."""
    inner = (math.ceil(math.exp((index - 0.5) / _STEPS + _FIRST) * NS_PER_MS) for index in range(1, _SIZE))
    return (0, *inner)


def buckets_named(name: Printed) -> range:
    """Return the indices of the buckets whose name in ms is printed like this; empty if there are none."""
    decimals = len(name.text.partition(".")[2])
    half = 0.5 * 10.0**-decimals
    value = float(name.value)
    names = _names()
    first = bisect_left(names, value - half * 1.0001)
    last = bisect_right(names, value + half * 1.0001)
    alike = [at for at in range(first, last) if f"{names[at]:.{decimals}f}" == name.text]
    return range(alike[0], alike[-1] + 1) if alike else range(0)


def ends_ns(buckets: range) -> tuple[int, int]:
    """Return the edges around a range of buckets in ns; the upper edge of the last bucket is `NEVER_NS`."""
    edges = edges_ns()
    upper = NEVER_NS if buckets.stop >= _SIZE else edges[buckets.stop]
    return edges[buckets.start], upper


def distribution(rows: Sequence[SysbenchHistogramRow]) -> LatencyDist:
    """Return the record of rows. Raise SysbenchHistogramUnreadable for rows that sysbench does not print."""
    cells: list[tuple[range, int]] = []
    for text, group in groupby(rows, key=lambda row: row.name.text):
        alike = list(group)
        buckets = buckets_named(alike[0].name)
        if len(alike) > len(buckets):
            raise SysbenchHistogramUnreadable(
                f"line {alike[0].line}: {len(alike)} rows are named {text} ms, and {len(buckets)} buckets of "
                "sysbench are printed like that"
            )
        if cells and buckets.start < cells[-1][0].stop:
            raise SysbenchHistogramUnreadable(f"line {alike[0].line}: the rows do not ascend at {text} ms")
        if len(alike) == len(buckets):
            cells += [(range(at, at + 1), row.count) for at, row in zip(buckets, alike, strict=True)]
        else:
            cells.append((buckets, sum(row.count for row in alike)))
    if not cells:
        raise SysbenchHistogramUnreadable("the histogram has no rows")
    return distribution_of((*ends_ns(buckets), count) for buckets, count in cells)


def add_percentile(
    statements: Statements,
    share: int,
    value: Printed,
    *,
    events: int | None = None,
    slack: Fraction = Fraction(0),
) -> None:
    """Add the bounds of a percentile: `share` in per cent, `value` the printed time in ms.

    sysbench names the bucket of the event with the rank `floor(events · share + 1/2)`. If `events` is
    unknown, the share may be off by `slack`, a ratio. Add nothing if no bucket has this name.
    """
    buckets = buckets_named(value)
    if not buckets:
        return
    lower_ns, upper_ns = ends_ns(buckets)
    exact = Fraction(share, 100)
    at_least, at_most = exact - slack, exact + slack
    if events:
        rank = math.floor(events * exact + Fraction(1, 2))
        at_least, at_most = Fraction(rank, events), Fraction(max(0, rank - 1), events)
    if upper_ns != NEVER_NS:
        statements.at_least(upper_ns, at_least)
    if events is None or events * exact >= Fraction(1, 2):
        statements.at_most(lower_ns, at_most)


@dataclass(frozen=True, slots=True)
class IntervalPercentile:
    """The percentile of an intermediate line, and the end of its interval in seconds from the start."""

    end_s: int
    percentile: tuple[int, Printed] | None
    """Share in per cent, and time in milliseconds; None if impossible."""
    least_rate: float
    """Lower bound of the events per second."""


@dataclass(frozen=True, slots=True)
class IntervalLine:
    """An intermediate line about `begin_s` to `end_s` as text: claims would take ten times the memory."""

    line: int
    begin_s: int
    end_s: int
    text: str

    def claims(self) -> Iterator[Claim]:
        """Yield claims of the rates, then of the percentile, about this interval."""
        span = self.begin_s * NS_PER_S, (self.end_s - self.begin_s) * NS_PER_S
        for operation, quantity, value, unit, quantile in stated_numbers(self.text):
            yield Claim.of_number(operation, quantity, value, unit, self.line, quantile=quantile, span=span)


def stated_numbers(text: str) -> Iterator[tuple[str, str, Printed, int, float | None]]:
    """Yield operation, quantity, number, factor to ns or bytes, and quantile (or None) of each number."""
    match = DATABASE_LINE.fullmatch(text)
    if match is not None:
        tps, qps, read, write, other, _, _, errors, reconnects = match.groups()
        numbers = (tps, qps, read, write, other, errors, reconnects)
        for (operation, quantity), number in zip(DATABASE_RATES, numbers, strict=True):
            if (value := printed(number)) is not None:
                yield operation, quantity, value, 1, None
    else:
        for mark, pattern, operation, quantity, unit in RATES:
            rate = pattern.search(text) if mark in text else None
            value = printed(rate[1]) if rate is not None else None
            if value is not None:
                yield operation, quantity, value, unit, None
    percentile = percentile_of(PERCENTILE.search(text))
    if percentile is not None:
        share, time_ms = percentile
        yield "event", "latency_quantile_ns", time_ms, NS_PER_MS, share / 100


def percentile_of(match: re.Match[str] | None) -> tuple[int, Printed] | None:
    """Return share in per cent and time in ms of a match of `PERCENTILE`; None for None or if impossible."""
    if match is None:
        return None
    share, value = int(match[1] or match[3] or 0), printed(match[2])
    return (share, value) if value is not None and 0 < share <= 100 else None


def periods_of(intervals: Sequence[IntervalPercentile], origin_s: int) -> PeriodsOnDemand:
    """Return the intervals that end after `origin_s` and all earlier intervals, as periods made on access."""
    periods: list[tuple[int, IntervalPercentile]] = []
    start_s = origin_s
    for interval in intervals:
        if interval.end_s > start_s:
            periods.append((start_s, interval))
            start_s = interval.end_s
    return PeriodsOnDemand(len(periods), lambda at: _period(*periods[at]))


def _period(start_s: int, interval: IntervalPercentile) -> Period:
    """Return the period, with bounds if it has a percentile and its rate proves an event."""
    duration_s = interval.end_s - start_s
    statements = Statements()
    # Seconds are rounded, so half of the events that the rate promises are certain.
    least_events = math.floor(interval.least_rate * duration_s / 2)
    if interval.percentile is not None and least_events > 0:
        add_percentile(statements, *interval.percentile, slack=Fraction(1, least_events))
    return Period(start_s * NS_PER_S, duration_s * NS_PER_S, statements.record())
