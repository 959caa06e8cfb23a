"""Endpoints of the leaderboard's editions (one a quarter), and of the changes between two."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response

from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, needs
from tailroom.kit.entity_tags import tagged
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.outside_types import LookupText
from tailroom.ratings import editions
from tailroom.ratings.errors import EditionUnknown, FilterInvalid
from tailroom.ratings.schemas import EditionChangesOut, EditionOut, EditionsOut

router = APIRouter(prefix="/api/v1", tags=["ratings"], route_class=GuardedRoute)

EditionName = Annotated[LookupText, Path(min_length=1, max_length=20, description="such as `2026-Q4`")]
SinceQuery = Annotated[LookupText, Query(min_length=1, max_length=20, description="the earlier edition")]
UntilQuery = Annotated[
    LookupText, Query(min_length=1, max_length=20, description="the later edition; default: the living board")
]
_NOT_MODIFIED: dict[int | str, dict[str, Any]] = {
    304: {"description": "what `If-None-Match` names is the answer for ever"}
}
_PROBLEMS = problem_responses(RequestInvalid, EditionUnknown, StorageUnavailable)


@router.get(
    "/editions",
    summary="Editions of the leaderboard",
    responses=problem_responses(RequestInvalid, StorageUnavailable),
)
@needs(Capability.READ, threads="ratings")
def get_editions(caller: CallerDep) -> EditionsOut:
    """Return the editions without their rows, the latest first, each with the SHA-256 of its body."""
    with caller.session() as session:
        return EditionsOut.model_validate({"items": editions.editions(session)})


@router.get(
    "/editions/{name}",
    summary="The leaderboard of a quarter, which never changes",
    response_model=EditionOut,
    responses=_NOT_MODIFIED | _PROBLEMS,
)
@needs(Capability.READ, threads="ratings", compress=True)
def get_edition(name: EditionName, request: Request, caller: CallerDep) -> Response:
    """Return the edition as stored, byte for byte: every public row as of the day when it was made."""
    with caller.session() as session:
        edition = editions.edition_of(session, name)
        content, etag = edition.content, f'"{edition.content_sha256.hex()}"'
    return tagged(request, content, etag)


@router.get(
    "/edition-changes",
    summary="What has changed between two editions",
    responses=problem_responses(RequestInvalid, EditionUnknown, FilterInvalid, StorageUnavailable),
)
@needs(Capability.READ, threads="ratings")
def get_edition_changes(
    since: SinceQuery, caller: CallerDep, until: UntilQuery = editions.LIVING
) -> EditionChangesOut:
    """Return the changes of rows between an edition and a later board, and the tests withdrawn in between.

    Rows are added or removed, or change their rating, rank or standing. Without `until` the later board is
    the current one.
    """
    return EditionChangesOut.model_validate(editions.edition_changes(caller.session, since, until))
