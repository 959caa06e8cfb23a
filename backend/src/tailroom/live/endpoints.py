"""The live stream of a run, for browsers' EventSource."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Annotated
from uuid import UUID

from anyio.to_thread import run_sync
from fastapi import APIRouter, Path, Request
from fastapi.responses import StreamingResponse

from tailroom.accounts.dependencies import READER_RESPONSES, credentials_of, principal_of
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.resources import Resources, get_resources
from tailroom.live.hub import Hub
from tailroom.runs.errors import RunUnknown
from tailroom.runs.service import get_run

router = APIRouter(prefix="/api/v1/runs", tags=["live"], responses=READER_RESPONSES)

_HEARTBEAT = b": alive\n\n"
_OPENING = b"retry: 1000\n: open\n\n"
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@router.get(
    "/{run_id}/events",
    operation_id="watch_run",
    summary="What happens to a run, as it happens",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "server-sent events: `ticks` (new live intervals, see Tick) and `changed`"
            " (`{run_id, what, state}`: what to fetch again); a comment every few seconds",
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
        },
        **problem_responses(RunUnknown, RequestInvalid, StorageUnavailable),
    },
)
async def watch_run(
    run_id: Annotated[UUID, Path(description="the run's id, a UUIDv7")], request: Request
) -> StreamingResponse:
    """Streams events until the page leaves, the stream is an hour old, or the server goes down."""
    resources = get_resources(request)
    await run_sync(_check_access, run_id, request, resources)
    hub: Hub = request.app.state.hub
    return StreamingResponse(
        _frames(hub, run_id, resources), media_type="text/event-stream", headers=_HEADERS
    )


def _check_access(run_id: UUID, request: Request, resources: Resources) -> None:
    with resources.database.transaction() as session:
        principal = principal_of(session, credentials_of(request), resources)
        get_run(session, principal.organisation_id, run_id)


async def _frames(hub: Hub, run_id: UUID, resources: Resources) -> AsyncIterator[bytes]:
    settings = resources.settings
    ends_at = time.monotonic() + settings.live_max_lifetime_s
    listener = await hub.join(run_id)
    try:
        yield _OPENING
        while (left_s := ends_at - time.monotonic()) > 0:
            try:
                frame = await listener.next_frame(min(settings.live_heartbeat_s, left_s))
            except TimeoutError:
                yield _HEARTBEAT
                continue
            if frame is None:
                return
            yield frame
    finally:
        await asyncio.shield(hub.leave(listener))
