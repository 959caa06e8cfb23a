"""Comparisons over HTTP. Integer nanoseconds, ratios as new / base."""

from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field

from tailroom.analysis.schemas import QuantilePointOut
from tailroom.domain.verdicts.budget_kinds import Clock


class ComparedSubjectOut(BaseModel):
    """One of the things compared."""

    subject: str = Field(description="as it was asked for: `run:ID` or `publication:SLUG#ROW`")
    label: str
    source: Literal["run", "publication"]
    run_id: UUID | None = None
    publication_slug: str | None = None
    note: str | None = Field(None, description="what published figures leave open")
    operation: str = Field(description="what its own source calls it")
    clock: Clock
    samples: int | None = Field(description="null where the source does not say")
    measured_ns: int | None
    target_per_s: float | None = Field(description="operations a second that the schedule intended")
    curve: list[QuantilePointOut]


class ComparedGainOut(BaseModel):
    """One quantity of both sides, between which `new / base` lies, and what that shows."""

    quantity: str
    label: str
    better: Literal["higher", "lower"]
    base: float
    base_lower: float
    base_upper: float | None
    new: float
    new_lower: float
    new_upper: float | None
    record_ratio_lower: float | None = Field(description="by buckets and printed digits alone")
    record_ratio_upper: float | None
    ratio_lower: float | None = Field(description="with chance; null: open or not known")
    ratio_upper: float | None
    ratio_text: str = Field(description="the same, with chance where that is known, rounded outward")
    significant: bool
    effect: Literal["better", "worse", "same", "open"]
    why: str | None = Field(description="why there are no limits")


class QuantileRatioOut(BaseModel):
    """Between which the ratio `new / base` of a quantile lies, by the records alone."""

    quantile: float
    lower: float | None
    upper: float | None


class PairOut(BaseModel):
    """A subject against the first one, the base."""

    new: int = Field(description="number of the subject, from 0; the base is 0")
    verdict: Literal["regression", "improvement", "no-change", "not-shown", "not-comparable"]
    headline: str
    comparable: bool
    reasons: list[str] = Field(description="against any conclusion")
    changes: list[str] = Field(description="what would take every reason away")
    factors: list[str] = Field(description="what else differs")
    factors_text: str | None
    notes: list[str]
    gains: list[ComparedGainOut]
    quantile_ratios: list[QuantileRatioOut]


class ComparisonOut(BaseModel):
    """Subjects side by side."""

    operation: str
    operations: list[str] = Field(description="all that every subject has")
    subjects: list[ComparedSubjectOut]
    pairs: list[PairOut]
    smallest_change_ratio: float = Field(description="a smaller difference counts as none")
    method_version: int


class PublishedSubjectOut(BaseModel):
    """A published configuration that may be named as a subject."""

    subject: str
    label: str
    publication_slug: str
    publication_title: str
    of_drive: bool = Field(description="measured on a drive, not on a database")


class PublishedSubjectsOut(BaseModel):
    """In the order of the documents."""

    subjects: list[PublishedSubjectOut]
