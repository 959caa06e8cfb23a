"""Compare two runs of one operation: outcome, gains, and reasons against a conclusion.

All quantities are compared at once, so each gets its part of the chance of error (Bonferroni): two runs that
differ by chance alone are called different in at most one of a hundred cases. Two single runs show no
change, however many operations they count, because the spread between runs is in neither of them. Several
runs of each side (`repeats`) or a history (`history`) show that spread; the course of a run over time shows
part of it. Source: docs/method.md 2.6, 10.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tailroom.domain.comparison.conditions import (
    Comparability,
    Conditions,
    compare_sides,
    in_flight_reasons,
)
from tailroom.domain.comparison.figures import (
    COUNT,
    ERROR,
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

_SINGLE_RUNS = "one run on each side: how such runs differ is not known"
_NEEDED_FOR_NO_CHANGE = (quantile_name(0.5), quantile_name(0.99))
_BODY = frozenset({THROUGHPUT, MEAN, *(quantile_name(quantile) for quantile in (0.5, 0.9, 0.95, 0.99))})


class NothingInCommon(DomainError):
    """The two measurements have no quantity in common."""


class Outcome(StrEnum):
    """Result of a comparison: something got worse, better, both, or nothing changed, or why this is open."""

    REGRESSION = "regression"
    IMPROVEMENT = "improvement"
    MIXED = "mixed"
    NO_CHANGE = "no-change"
    UNREPEATED = "unrepeated"
    """Two single runs differ, and nothing shows by how much such runs differ by themselves."""
    NOT_SHOWN = "not-shown"
    """The confidence limits show neither a change nor that both sides are the same."""
    NOT_COMPARABLE = "not-comparable"
    """Conditions differ or are unknown."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two measurements of a comparison: a run, its compared operation and its conditions."""

    run: RunEvidence
    operation: OperationEvidence
    conditions: Conditions


@dataclass(frozen=True, slots=True)
class Comparison:
    """The outcome, the gain of every common quantity, the reasons against a conclusion, and notes."""

    outcome: Outcome
    comparability: Comparability
    gains: tuple[Gain, ...]
    notes: tuple[str, ...]
    identical: bool = False
    """Whether both sides are the same record."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The figures of one measurement, computed once for all comparisons with it."""

    figures: tuple[Figure, ...]
    conditions: Conditions
    has_course: bool
    """Whether the counts of operations over time are known."""
    in_flight: tuple[float, float] | None = None
    """Bounds of the mean number of operations in flight, by Little's law; None: not known."""

    @property
    def shows_spread(self) -> bool:
        """Whether any figure has a spread over parts of the run, which estimates how runs differ."""
        return any(figure.spread is not None for figure in self.figures)


def measured(side: Side) -> Measured:
    """Return the figures of a measurement, each with its part of `ERROR`, the chance of error."""
    figures = figures_of(side.run, side.operation, ERROR / COUNT)
    at_once = in_flight(side.run, side.operation, figures)
    return Measured(tuple(figures), side.conditions, side.operation.has_course, at_once)


def compare(base: Side, new: Side, *, smallest_change: float = SMALLEST_CHANGE_RATIO) -> Comparison:
    """Return the comparison of two measurements by `compare_measured`."""
    return compare_measured(measured(base), measured(new), smallest_change)


def compare_measured(
    base: Measured,
    new: Measured,
    smallest_change: float = SMALLEST_CHANGE_RATIO,
    *,
    against: Sequence[tuple[str, str]] = (),
) -> Comparison:
    """Return the comparison of two measurements by their figures. Raise NothingInCommon without a common
    quantity. The same record on both sides is `NO_CHANGE`. Else, without reasons against comparing, the
    outcome is `UNREPEATED` if a side has no spread over parts of its run, and there are no confidence limits.
    `smallest_change` is the relative difference from which on a change counts; `against` has further reasons
    against a conclusion, each with the change that would remove it.
    """
    before = {figure.quantity: figure for figure in base.figures}
    after = {figure.quantity: figure for figure in new.figures}
    gains = tuple(gain_of(before[name], after[name], smallest_change) for name in before if name in after)
    if not gains:
        raise NothingInCommon(
            f"nothing can be compared: the base has {_kinds_text(before)}, the new one {_kinds_text(after)}"
        )
    if is_identical(base, new):
        same = tuple(replace(gain, effect=Effect.SAME) for gain in gains)
        return Comparison(Outcome.NO_CHANGE, Comparability((), ()), same, (), identical=True)
    comparability = comparability_of(base, new).with_reasons(against)
    outcome = outcome_of(gains, comparability)
    if outcome is not Outcome.NOT_COMPARABLE and not (base.shows_spread and new.shows_spread):
        outcome = Outcome.UNREPEATED
        # Limits show only how the operations of single runs vary.
        gains = tuple(
            replace(
                gain, ratio_lower=None, ratio_upper=None, effect=Effect.OPEN, why=gain.why or _SINGLE_RUNS
            )
            for gain in gains
        )
    return Comparison(outcome, comparability, gains, tuple(_notes(base, new)))


def is_identical(base: Measured, new: Measured) -> bool:
    """Return whether both sides have equal figures and equal conditions, and so count as the same record."""
    return base.figures == new.figures and base.conditions == new.conditions


def comparability_of(base: Measured, new: Measured) -> Comparability:
    """Return the reasons against comparing two sides: different conditions or operations in flight."""
    at_once = [base.in_flight, new.in_flight]
    more = in_flight_reasons(base.conditions, new.conditions, at_once)
    return compare_sides(base.conditions, new.conditions).with_reasons(more)


def outcome_of(gains: Sequence[Gain], comparability: Comparability) -> Outcome:
    """Return the outcome that the gains support, or `NOT_COMPARABLE` if there are reasons against comparing.
    It is `MIXED` if some gains are worse and others better, else `REGRESSION` or `IMPROVEMENT`. With neither,
    `NO_CHANGE` needs the effect `SAME` for median and p99, and for rate, mean, p90 and p95 if they are
    compared. Otherwise it is `NOT_SHOWN`.
    """
    if comparability.reasons:
        return Outcome.NOT_COMPARABLE
    effects = {gain.quantity: gain.effect for gain in gains}
    is_worse, is_better = Effect.WORSE in effects.values(), Effect.BETTER in effects.values()
    if is_worse and is_better:
        return Outcome.MIXED
    if is_worse:
        return Outcome.REGRESSION
    if is_better:
        return Outcome.IMPROVEMENT
    body = [effect for name, effect in effects.items() if name in _BODY]
    enough = all(effects.get(name) is Effect.SAME for name in _NEEDED_FOR_NO_CHANGE)
    if enough and all(effect is Effect.SAME for effect in body):
        return Outcome.NO_CHANGE
    return Outcome.NOT_SHOWN


def _notes(base: Measured, new: Measured) -> list[str]:
    """Return a list of one sentence: the assumption about the spread between runs behind the answer."""
    short = [name for name, run in (("base", base), ("new", new)) if not run.shows_spread]
    if short:
        return [f"No course of a minute for {' and '.join(short)}: how such runs differ is not known."]
    return ["Each side is one run: runs are taken to differ as the parts of these two do."]


def _kinds_text(names: Collection[str]) -> str:
    words = {
        "a rate": THROUGHPUT in names,
        "latencies": any(name.startswith("latency_") for name in names),
        "shares of operations": any(is_share(name) for name in names),
    }
    return " and ".join(word for word, there in words.items() if there) or "no latency and no rate"
