"""API schemas of suggestions for the catalogue."""

from datetime import datetime
from typing import Annotated, Literal, Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from tailroom.kit.outside_types import NAME, RequestBody

FactField = Literal[
    "interface",
    "form_factor",
    "flash",
    "capacity",
    "endurance",
    "random_read",
    "random_write",
    "sequential_read",
    "sequential_write",
    "read_latency",
    "write_latency",
    "power",
]
FACT_UNITS: dict[FactField, str | None] = {
    "interface": None,
    "form_factor": None,
    "flash": None,
    "capacity": "bytes",
    "endurance": "DWPD",
    "random_read": "ops/s",
    "random_write": "ops/s",
    "sequential_read": "bytes/s",
    "sequential_write": "bytes/s",
    "read_latency": "ns",
    "write_latency": "ns",
    "power": "W",
}
"""The unit of each field that is a number; None for a field that is a text."""
State = Literal["open", "accepted", "refused", "withdrawn", "taken-back"]
_Line = Annotated[str, Field(min_length=1, max_length=200), NAME]


class FactIn(RequestBody):
    """A fact to be added to the catalogue, with its source."""

    field: FactField
    number: Annotated[float, Field(gt=0, lt=1e18, allow_inf_nan=False)] | None = Field(
        None, description="in ns, bytes, bytes/s, ops/s, W or DWPD, as the field is"
    )
    text: _Line | None = Field(None, description="of interface, form_factor and flash")
    capacity_bytes: Annotated[int, Field(strict=True, gt=0, lt=2**60)] | None = Field(
        None, description="the capacity that it is about; null: all of them"
    )
    source: _Line = Field(description="such as a data sheet or an address")

    @model_validator(mode="after")
    def _check_value_kind(self) -> Self:
        is_number = FACT_UNITS[self.field] is not None
        if (self.number is not None) != is_number or (self.text is not None) == is_number:
            raise ValueError(f"`{self.field}` is {'a number' if is_number else 'words'}")
        return self


class SuggestionIn(RequestBody):
    """A suggestion: without a fact, to share an own drive; with a fact, to add it to a shared item."""

    slug: Annotated[str, StringConstraints(max_length=120, pattern=r"^[a-z0-9][a-z0-9.-]*$")]
    fact: FactIn | None = None


class DecisionIn(RequestBody):
    """The decision of a moderator about a suggestion."""

    state: Literal["accepted", "refused", "taken-back"]
    reason: _Line | None = Field(None, description="shown to the organisation that suggested it")


class SuggestedFactOut(BaseModel):
    """A fact of a suggestion, as printed, with its unit and source."""

    field: str
    as_printed: str
    unit: str | None
    capacity_bytes: int | None
    source_text: str | None


class SuggestionOut(BaseModel):
    """A suggestion, with the decision on it; fields about the decision are null before it is made."""

    model_config = ConfigDict(from_attributes=True)

    suggestion_id: UUID
    kind: Literal["drive", "fact"]
    slug: str
    name: str
    facts: list[SuggestedFactOut] = Field(description="public once it is accepted")
    kept_back: list[SuggestedFactOut] = Field(description="prices, which stay the organisation's own")
    suggested_by: str
    suggested_at: datetime
    state: State
    decided_by: str | None
    decided_at: datetime | None
    reason: str | None
    organisation: str | None = Field(None, description="for moderators")


class SuggestionsOut(BaseModel):
    """A list of suggestions."""

    suggestions: list[SuggestionOut]
