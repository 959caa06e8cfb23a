"""Facts of a single run that its plausibility checks need."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tailroom.domain.drive_counters.summary import DriveSummary
from tailroom.domain.latency.distribution import LatencyRecord
from tailroom.domain.plausibility.finding import NumberBounds
from tailroom.domain.transactions.plan import Plan


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredOperation:
    """An operation on a clock (which latency was measured), recorded over `measured_ns`. `intended` is the
    scheduled number of operations, None if not stated. `thresholds_ns` have exact counts.
    """

    operation: str
    clock: str
    record: LatencyRecord
    measured_ns: int
    intended: int | None = None
    thresholds_ns: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RunStatement:
    """A number that a file prints as a summary, with bounds in the unit that `quantity` ends with."""

    operation: str
    quantity: str
    printed: str
    lower: float
    upper: float
    quantile: float | None = None

    @property
    def ends(self) -> NumberBounds:
        """The bounds, with their mean as the value."""
        return NumberBounds.between(self.lower, self.upper)


@dataclass(frozen=True, slots=True, eq=False)
class RunFacts:
    """The facts of a run that the checks need. None: not stated."""

    tool: str | None = None
    tool_version: str | None = None
    is_certification_test: bool = False
    closed_loop: bool = False
    is_finished: bool = True
    measured_ns: int = 0
    operations: tuple[MeasuredOperation, ...] = ()
    statements: tuple[RunStatement, ...] = ()
    contradictions: tuple[tuple[str, str], ...] = ()
    """Pairs of the operation with its clock, and the reason why its counts are those of no distribution."""
    in_flight_most: float | None = None
    """Most operations that the client can have in flight."""
    operation_bytes: Mapping[str, float] = field(default_factory=dict)
    """Payload in bytes of one operation, by its name."""
    link_bits_per_s: float | None = None
    issued: Plan | None = None
    """Plan that each measured transaction followed."""
    drives: tuple[DriveSummary, ...] = ()
    """Counters of the measured drives."""
