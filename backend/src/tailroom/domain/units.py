"""Units of all numbers, and their text for people.

Latencies, offsets and durations are whole nanoseconds, shares are ratios from 0 to 1. Per cent and words are
for sentences that people read, and are made here.
"""

import math
import re
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from typing import TypeGuard

from tailroom.domain.errors import DomainError

NS_PER_US = 1_000
NS_PER_MS = 1_000_000
NS_PER_S = 1_000_000_000
_NOISE = 1e-6
"""Rounding error of a decimal number in binary, in steps of its last digit."""
NS_PER_MINUTE = 60 * NS_PER_S
NS_PER_HOUR = 60 * NS_PER_MINUTE

_EXACT = 1e-12
"""Largest difference of equal shares."""
_LEAST_SHOWN, _SIX_NINES = 1e-5, 1e-6
"""Least share that is written as a number, and the least distance from 1 of such a share."""

_LATENCY_UNITS = ((NS_PER_S, "s"), (NS_PER_MS, "ms"), (NS_PER_US, "µs"))


def ceil_div(dividend: int, divisor: int) -> int:
    """Return the quotient of two whole numbers, rounded up."""
    return -(-dividend // divisor)


def is_whole(value: object) -> TypeGuard[int]:
    """Return whether a value is an `int`; False for booleans, and for floats without decimals."""
    return isinstance(value, int) and not isinstance(value, bool)


def latency_text(latency_ns: int) -> str:
    """Return a latency with up to four significant figures in the largest of s, ms and µs that it reaches,
    without trailing zeros: `1.28 ms`.

    Below 1 µs it is in whole nanoseconds, from 10,000 s on with an exponent: `1.2e+04 s`.
    """
    for unit_ns, name in _LATENCY_UNITS:
        if abs(latency_ns) >= unit_ns:
            return f"{latency_ns / unit_ns:.4g} {name}"
    return f"{latency_ns} ns"


def duration_text(duration_ns: int) -> str:
    """Return a duration, rounded down, in two units: `23 h 59 min` or `4 min 10 s`, without a smaller part of
    0: `2 h`. Below a minute it is `30 s`, below a second it is written as a latency.
    """
    seconds = duration_ns // NS_PER_S
    hours, minutes, rest = seconds // 3600, seconds // 60 % 60, seconds % 60
    if hours:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    if minutes:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    return f"{seconds} s" if seconds else latency_text(duration_ns)


def percent_text(ratio: float) -> str:
    """Return a ratio as per cent, rounded; near 0 and 1 with enough digits not to read `0` or `100`."""
    return _percent_text(ratio, round)


def exact_percent(ratio: float) -> str:
    """Return a limit or an objective as per cent with all its digits, without the noise of `1 - 0.999`."""
    percent = Decimal(repr(round(ratio, 15))) * 100
    return f"{percent.normalize():f} %"


def percentile_name(quantile: float) -> str:
    """Return the short name of a quantile with all its digits: `p99.9`."""
    return f"p{exact_percent(quantile).removesuffix(' %')}"


def least_percent_text(ratio: float) -> str:
    """Return a lower bound as per cent, rounded down, so that the text is never above it."""
    return _percent_text(ratio, lambda steps: math.floor(steps + _NOISE))


def most_percent_text(ratio: float) -> str:
    """Return an upper bound as per cent, rounded up, so that the text is never below it."""
    return _percent_text(ratio, lambda steps: math.ceil(steps - _NOISE))


def _percent_text(ratio: float, round_whole: Callable[[float], int]) -> str:
    """Return a ratio as per cent with two significant digits of the ratio or of 1 less the ratio, whichever
    is smaller, and at least one decimal; zeros at the end are dropped. `round_whole` gets the percentage as a
    multiple of its last digit and rounds it. 0, 1 and ratios outside 0 to 1 have four figures.
    """
    distance = min(ratio, 1.0 - ratio)
    if distance <= 0.0:
        return f"{100.0 * ratio:.4g} %"
    decimals = min(10, max(1, 1 - math.floor(math.log10(100.0 * distance))))
    steps = round_whole(100.0 * ratio * 10**decimals)
    return f"{f'{steps / 10**decimals:.{decimals}f}'.rstrip('0').rstrip('.')} %"


def share_text(lower: float, upper: float, limit: float | None = None, *, counted: bool = True) -> str:
    """Return a share between two bounds as per cent: `1.9–2.1 %`, `99.9 % or more`, `< 0.001 %`, or `0–100 %`
    if nothing is known. Bounds have two significant digits of the share or of 1 less the share, whichever is
    smaller, and are rounded outward, an exact share to the nearest; neither is rounded across `limit`.
    `counted` is false for the share of a model, which is never shown as exactly 100 %.
    """
    if lower > 1.0 - _SIX_NINES and (not counted or lower < 1.0):
        return "99.9999 % or more"
    if upper - lower <= _EXACT:
        return _exact_share_text(lower, limit)
    if lower <= 0.0 and upper >= 1.0:
        return "0–100 %"
    if upper >= 1.0 - _SIX_NINES:
        return f"{_share_end_text(lower, ROUND_FLOOR, limit)} % or more"
    if upper < _LEAST_SHOWN:
        return "< 0.001 %"
    low, high = _share_end_text(lower, ROUND_FLOOR, limit), _share_end_text(upper, ROUND_CEILING, limit)
    return f"{low} %" if low == high else f"{low}–{high} %"


def proven_share_text(lower: float, upper: float, limit: float | None = None, *, counted: bool = True) -> str:
    """Return confidence limits of a share as `share_text`, or `at most 4.1 %` if none is proven below: a
    closed loop proves no lower limit, and `0–4.1 %` would read as if a share near 0 were likely.
    """
    text = share_text(lower, upper, limit, counted=counted)
    return f"at most {text.removeprefix('0–')}" if text.startswith("0–") and upper < 1.0 else text


def _exact_share_text(share: float, limit: float | None) -> str:
    """Return an exact share as per cent, rounded to the nearest but not across `limit`."""
    if share <= 0.0 or share >= 1.0:
        return "0 %" if share <= 0.0 else "100 %"
    if share < _LEAST_SHOWN:
        return "< 0.001 %"
    return f"{_share_end_text(share, ROUND_HALF_EVEN, limit)} %"


def _share_end_text(share: float, rounding: str, limit: float | None) -> str:
    """Return a bound of a share in per cent, without sign, with two significant digits of the share or of 1
    less the share, whichever is smaller; more if two would cross `limit`. `rounding` is a mode of `decimal`.
    """
    if share <= 0.0 or share >= 1.0:
        return "0" if share <= 0.0 else "100"
    if share < _LEAST_SHOWN and rounding == ROUND_FLOOR:
        return "0"
    exact = Decimal(repr(share)) * 100
    leading = min(exact, 100 - exact).adjusted()
    # What binary fractions leave of a decimal share is no further digit.
    exact = exact.quantize(Decimal(1).scaleb(max(-13, leading - 9)), ROUND_HALF_EVEN)
    rounded = exact
    for decimals in range(max(0, 1 - leading), 12):
        rounded = exact.quantize(Decimal(1).scaleb(-decimals), rounding)
        if limit is None or _side_of_limit(rounded, limit) == _side_of_limit(exact, limit):
            break
    return _drop_zeros(rounded)


def _side_of_limit(per_cent: Decimal, limit: float) -> int:
    """Return −1, 0 or 1: whether a value in per cent lies below, at or above a limit (a ratio)."""
    at = Decimal(repr(limit)) * 100
    return (per_cent > at) - (per_cent < at)


def count_text(count: int) -> str:
    """Return a count with thousands separated: `748,932`."""
    return f"{count:,}"


def needed_text(amount: float) -> str:
    """Return a count that is still needed, such as of operations: `812`, `750,000`, `590 million`.

    It is rounded up to a whole number, above 1,000 to two significant figures, so that it is never too few.
    Counts that were measured stay exact (`count_text`).
    """
    rounded_up = Decimal(math.ceil(amount))
    if rounded_up <= 1_000:
        return count_text(int(rounded_up))
    rounded = significant(rounded_up, 2, ROUND_CEILING)
    for size, name in ((1_000_000_000, "billion"), (1_000_000, "million")):
        if rounded >= size:
            return f"{(rounded / size).normalize():,f} {name}"
    return count_text(int(rounded))


def latency_down(latency_ns: float, figures: int = 4) -> str:
    """Return a lower bound of a latency in ns with its unit, rounded down to significant figures."""
    return _latency(latency_ns, figures, ROUND_FLOOR)


def latency_up(latency_ns: float, figures: int = 4) -> str:
    """Return an upper bound of a latency in ns with its unit, rounded up to significant figures."""
    return _latency(latency_ns, figures, ROUND_CEILING)


def latency_near(latency_ns: float, figures: int = 4) -> str:
    """Return a latency in ns with its unit, rounded to the nearest with so many significant figures."""
    return _latency(latency_ns, figures, ROUND_HALF_EVEN)


def latencies(lower_ns: float, upper_ns: float | None, figures: int = 4) -> str:
    """Return the bounds of a latency, rounded outward: `1.021 ms to 1.024 ms`; `at least 1.021 ms` if
    `upper_ns` is None, a single latency if both bounds are written alike.
    """
    if upper_ns is None:
        return f"at least {latency_down(lower_ns, figures)}"
    low, high = latency_down(lower_ns, figures), latency_up(upper_ns, figures)
    return low if low == high else f"{low} to {high}"


def rates(lower: float, upper: float | None) -> str:
    """Return the bounds of a rate per second as text, rounded outward to four figures: `1,021/s to 1,024/s`;
    `at least 1,021/s` if `upper` is None, a single rate if both bounds are written alike.
    """
    low = _grouped_text(lower, ROUND_FLOOR)
    if upper is None:
        return f"at least {low}/s"
    high = _grouped_text(upper, ROUND_CEILING)
    return f"{low}/s" if low == high else f"{low}/s to {high}/s"


def _latency(latency_ns: float, figures: int, rounding: str) -> str:
    """Return a latency with its unit, rounded to significant figures in the given direction."""
    size = abs(latency_ns)
    for unit_ns, name in _LATENCY_UNITS:
        if size >= unit_ns:
            rounded = significant(Decimal(repr(latency_ns)) / unit_ns, figures, rounding)
            if abs(rounded) >= 1000 and name != "s":
                return _latency(float(rounded * unit_ns), figures, rounding)
            return f"{_drop_zeros(rounded)} {name}"
    return f"{_drop_zeros(significant(Decimal(repr(latency_ns)), figures, rounding))} ns"


def _grouped_text(value: float, rounding: str) -> str:
    """Return a number rounded to four figures in the given direction, with separated thousands."""
    return f"{significant(Decimal(repr(value)), 4, rounding).normalize():,f}"


def significant(exact: Decimal, figures: int, rounding: str) -> Decimal:
    """Return a number rounded to significant figures by a mode of `decimal`."""
    if not exact:
        return Decimal(0)
    return exact.quantize(Decimal(1).scaleb(exact.adjusted() - figures + 1), rounding)


def _drop_zeros(value: Decimal) -> str:
    """Return a number as text without zeros at the end of its decimals."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


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
