"""Two measurements of one operation: a regression, an improvement, no change, or not shown.

Everything is compared at once, so each quantity gets its part of the chance of error (Bonferroni): two runs
that differ by chance alone are called different in at most one of twenty cases. Each side is one run; what
changes from run to run is in no limit, which is why nothing below the smallest change counts.
Source: docs/method.md 2.6, 10.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tailroom.domain.comparison.conditions import (
    Comparability,
    Conditions,
    compare_conditions,
    in_flight_reasons,
)
from tailroom.domain.comparison.figures import (
    COUNT,
    MEAN,
    THROUGHPUT,
    Figure,
    figures_of,
    in_flight,
    is_share,
    quantile_name,
)
from tailroom.domain.comparison.gains import Effect, Gain, gain_of
from tailroom.domain.comparison.smallest_change import SMALLEST_CHANGE_RATIO
from tailroom.domain.errors import DomainError
from tailroom.domain.verdicts.evidence import OperationEvidence, RunEvidence

ERROR = 0.05
"""Chance that two runs of the same thing are called different, over all quantities together."""

_NEEDED_FOR_NO_CHANGE = (quantile_name(0.5), quantile_name(0.99))
_BODY = frozenset({THROUGHPUT, MEAN, *(quantile_name(one) for one in (0.5, 0.9, 0.95, 0.99))})


class NothingInCommon(DomainError):
    """Two measurements without a quantity that both have."""


class Outcome(StrEnum):
    """The answer in a word."""

    REGRESSION = "regression"
    IMPROVEMENT = "improvement"
    NO_CHANGE = "no-change"
    NOT_SHOWN = "not-shown"
    NOT_COMPARABLE = "not-comparable"


@dataclass(frozen=True, slots=True)
class Side:
    """One measurement."""

    run: RunEvidence
    operation: OperationEvidence
    conditions: Conditions


@dataclass(frozen=True, slots=True)
class Comparison:
    """The answer, every gain, and what speaks against a conclusion."""

    outcome: Outcome
    comparability: Comparability
    gains: tuple[Gain, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Measured:
    """What one measurement brings to every comparison: worked out once, whatever it is held against."""

    figures: tuple[Figure, ...]
    conditions: Conditions
    has_course: bool
    in_flight: tuple[float, float] | None = None
    """Operations at once, by Little's law."""


def measured(side: Side, error: float = ERROR) -> Measured:
    """The figures of one measurement, each with its part of the chance of error."""
    figures = figures_of(side.run, side.operation, error / COUNT)
    at_once = in_flight(side.run, side.operation, figures)
    return Measured(tuple(figures), side.conditions, side.operation.has_course, at_once)


def compare(
    base: Side, new: Side, *, smallest_change: float = SMALLEST_CHANGE_RATIO, error: float = ERROR
) -> Comparison:
    """What the difference of two measurements shows. `NothingInCommon` where no quantity is in both."""
    return compare_measured(measured(base, error), measured(new, error), smallest_change)


def compare_measured(
    base: Measured,
    new: Measured,
    smallest_change: float = SMALLEST_CHANGE_RATIO,
    *,
    against: Sequence[tuple[str, str]] = (),
) -> Comparison:
    """The same of figures that are known. `against`: further reasons, each with the change that would take it
    away. `NothingInCommon` where no quantity is in both.
    """
    before = {one.quantity: one for one in base.figures}
    after = {one.quantity: one for one in new.figures}
    gains = tuple(gain_of(before[name], after[name], smallest_change) for name in before if name in after)
    if not gains:
        raise NothingInCommon(
            f"nothing can be compared: the base has {_kinds(before)}, the new one {_kinds(after)}"
        )
    at_once = [base.in_flight, new.in_flight]
    more = [*in_flight_reasons(base.conditions, new.conditions, at_once), *against]
    comparability = compare_conditions(base.conditions, new.conditions).with_reasons(more)
    return Comparison(_outcome(gains, comparability), comparability, gains, tuple(_notes(base, new)))


def _outcome(gains: tuple[Gain, ...], comparability: Comparability) -> Outcome:
    if comparability.reasons:
        return Outcome.NOT_COMPARABLE
    effects = {one.quantity: one.effect for one in gains}
    if Effect.WORSE in effects.values():
        return Outcome.REGRESSION
    if Effect.BETTER in effects.values():
        return Outcome.IMPROVEMENT
    body = [effect for name, effect in effects.items() if name in _BODY]
    enough = all(effects.get(name) is Effect.SAME for name in _NEEDED_FOR_NO_CHANGE)
    if enough and all(effect is Effect.SAME for effect in body):
        return Outcome.NO_CHANGE
    return Outcome.NOT_SHOWN


def _notes(base: Measured, new: Measured) -> list[str]:
    found = ["Each side is one run: how runs of the same thing differ is not in these limits."]
    without = [name for name, one in (("base", base), ("new", new)) if not one.has_course]
    if without:
        found.append(f"No course over time for {' and '.join(without)}: operations are taken as independent.")
    return found


def _kinds(names: Collection[str]) -> str:
    """What kinds of quantities these are, in words."""
    words = {
        "a rate": THROUGHPUT in names,
        "latencies": any(one.startswith("latency_") for one in names),
        "shares of operations": any(is_share(one) for one in names),
    }
    return " and ".join(word for word, there in words.items() if there) or "no latency and no rate"
