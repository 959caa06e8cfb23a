"""Which numbers a printed number stands for: itself, give or take half of its last digit.

Tools print averages, rates and percentages rounded. A number is therefore kept as an interval in exact
arithmetic, `[value − ulp/2, value + ulp/2]`, and never as a float of its digits. What is no plain decimal
number, or one that no measurement can have (NaN, infinity, forty digits), is none. Source: docs/method.md
1.2.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction

_NUMBER = re.compile(r"[+-]?(\d{1,20})(?:\.(\d{1,24}))?(?:[eE]([+-]?\d{1,2}))?", re.ASCII)
_COUNT = re.compile(rb"\d{1,18}")
MAX_TEXT_BYTES = 16_384
"""No tool writes longer lines than this; what is longer is damage, and is not searched."""
_FIRST_YEAR, _LAST_YEAR = 1970, 2200
MAX_COUNT = (1 << 53) - 1
"""Largest count that every part of the product can add exactly."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A number as it stands in a file. `ulp` is the worth of its last digit; whole numbers may be exact."""

    text: str
    value: Fraction
    ulp: Fraction

    @property
    def lower(self) -> Fraction:
        """Smallest number that is printed like this."""
        return self.value - self.ulp / 2

    @property
    def upper(self) -> Fraction:
        """Largest number that is printed like this."""
        return self.value + self.ulp / 2


def printed(text: str) -> Printed | None:
    """The number that a text is; none for anything else."""
    found = _NUMBER.fullmatch(text)
    if found is None:
        return None
    decimals, exponent = found[2] or "", int(found[3] or 0)
    ulp = Fraction(10) ** (exponent - len(decimals))
    return Printed(text, Fraction(text), ulp)


def printed_decimal(value: Decimal | int) -> Printed | None:
    """The same for a number that a JSON reader has kept as a decimal."""
    return printed(str(value))


def whole(text: str | bytes) -> int | None:
    """A count: digits only, and small enough to be added exactly."""
    raw = text if isinstance(text, bytes) else text.encode()
    if _COUNT.fullmatch(raw) is None:
        return None
    value = int(raw)
    return value if value <= MAX_COUNT else None


def moment(text: str) -> datetime | None:
    """A date and time of day, `2026-11-20 12:30:45.821`, without a zone; none for one that no file can
    have.
    """
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if _FIRST_YEAR <= found.year <= _LAST_YEAR else None
