"""API schemas of questions about SLAs. Integer nanoseconds, ratios from 0 to 1, rates per second."""

from datetime import datetime
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, model_validator

from tailroom.budgets.schemas import BudgetDocument, Name, Number, Objective, OperationName, WholeNumber
from tailroom.catalogue.price_schemas import CostOut, PriceOut
from tailroom.domain.verdicts.budget_kinds import Clock
from tailroom.kit.limits import MATCH_RUNS
from tailroom.kit.outside_types import LOOKUP, Cursor
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

Detail = Literal["display", "full"]
SubjectKind = Literal["run", "upload", "campaign", "drive_test", "publication", "distribution"]
"""`campaign`: the sum of what several agents measured; `drive_test`: a run or a document about a drive under
a fixed load; `publication`: figures of a database that somebody has published.
"""
Group = Literal["proven", "observed", "undecided", "too_slow"]
CriterionKind = Literal["transaction", "exceedance", "percentile", "throughput", "completion", "rule_set"]


class _QuestionIn(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SubjectIn(_QuestionIn):
    """Whose record is asked about: a stored run, a published configuration, a tested load of a drive, or a
    distribution sent along. Exactly one of the four.
    """

    run_id: UUID | None = None
    publication: Annotated[str, LOOKUP] | None = Field(
        None,
        min_length=1,
        max_length=300,
        description="`publication:SLUG#ROW`, as comparisons name it",
    )
    drive_test: Annotated[str, LOOKUP] | None = Field(
        None,
        min_length=1,
        max_length=300,
        description="id of a tested load, as the page of a drive lists it; its own clock is judged",
    )
    operation: OperationName | None = Field(
        None,
        description="the series taken as the budget's operation; default: the one of that name. Where the "
        "budget asks about the record's own `operation` and several fit, this chooses",
    )
    clock: Clock | None = Field(None, description="default is response where it was measured, else service")
    distribution: dict[str, Any] | None = Field(
        None,
        description="distribution document (docs/contracts): layout with counts, knots, or percentiles",
    )

    @model_validator(mode="after")
    def _one_of_four(self) -> Self:
        if [self.run_id, self.publication, self.drive_test, self.distribution].count(None) != 3:
            raise ValueError(
                "name a run (`run_id`), a `publication` or a `drive_test`, or send a `distribution`: one of "
                "the four"
            )
        if self.drive_test is not None and (self.operation or self.clock):
            raise ValueError(
                "a tested load has its own operation and clock; leave `operation` and `clock` out"
            )
        if self.distribution is not None and self.clock is not None:
            raise ValueError("a distribution names its clock itself; `clock` chooses among those of a run")
        return self


class BudgetChoiceIn(_QuestionIn):
    """Which budget: one by its name (newest version unless one is named), a document sent along, or an
    objective in one line.
    """

    name: Name | None = None
    version: WholeNumber | None = None
    document: BudgetDocument | None = None
    objective: Objective | None = None

    @model_validator(mode="after")
    def _one_of_three(self) -> Self:
        if [self.name, self.document, self.objective].count(None) != 2:
            raise ValueError(
                "name a budget (`name`), or send a `document` or an `objective`: one of the three"
            )
        if self.name is None and self.version is not None:
            raise ValueError("`version` chooses among those of a name")
        return self


class EvaluateIn(_QuestionIn):
    """Does this record keep that budget?"""

    subject: SubjectIn
    budget: BudgetChoiceIn
    detail: Detail = Field(
        "display",
        description="display: fast enough for a slider, bounds a little wider; full: as verdicts are made",
    )


class RelaxIn(_QuestionIn):
    """How little less has to be asked for this record to pass?"""

    subject: SubjectIn
    budget: BudgetChoiceIn


class MatchIn(_QuestionIn):
    """Which configurations keep a budget: the organisation's, and those that figures are published of?"""

    budget: BudgetChoiceIn
    published: Annotated[bool, Field(strict=True)] = Field(
        True, description="also tests of drives that others have published, and figures of documents"
    )
    kinds: list[SubjectKind] | None = Field(
        None, min_length=1, max_length=6, description="only records of these kinds; default: of all"
    )
    runs: list[UUID] | None = Field(
        None,
        min_length=1,
        max_length=MATCH_RUNS,
        description="only these runs of the organisation, simulated ones too; nothing that was published",
    )
    limit: Annotated[int, Field(strict=True, ge=1, le=200)] = 50
    cursor: Cursor | None = None


class SizeIn(_QuestionIn):
    """How many nodes does a rate of transactions take?"""

    budget: BudgetChoiceIn
    subject: SubjectIn
    target_transactions_per_s: Number
    headroom_ratio: Number = Field(0.7, description="share of a node's proven load that is planned with")
    tolerated_failures: WholeNumber = Field(0, description="nodes that may fail without harm")
    replication_factor: WholeNumber = Field(1, description="copies of every record")
    writes_per_s: Number | None = None
    writes_per_s_per_node: Number | None = Field(None, description="proven for one node; null: unknown")
    data_bytes: WholeNumber | None = None
    usable_capacity_bytes: WholeNumber | None = Field(None, description="of one node")
    fill_ratio: Number | None = Field(None, description="share of the capacity to fill at most")


class SubjectOut(BaseModel):
    """What was judged: where it stands (`href`), and how it is named to compare it or to ask about it again
    (`run_id` or `publication`).
    """

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
    samples: int | None = Field(description="operations on record, misses included; null where not known")
    measured_ns: int | None = Field(description="length of the record; null where not known")
    closed_loop: bool = Field(
        description="the next operation waited for the answer; such a record proves no PASS"
    )
    source: Literal["run", "distribution", "publication"] = Field(
        description="publication: figures that somebody has published; nothing here was measured by Tailroom"
    )
    publication: str | None = Field(
        None, description="`publication:SLUG#ROW`, as `subject` and comparisons take it"
    )
    drive_slug: str | None = Field(None, description="of the drive that was tested")
    publication_slug: str | None = None
    publication_title: str | None = None
    publication_row: str | None = Field(None, description="first row of the document that it rests on")
    note: str | None = Field(None, description="what the published figures leave open")
    provisional: bool = Field(False, description="the run still goes on, or parts of it have not arrived")


class BudgetEchoOut(BaseModel):
    """The budget that was judged, as it was understood."""

    document: BudgetDocument


class BoundsOut(BaseModel):
    """P(all within the window): least, estimated, most."""

    p_lower: float | None
    p_estimate: float | None
    p_upper: float | None


class IndependentOut(BoundsOut):
    """All operations thrown together and taken as independent."""

    p_lower_confident: float | None = None
    p_upper_confident: float | None = None


class PieceOut(BoundsOut):
    """One piece of the record."""

    start_ns: int
    duration_ns: int


class IntervalMixtureOut(BoundsOut):
    """Independent inside each slice, each slice with its own distribution, weighted by its operations."""

    piece_count: int
    piece_duration_ns: int = Field(description="nominal length of a slice")
    worst_piece: PieceOut | None
    meeting_ratio: float | None = Field(
        description="share of slices that surely meet the objective by themselves"
    )
    meeting_possible_ratio: float | None = Field(None, description="… that possibly meet it")
    longest_run_missing: int | None = Field(None, description="most slices in a row that surely miss it")
    independent_blocks: float | None = Field(
        None, description="independent transactions' worth of operations in the slices"
    )
    p_lower_confident: float | None = None
    p_upper_confident: float | None = None


class WorstCaseOut(BaseModel):
    """Over every dependence that operations could have on each other."""

    p_lower: float | None
    p_upper: float | None


class ModelsOut(BaseModel):
    """Models side by side; null where the record does not allow one."""

    independent: IndependentOut | None
    interval_mixture: IntervalMixtureOut | None
    measured: MeasuredTransactionsOut | None
    worst_case: WorstCaseOut | None


class LimitRowOut(BaseModel):
    """One limit of a budget beside what was measured. What does not apply is null."""

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
    verdict: VerdictWord
    strength: VerdictStrength | None = Field(description="how far it carries; null where undecided")
    words: str = Field(description="verdict and strength as a person reads them")
    observed: ScopeOut = Field(description="what the record shows")
    proven: ScopeOut = Field(description="what it proves for the next run, with 95 % confidence")
    reason: VerdictReason | None = Field(description="why it is undecided")
    unproven: VerdictReason | None = Field(description="why an observed verdict is not proven")
    reason_text: str | None
    decided_by: str | None = Field(
        description="the cheapest data that would decide or prove it; null where it is proven"
    )
    headline: HeadlineOut | None = Field(None, description="bounds of the record beside what was asked")
    meter: EvidenceMeterOut | None = Field(None, description="of a verdict that is not proven; else null")
    p_lower: float | None = Field(description="least that buckets and model allow, before sampling error")
    p_estimate: float | None
    p_upper: float | None
    room_lower_ns: int | None = Field(
        description="left of the window at the objective's quantile, for certain"
    )
    room_upper_ns: int | None
    n_guaranteed: int | None = Field(description="largest count of the one stage that fits for certain")
    n_possible: int | None = Field(description="… at best; null also where there is no limit")
    n_text: str | None = Field(description="both as a person reads them; null where nothing is known")


class CriterionOut(_JudgedOut):
    """One criterion of a rule set."""

    kind: CriterionKind
    name: str


class EvaluationOut(_JudgedOut):
    """The verdict on one record."""

    group: Group
    subject: SubjectOut
    budget: BudgetEchoOut
    stage: Literal["preview", "indicative", "full"]
    method_version: int
    detail: Detail
    resolution_bins: int = Field(description="steps of the grid over the window; fewer make bounds wider")
    p_lower_confident: float | None = Field(description="the same, sampling error included")
    p_upper_confident: float | None
    quantile_lower_ns: int | None = Field(description="of the objective's quantile of the transaction time")
    quantile_upper_ns: int | None
    models: ModelsOut
    cdf: list[CdfPointOut] = Field(description="band of P(T ≤ t), ascending, up to the window and beyond it")
    cdf_model: Literal["interval_mixture", "independent"] | None = Field(
        None, description="model of the band; on the full grid all operations thrown together"
    )
    rows: list[LimitRowOut]
    certification: CertificationOut | None = Field(description="whether the record certifies; told beside it")
    criteria: list[CriterionOut] = Field(description="of a rule set; else empty")
    operations: list[str] = Field(
        description="to choose from by `subject.operation`, where the question is about the record's own and "
        "several fit; the verdict is INDETERMINATE then",
    )
    evidence: Literal["model", "measured"] | None = Field(description="what the verdict rests on")
    validity: ValidityOut | None = Field(None, description="null where no latency was judged")


class RelaxationOut(BaseModel):
    """A question that asks less, and that the record passes."""

    kind: Literal["objective", "window", "count", "limits"] = Field(
        description="what differs from the question that was asked"
    )
    text: str = Field(description="the changed part, in words")
    document: BudgetDocument = Field(description="the whole question, to be asked")


class RelaxationsOut(BaseModel):
    """The least changes, one of each kind; none where the record passes as asked, or none of them helps."""

    budget: BudgetEchoOut
    relaxations: list[RelaxationOut]
    complete: bool = Field(True, description="false: the time for an answer was over before all were tried")


class MatchItemOut(_JudgedOut):
    """One configuration against the budget."""

    group: Group
    subject: SubjectOut
    operations: list[str] = Field(description="to choose from, where several fit the question; else empty")


class RecordCostOut(BaseModel):
    """Cost of a record at the load of its test. Bought and rented are not ordered against each other."""

    price: PriceOut
    price_per_ktps: CostOut | None = Field(description="per 1,000 operations/s of its load")
    price_per_thousand_transactions: CostOut | None = Field(
        description="per 1,000 transactions/s of the budget; null if it is not about transactions"
    )
    price_per_million_transactions: CostOut | None = Field(
        description="in the currency alone, where the price is per hour; null for what is bought"
    )


class MatchCountsOut(BaseModel):
    """All configurations that were judged, whatever page is shown: `meets` are `proven` and `observed`."""

    meets: int
    misses: int
    undecided: int
    proven: int
    observed: int = Field(description="passes in its run or test, and does not prove it for the next one")
    undecided_by: dict[VerdictReason, int] = Field(description="undecided, by what is missing")
    kinds: dict[SubjectKind, int] = Field(description="configurations of each kind, whichever are asked for")


class MatchOut(BaseModel):
    """Configurations against a budget, group after group: `proven`, `observed` (passes in its run or test),
    `undecided` by what would decide it, `too_slow`.
    """

    budget: BudgetEchoOut
    method_version: int
    counts: MatchCountsOut
    items: list[MatchItemOut]
    costs: dict[str, RecordCostOut] = Field(
        description="by `run_id` or `publication` of the subject: items that pass and whose drive has a price"
    )
    next_cursor: str | None = Field(description="give it as `cursor` for the next page; null on the last one")
    not_looked_at: int = Field(description="configurations beyond the cap, about which nothing is said here")


class SizePartOut(BaseModel):
    """One demand, and the nodes that it alone takes."""

    name: Literal["reads", "writes", "data", "copies", "tolerated_failures"]
    nodes: int
    arithmetic: str


class SizeOut(BaseModel):
    """Nodes for a rate of transactions; null where the record does not carry an answer."""

    nodes: int | None
    parts: list[SizePartOut]
    reads_per_s_per_node: float | None = Field(description="load at which the record was taken")
    transactions_per_s_per_node: float | None = Field(description="of the asked kind, at that load")
    goodput_transactions_per_s: float | None = Field(
        description="of one node at that load: transactions within the window, at least"
    )
    strength: VerdictStrength | None = Field(None, description="how far the verdict carries")
    verdict: VerdictWord = Field(description="of the subject, at the load at which it was measured")
    reason: VerdictReason | None
    reason_text: str | None = Field(description="why there is no number, or what the verdict rests on")
    decided_by: str | None
    assumptions: list[str]
    subject: SubjectOut
    budget: BudgetEchoOut
