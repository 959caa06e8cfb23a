"""API schemas of objections to tests."""

from datetime import datetime
from typing import Annotated, Literal, Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, model_validator

from tailroom.kit.outside_types import LOOKUP, NAME

_Text = Annotated[str, Field(min_length=1, max_length=1_000), NAME]


class ObjectionIn(BaseModel):
    """An objection to a public test."""

    model_config = ConfigDict(extra="forbid")

    test_id: Annotated[str, Field(min_length=1, max_length=400), LOOKUP] = Field(
        description="of a public test on a drive's page"
    )
    reason: _Text = Field(description="public once it is answered")


class ObjectionDecisionIn(BaseModel):
    """The decision of a moderator. Publishing needs an answer; refusing may have one."""

    model_config = ConfigDict(extra="forbid")

    state: Literal["published", "refused"]
    answer: _Text | None = None

    @model_validator(mode="after")
    def _is_answered(self) -> Self:
        """Raise ValueError if the objection is published without an answer."""
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
