"""The plan of a transaction: stages of an operation each, with counts and scheduling.

A plan is data and decides nothing; `plan_bounds` computes its time. Every stage names an operation that was
measured *as that operation*: a server-side batch (multi-get) of 25 records is the operation `batch-25` and
never 25 single reads, so a plan of batches needs a record of batches. "Up to 250 reads" is a plan of 250.
Source: docs/method.md section 1.4.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from tailroom.domain.errors import DomainError
from tailroom.domain.units import ceil_div, is_whole

STAGES_PER_PLAN = 32
WEIGHTS_PER_PLAN = 256
"""Most possible counts of all random counts of a plan; each costs a power of a distribution."""
COUNT_LIMIT = 1 << 20
"""Most operations of a stage; the search for the largest count ends here as well."""

_WEIGHT_TOLERANCE = 1e-9


class PlanInvalid(DomainError):
    """A stage or plan breaks a rule; the message names it."""


class OperationNotMeasured(DomainError):
    """A stage names an operation without a record."""


class Scheduling(StrEnum):
    """How the operations of a stage overlap in time."""

    SEQUENTIAL = "sequential"
    """One operation after the other; the time is their sum."""
    PARALLEL = "parallel"
    """All operations at once; the time is that of the slowest."""
    WAVES = "waves"
    """`fan_out` operations at once, the next wave when all of them have returned: a sum of maxima."""
    POOL = "pool"
    """`fan_out` at once, the next operation as soon as any has returned (work-conserving list scheduling)."""


def default_scheduling(fan_out: int, count: int) -> Scheduling:
    """Return the scheduling of a stage by its fan-out; a pool's bounds contain those of waves."""
    if fan_out <= 1:
        return Scheduling.SEQUENTIAL
    return Scheduling.PARALLEL if fan_out >= count else Scheduling.POOL


@dataclass(frozen=True, slots=True)
class RandomCount:
    """A random number of operations: the probability of each possible count, sorted by count. Raise
    PlanInvalid for counts or probabilities out of range, or if the probabilities do not add up to 1.
    """

    weights: Mapping[int, float]

    def __post_init__(self) -> None:
        if not self.weights:
            raise PlanInvalid("a random count needs at least one possible number of operations")
        for count, weight in self.weights.items():
            _check_count(count)
            if not (math.isfinite(weight) and 0.0 <= weight <= 1.0):
                raise PlanInvalid(f"the probability of {count} operations is {weight}, outside 0 to 1")
        total = math.fsum(self.weights.values())
        if abs(total - 1.0) > _WEIGHT_TOLERANCE:
            raise PlanInvalid(f"the probabilities of the counts add up to {total}, not to 1")
        object.__setattr__(self, "weights", MappingProxyType(dict(sorted(self.weights.items()))))

    def __hash__(self) -> int:
        return hash(tuple(self.weights.items()))

    @property
    def largest(self) -> int:
        """Largest number of operations with a probability over 0."""
        return max(count for count, weight in self.weights.items() if weight > 0.0)

    @property
    def mean(self) -> float:
        """Mean number of operations, weighted by probability."""
        return math.fsum(count * weight for count, weight in self.weights.items())


@dataclass(frozen=True, slots=True)
class Stage:
    """`count` operations, at most `fan_out` at once, and a constant `overhead_ns`. Raise PlanInvalid for a
    value out of range, or a fan-out or count that the scheduling does not allow.
    """

    operation: str
    count: int | RandomCount
    fan_out: int = 1
    scheduling: Scheduling = Scheduling.SEQUENTIAL
    overhead_ns: int = 0

    def __post_init__(self) -> None:
        if not self.operation:
            raise PlanInvalid("a stage needs the name of an operation")
        try:
            object.__setattr__(self, "scheduling", Scheduling(self.scheduling))
        except ValueError as error:
            allowed = ", ".join(Scheduling)
            raise PlanInvalid(f"scheduling {self.scheduling!r} is none of {allowed}") from error
        if not isinstance(self.count, RandomCount):
            _check_count(self.count)
        if not is_whole(self.fan_out) or self.fan_out < 1:
            raise PlanInvalid(f"a stage needs a fan-out of at least 1, not {self.fan_out}")
        if not is_whole(self.overhead_ns) or self.overhead_ns < 0:
            raise PlanInvalid(f"an overhead is a whole number of ns from 0 on, not {self.overhead_ns}")
        self._check_fan_out()

    @property
    def largest_count(self) -> int:
        """The count, or the largest count of a random count with a probability over 0."""
        return self.count.largest if isinstance(self.count, RandomCount) else self.count

    @property
    def effective(self) -> Scheduling:
        """Scheduling without degenerate cases: sequential for one operation at once, parallel for all."""
        if self.scheduling in (Scheduling.SEQUENTIAL, Scheduling.PARALLEL):
            return self.scheduling
        if self.fan_out == 1:
            return Scheduling.SEQUENTIAL
        if self.fan_out >= self.largest_count:
            return Scheduling.PARALLEL
        return self.scheduling

    @property
    def depth(self) -> int:
        """Least number of operations in sequence: all, 1 if parallel, else count / fan-out rounded up."""
        match self.effective:
            case Scheduling.SEQUENTIAL:
                return self.largest_count
            case Scheduling.PARALLEL:
                return 1
            case _:
                return ceil_div(self.largest_count, self.fan_out)

    def _check_fan_out(self) -> None:
        if self.scheduling is Scheduling.SEQUENTIAL and self.fan_out != 1:
            raise PlanInvalid(f"a sequential stage has a fan-out of 1, not {self.fan_out}")
        if self.scheduling is Scheduling.PARALLEL and 1 < self.fan_out < self.largest_count:
            raise PlanInvalid(
                f"a parallel stage starts all {self.largest_count} operations at once; "
                f"with a fan-out of {self.fan_out} it is scheduled in waves or by a pool"
            )
        if isinstance(self.count, RandomCount) and self.scheduling is Scheduling.POOL:
            raise PlanInvalid("a pool needs a certain number of operations, not a random one")


@dataclass(frozen=True, slots=True)
class Plan:
    """Stages that follow each other, whose times add up. Raise PlanInvalid for no stages, more than 32
    stages, or more than 256 possible random counts together.
    """

    stages: tuple[Stage, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "stages", tuple(self.stages))
        if not self.stages:
            raise PlanInvalid("a plan needs at least one stage")
        if len(self.stages) > STAGES_PER_PLAN:
            raise PlanInvalid(f"a plan has at most {STAGES_PER_PLAN} stages, not {len(self.stages)}")
        counts = [stage.count for stage in self.stages if isinstance(stage.count, RandomCount)]
        weights = sum(len(count.weights) for count in counts)
        if weights > WEIGHTS_PER_PLAN:
            raise PlanInvalid(
                f"the random counts of a plan have at most {WEIGHTS_PER_PLAN} possible numbers together, "
                f"not {weights}"
            )

    @staticmethod
    def sequential(operation: str, count: int) -> "Plan":
        """Return a plan of `count` sequential operations."""
        return Plan((Stage(operation, count),))

    @property
    def operations(self) -> tuple[str, ...]:
        """Names of the operations, each once, in the order of the stages."""
        return tuple(dict.fromkeys(stage.operation for stage in self.stages))

    @property
    def overhead_ns(self) -> int:
        """Sum of the constant overheads of all stages, in ns."""
        return sum(stage.overhead_ns for stage in self.stages)

    @property
    def largest_count(self) -> int:
        """Largest possible number of operations of all stages together."""
        return sum(stage.largest_count for stage in self.stages)

    def largest_count_of(self, operation: str) -> int:
        """Return the largest possible number of operations of this name."""
        return sum(stage.largest_count for stage in self.stages if stage.operation == operation)

    def mean_count_of(self, operation: str) -> float:
        """Return the mean number of operations of this name."""
        counts = [stage.count for stage in self.stages if stage.operation == operation]
        return sum(count.mean if isinstance(count, RandomCount) else float(count) for count in counts)

    @property
    def depth(self) -> int:
        """Least number of operations in sequence: the sum of the depths of all stages."""
        return sum(stage.depth for stage in self.stages)

    @property
    def has_pool(self) -> bool:
        """Whether any stage is a pool; a pool of one operation at a time, or of all at once, is none."""
        return any(stage.effective is Scheduling.POOL for stage in self.stages)

    @property
    def only_stage(self) -> Stage:
        """The stage of a plan with a single stage. Raise PlanInvalid for a plan of several stages."""
        if len(self.stages) != 1:
            raise PlanInvalid(f"a plan of {len(self.stages)} stages has no single number of operations")
        return self.stages[0]

    def with_count(self, count: int) -> "Plan":
        """Return the plan of the same single stage with another number of operations; a parallel stage stays
        parallel. Raise PlanInvalid for several stages or a count out of range.
        """
        stage = self.only_stage
        fan_out = 1 if stage.scheduling is Scheduling.PARALLEL else stage.fan_out
        return Plan((replace(stage, count=count, fan_out=fan_out),))

    def check_measured(self, measured: Mapping[str, object]) -> None:
        """Raise `OperationNotMeasured` if an operation of the plan is missing in `measured`."""
        for operation in self.operations:
            if operation not in measured:
                names = ", ".join(sorted(measured)) or "none"
                raise OperationNotMeasured(
                    f"{operation!r} was not measured (measured: {names}); no operation, and no batch, is "
                    f"derived from another"
                )


def _check_count(count: object) -> None:
    if not is_whole(count) or not 1 <= count <= COUNT_LIMIT:
        raise PlanInvalid(f"a stage has 1 to {COUNT_LIMIT} operations, not {count}")
