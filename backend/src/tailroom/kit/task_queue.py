"""Celery tasks as hints, sent by task name.

Due work is recorded in the database, and workers look for it every second; a hint only wakes them sooner.
"""

import math
import time
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

import structlog
from celery import Celery
from redis import Redis

from tailroom.kit.circuit import CircuitBreaker
from tailroom.kit.valkey import TIMEOUT_S, make_client, sentinels_of

WORK = "tailroom.work"
"""Task that does the work that is due in a lane; its argument, and its queue, are the name of the lane."""
HOUSEKEEP = "tailroom.housekeep"

_DEDUPLICATE_MS = 100
_MOST_REMEMBERED = 1_000
_PAUSE_S = 2.0
_EXPIRES_S = 600.0
"""After this time the work is found without the hint."""
_log = structlog.get_logger(__name__)


def broker_url(redis_url: str) -> str:
    """Return the URL of Valkey as Celery writes it; sentinels become a URL each, with semicolons between."""
    if (sentinels := sentinels_of(redis_url)) is not None:
        credentials = f":{quote(sentinels.password, safe='')}@" if sentinels.password else ""
        return ";".join(
            f"sentinel://{credentials}{host}:{port}/{sentinels.database}" for host, port in sentinels.hosts
        )
    scheme, separator, rest = redis_url.partition("://")
    return f"redis+socket://{rest}" if scheme == "unix" else scheme + separator + rest


def broker_options(redis_url: str) -> dict[str, Any]:
    """Return Celery's transport options for this URL; empty without sentinels."""
    sentinels = sentinels_of(redis_url)
    return {} if sentinels is None else {"master_name": sentinels.master}


class TaskQueue:
    """Sends tasks to the workers of one installation.

    `client`: connection to use, a new connection if None; `deduplicate_ms`: time in which equal hints are
    dropped.
    """

    def __init__(
        self, redis_url: str, client: Redis | None = None, *, deduplicate_ms: int = _DEDUPLICATE_MS
    ) -> None:
        self._client = client if client is not None else make_client(redis_url)
        self._deduplicate_ms = deduplicate_ms
        self._breaker = CircuitBreaker(_PAUSE_S)
        self._sent_at: dict[str, float] = {}
        self._celery = Celery("tailroom", broker=broker_url(redis_url), set_as_current=False)
        self._celery.conf.update(
            task_ignore_result=True,
            broker_connection_retry=False,
            broker_connection_max_retries=0,
            broker_transport_options={
                **broker_options(redis_url),
                "socket_timeout": TIMEOUT_S,
                "socket_connect_timeout": TIMEOUT_S,
                "max_retries": 0,
                "retry_on_timeout": False,
            },
        )

    def hint(self, name: str, args: Sequence[Any] = (), *, queue: str, deduplicate: bool = True) -> bool:
        """Send a task of this name to a queue; return whether it was sent. Never raises.

        False if sending failed or pauses after failures, or with `deduplicate` if the same task was hinted
        less than `deduplicate_ms` before.
        """
        key = f"tailroom:hint:{name}:{','.join(map(str, args))}"
        now = time.monotonic()
        if deduplicate and now - self._sent_at.get(key, -math.inf) < self._deduplicate_ms / 1000:
            return False
        if not self._breaker.allows():
            return False
        try:
            if deduplicate:
                if not self._client.set(key, 1, nx=True, px=self._deduplicate_ms):
                    self._breaker.record_success()
                    return False
                self._remember(key, now)
            self._celery.send_task(
                name, args=list(args), queue=queue, retry=False, ignore_result=True, expires=_EXPIRES_S
            )
        except Exception as error:  # noqa: BLE001 - kombu lets errors of many libraries through; none may reach ingest
            if self._breaker.failed():
                _log.warning("task_hint_not_sent", task=name, error=str(error))
            return False
        self._breaker.record_success()
        return True

    def _remember(self, key: str, now: float) -> None:
        """Store the time of a hint, so that an equal hint is dropped soon after."""
        if len(self._sent_at) >= _MOST_REMEMBERED:
            self._sent_at.clear()
        self._sent_at[key] = now

    def close(self) -> None:
        """Close the connections."""
        self._celery.close()
        self._client.close()
