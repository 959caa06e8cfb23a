"""API schemas of the catalogue, and of printed numbers with their values in canonical units."""

import datetime
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from tailroom.kit.outside_types import NAME, RequestBody

ConditionOut = str | bool | int | float | None
KindWord = Literal["drive", "server", "network", "database", "workload"]
ComparisonSign = Literal["=", "<", "<=", ">", ">=", "~"]

_Text = Annotated[str, Field(min_length=1, max_length=120), NAME]
_Positive = Annotated[float, Field(gt=0, lt=1e18, allow_inf_nan=False)]
_Bytes = Annotated[int, Field(strict=True, gt=0, lt=2**60)]


class PrintedNumberOut(BaseModel):
    """A printed number with its bounds in `unit`, or the words printed in its place."""

    as_printed: str
    unit_as_printed: str = Field(description="unit of the digits in `as_printed`; empty where it is words")
    value: float | None = Field(description="in `unit`; null where no number was printed")
    lower: float | None = Field(description="least that is printed like this; null: no lower end is known")
    upper: float | None = Field(description="most that is printed like this; null: no upper end is known")
    unit: str = Field(description="ns, s, h, ratio, ops/s, bytes, bytes/s, W, count, DWPD, x, …")
    comparison: ComparisonSign


class FactOut(BaseModel):
    """A statement of one source about an item: a number or a text."""

    field: str
    capacity_bytes: int | None = Field(description="the capacity that it is about; null: all of them")
    text: str | None
    number: PrintedNumberOut | None
    conditions: dict[str, ConditionOut]
    source_slug: str | None = Field(description="publication that states it")
    source_text: str | None = Field(description="another source")
    conflict: bool = Field(description="another fact on record contradicts it")


class CatalogueItemOut(BaseModel):
    """An item of the catalogue with the facts of all sources."""

    slug: str
    kind: KindWord
    vendor: str
    name: str
    aliases: list[str]
    private: bool = Field(description="added by your organisation, and visible to it alone")
    facts: list[FactOut]
    conflicts: list[str] = Field(description="fields about which sources disagree")


class CatalogueOut(BaseModel):
    """All items of one kind that the organisation sees."""

    kind: KindWord
    items: list[CatalogueItemOut]


class DriveMatchOut(BaseModel):
    """A drive that matches a search. `private`: added by your organisation, and visible to it alone."""

    slug: str
    vendor: str
    name: str
    capacities_bytes: list[int]
    interface: str | None
    form_factor: str | None
    matched: str | None = Field(description="the spelling that matched; null without a search")
    private: bool


class DrivesOut(BaseModel):
    """Drives found by a search, best matches first."""

    drives: list[DriveMatchOut]


class PriceIn(RequestBody):
    """A price with its date and source."""

    value: _Positive
    currency: Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")]
    date: datetime.date
    source: _Text
    capacity_bytes: _Bytes | None = Field(None, description="the capacity that the price is of")


class DriveIn(BaseModel):
    """A drive to be added, which only your organisation sees."""

    model_config = ConfigDict(extra="forbid")

    vendor: _Text
    name: _Text
    aliases: Annotated[list[_Text], Field(max_length=20)] = []
    capacities_bytes: Annotated[list[_Bytes], Field(max_length=50)] = []
    interface: _Text | None = None
    form_factor: _Text | None = None
    flash: _Text | None = None
    endurance: _Positive | None = Field(None, description="drive writes per day")
    random_read: _Positive | None = Field(None, description="operations per second")
    random_write: _Positive | None = Field(None, description="operations per second")
    sequential_read: _Positive | None = Field(None, description="bytes per second")
    sequential_write: _Positive | None = Field(None, description="bytes per second")
    read_latency: _Positive | None = Field(None, description="nanoseconds")
    write_latency: _Positive | None = Field(None, description="nanoseconds")
    power: _Positive | None = Field(None, description="watts")
    price: PriceIn | None = None
    source: _Text = Field(description="where the facts come from: a data sheet, an address, your own word")
    is_another: bool = Field(False, description="it is none of the drives that were named as likely the same")

    @model_validator(mode="after")
    def _check_unique(self) -> Self:
        if len(set(self.capacities_bytes)) != len(self.capacities_bytes):
            raise ValueError("`capacities_bytes` names a capacity twice")
        return self
