"""One operation as most tools print it: count, mean, extremes and some percentiles, and what they prove.

A printed number may be rounded, cut, or the name of a bucket, depending on the tool. Importers state that by
the bounds of each number; from them follow statements, a series, and claims.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import LatencyRecord, Misses
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.units import NS_PER_MS, NS_PER_S, NS_PER_US, ceil_div
from tailroom.importers.moments import add_moments
from tailroom.importers.parsed_run import Claim, ParsedSeries, Period
from tailroom.importers.printed import Printed, printed
from tailroom.importers.problems import Problems
from tailroom.importers.statements import GRAIN, MAX_TIME_NS, Statements, hdr_bucket_ns, record_or_report

UNITS_NS = {
    "ns": 1,
    "us": NS_PER_US,
    "µs": NS_PER_US,
    "μs": NS_PER_US,
    "ms": NS_PER_MS,
    "s": NS_PER_S,
    "m": 60 * NS_PER_S,
    "h": 3_600 * NS_PER_S,
}

_TIMES = {"mean": "mean", "avg": "mean", "min": "least", "max": "most"}
_MEDIANS = {"median": "50", "med": "50"}
_GO_PART = re.compile(r"([\d.]+)(ms|µs|μs|us|ns|h|m|s)")
_PERCENTILE = re.compile(r"p?\(?(\d{1,3}(?:\.\d{1,9})?)\)?(?:th)?")

THREE_DIGITS = 512
"""A value in a bucket of an HdrHistogram of three digits is off by at most its 512th part."""


@dataclass(frozen=True, slots=True)
class Time:
    """Bounds of a printed time, both inclusive; `text` is the time with its unit."""

    text: str
    lower_ns: int
    upper_ns: int

    @property
    def middle_ns(self) -> int:
        """Middle of the bounds, rounded down."""
        return (self.lower_ns + self.upper_ns) // 2

    def claim(
        self, operation: str, quantity: str, line: int | None = None, quantile: float | None = None
    ) -> Claim:
        """Return the claim that `quantity` of an operation has this time."""
        return Claim(operation, quantity, self.text, self.lower_ns, self.upper_ns, quantile, line)

    def widened(self, divisor: int, slack_ns: int = 0) -> "Time":
        """Return the time with bounds farther out by their `divisor`th part and `slack_ns`."""
        lower_ns = self.lower_ns - self.lower_ns // divisor - slack_ns
        return Time(self.text, max(0, lower_ns), self.upper_ns + self.upper_ns // divisor + slack_ns)


def rounded(text: str, unit_ns: int, unit: str) -> Time | None:
    """Return bounds of a time rounded to its last digit, in `unit_ns` (sign `unit`); None for other text."""
    return _time(printed(text), unit_ns, unit, before=1, behind=1)


def cut(text: str, unit_ns: int, unit: str) -> Time | None:
    """Return the bounds of a time cut after its last digit, like `rounded`; None for other text."""
    return _time(printed(text), unit_ns, unit, before=0, behind=2)


def _time(number: Printed | None, unit_ns: int, unit: str, *, before: int, behind: int) -> Time | None:
    """Return bounds from `before` to `behind` halves of the last digit; None if impossible or negative."""
    if number is None or number.digits < 0:
        return None
    low, high = number.outward(unit_ns, before, behind)
    return Time(f"{number.text} {unit}", low, high) if high < MAX_TIME_NS else None


def hdr(time: Time | None, layout: HdrLayout) -> Time | None:
    """Return the bounds widened to the buckets of the layout; None for None or an impossible time."""
    if time is None:
        return None
    try:
        lower = hdr_bucket_ns(layout, time.lower_ns // NS_PER_US)[0]
        upper = hdr_bucket_ns(layout, ceil_div(time.upper_ns, NS_PER_US))[1] - 1
    except DomainError:
        return None
    return Time(time.text, min(lower, time.lower_ns), max(upper, time.upper_ns))


@dataclass(slots=True)
class Summary:
    """The valid printed numbers of one operation, None if absent; `quantiles` are share and time.

    `rate` is in operations a second, `line` the number of the first line.
    """

    operation: str
    line: int
    clock: str = "service"
    count: int | None = None
    errors: int = 0
    timeouts: int = 0
    mean: Time | None = None
    deviation: Time | None = None
    least: Time | None = None
    most: Time | None = None
    quantiles: list[tuple[Fraction, Time]] = field(default_factory=list)
    above: list[tuple[int, Printed]] = field(default_factory=list)
    """Times in nanoseconds and the per cent of operations that took at least as long."""
    rate: Printed | None = None
    name: str = ""
    exact_ns: int = 1
    """Latencies were cut to whole multiples of this before they were counted."""
    later_ranks: int = 0
    """Ranks beyond the nearest that a tool may look up, or interpolate to, for a percentile."""
    below: list[tuple[Time, int]] = field(default_factory=list)
    """Printed times, and the number of operations that took at most as long."""

    def claims(self) -> Iterator[Claim]:
        """Yield claims about count, failures (errors, time-outs), rate and times, not `above` or `below`."""
        if self.count is not None:
            yield Claim.of_count(self.operation, "operation_count", self.count, self.line)
        if self.errors + self.timeouts:
            yield Claim.of_count(self.operation, "error_count", self.errors + self.timeouts, self.line)
        if self.rate is not None and self.rate.digits >= 0:
            yield Claim.of_number(self.operation, "throughput_ops_per_s", self.rate, line=self.line)
        yield from self.printed()

    def printed(self) -> Iterator[Claim]:
        """Yield claims about mean, deviation, smallest, largest and percentiles, if they are printed."""
        times = (("mean", self.mean), ("deviation", self.deviation), ("min", self.least), ("max", self.most))
        for name, time in times:
            if time is not None:
                yield time.claim(self.operation, f"latency_{name}_ns", self.line)
        for share, time in self.quantiles:
            yield time.claim(self.operation, "latency_quantile_ns", self.line, float(share))

    def set_time(self, name: str, time: Time | None) -> None:
        """Set the time `name` (`avg`, `min`, `max`, `median`, `p99`, `95th`); ignore None and other names."""
        share = _PERCENTILE.fullmatch(_MEDIANS.get(name, name))
        if time is None:
            return
        if name in _TIMES:
            setattr(self, _TIMES[name], time)
        elif share is not None and 0 < Fraction(share[1]) < 100:
            self.quantiles.append((Fraction(share[1]) / 100, time))

    def drop_times(self) -> None:
        """Remove all times but those of `above`: tools print them as zeros where nothing was measured."""
        self.mean = self.deviation = self.least = self.most = None
        self.quantiles, self.below = [], []

    def statements(self) -> Statements:
        """Return the proven bounds, empty for a count of 0; the deviation only without percentiles."""
        statements = Statements(self.count)
        if self.count == 0:
            return statements
        later = self.exact_ns - 1
        for share, time in self.quantiles:
            self._add_quantile(statements, share, time)
        for at_ns, percent in self.above:
            statements.at_least(at_ns, max(Fraction(0), 1 - percent.upper / 100))
            statements.at_most(at_ns, min(Fraction(1), 1 - max(Fraction(0), percent.lower) / 100))
        for time, count in self.below if self.count is not None else ():
            statements.least_part(time.upper_ns + 1, count * GRAIN)
            statements.most_part(time.lower_ns, count * GRAIN)
        if self.least is not None and (self.most is None or self.least.lower_ns <= self.most.upper_ns):
            statements.span(self.least.lower_ns, None)
        if self.most is not None and (self.most.upper_ns > 0 or self.count):
            statements.span(None, self.most.upper_ns + later + 1)
        if self.mean is not None:
            mean = float(self.mean.lower_ns), float(self.mean.upper_ns + later)
            statements.mean_ns = mean
            if self.deviation is not None and not self.quantiles and mean[0] > 0:
                add_moments(statements, mean, float(self.deviation.upper_ns), exact_ns=self.exact_ns)
        return statements

    def _add_quantile(self, statements: Statements, share: Fraction, time: Time) -> None:
        """Add the bounds of a percentile over 0 and up to 1, for every rank that a tool may look up."""
        part, denominator = share.as_integer_ratio()
        if not 0 < part <= denominator:
            return
        upper_ns = time.upper_ns + self.exact_ns
        if self.count is None:
            statements.at_least(upper_ns, share)
            statements.at_most(time.lower_ns, share)
            return
        # Tools look up the rank ⌊np⌋ counted from 0 or 1, ⌈np⌉, or the nearest whole number.
        exact = part * self.count // denominator
        statements.least_part(upper_ns, max(1, exact) * GRAIN)
        statements.most_part(time.lower_ns, (min(self.count, exact + 1 + self.later_ranks) - 1) * GRAIN)

    def series(
        self,
        problems: Problems,
        semantics: str,
        *,
        phase: str | None = None,
        device: str | None = None,
        periods: Sequence[Period] = (),
    ) -> ParsedSeries | None:
        """Return the series; None without measurements, or (reported) if numbers contradict each other."""
        if self.count == 0 and not self.errors + self.timeouts:
            return None
        statements = self.statements()
        if not statements and statements.mean_ns is None and self.count != 0 and not periods:
            return None
        misses = Misses(errors=self.errors, timeouts=self.timeouts)
        record = record_or_report(statements, misses, problems, self.name or self.operation, self.line)
        if record is None:
            return None
        return self.series_of(record, semantics, phase=phase, device=device, periods=periods)

    def series_of(
        self,
        record: LatencyRecord,
        semantics: str,
        *,
        phase: str | None = None,
        device: str | None = None,
        periods: Sequence[Period] = (),
    ) -> ParsedSeries:
        """Return the series of a record, named as this summary and with its printed numbers."""
        return ParsedSeries(
            self.operation,
            self.clock,
            record,
            device=device,
            semantics=semantics,
            phase=phase,
            source_name=self.name or self.operation,
            periods=periods,
            printed=tuple(self.printed()),
        )


def all_series(
    summaries: Sequence[Summary], problems: Problems, semantics: str, *, phase: str | None = None
) -> tuple[ParsedSeries, ...]:
    """Return the series of each summary, without summaries that give none (`Summary.series`)."""
    every = (summary.series(problems, semantics, phase=phase) for summary in summaries)
    return tuple(series for series in every if series is not None)


def go_duration(text: str) -> Time | None:
    """Return the bounds of a rounded Go duration (`1m2.5s`, `852µs`); None for other and impossible text."""
    total, last, end, duration = Fraction(0), Fraction(0), 0, text.strip()
    if duration == "0":
        return Time("0", 0, 0)
    while end < len(duration):
        part = _GO_PART.match(duration, end)
        number = None if part is None else printed(part[1])
        if part is None or number is None:
            return None
        total += number.value * UNITS_NS[part[2]]
        last = number.ulp * UNITS_NS[part[2]]
        end = part.end()
    if not duration or total + last >= MAX_TIME_NS:
        return None
    return Time(duration, max(0, math.floor(total - last / 2)), math.ceil(total + last / 2))
