"""Retention days of an organisation: the effective days, the operator's bounds, the owners' choice."""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from tailroom.access import trail
from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, SessionDep, needs
from tailroom.domain.errors import sentence
from tailroom.kit.errors import HttpProblem, problem_responses
from tailroom.kit.outside_types import RequestBody
from tailroom.kit.resources import resources_of
from tailroom.operations.retention_days import MOST_DAYS, RetentionDays
from tailroom.storage.organisation import Organisation

router = APIRouter(prefix="/api/v1/organisation/retention", tags=["organisation"], route_class=GuardedRoute)
_Days = Annotated[int | None, Field(ge=1, le=MOST_DAYS)]


class RetentionInvalid(HttpProblem, status=422, title="The retention cannot be set"):
    """The days exceed the operator's maximum, or finer data would be stored longer than sums of them."""


class DaysIn(RequestBody):
    """Days that an owner chooses; null: as long as the installation stores the data."""

    tick_days: _Days = None
    interval_days: _Days = None
    minute_days: _Days = None
    raw_file_days: _Days = None


class DaysOut(BaseModel):
    """Days that data is stored: after the last data of its run, for files after their arrival."""

    model_config = ConfigDict(from_attributes=True)

    tick_days: int | None = Field(description="of data of single seconds")
    interval_days: int | None = Field(description="of intervals, as agents send them")
    minute_days: int | None = Field(description="of slices of a minute and of ten minutes")
    raw_file_days: int | None = Field(description="of uploaded files")


class RetentionOut(BaseModel):
    """Days for each kind of data: those that apply, the operator's maximum, and the owner's choice."""

    holds: Annotated[DaysOut, Field(description="the shorter of both below; null: until it is deleted")]
    longest: Annotated[DaysOut, Field(description="as an operator has set it; null: without end")]
    wanted: Annotated[DaysOut, Field(description="as an owner has set it; null: as long as possible")]


@router.get("", summary="How long what is stored")
@needs(Capability.READ)
def get_retention(caller: CallerDep, session: SessionDep, request: Request) -> RetentionOut:
    """Return how long each kind of data is stored. Whole runs, hours and verdicts stay until deletion."""
    organisation = session.get(Organisation, caller.organisation_id)
    chosen = RetentionDays() if organisation is None else RetentionDays.wanted_by(organisation)
    return _retention_out(chosen, RetentionDays.from_settings(resources_of(request).settings))


@router.put("", summary="Have data go sooner", responses=problem_responses(RetentionInvalid))
@needs(Capability.MANAGE_ORGANISATION)
def set_retention(body: DaysIn, caller: CallerDep, session: SessionDep, request: Request) -> RetentionOut:
    """Set how long data is stored, at most as long as the installation stores it.

    Housekeeping applies it within the hour; removed data cannot be restored.
    """
    chosen = RetentionDays(**body.model_dump())
    longest = RetentionDays.from_settings(resources_of(request).settings)
    if problems := chosen.problems(longest):
        raise RetentionInvalid(sentence(problems[0].reason), problems)
    organisation = session.get_one(Organisation, caller.organisation_id, with_for_update={"key_share": True})
    before = RetentionDays.wanted_by(organisation)
    for name, days in asdict(chosen).items():
        setattr(organisation, name.replace("_days", "_retention_days"), days)
    session.flush()
    trail.note(session, organisation.name, before=asdict(before), after=asdict(chosen))
    return _retention_out(chosen, longest)


def _retention_out(chosen: RetentionDays, longest: RetentionDays) -> RetentionOut:
    return RetentionOut(
        holds=DaysOut.model_validate(chosen.within(longest)),
        longest=DaysOut.model_validate(longest),
        wanted=DaysOut.model_validate(chosen),
    )
