"""The evidence meter: how much of the needed evidence an undecided case has, and the ways to the rest.

`share` is effective samples so far over samples needed at the observed share of slow ones, so that open cases
can be put in order and a person knows what to run. A way has an amount, never only a word. Source:
docs/method.md
section 10, law C9.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from tailroom.domain.units import count_text, duration_text, latency_text, percent_text


class Way(StrEnum):
    """What would add the missing evidence, cheapest first: what a source has already costs no run."""

    EXACT = "exact_calculation"
    """The same record, calculated in finer steps than those of a quick answer."""
    PERCENTILE = "percentile"
    """A percentile that the source keeps back."""
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
class WayOut:
    """One way out with its amount: nanoseconds, a count, or a ratio, as `Way` says."""

    way: Way
    amount: float

    @property
    def text(self) -> str:
        """In words."""
        match self.way:
            case Way.EXACT:
                return "the exact calculation"
            case Way.PERCENTILE:
                return f"the time that {percent_text(self.amount)} of operations keep"
            case Way.COUNTER:
                return f"an exact counter at {latency_text(round(self.amount))}"
            case Way.OPERATIONS:
                return f"{count_text(round(self.amount))} more operations at this load"
            case Way.TRANSACTIONS:
                return f"{count_text(round(self.amount))} more measured transactions"
            case Way.TIME:
                return f"{duration_text(round(self.amount))} more at this load"

    def document(self) -> dict[str, Any]:
        """As the API says it."""
        return {"way": self.way.value, "amount": self.amount, "unit": _UNITS[self.way], "text": self.text}


@dataclass(frozen=True, slots=True)
class EvidenceMeter:
    """`share` of the needed evidence, none where nothing says how much is needed; `needed` in `unit`."""

    effective: float | None = None
    needed: float | None = None
    unit: str = "operations"
    ways: tuple[WayOut, ...] = ()

    @property
    def share(self) -> float | None:
        """0 to 1; never 1 while the case is open."""
        if self.effective is None or self.needed is None or self.needed <= 0.0:
            return None
        return min(self.effective / self.needed, _ALMOST)

    def with_time(self, measured_ns: int) -> "EvidenceMeter":
        """With the time that the rest takes at this load, where that is known."""
        share = self.share
        if not share or measured_ns <= 0 or any(one.way is Way.TIME for one in self.ways):
            return self
        left_ns = float(round(measured_ns * (1.0 / share - 1.0)))
        return replace(self, ways=(*self.ways, WayOut(Way.TIME, left_ns)))

    def document(self) -> dict[str, Any]:
        """As the API says it, the cheapest way first."""
        order = list(Way)
        ways = sorted(self.ways, key=lambda one: order.index(one.way))
        return {
            "share": self.share,
            "effective": self.effective,
            "needed": self.needed,
            "unit": self.unit,
            "ways": [one.document() for one in ways],
        }


_ALMOST = 0.999
NO_METER = EvidenceMeter()
