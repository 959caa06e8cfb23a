"""API schemas of comparisons.

Times are integer nanoseconds; a ratio is that of the new subject to the base.
"""

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field

from tailroom.analysis.drive_counters import CounterFigureOut
from tailroom.analysis.schemas import QuantilePointOut
from tailroom.domain.comparison.comparison import Outcome
from tailroom.domain.verdicts.budget_kinds import Clock


class ComparedSubjectOut(BaseModel):
    """One of the compared subjects, with the figures of the compared operation.

    Loads are multiples of 1x. `measured_ns` is the length of the measurement, null if unknown. Fields of
    another source (run, publication, drive) are null.
    """

    subject: str = Field(description="as named in the request")
    label: str
    source: Literal["run", "publication", "drive"]
    run_id: UUID | None = Field(None, description="the run, also that of a campaign's phase or drive's test")
    publication_slug: str | None = None
    publication_row: str | None = None
    drive_slug: str | None = None
    test_text: str | None = Field(None, description="of a drive: which of its tests is compared")
    load_multiple: float | None = Field(None, description="of a drive: the load of that test")
    holds_load: float | None = Field(None, description="highest passed load under its conditions")
    fails_load: float | None = Field(None, description="lowest failed load above it; null: never failed")
    started_at: datetime | None = None
    note: str | None = Field(None, description="open questions of published figures")
    operation: str = Field(description="name in its own source")
    clock: Clock
    samples: int | None = Field(
        description="number of timed operations; null where the source does not state it"
    )
    measured_ns: int | None
    target_per_s: float | None = Field(description="operations a second that the schedule intended")
    in_flight_lower: float | None = Field(None, description="operations at once, by Little's law")
    in_flight_upper: float | None = None
    drives: int | None = Field(None, description="on how many drives of one server the load was")
    counters: list[CounterFigureOut] = Field(
        [], description="figures of its drives' counters; each holds for all of them"
    )
    curve: list[QuantilePointOut]


class ComparedGainOut(BaseModel):
    """One quantity of both subjects, bounds of `new / base`, and whether the new subject is better.

    `base` and `new` lie between the bounds `…_lower` and `…_upper`, for display only: their geometric mean,
    or the lower bound if the upper is null (unbounded). `significant`: the confidence limits show the effect.
    """

    quantity: str
    label: str
    better: Literal["higher", "lower"]
    base: float
    base_lower: float
    base_upper: float | None
    new: float
    new_lower: float
    new_upper: float | None
    record_ratio_lower: float | None = Field(description="from buckets and printed digits alone")
    record_ratio_upper: float | None
    ratio_lower: float | None = Field(description="confidence limit; null: open or unknown")
    ratio_upper: float | None
    ratio_text: str = Field(
        description="bounds of the ratio as text, with confidence where known, rounded outward"
    )
    significant: bool
    effect: Literal["better", "worse", "same", "open"]
    why: str | None = Field(description="why there are no limits")


class QuantileRatioOut(BaseModel):
    """Bounds of `new / base` of a latency quantile, from the measured values alone; null: unbounded."""

    quantile: float
    lower: float | None
    upper: float | None


class FactDifferenceOut(BaseModel):
    """A fact of host, plan or tool that differs between two runs; an empty value is not stated."""

    name: str
    before: str
    after: str


class PairOut(BaseModel):
    """A subject compared with the first subject, the base.

    If they are not comparable, `reasons` is not empty, and the `effect` of every gain is `open`.
    `factors_text` is null without factors.
    """

    new: int = Field(description="number of the subject, from 0; the base is 0")
    verdict: Outcome
    headline: str
    comparable: bool
    reasons: list[str] = Field(description="against any conclusion")
    changes: list[str] = Field(description="that would remove every reason")
    factors: list[str] = Field(description="other differences")
    factors_text: str | None
    facts_changed: list[FactDifferenceOut] = Field(description="of two runs")
    changes_text: str | None = Field(description="number of changed facts; null where they are unknown")
    notes: list[str]
    gains: list[ComparedGainOut]
    quantile_ratios: list[QuantileRatioOut]


class ComparisonOut(BaseModel):
    """Subjects compared with the first of them, the base; `pairs` has every other subject, in order.

    Fields of campaigns and drives are null or empty without these.
    """

    answer: str | None = Field(
        description="the result in one sentence, if all subjects are drives, or with `per_drive`; else null"
    )
    operation: str
    operations: list[str] = Field(description="common to all subjects")
    phase: str | None = Field(description="of campaigns: the compared one")
    phases: list[str] = Field(description="common to all campaigns")
    load: float | None = Field(description="of drives: that of the base's test")
    loads: list[float] = Field(description="at which every drive was tested")
    per_drive: bool
    subjects: list[ComparedSubjectOut]
    pairs: list[PairOut]
    smallest_change_ratio: float = Field(description="a smaller difference counts as none")
    method_version: int


class PublishedSubjectOut(BaseModel):
    """A row of a publication that can be compared; `subject` is its name in a request."""

    subject: str
    label: str
    publication_slug: str
    publication_title: str
    of_drive: bool = Field(description="measured on a drive, not on a database")


class PublishedSubjectsOut(BaseModel):
    """Rows of publications that can be subjects, in the order of the publications."""

    subjects: list[PublishedSubjectOut]
