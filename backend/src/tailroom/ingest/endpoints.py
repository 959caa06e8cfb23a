"""The three calls of an agent. Bodies are read without waiting in a thread; everything else is
done in one.
"""

from collections.abc import Callable
from typing import Annotated, Any, TypeVar
from uuid import UUID

import msgspec
from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import APIRouter, Path, Request, Response
from sqlalchemy.orm import Session

from tailroom.accounts.dependencies import credentials_of, principal_of
from tailroom.accounts.errors import TokenMissing, TokenScope, TokenUnknown
from tailroom.accounts.service import may_be_token, require_agent
from tailroom.ingest import errors, openapi, service
from tailroom.ingest.body import Body, read_body
from tailroom.ingest.decoding import decode
from tailroom.ingest.notify import tell
from tailroom.ingest.wire import Announcement, Batch, Finish
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import Problem, RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.resources import Resources, get_resources
from tailroom.runs.errors import RunAlreadyFinished, RunUnknown

router = APIRouter(prefix="/api/v1/runs", tags=["ingest"])

RunIdPath = Annotated[UUID, Path(description="the run's id, a UUIDv7")]
_Result = TypeVar("_Result")

_COMMON: tuple[type[Problem], ...] = (
    errors.BodyUnreadable,
    errors.BodyTooLarge,
    errors.FormatUnsupported,
    errors.BatchInvalid,
    RequestInvalid,
    TokenMissing,
    TokenUnknown,
    TokenScope,
    StorageUnavailable,
)


@router.post(
    "",
    operation_id="announce_run",
    summary="A run begins",
    status_code=201,
    response_class=Response,
    responses=openapi.answers("AnnouncementAnswer", 201, 200)
    | problem_responses(*_COMMON, errors.RunConflict),
    openapi_extra=openapi.request_body("Announcement"),
)
async def announce_run(request: Request) -> Response:
    """Stores what is going to be measured; sending the same again is harmless."""

    def take(resources: Resources, session: Session, organisation_id: UUID, body: Body) -> _Answer:
        message = decode(body, Announcement, resources.settings.unpacked_limit_bytes)
        answer, is_new, news = service.accept_announcement(session, organisation_id, message, utc_now())
        return 201 if is_new else 200, answer, news

    return await _handle(request, take)


@router.post(
    "/{run_id}/intervals",
    operation_id="send_intervals",
    summary="What was measured",
    response_class=Response,
    responses=openapi.answers("BatchAnswer", 200)
    | problem_responses(
        *_COMMON, RunUnknown, errors.SeriesConflict, errors.IntervalConflict, RunAlreadyFinished
    ),
    openapi_extra=openapi.request_body("Batch"),
)
async def send_intervals(run_id: RunIdPath, request: Request) -> Response:
    """Stores a batch as a whole or not at all; what the answer acknowledges is durable."""

    def take(resources: Resources, session: Session, organisation_id: UUID, body: Body) -> _Answer:
        batch = decode(body, Batch, resources.settings.unpacked_limit_bytes)
        # What needs no lock is checked before the run's lock is taken.
        checked = service.check_batch(batch)
        answer, news = service.accept_batch(session, organisation_id, run_id, checked, utc_now())
        return 200, answer, news

    return await _handle(request, take)


@router.post(
    "/{run_id}/finish",
    operation_id="finish_run",
    summary="Nothing more will come",
    response_class=Response,
    responses=openapi.answers("FinishAnswer", 200)
    | problem_responses(*_COMMON, RunUnknown, errors.FinishConflict),
    openapi_extra=openapi.request_body("Finish"),
)
async def finish_run(run_id: RunIdPath, request: Request) -> Response:
    """Ends the run as soon as everything up to the named last intervals has arrived."""

    def take(resources: Resources, session: Session, organisation_id: UUID, body: Body) -> _Answer:
        message = decode(body, Finish, resources.settings.unpacked_limit_bytes)
        answer, news = service.accept_finish(session, organisation_id, run_id, message)
        return 200, answer, news

    return await _handle(request, take)


_Answer = tuple[int, Any, service.News]
_Take = Callable[[Resources, Session, UUID, Body], _Answer]


async def _handle(request: Request, take: _Take) -> Response:
    """The body, then one transaction that finds out who asks and does the work, then the news; the answer
    is sent after the commit.

    Without anything that could be a token the body is not even read.
    """
    resources = get_resources(request)
    credentials = credentials_of(request)
    limiter: CapacityLimiter = request.app.state.ingest_limiter

    def authenticate(session: Session) -> UUID:
        return require_agent(principal_of(session, credentials, resources)).organisation_id

    def refuse() -> None:
        with resources.database.transaction() as session:
            authenticate(session)

    if not may_be_token(credentials.authorization):
        await run_sync(refuse, limiter=limiter)
    body = await read_body(request, resources.settings.body_limit_bytes)

    def work() -> Response:
        with resources.database.transaction() as session:
            status, answer, news = take(resources, session, authenticate(session), body)
        tell(resources.notifier, news)
        return Response(msgspec.json.encode(answer), status_code=status, media_type="application/json")

    return await run_sync(work, limiter=limiter)
