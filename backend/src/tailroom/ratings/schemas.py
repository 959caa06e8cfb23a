"""API schemas of ratings of drives.

Times are integer nanoseconds, sizes integer bytes, ratios between 0 and 1. A load of 1 is 2,000 reads and
1,000 writes of 1.5 KB per second on one device. Null is unknown, never zero.
"""

from datetime import datetime
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, model_validator

from tailroom.analysis.drive_counters import CounterFigureOut
from tailroom.catalogue.price_schemas import CostOut, PriceOut
from tailroom.kit.outside_types import LOOKUP, NAME, RequestBody
from tailroom.ratings.query import EvidenceClass, Generation, MetricClass, OpClass
from tailroom.runs.verdict_schemas import ScopeOut, VerdictStrength, VerdictWord

CellState = Literal["passed", "failed", "undecided", "bounded", "untested"]
Mark = Literal["reviewed", "reproduced", "disputed", "retracted"]
RowVisibility = Literal["public", "private"]
Basis = Literal["every_hour", "whole_run"]
"""`every_hour`: judged by every full hour of a test too; `whole_run`: by its shares over the whole time."""


class RatingLimitOut(BaseModel):
    """Strictly less than `limit_ratio` of the reads may take `threshold_ns` or longer."""

    threshold_ns: int
    limit_ratio: float


class RatingRuleSetOut(BaseModel):
    """The rule set by which tests are judged unless the query has an own SLA."""

    name: str
    version: int
    title: str
    question: str
    limits: list[RatingLimitOut]
    min_duration_ns: int = Field(description="how long a test must last to count in full; 0: any length")
    slice_ns: int | None = Field(
        description="every full slice of this length keeps the limits; null: the whole"
    )


class RatingQuestionOut(BaseModel):
    """The visitor's own SLA, as it was parsed, which replaces the rule set."""

    kind: Literal["thresholds", "budget"]
    title: str
    limits: list[RatingLimitOut] = Field(description="of thresholds; empty for a budget about transactions")
    document: dict[str, Any] | None = Field(description="the budget's document")


class DriveNameOut(BaseModel):
    """Slug, vendor and name of a drive of the catalogue."""

    slug: str
    vendor: str
    name: str


class OverProvisioningOut(BaseModel):
    """Over-provisioning: the part of the raw flash that is reserved for the drive itself.

    `as_printed` is the statement of the source, null without one.
    """

    op_class: OpClass = Field(serialization_alias="class", validation_alias="class")
    usable_ratio: float | None = Field(description="usable of raw capacity; null where not stated")
    as_printed: str | None


class RatingOut(BaseModel):
    """Highest passed load, and lowest failed load above it, in multiples of 1x."""

    passed_load: float | None = Field(description="null: none passed")
    failed_load: float | None = Field(description="null: never failed above")
    passed_strength: VerdictStrength | None = Field(description="of the pass; null: none passed")
    failed_strength: VerdictStrength | None = Field(description="of the fail; null: none failed")
    never_tested_above: bool = Field(description="no test above the highest passed load is decided")
    violations: list[str] = Field(description="contradictions: a higher load passes where a lower one fails")


class RankOut(BaseModel):
    """Best and worst rank that the data allow among the ranked rows of the same conditions."""

    best: int
    worst: int
    among: int = Field(description="rows of the same conditions")


class ExceedanceRangeOut(BaseModel):
    """Share of reads that took `threshold_ns` or longer, with its bounds."""

    threshold_ns: int
    lower_ratio: float
    upper_ratio: float


class CellOut(BaseModel):
    """A row's combined tests at one load, a multiple of 1x.

    If it was not tested, figures are empty or null; `bounded` means that tests at other loads bound the
    share.
    """

    load: float
    state: CellState
    verdict: VerdictWord | None = Field(description="null where nothing was tested")
    strength: VerdictStrength | None = Field(description="null where undecided")
    words: str | None = Field(description="verdict and strength as text")
    headline: str | None = Field(description="measured value and limit")
    observed: ScopeOut | None = Field(description="in the test; null where tests disagree")
    proven: ScopeOut | None = Field(description="for the next test; null where tests disagree")
    exceedances: list[ExceedanceRangeOut]
    reason: str | None = Field(description="why undecided, or what bounds it")
    basis: Basis | None = Field(description="basis of the judgement; null where nothing was tested")
    test_ids: list[str]
    tested_at: list[str] = Field(description="when, as printed, or ISO 8601")
    publishers: list[str]
    disagree: bool = Field(description="tests of this load contradict each other")


class ExceedanceAtLoadOut(BaseModel):
    """Bounds of the row's share at the first limit, at the load at which most of its class were tested."""

    load: float
    threshold_ns: int
    lower_ratio: float
    upper_ratio: float


class StandingOut(BaseModel):
    """How well independent tests confirm a row, at its highest passed load, else its lowest failed load.

    `repeated`: by its own tester; `confirmed`: by a second organisation; `contradicted`: an independent test
    of the same load disagrees; `self-reported`: none of these.
    """

    standing: Literal["self-reported", "repeated", "confirmed", "contradicted"]
    reason: str
    tests: int
    testers: int = Field(description="organisations and publishers")
    serials: int = Field(description="drives with different serial numbers")
    runs_made: int | None = Field(
        description="runs of the same plans and drive by the organisations of published runs, also private "
        "ones; null: not counted"
    )
    runs_published: int = Field(description="published runs")
    spread_ratio: float | None = Field(
        description="largest difference between drives in the share at the first limit, divided by the limit;"
        " null: fewer than two known drives"
    )


class CountersAtLoadOut(BaseModel):
    """Figures of the drives' own counters at the highest passed load, else the highest load with counters."""

    load: float
    figures: list[CounterFigureOut] = Field(description="each with bounds that hold for all drives and tests")


class LeaderboardRowOut(BaseModel):
    """A drive of one capacity and firmware under one class of conditions.

    `power_w` is the rated power, `watts_per_ktps` that power per 1,000 operations/s of the highest passed
    load.
    """

    row_id: str
    drive: DriveNameOut
    capacity_bytes: int | None
    over_provisioning: OverProvisioningOut
    metric_class: MetricClass
    generation: Generation
    usable_cluster: int = Field(
        description="rows of another number keep another share of the flash free; 0: most rows, or not stated"
    )
    record_bytes: int | None = Field(description="null: not stated")
    rating: RatingOut
    rank: RankOut | None = Field(description="null: not ranked, see `unranked_reason`")
    unranked_reason: str | None = Field(description="why the row has no rank")
    cells: list[CellOut] = Field(description="one for each of `loads`, in that order")
    exceedance_at_common: ExceedanceAtLoadOut | None
    interface: str | None
    form_factor: str | None
    dwpd: float | None = Field(description="drive writes per day that it is rated for")
    power_w: float | None
    price: PriceOut | None
    price_per_ktps: CostOut | None = Field(description="per 1,000 operations/s of the highest passed load")
    price_per_thousand_transactions: CostOut | None = Field(
        description="per 1,000 transactions/s at the highest passed load; null for other questions"
    )
    watts_per_ktps: float | None
    watts_per_thousand_transactions: float | None = Field(
        description="per 1,000 transactions/s at the highest passed load; null for other questions"
    )
    evidence: list[EvidenceClass]
    marks: list[Mark]
    visibility: RowVisibility
    test_count: int
    tested_year: int | None = Field(description="of the latest dated test")
    published_year: int | None = Field(description="of the latest document: its tests are not younger")
    longest_test_ns: int | None = Field(description="null where no source states a duration")
    firmware: str | None = Field(
        description="rows of one drive and several firmwares are apart; null: no source states it"
    )
    firmwares: list[str] = Field(description="of the measured drives; empty where no source states it")
    tested_by: list[str] = Field(
        description="vendor, publishers, the reader (`me`), number of organisations; empty where not stated"
    )
    counters: CountersAtLoadOut | None = Field(
        description="figures of the drives' own counters; null where no test has them"
    )
    standing: StandingOut


class TestConditionsOut(BaseModel):
    """A class of conditions, and the number of rows in it."""

    metric_class: MetricClass
    op_class: OpClass
    generation: Generation
    usable_ratio: float | None
    record_bytes: int | None
    rows: int = Field(description="rows of this class, without other filters")
    text: str = Field(description="in words")


class HiddenReasonOut(BaseModel):
    """A reason why rows are not shown, the first condition that differs, and the number of these rows."""

    reason: str
    count: int


class HiddenOut(BaseModel):
    """Rows that are not shown, because their conditions differ."""

    count: int
    reasons: list[HiddenReasonOut]


class FacetOut(BaseModel):
    """A value that a filter can take, and the number of rows that have it."""

    value: str
    count: int


class WithdrawnTestOut(BaseModel):
    """A withdrawn public test, without figures."""

    drive: DriveNameOut
    capacity_bytes: int | None
    load: float
    run_id: UUID | None = Field(description="null for a row of a document")
    publication_slug: str | None
    withdrawn_at: datetime | None = Field(description="null: not stated")
    reason: str | None


class LeaderboardOut(BaseModel):
    """A page of the leaderboard, with what filters and conditions leave out."""

    rule_set: RatingRuleSetOut
    question: RatingQuestionOut | None = Field(description="null: the rule set's own limits")
    method_version: int
    loads: list[float] = Field(description="columns of the matrix")
    rows: list[LeaderboardRowOut]
    next_cursor: str | None
    total: int = Field(description="rows that match, on all pages")
    total_unfiltered: int = Field(description="rows of this scope without filters")
    conditions: TestConditionsOut | None = Field(
        description="null where rows of several conditions are shown"
    )
    classes: list[TestConditionsOut] = Field(description="all classes of conditions among the filtered rows")
    hidden: HiddenOut
    facets: dict[str, list[FacetOut]] = Field(
        description="vendor, interface, form_factor, op, metric, generation, evidence"
    )
    tests_waiting: int = Field(description="tests that are not judged yet; repeat the question to continue")
    withdrawn: list[WithdrawnTestOut] = Field(
        description="tests of these drives that were public, the latest 100; on the first page"
    )
    run_not_rated: str | None = Field(description="why the requested run has no row, where that is known")
    notes: list[str] = Field(description="remarks on all judgements shown")


class EditionSummaryOut(BaseModel):
    """An edition without its rows; `rows` is their number."""

    name: str = Field(description="the quarter, such as `2026-Q4`")
    made_at: datetime
    rows: int
    content_sha256: str = Field(description="of the body of the edition, byte for byte")


class EditionsOut(BaseModel):
    """All editions, the latest first."""

    items: list[EditionSummaryOut]


class EditionOut(BaseModel):
    """The public leaderboard as of `made_at`; it never changes."""

    name: str
    made_at: datetime
    board: LeaderboardOut


class EditionChangeOut(BaseModel):
    """A change of a row between two boards; `before` and `after` are its rating, rank or standing as text."""

    row_id: str
    drive: DriveNameOut
    capacity_bytes: int | None
    kind: Literal["added", "removed", "rating", "rank", "standing"]
    before: str | None = Field(description="null: not on the earlier board")
    after: str | None = Field(description="null: not on the later board")


class EditionChangesOut(BaseModel):
    """Changes from the edition `since` to a later one, `until`."""

    since: str
    until: str = Field(description="`living`: the board of this moment")
    changes: list[EditionChangeOut]
    withdrawn: list[WithdrawnTestOut] = Field(description="withdrawn after the earlier board")


_Text = Annotated[str, Field(min_length=1, max_length=1_000), NAME]


class ObjectionIn(RequestBody):
    """An objection to a public test."""

    test_id: Annotated[str, Field(min_length=1, max_length=400), LOOKUP] = Field(
        description="of a public test on a drive's page"
    )
    reason: _Text = Field(description="public once it is answered")


class ObjectionDecisionIn(RequestBody):
    """The decision of a moderator. Publishing needs an answer; refusing may have one."""

    state: Literal["published", "refused"]
    answer: _Text | None = None

    @model_validator(mode="after")
    def _is_answered(self) -> Self:
        if self.state == "published" and self.answer is None:
            raise ValueError("an objection is published with an answer")
        return self


class ObjectionOut(BaseModel):
    """An objection, with the moderator's answer if there is one."""

    model_config = ConfigDict(from_attributes=True)

    objection_id: UUID
    drive_slug: str
    test_id: str
    about: str = Field(description="load and source of the test, as they were")
    reason: str
    made_at: datetime
    state: Literal["open", "published", "refused", "withdrawn"]
    answer: str | None
    decided_at: datetime | None
    is_own: bool = Field(False, description="the caller's organisation made it")
    made_by: str | None = Field(None, description="for its organisation and for moderators")


class ObjectionsOut(BaseModel):
    """A list of objections."""

    items: list[ObjectionOut]
