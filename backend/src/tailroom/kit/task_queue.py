"""Decides how work is asked for: by task name, as a hint that may be lost.

The workers find by themselves what is to be done (a periodic sweep compares data with results); a hint only
makes them look sooner. So a hint is sent after the commit, fails fast and never raises.
"""

from collections.abc import Sequence
from typing import Any

import structlog
from celery import Celery
from redis import Redis

from tailroom.kit.circuit import CircuitBreaker
from tailroom.kit.settings import get_settings
from tailroom.kit.valkey import TIMEOUT_S, make_client

ROLLUP_RUN = "tailroom.rollup_run"
READ_UPLOAD = "tailroom.read_upload"
SWEEP = "tailroom.sweep"
MAINTAIN_PARTITIONS = "tailroom.maintain_partitions"

_DEDUPLICATE_MS = 300
_PAUSE_S = 2.0
_log = structlog.get_logger(__name__)


def broker_url(redis_url: str) -> str:
    """The URL in Celery's words: a Unix socket is called `redis+socket://` there."""
    scheme, separator, rest = redis_url.partition("://")
    return f"redis+socket://{rest}" if scheme == "unix" else scheme + separator + rest


class TaskQueue:
    """Sends hints to the workers of one installation."""

    def __init__(
        self, redis_url: str, client: Redis | None = None, *, deduplicate_ms: int = _DEDUPLICATE_MS
    ) -> None:
        self._client = client if client is not None else make_client(redis_url)
        self._deduplicate_ms = deduplicate_ms
        self._breaker = CircuitBreaker(_PAUSE_S)
        self._celery = Celery("tailroom", broker=broker_url(redis_url), set_as_current=False)
        self._celery.conf.update(
            task_ignore_result=True,
            broker_connection_retry=False,
            broker_connection_max_retries=0,
            broker_transport_options={
                "socket_timeout": TIMEOUT_S,
                "socket_connect_timeout": TIMEOUT_S,
                "max_retries": 0,
                "retry_on_timeout": False,
            },
        )

    def hint(self, name: str, args: Sequence[Any] = (), *, deduplicate: bool = True) -> bool:
        """Asks for a task. True when it was sent; False when the same was asked for just now or Valkey is
        away.
        """
        if not self._breaker.allows():
            return False
        key = f"tailroom:hint:{name}:{','.join(map(str, args))}"
        try:
            if deduplicate and not self._client.set(key, 1, nx=True, px=self._deduplicate_ms):
                self._breaker.succeeded()
                return False
            self._celery.send_task(name, args=list(args), retry=False, ignore_result=True)
        except Exception as error:  # noqa: BLE001 - kombu lets errors of many libraries through; none may reach ingest
            if self._breaker.failed():
                _log.warning("task_hint_not_sent", task=name, error=str(error))
            return False
        self._breaker.succeeded()
        return True

    def close(self) -> None:
        """Closes the connections."""
        self._celery.close()
        self._client.close()


_queue: TaskQueue | None = None


def hint(name: str, args: Sequence[Any] = (), *, deduplicate: bool = True) -> bool:
    """Asks for a task on the broker of the settings; see TaskQueue.hint."""
    global _queue  # noqa: PLW0603 - one connection for each process
    if _queue is None:
        _queue = TaskQueue(get_settings().redis_url)
    return _queue.hint(name, args, deduplicate=deduplicate)
