"""The leaderboard, a drive's page, its badge, and whether tests may be compared."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response

from tailroom.accounts.dependencies import READER_RESPONSES, PrincipalDep
from tailroom.budgets.errors import BudgetUnknown
from tailroom.budgets.schemas import NO_NUL
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.resources import SessionDep
from tailroom.ratings import service
from tailroom.ratings.errors import DriveUnknown, FilterInvalid, TestUnknown
from tailroom.ratings.query import LeaderboardQuery
from tailroom.ratings.schemas import ComparabilityOut, DrivePageOut, LeaderboardOut
from tailroom.runs.errors import CursorUnreadable

router = APIRouter(prefix="/api/v1", tags=["ratings"], responses=READER_RESPONSES)

SlugPath = Annotated[
    str, Path(min_length=1, max_length=200, pattern=NO_NUL, description="the drive's slug in the catalogue")
]
RuleSetQuery = Annotated[
    str, Query(min_length=1, max_length=100, pattern=NO_NUL, description="rules that tests are judged by")
]
TestIds = Annotated[
    list[Annotated[str, Query(min_length=1, max_length=400, pattern=NO_NUL)]],
    Query(min_length=2, max_length=20, description="`test_id` of a drive's page; may repeat"),
]

_NOT_MODIFIED = {304: {"description": "what `If-None-Match` names is still the answer"}}
_QUESTION = problem_responses(
    RequestInvalid, FilterInvalid, BudgetUnknown, CursorUnreadable, StorageUnavailable
)


@router.get(
    "/leaderboard",
    operation_id="get_leaderboard",
    summary="Which drive holds which load, at equal conditions",
    response_model=LeaderboardOut,
    responses=_NOT_MODIFIED | _QUESTION,
)
def get_leaderboard(
    asked: Annotated[LeaderboardQuery, Query()],
    request: Request,
    principal: PrincipalDep,
    session: SessionDep,
) -> Response:
    """Rows in order, with ratings as intervals, rank ranges, and what other conditions hide."""
    return service.leaderboard(
        session, principal.organisation_id, asked, request.headers.get("if-none-match")
    )


@router.get(
    "/leaderboard.csv",
    operation_id="get_leaderboard_csv",
    summary="The same rows as a table",
    response_class=Response,
    responses=_NOT_MODIFIED | _QUESTION | {200: {"content": {"text/csv": {"schema": {"type": "string"}}}}},
)
def get_leaderboard_csv(
    asked: Annotated[LeaderboardQuery, Query()],
    request: Request,
    principal: PrincipalDep,
    session: SessionDep,
) -> Response:
    """Exactly the rows that the same question shows, with every number in its unit."""
    return service.leaderboard_csv(
        session, principal.organisation_id, asked, request.headers.get("if-none-match")
    )


@router.get(
    "/drives/{slug}",
    operation_id="get_drive",
    summary="Everything on record about a drive",
    response_model=DrivePageOut,
    responses=_NOT_MODIFIED
    | problem_responses(RequestInvalid, DriveUnknown, FilterInvalid, StorageUnavailable),
)
def get_drive(
    slug: SlugPath,
    request: Request,
    principal: PrincipalDep,
    session: SessionDep,
    rule_set: RuleSetQuery = "act-performance",
) -> Response:
    """Facts with their sources, every tested load, load curves, and what may not be compared."""
    return service.drive_page(
        session, principal.organisation_id, slug, rule_set, request.headers.get("if-none-match")
    )


@router.get(
    "/drives/{slug}/badge.svg",
    operation_id="get_drive_badge",
    summary="A drive's rating as a small picture",
    response_class=Response,
    responses=_NOT_MODIFIED
    | problem_responses(RequestInvalid, DriveUnknown, FilterInvalid, StorageUnavailable)
    | {200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}},
)
def get_drive_badge(
    slug: SlugPath,
    request: Request,
    principal: PrincipalDep,
    session: SessionDep,
    rule_set: RuleSetQuery = "act-performance",
) -> Response:
    """For pages elsewhere: rating, evidence and rule set of what is public."""
    return service.badge(session, slug, rule_set, request.headers.get("if-none-match"))


@router.get(
    "/comparability",
    operation_id="get_comparability",
    summary="May these tests be put in one order?",
    responses=problem_responses(RequestInvalid, TestUnknown, StorageUnavailable),
)
def get_comparability(test: TestIds, principal: PrincipalDep, session: SessionDep) -> ComparabilityOut:
    """Every pair of the tests, with each reason against comparing it."""
    return service.comparability(session, principal.organisation_id, test)
