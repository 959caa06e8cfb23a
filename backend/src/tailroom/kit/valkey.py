"""Connections to Valkey, with short time limits. No data that must not be lost goes through it.

It is one server (`redis://…`, `unix://…`), or the master that sentinels name:
`sentinel://:password@host:26379,host:26379/0?master=tailroom`. The password is the servers'.
"""

from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

import redis
import redis.asyncio
import redis.asyncio.retry
import redis.asyncio.sentinel
import redis.retry
import redis.sentinel
from redis.backoff import NoBackoff

TIMEOUT_S = 0.25
_SENTINEL_PORT = 26379


class Sentinels(NamedTuple):
    """Sentinels as pairs of host and port, the name of their master, password and database number."""

    hosts: tuple[tuple[str, int], ...]
    master: str
    password: str | None
    database: int


def sentinels_of(url: str) -> Sentinels | None:
    """Return the sentinels in a URL; None if its scheme is not `sentinel`.

    Defaults: port 26379, master `tailroom`, database 0. Raise ValueError if a port or database is no number.
    """
    parts = urlsplit(url)
    if parts.scheme != "sentinel":
        return None
    credentials, _, places = parts.netloc.rpartition("@")
    hosts = []
    for place in places.split(","):
        host, _, port = place.rpartition(":")
        hosts.append((host or place, int(port) if host else _SENTINEL_PORT))
    password = unquote(credentials.partition(":")[2]) or None
    master = parse_qs(parts.query).get("master", ["tailroom"])[0]
    return Sentinels(tuple(hosts), master, password, int(parts.path.strip("/") or 0))


def make_client(url: str) -> "redis.Redis":
    """Return a synchronous client that does not retry; connecting and each answer may take 0.25 s."""
    options: dict[str, Any] = {
        "socket_timeout": TIMEOUT_S,
        "socket_connect_timeout": TIMEOUT_S,
        "retry": redis.retry.Retry(NoBackoff(), 0),
        "health_check_interval": 0,
    }
    if (sentinels := sentinels_of(url)) is None:
        return redis.Redis.from_url(url, **options)
    sentinel_client = redis.sentinel.Sentinel(sentinels.hosts, sentinel_kwargs=options)  # type: ignore[no-untyped-call]
    client: redis.Redis = sentinel_client.master_for(  # type: ignore[no-untyped-call]
        sentinels.master, password=sentinels.password, db=sentinels.database, **options
    )
    return client


def make_subscriber_client(url: str) -> "redis.asyncio.Redis":
    """Return an asynchronous client that waits for messages without a time limit; connecting may take 2 s."""
    options: dict[str, Any] = {
        "socket_connect_timeout": 2.0,
        "socket_timeout": None,
        "retry": redis.asyncio.retry.Retry(NoBackoff(), 0),
        "health_check_interval": 0,
    }
    if (sentinels := sentinels_of(url)) is None:
        return redis.asyncio.Redis.from_url(url, **options)
    asking = {**options, "socket_timeout": 2.0}
    sentinel_client = redis.asyncio.sentinel.Sentinel(  # type: ignore[no-untyped-call]
        sentinels.hosts, sentinel_kwargs=asking
    )
    client: redis.asyncio.Redis = sentinel_client.master_for(
        sentinels.master, password=sentinels.password, db=sentinels.database, **options
    )
    return client


def run_channel(run_id: Any) -> str:
    """Return the channel on which a run's live frames are published."""
    return f"tailroom:run:{run_id}"
