"""Parse durations and shares as people type them, to whole nanoseconds and ratios."""

import re
from decimal import Decimal

from tailroom.domain.errors import DomainError

_UNITS_NS = {
    "ns": 1,
    "us": 1_000,
    "µs": 1_000,
    "μs": 1_000,
    "ms": 1_000_000,
    "s": 1_000_000_000,
    "min": 60_000_000_000,
    "h": 3_600_000_000_000,
    "d": 86_400_000_000_000,
}
_DURATION = re.compile(r"(\d{1,18}(?:\.\d{1,12})?)\s*(ns|us|µs|μs|ms|s|min|h|d)", re.ASCII)
_SHARE = re.compile(r"(\d{1,3}(?:\.\d{1,15})?)\s*(%?)", re.ASCII)


class QuantityInvalid(DomainError):
    """The text is no duration or share; the message shows how to write one."""


def duration_ns(text: str) -> int:
    """Return the nanoseconds of a text such as `1s`, `400ms`, `250us`, `1.5s` or `2 h`. Raise QuantityInvalid
    for other text, a number without a unit, and a fraction of a nanosecond.
    """
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        raise QuantityInvalid(
            f"{text!r} is no duration: write a number with its unit, like 1s, 400ms or 250us"
        )
    exact = Decimal(match[1]) * _UNITS_NS[match[2]]
    if exact != exact.to_integral_value():
        raise QuantityInvalid(f"{text!r} is not a whole number of nanoseconds")
    return int(exact)


def share_ratio(text: str) -> float:
    """Return `99.9%` or `0.999` as a ratio. Raise QuantityInvalid for other text and unless 0 < ratio < 1."""
    match = _SHARE.fullmatch(text.strip())
    if match is None:
        raise QuantityInvalid(f"{text!r} is no share: write 99.9% or 0.999")
    value = Decimal(match[1]) / (100 if match[2] else 1)
    if not 0 < value < 1:
        hint = f"; did you mean {match[1]}%?" if not match[2] and 1 < value < 100 else ""
        raise QuantityInvalid(f"the objective must lie between 0 and 1 (0 % and 100 %), not at {text}{hint}")
    return float(value)
