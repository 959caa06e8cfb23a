"""Notifications about changes of a run: live frames (server-sent events) for pages, hints for workers.

They are sent after the commit and may fail without harm: pages fetch again, and workers look for due work.
"""

from collections.abc import Sequence
from typing import Any, Literal
from uuid import UUID

import msgspec
import structlog
from redis import Redis, RedisError

from tailroom.kit.circuit import CircuitBreaker
from tailroom.kit.task_queue import WORK, TaskQueue
from tailroom.kit.valkey import make_client, run_channel

Changed = Literal["state", "verdicts", "slices"]
"""Part of a run that pages fetch again."""

_PAUSE_S = 1.0
_log = structlog.get_logger(__name__)


def sse_frame(event: str, data: Any) -> bytes:
    """Return a server-sent event: its name, the data as JSON on one line, and an empty line."""
    return b"event: " + event.encode() + b"\ndata: " + msgspec.json.encode(data) + b"\n\n"


def changed_frame(run_id: UUID, what: Sequence[Changed], state: str | None) -> bytes:
    """Return the event that makes pages fetch these parts of a run again; `state` is None if not known."""
    return sse_frame("changed", {"run_id": str(run_id), "what": list(what), "state": state})


class Notifier:
    """Publishes on Valkey. If Valkey is unavailable, it logs that once, pauses a second and continues."""

    def __init__(self, redis_url: str) -> None:
        self._client: Redis = make_client(redis_url)
        self._breaker = CircuitBreaker(_PAUSE_S)
        self.tasks = TaskQueue(redis_url, make_client(redis_url))

    def publish(self, run_id: UUID, frame: bytes) -> bool:
        """Send a live frame to all viewers of the run; return whether Valkey accepted it.

        False if it is unavailable, or was so less than a second before.
        """
        if not self._breaker.allows():
            return False
        try:
            self._client.publish(run_channel(run_id), frame)
        except (RedisError, OSError) as error:
            if self._breaker.failed():
                _log.warning("live_frame_not_published", error=str(error))
            return False
        if self._breaker.record_success():
            _log.info("valkey_is_back")
        return True

    def changed(self, run_id: UUID, what: Sequence[Changed], state: str) -> bool:
        """Notify pages which parts of a run to fetch again; return whether Valkey accepted it."""
        return self.publish(run_id, changed_frame(run_id, what, state))

    def hint(self, lane: str, at_once: bool = False) -> bool:
        """Wake the workers of a lane; return whether a message was sent.

        False if Valkey is unavailable; without `at_once` also within 100 ms after another hint for the lane.
        """
        return self.tasks.hint(WORK, [lane], queue=lane, deduplicate=not at_once)

    def ping(self) -> bool:
        """Return whether Valkey answers now."""
        try:
            return bool(self._client.ping())
        except (RedisError, OSError):
            return False

    def close(self) -> None:
        """Close the connections to Valkey."""
        self.tasks.close()
        self._client.close()
