"""Decides how Valkey is spoken to: soon or not at all. Nothing that must not be lost goes through it."""

from typing import Any

import redis
import redis.asyncio
import redis.asyncio.retry
import redis.retry
from redis.backoff import NoBackoff

TIMEOUT_S = 0.25


def make_client(url: str) -> "redis.Redis":
    """A client that gives up after `TIMEOUT_S` on each of connecting and answering, and does not
    try again.
    """
    return redis.Redis.from_url(
        url,
        socket_timeout=TIMEOUT_S,
        socket_connect_timeout=TIMEOUT_S,
        retry=redis.retry.Retry(NoBackoff(), 0),
        health_check_interval=0,
    )


def make_subscriber_client(url: str) -> "redis.asyncio.Redis":
    """An asynchronous client for a subscription: connecting is bounded, waiting for a message is not."""
    return redis.asyncio.Redis.from_url(
        url,
        socket_connect_timeout=2.0,
        socket_timeout=None,
        retry=redis.asyncio.retry.Retry(NoBackoff(), 0),
        health_check_interval=0,
    )


def run_channel(run_id: Any) -> str:
    """The channel on which a run's live frames are published."""
    return f"tailroom:run:{run_id}"
