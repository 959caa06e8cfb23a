"""The Valkey subscription of a process, which serves all its open pages.

A page that is too slow is dropped, and reconnects. While Valkey is unavailable, streams stay open; afterwards
all pages are asked to fetch again, because frames may have been lost.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Collection
from typing import Any
from uuid import UUID

import psycopg
import redis.asyncio
import structlog
from redis import RedisError
from sqlalchemy.exc import SQLAlchemyError

from tailroom.kit.errors import HttpProblem
from tailroom.kit.notifier import changed_frame
from tailroom.kit.valkey import make_subscriber_client, run_channel
from tailroom.live.rights import StreamRight
from tailroom.live.slots import StreamSlots

FindValidRights = Callable[[Collection[StreamRight]], Awaitable[Collection[StreamRight]]]
"""Returns those of the rights that a new request would have now."""
RIGHTS_EVERY_S = 1.0
"""Pause between checks of the rights of open streams."""
QUEUE_FRAMES = 100
"""Frames that may wait for one page: more than a minute of a busy run."""
_RETRY_S = 0.5
_IDLE_CHANNEL = "tailroom:live"
_log = structlog.get_logger(__name__)


class Listener:
    """The stream of one open page: a queue of at most `QUEUE_FRAMES` frames, in which None ends the stream.

    `slot`: its number in `StreamSlots`; None if no slot was left.
    """

    def __init__(self, right: StreamRight, slot: int | None = None) -> None:
        """Create a stream without frames, for the run of this right."""
        self.right = right
        self.run_id = right.run_id
        self.slot = slot
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue(QUEUE_FRAMES + 1)

    async def next_frame(self, timeout_s: float) -> bytes | None:
        """Return the next frame, None if the stream must end. Raise TimeoutError after `timeout_s`."""
        async with asyncio.timeout(timeout_s):
            return await self._queue.get()

    def offer(self, frame: bytes) -> bool:
        """Queue a frame; return False if the page is too slow, which ends its stream."""
        if self._queue.qsize() >= QUEUE_FRAMES:
            self.end()
            return False
        self._queue.put_nowait(frame)
        return True

    def cut(self) -> None:
        """End the stream at once; queued frames are dropped."""
        while not self._queue.empty():
            self._queue.get_nowait()
        self.end()

    def end(self) -> None:
        """End the stream after the queued frames; no effect if the queue is full."""
        with contextlib.suppress(asyncio.QueueFull):
            self._queue.put_nowait(None)


class Hub:
    """Subscription of this process, and its listeners by run. Belongs to one event loop."""

    def __init__(self, redis_url: str, find_valid_rights: FindValidRights, slots: StreamSlots) -> None:
        """Create a hub without streams; `find_valid_rights` is called regularly, `slots` counts streams."""
        self._redis_url = redis_url
        self._find_valid_rights = find_valid_rights
        self._slots = slots
        self._listeners: dict[UUID, set[Listener]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._pubsub: Any = None
        self._closed = False

    async def start(self) -> None:
        """Start the tasks that listen to Valkey and check rights."""
        self._tasks = [
            asyncio.create_task(self._run(), name="live-hub"),
            asyncio.create_task(self._watch_rights(), name="live-rights"),
        ]

    async def close(self) -> None:
        """End every stream and the subscription."""
        self.end_streams()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def end_streams(self) -> None:
        """End every open stream after its queued frames; a stream that is opened later ends at once."""
        self._closed = True
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.end()

    @property
    def stream_count(self) -> int:
        """Number of open streams of this process."""
        return sum(map(len, self._listeners.values()))

    async def join(self, right: StreamRight) -> Listener:
        """Open a stream for a page and return its listener; `leave` closes it.

        After `end_streams` it ends at once.
        """
        listener, run_id = Listener(right, self._slots.take(right.organisation_id)), right.run_id
        if self._closed:
            listener.end()
        first = run_id not in self._listeners
        self._listeners.setdefault(run_id, set()).add(listener)
        if first:
            await self._change_subscription(lambda pubsub: pubsub.subscribe(run_channel(run_id)))
        return listener

    def streams_of(self, organisation_id: UUID) -> int:
        """Return the number of open streams of an organisation, in all processes behind the same port."""
        return self._slots.count_of(organisation_id)

    async def leave(self, listener: Listener) -> None:
        """Close the stream of a page: free its slot, and unsubscribe if it was the last stream of its run."""
        if listener.slot is not None:
            self._slots.release(listener.slot)
            listener.slot = None
        listeners = self._listeners.get(listener.run_id, set())
        listeners.discard(listener)
        if not listeners and listener.run_id in self._listeners:
            del self._listeners[listener.run_id]
            channel = run_channel(listener.run_id)
            await self._change_subscription(lambda pubsub: pubsub.unsubscribe(channel))

    async def _watch_rights(self) -> None:
        """End streams whose right has ended, every `RIGHTS_EVERY_S` seconds; a failed check ends none."""
        while True:
            await asyncio.sleep(RIGHTS_EVERY_S)
            listeners = [listener for several in self._listeners.values() for listener in several]
            if not listeners:
                continue
            try:
                valid = await self._find_valid_rights({listener.right for listener in listeners})
            except (SQLAlchemyError, psycopg.Error, HttpProblem, OSError) as error:
                _log.warning("live_rights_not_seen", error=str(error).partition("\n")[0])
                continue
            for listener in listeners:
                if listener.right not in valid:
                    listener.cut()

    async def _change_subscription(self, action: Callable[[Any], Any]) -> None:
        """Apply an action to the subscription, if there is a connection; ignore its errors."""
        if self._pubsub is None:
            return
        with contextlib.suppress(RedisError, OSError):
            await action(self._pubsub)

    async def _run(self) -> None:
        """Listen to Valkey until this task is cancelled; connect again when the connection is lost."""
        was_lost = False
        while True:
            client = make_subscriber_client(self._redis_url)
            try:
                await self._listen(client, resumed=was_lost)
            except (RedisError, OSError, TimeoutError) as error:
                if not was_lost:
                    _log.warning("live_subscription_lost", error=str(error))
                was_lost = True
            finally:
                self._pubsub = None
                with contextlib.suppress(RedisError, OSError):
                    await client.aclose()
            await asyncio.sleep(_RETRY_S)

    async def _listen(self, client: "redis.asyncio.Redis", *, resumed: bool) -> None:
        """Subscribe and pass frames to the pages; `resumed`: the connection was lost before."""
        pubsub = client.pubsub()
        # An unused channel keeps the subscription open while no page is open.
        await pubsub.subscribe(_IDLE_CHANNEL)
        self._pubsub = pubsub
        if self._listeners:
            await pubsub.subscribe(*(run_channel(run_id) for run_id in self._listeners))
        if resumed:
            _log.info("live_subscription_back")
            self._request_fetch()
        async for message in pubsub.listen():
            if message["type"] == "message":
                self._forward(message["channel"], message["data"])

    def _forward(self, channel: bytes, frame: bytes) -> None:
        """Queue a frame for every page of the channel's run; streams of pages that are too slow end."""
        run_id = UUID(channel.rpartition(b":")[2].decode())
        for listener in tuple(self._listeners.get(run_id, ())):
            if not listener.offer(frame):
                _log.info("live_page_too_slow", run_id=str(run_id))

    def _request_fetch(self) -> None:
        """Send every page the message that state, verdicts and slices of its run may have changed."""
        for run_id, listeners in self._listeners.items():
            frame = changed_frame(run_id, ["state", "verdicts", "slices"], None)
            for listener in tuple(listeners):
                listener.offer(frame)
