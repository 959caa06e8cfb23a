"""sysbench's intermediate lines: rates and a percentile of an interval, without counts."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.parsed_run import Claim, Period, PeriodsOnDemand
from tailroom.importers.printed import Printed, printed
from tailroom.importers.statements import Statements
from tailroom.importers.sysbench.histogram import add_percentile
from tailroom.importers.sysbench.patterns import DATABASE_LINE, DATABASE_RATES, PERCENTILE, RATES


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
    """An intermediate line about `begin_s` to `end_s` as text; its claims take ten times the memory."""

    line: int
    begin_s: int
    end_s: int
    text: str

    def claims(self) -> Iterator[Claim]:
        """Yield claims of the rates, then of the percentile, about this interval."""
        start_ns, duration_ns = self.begin_s * NS_PER_S, (self.end_s - self.begin_s) * NS_PER_S
        for operation, quantity, value, unit, quantile in stated_numbers(self.text):
            yield Claim(
                operation,
                quantity,
                value.text,
                *value.ends(unit),
                quantile,
                line=self.line,
                start_ns=start_ns,
                duration_ns=duration_ns,
            )


def stated_numbers(text: str) -> Iterator[tuple[str, str, Printed, int, float | None]]:
    """Yield operation, quantity, printed number, factor of its unit, and quantile of each number in a line.

    The factor leads to ns, bytes or numbers per second; the quantile (0 to 1) is None except of a percentile.
    """
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
    """Return the intervals that end after `origin_s` and their previous, as periods built on access."""
    periods: list[tuple[int, IntervalPercentile]] = []
    start_s = origin_s
    for interval in intervals:
        if interval.end_s > start_s:
            periods.append((start_s, interval))
            start_s = interval.end_s
    return PeriodsOnDemand(len(periods), lambda at: _period(*periods[at]))


def _period(start_s: int, interval: IntervalPercentile) -> Period:
    """Return the period of an interval with the bounds that its percentile proves.

    It has no bounds without a percentile, or if the rate does not prove a single event.
    """
    duration_s = interval.end_s - start_s
    statements = Statements()
    # Seconds are rounded, so half of the events that the rate promises are certain.
    least_events = math.floor(interval.least_rate * duration_s / 2)
    if interval.percentile is not None and least_events > 0:
        add_percentile(statements, *interval.percentile, slack=Fraction(1, least_events))
    return Period(start_s * NS_PER_S, duration_s * NS_PER_S, statements.record())
