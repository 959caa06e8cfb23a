"""The three calls of an agent. Bodies are read in the event loop; the rest runs in a worker thread."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import msgspec
from fastapi import APIRouter, Request, Response
from sqlalchemy.orm import Session

from tailroom.access.caller import Caller
from tailroom.access.capabilities import Capability
from tailroom.access.errors import RunUnknown
from tailroom.access.quotas import QuotaReached, require_run
from tailroom.access.routing import CallerDep, GuardedRoute, needs, threads_of
from tailroom.ingest import errors, openapi, service
from tailroom.ingest.body import read_body
from tailroom.ingest.content_digest import HEADER, digest_of
from tailroom.ingest.decoding import Message, decode
from tailroom.ingest.wire import Announcement, Batch, Finish
from tailroom.kit import tracing
from tailroom.kit.body_limit import RequestTooLarge
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import HttpProblem, problem_responses
from tailroom.kit.resources import resources_of
from tailroom.runs.endpoints import RunIdPath
from tailroom.runs.errors import RunAlreadyFinished

router = APIRouter(prefix="/api/v1/runs", tags=["ingest"], route_class=GuardedRoute)

_COMMON: tuple[type[HttpProblem], ...] = (
    errors.BodyUnreadable,
    errors.BodyDamaged,
    RequestTooLarge,
    errors.FormatUnsupported,
    errors.BatchInvalid,
)


@router.post(
    "",
    summary="A run begins",
    status_code=201,
    response_class=Response,
    responses=openapi.answers("AnnouncementAnswer", 201, 200)
    | problem_responses(*_COMMON, errors.RunConflict, QuotaReached, RunUnknown),
    openapi_extra=openapi.request_body("Announcement"),
)
@needs(Capability.SEND)
async def announce_run(request: Request, caller: CallerDep) -> Response:
    """Store the plan of a run before it is measured. The same announcement again changes nothing."""

    def accept(session: Session, message: Announcement) -> _Answer:
        owner = caller.organisation_id
        answer, is_new, notification = service.accept_announcement(session, owner, message, utc_now())
        if is_new:
            require_run(session, owner, new=0)
        return 201 if is_new else 200, answer, notification

    return await _handle(request, caller, Announcement, accept)


@router.post(
    "/{run_id}/intervals",
    summary="What was measured",
    response_class=Response,
    responses=openapi.answers("BatchAnswer", 200)
    | problem_responses(
        *_COMMON, RunUnknown, errors.SeriesConflict, errors.IntervalConflict, RunAlreadyFinished
    ),
    openapi_extra=openapi.request_body("Batch"),
)
@needs(Capability.SEND)
async def send_intervals(run_id: RunIdPath, request: Request, caller: CallerDep) -> Response:
    """Store a batch completely or not at all; acknowledged intervals are durable."""

    def accept(session: Session, batch: Batch) -> _Answer:
        # Checks that need no lock of the run come first.
        checked = service.check_batch(batch)
        return 200, *service.accept_batch(session, caller.organisation_id, run_id, checked, utc_now())

    return await _handle(request, caller, Batch, accept)


@router.post(
    "/{run_id}/finish",
    summary="Nothing more will come",
    response_class=Response,
    responses=openapi.answers("FinishAnswer", 200)
    | problem_responses(*_COMMON, RunUnknown, errors.FinishConflict),
    openapi_extra=openapi.request_body("Finish"),
)
@needs(Capability.SEND)
async def finish_run(run_id: RunIdPath, request: Request, caller: CallerDep) -> Response:
    """End the run as soon as all intervals up to the last sequence numbers have arrived."""

    def accept(session: Session, message: Finish) -> _Answer:
        return 200, *service.accept_finish(session, caller.organisation_id, run_id, message, utc_now())

    return await _handle(request, caller, Finish, accept)


_Answer = tuple[int, Any, service.RunNotification]
"""Status, body and notification."""


async def _handle(
    request: Request, caller: Caller, kind: type[Message], accept: Callable[[Session, Message], _Answer]
) -> Response:
    """Read the message of a request, accept it in a worker thread, and return the answer. Before that, the
    transaction is committed and pages are notified.
    """
    resources = resources_of(request)
    body = await read_body(request)

    def work() -> Response:
        with tracing.span("store"), caller.session() as session:
            message = decode(body, kind, resources.settings.unpacked_limit_bytes)
            status, answer, notification = accept(session, message)
        notification.publish(resources.notifier)
        content = msgspec.json.encode(answer)
        # An agent removes acknowledged intervals from its spool, so it verifies the digest of the answer.
        digest = {HEADER: digest_of(content)}
        return Response(content, status_code=status, media_type="application/json", headers=digest)

    run_id = request.path_params.get("run_id")
    of_run = None if run_id is None else tracing.run_parent(UUID(run_id))
    # An agent sends the trace of its run, other clients their own.
    parent = tracing.from_header(request.headers.get(tracing.TRACEPARENT)) or of_run
    name, request_id = str(request.scope["route"].name), str(request.state.request_id)
    with tracing.span(name, parent, beside=of_run, request_id=request_id, bytes=len(body.content)):
        return await threads_of(request, "ingest").run(work, caller.organisation_id)
