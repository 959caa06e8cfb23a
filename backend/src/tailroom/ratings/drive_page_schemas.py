"""API schemas of a drive's page: facts, tests, and their comparability."""

from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from tailroom.analysis.drive_counters import CounterFigureOut
from tailroom.ratings.query import EvidenceClass, Generation, MetricClass
from tailroom.ratings.schemas import (
    Basis,
    CellState,
    DriveNameOut,
    ExceedanceRangeOut,
    LeaderboardRowOut,
    Mark,
    OverProvisioningOut,
    RatingRuleSetOut,
    RowVisibility,
    WithdrawnTestOut,
)
from tailroom.runs.verdict_schemas import ScopeOut, VerdictReason, VerdictStrength, VerdictWord


class DriveFactOut(BaseModel):
    """A fact about a drive with its source; facts that disagree are all listed.

    A number is `value` in `unit`, with bounds if it is an interval; a text is `value_text`. Other fields are
    null.
    """

    field: str
    capacity_bytes: int | None
    value: float | None
    value_text: str | None
    unit: str | None
    as_printed: str | None
    lower: float | None
    upper: float | None
    conditions: dict[str, Any] | None
    source: dict[str, Any] | None = Field(description="where it was read")
    disagrees: bool = Field(description="another source contradicts it")


class TestVerdictOut(BaseModel):
    """A test judged by one rule set; figures and reasons are null if it is not judged yet."""

    rule_set: str
    version: int
    title: str
    verdict: VerdictWord
    strength: VerdictStrength | None
    words: str
    headline: str | None
    observed: ScopeOut | None
    proven: ScopeOut | None
    reason: VerdictReason | None
    reason_text: str | None
    basis: Basis | None


class TestSourceOut(BaseModel):
    """The run or publication that a test comes from; `row` and `claim_keys` are its place in the latter."""

    kind: Literal["run", "publication"]
    slug: str | None = Field(description="of the publication")
    title: str
    publisher: str | None
    published_at: str | None = Field(description="date of the publication, as printed")
    row: str | None
    claim_keys: list[str]
    run_id: UUID | None


class TestExceedanceOut(ExceedanceRangeOut):
    """The share of reads at or over one threshold, as printed, and the numbers of reads if counted."""

    as_printed: str | None
    over_count: int | None = Field(description="null where not counted")
    total_count: int | None


class TestFindingOut(BaseModel):
    """A finding of the audit about a publication that states the test.

    `check` is the id of the check, `origin` is `computed`, or `reviewed` for a person's note.
    """

    check: str
    severity: str
    statement: str
    origin: str


class DriveTestOut(BaseModel):
    """A test of a drive at a load in multiples of 1x."""

    test_id: str
    row_id: str
    load: float
    load_as_printed: str | None
    capacity_bytes: int | None
    over_provisioning: OverProvisioningOut
    metric_class: MetricClass
    generation: Generation
    tool: str | None
    tool_version: str | None
    duration_ns: int | None
    record_bytes: int | None
    tested_at: str | None = Field(description="as printed, or ISO 8601")
    exceedances: list[TestExceedanceOut]
    verdicts: list[TestVerdictOut]
    evidence: EvidenceClass
    marks: list[Mark]
    mark_notes: list[str]
    firmware: str | None = Field(description="of the measured drives, where all have the same")
    counters: list[CounterFigureOut] = Field(
        description="figures of the drives' own counters; each holds for all of them"
    )
    visibility: RowVisibility
    source: TestSourceOut
    findings: list[TestFindingOut]


class LoadPointOut(BaseModel):
    """A point of a load curve: a load in multiples of 1x, and bounds of the share of slow reads there."""

    load: float
    lower_ratio: float
    upper_ratio: float
    state: CellState
    test_ids: list[str]


class LoadCurveOut(BaseModel):
    """Share of reads at or over a threshold by load, for one row; the limit is a ratio."""

    row_id: str
    threshold_ns: int
    limit_ratio: float | None
    points: list[LoadPointOut]


class ComparabilityNoteOut(BaseModel):
    """Two rows that are not comparable, with the reasons."""

    row_ids: tuple[str, str]
    reasons: list[str] = Field(description="each begins “not comparable because”")


class VariantTraitOut(BaseModel):
    """A hardware trait in which a variant differs from others of its firmware and capacity."""

    label: str
    text: str


class TestedVariantOut(BaseModel):
    """Tested drives whose hardware traits agree, if others of the same firmware and capacity differ."""

    number: int = Field(description="among those of one firmware and capacity, from 1")
    firmware: str | None
    capacity_bytes: int | None
    drives: int = Field(description="number of different serial numbers")
    tests: int
    traits: list[VariantTraitOut]


class DrivePageOut(BaseModel):
    """Facts, ratings, tests and load curves of a drive. `loads` are multiples of 1x."""

    drive: DriveNameOut
    kind: str
    interface: str | None
    form_factor: str | None
    aliases: list[str]
    rule_set: RatingRuleSetOut
    method_version: int
    loads: list[float]
    facts: list[DriveFactOut]
    rows: list[LeaderboardRowOut] = Field(description="ratings under every set of conditions")
    tests: list[DriveTestOut]
    variants: list[TestedVariantOut] = Field(
        description="empty where no two drives of one firmware and capacity state different things"
    )
    curves: list[LoadCurveOut]
    comparability: list[ComparabilityNoteOut]
    withdrawn: list[WithdrawnTestOut]
    notes: list[str]


class ComparabilityPairOut(BaseModel):
    """Whether two tests, by their ids, are comparable, with reasons if not. Warnings do not prevent it."""

    first: str
    second: str
    comparable: bool
    reasons: list[str] = Field(description="each begins “not comparable because”; empty where comparable")
    warnings: list[str]


class ComparabilityOut(BaseModel):
    """The requested tests, and whether every pair of them is comparable."""

    tests: list[DriveTestOut]
    pairs: list[ComparabilityPairOut]
