"""A qualification suite as JSON."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path

from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, needs
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.qualification.errors import SuiteUnknown
from tailroom.qualification.schemas import SuiteOut
from tailroom.qualification.suite import suite_of
from tailroom.runs.errors import RUN_REFUSALS

router = APIRouter(prefix="/api/v1/qualifications", tags=["qualification"], route_class=GuardedRoute)
SuiteIdPath = Annotated[UUID, Path(description="`plan.qualify.id` of its runs")]


@router.get(
    "/{suite_id}",
    operation_id="get_qualification",
    summary="A drive's qualification suite: preparation, steady state, tests, plots",
    responses=problem_responses(SuiteUnknown, *RUN_REFUSALS, RequestInvalid, StorageUnavailable),
)
@needs(Capability.READ, threads="reports")
def get_qualification(suite_id: SuiteIdPath, caller: CallerDep) -> SuiteOut:
    """The runs of one `tailroom-agent qualify`, under the headings of SNIA's specification."""
    return suite_of(caller.session, caller.organisation_id, suite_id)
