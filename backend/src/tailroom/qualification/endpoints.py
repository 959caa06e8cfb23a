"""Qualification suites as JSON."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Query

from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, SessionDep, needs
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.outside_types import Cursor
from tailroom.qualification.errors import SuiteUnknown
from tailroom.qualification.listing import list_suites
from tailroom.qualification.schemas import SuiteListOut, SuiteOut
from tailroom.qualification.suite import suite_of
from tailroom.runs.errors import RUN_REFUSALS, CursorUnreadable

router = APIRouter(prefix="/api/v1/qualifications", tags=["qualification"], route_class=GuardedRoute)
SuiteIdPath = Annotated[UUID, Path(description="`plan.qualify.id` of its runs")]


@router.get(
    "",
    summary="The organisation's qualification suites of drives, newest first",
    responses=problem_responses(RequestInvalid, CursorUnreadable, StorageUnavailable),
)
@needs(Capability.READ)
def list_qualifications(
    caller: CallerDep,
    session: SessionDep,
    limit: Annotated[int, Query(ge=1, le=200, description="suites on a page")] = 50,
    cursor: Annotated[Cursor | None, Query()] = None,
) -> SuiteListOut:
    """Return a page of the organisation's suites; published suites of others are read by their address."""
    return list_suites(session, caller.organisation_id, cursor, limit)


@router.get(
    "/{suite_id}",
    summary="A drive's qualification suite: preparation, steady state, tests, plots",
    responses=problem_responses(SuiteUnknown, *RUN_REFUSALS, RequestInvalid, StorageUnavailable),
)
@needs(Capability.READ, threads="reports")
def get_qualification(suite_id: SuiteIdPath, caller: CallerDep) -> SuiteOut:
    """Return the runs of one `tailroom-agent qualify`, under the headings of SNIA's specification."""
    return suite_of(caller.session, caller.organisation_id, suite_id)
