"""Endpoints that compare the units of campaigns (drives or runs of agents), as JSON and as CSV."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Query, Response

from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, needs
from tailroom.comparison.errors import SubjectMissing, SubjectsInvalid
from tailroom.comparison.sibling_schemas import SiblingsOut
from tailroom.comparison.sibling_table import table
from tailroom.comparison.siblings import CAMPAIGNS_MAX, judge_campaigns
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.outside_types import Lookup
from tailroom.runs.errors import RUN_REFUSALS

router = APIRouter(prefix="/api/v1/campaigns", tags=["comparisons"], route_class=GuardedRoute)

_REFUSALS = (*RUN_REFUSALS, SubjectMissing, SubjectsInvalid, RequestInvalid, StorageUnavailable)
CampaignId = Annotated[UUID, Path(description="of the list of campaigns")]
Also = Annotated[
    list[UUID],
    Query(
        max_length=CAMPAIGNS_MAX - 1,
        description="further campaigns of the same plan; their units are siblings",
    ),
]
Phase = Annotated[
    Lookup | None,
    Query(description="by default the last measured phase that all campaigns have, else their last phase"),
]
Operation = Annotated[
    Lookup | None,
    Query(description="by default reads, else the first by name that at least half of the units have"),
]


@router.get(
    "/{campaign_id}/siblings",
    summary="Drives, nodes or links that differ from the others",
    responses=problem_responses(*_REFUSALS),
)
@needs(Capability.READ, threads="analysis", compress=True)
def get_siblings(
    campaign_id: CampaignId,
    caller: CallerDep,
    also: Also = [],  # noqa: B006 - FastAPI copies it
    phase: Phase = None,
    operation: Operation = None,
) -> SiblingsOut:
    """Return every unit of a phase compared with the other units, those that differ first.

    A unit is a drive if a run has figures of single drives, else the whole run of an agent. The chance to
    call any unit different by mistake is limited over all units together.
    """
    return judge_campaigns(caller, [campaign_id, *also], phase, operation)


@router.get(
    "/{campaign_id}/siblings.csv",
    summary="The same as a table",
    response_class=Response,
    responses=problem_responses(*_REFUSALS)
    | {200: {"content": {"text/csv": {"schema": {"type": "string"}}}}},
)
@needs(Capability.READ, threads="analysis")
def get_siblings_csv(
    campaign_id: CampaignId,
    caller: CallerDep,
    also: Also = [],  # noqa: B006
    phase: Phase = None,
    operation: Operation = None,
) -> Response:
    """Return the comparison of the units as CSV, a row for each unit and quantity.

    A unit without figures, and an agent without a run, has one row with the reason.
    """
    text = table(judge_campaigns(caller, [campaign_id, *also], phase, operation))
    headers = {"Content-Disposition": f'attachment; filename="siblings-{campaign_id}.csv"'}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)
