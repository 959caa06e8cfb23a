"""Query parameters of a comparison over HTTP."""

from typing import Annotated

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field

from tailroom.domain.verdicts.budget_kinds import Clock
from tailroom.kit.outside_types import LOOKUP, Lookup

SUBJECTS_MIN, SUBJECTS_MAX = 2, 6
_Subject = Annotated[str, Field(min_length=1, max_length=300), LOOKUP]


class ComparisonQuery(BaseModel):
    """Subjects, and how they are aligned."""

    model_config = ConfigDict(extra="forbid")

    subject: list[_Subject] = Field(
        max_length=20,
        description="`run:ID`, `campaign:ID`, `drive:SLUG` or `publication:SLUG#ROW`; the first is the base",
    )
    operation: Annotated[str, Field(min_length=1, max_length=100), LOOKUP] | None = None
    clock: Clock | None = None
    phase: Lookup | None = Field(None, description="of campaigns; by default the last measured one of all")
    load: Annotated[float, Field(gt=0, le=1e6, allow_inf_nan=False)] | None = Field(
        None, description="of drives: the multiple of ACT's load; by default the highest of all"
    )
    per_drive: bool = Field(False, description="rates of one drive among those of its server")


AskedQuery = Annotated[ComparisonQuery, Query()]
