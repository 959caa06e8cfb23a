"""Which unit every number has, and how people read it.

Latencies, offsets and durations are whole nanoseconds, shares are ratios from 0 to 1. Per cent and words are
for sentences that people read, and are made here.
"""

import math
from collections.abc import Callable
from typing import NewType

Ns = NewType("Ns", int)
Ratio = NewType("Ratio", float)

NS_PER_US = 1_000
NS_PER_MS = 1_000_000
NS_PER_S = 1_000_000_000
_NOISE = 1e-6
"""Of a step that is shown: what binary fractions leave of a decimal one."""
NS_PER_MINUTE = 60 * NS_PER_S
NS_PER_HOUR = 60 * NS_PER_MINUTE

_LATENCY_UNITS = ((NS_PER_S, "s"), (NS_PER_MS, "ms"), (NS_PER_US, "µs"))


def latency_text(latency_ns: int) -> str:
    """A latency in the largest unit that leaves a whole part, at most four significant figures: `1.28 ms`."""
    for unit_ns, name in _LATENCY_UNITS:
        if abs(latency_ns) >= unit_ns:
            return f"{latency_ns / unit_ns:.4g} {name}"
    return f"{latency_ns} ns"


def duration_text(duration_ns: int) -> str:
    """A stretch of time in its two largest units: `23 h 59 min`, `4 min 10 s`, `30 s`."""
    seconds = duration_ns // NS_PER_S
    hours, minutes, rest = seconds // 3600, seconds // 60 % 60, seconds % 60
    if hours:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    if minutes:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    return f"{seconds} s" if seconds else latency_text(duration_ns)


def percent_text(ratio: float) -> str:
    """A ratio as per cent; near 0 and 1 with enough digits not to read `0` or `100` when it is not."""
    return _percent_text(ratio, round)


def least_percent_text(ratio: float) -> str:
    """The same for what is at least so much: rounded down, so that the words never say more."""
    return _percent_text(ratio, lambda steps: math.floor(steps + _NOISE))


def most_percent_text(ratio: float) -> str:
    """The same for what is at most so much: rounded up."""
    return _percent_text(ratio, lambda steps: math.ceil(steps - _NOISE))


def _percent_text(ratio: float, whole: Callable[[float], int]) -> str:
    distance = min(ratio, 1.0 - ratio)
    if distance <= 0.0:
        return f"{100.0 * ratio:.4g} %"
    decimals = min(10, max(1, 1 - math.floor(math.log10(100.0 * distance))))
    steps = whole(100.0 * ratio * 10**decimals)
    return f"{f'{steps / 10**decimals:.{decimals}f}'.rstrip('0').rstrip('.')} %"


def count_text(count: int) -> str:
    """A count with thousands separated: `748,932`."""
    return f"{count:,}"
