"""The findings of the plausibility checks: the check, a statement, its figures, and the claims behind it.

A check without a contradiction yields a finding of the kind `consistent`, and `undecided` if the numbers
allow both answers. Neither is a contradiction.

`NumberBounds`: a printed number is the interval of all numbers that round to it, and all quantities are zero
or positive. An unknown bound is None and stays None through every operation; a comparison is proven only if
its bounds are known.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import add, mul, sub, truediv
from typing import Literal

from tailroom.domain.claims.claim import PrintedNumber, PublishedClaim, Relation

ABOUT_FACTOR = 1.25
"""Tolerance either way of approximate numbers, as of loads (docs/method.md 7, P1): a convention."""


@dataclass(frozen=True, slots=True)
class NumberBounds:
    """A number with inclusive bounds; `value` is the number as printed, or the best estimate."""

    lower: float | None
    upper: float | None
    value: float | None = None

    @staticmethod
    def exactly(value: float) -> "NumberBounds":
        """Return an exact number: both bounds equal it."""
        return NumberBounds(value, value, value)

    @staticmethod
    def between(lower: float, upper: float) -> "NumberBounds":
        """Return the number between two bounds, with their middle as the value."""
        return NumberBounds(lower, upper, (lower + upper) / 2)

    @staticmethod
    def of(printed: PrintedNumber) -> "NumberBounds":
        """Return the printed bounds of a number; both are None for an approximate number."""
        return NumberBounds(printed.lower, printed.upper, printed.value)

    @staticmethod
    def about(printed: PrintedNumber) -> "NumberBounds":
        """Return the bounds of a printed number; an approximate one may be off by `ABOUT_FACTOR`."""
        if printed.comparison is Relation.ABOUT and printed.value is not None:
            return NumberBounds(printed.value / ABOUT_FACTOR, printed.value * ABOUT_FACTOR, printed.value)
        return NumberBounds.of(printed)

    def times(self, other: "NumberBounds | float") -> "NumberBounds":
        """Return the product of two numbers of at least 0. A bound or value that either lacks is None."""
        by = other if isinstance(other, NumberBounds) else NumberBounds.exactly(other)
        return self._combined(mul, by.lower, by.upper, by.value)

    def over(self, other: "NumberBounds | float") -> "NumberBounds":
        """Return this number divided by the other; unknown where either is, or where the divisor is 0."""
        by = other if isinstance(other, NumberBounds) else NumberBounds.exactly(other)
        divisors = (None if number == 0 else number for number in (by.upper, by.lower, by.value))
        return self._combined(truediv, *divisors)

    def plus(self, other: "NumberBounds") -> "NumberBounds":
        """Return the sum. A bound or value that either number lacks is None."""
        return self._combined(add, other.lower, other.upper, other.value)

    def minus(self, other: "NumberBounds") -> "NumberBounds":
        """Return the difference, which may be negative. A bound or value that either number lacks is None."""
        return self._combined(sub, other.upper, other.lower, other.value)

    def _combined(self, operation: Callable[[float, float], float], *others: float | None) -> "NumberBounds":
        """Apply the operation to lower bound, upper bound, value and the three `others`; None stays None."""
        pairs = zip((self.lower, self.upper, self.value), others, strict=True)
        return NumberBounds(*(None if a is None or b is None else operation(a, b) for a, b in pairs))

    def surely_below(self, other: "NumberBounds | float", *, slack: float = 0.0) -> bool:
        """Return whether the number is certainly below `other` by over `slack` of it; false if unknown."""
        low = other.lower if isinstance(other, NumberBounds) else other
        return self.upper is not None and low is not None and self.upper < low * (1.0 - slack)

    def surely_above(self, other: "NumberBounds | float", *, slack: float = 0.0) -> bool:
        """Return whether the number is certainly above `other` by over `slack` of it; false if unknown."""
        high = other.upper if isinstance(other, NumberBounds) else other
        return self.lower is not None and high is not None and self.lower > high * (1.0 + slack)

    def surely_differs(self, other: "NumberBounds | float", *, slack: float = 0.0) -> bool:
        """Return whether the numbers certainly differ by over `slack` of `other`; false if unknown."""
        return self.surely_below(other, slack=slack) or self.surely_above(other, slack=slack)


Severity = Literal["high", "medium", "low", "info"]
Origin = Literal["computed", "reviewed"]

CONSISTENT = "consistent"
UNDECIDED = "undecided"
COMPUTED: Origin = "computed"
REVIEWED: Origin = "reviewed"

TITLES = {
    "P1": "Operations in flight (Little's law)",
    "P2": "Operations, time and rate",
    "P3": "Order of percentiles, thresholds and means",
    "P4": "Gains, recomputed",
    "P5": "Total at or above device",
    "P6": "Slow share grows with load",
    "P7": "The same quantity stated twice",
    "P8": "Labels",
    "P9": "Averages of whole numbers",
    "P10": "Plausible tail",
    "P11": "Capacity arithmetic",
    "P12": "Load of each drive",
    "P13": "Bandwidth and units",
    "P14": "Duration and dates",
    "P15": "Statements held against the tables",
    "P16": "Own criteria",
    "P17": "Tool version",
    "P18": "Transactions and single operations",
    "P19": "What a difference can be attributed to",
    "P20": "Counters of the drive",
}
"""Title of each check. Source: docs/method.md section 7."""


@dataclass(frozen=True, slots=True)
class FindingFigure:
    """A number of a finding in `unit` (ns, ratio, count, ops/s, bytes …), with its bounds; None: unknown."""

    label: str
    value: float | None
    lower: float | None
    upper: float | None
    unit: str
    as_printed: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A result of one of the checks P1 to P20; `reference` is its number in the reviewers' list, if any."""

    check: str
    severity: Severity
    kind: str
    statement: str
    figures: tuple[FindingFigure, ...] = ()
    claim_keys: tuple[str, ...] = ()
    origin: Origin = COMPUTED
    reference: str | None = None

    @property
    def contradicts(self) -> bool:
        """Whether the finding is neither `consistent` nor `undecided`."""
        return self.kind not in {CONSISTENT, UNDECIDED}


def figure(
    label: str, number: NumberBounds | float, unit: str, as_printed: str | None = None
) -> FindingFigure:
    """Return the figure of a number with bounds, or of an exact number; both in `unit`."""
    if isinstance(number, NumberBounds):
        return FindingFigure(label, number.value, number.lower, number.upper, unit, as_printed)
    return FindingFigure(label, float(number), float(number), float(number), unit, as_printed)


def figure_of(label: str, claim: PublishedClaim) -> FindingFigure:
    """Return the printed number of a claim as a figure, with its bounds and unit."""
    printed = claim.printed
    return FindingFigure(label, printed.value, printed.lower, printed.upper, printed.unit, printed.as_printed)


def consistent(
    check: str, statement: str, figures: Iterable[FindingFigure] = (), claim_keys: Iterable[str] = ()
) -> Finding:
    """Return the finding that a check found no contradiction."""
    return Finding(check, "info", CONSISTENT, statement, tuple(figures), tuple(claim_keys))


def undecided(
    check: str, statement: str, figures: Iterable[FindingFigure] = (), claim_keys: Iterable[str] = ()
) -> Finding:
    """Return the finding that the numbers allow both answers."""
    return Finding(check, "low", UNDECIDED, statement, tuple(figures), tuple(claim_keys))


def bounds_of(claim: PublishedClaim) -> NumberBounds:
    """Return the printed bounds of a claim's number; both are None for an approximate number."""
    return NumberBounds.of(claim.printed)


def keys_of(claims: Iterable[PublishedClaim]) -> tuple[str, ...]:
    """Return the keys of the claims in their order, equal keys once."""
    return tuple(dict.fromkeys(claim.key for claim in claims))
