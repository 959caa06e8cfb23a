"""Interval arithmetic on printed numbers: a printed number is the interval of all numbers that round to it.

All quantities here are zero or positive. An unknown bound is None and stays None through every operation; a
comparison is proven only if its bounds are known.
"""

from dataclasses import dataclass

from tailroom.domain.claims.printed import PrintedNumber, Relation

ABOUT_FACTOR = 1.25
"""Tolerance either way of a number that is called approximate: the tolerance of loads (docs/method.md 7, P1).

A convention, not a property of the numbers.
"""


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
    def of(printed: PrintedNumber) -> "NumberBounds":
        """Return the bounds of a printed number; an approximate number has no bounds."""
        return NumberBounds(printed.lower, printed.upper, printed.value)

    @staticmethod
    def about(printed: PrintedNumber) -> "NumberBounds":
        """Return the bounds of a printed number; those of an approximate number span `ABOUT_FACTOR`."""
        if printed.comparison is Relation.ABOUT and printed.value is not None:
            return NumberBounds(printed.value / ABOUT_FACTOR, printed.value * ABOUT_FACTOR, printed.value)
        return NumberBounds.of(printed)

    def times(self, other: "NumberBounds | float") -> "NumberBounds":
        """Return the bounds of the product; None for a bound or value that either number lacks."""
        by = other if isinstance(other, NumberBounds) else NumberBounds.exactly(other)
        return NumberBounds(
            _product(self.lower, by.lower), _product(self.upper, by.upper), _product(self.value, by.value)
        )

    def over(self, other: "NumberBounds | float") -> "NumberBounds":
        """Return the bounds of the quotient; the upper bound is None if the divisor may be 0. None also for a
        bound or value that either number lacks.
        """
        by = other if isinstance(other, NumberBounds) else NumberBounds.exactly(other)
        return NumberBounds(
            _quotient(self.lower, by.upper), _quotient(self.upper, by.lower), _quotient(self.value, by.value)
        )

    def plus(self, other: "NumberBounds") -> "NumberBounds":
        """Return the bounds of the sum; None for a bound or value that either number lacks."""
        return NumberBounds(
            _sum(self.lower, other.lower), _sum(self.upper, other.upper), _sum(self.value, other.value)
        )

    def minus(self, other: "NumberBounds") -> "NumberBounds":
        """Return the bounds of the difference, which may be negative; None for an unknown bound or value."""
        return NumberBounds(
            _difference(self.lower, other.upper),
            _difference(self.upper, other.lower),
            _difference(self.value, other.value),
        )

    def surely_below(self, other: "NumberBounds | float", *, slack: float = 0.0) -> bool:
        """Return whether the whole interval lies below the other by more than `slack`, which is relative to
        the other; false for unknown bounds.
        """
        low = other.lower if isinstance(other, NumberBounds) else other
        return self.upper is not None and low is not None and self.upper < low * (1.0 - slack)

    def surely_above(self, other: "NumberBounds | float", *, slack: float = 0.0) -> bool:
        """Return whether the whole interval lies above the other by more than `slack`, which is relative to
        the other; false for unknown bounds.
        """
        high = other.upper if isinstance(other, NumberBounds) else other
        return self.lower is not None and high is not None and self.lower > high * (1.0 + slack)

    def surely_differs(self, other: "NumberBounds | float", *, slack: float = 0.0) -> bool:
        """Return whether the intervals are apart by more than `slack`, which is relative to the other; false
        if the bounds that would show it are unknown.
        """
        return self.surely_below(other, slack=slack) or self.surely_above(other, slack=slack)

    @property
    def known(self) -> bool:
        """Whether both bounds are known."""
        return self.lower is not None and self.upper is not None


def _product(left: float | None, right: float | None) -> float | None:
    """Return the product; None if a factor is unknown."""
    return None if left is None or right is None else left * right


def _quotient(left: float | None, right: float | None) -> float | None:
    """Return the quotient; None if a number is unknown or the divisor is 0."""
    return None if left is None or right is None or right == 0 else left / right


def _sum(left: float | None, right: float | None) -> float | None:
    """Return the sum; None if a number is unknown."""
    return None if left is None or right is None else left + right


def _difference(left: float | None, right: float | None) -> float | None:
    """Return the difference; None if a number is unknown."""
    return None if left is None or right is None else left - right
