"""API schemas of price lists. Capacities are in bytes, power in watts, endurance in drive writes per day."""

import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, Field, StringConstraints, model_validator

from tailroom.catalogue.stated_prices import PriceUnit
from tailroom.kit.outside_types import NAME, TEXT, RequestBody

_Text = Annotated[str, Field(min_length=1, max_length=120), NAME]


def _remove_byte_order_mark(text: Any) -> Any:
    """Return a text without its byte order mark; any other value unchanged."""
    return text.removeprefix("\ufeff") if isinstance(text, str) else text


_Csv = Annotated[str, Field(max_length=200_000), TEXT, BeforeValidator(_remove_byte_order_mark)]
"""Text of a CSV file. Spreadsheets begin theirs with a byte order mark."""
OwnPriceUnit = Literal["hour"]
_Positive = Annotated[float, Field(gt=0, lt=1e12, allow_inf_nan=False)]


class PriceEntryIn(RequestBody):
    """The price of a drive of one capacity, or of a rented machine, with its source and date."""

    drive: _Text = Field(description="slug or name of a drive of the catalogue")
    capacity_bytes: Annotated[int, Field(gt=0, lt=2**60)] | None = Field(
        None, description="null: of every capacity, where the price is per hour"
    )
    price: _Positive
    per: OwnPriceUnit | None = Field(None, description="unit of use; null: bought once")
    currency: Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")] = Field(description="ISO 4217")
    power_w: _Positive | None = None
    dwpd: _Positive | None = Field(None, description="drive writes per day that it is rated for")
    stated_on: datetime.date
    source: _Text = Field(description="an offer, an address, your own word")

    @model_validator(mode="after")
    def _check_capacity(self) -> Self:
        if self.capacity_bytes is None and self.per is None:
            raise ValueError(
                "what is bought has a price for each capacity: state `capacity_bytes`, or `per` “hour” for a "
                "rented machine"
            )
        return self


class PriceListIn(RequestBody):
    """New entries of a price list: either as `entries`, or as CSV."""

    entries: Annotated[list[PriceEntryIn], Field(min_length=1, max_length=2_000)] | None = None
    csv: _Csv | None = Field(
        None, description="columns drive, capacity, price, currency, power_w, dwpd, date, source, per"
    )

    @model_validator(mode="after")
    def _check_exactly_one(self) -> Self:
        if (self.entries is None) == (self.csv is None):
            raise ValueError("send `entries` or `csv`, one of the two")
        return self


class PriceEntryOut(BaseModel):
    """An entry of the price list: price, power and endurance of a drive."""

    slug: str
    vendor: str
    name: str
    capacity_bytes: int | None = Field(description="null: of every capacity")
    price: float
    currency: str
    per: OwnPriceUnit | None
    power_w: float | None
    dwpd: float | None
    stated_on: datetime.date
    source: str


class PriceListOut(BaseModel):
    """The price list of the caller's organisation; other organisations cannot read it."""

    entries: list[PriceEntryOut]


class CostOut(BaseModel):
    """Bounds of a cost, in the currency of the price and per the same unit of use."""

    lower: float
    upper: float


class PriceOut(CostOut):
    """Bounds of a known price, with date and source.

    `terms` are the conditions of the offer in words, such as `whole instance, Linux, on demand`.
    """

    currency: str
    per: PriceUnit | None = Field(description="unit of use that is paid for; null: bought once")
    region: str | None
    terms: str | None
    date: str | None
    source: str | None = Field(description="title of a document, or a text")
    publication: str | None = Field(description="slug of the document")


class PublishedPriceOut(PriceOut):
    """A price of an item of the catalogue that a publication states."""

    slug: str
    vendor: str
    name: str
    capacity_bytes: int | None = Field(description="null: of every capacity")
    is_newest: bool = Field(description="costs are calculated from it, unless an own price replaces it")
    own_price: bool = Field(description="the caller's own price list replaces it")


class PublishedPricesOut(BaseModel):
    """Prices that publications state, by item; the newest of each item first."""

    prices: list[PublishedPriceOut]
