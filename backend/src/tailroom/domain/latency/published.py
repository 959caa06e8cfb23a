"""Convert printed percentiles and rounded shares to knots with bounds.

A reported p-quantile `x` means that at least a share `p` is at or below `x` and at most `p` strictly below
it; an HdrHistogram reports any value of a bucket, so both edges of the bucket count. A rounded number is the
interval of all numbers that round to it. Source: docs/method.md 1.2 (percentile-only, rounded zeros) and 5.1
(legacy ACT).
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise

import numpy as np

from tailroom.domain.latency.distribution import Misses
from tailroom.domain.latency.knots import Knot, KnotsInvalid, KnotsRecord, StatementsContradict
from tailroom.domain.latency.layouts import HdrLayout

Number = int | float | str | Fraction
"""Decimal text is exact; a float means its shortest decimal form."""


class RoundingMode(StrEnum):
    """How a number was rounded for printing."""

    HALF = "half"
    """Rounded to the nearest."""
    TRUNCATE = "truncate"
    """Digits cut off."""
    UP = "up"
    """Rounded up to the next larger."""


@dataclass(frozen=True, slots=True)
class Rounding:
    """Worth of the last printed digit (`ulp`, in the unit of the number; 0: not rounded), and the mode."""

    ulp: Fraction
    mode: RoundingMode = RoundingMode.HALF

    def __post_init__(self) -> None:
        if self.ulp < 0:
            raise KnotsInvalid(f"the last digit is worth {float(self.ulp)}, which is negative")

    def ends(self, printed: Number) -> tuple[Fraction, Fraction]:
        """Return the bounds of the numbers printed as `printed`, exclusive where digits were dropped."""
        value = exact(printed)
        if self.mode is RoundingMode.TRUNCATE:
            return value, value + self.ulp
        if self.mode is RoundingMode.UP:
            return value - self.ulp, value
        return value - self.ulp / 2, value + self.ulp / 2


# Longer numbers mean nothing, and a large exponent would be written out digit by digit.
_DECIMAL = re.compile(r"[+-]?\d{1,40}(?:\.\d{0,400})?(?:[eE][+-]?\d{1,3})?")
NOT_ROUNDED = Rounding(Fraction(0))


class PercentilesContradict(StatementsContradict):
    """Contradictory percentiles: a larger share ends earlier."""


class SharesContradict(StatementsContradict):
    """Contradictory shares of a latency, which cannot add up to 1."""


def exact(number: Number) -> Fraction:
    """Return a number as a fraction. Raise KnotsInvalid for NaN, infinity, other text, and for more than 40
    digits before the point, 400 after it or 3 in the exponent.
    """
    if isinstance(number, Fraction):
        return number
    text = str(number).strip()
    if _DECIMAL.fullmatch(text) is None:
        raise KnotsInvalid(f"{text[:40]!r} is not a finite decimal number")
    return Fraction(text)


def from_percentiles(
    percentiles: Sequence[tuple[Number, int]],
    *,
    layout: HdrLayout | None = None,
    rounding: Rounding = NOT_ROUNDED,
    count: int | None = None,
    mean_limits_ns: tuple[float, float] | None = None,
    min_ns: int | None = None,
    max_ns: int | None = None,
    misses: Misses | None = None,
    semantics: str = "",
) -> KnotsRecord:
    """Return the record of percentiles `(p, x_ns)` in any order, `p` between 0 and 1. With `layout` a time
    means its whole bucket, as in HdrHistogram. With `rounding` alone (last digit in ns) it means all times
    that round to it. Raise `KnotsInvalid` for invalid shares and times, `PercentilesContradict` if a larger
    share ends earlier, `MeanContradictsKnots` for too small a mean.
    """
    stated = sorted((_share(p, "a percentile"), _checked_time(x)) for p, x in percentiles)
    for (p, x), (larger, y) in pairwise(stated):
        if y < x or (p == larger and y != x):
            raise PercentilesContradict(
                f"{float(p):.9g} of the operations end within {x} ns and {float(larger):.9g} within {y} ns"
            )
    at_least: dict[int, Fraction] = {}
    at_most: dict[int, Fraction] = {}
    quantiles: list[tuple[float, int]] = []
    for p, x in stated:
        first, end = _bucket(x, layout) if layout else _times_printed_alike(x, rounding)
        at_least[end] = max(at_least.get(end, p), p)
        at_most[first] = min(at_most.get(first, p), p)
        quantiles.append((float(p), first))
    return KnotsRecord(
        joined(at_least, at_most),
        count,
        mean_limits_ns,
        min_ns,
        max_ns,
        misses or Misses(),
        semantics,
        tuple(quantiles),
    )


def from_bucket_shares(
    edges_ns: Sequence[int],
    shares: Sequence[Number],
    rounding: Rounding = NOT_ROUNDED,
    *,
    count: int | None = None,
    mean_limits_ns: tuple[float, float] | None = None,
    misses: Misses | None = None,
    semantics: str = "",
) -> KnotsRecord:
    """Return the record of shares of answered operations in buckets between ascending `edges_ns`; one share
    more is that of an open bucket. Raise `SharesContradict` if shares cannot add up to 1 with any rounding,
    `KnotsInvalid` for another number of shares or a share outside 0 to 1.
    """
    if len(shares) not in (len(edges_ns) - 1, len(edges_ns)):
        raise KnotsInvalid(f"{len(shares)} shares for {len(edges_ns)} edges")
    for position, share in enumerate(shares):
        _share(share, f"the share of bucket {position}")
    bounds = [rounding.ends(share) for share in shares]
    least = [max(Fraction(0), low) for low, _ in bounds]
    most = [min(Fraction(1), high) for _, high in bounds]
    slack = Fraction(1, 10**9)
    if sum(least) > 1 + slack or sum(most) < 1 - slack:
        raise SharesContradict(
            f"the shares add up to between {float(sum(least)):.9g} and {float(sum(most)):.9g}, not to 1"
        )
    knots = []
    for position, time_ns in enumerate(edges_ns):
        low = max(sum(least[:position], Fraction(0)), 1 - sum(most[position:], Fraction(0)))
        high = min(sum(most[:position], Fraction(0)), 1 - sum(least[position:], Fraction(0)))
        low, high = min(max(low, Fraction(0)), Fraction(1)), min(max(high, Fraction(0)), Fraction(1))
        knots.append((_checked_time(time_ns), float(min(low, high)), float(max(low, high))))
    return KnotsRecord(tuple(knots), count, mean_limits_ns, misses=misses or Misses(), semantics=semantics)


def joined(at_least: Mapping[int, Fraction], at_most: Mapping[int, Fraction]) -> tuple[Knot, ...]:
    """Return consistent knots from lower and upper bounds of the share below a time, each by time in ns.
    Raise `StatementsContradict` if a lower bound exceeds an upper.
    """
    times = sorted(at_least.keys() | at_most.keys())
    lower: list[Fraction] = []
    upper: list[Fraction] = []
    for time_ns in times:
        lower.append(max(lower[-1] if lower else Fraction(0), at_least.get(time_ns, Fraction(0))))
    for time_ns in reversed(times):
        upper.append(min(upper[-1] if upper else Fraction(1), at_most.get(time_ns, Fraction(1))))
    knots = []
    for time_ns, low, high in zip(times, lower, reversed(upper), strict=True):
        if low > high:
            raise StatementsContradict(
                f"at least {float(low):.9g} and at most {float(high):.9g} of the operations would lie below "
                f"{time_ns} ns"
            )
        knots.append((time_ns, float(low), float(high)))
    return tuple(knots)


def _share(number: Number, what: str) -> Fraction:
    """Return a share as a fraction. Raise `KnotsInvalid` outside 0 to 1; `what` names it in the message."""
    value = exact(number)
    if not 0 <= value <= 1:
        raise KnotsInvalid(f"{what} is {float(value):.9g}: it must lie between 0 and 1")
    return value


def _checked_time(time_ns: int) -> int:
    """Return a time in whole ns from 0 on. Raise KnotsInvalid for other values."""
    if isinstance(time_ns, float) and not math.isfinite(time_ns):
        raise KnotsInvalid(f"{time_ns} is no time")
    if isinstance(time_ns, bool) or not isinstance(time_ns, int | np.integer) or time_ns < 0:
        raise KnotsInvalid(f"{time_ns!r} is no time: whole nanoseconds from 0 on")
    return int(time_ns)


def _times_printed_alike(time_ns: int, rounding: Rounding) -> tuple[int, int]:
    """Return the first whole ns, at least 0, that is printed as `time_ns`, and the first ns after these."""
    low, high = rounding.ends(time_ns)
    open_end = rounding.mode is RoundingMode.TRUNCATE and rounding.ulp > 0
    return max(0, math.ceil(low)), max(time_ns, math.ceil(high) - 1 if open_end else math.floor(high)) + 1


def _bucket(value_ns: int, layout: HdrLayout) -> tuple[int, int]:
    """Return lower and upper edge in ns of the bucket that holds a latency."""
    lower, upper = layout.edges_ns(layout.index_of(np.array([value_ns // layout.unit_ns], dtype=np.int64)))
    return int(lower[0]), int(upper[0])
