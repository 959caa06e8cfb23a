"""The evidence that a verdict rests on: operations, their slices over time, rates, and how the run ended.

Every source (a stored run, an imported file, a distribution in a request) is converted to this form;
`judge_budget` needs nothing else. Facts that the source does not state are None and never guessed.
"""

import math
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from tailroom.domain.confidence.effective_samples import DesignEffect, design_effect, design_effects
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.at_best import at_best
from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.distribution import LatencyDist, LatencyRecord
from tailroom.domain.latency.intervals import IntervalRecords, SliceTooShort
from tailroom.domain.transactions.design_effects import DesignEffectAt, effect_times_ns
from tailroom.domain.transactions.plan import Plan
from tailroom.domain.units import NS_PER_HOUR
from tailroom.domain.verdicts.budget_kinds import (
    CLOCKS,
    QUANTITIES,
    Budget,
    ExceedanceBudget,
    PercentileBudget,
    TransactionBudget,
)
from tailroom.domain.verdicts.generator import GeneratedLoad
from tailroom.domain.verdicts.validity import (
    Validity,
    late_limit_ns,
    late_limit_of_question,
    unreliable_slices_of,
)

TRANSACTION = "transaction"
"""Name of the operation under which whole transactions are recorded."""


class EvidenceInvalid(DomainError):
    """Invalid evidence: an unknown clock or rate, a negative time, or a rate outside 0 ≤ lower ≤ upper."""


@dataclass(frozen=True, slots=True)
class RateBounds:
    """A rate per second between two bounds, equal if it is exact."""

    lower: float
    upper: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.lower <= self.upper < math.inf:
            raise EvidenceInvalid(f"a rate between {self.lower} and {self.upper} does not exist")


@dataclass(frozen=True, slots=True)
class HourSlice:
    """Counts of one full slice: `over[i]` operations, failed operations included, are at or over the i-th
    limit. If buckets straddle a limit, `over` holds upper bounds of these counts and `certain` lower bounds;
    with None `over` is exact.
    """

    start_ns: int
    total: int
    over: tuple[int, ...]
    certain: tuple[int, ...] | None = None


def hour_slices(
    slices: IntervalRecords, thresholds_ns: Sequence[int], length_ns: int
) -> tuple[HourSlice, ...]:
    """Return the counts of each slice of `length_ns` at or over each threshold, as bounds if a bucket
    straddles it. Starts are rounded down to multiples of `length_ns`.
    """
    ends = [slices.over(at) for at in thresholds_ns]
    totals = slices.totals
    return tuple(
        HourSlice(
            int(slices.start_ns[row]) // length_ns * length_ns,
            int(totals[row]),
            tuple(int(most[row]) for _, most in ends),
            tuple(int(least[row]) for least, _ in ends),
        )
        for row in range(slices.size)
    )


@dataclass(frozen=True, eq=False)
class OperationEvidence:
    """Evidence about one operation: its latencies by one of `CLOCKS` in `record`, over `measured_ns`, under
    the load `generation`. `intervals`, or `load_intervals` on first use, holds the same operations in
    consecutive slices. Without slices all operations are pooled and count as independent samples. A source
    that knows design effects by threshold (`effects`) or the counts of full hours (`hours`) without reading
    every bucket passes them. `validity` counts unreliable slices, and `load_at_best` returns the operation
    with these at their best; it is None if there are none.
    """

    operation: str
    clock: str
    record: LatencyRecord
    intervals: IntervalRecords | None = None
    generation: GeneratedLoad = field(default_factory=lambda: GeneratedLoad(None, 0))
    closed_loop: bool = False
    measured_ns: int = 0
    issued: Plan | None = None
    """For measured whole transactions: the plan that each of them followed."""
    load_intervals: Callable[[], IntervalRecords | None] | None = None
    effects: DesignEffectAt | None = None
    cache_effects: Callable[[Int64s], None] | None = None
    """Function that computes effects at many ascending thresholds in one pass, cached for `effects`."""
    hours: Callable[[Sequence[int]], Sequence[HourSlice]] | None = None
    load_per_s: float | None = None
    """Operations per second, if the source states them but no number of operations; else None."""
    validity: Validity = field(default_factory=Validity)
    load_at_best: Callable[[], "OperationEvidence"] | None = None
    generator_at: Callable[[int], "GeneratorFacts"] | None = None
    """Function from another limit of lateness (ns) to the reliability of the slices; None if not recorded."""
    is_compact: bool = False
    """Whether the slices were replaced by the results that verdicts need (`compact_evidence`)."""
    computed_results: dict[Hashable, Any] = field(default_factory=dict, repr=False)
    """Cache of results by the key of the computation; copies with other data begin empty."""
    _effects: dict[int, DesignEffect] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.clock not in CLOCKS:
            raise EvidenceInvalid(f"a clock is one of {', '.join(CLOCKS)}, not {self.clock!r}")
        if self.measured_ns < 0:
            raise EvidenceInvalid(f"a run cannot last {self.measured_ns} ns")

    @cached_property
    def course(self) -> IntervalRecords | None:
        """The slices over time, read on first use; None if the operation has none."""
        if self.intervals is not None or self.load_intervals is None:
            return self.intervals
        return self.load_intervals()

    @property
    def has_course(self) -> bool:
        """Whether there are slices over time, or were before compaction. They are not read to find out."""
        return self.is_compact or self.intervals is not None or self.load_intervals is not None

    @cached_property
    def at_best(self) -> "OperationEvidence":
        """The operation with unreliable slices as fast as possible; itself if all are reliable. Such slices
        may hide how slow operations clump, so the larger design effect, as recorded or at best, counts.
        """
        if self.load_at_best is None:
            return self
        best = self.load_at_best()
        if self.is_compact:
            return best

        def effect_at(threshold_ns: int) -> DesignEffect:
            both = (self._cached_effect(threshold_ns), best._cached_effect(threshold_ns))
            return max(both, key=lambda effect: effect.factor)

        def cache_effects(thresholds_ns: Int64s) -> None:
            self.effects_at(thresholds_ns)
            best.effects_at(thresholds_ns)

        return replace(
            best,
            operation=self.operation,
            effects=effect_at,
            cache_effects=cache_effects,
            load_at_best=None,
            # At their best slices are reliable: another limit of lateness must not begin anew.
            generator_at=None,
            computed_results={},
            _effects={},
        )

    def with_late_limit(self, limit_ns: int) -> "OperationEvidence":
        """Return the operation with its slices judged by another limit of lateness in ns."""
        if self.generator_at is None or self.validity.late_limit_ns == limit_ns:
            return self
        key = ("late limit", limit_ns)
        if key not in self.computed_results:
            validity, best = self.generator_at(limit_ns)
            self.computed_results[key] = replace(self, validity=validity, load_at_best=best)
        limited: OperationEvidence = self.computed_results[key]
        return limited

    @property
    def load(self) -> GeneratedLoad:
        """The applied load; it counts as a closed loop if `closed_loop` is set here or in `generation`."""
        return replace(self.generation, closed_loop=self.closed_loop or self.generation.closed_loop)

    def effect_at(self, threshold_ns: int) -> DesignEffect:
        """Return the design effect of the share of operations at or over a threshold in ns; 1 without slices.
        Unless the threshold has an exact counter, it is the larger of the effects at the record's nearest
        edges, so that compact and full records agree.
        """
        if threshold_ns in self.counted_at_ns:
            return self._cached_effect(threshold_ns)
        places, effects = self._effects_at_edges
        if not effects:
            return DesignEffect() if self.is_compact else self._cached_effect(threshold_ns)
        right = int(np.searchsorted(places, threshold_ns))
        return max(effects[max(0, right - 1) : right + 1], key=lambda effect: effect.factor)

    def effects_at(self, thresholds_ns: Int64s) -> list[DesignEffect]:
        """Return the design effects at many ascending thresholds in ns, cached; the buckets are read once."""
        if self.is_compact:
            return [self._effects.get(at_ns) or self.effect_at(at_ns) for at_ns in thresholds_ns.tolist()]
        if self.cache_effects is not None:
            self.cache_effects(thresholds_ns)
        elif self.effects is None and self.course is not None:
            new = [at for at in thresholds_ns.tolist() if at not in self._effects]
            over = self.course.most_over(np.array(new, np.int64))
            self._effects.update(zip(new, design_effects(over, self._totals), strict=True))
        return [self._cached_effect(at_ns) for at_ns in thresholds_ns.tolist()]

    @property
    def counted_at_ns(self) -> Collection[int]:
        """Thresholds in ns with exact counters; empty without any."""
        return self.record.pins.keys() if isinstance(self.record, LatencyDist) else ()

    @cached_property
    def _effects_at_edges(self) -> tuple[Int64s, list[DesignEffect]]:
        """Latencies in ns at which design effects are computed, and the effects; empty without slices."""
        places = effect_times_ns(self.record) if self.has_course else np.empty(0, np.int64)
        return places, self.effects_at(places)

    def _cached_effect(self, threshold_ns: int) -> DesignEffect:
        if threshold_ns not in self._effects:
            self._effects[threshold_ns] = self._effect(threshold_ns)
        return self._effects[threshold_ns]

    def full_slices(self, thresholds_ns: Sequence[int], length_ns: int = NS_PER_HOUR) -> Sequence[HourSlice]:
        """Return for every full slice of `length_ns` the counts at or over thresholds in ns; empty without
        slices, with longer slices, or if a source that counts hours itself lacks a threshold.
        """
        if self.hours is not None and length_ns == NS_PER_HOUR:
            return self.hours(thresholds_ns)
        if self.course is None:
            return ()
        try:
            slices = self.course.sliced(length_ns, full_only=True)
        except SliceTooShort:
            return ()
        return hour_slices(slices, thresholds_ns, length_ns)

    def _effect(self, threshold_ns: int) -> DesignEffect:
        if self.effects is not None:
            return self.effects(threshold_ns)
        if self.course is None:
            return DesignEffect()
        return design_effect(self.course.over(threshold_ns)[1], self._totals)

    @cached_property
    def _totals(self) -> Int64s:
        return np.empty(0, np.int64) if self.course is None else self.course.totals


GeneratorFacts = tuple[Validity, Callable[[], OperationEvidence] | None]
"""Reliability of an operation's slices, and a function that returns the operation with its unreliable slices
at their best; None if all are reliable.
"""


def with_reliability(operation: OperationEvidence) -> OperationEvidence:
    """Return the operation with the reliability of its `intervals`. Until a budget sets a limit of lateness,
    it is a tenth of the smallest threshold with an exact counter.
    """
    intervals = operation.intervals
    if intervals is None:
        return operation

    def generator_at(limit_ns: int | None) -> GeneratorFacts:
        validity = Validity.from_records(intervals, limit_ns)

        def best() -> OperationEvidence:
            best_intervals = at_best(intervals, unreliable_slices_of(intervals, limit_ns).any)
            total = best_intervals.total()
            return replace(
                operation, intervals=best_intervals, record=total, computed_results={}, _effects={}
            )

        return validity, best if validity.doubtful else None

    validity, best = generator_at(late_limit_ns(intervals.thresholds_ns))
    return replace(operation, validity=validity, load_at_best=best, generator_at=generator_at)


def smallest_threshold_ns(budget: Budget, operation: str) -> int | None:
    """Return the smallest time limit in ns of a budget for an operation; None for kinds without time limits.
    For an operation of a transaction it is its share of the window if operations follow each other.
    """
    match budget:
        case ExceedanceBudget():
            return min(limit.threshold_ns for limit in budget.limits)
        case PercentileBudget():
            return min(limit.below_ns for limit in budget.limits)
        case TransactionBudget():
            return budget.reads_window_ns // (1 if operation == TRANSACTION else budget.plan.depth)
        case _:
            return None


@dataclass(frozen=True, eq=False)
class RunEvidence:
    """Evidence of one run, by which budgets are judged. `rates` are averages over the run, by the names in
    `QUANTITIES`. `completed` is whether the run reached its end at its load (false: the measured system could
    not keep up), None if unknown; `completion_text` describes how it ended.
    """

    operations: tuple[OperationEvidence, ...]
    measured_ns: int = 0
    rates: Mapping[str, RateBounds] = field(default_factory=dict)
    completed: bool | None = None
    completion_text: str = ""
    unknown: tuple[str, ...] = ()
    """Names of facts that every verdict needs and the source does not state (`unknown_conditions`)."""
    as_recorded: "RunEvidence | None" = None
    """The run as recorded, if this evidence has its unreliable slices at their best; else None."""
    is_published: bool = False
    """Whether this is a published summary of a whole test instead of a record of it."""

    def __post_init__(self) -> None:
        for name in self.rates:
            if name not in QUANTITIES:
                raise EvidenceInvalid(f"a rate is one of {', '.join(QUANTITIES)}, not {name!r}")

    def of(self, operation: str, clock: str | None = None) -> OperationEvidence | None:
        """Return an operation by a clock, for None by the first recorded of `CLOCKS`; None if unmeasured."""
        matches = [
            entry
            for entry in self.operations
            if entry.operation == operation and clock in (None, entry.clock)
        ]
        return min(matches, key=lambda entry: CLOCKS.index(entry.clock), default=None)

    def for_budget(self, budget: Budget) -> "RunEvidence":
        """Return the run with slices judged by the lateness that the budget tolerates; itself if equal."""
        operations = tuple(
            operation
            if (threshold_ns := smallest_threshold_ns(budget, operation.operation)) is None
            else operation.with_late_limit(late_limit_of_question(threshold_ns))
            for operation in self.operations
        )
        if all(new is old for new, old in zip(operations, self.operations, strict=True)):
            return self
        return replace(self, operations=operations)

    @property
    def has_unreliable_slices(self) -> bool:
        """Whether any slice of any operation is unreliable."""
        return any(operation.load_at_best is not None for operation in self.operations)

    @cached_property
    def at_best(self) -> "RunEvidence":
        """The same run with every operation of unreliable slices as fast as possible."""
        best = tuple(operation.at_best for operation in self.operations)
        return replace(self, operations=best, as_recorded=self.as_recorded or self)

    @cached_property
    def mean_bounds_ns(self) -> Mapping[str, tuple[float, float] | None]:
        """Smallest and largest mean in ns of any operation, by clock; None if any is unknown."""
        bounds: dict[str, tuple[float, float] | None] = {}
        for operation in self.operations:
            mean, so_far = operation.record.mean_ns, bounds.get(operation.clock, (math.inf, 0.0))
            bounds[operation.clock] = (
                None if mean is None or so_far is None else (min(mean[0], so_far[0]), max(mean[1], so_far[1]))
            )
        return bounds

    @property
    def lasted_ns(self) -> int:
        """Duration of the run in ns, else of its longest operation; 0 if neither is known."""
        return self.measured_ns or max((operation.measured_ns for operation in self.operations), default=0)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the measured operations, whole transactions included, each once."""
        return tuple(dict.fromkeys(operation.operation for operation in self.operations))

    @property
    def load(self) -> GeneratedLoad:
        """Load of the first operation whose load was not as intended, else of the first operation."""
        loads = [operation.load for operation in self.operations]
        unintended = [load for load in loads if load.is_too_little or load.is_too_much]
        return (unintended or loads or [GeneratedLoad(None, 0)])[0]
