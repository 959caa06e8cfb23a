"""Endpoints of the leaderboard, of a drive's page and badge, and of comparability."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import Response

from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, SessionDep, needs
from tailroom.budgets.errors import BudgetUnknownProblem
from tailroom.kit.entity_tags import names_tag
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.outside_types import LookupText
from tailroom.ratings import service
from tailroom.ratings.badge import badge
from tailroom.ratings.drive_page import comparability, drive_page
from tailroom.ratings.drive_page_schemas import ComparabilityOut, DrivePageOut
from tailroom.ratings.errors import DriveUnknown, FilterInvalid, TestUnknown
from tailroom.ratings.judgements import JudgementCache
from tailroom.ratings.query import LeaderboardQuery
from tailroom.ratings.schemas import LeaderboardOut
from tailroom.ratings.service import Content
from tailroom.ratings.table import CSV
from tailroom.ratings.variants import DriveVariantOut, drive_variant_of_run
from tailroom.runs.endpoints import RunIdPath
from tailroom.runs.errors import RUN_REFUSALS, CursorUnreadable


async def get_judged_tests(request: Request) -> JudgementCache:
    """Return this process's cache of judgements by visitors' own questions."""
    cache = request.app.state.judged_tests
    assert isinstance(cache, JudgementCache)  # noqa: S101 - set by the application factory
    return cache


JudgedDep = Annotated[JudgementCache, Depends(get_judged_tests)]

router = APIRouter(prefix="/api/v1", tags=["ratings"], route_class=GuardedRoute)

SlugPath = Annotated[
    LookupText, Path(min_length=1, max_length=200, description="the drive's slug in the catalogue")
]
RuleSetQuery = Annotated[
    LookupText, Query(min_length=1, max_length=100, description="rules that tests are judged by")
]
TestIds = Annotated[
    list[Annotated[LookupText, Query(min_length=1, max_length=400)]],
    Query(min_length=2, max_length=20, description="`test_id` of a drive's page; may repeat"),
]

_NOT_MODIFIED: dict[int | str, dict[str, Any]] = {
    304: {"description": "what `If-None-Match` names is still the answer"}
}
_QUESTION = problem_responses(
    RequestInvalid, FilterInvalid, BudgetUnknownProblem, CursorUnreadable, StorageUnavailable
)


@router.get(
    "/leaderboard",
    summary="Which drive holds which load, at equal conditions",
    response_model=LeaderboardOut,
    responses=_NOT_MODIFIED | _QUESTION,
)
@needs(Capability.READ, threads="ratings", compress=True)
def get_leaderboard(
    query: Annotated[LeaderboardQuery, Query()],
    request: Request,
    caller: CallerDep,
    judged: JudgedDep,
) -> Response:
    """Return a page of rows with ratings, ranges of ranks, and the numbers of hidden rows."""
    tag = request.headers.get("if-none-match")
    return _response(request, service.leaderboard(caller.session, judged, caller.organisation_id, query, tag))


@router.get(
    "/leaderboard.csv",
    summary="The same rows as a table",
    response_class=Response,
    responses=_NOT_MODIFIED | _QUESTION | {200: {"content": {"text/csv": {"schema": {"type": "string"}}}}},
)
@needs(Capability.READ, threads="ratings")
def get_leaderboard_csv(
    query: Annotated[LeaderboardQuery, Query()],
    request: Request,
    caller: CallerDep,
    judged: JudgedDep,
) -> Response:
    """Return the leaderboard rows as CSV with every column, all without `limit`. Headers name the units."""
    tag = request.headers.get("if-none-match")
    content = service.leaderboard(caller.session, judged, caller.organisation_id, query, tag, CSV)
    return _response(request, content, {"Content-Disposition": 'attachment; filename="tailroom-drives.csv"'})


@router.get(
    "/drives/{slug}",
    summary="All data about a drive",
    response_model=DrivePageOut,
    responses=_NOT_MODIFIED
    | problem_responses(RequestInvalid, DriveUnknown, FilterInvalid, StorageUnavailable),
)
@needs(Capability.READ, threads="ratings", compress=True)
def get_drive(
    slug: SlugPath,
    request: Request,
    caller: CallerDep,
    judged: JudgedDep,
    rule_set: RuleSetQuery = "act-performance",
) -> Response:
    """Return a drive's facts with sources, its tests, load curves, and rows that are not comparable."""
    page = drive_page(caller.session, judged, caller.organisation_id, slug, rule_set)
    return _response(request, page)


@router.get(
    "/runs/{run_id}/drive-variant",
    summary="Is the drive of a run one of those that tests of its model are about?",
    responses=problem_responses(*RUN_REFUSALS, RequestInvalid, StorageUnavailable),
)
@needs(Capability.READ_RUN)
def get_run_drive_variant(run_id: RunIdPath, caller: CallerDep, session: SessionDep) -> DriveVariantOut:
    """Return firmware and capacity of the run's drive beside those of the tests on record, with warnings."""
    return drive_variant_of_run(session, caller.organisation_id, run_id)


@router.get(
    "/drives/{slug}/badge.svg",
    summary="A drive's rating as a small picture",
    response_class=Response,
    responses=_NOT_MODIFIED
    | problem_responses(RequestInvalid, DriveUnknown, FilterInvalid, StorageUnavailable)
    | {200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}},
)
@needs(Capability.READ, threads="ratings")
def get_drive_badge(
    slug: SlugPath,
    request: Request,
    caller: CallerDep,
    judged: JudgedDep,
    rule_set: RuleSetQuery = "act-performance",
) -> Response:
    """Return an SVG badge for other sites: rating, conditions of the public tests, evidence in its title."""
    content = badge(caller.session, judged, caller.organisation_id, slug, rule_set)
    return _response(request, content, {"Cache-Control": "max-age=300"})


@router.get(
    "/comparability",
    summary="Are these tests comparable?",
    responses=problem_responses(RequestInvalid, TestUnknown, StorageUnavailable),
)
@needs(Capability.READ, threads="ratings")
def get_comparability(test: TestIds, caller: CallerDep, judged: JudgedDep) -> ComparabilityOut:
    """Return the tests, and for every pair of them the reasons against comparing it."""
    return comparability(caller.session, judged, caller.organisation_id, test)


def _response(request: Request, content: Content, headers: dict[str, str] | None = None) -> Response:
    """Return the body with its tag, or status 304 if the client has it already.

    Shared caches must not store it, and no cache stores an incomplete answer.
    """
    caching = "no-cache" if content.is_complete else "no-store"
    every = {"ETag": content.etag, "Cache-Control": f"private, {caching}", **(headers or {})}
    is_cached = content.is_complete and names_tag(request.headers.get("if-none-match"), content.etag)
    if content.body is None or is_cached:
        return Response(status_code=304, headers=every)
    return Response(content.body, media_type=content.media_type, headers=every)
