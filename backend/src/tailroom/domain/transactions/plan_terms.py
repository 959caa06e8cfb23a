"""The time of a plan as a sum of independent terms, and random counts as a mixture of certain counts."""

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from tailroom.domain.errors import DomainError
from tailroom.domain.transactions.group_distributions import GroupDistributions, Masses
from tailroom.domain.transactions.plan import Plan, RandomCount, Scheduling, Stage
from tailroom.domain.transactions.work import spend
from tailroom.domain.units import ceil_div

Side = Literal["late", "early", "middle"]
_COMBINATIONS = 256
_POINTS_OF_A_STAGE = 60_000
"""Cost in points of a stage of a combination, besides its grid, at a single time."""


class CountsTooMany(DomainError):
    """There are more combinations of random counts than `_COMBINATIONS`, the most that are computed."""


@dataclass(frozen=True, slots=True)
class Term:
    """`count` independent summands, each the time of the slowest of `at_once` operations / `workers`."""

    operation: str
    at_once: int
    workers: int
    count: int


TermSum = tuple[Term, ...]


@dataclass(eq=False)
class TermDistributions:
    """Distributions of operations and, cached, of terms, apart from the sums so that these are freed."""

    distributions: Mapping[str, GroupDistributions]
    _masses: dict[tuple[Side, str, int, int], Masses] = field(default_factory=dict)

    def of(self, side: Side, term: Term) -> Masses:
        """Return the distribution of one summand of a term, cached. Raise WorkExceeded."""
        key = (side, term.operation, term.at_once, term.workers)
        if key not in self._masses:
            of_side: Masses = getattr(self.distributions[term.operation], side)
            masses = of_side.slowest_of(term.at_once)
            self._masses[key] = masses if term.workers == 1 else masses.shared_by(term.workers)
        return self._masses[key]


def certain_counts(plan: Plan, points_of_a_stage: int = _POINTS_OF_A_STAGE) -> Iterator[tuple[Plan, float]]:
    """Yield every plan of certain counts that a plan of random counts may become, with its probability, at a
    cost of `points_of_a_stage` for each stage. Raise CountsTooMany or WorkExceeded.
    """
    points = points_of_a_stage * len(plan.stages)
    if all(isinstance(stage.count, int) for stage in plan.stages):
        spend(points)
        yield plan, 1.0
        return
    choices = [_choices(stage) for stage in plan.stages]
    if math.prod(len(options) for options in choices) > _COMBINATIONS:
        raise CountsTooMany(f"more than {_COMBINATIONS} combinations of random counts cannot be added up")
    for combination in itertools.product(*choices):
        spend(points)
        yield Plan(tuple(stage for stage, _ in combination)), math.prod(weight for _, weight in combination)


def _choices(stage: Stage) -> list[tuple[Stage, float]]:
    if not isinstance(stage.count, RandomCount):
        return [(stage, 1.0)]
    fan_out = 1 if stage.scheduling is Scheduling.PARALLEL else stage.fan_out
    weights = stage.count.weights.items()
    return [(replace(stage, count=n, fan_out=fan_out), weight) for n, weight in weights if weight > 0.0]


def is_single_term(terms: TermSum) -> bool:
    """Return whether a sum is one summand, not divided by workers, so that its distribution needs no grid."""
    return len(terms) == 1 and terms[0].count == 1 and terms[0].workers == 1


def upper_sum(plan: Plan) -> TermSum:
    """Return terms whose sum is the plan's time without overheads, or for a pool an upper bound of it."""
    return tuple(term for stage in plan.stages for term in _upper_terms(stage))


def _upper_terms(stage: Stage) -> Iterator[Term]:
    """Yield the terms of a stage. A pool counts as waves; the last wave, which may be smaller, is a term."""
    name, count = stage.operation, stage.largest_count
    match stage.effective:
        case Scheduling.SEQUENTIAL:
            yield Term(name, 1, 1, count)
        case Scheduling.PARALLEL:
            yield Term(name, count, 1, 1)
        case _:
            full = ceil_div(count, stage.fan_out) - 1
            if full:
                yield Term(name, stage.fan_out, 1, full)
            yield Term(name, count - full * stage.fan_out, 1, 1)


def lower_sums(plan: Plan) -> tuple[TermSum, ...]:
    """Return sums that are at most the plan's time: an even share of each pool's work, and its slowest."""
    if not plan.has_pool:
        return (upper_sum(plan),)
    shares: list[Term] = []
    slowest: list[Term] = []
    for stage in plan.stages:
        if stage.effective is Scheduling.POOL:
            shares.append(Term(stage.operation, 1, stage.fan_out, stage.largest_count))
            slowest.append(Term(stage.operation, stage.largest_count, 1, 1))
        else:
            shares.extend(_upper_terms(stage))
            slowest.extend(_upper_terms(stage))
    return tuple(shares), tuple(slowest)


def with_sequential_pools(plan: Plan) -> Plan:
    """Return the plan with each pool made a sequential stage; the plan itself without pools."""
    if not plan.has_pool:
        return plan
    return Plan(
        tuple(
            replace(stage, fan_out=1, scheduling=Scheduling.SEQUENTIAL)
            if stage.effective is Scheduling.POOL
            else stage
            for stage in plan.stages
        )
    )
