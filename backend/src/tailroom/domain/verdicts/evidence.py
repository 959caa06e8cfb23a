"""What a verdict is reached from: records of operations, their course, rates, and how the run ended.

Whoever has measurements (a stored run, an imported file, a distribution that somebody sends) brings them into
this form; `judge_budget` needs nothing else. What is not known is none and never guessed.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from tailroom.domain.confidence.effective_samples import DesignEffect, design_effect
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.at_best import at_best
from tailroom.domain.latency.intervals import IntervalRecords, SliceTooShort
from tailroom.domain.latency.record import LatencyRecord
from tailroom.domain.transactions.confidence import DesignEffectAt
from tailroom.domain.units import NS_PER_HOUR
from tailroom.domain.verdicts.budget_kinds import CLOCKS, QUANTITIES
from tailroom.domain.verdicts.generator import Generation
from tailroom.domain.verdicts.validity import Validity, doubts_of_records

TRANSACTION = "transaction"
"""Name of the operation that is a whole transaction."""


class EvidenceInvalid(DomainError):
    """Evidence that cannot be: a clock without a name, a rate below its own lower end."""


@dataclass(frozen=True, slots=True)
class RateBounds:
    """A rate per second that is known only between two ends (equal where it is exact)."""

    lower: float
    upper: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.lower <= self.upper < math.inf:
            raise EvidenceInvalid(f"a rate between {self.lower} and {self.upper} does not exist")


@dataclass(frozen=True, slots=True)
class HourSlice:
    """Counts of one full slice: `over[i]` operations at or over the i-th limit, misses included.

    `certain` are the counts that are sure where buckets leave a doubt; none: `over` is exact.
    """

    start_ns: int
    total: int
    over: tuple[int, ...]
    certain: tuple[int, ...] | None = None


@dataclass(frozen=True, eq=False)
class OperationEvidence:
    """One operation on one clock.

    `intervals` holds the same operations in consecutive pieces; none where no course over time is known. Then
    there is no mixture, and every operation counts as an independent sample. `load_intervals` may stand in
    for it, to be called when somebody asks. `effects` and `hours` may be given by those who can tell them
    without reading every bucket. `validity` says how many stretches of it are in doubt, and `load_at_best`
    gives the same operation with all of these at their best; none: there is nothing to doubt.
    """

    operation: str
    clock: str
    record: LatencyRecord
    intervals: IntervalRecords | None = None
    generation: Generation = field(default_factory=lambda: Generation(None, 0))
    closed_loop: bool = False
    measured_ns: int = 0
    reads_per_transaction: int | None = None
    """Of measured whole transactions: how many reads, one after another, each of them had."""
    load_intervals: Callable[[], IntervalRecords | None] | None = None
    effects: DesignEffectAt | None = None
    hours: Callable[[Sequence[int]], Sequence[HourSlice]] | None = None
    validity: Validity = field(default_factory=Validity)
    load_at_best: Callable[[], "OperationEvidence"] | None = None
    _effects: dict[int, DesignEffect] = field(default_factory=dict)
    _by_counts: dict[bytes, DesignEffect] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.clock not in CLOCKS:
            raise EvidenceInvalid(f"a clock is one of {', '.join(CLOCKS)}, not {self.clock!r}")
        if self.measured_ns < 0:
            raise EvidenceInvalid(f"a run cannot last {self.measured_ns} ns")

    @cached_property
    def course(self) -> IntervalRecords | None:
        """The pieces, read now where they have not been; none where no course over time is known."""
        if self.intervals is not None or self.load_intervals is None:
            return self.intervals
        return self.load_intervals()

    @property
    def has_course(self) -> bool:
        """Whether pieces may be there; nothing is read for the answer."""
        return self.intervals is not None or self.load_intervals is not None

    @cached_property
    def at_best(self) -> "OperationEvidence":
        """The same operation with every stretch in doubt at its best; itself where none is.

        Stretches at their best may hide how much slow operations clump, so the worse of both effects counts.
        """
        if self.load_at_best is None:
            return self
        best = self.load_at_best()

        def effect_at(threshold_ns: int) -> DesignEffect:
            both = self.effect_at(threshold_ns), best.effect_at(threshold_ns)
            return max(both, key=lambda one: one.factor)

        return replace(
            best,
            operation=self.operation,
            effects=effect_at,
            load_at_best=None,
            _effects={},
            _by_counts={},
        )

    @property
    def load(self) -> Generation:
        """Whether the intended load was applied, and by a generator that did not wait."""
        return replace(self.generation, closed_loop=self.closed_loop or self.generation.closed_loop)

    def effect_at(self, threshold_ns: int) -> DesignEffect:
        """How operations at or over a threshold clump over time; factor 1 where no course is known."""
        if threshold_ns not in self._effects:
            self._effects[threshold_ns] = self._effect(threshold_ns)
        return self._effects[threshold_ns]

    def full_slices(self, thresholds_ns: Sequence[int], length_ns: int = NS_PER_HOUR) -> Sequence[HourSlice]:
        """Every full slice of a length from the start of the run; none where no course is known."""
        if self.hours is not None and length_ns == NS_PER_HOUR:
            return self.hours(thresholds_ns)
        if self.course is None:
            return ()
        try:
            slices = self.course.sliced(length_ns, full_only=True)
        except SliceTooShort:
            return ()
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

    def full_hours(self, thresholds_ns: Sequence[int]) -> Sequence[HourSlice]:
        """Every full hour from the start of the run."""
        return self.full_slices(thresholds_ns)

    def _effect(self, threshold_ns: int) -> DesignEffect:
        if self.effects is not None:
            return self.effects(threshold_ns)
        if self.course is None:
            return DesignEffect()
        over = self.course.over(threshold_ns)[1]
        # Times inside one bucket have the same counts, and few buckets have many times.
        key = over.tobytes()
        if key not in self._by_counts:
            self._by_counts[key] = design_effect(over, self.course.totals)
        return self._by_counts[key]


def doubting(one: OperationEvidence) -> OperationEvidence:
    """The same operation, its pieces doubted by what they say of their generator; as it is without pieces."""
    pieces = one.intervals
    if pieces is None:
        return one
    validity = Validity.of_records(pieces)

    def best() -> OperationEvidence:
        intervals = at_best(pieces, doubts_of_records(pieces).any)
        return replace(one, intervals=intervals, record=intervals.total(), _effects={}, _by_counts={})

    return replace(one, validity=validity, load_at_best=best if validity.doubtful else None)


@dataclass(frozen=True, eq=False)
class RunEvidence:
    """Everything of one run that a budget can be held against.

    `rates` are averages over the run by the names in `QUANTITIES`. `completed` says whether the run reached
    its end at its load (false: the measured thing could not keep up), none where that is not known;
    `completion_text` says in words how it ended.
    """

    operations: tuple[OperationEvidence, ...]
    measured_ns: int = 0
    rates: Mapping[str, RateBounds] = field(default_factory=dict)
    completed: bool | None = None
    completion_text: str = ""

    def __post_init__(self) -> None:
        for name in self.rates:
            if name not in QUANTITIES:
                raise EvidenceInvalid(f"a rate is one of {', '.join(QUANTITIES)}, not {name!r}")

    def of(self, operation: str, clock: str | None = None) -> OperationEvidence | None:
        """An operation on a clock, or on the one that verdicts prefer; none where it was not measured."""
        found = [one for one in self.operations if one.operation == operation and clock in (None, one.clock)]
        return min(found, key=lambda one: CLOCKS.index(one.clock), default=None)

    @property
    def has_doubts(self) -> bool:
        """Whether any stretch of any operation is in doubt."""
        return any(one.load_at_best is not None for one in self.operations)

    @cached_property
    def at_best(self) -> "RunEvidence":
        """The same run with every stretch in doubt at its best."""
        return replace(self, operations=tuple(one.at_best for one in self.operations))

    @property
    def lasted_ns(self) -> int:
        """How long the run was measured, or its longest operation where nobody says."""
        return self.measured_ns or max((one.measured_ns for one in self.operations), default=0)

    @property
    def names(self) -> tuple[str, ...]:
        """Operations on record, each once."""
        return tuple(dict.fromkeys(one.operation for one in self.operations))

    @property
    def load(self) -> Generation:
        """What makes the load of the whole run doubtful: the first operation's that is, else nothing."""
        loads = [one.load for one in self.operations]
        doubtful = [one for one in loads if one.is_too_little or one.is_too_much]
        return (doubtful or loads or [Generation(None, 0)])[0]
