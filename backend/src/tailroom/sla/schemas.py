"""API schemas of answers about SLAs.

Times are integer nanoseconds, ratios between 0 and 1, rates per second.
"""

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field

from tailroom.budgets.schemas import BudgetDocument
from tailroom.catalogue.price_schemas import CostOut, PriceOut
from tailroom.domain.verdicts.budget_kinds import Clock
from tailroom.runs.verdict_schemas import (
    CdfPointOut,
    CertificationOut,
    EvidenceMeterOut,
    HeadlineOut,
    MeasuredTransactionsOut,
    ScopeOut,
    ValidityOut,
    VerdictReason,
    VerdictStrength,
    VerdictWord,
)
from tailroom.sla.question_schemas import Detail, SubjectKind

Group = Literal["proven", "observed", "undecided", "too_slow"]
CriterionKind = Literal["transaction", "exceedance", "percentile", "throughput", "completion", "rule_set"]


class SubjectOut(BaseModel):
    """Description of the judged record: its page (`href`), its name in comparisons, and its series."""

    label: str
    kind: SubjectKind
    href: str | None = Field(None, description="page of the record; null for what was sent along")
    run_id: UUID | None = None
    title: str | None = None
    host_name: str | None = None
    workload: str | None = None
    started_at: datetime | None = None
    operation: str | None = Field(description="null where several operations were judged together")
    clock: Clock | None
    samples: int | None = Field(description="operations on record, misses included; null: unknown")
    measured_ns: int | None = Field(description="length of the record; null: unknown")
    closed_loop: bool = Field(
        description="the next operation waited for the answer; such a record proves no PASS"
    )
    source: Literal["run", "distribution", "publication"] = Field(
        description="publication: published figures, not measured by Tailroom"
    )
    publication: str | None = Field(
        None, description="`publication:SLUG#ROW`, as `subject` and comparisons take it"
    )
    drive_slug: str | None = Field(None, description="of the drive that was tested")
    publication_slug: str | None = None
    publication_title: str | None = None
    publication_row: str | None = Field(None, description="first row of the document that it rests on")
    note: str | None = Field(None, description="open questions of the published figures")
    provisional: bool = Field(False, description="the run still goes on, or parts of it have not arrived")


class BudgetEchoOut(BaseModel):
    """The budget of the question, as it was parsed."""

    document: BudgetDocument


class BoundsOut(BaseModel):
    """Bounds and estimate of P(all operations of a transaction end in the window), without sampling error."""

    p_lower: float | None
    p_estimate: float | None
    p_upper: float | None


class IndependentOut(BoundsOut):
    """Result of the model of independent operations with the distribution of the whole record.

    Confident bounds include sampling error.
    """

    p_lower_confident: float | None = None
    p_upper_confident: float | None = None


class PieceOut(BoundsOut):
    """Result of one slice of the record; `start_ns` counts from the start of the record."""

    start_ns: int
    duration_ns: int


class IntervalMixtureOut(BoundsOut):
    """Result of the model with a distribution for each slice of time.

    Operations are independent within a slice; slices are weighted by their numbers of operations.
    """

    piece_count: int
    piece_duration_ns: int = Field(description="nominal length of a slice")
    worst_piece: PieceOut | None
    meeting_ratio: float | None = Field(description="share of slices that surely meet the objective alone")
    meeting_possible_ratio: float | None = Field(
        None, description="share of slices that possibly meet the objective alone"
    )
    longest_run_missing: int | None = Field(None, description="most slices in a row that surely miss it")
    independent_blocks: float | None = Field(
        None, description="independent transactions' worth of operations in the slices"
    )
    p_lower_confident: float | None = None
    p_upper_confident: float | None = None


class WorstCaseOut(BaseModel):
    """Bounds of P(all operations end within the window) over every possible dependence between operations."""

    p_lower: float | None
    p_upper: float | None


class ModelsOut(BaseModel):
    """Results of all models; null where the record does not allow the model."""

    independent: IndependentOut | None
    interval_mixture: IntervalMixtureOut | None
    measured: MeasuredTransactionsOut | None
    worst_case: WorstCaseOut | None


class LimitRowOut(BaseModel):
    """One limit of a budget with the measured value; fields that do not apply are null.

    `over_count` of `total_count` operations reached it.
    """

    kind: Literal["exceedance", "percentile", "throughput"]
    operation: str | None
    clock: str | None
    threshold_ns: int | None = None
    quantile: float | None = None
    quantity: str | None = None
    limit: float = Field(description="ratio, nanoseconds or rate, by kind")
    over_count: int | None = None
    total_count: int | None = None
    value: float | None = Field(description="as measured; in the unit of the limit")
    value_lower: float | None = Field(description="lower end, confidence included")
    value_upper: float | None = Field(description="upper end, confidence included; null: no upper end")
    observed_lower: float | None = Field(None, description="lower end in this run")
    observed_upper: float | None = Field(None, description="upper end in this run")
    verdict: VerdictWord
    strength: VerdictStrength | None = None
    reason_text: str | None = None


class _JudgedOut(BaseModel):
    """Verdict on one record or criterion, with bounds.

    Fields about transactions (`p_…`, `room_…`, `n_…`) are null if none was judged or they are open.
    """

    verdict: VerdictWord
    strength: VerdictStrength | None = Field(description="null where undecided")
    words: str = Field(description="verdict and strength as text")
    observed: ScopeOut = Field(description="in the record")
    proven: ScopeOut = Field(description="for the next run, with 95 % confidence")
    reason: VerdictReason | None = Field(description="why it is undecided")
    unproven: VerdictReason | None = Field(description="why an observed verdict is not proven")
    reason_text: str | None
    decided_by: str | None = Field(
        description="the cheapest data that would decide or prove it; null where it is proven"
    )
    headline: HeadlineOut | None = Field(None, description="bounds of the record beside what was asked")
    meter: EvidenceMeterOut | None = Field(None, description="of a verdict that is not proven; else null")
    p_lower: float | None = Field(description="lower bound from buckets and model, without sampling error")
    p_estimate: float | None
    p_upper: float | None
    room_lower_ns: int | None = Field(
        description="left of the window at the objective's quantile, for certain"
    )
    room_upper_ns: int | None
    n_guaranteed: int | None = Field(description="largest count of the one stage that fits for certain")
    n_possible: int | None = Field(
        description="largest count of the one stage that fits at best; null also where there is no limit"
    )
    n_text: str | None = Field(description="both as text; null where nothing is known")


class CriterionOut(_JudgedOut):
    """The verdict on one criterion of a rule set."""

    kind: CriterionKind
    name: str


class EvaluationOut(_JudgedOut):
    """The verdict on one record, with its basis and the results of all models.

    `stage` states the length of the record: `preview` below 6 h, `full` from 24 h, else `indicative`.
    """

    group: Group
    subject: SubjectOut
    budget: BudgetEchoOut
    stage: Literal["preview", "indicative", "full"]
    method_version: int
    detail: Detail
    resolution_bins: int = Field(description="steps of the grid over the window; fewer make bounds wider")
    p_lower_confident: float | None = Field(description="lower bound, sampling error included")
    p_upper_confident: float | None
    quantile_lower_ns: int | None = Field(description="of the objective's quantile of the transaction time")
    quantile_upper_ns: int | None
    models: ModelsOut
    cdf: list[CdfPointOut] = Field(description="band of P(T ≤ t), ascending, beyond the window too")
    cdf_model: Literal["interval_mixture", "independent"] | None = Field(
        None, description="model of the band"
    )
    rows: list[LimitRowOut]
    certification: CertificationOut | None = Field(
        description="whether the record certifies; does not change the verdict"
    )
    criteria: list[CriterionOut] = Field(description="of a rule set; else empty")
    operations: list[str] = Field(
        description="to choose from by `subject.operation`, where several fit; the verdict is INDETERMINATE"
    )
    evidence: Literal["model", "measured"] | None = Field(description="basis of the verdict")
    validity: ValidityOut | None = Field(None, description="null where no latency was judged")


class RelaxationOut(BaseModel):
    """A weaker question that the record passes."""

    kind: Literal["objective", "window", "count", "limits"] = Field(
        description="the changed part of the question"
    )
    text: str = Field(description="the changed part, in words")
    document: BudgetDocument = Field(description="the whole question, to be asked")


class RelaxationsOut(BaseModel):
    """The least changes, at most one of each kind; empty if the record passes already, or no change helps."""

    budget: BudgetEchoOut
    relaxations: list[RelaxationOut]
    complete: bool = Field(True, description="false: the time for an answer was over before all were tried")


class MatchItemOut(_JudgedOut):
    """One configuration judged by the budget."""

    group: Group
    subject: SubjectOut
    operations: list[str] = Field(description="to choose from, where several fit the question; else empty")


class RecordCostOut(BaseModel):
    """Cost of a record at the load of its test. Costs of bought and of rented drives are not comparable."""

    price: PriceOut
    price_per_ktps: CostOut | None = Field(description="per 1,000 operations/s of its load")
    price_per_thousand_transactions: CostOut | None = Field(
        description="per 1,000 transactions/s of the budget; null if it is not about transactions"
    )
    price_per_million_transactions: CostOut | None = Field(
        description="in the currency alone, where the price is per hour; null for what is bought"
    )


class MatchCountsOut(BaseModel):
    """Numbers of judged configurations. `meets` is `proven` plus `observed`; `misses` are too slow."""

    meets: int
    misses: int
    undecided: int
    proven: int
    observed: int = Field(description="passes in its run or test, not proven for the next one")
    undecided_by: dict[VerdictReason, int] = Field(description="undecided, by reason")
    kinds: dict[SubjectKind, int] = Field(description="configurations of each kind, whichever are asked for")


class MatchOut(BaseModel):
    """Configurations judged by a budget, in groups: `proven`, `observed` (passes in its run or test),
    `undecided` (by the missing data), `too_slow`.
    """

    budget: BudgetEchoOut
    method_version: int
    counts: MatchCountsOut
    items: list[MatchItemOut]
    costs: dict[str, RecordCostOut] = Field(
        description="by `run_id` or `publication` of the subject: items that pass and whose drive has a price"
    )
    next_cursor: str | None = Field(description="give it as `cursor` for the next page; null on the last one")
    not_looked_at: int = Field(
        description="configurations that were not judged: beyond the limit, for lack of time, or too large"
    )


class SizePartOut(BaseModel):
    """One requirement, the number of nodes that it alone needs, and the calculation as text."""

    name: Literal["reads", "writes", "data", "copies", "tolerated_failures"]
    nodes: int
    arithmetic: str


class SizeOut(BaseModel):
    """Number of nodes for a rate of transactions; null if the record does not pass or its load is unknown."""

    nodes: int | None
    parts: list[SizePartOut]
    reads_per_s_per_node: float | None = Field(description="load at which the record was taken")
    transactions_per_s_per_node: float | None = Field(description="of the asked kind, at that load")
    goodput_transactions_per_s: float | None = Field(
        description="of one node at that load: transactions within the window, at least"
    )
    strength: VerdictStrength | None = Field(None, description="of the verdict")
    verdict: VerdictWord = Field(description="of the subject, at the load at which it was measured")
    reason: VerdictReason | None
    reason_text: str | None = Field(description="why there is no number, or the reason of the verdict")
    decided_by: str | None
    assumptions: list[str]
    subject: SubjectOut
    budget: BudgetEchoOut
