"""The live stream of a run, for browsers' EventSource."""

import asyncio
import time
from collections.abc import AsyncIterator

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, needs, threads_of
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.limits import ORGANISATION_STREAMS
from tailroom.kit.resources import resources_of
from tailroom.kit.settings import Settings
from tailroom.kit.threads import Busy
from tailroom.live.hub import Hub
from tailroom.live.rights import StreamRight
from tailroom.runs.endpoints import RunIdPath
from tailroom.runs.errors import RUN_REFUSALS
from tailroom.runs.service import get_run

router = APIRouter(prefix="/api/v1/runs", tags=["live"], route_class=GuardedRoute)

_HEARTBEAT = b": alive\n\n"
_OPENING = b"retry: 1000\n: open\n\n"
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@router.get(
    "/{run_id}/events",
    summary="Live events of a run",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "server-sent events: `ticks` (new live intervals, see Tick) and `changed`"
            " (`{run_id, what, state}`: what to fetch again); a comment every few seconds",
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
        },
        **problem_responses(*RUN_REFUSALS, RequestInvalid, StorageUnavailable),
    },
)
@needs(Capability.READ_RUN)
async def watch_run(run_id: RunIdPath, request: Request, caller: CallerDep) -> StreamingResponse:
    """Stream events until the page closes, the right to read ends, an hour is over, or the server stops."""

    def check() -> None:
        """Raise if the caller may not read the run."""
        with caller.session() as session:
            get_run(session, caller.organisation_id, run_id)

    hub: Hub = request.app.state.hub
    limit = resources_of(request).settings.live_streams
    if hub.stream_count >= limit:
        raise Busy(f"{limit:,} live streams are open, the most that one process has; try again in a moment.")
    if hub.streams_of(caller.organisation_id) >= ORGANISATION_STREAMS:
        raise Busy(
            f"Your organisation has {ORGANISATION_STREAMS} live streams open, the most that it may have here;"
            " close some pages of runs."
        )
    await threads_of(request, "live").run(check)
    frames = _frames(hub, StreamRight.of(caller, run_id), resources_of(request).settings)
    return StreamingResponse(frames, media_type="text/event-stream", headers=_HEADERS)


async def _frames(hub: Hub, right: StreamRight, settings: Settings) -> AsyncIterator[bytes]:
    """Yield the frames of a stream, and heartbeats between them, until it ends; then leave the hub."""
    ends_at = time.monotonic() + settings.live_max_lifetime_s
    listener = await hub.join(right)
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
