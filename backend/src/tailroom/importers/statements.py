"""How printed percentiles become statements about a distribution function.

Each statement says that at least, or at most, a share of the answered operations lies strictly below a time.
Nothing is drawn between two of them: from all together follow the tightest ends at each time, and where two
contradict each other, no record is made. Source: METHOD.md 1.2 and 5.1.
"""

import math
from collections.abc import Iterable
from fractions import Fraction

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import Misses
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.knots import KnotsRecord, MeanContradictsKnots, StatementsContradict
from tailroom.domain.units import NS_PER_US
from tailroom.importers.parsed_run import Problem, Severity
from tailroom.importers.printed import Printed

_RANK_SLACK = Fraction(1, 1_000_000)
MAX_TIME_NS = 1 << 60
"""About 36 years: no latency is longer, and sums of edges stay far from the end of the number range."""


class LatencyImpossible(DomainError):
    """A printed time that no operation can take."""


class Statements:
    """Collects statements about one series; `count` is the number of answered operations, where it is
    known.
    """

    def __init__(self, count: int | None = None) -> None:
        self.count = count
        self.mean_ns: tuple[float, float] | None = None
        self._at_least: dict[int, Fraction] = {}
        self._at_most: dict[int, Fraction] = {}

    def __bool__(self) -> bool:
        return bool(self._at_least or self._at_most)

    def at_least(self, time_ns: int, ratio: Fraction) -> None:
        """At least this share lies strictly below the time."""
        held = min(max(ratio, Fraction(0)), Fraction(1))
        self._at_least[time_ns] = max(self._at_least.get(time_ns, held), held)

    def at_most(self, time_ns: int, ratio: Fraction) -> None:
        """At most this share lies strictly below the time."""
        held = min(max(ratio, Fraction(0)), Fraction(1))
        self._at_most[time_ns] = min(self._at_most.get(time_ns, held), held)

    def span(self, least_ns: int | None, most_ns: int | None) -> None:
        """No latency lies below `least_ns`, and none at or over `most_ns`."""
        if least_ns is not None:
            self.at_most(least_ns, Fraction(0))
        if most_ns is not None:
            self.at_least(most_ns, Fraction(1))

    def hdr_quantile(
        self, quantile: Fraction, lower_ns: int, upper_ns: int, *, cut: Fraction = Fraction(0)
    ) -> None:
        """An HdrHistogram library named the bucket `[lower, upper)` as the quantile.

        Libraries differ in the rank that they look up (the share of the count rounded, or rounded up), so
        both are allowed. Where the count is unknown, the share itself is all that can be used. `cut` is what
        the quantile may have lost in printing.
        """
        if self.count is None:
            self.at_least(upper_ns, quantile)
            self.at_most(lower_ns, quantile + cut)
            return
        exact = quantile * self.count
        low = min(self.count, max(1, math.floor(exact + Fraction(1, 2) - _RANK_SLACK)))
        high = min(self.count, max(1, math.ceil((quantile + cut) * self.count)))
        self.at_least(upper_ns, Fraction(min(low, high), self.count))
        self.at_most(lower_ns, Fraction(max(low, high) - 1, self.count))

    def knots(self) -> tuple[tuple[int, Fraction, Fraction], ...]:
        """Ascending times with the tightest ends of the share below them; `StatementsContradict` where none
        fit.
        """
        times = sorted(self._at_least.keys() | self._at_most.keys())
        lower, upper, low, high = [], [], Fraction(0), Fraction(1)
        for time_ns in times:
            low = max(low, self._at_least.get(time_ns, low))
            lower.append(low)
        for time_ns in reversed(times):
            high = min(high, self._at_most.get(time_ns, high))
            upper.append(high)
        upper.reverse()
        for time_ns, least, most in zip(times, lower, upper, strict=True):
            if least > most:
                raise StatementsContradict(
                    f"the file says that at least {float(least):.9g} and at most {float(most):.9g} of the "
                    f"operations take less than {time_ns} ns"
                )
        return tuple(zip(times, lower, upper, strict=True))

    def record(
        self,
        misses: Misses | None = None,
        problems: list[Problem] | None = None,
    ) -> KnotsRecord:
        """The record. A mean that the other statements do not allow is left out and becomes a problem."""
        knots = tuple((at, float(least), float(most)) for at, least, most in self.knots())
        held = (misses or Misses()) if self.count is not None else Misses()
        try:
            return KnotsRecord(knots, self.count, self.mean_ns, misses=held)
        except MeanContradictsKnots as contradiction:
            if problems is not None:
                problems.append(Problem(f"{contradiction}; the mean was left out", None, Severity.WARNING))
            return KnotsRecord(knots, self.count, misses=held)


def merged(parts: Iterable[Statements]) -> Statements:
    """Statements about all operations of several parts together, exactly; parts without a count add
    nothing.
    """
    lower: dict[int, int | Fraction] = {}
    upper: dict[int, int | Fraction] = {}
    total, least_sum, most_sum, has_mean = 0, 0.0, 0.0, True
    for part in parts:
        if not part.count:
            continue
        total += part.count
        if part.mean_ns is None:
            has_mean = False
        else:
            least_sum += part.mean_ns[0] * part.count
            most_sum += part.mean_ns[1] * part.count
        least, most = Fraction(0), Fraction(1)
        knots = part.knots()
        for at, low, _ in knots:
            lower[at] = lower.get(at, 0) + (low - least) * part.count
            least = low
        for at, _, high in reversed(knots):
            upper[at] = upper.get(at, 0) + (most - high) * part.count
            most = high
    made = Statements(total)
    if total and has_mean:
        made.mean_ns = (least_sum / total, most_sum / total)
    held: int | Fraction = 0
    for at in sorted(lower):
        held += lower[at]
        made.at_least(at, Fraction(held) / total)
    held = total
    for at in sorted(upper, reverse=True):
        held -= upper[at]
        made.at_most(at, Fraction(held) / total)
    return made


def hdr_bucket_ns(layout: HdrLayout, value_us: int) -> tuple[int, int]:
    """Edges of the bucket that a library names by one of its whole microseconds, in plain integers."""
    if not 0 <= value_us * NS_PER_US <= MAX_TIME_NS:
        raise LatencyImpossible(f"{value_us} µs is no latency")
    units = value_us * NS_PER_US // layout.unit_ns
    shift = max(0, units.bit_length() - layout.half_magnitude - 1)
    lower = units >> shift << shift
    return lower * layout.unit_ns, (lower + (1 << shift)) * layout.unit_ns


def time_ns(number: Printed, unit_ns: int) -> tuple[int, int] | None:
    """Ends of a printed time in nanoseconds, rounded outwards; none for a time that no operation can take."""
    if number.value < 0 or number.value * unit_ns > MAX_TIME_NS:
        return None
    return max(0, math.floor(number.lower * unit_ns)), math.ceil(number.upper * unit_ns)
