"""API schemas of verdicts. Units: integer nanoseconds, ratios from 0 to 1."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

VerdictWord = Literal["PASS", "FAIL", "INDETERMINATE"]
VerdictStrength = Literal["proven", "observed"]
VerdictReason = Literal["resolution", "samples", "dependence", "duration", "generator", "metadata"]


class _Schema(BaseModel):
    """Base of schemas of verdicts; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class BudgetOut(_Schema):
    """The SLA by which a run was judged."""

    name: str
    version: int
    title: str
    question: str


class ExceedanceRowOut(_Schema):
    """Share of operations at or over a threshold, and its limit; failed or unfinished operations are over."""

    threshold_ns: int
    limit_ratio: float
    over_count: int
    total_count: int
    ratio: float | None
    ratio_lower: float | None = Field(description="confidence included")
    ratio_upper: float | None = Field(description="confidence included")
    share_lower: float | None = Field(None, description="in this run, by its buckets alone")
    share_upper: float | None = Field(None, description="in this run, by its buckets alone")
    verdict: VerdictWord
    strength: VerdictStrength | None = None
    words: str | None = None


class CertificationOut(_Schema):
    """Whether the run was long enough for a certification, and whether it passes one."""

    required_duration_ns: int
    measured_duration_ns: int
    verdict: VerdictWord
    strength: VerdictStrength | None = None
    words: str | None = None
    reason_text: str | None


class ExceedanceVerdictOut(_Schema):
    """The part of a verdict on shares of slow operations: a row for each limit."""

    operation: str
    clock: str
    rows: list[ExceedanceRowOut]
    certification: CertificationOut | None


class MeasuredTransactionsOut(_Schema):
    """Measured whole transactions, to compare with the model.

    `within_count` of `total_count` ended inside the window; bounds of ratio and quantile are with 95 %
    confidence. `dependence_factor` is the measured share of late transactions divided by the share that the
    model predicts; `variance_inflation` is the variance of their times divided by that of as many independent
    reads, about 1 if reads are independent.
    """

    operation: str
    clock: str
    within_count: int
    total_count: int
    ratio: float | None
    ratio_lower: float | None
    ratio_upper: float | None
    dependence_factor: float | None
    variance_inflation: float | None
    quantile_lower_ns: int | None
    quantile_upper_ns: int | None
    reads: int | None = Field(None, description="of each; differs from the plan for transferred evidence")
    contradicts_model: bool | None = Field(None, description="the model is refuted for this run")
    is_asked: bool = Field(True, description="they followed the plan of the budget, not another plan")
    plan_text: str | None = Field(None, description="the plan of each: how many reads, how many at a time")
    largest_gap: float | None = Field(
        None, description="between the model's band and the measured one (95 %), over all times; 0: none"
    )
    largest_gap_at_ns: int | None = None


class CdfPointOut(_Schema):
    """Probability that a transaction takes at most `t_ns`: bounds and best value."""

    t_ns: int
    lower: float
    estimate: float
    upper: float


class TransactionVerdictOut(_Schema):
    """The transaction part of a verdict: bounds of the probability that all reads end within the window.

    Quantiles are those of the transaction time at the objective. Room is window less reserve less time used,
    in ns. Null: without a bound, or not known.
    """

    reads: int = Field(description="operations of all stages together, at most")
    scheduling: Literal["sequential", "parallel", "waves", "pool", "plan"] = Field(
        description="of the only stage; plan: several stages"
    )
    plan: dict[str, Any] | None = Field(None, description="stages; null: sequential reads")
    window_ns: int
    reserve_ns: int
    objective_ratio: float
    p_lower: float | None = Field(description="least that buckets and model allow, before sampling error")
    p_estimate: float | None
    p_upper: float | None
    p_lower_confident: float | None = Field(description="lower bound, sampling error included")
    p_upper_confident: float | None = Field(None, description="upper bound, sampling error included")
    quantile_lower_ns: int | None
    quantile_upper_ns: int | None
    evidence: Literal["model", "measured"] | None = Field(
        description="basis of verdict and room: the model of single reads, or measured transactions"
    )
    room_lower_ns: int | None
    room_upper_ns: int | None
    n_guaranteed: int | None = Field(
        description="largest count of the only stage that fits for certain; null where no limit was found"
    )
    n_possible: int | None = Field(description="the same at best; null where no limit was found")
    n_text: str | None = Field(None, description="both counts as text")
    samples: int = Field(description="recorded operations, of the operation with the fewest")
    blocks: int | None = Field(None, description="operations in units of transactions; null before method 8")
    measured: MeasuredTransactionsOut | None
    models: dict[str, Any] | None = Field(
        None,
        description="bounds by model: independent, interval_mixture, measured, worst_case; the figures above "
        "are those of the interval mixture where there is one",
    )
    cdf: list[CdfPointOut] = Field(description="bounds if all operations were independent")


class ValidityOut(_Schema):
    """Slices of the judged operations that are unreliable (`doubtful`) because of the load generator."""

    slices: int = Field(description="of the operation with most unreliable ones")
    doubtful: int = Field(description="late or busy: they cannot prove a FAIL")
    late: int = Field(description="one operation in a hundred began later than `late_limit_ns`")
    busy: int = Field(description="a measuring thread used more than 70 % of the time")
    lateness_p99_ns: int | None = Field(description="largest p99 of lateness in a slice; null where unknown")
    busy_ratio: float | None = Field(
        description="largest share of a slice that a measuring thread used; null where unknown"
    )
    late_limit_ns: int | None = Field(
        None, description="lateness from which a slice counts as late; null for questions without threshold"
    )
    is_known: bool = Field(description="false: the generator was not recorded over time")


class HeadlineOut(_Schema):
    """The bounds that this run shows, and the limit or objective."""

    text: str = Field(description="one line: the interval and the limit or objective")
    lower: float | None = Field(description="lower bound in this run, in `unit`")
    upper: float | None = Field(description="upper bound in this run, in `unit`")
    asked: float | None = Field(description="limit or objective, in `unit`")
    unit: Literal["ratio", "per_s", "ns"] | None
    basis: Literal["measured", "model", "counted"] | None = Field(
        description="basis of the interval; model: operations of a slice assumed independent"
    )


class ScopeOut(_Schema):
    """The answer in one scope: for this run (observed) or for the next one (proven, with 95 % confidence)."""

    verdict: VerdictWord
    lower: float | None = Field(description="in the unit of the headline; null of rates, ends and rule sets")
    upper: float | None


class WayOut(_Schema):
    """A way to get the missing evidence, with its amount."""

    way: Literal[
        "exact_calculation", "percentile", "exact_counter", "operations", "measured_transactions", "time"
    ]
    amount: float = Field(description="in `unit`; for counts and times, the amount missing")
    unit: Literal["ratio", "ns", "count"]
    text: str


class EvidenceMeterOut(_Schema):
    """Collected share of the evidence that would decide or prove a verdict."""

    share: float | None = Field(description="0 to 1: effective / needed; null where unknown")
    effective: float | None = Field(description="independent samples so far")
    needed: float | None = Field(description="independent samples that decide at the share seen so far")
    unit: Literal["operations", "transactions"]
    ways: list[WayOut] = Field(description="the cheapest first")


class VerdictOut(_Schema):
    """One budget judged on one run by one version of the method.

    `stage` states the length of the run: `preview` below 6 h, `full` from 24 h, else `indicative`.
    `data_through_ns` is the end of the judged data since the start of the run; `provisional`: later data may
    change the verdict.
    """

    verdict_id: UUID
    budget: BudgetOut
    kind: Literal["transaction", "exceedance", "percentile", "throughput", "completion", "rule_set"]
    verdict: VerdictWord
    strength: VerdictStrength | None = Field(
        None, description="null where undecided, and of verdicts by a method before 8"
    )
    words: str | None = Field(
        None, description="verdict and strength as text; “PASS so far” before the run ends"
    )
    observed: ScopeOut | None = Field(None, description="for this run; null by a method before 8")
    proven: ScopeOut | None = Field(None, description="with 95 % confidence; null by a method before 8")
    reason: VerdictReason | None = Field(description="why it is undecided")
    unproven: VerdictReason | None = Field(None, description="why an observed verdict is not proven")
    reason_text: str | None
    decided_by: str | None = Field(
        description="the cheapest data that would decide or prove it; null where it is proven"
    )
    headline: HeadlineOut | None = Field(None, description="null of verdicts by a method before 3")
    meter: EvidenceMeterOut | None = Field(
        None, description="of a verdict that is not proven; null where it is, and by a method before 3"
    )
    stage: Literal["preview", "indicative", "full"]
    provisional: bool
    method_version: int
    computed_at: datetime
    data_through_ns: int
    validity: ValidityOut | None = Field(
        None, description="null where no latency was judged, and in old verdicts"
    )
    exceedance: ExceedanceVerdictOut | None
    transaction: TransactionVerdictOut | None
    rows: list[dict[str, Any]] = Field(
        default_factory=list, description="limits and floors with the measured values, in the unit of each"
    )
    criteria: list[dict[str, Any]] = Field(default_factory=list, description="verdicts of a rule set's parts")
