"""How printed percentiles become statements about a distribution function.

Each statement says that at least, or at most, a share of the answered operations lies strictly below a time.
Nothing is drawn between two of them: from all together follow the tightest ends at each time, and where two
contradict each other, no record is made. Source: docs/method.md 1.2 and 5.1.
"""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import Misses
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.knots import KnotsRecord, MeanContradictsKnots, StatementsContradict
from tailroom.domain.units import NS_PER_US
from tailroom.importers.parsed_run import Problem, Severity
from tailroom.importers.printed import Printed

Part = int | Fraction
"""A number of operations, or a share of them."""
_SLACK = 1_000_000
"""A library adds a half in doubles: this close below a whole number it may round either way."""
_NOTHING = Fraction(0)
MAX_TIME_NS = 1 << 60
"""About 36 years: no latency is longer, and sums of edges stay far from the end of the number range."""


class LatencyImpossible(DomainError):
    """A printed time that no operation can take."""


class Statements:
    """Collects statements about one series; `count` is its number of answered operations, if known.

    Shares are kept as parts of `count`, so that nearly all of them are whole numbers: a day of status lines
    holds hundreds of thousands.
    """

    def __init__(self, count: int | None = None) -> None:
        self.count = count
        self.mean_ns: tuple[float, float] | None = None
        self._whole = count or 1
        self._at_least: dict[int, Part] = {}
        self._at_most: dict[int, Part] = {}

    def __bool__(self) -> bool:
        return bool(self._at_least or self._at_most)

    def at_least(self, time_ns: int, ratio: Fraction) -> None:
        """At least this share lies strictly below the time."""
        self._least(time_ns, ratio * self._whole)

    def at_most(self, time_ns: int, ratio: Fraction) -> None:
        """At most this share lies strictly below the time."""
        self._most(time_ns, ratio * self._whole)

    def span(self, least_ns: int | None, most_ns: int | None) -> None:
        """No latency lies below `least_ns`, and none at or over `most_ns`."""
        if least_ns is not None:
            self._most(least_ns, 0)
        if most_ns is not None:
            self._least(most_ns, self._whole)

    def hdr_quantile(
        self, quantile: Fraction, lower_ns: int, upper_ns: int, *, cut: Fraction = _NOTHING
    ) -> None:
        """An HdrHistogram library named the bucket `[lower, upper)` as the quantile.

        Libraries differ in the rank that they look up (the share of the count rounded, or rounded up), so
        both are allowed. Where the count is unknown, the share itself is all that can be used. `cut` is what
        the quantile may have lost in printing.
        """
        if self.count is None:
            self._least(upper_ns, quantile)
            self._most(lower_ns, quantile + cut)
            return
        exact = quantile.numerator * self.count
        rounded = (2 * exact * _SLACK + (_SLACK - 2) * quantile.denominator) // (
            2 * _SLACK * quantile.denominator
        )
        low = min(self.count, max(1, rounded))
        high = min(self.count, max(1, math.ceil((quantile + cut if cut else quantile) * self.count)))
        self._least(upper_ns, min(low, high))
        self._most(lower_ns, max(low, high) - 1)

    def _least(self, time_ns: int, part: Part) -> None:
        held = min(max(part, 0), self._whole)
        self._at_least[time_ns] = max(self._at_least.get(time_ns, held), held)

    def _most(self, time_ns: int, part: Part) -> None:
        held = min(max(part, 0), self._whole)
        self._at_most[time_ns] = min(self._at_most.get(time_ns, held), held)

    def parts(self) -> tuple[tuple[int, Part, Part], ...]:
        """Ascending times with the tightest ends of what lies below them, as parts of the count.

        `StatementsContradict` where no distribution fits.
        """
        times = sorted(self._at_least.keys() | self._at_most.keys())
        lower: list[Part] = []
        upper: list[Part] = []
        low: Part = 0
        high: Part = self._whole
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
                    f"the file says that at least {float(least) / self._whole:.9g} and at most "
                    f"{float(most) / self._whole:.9g} of the operations take less than {time_ns} ns"
                )
        return tuple(zip(times, lower, upper, strict=True))

    def record(
        self,
        misses: Misses | None = None,
        problems: list[Problem] | None = None,
    ) -> KnotsRecord:
        """The record. A mean that the other statements do not allow is left out and becomes a problem."""
        knots = tuple(
            (at, float(least) / self._whole, float(most) / self._whole) for at, least, most in self.parts()
        )
        held = (misses or Misses()) if self.count is not None else Misses()
        try:
            return KnotsRecord(knots, self.count, self.mean_ns, misses=held)
        except MeanContradictsKnots as contradiction:
            if problems is not None:
                problems.append(Problem(f"{contradiction}; the mean was left out", None, Severity.WARNING))
            return KnotsRecord(knots, self.count, misses=held)


def merged(together: Iterable[Statements]) -> Statements:
    """Statements about the operations of several together, exactly; those without a count add nothing."""
    lower: dict[int, Part] = {}
    upper: dict[int, Part] = {}
    total, least_sum, most_sum, has_mean = 0, 0.0, 0.0, True
    for one in together:
        if not one.count:
            continue
        total += one.count
        if one.mean_ns is None:
            has_mean = False
        else:
            least_sum += one.mean_ns[0] * one.count
            most_sum += one.mean_ns[1] * one.count
        least: Part = 0
        most: Part = one.count
        parts = one.parts()
        for at, low, _ in parts:
            lower[at] = lower.get(at, 0) + low - least
            least = low
        for at, _, high in reversed(parts):
            upper[at] = upper.get(at, 0) + most - high
            most = high
    made = Statements(total)
    if total and has_mean:
        made.mean_ns = (least_sum / total, most_sum / total)
    held: Part = 0
    for at in sorted(lower):
        held += lower[at]
        made.at_least(at, Fraction(held) / (total or 1))
    held = total
    for at in sorted(upper, reverse=True):
        held -= upper[at]
        made.at_most(at, Fraction(held) / (total or 1))
    return made


def enclosing(together: Sequence[Statements]) -> Statements:
    """Statements about the operations of several together where nobody knows how many each has: what holds of
    every one of them.
    """
    made = Statements()
    parts = [(one.parts(), one.count or 1) for one in together]
    times = sorted({at for found, _ in parts for at, _, _ in found})
    for at in times:
        lows, highs = [], []
        for found, whole in parts:
            below = [low for time_ns, low, _ in found if time_ns <= at]
            above = [high for time_ns, _, high in found if time_ns >= at]
            lows.append(Fraction(below[-1]) / whole if below else Fraction(0))
            highs.append(Fraction(above[0]) / whole if above else Fraction(1))
        made.at_least(at, min(lows))
        made.at_most(at, max(highs))
    means = [one.mean_ns for one in together]
    known = [mean for mean in means if mean is not None]
    if known and len(known) == len(means):
        made.mean_ns = (min(low for low, _ in known), max(high for _, high in known))
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
