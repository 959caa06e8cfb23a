"""The kinds of budgets, each as data with the rules that it must obey.

A budget decides nothing by itself; `judge_budget` judges it by evidence. Strictness is part of a kind: *less
than* 5 % must be slow (exceedance), *at least* 99.9 % must be in time (transaction, percentile), a rate must
be *above* its floor (throughput). Units: whole nanoseconds, ratios from 0 to 1, rates per second. Every error
is a `BudgetInvalid` (or `PlanInvalid`) that names the broken rule. Source: docs/method.md sections 0, 1.4,
6.1.

Documents have every default written out, so equal budgets give equal documents, and a fingerprint identifies
a budget. `tailroom.budgets.documents` parses them.
"""

import hashlib
import json
import math
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal, get_args

from tailroom.domain.errors import DomainError
from tailroom.domain.transactions.plan import Plan, RandomCount
from tailroom.domain.units import NS_PER_HOUR, duration_text, is_whole, latency_text

Clock = Literal["response", "service", "operation", "queue"]
"""Which time of an operation was measured: `response` from its intended start, `service` from its submission,
`queue` between both, `operation` if the source does not state which.
"""
CLOCKS: tuple[Clock, ...] = get_args(Clock)
"""Clocks in the order in which a verdict prefers them: first the user's wait, then the service time."""

EVERY_OPERATION = "*"
"""In place of an operation's name: each recorded operation except whole transactions."""

OWN_OPERATION = "operation"
"""In place of an operation's name: the only operation of the run that fits (`other_tools.own_operations`)."""

OPERATIONS_PER_S = "operations_per_s"
DISK_BYTES_PER_S = "disk_bytes_per_s"
NETWORK_BITS_PER_S = "network_bits_per_s"
QUANTITIES = (OPERATIONS_PER_S, DISK_BYTES_PER_S, NETWORK_BITS_PER_S)
"""Names of the rates that may have a floor."""

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST_NS = 1 << 62


class BudgetInvalid(DomainError):
    """A budget that breaks a rule of its kind."""


@dataclass(frozen=True, slots=True)
class Limit:
    """Strictly less than `ratio` of the operations may take `threshold_ns` or longer."""

    threshold_ns: int
    ratio: float

    def __post_init__(self) -> None:
        _check_time("the threshold of a limit", self.threshold_ns)
        _check_ratio("the ratio of a limit", self.ratio)


@dataclass(frozen=True, slots=True)
class QuantileLimit:
    """At least the share `quantile` of the operations must take less than `below_ns`."""

    quantile: float
    below_ns: int

    def __post_init__(self) -> None:
        _check_ratio("the quantile of a limit", self.quantile)
        _check_time("the time of a limit", self.below_ns)


@dataclass(frozen=True, slots=True)
class Floor:
    """A rate (one of `QUANTITIES`) whose average over the run must lie strictly above `above`, per second."""

    quantity: str
    above: float

    def __post_init__(self) -> None:
        if self.quantity not in QUANTITIES:
            raise BudgetInvalid(f"a floor is set for one of {', '.join(QUANTITIES)}, not {self.quantity!r}")
        if not 0.0 <= self.above < math.inf:
            raise BudgetInvalid(f"a floor is a finite rate from 0 on, not {self.above}")


@dataclass(frozen=True, slots=True)
class Certification:
    """Every full slice of `slice_ns` must keep every limit by exact counts, for `duration_ns` without a gap.
    The verdict itself depends on it only with `decides`.
    """

    duration_ns: int
    slice_ns: int = NS_PER_HOUR
    decides: bool = False

    def __post_init__(self) -> None:
        _check_time("the duration of a certification", self.duration_ns)
        _check_time("the slice of a certification", self.slice_ns)
        if self.slice_ns > self.duration_ns:
            raise BudgetInvalid(
                f"a slice of {duration_text(self.slice_ns)} is longer than the certification of "
                f"{duration_text(self.duration_ns)}"
            )


@dataclass(frozen=True, slots=True)
class NamedBudget:
    """Name, version, title and question of a budget of any kind, and its kind, as in documents."""

    kind: ClassVar[str]
    name: str
    version: int
    title: str
    question: str


@dataclass(frozen=True, slots=True)
class ExceedanceBudget(NamedBudget):
    """Limits on the share of slow operations in a run and, for a certification, in every full slice of it.
    Without `clock` the operation is judged by the first of `CLOCKS` that was recorded.
    """

    kind: ClassVar[str] = "exceedance"
    operation: str
    limits: tuple[Limit, ...]
    certification: Certification | None = None
    clock: str | None = None

    def __post_init__(self) -> None:
        check_identity(self.name, self.version)
        _check_operation(self.operation, self.clock)
        _check_unique("limit", self.limits, [limit.threshold_ns for limit in self.limits])

    @property
    def certification_duration_ns(self) -> int:
        """Duration of a certifying run in ns; 0 without certification."""
        return self.certification.duration_ns if self.certification else 0

    @property
    def certification_slice_ns(self) -> int:
        """Length of the slices that must each keep the limits, in ns; an hour without certification."""
        return self.certification.slice_ns if self.certification else NS_PER_HOUR


@dataclass(frozen=True, slots=True)
class PercentileBudget(NamedBudget):
    """Latencies below which given shares of the operations must lie. Without `clock` the operation is judged
    by the first of `CLOCKS` that was recorded.
    """

    kind: ClassVar[str] = "percentile"
    operation: str
    limits: tuple[QuantileLimit, ...]
    clock: str | None = None

    def __post_init__(self) -> None:
        check_identity(self.name, self.version)
        _check_operation(self.operation, self.clock)
        _check_unique("limit", self.limits, [limit.quantile for limit in self.limits])


@dataclass(frozen=True, slots=True)
class TransactionBudget(NamedBudget):
    """The share `objective_ratio` of transactions must end their plan in the window less the reserve."""

    kind: ClassVar[str] = "transaction"
    plan: Plan
    window_ns: int
    objective_ratio: float
    reserve_ns: int = 0

    def __post_init__(self) -> None:
        check_identity(self.name, self.version)
        _check_time("the window", self.window_ns)
        if not is_whole(self.reserve_ns) or self.reserve_ns < 0:
            raise BudgetInvalid(f"the reserve is a whole number of ns from 0 on, not {self.reserve_ns}")
        if self.reserve_ns >= self.window_ns:
            raise BudgetInvalid(
                f"a reserve of {latency_text(self.reserve_ns)} leaves nothing of a window of "
                f"{latency_text(self.window_ns)}"
            )
        _check_ratio("the objective", self.objective_ratio)
        if self.plan.overhead_ns >= self.reads_window_ns:
            raise BudgetInvalid(
                f"overheads of {latency_text(self.plan.overhead_ns)} leave nothing of the "
                f"{latency_text(self.reads_window_ns)} "
                f"that a transaction may take"
            )

    @property
    def reads_window_ns(self) -> int:
        """Time in ns within which a transaction must end: the window less the reserve."""
        return self.window_ns - self.reserve_ns

    @property
    def reads(self) -> int:
        """Operations of all stages together, at most."""
        return self.plan.largest_count

    @property
    def read_operation(self) -> str:
        """The operation of the first stage."""
        return self.plan.stages[0].operation


@dataclass(frozen=True, slots=True)
class ThroughputBudget(NamedBudget):
    """Floors of rates that the averages of a run must exceed."""

    kind: ClassVar[str] = "throughput"
    floors: tuple[Floor, ...]

    def __post_init__(self) -> None:
        check_identity(self.name, self.version)
        _check_unique("floor", self.floors, [floor.quantity for floor in self.floors])


@dataclass(frozen=True, slots=True)
class CompletionBudget(NamedBudget):
    """The run must last `duration_ns` and reach its end at its load, however slow single operations are."""

    kind: ClassVar[str] = "completion"
    duration_ns: int

    def __post_init__(self) -> None:
        check_identity(self.name, self.version)
        _check_time("the duration", self.duration_ns)


Criterion = ExceedanceBudget | PercentileBudget | TransactionBudget | ThroughputBudget | CompletionBudget


@dataclass(frozen=True, slots=True)
class RuleSet(NamedBudget):
    """Several budgets: PASS if all pass, FAIL if any fails, else undecided."""

    kind: ClassVar[str] = "rule_set"
    criteria: tuple[Criterion, ...]

    def __post_init__(self) -> None:
        check_identity(self.name, self.version)
        _check_unique("criterion", self.criteria, [criterion.name for criterion in self.criteria])


Budget = Criterion | RuleSet


def check_identity(name: str, version: int) -> None:
    """Raise BudgetInvalid for a name that is not words joined by hyphens, or a version below 1."""
    if not _NAME.fullmatch(name) or len(name) > 100:
        raise BudgetInvalid(
            f"a budget's name is lower-case words joined by hyphens, 100 characters at most, not {name!r}"
        )
    if not is_whole(version) or version < 1:
        raise BudgetInvalid(f"versions are whole numbers from 1 on, not {version}")


def _check_operation(operation: str, clock: str | None) -> None:
    if not operation:
        raise BudgetInvalid("a budget needs the name of an operation")
    if clock is not None and clock not in CLOCKS:
        raise BudgetInvalid(f"a clock is one of {', '.join(CLOCKS)}, not {clock!r}")


def _check_unique(what: str, items: tuple[object, ...], keys: Sequence[object]) -> None:
    if not items:
        raise BudgetInvalid(f"a budget needs at least one {what}")
    twice = [key for position, key in enumerate(keys) if key in keys[:position]]
    if twice:
        raise BudgetInvalid(f"more than one {what} for {twice[0]}")


def _check_time(what: str, time_ns: int) -> None:
    if not is_whole(time_ns) or not 0 < time_ns <= _LONGEST_NS:
        raise BudgetInvalid(f"{what} must be a whole number of ns greater than 0, not {time_ns}")


def _check_ratio(what: str, ratio: float) -> None:
    if not 0.0 < ratio < 1.0:
        raise BudgetInvalid(f"{what} must lie between 0 and 1, not at {ratio}")


def document_of(budget: Budget) -> dict[str, Any]:
    """Return the JSON document of a budget with every default; a clock or certification only if set."""
    document: dict[str, Any] = {
        "kind": budget.kind,
        "name": budget.name,
        "version": budget.version,
        "title": budget.title,
        "question": budget.question,
    }
    match budget:
        case RuleSet():
            document["criteria"] = [document_of(criterion) for criterion in budget.criteria]
        case ExceedanceBudget() | PercentileBudget():
            document["operation"] = budget.operation
            if budget.clock:
                document["clock"] = budget.clock
            document["limits"] = [asdict(limit) for limit in budget.limits]
            if isinstance(budget, ExceedanceBudget) and budget.certification:
                document["certification"] = asdict(budget.certification)
        case TransactionBudget():
            document["plan"] = plan_document(budget.plan)
            document["window_ns"] = budget.window_ns
            document["reserve_ns"] = budget.reserve_ns
            document["objective_ratio"] = budget.objective_ratio
        case ThroughputBudget():
            document["floors"] = [asdict(floor) for floor in budget.floors]
        case CompletionBudget():
            document["duration_ns"] = budget.duration_ns
    return document


def plan_document(plan: Plan) -> dict[str, Any]:
    """Return the JSON document of a plan, with every default; the counts of a random count become text."""
    return {
        "stages": [
            {
                "operation": stage.operation,
                "count": {"weights": {str(count): weight for count, weight in stage.count.weights.items()}}
                if isinstance(stage.count, RandomCount)
                else stage.count,
                "fan_out": stage.fan_out,
                "scheduling": stage.scheduling.value,
                "overhead_ns": stage.overhead_ns,
            }
            for stage in plan.stages
        ]
    }


def fingerprint(budget: Budget) -> str:
    """Return the SHA-256 of the budget's canonical JSON document, as hexadecimal digits."""
    canonical = json.dumps(document_of(budget), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()
