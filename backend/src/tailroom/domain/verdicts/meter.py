"""The evidence meter: how much of the needed evidence an undecided case has, and ways to the missing
evidence. `share` is effective samples so far divided by samples needed at the observed share of slow
operations, so that open cases can be ranked and the amount to measure is clear. A way always has an amount.
Source: docs/method.md section 10, C9.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from tailroom.domain.units import duration_text, latency_text, needed_text, percent_text


class Way(StrEnum):
    """Ways to get the missing evidence, cheapest first: data that a source already has need no run."""

    EXACT = "exact_calculation"
    """The same record, calculated with all steps of the grid instead of a quick answer."""
    PERCENTILE = "percentile"
    """A percentile that the source does not publish."""
    COUNTER = "exact_counter"
    """An exact counter, or a bucket edge, at one time."""
    OPERATIONS = "operations"
    """More operations at this load."""
    TRANSACTIONS = "measured_transactions"
    """Whole transactions, measured as such."""
    TIME = "time"
    """More time at this load."""


_UNITS = {
    Way.EXACT: "count",
    Way.PERCENTILE: "ratio",
    Way.COUNTER: "ns",
    Way.OPERATIONS: "count",
    Way.TRANSACTIONS: "count",
    Way.TIME: "ns",
}


@dataclass(frozen=True, slots=True)
class EvidenceAmount:
    """A way to the missing evidence with its amount: nanoseconds, a count or a ratio (`_UNITS`)."""

    way: Way
    amount: float

    @property
    def text(self) -> str:
        """The amount in words, such as `1,000 more operations at this load`."""
        match self.way:
            case Way.EXACT:
                return "the exact calculation"
            case Way.PERCENTILE:
                return f"the time that {percent_text(self.amount)} of operations keep"
            case Way.COUNTER:
                return f"an exact counter at {latency_text(round(self.amount))}"
            case Way.OPERATIONS:
                return f"{needed_text(round(self.amount))} more operations at this load"
            case Way.TRANSACTIONS:
                return f"{needed_text(round(self.amount))} more measured transactions"
            case Way.TIME:
                return f"{duration_text(round(self.amount))} more at this load"

    def document(self) -> dict[str, Any]:
        """Return the JSON document of the API."""
        return {"way": self.way.value, "amount": self.amount, "unit": _UNITS[self.way], "text": self.text}


@dataclass(frozen=True, slots=True)
class EvidenceMeter:
    """The effective evidence so far and the evidence needed, in `unit`; None if unknown. `unit` is
    `operations` or `transactions`; each of `ways` leads to the missing evidence.
    """

    effective: float | None = None
    needed: float | None = None
    unit: str = "operations"
    ways: tuple[EvidenceAmount, ...] = ()

    @property
    def share(self) -> float | None:
        """Share of the needed evidence, at most 0.999 because the verdict is undecided; None if unknown."""
        if self.effective is None or self.needed is None or self.needed <= 0.0:
            return None
        return min(self.effective / self.needed, _ALMOST)

    def with_time(self, measured_ns: int) -> "EvidenceMeter":
        """Return the meter with the time that the missing evidence takes at this load; itself if its share is
        unknown or 0, a time is set, or `measured_ns` is 0. `measured_ns` is the time that the evidence so far
        took.
        """
        share = self.share
        if not share or measured_ns <= 0 or any(way.way is Way.TIME for way in self.ways):
            return self
        left_ns = float(round(measured_ns * (1.0 / share - 1.0)))
        return replace(self, ways=(*self.ways, EvidenceAmount(Way.TIME, left_ns)))

    def document(self) -> dict[str, Any]:
        """Return the JSON document of the API; ways are ordered from the cheapest."""
        order = list(Way)
        ways = sorted(self.ways, key=lambda way: order.index(way.way))
        return {
            "share": self.share,
            "effective": self.effective,
            "needed": self.needed,
            "unit": self.unit,
            "ways": [way.document() for way in ways],
        }


_ALMOST = 0.999
NO_METER = EvidenceMeter()
