"""Endpoints of the catalogue, and of adding an organisation's own drive."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from tailroom.access.capabilities import Capability
from tailroom.access.errors import OriginForeign, TokenScope
from tailroom.access.routing import CallerDep, GuardedRoute, SessionDep, needs
from tailroom.catalogue import drives, service
from tailroom.catalogue.errors import DriveInvalid, DriveLikelyKnown, DrivesFull, KindUnknown
from tailroom.catalogue.schemas import CatalogueItemOut, CatalogueOut, DriveIn, DrivesOut
from tailroom.kit.body_limit import RequestTooLarge
from tailroom.kit.clock import utc_now
from tailroom.kit.entity_tags import tagged_model
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.outside_types import LookupText

router = APIRouter(prefix="/api/v1", tags=["catalogue"], route_class=GuardedRoute)


@router.get(
    "/drives",
    summary="Drives of the catalogue by name",
    responses=problem_responses(RequestInvalid, StorageUnavailable),
)
@needs(Capability.READ, compress=True)
def search_drives(
    caller: CallerDep,
    session: SessionDep,
    search: Annotated[LookupText, Query(max_length=120, description="part of a name; empty: all")] = "",
    limit: Annotated[int, Query(ge=1, le=1_000, description="most drives to name")] = 50,
) -> DrivesOut:
    """Return the drives with a name that contains the text, ignoring case, punctuation and capacities."""
    return drives.search(session, caller.organisation_id, search, limit)


@router.post(
    "/drives",
    summary="Add a drive that the catalogue does not have",
    status_code=201,
    responses=problem_responses(
        TokenScope,
        OriginForeign,
        DriveLikelyKnown,
        DrivesFull,
        DriveInvalid,
        RequestTooLarge,
        RequestInvalid,
        StorageUnavailable,
    ),
)
@needs(Capability.EDIT_CATALOGUE)
def add_drive(body: DriveIn, caller: CallerDep, session: SessionDep) -> CatalogueItemOut:
    """Store a drive that only your organisation sees; refuse a likely duplicate and name the known drives."""
    return drives.add(session, caller.organisation_id, body, utc_now())


@router.get(
    "/catalogue/{kind}",
    summary="All items of one kind, with facts and sources",
    response_model=CatalogueOut,
    responses={
        304: {"description": "nothing has changed since the `ETag` that was sent"},
        **problem_responses(KindUnknown, RequestInvalid, StorageUnavailable),
    },
)
@needs(Capability.READ, compress=True)
def get_catalogue(
    kind: Annotated[
        LookupText, Path(max_length=40, description="drive, server, network, database or workload")
    ],
    caller: CallerDep,
    session: SessionDep,
    request: Request,
) -> Response:
    """Return the items of a kind with all facts, their sources, and the fields on which sources disagree."""
    return tagged_model(request, service.catalogue(session, kind, caller.organisation_id))
