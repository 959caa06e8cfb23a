"""The latency lines of the Aerospike Java benchmark in exact terms.

`latency` prints whole per cent of a period, rounded to the nearest: `<=1ms`, then the shares *over* each
limit. `alt` prints counts in the same columns. Latencies are rounded up to the unit before they are compared,
so a limit of 1 ms includes exactly 1,000,000 ns: the edge is one nanosecond later. `ycsb` prints truncated
averages and quantiles in whole milliseconds. Source: `LatencyManagerAerospike`, `…Alternate`, `…Ycsb`.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from tailroom.domain.latency.layouts import ExplicitLayout
from tailroom.domain.units import NS_PER_MS, NS_PER_US
from tailroom.importers.parsed_run import Claim
from tailroom.importers.printed import MAX_COUNT, whole
from tailroom.importers.statements import MAX_TIME_NS, Statements

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
_UNIT_NS = {"ms": NS_PER_MS, "us": NS_PER_US}
_HALF = Fraction(1, 200)
_LEAST = tuple(Fraction(percent, 100) - _HALF for percent in range(101))
_MOST = tuple(Fraction(percent, 100) + _HALF for percent in range(101))
"""Bounds of each whole per cent, made once: logs have a million of them, and fractions are slow to make."""
_MAX_COLUMNS = 64


def header_limits_ns(text: str) -> tuple[int, ...] | None:
    """Return the limits in ns of the columns `>1ms >2ms …`, which a head of columns names.

    None for other text, for over 64 limits, and unless they ascend from the limit of the column `<=`.
    """
    match = HEADER.fullmatch(text)
    if match is None:
        return None
    limits = [int(number) * _UNIT_NS[unit] for number, unit, _ in _LIMIT.findall(match[3])]
    first = int(match[1]) * _UNIT_NS[match[2]]
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
    """Return a row of style `alt`; the reason as text if it contradicts itself; None for other text."""
    match = ALTERNATE.fullmatch(text)
    if match is None:
        return None
    parts = _LIMIT.findall(match[5])
    limits = [int(number) * _UNIT_NS[unit] for number, unit, _ in parts]
    cumulative = [whole(number) for _, _, number in parts]
    up_to_first, total = whole(match[4]), whole(match[6])
    numbers = [number for number in (up_to_first, total, *cumulative) if number is not None]
    if not _limits_fit(int(match[2]) * _UNIT_NS[match[3]], limits) or len(numbers) != len(parts) + 2:
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
    """Return a line of style `ycsb`; the reason as text if a number is impossible; None for other text."""
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
