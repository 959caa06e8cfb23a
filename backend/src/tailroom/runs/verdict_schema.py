"""Verdicts over HTTP: the question, the certain bounds, and the data that would decide the rest.

Separate from the analysis that computes it, so that a run can show verdicts without knowing how they
are made.
Units: integer nanoseconds, ratios from 0 to 1.
"""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

VerdictWord = Literal["PASS", "FAIL", "INDETERMINATE"]
VerdictStrength = Literal["proven", "observed"]
VerdictReason = Literal["resolution", "samples", "dependence", "duration", "generator", "metadata"]


class _Schema(BaseModel):
    model_config = ConfigDict(extra="forbid")


class BudgetOut(_Schema):
    """The SLA that was judged."""

    name: str
    version: int
    title: str
    question: str


class ExceedanceRowOut(_Schema):
    """Share of operations at or above one threshold, against its limit. Misses count as over."""

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
    """Whether the run was long enough for a certification, and what it would say."""

    required_duration_ns: int
    measured_duration_ns: int
    verdict: VerdictWord
    strength: VerdictStrength | None = None
    words: str | None = None
    reason_text: str | None


class ExceedanceVerdictOut(_Schema):
    """The exceedance part of a verdict."""

    operation: str
    clock: str
    rows: list[ExceedanceRowOut]
    certification: CertificationOut | None


class MeasuredTransactionsOut(_Schema):
    """Whole transactions as they were measured, beside the model."""

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
    reads: int | None = Field(None, description="of each; another number where evidence was transferred")
    contradicts_model: bool | None = Field(None, description="the model is refuted for this run")
    is_asked: bool = Field(True, description="they followed the plan that is asked about, not one beside it")
    plan_text: str | None = Field(None, description="the plan of each: how many reads, how many at a time")
    largest_gap: float | None = Field(
        None, description="between the model's band and the measured one (95 %), over all times; 0: none"
    )
    largest_gap_at_ns: int | None = None


class CdfPointOut(_Schema):
    """Probability that a transaction takes at most `t_ns`."""

    t_ns: int
    lower: float
    estimate: float
    upper: float


class TransactionVerdictOut(_Schema):
    """The transaction part of a verdict: P(all reads within the window), with bounds."""

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
    p_lower_confident: float | None = Field(description="the same, sampling error included")
    p_upper_confident: float | None = Field(None, description="possible, sampling error included")
    quantile_lower_ns: int | None
    quantile_upper_ns: int | None
    evidence: Literal["model", "measured"] | None = Field(
        description="what verdict and room rest on: the model of single reads, or measured transactions"
    )
    room_lower_ns: int | None
    room_upper_ns: int | None
    n_guaranteed: int | None = Field(
        description="count of the one stage that fits for certain in this run; null where no limit was found"
    )
    n_possible: int | None = Field(description="the same at best; null where no limit was found")
    n_text: str | None = Field(None, description="both as a person reads them")
    samples: int
    blocks: int | None = Field(None, description="transactions' worth of operations; null before method 8")
    measured: MeasuredTransactionsOut | None
    models: dict[str, Any] | None = Field(
        None,
        description="bounds by model: independent, interval_mixture, measured, worst_case; the figures above "
        "are those of the interval mixture where there is one",
    )
    cdf: list[CdfPointOut] = Field(description="band of all operations thrown together, as independent")


class ValidityOut(_Schema):
    """How many slices of the judged operations are unreliable because of the generator (docs/adr/0017)."""

    slices: int = Field(description="of the operation with most unreliable ones")
    doubtful: int = Field(description="late or busy: they cannot prove a FAIL")
    late: int = Field(description="one operation in a hundred began later than `late_limit_ns`")
    busy: int = Field(description="a measuring thread used more than 70 % of the time")
    lateness_p99_ns: int | None = Field(description="largest; null where nobody noted it")
    busy_ratio: float | None = Field(description="largest; null where nobody noted it")
    late_limit_ns: int | None = Field(
        None, description="from which on the question counts a slice as late; null where it has no threshold"
    )
    is_known: bool = Field(description="false: the record says nothing about its generator over time")


class HeadlineOut(_Schema):
    """What this run shows as bounds, beside what was asked; the same wherever it is shown."""

    text: str = Field(description="one line: the interval and what was asked")
    lower: float | None = Field(description="lower bound in this run, in `unit`")
    upper: float | None = Field(description="upper bound in this run, in `unit`")
    asked: float | None = Field(description="limit or objective, in `unit`")
    unit: Literal["ratio", "per_s", "ns"] | None
    basis: Literal["measured", "model", "counted"] | None = Field(
        description="what the interval rests on; model: operations of one slice taken as independent"
    )


class ScopeOut(_Schema):
    """The answer in one scope: for this run (observed) or for the next one (proven, with 95 % confidence)."""

    verdict: VerdictWord
    lower: float | None = Field(description="in the unit of the headline; null of rates, ends and rule sets")
    upper: float | None


class WayOut(_Schema):
    """One way to the missing evidence, with its amount."""

    way: Literal[
        "exact_calculation", "percentile", "exact_counter", "operations", "measured_transactions", "time"
    ]
    amount: float = Field(description="in `unit`; of counts and times what is needed on top")
    unit: Literal["ratio", "ns", "count"]
    text: str


class EvidenceMeterOut(_Schema):
    """How much of the evidence there is that would decide or prove a case."""

    share: float | None = Field(description="0 to 1: effective / needed; null where nothing says how much")
    effective: float | None = Field(description="independent samples so far")
    needed: float | None = Field(description="independent samples that decide at the share seen so far")
    unit: Literal["operations", "transactions"]
    ways: list[WayOut] = Field(description="the cheapest first")


class VerdictOut(_Schema):
    """One budget judged on one run by one version of the method."""

    verdict_id: UUID
    budget: BudgetOut
    kind: Literal["transaction", "exceedance", "percentile", "throughput", "completion", "rule_set"]
    verdict: VerdictWord
    strength: VerdictStrength | None = Field(
        None, description="how far it carries; null where undecided, and of verdicts by a method before 8"
    )
    words: str | None = Field(
        None, description="verdict and strength as a person reads them; while the run goes on “PASS so far”"
    )
    observed: ScopeOut | None = Field(None, description="what this run shows; null by a method before 8")
    proven: ScopeOut | None = Field(None, description="what it proves; null by a method before 8")
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
        None, description="null where no latency was judged, and of verdicts from before it was noted"
    )
    exceedance: ExceedanceVerdictOut | None
    transaction: TransactionVerdictOut | None
    rows: list[dict[str, Any]] = Field(
        default_factory=list, description="limits and floors beside what was measured, in the unit of each"
    )
    criteria: list[dict[str, Any]] = Field(default_factory=list, description="verdicts of a rule set's parts")
