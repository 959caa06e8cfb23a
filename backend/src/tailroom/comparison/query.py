"""Query parameters of a comparison, and the subject names of runs."""

from typing import Annotated
from uuid import UUID

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field

from tailroom.comparison.errors import SubjectsInvalid
from tailroom.domain.verdicts.budget_kinds import Clock
from tailroom.kit.outside_types import LOOKUP, Lookup

SUBJECTS_MIN, SUBJECTS_MAX = 2, 6
_Subject = Annotated[str, Field(min_length=1, max_length=300), LOOKUP]


class ComparisonQuery(BaseModel):
    """The subjects of a comparison, and the operation, clock (kind of time), phase and load to compare.

    Without `operation`: reads, else the first request that all subjects have. Without `clock`: the first by
    which all measured this operation.
    """

    model_config = ConfigDict(extra="forbid")

    subject: list[_Subject] = Field(
        max_length=20,
        description="`run:ID`, `campaign:ID`, `drive:SLUG` or `publication:SLUG#ROW`; the first is the base",
    )
    operation: Annotated[str, Field(min_length=1, max_length=100), LOOKUP] | None = None
    clock: Clock | None = None
    phase: Lookup | None = Field(
        None, description="of campaigns; by default the last phase that all of them measured"
    )
    load: Annotated[float, Field(gt=0, le=1e6, allow_inf_nan=False)] | None = Field(
        None, description="of drives: the multiple of ACT's load; by default the highest that all have"
    )
    per_drive: bool = Field(False, description="divide the rates of a server by its number of drives")


ComparisonQueryDep = Annotated[ComparisonQuery, Query()]


def run_id_of(name: str, *, bare: bool = False) -> UUID:
    """Return the id in `run:ID`, or with `bare` in `ID`; raise SubjectsInvalid for any other name."""
    try:
        if bare or name.startswith("run:"):
            return UUID(name.removeprefix("run:"))
    except ValueError:
        pass
    raise SubjectsInvalid(
        f"“{name}” is no subject: write run:ID, campaign:ID, drive:SLUG or publication:SLUG#ROW."
    )
