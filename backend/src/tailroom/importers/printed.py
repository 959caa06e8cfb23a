"""The bounds of a printed number: itself, give or take half of its last digit.

Tools print averages, rates and percentages rounded, so that a number is the exact interval
`[value − ulp/2, value + ulp/2]`. Other texts, and numbers that no measurement can have (NaN, infinity, forty
digits), give None. Source: docs/method.md 1.2.
"""

import re
from datetime import datetime
from fractions import Fraction
from typing import NamedTuple

_NUMBER = re.compile(r"([+-])?(\d{1,20})(?:\.(\d{1,24}))?(?:[eE]([+-]?\d{1,2}))?", re.ASCII)
_POWERS = tuple(10**power for power in range(99 + 24 + 1))
_ULPS, _ULPS_BELOW_1 = [(power, 1) for power in _POWERS], [(1, power) for power in _POWERS]
_COUNT = re.compile(rb"\d{1,18}")
MAX_TEXT_BYTES = 16_384
"""No tool writes longer lines than this; longer lines are damaged, and are not searched."""
_MAX_PARAMETER = 200
_FIRST_YEAR, _LAST_YEAR = 1970, 2200
MAX_COUNT = (1 << 53) - 1
"""Largest count that every part of the product can add exactly."""


class Printed(NamedTuple):
    """A number as printed: `digits` times `ulp`, the unit of its last digit. Whole numbers may be exact.

    It holds whole numbers, which are much quicker than a `Fraction`; `ends` and `outward` need no `Fraction`.
    """

    text: str
    digits: int
    ulp_parts: tuple[int, int]
    """Numerator and denominator; one of them is 1."""

    @property
    def value(self) -> Fraction:
        """The number exactly as printed."""
        up, down = self.ulp_parts
        return Fraction(self.digits * up, down)

    @property
    def ulp(self) -> Fraction:
        """Unit of the last digit."""
        return Fraction(*self.ulp_parts)

    @property
    def lower(self) -> Fraction:
        """Smallest number that is printed like this."""
        up, down = self.ulp_parts
        return Fraction((2 * self.digits - 1) * up, 2 * down)

    @property
    def upper(self) -> Fraction:
        """Largest number that is printed like this."""
        up, down = self.ulp_parts
        return Fraction((2 * self.digits + 1) * up, 2 * down)

    def ends(self, unit: int = 1) -> tuple[float, float]:
        """Return the nearest doubles to `lower` and `upper` times a unit; the first is not negative."""
        up, down = self.ulp_parts
        twice, scale = 2 * self.digits, up * unit
        return max(0, twice - 1) * scale / (2 * down), (twice + 1) * scale / (2 * down)

    def outward(self, unit: int, before: int = 1, behind: int = 1) -> tuple[int, int]:
        """Return whole-number bounds of the value times a unit, rounded outward; the first is not negative.

        They are `before` halves of its last digit below the value, and `behind` halves above it.
        """
        up, down = self.ulp_parts
        twice, scale = 2 * self.digits, up * unit
        low = (twice - before) * scale // (2 * down)
        return max(0, low), -((twice + behind) * -scale // (2 * down))


def printed(text: str) -> Printed | None:
    """Return the number that a text prints; None for any other text."""
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    sign, before, behind, exponent = match.groups()
    digits = int(before + behind) if behind else int(before)
    power = (int(exponent) if exponent else 0) - (len(behind) if behind else 0)
    ulp = _ULPS_BELOW_1[-power] if power < 0 else _ULPS[power]
    return Printed(text, -digits if sign == "-" else digits, ulp)


def amount(text: str) -> Printed | None:
    """Return the rate, share or size that a text prints; None for other texts and negative numbers."""
    number = printed(text)
    return None if number is None or number.digits < 0 else number


def whole(text: str | bytes) -> int | None:
    """Return the count that a text prints: digits only, at most `MAX_COUNT`; None for any other text."""
    raw = text if isinstance(text, bytes) else text.encode()
    if _COUNT.fullmatch(raw) is None:
        return None
    value = int(raw)
    return value if value <= MAX_COUNT else None


def parameter_value(text: str) -> str | int | float | bool:
    """Return a number or truth value if the text is one, else the first 200 characters."""
    number = printed(text)
    if number is None:
        return {"true": True, "false": False}.get(text, text[:_MAX_PARAMETER])
    return int(number.value) if number.value.denominator == 1 else float(number.value)


def moment(text: str) -> datetime | None:
    """Return the time of an ISO text, `2026-11-20 12:30:45.821`; None for others and outside 1970 to 2200."""
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        return None
    return parsed if _FIRST_YEAR <= parsed.year <= _LAST_YEAR else None
