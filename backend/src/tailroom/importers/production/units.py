"""The unit of a histogram, by its name or as stated beside it, and whether it counts time.

Prometheus puts the unit at the end of the name (`_seconds`); OpenTelemetry states a unit of UCUM. Without
either, seconds are taken, the base unit of both, and the user is asked.
"""

import re
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal

from tailroom.domain.units import NS_PER_MS, NS_PER_S, NS_PER_US

_NAMES = {
    1: ("nanoseconds", "nanosecond", "ns", "nanos"),
    NS_PER_US: ("microseconds", "microsecond", "us", "µs", "μs", "micros", "usec"),
    NS_PER_MS: ("milliseconds", "millisecond", "ms", "millis", "msec"),
    NS_PER_S: ("seconds", "second", "s", "sec"),
    60 * NS_PER_S: ("minutes", "min"),
    3_600 * NS_PER_S: ("hours", "h"),
}
_UNIT_NS = {name: unit_ns for unit_ns, names in _NAMES.items() for name in names}
_SHOWN = {1: "ns", NS_PER_US: "µs", NS_PER_MS: "ms", NS_PER_S: "s"}
_AT_END = re.compile(rf"_({'|'.join(name for name in _UNIT_NS if name.isascii())})$")
_NO_TIME = re.compile(
    r"_(?:bytes?|kilobytes|megabytes|bits|size|length|ratio|percent|celsius|volts|amperes|joules|watts|grams"
    r"|meters|rows|records|messages|requests|items|entries|keys|tokens)$"
)


@dataclass(frozen=True, slots=True)
class TimeUnit:
    """The unit in nanoseconds, and whether the file states it; `is_time` is false for sizes and the like."""

    ns: int
    is_stated: bool = True
    is_time: bool = True

    @property
    def name(self) -> str:
        """Usual name of the unit (`ms`), or its number of nanoseconds (`60000000000 ns`)."""
        return _SHOWN.get(self.ns, f"{self.ns} ns")


def unit_of(metric: str, stated: str | None, answered_ns: int | None) -> TimeUnit:
    """Return the unit of a metric: as stated beside it, else by its name, else as the user stated
    (`answered_ns`), else seconds.

    `is_time` is false for a stated unit that is none of time, and for a name of sizes and the like.
    """
    if stated:
        unit_ns = _UNIT_NS.get(stated.strip().lower())
        return TimeUnit(NS_PER_S, is_time=False) if unit_ns is None else TimeUnit(unit_ns)
    plain = re.sub(r"[^A-Za-z0-9_:]", "_", metric)
    at_end = _AT_END.search(plain)
    if at_end is not None:
        return TimeUnit(_UNIT_NS[at_end[1]])
    if _NO_TIME.search(plain):
        return TimeUnit(NS_PER_S, is_time=False)
    return TimeUnit(NS_PER_S if answered_ns is None else answered_ns, is_stated=False)


def floor_ns(edge: Decimal, unit_ns: int) -> int:
    """Return an edge in units of `unit_ns` rounded down to whole nanoseconds."""
    return int((edge * unit_ns).to_integral_value(ROUND_FLOOR))
