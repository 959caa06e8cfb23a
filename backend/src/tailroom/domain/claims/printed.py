"""Printed numbers and the intervals of all numbers that round to them.

A number is stored as printed, with its value and both bounds in a canonical unit. Numbers with a
comparison (“under 7 ms”) have one end, and approximate ones (“roughly 250,000”) have none: nothing says how
far they may be off. Source: docs/method.md 1.2 (rounded numbers) and 8.3 (data handling).
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.published import NOT_ROUNDED, Rounding, RoundingMode, exact


class PrintedUnreadable(DomainError):
    """A text that is no printed decimal number, or a unit that is not in `UNITS`."""


class Relation(StrEnum):
    """How the document relates a quantity to the number."""

    EQUAL = "="
    LESS = "<"
    AT_MOST = "<="
    MORE = ">"
    AT_LEAST = ">="
    ABOUT = "~"


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """One printed number with the bounds that its rounding and its comparison allow.

    `value`, `lower` (inclusive) and `upper` are in `unit`. A bound is None if it is open. A text without a
    number (“the better part of a second”) has neither value nor bounds.
    """

    as_printed: str
    value: float | None
    lower: float | None
    upper: float | None
    unit: str
    comparison: Relation = Relation.EQUAL
    unit_as_printed: str = ""
    """Unit of the digits in `as_printed`, such as `%` or `us`; empty if they are words."""


_BYTES = {"B": 1, "bytes": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12, "KiB": 2**10, "GiB": 2**30}
UNITS: dict[str, tuple[str, Fraction]] = {
    "ns": ("ns", Fraction(1)),
    "us": ("ns", Fraction(10**3)),
    "ms": ("ns", Fraction(10**6)),
    "s": ("s", Fraction(1)),
    "min": ("s", Fraction(60)),
    "h": ("h", Fraction(1)),
    "years": ("years", Fraction(1)),
    "ratio": ("ratio", Fraction(1)),
    "%": ("ratio", Fraction(1, 100)),
    "ops/s": ("ops/s", Fraction(1)),
    "K ops/s": ("ops/s", Fraction(10**3)),
    "M ops/s": ("ops/s", Fraction(10**6)),
    "count": ("count", Fraction(1)),
    "billion": ("count", Fraction(10**9)),
    **{name: ("bytes", Fraction(factor)) for name, factor in _BYTES.items()},
    "MB/s": ("bytes/s", Fraction(10**6)),
    "GB/s": ("bytes/s", Fraction(10**9)),
    "Gbit/s": ("bits/s", Fraction(10**9)),
    "GT/s": ("transfers/s", Fraction(10**9)),
    "MT/s": ("transfers/s", Fraction(10**6)),
    "GHz": ("Hz", Fraction(10**9)),
    "K rpm": ("rpm", Fraction(10**3)),
    "W": ("W", Fraction(1)),
    "DWPD": ("DWPD", Fraction(1)),
    "x": ("x", Fraction(1)),
    **{currency: (currency, Fraction(1)) for currency in ("CNY", "EUR", "GBP", "JPY", "USD")},
}
"""Unit as printed → canonical unit and factor. Latencies are in ns, durations of tests and runs in s or h.

Currencies are not converted: a rate would be of a day and a source of its own.
"""

_NUMBER = re.compile(r"(?P<whole>\d[\d,]*)?(?:\.(?P<decimals>\d*))?")


def last_digit(number: str) -> Fraction:
    """Return the worth of the last printed digit: 0.01 for `5.38`, 1 without decimals, also for `250,000`.
    Raise PrintedUnreadable for a text that is no decimal number.
    """
    match = _NUMBER.fullmatch(number)
    if match is None or not any(match.groups()):
        raise PrintedUnreadable(f"{number[:40]!r} is no printed decimal number")
    return Fraction(1, 10 ** len(match["decimals"] or ""))


def printed_number(
    number: str,
    unit: str,
    *,
    as_printed: str | None = None,
    comparison: Relation = Relation.EQUAL,
    rounding: RoundingMode | None = RoundingMode.HALF,
    ulp: Fraction | None = None,
) -> PrintedNumber:
    """Return the value and bounds of a decimal number such as `1,005,768` or `.04` in a unit of `UNITS`,
    converted to the canonical unit. A comparison has the printed number itself as one bound and leaves the
    other open; `ABOUT` leaves both open. Without comparison the lower bound is at least 0.

    `rounding` None: the number was set (a target rate, a threshold, a count of parts), so it is exact. `ulp`
    (in the printed unit) replaces the worth of the last digit. Raise PrintedUnreadable for no decimal number
    or an unknown unit.
    """
    if unit not in UNITS:
        raise PrintedUnreadable(f"unit {unit!r} is not known; known are {', '.join(sorted(UNITS))}")
    canonical, factor = UNITS[unit]
    digit = last_digit(number)
    plain = number.replace(",", "")
    value = exact(f"0{plain}" if plain.startswith(".") else plain)
    rounded = NOT_ROUNDED if rounding is None else Rounding(digit if ulp is None else ulp, rounding)
    low, high = rounded.ends(value)
    lower: Fraction | None = max(Fraction(0), low)
    upper: Fraction | None = high
    if comparison in (Relation.LESS, Relation.AT_MOST):
        lower, upper = None, value
    elif comparison in (Relation.MORE, Relation.AT_LEAST):
        lower, upper = value, None
    elif comparison is Relation.ABOUT:
        lower, upper = None, None
    return PrintedNumber(
        as_printed=as_printed if as_printed is not None else number,
        value=float(value * factor),
        lower=None if lower is None else float(lower * factor),
        upper=None if upper is None else float(upper * factor),
        unit=canonical,
        comparison=comparison,
        unit_as_printed=unit,
    )


def printed_text(as_printed: str, unit: str = "text") -> PrintedNumber:
    """Return a printed text without a number: value and bounds are None."""
    return PrintedNumber(as_printed, None, None, None, unit)
