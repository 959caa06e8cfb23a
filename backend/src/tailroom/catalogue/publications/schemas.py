"""API schemas of publications: claims as printed with their bounds, and recomputed numbers."""

from typing import Literal

from pydantic import BaseModel, Field

from tailroom.catalogue.finding_schema import FindingOut
from tailroom.catalogue.schemas import ConditionOut, FactOut, KindWord, PrintedNumberOut

PublicationKind = Literal["vendor", "third_party", "commissioned"]


class LoadOut(BaseModel):
    """The load at which a number was taken; null if the document does not state it."""

    multiple: float | None = Field(
        description="of ACT: 1 is 2,000 reads and 1,000 writes per second and drive"
    )
    reads_per_s: float | None
    writes_per_s: float | None
    operations_per_s: float | None
    as_printed: str | None


class ClaimOut(BaseModel):
    """A printed number with its bounds, and what it is about.

    `subject` is the measured drive, configuration or system as printed. `statistic` is which figure of the
    quantity it is, such as a mean. `position` counts the claims of the document from 0.
    """

    key: str = Field(description="unique in the publication, and stable")
    row: str
    table: str
    position: int
    subject: str
    item_slug: str | None
    quantity: str
    statistic: str | None
    threshold_ns: int | None
    operation: str | None
    workload: str | None
    metric_class: Literal["total", "device", "unstated"] | None
    config: str | None
    load: LoadOut | None
    conditions: dict[str, ConditionOut]
    printed: PrintedNumberOut


class ClaimRowOut(BaseModel):
    """Claims that were printed in the same row."""

    row: str
    label: str | None
    subject: str
    item_slug: str | None
    test_date_as_printed: str | None
    claims: list[ClaimOut]


class ClaimTableOut(BaseModel):
    """A table of the document, or the statements of its text on one subject."""

    id: str
    title: str = Field(description="as printed, or in our words where it has none")
    title_as_printed: str | None
    note: str | None
    rows: list[ClaimRowOut]


class RecomputedOut(BaseModel):
    """A number calculated from other printed numbers, shown beside the claim that prints it."""

    claim_key: str = Field(description="the claim that it is shown beside")
    label: str
    rests_on: list[str] = Field(description="keys of the claims that it is calculated from")
    value: float | None
    lower: float | None
    upper: float | None
    unit: str
    agrees: bool | None = Field(description="whether both can be one number; null where none was printed")
    how: str | None = Field(description="rounded, truncated or wrong, for a printed gain")


class SpecOut(BaseModel):
    """The facts of the document about an item of the catalogue."""

    slug: str
    kind: KindWord
    vendor: str
    name: str
    facts: list[FactOut]


class PublicationSummaryOut(BaseModel):
    """A publication with its numbers of claims, rows and findings."""

    slug: str
    title: str
    publisher: str
    kind: PublicationKind
    url: str | None
    date_as_printed: str | None
    claim_count: int
    row_count: int
    finding_count: int = Field(description="checks with findings, and notes")
    high_count: int = Field(description="findings of high severity")
    high_kinds: list[str] = Field(description="kinds of the findings of high severity, each once")


class PublicationsOut(BaseModel):
    """All publications, by title."""

    publications: list[PublicationSummaryOut]


class PublicationOut(BaseModel):
    """A publication with all its claims, findings and recalculated numbers."""

    slug: str
    title: str
    publisher: str
    kind: PublicationKind
    url: str | None
    date_as_printed: str | None
    document: str = Field(description="the document that the numbers were read from")
    conditions: dict[str, ConditionOut] = Field(description="of the measurement, as far as they are stated")
    not_disclosed: list[str]
    claim_count: int
    tables: list[ClaimTableOut]
    specs: list[SpecOut]
    findings: list[FindingOut]
    recomputed: list[RecomputedOut]
