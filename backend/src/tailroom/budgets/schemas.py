"""API schemas of budgets. Integer nanoseconds, ratios from 0 to 1.

Only types and names are checked here; the domain checks the rules between fields.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from tailroom.domain.transactions.plan import STAGES_PER_PLAN, WEIGHTS_PER_PLAN
from tailroom.domain.units import NS_PER_HOUR
from tailroom.domain.verdicts.budget_kinds import Clock
from tailroom.kit.outside_types import LINE, LOOKUP, NAME, TEXT, FiniteFloat

WholeNumber = Annotated[int, Field(strict=True, ge=-(2**63), lt=2**63)]
Number = Annotated[FiniteFloat, Field(strict=True)]
Name = Annotated[str, Field(max_length=100, description="lower-case words joined by hyphens"), LOOKUP]
OperationName = Annotated[str, Field(min_length=1, max_length=100), LINE]
Objective = Annotated[
    str,
    Field(
        min_length=1,
        max_length=300,
        description="such as `p99 get < 10ms`, `99.9% read < 1ms`, `p99.9 < 5ms`",
    ),
    LOOKUP,
]


class _Document(BaseModel):
    """Base of budget documents: unknown fields and other types are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class RandomCountDocument(_Document):
    """A random number of operations."""

    weights: dict[str, Number] = Field(
        max_length=WEIGHTS_PER_PLAN, description="count → its share of all transactions; together 1"
    )


class StageDocument(_Document):
    """One stage of a transaction; stages follow each other."""

    operation: OperationName = "read"
    count: WholeNumber | RandomCountDocument = Field(description="operations in this stage, 1 at least")
    fan_out: WholeNumber = Field(1, description="operations under way at the same time, 1 at least")
    scheduling: Literal["sequential", "parallel", "waves", "pool"] | None = Field(
        None,
        description="default: sequential for a fan-out of 1, parallel where all are at once, else pool",
    )
    overhead_ns: WholeNumber = Field(0, description="constant time of the stage besides its operations")


class PlanDocument(_Document):
    """The stages of a transaction."""

    stages: list[StageDocument] = Field(min_length=1, max_length=STAGES_PER_PLAN)


class LimitDocument(_Document):
    """Strictly less than `ratio` of the operations may take `threshold_ns` or longer."""

    threshold_ns: WholeNumber
    ratio: Number


class QuantileLimitDocument(_Document):
    """At least the share `quantile` of the operations must take less than `below_ns`."""

    quantile: Number
    below_ns: WholeNumber


class FloorDocument(_Document):
    """A rate (`quantity`) whose average over the run must be greater than `above`, per second."""

    quantity: Literal["operations_per_s", "disk_bytes_per_s", "network_bits_per_s"]
    above: Number


class CertificationDocument(_Document):
    """For `duration_ns`, every full slice of `slice_ns` must be within the limits."""

    duration_ns: WholeNumber
    slice_ns: WholeNumber = Field(NS_PER_HOUR, description="default: an hour")
    decides: bool = Field(False, description="the verdict requires it; else it is only reported")


class _Named(_Document):
    """Fields that every budget has: its name and version, and texts for people."""

    name: Name
    version: WholeNumber = 1
    title: Annotated[str, Field(max_length=200), NAME] = ""
    question: Annotated[str, Field(max_length=1000), TEXT] = ""


class TransactionDocument(_Named):
    """A share `objective_ratio` of transactions must end within the window less the reserve."""

    kind: Literal["transaction"]
    plan: PlanDocument
    window_ns: WholeNumber
    reserve_ns: WholeNumber = 0
    objective_ratio: Number


class ExceedanceDocument(_Named):
    """Limits on the shares of slow operations. `clock` is the kind of time that is judged; null: the first
    recorded of response, service, operation and queue.
    """

    kind: Literal["exceedance"]
    operation: OperationName
    clock: Clock | None = None
    limits: list[LimitDocument] = Field(min_length=1, max_length=32)
    certification: CertificationDocument | None = None


class PercentileDocument(_Named):
    """Shares of operations that must take less than a time each. `clock` is the kind of time that is judged;
    null: the first recorded of response, service, operation and queue.
    """

    kind: Literal["percentile"]
    operation: OperationName
    clock: Clock | None = None
    limits: list[QuantileLimitDocument] = Field(min_length=1, max_length=32)


class ThroughputDocument(_Named):
    """Floors of rates that the averages of a run must exceed."""

    kind: Literal["throughput"]
    floors: list[FloorDocument] = Field(min_length=1, max_length=16)


class CompletionDocument(_Named):
    """The run must last `duration_ns` and reach its end at its load, however slow single operations are."""

    kind: Literal["completion"]
    duration_ns: WholeNumber


class RuleSetDocument(_Named):
    """Several budgets that must all be kept."""

    kind: Literal["rule_set"]
    criteria: list["CriterionDocument"] = Field(min_length=1, max_length=32)


CriterionDocument = Annotated[
    TransactionDocument | ExceedanceDocument | PercentileDocument | ThroughputDocument | CompletionDocument,
    Field(discriminator="kind"),
]
BudgetDocument = Annotated[
    TransactionDocument
    | ExceedanceDocument
    | PercentileDocument
    | ThroughputDocument
    | CompletionDocument
    | RuleSetDocument,
    Field(discriminator="kind"),
]

Workload = Annotated[str, Field(min_length=1, max_length=100), LINE]


class BudgetIn(_Document):
    """A new budget, or a new version of a budget."""

    document: BudgetDocument
    applies_to: list[Workload] = Field(
        default_factory=list,
        max_length=32,
        description="workloads whose runs are judged by it from now on; empty: only for questions",
    )


class BudgetItemOut(BaseModel):
    """One version of one budget."""

    document: BudgetDocument
    built_in: bool
    applies_to: list[str] = Field(description="workloads whose runs are judged by it")
    is_newest: bool = Field(description="there is no later version of this name")
    created_at: datetime | None = Field(description="null for built-in budgets")


class BudgetsOut(BaseModel):
    """Every budget for questions: the built-in budgets, then the organisation's own by name."""

    items: list[BudgetItemOut]
    json_schema: dict[str, Any] = Field(description="JSON schema of a budget document")
