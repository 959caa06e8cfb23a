"""Statements about a distribution function, from printed percentiles.

A statement bounds the share of the answered operations strictly below a time, from below or above. Nothing is
interpolated: all together give the tightest bounds at each time, and contradictions prevent a record.
Source: docs/method.md 1.2 and 5.1.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappop, heappush
from itertools import groupby
from operator import itemgetter

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.distribution import Misses
from tailroom.domain.latency.knots import KnotsRecord, MeanContradictsKnots, StatementsContradict
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.units import NS_PER_US, ceil_div
from tailroom.importers.parsed_run import Problem, Severity
from tailroom.importers.printed import Printed
from tailroom.importers.problems import Problems
from tailroom.kit.deadlines import check

Ratio = int | Fraction
GRAIN = 1 << 64
"""Number of grains that an operation has, or all of them together if their number is unknown.

Parts are whole numbers of grains, rounded outwards: fractions would be too slow for long logs.
"""
_SLACK = 1_000_000
"""Libraries add a half in doubles: so close below a whole number they may round either way."""
_NOTHING = Fraction(0)
MAX_TIME_NS = 1 << 60
"""About 36 years: no latency is longer, and sums of edges stay far from the end of the number range."""


class LatencyImpossible(DomainError):
    """A printed time that no operation can take."""


class Statements:
    """Bounds of the distribution of a series: at least or at most a share is below a time.

    `count` is the number of answered operations, None if unknown; `mean_ns` are bounds of the mean, if known.
    """

    __slots__ = ("_at_least", "_at_most", "_firsts", "_whole", "count", "mean_ns")

    def __init__(self, count: int | None = None) -> None:
        self.count = count
        self.mean_ns: tuple[float, float] | None = None
        self._whole = (count or 1) * GRAIN
        self._at_least: dict[int, int] = {}
        self._at_most: dict[int, int] = {}
        self._firsts: list[tuple[float, int]] = []

    def __bool__(self) -> bool:
        return bool(self._at_least or self._at_most)

    def at_least(self, time_ns: int, ratio: Ratio) -> None:
        """State that at least this share is strictly below the time."""
        self.least_part(time_ns, ratio.numerator * self._whole // ratio.denominator)

    def at_most(self, time_ns: int, ratio: Ratio) -> None:
        """State that at most this share is strictly below the time."""
        self.most_part(time_ns, -(ratio.numerator * -self._whole // ratio.denominator))

    def span(self, least_ns: int | None, most_ns: int | None) -> None:
        """State that no latency is below `least_ns`, and none at or over `most_ns`. None states nothing."""
        if least_ns is not None:
            self.most_part(least_ns, 0)
        if most_ns is not None:
            self.least_part(most_ns, self._whole)

    def hdr_quantile(
        self, quantile: Fraction, lower_ns: int, upper_ns: int, *, cut: Fraction = _NOTHING
    ) -> None:
        """State that an HdrHistogram library returned the bucket `[lower_ns, upper_ns)` as the quantile.

        Libraries look up the share of the count rounded or rounded up, so both ranks are allowed. The
        quantile may be larger than printed by up to `cut`.
        """
        if self.count is None:
            self.at_least(upper_ns, quantile)
            self.at_most(lower_ns, quantile + cut if cut else quantile)
            # As a share this allows an equal one below the bucket, which no library would have passed over.
            self._firsts.append((float(quantile + cut), lower_ns))
            return
        low, high = hdr_ranks(quantile, self.count, cut)
        self.least_part(upper_ns, low * GRAIN)
        self.most_part(lower_ns, (high - 1) * GRAIN)

    def least_part(self, time_ns: int, part: int) -> None:
        """State that at least `part` grains (clipped) are strictly below the time; a stronger bound stays."""
        part = 0 if part < 0 else min(part, self._whole)
        if part >= self._at_least.get(time_ns, 0):
            self._at_least[time_ns] = part

    def most_part(self, time_ns: int, part: int) -> None:
        """State that at most `part` grains (clipped) are strictly below the time; a stronger bound stays."""
        part = 0 if part < 0 else min(part, self._whole)
        if part <= self._at_most.get(time_ns, self._whole):
            self._at_most[time_ns] = part

    def parts(self) -> tuple[tuple[int, int, int], ...]:
        """Return `(time_ns, least, most)` by ascending time, in grains. Raise StatementsContradict."""
        at_least, at_most = self._at_least, self._at_most
        times = sorted({*at_least, *at_most})
        upper: list[int] = []
        high = self._whole
        for time_ns in reversed(times):
            stated = at_most.get(time_ns)
            if stated is not None and stated < high:
                high = stated
            upper.append(high)
        upper.reverse()
        low = 0
        bounds: list[tuple[int, int, int]] = []
        for time_ns, most in zip(times, upper, strict=True):
            stated = at_least.get(time_ns)
            if stated is not None and stated > low:
                low = stated
            if low > most:
                raise StatementsContradict(
                    f"the file says that at least {low / self._whole:.9g} and at most "
                    f"{most / self._whole:.9g} of the operations take less than {time_ns} ns"
                )
            bounds.append((time_ns, low, most))
        return tuple(bounds)

    def record(
        self,
        misses: Misses | None = None,
        problems: list[Problem] | None = None,
    ) -> KnotsRecord:
        """Return the record, with failed operations (`misses`) if the count is known.

        Raise StatementsContradict as `parts`. A contradictory mean is left out and added to `problems`.
        """
        check()
        total = self._whole
        knots = tuple((at, least / total, most / total) for at, least, most in self.parts())
        known_misses = (misses or Misses()) if self.count is not None else Misses()
        firsts = tuple(sorted(self._firsts))
        try:
            return KnotsRecord(knots, self.count, self.mean_ns, misses=known_misses, quantiles=firsts)
        except MeanContradictsKnots as contradiction:
            if problems is not None:
                problems.append(Problem(f"{contradiction}; the mean was left out", None, Severity.WARNING))
            return KnotsRecord(knots, self.count, misses=known_misses, quantiles=firsts)


def record_or_report(
    statements: Statements, misses: Misses, problems: Problems, name: str, line: int | None
) -> KnotsRecord | None:
    """Return the record of statements; None, with a problem of `name`, if they contradict each other."""
    contradictions: list[Problem] = []
    try:
        record = statements.record(misses, contradictions)
    except DomainError as error:
        problems.error("series", f"{name}: {error}", line)
        return None
    for problem in contradictions:
        problems.add("mean", f"{name}: {problem.reason}", line)
    return record


def hdr_ranks(quantile: Fraction, count: int, cut: Fraction = _NOTHING) -> tuple[int, int]:
    """Return the lowest and highest rank (from 1) that an HdrHistogram library may use for a quantile.

    The quantile is one of `count` values, and may be larger than printed by up to `cut`.
    """
    share, denominator = quantile.numerator, quantile.denominator
    rounded = (2 * share * count * _SLACK + (_SLACK - 2) * denominator) // (2 * _SLACK * denominator)
    if cut:
        share, denominator = (quantile + cut).as_integer_ratio()
    low = min(count, max(1, rounded))
    high = min(count, max(1, ceil_div(share * count, denominator)))
    return min(low, high), max(low, high)


def hdr_ranks_each(quantile: Fraction, counts: Int64s) -> tuple[Int64s, Int64s]:
    """Return `hdr_ranks` for each of many counts; counts times the numerator must be below 2**62."""
    share, denominator = quantile.numerator, quantile.denominator
    below, rest = np.divmod(counts * share, denominator)
    rounded = below + (2 * _SLACK * rest >= (_SLACK + 2) * denominator)
    low = np.minimum(counts, np.maximum(1, rounded))
    high = np.minimum(counts, np.maximum(1, below + (rest > 0)))
    return np.minimum(low, high), np.maximum(low, high)


@dataclass(slots=True)
class Merging:
    """Exact sum of the statements about several periods with counts."""

    total: int = 0
    has_mean: bool = True
    """Whether every period so far has a mean."""
    _mean_sums: tuple[float, float] = (0.0, 0.0)
    """Bounds of the sum of all latencies in ns."""
    _lower: dict[int, int] = field(default_factory=dict)
    """Grains by time in ns by which the lower bound of the operations below a time rises at that time."""
    _upper: dict[int, int] = field(default_factory=dict)
    """Grains by time in ns by which the upper bound of the operations below a time rises after that time."""

    def add(self, statements: Statements) -> None:
        """Add a period, unless it has no operations. Raise StatementsContradict, which spoils the sum."""
        if not statements.count:
            return
        self.total += statements.count
        if statements.mean_ns is None:
            self.has_mean = False
        else:
            least_sum, most_sum = self._mean_sums
            self._mean_sums = (
                least_sum + statements.mean_ns[0] * statements.count,
                most_sum + statements.mean_ns[1] * statements.count,
            )
        lower, upper = self._lower, self._upper
        least, most = 0, statements.count * GRAIN
        parts = statements.parts()
        for at, low, _ in parts:
            if low != least:
                lower[at] = lower.get(at, 0) + low - least
                least = low
        for at, _, high in reversed(parts):
            if high != most:
                upper[at] = upper.get(at, 0) + most - high
                most = high

    def statements(self) -> Statements:
        """Return the exact sum of the statements about all periods added so far."""
        return summed(self.total, self._lower, self._upper, self._mean_sums if self.has_mean else None)


def summed(
    total: int,
    lower: Mapping[int, int],
    upper: Mapping[int, int],
    mean_sums: Sequence[float] | None,
    grains: int = 1,
) -> Statements:
    """Return the statements about `total` operations from sums of steps by time, in units of `grains`.

    `lower` rises from 0, `upper` falls from the total; `mean_sums` are bounds of the sum of latencies.
    """
    statements = Statements(total)
    if total and mean_sums is not None:
        statements.mean_ns = mean_sums[0] / total, mean_sums[1] / total
    part = 0
    for at in sorted(lower):
        part += lower[at] * grains
        statements.least_part(at, part)
    part = total * GRAIN
    for at in sorted(upper, reverse=True):
        part -= upper[at] * grains
        statements.most_part(at, part)
    return statements


def merged(together: Iterable[Statements]) -> Statements:
    """Return the exact sum of statements of several periods with known counts. Raise StatementsContradict."""
    merging = Merging()
    for statements in together:
        merging.add(statements)
    return merging.statements()


def enclosing(together: Sequence[Statements]) -> Statements:
    """Return the tightest statements that hold for every period. Raise StatementsContradict."""
    bounds = Statements()
    rows = [(statements.parts(), statements.count or 1) for statements in together]
    lower = [(at, no, low // count) for no, (parts, count) in enumerate(rows) for at, low, _ in parts]
    for at, low in _least_of_all(lower, len(rows)):
        bounds.least_part(at, low)
    # Upper bounds are lower bounds of the rest, with time reversed.
    upper = [
        (-at, no, GRAIN + (-high // count)) for no, (parts, count) in enumerate(rows) for at, _, high in parts
    ]
    for at, left in _least_of_all(upper, len(rows)):
        bounds.most_part(-at, GRAIN - left)
    means = [statements.mean_ns for statements in together]
    known_means = [mean for mean in means if mean is not None]
    if known_means and len(known_means) == len(means):
        bounds.mean_ns = (min(low for low, _ in known_means), max(high for _, high in known_means))
    return bounds


def _least_of_all(steps: list[tuple[int, int, int]], size: int) -> Iterator[tuple[int, int]]:
    """Yield `(at, height)` wherever the minimum of `size` rising step functions rises from 0.

    `steps` are `(at, number, height)`: function `number` has this height from `at` on.
    """
    now = [0] * size
    heap = [(0, number) for number in range(size)]
    least = 0
    for at, group in groupby(sorted(steps), key=itemgetter(0)):
        for _, number, height in group:
            if height > now[number]:
                now[number] = height
                heappush(heap, (height, number))
        while heap[0][0] < now[heap[0][1]]:
            heappop(heap)
        if heap[0][0] > least:
            least = heap[0][0]
            yield at, least


def hdr_bucket_ns(layout: HdrLayout, value_us: int) -> tuple[int, int]:
    """Return the bucket `[lower, upper)` in ns of a time in µs. Raise LatencyImpossible if out of range."""
    if not 0 <= value_us * NS_PER_US <= MAX_TIME_NS:
        raise LatencyImpossible(f"{value_us} µs is no latency")
    return bucket_around_ns(layout, value_us * NS_PER_US)


def bucket_around_ns(layout: HdrLayout, at_ns: int) -> tuple[int, int]:
    """Return the bucket `[lower, upper)` in ns of a time in ns."""
    units = at_ns // layout.unit_ns
    shift = max(0, units.bit_length() - layout.half_magnitude - 1)
    lower = units >> shift << shift
    return lower * layout.unit_ns, (lower + (1 << shift)) * layout.unit_ns


def time_ns(number: Printed, unit_ns: int) -> tuple[int, int] | None:
    """Return the bounds in ns of a time printed in `unit_ns`; None if negative or over MAX_TIME_NS."""
    up, down = number.ulp_parts
    if number.digits < 0 or number.digits * up * unit_ns > MAX_TIME_NS * down:
        return None
    return number.outward(unit_ns)
