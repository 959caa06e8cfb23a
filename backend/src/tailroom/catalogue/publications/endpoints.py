"""Endpoints of publications."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from tailroom.access.capabilities import Capability
from tailroom.access.routing import GuardedRoute, SessionDep, needs
from tailroom.catalogue.errors import PublicationUnknown
from tailroom.catalogue.publications import service
from tailroom.catalogue.publications.schemas import PublicationOut, PublicationsOut
from tailroom.kit.entity_tags import tagged_model
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.outside_types import LookupText

router = APIRouter(prefix="/api/v1/publications", tags=["publications"], route_class=GuardedRoute)

_NOT_CHANGED: dict[int | str, dict[str, Any]] = {
    304: {"description": "nothing has changed since the `ETag` that was sent"}
}


@router.get(
    "",
    summary="Published documents",
    response_model=PublicationsOut,
    responses=_NOT_CHANGED | problem_responses(StorageUnavailable),
)
@needs(Capability.READ, compress=True)
def list_publications(session: SessionDep, request: Request) -> Response:
    """Return the publications without their claims, each with its numbers of claims and of findings."""
    return tagged_model(request, service.list_publications(session))


@router.get(
    "/{slug}",
    summary="One published document",
    response_model=PublicationOut,
    responses=_NOT_CHANGED | problem_responses(PublicationUnknown, RequestInvalid, StorageUnavailable),
)
@needs(Capability.READ, compress=True)
def get_publication(
    slug: Annotated[LookupText, Path(max_length=200)],
    session: SessionDep,
    request: Request,
) -> Response:
    """Return a publication: every claim with unit, conditions and place, recomputed numbers, and findings."""
    return tagged_model(request, service.publication(session, slug))
