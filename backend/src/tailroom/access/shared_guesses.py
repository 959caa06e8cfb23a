"""Guesses counted for the whole installation: in Valkey, which all processes share.

While Valkey is unavailable, the processes behind each port count by themselves. Names are hashed before they
leave the process: Valkey gets no e-mail address.
"""

import hashlib
import time
from collections.abc import Sequence
from typing import NamedTuple, cast

import structlog
from redis import Redis, RedisError

from tailroom.access.guesses import Buckets, TokenBucket
from tailroom.kit.circuit import CircuitBreaker
from tailroom.kit.valkey import make_client

_PAUSE_S = 1.0
_TAKE = """
local now, wait, left = tonumber(ARGV[1]), 0, {}
for i, key in ipairs(KEYS) do
  local burst, per_s = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  local kept = redis.call('HMGET', key, 'left', 'at')
  left[i] = burst
  if kept[1] then left[i] = math.min(burst, kept[1] + math.max(0, now - kept[2]) * per_s) end
  if left[i] < 1 then wait = math.max(wait, (1 - left[i]) / per_s) end
end
if wait > 0 then return math.ceil(wait) end
for i, key in ipairs(KEYS) do
  redis.call('HSET', key, 'left', string.format('%.6f', left[i] - 1), 'at', string.format('%.6f', now))
  redis.call('EXPIRE', key, math.ceil(ARGV[2 * i] / ARGV[2 * i + 1]) + 1)
end
return 0
"""
_GIVE_BACK = """
for i, key in ipairs(KEYS) do
  local left = redis.call('HGET', key, 'left')
  if left then redis.call('HSET', key, 'left', math.min(tonumber(ARGV[i]), left + 1)) end
end
return 0
"""
_log = structlog.get_logger(__name__)


class BucketKind(NamedTuple):
    """Name of a kind of bucket, its capacity in tokens, and the tokens refilled a second."""

    name: str
    burst: int
    per_s: float


class Bucket(NamedTuple):
    """The bucket of a key, such as an e-mail address."""

    kind: BucketKind
    key: str

    @property
    def valkey_key(self) -> str:
        """Key in Valkey; the braces keep all buckets on one server of a cluster."""
        return f"tailroom:{{guesses}}:{self.kind.name}:{hashlib.sha256(self.key.encode()).hexdigest()[:32]}"


class SharedGuesses:
    """The buckets of an installation, in Valkey; in `own` if `redis_url` is None or Valkey is unavailable."""

    def __init__(self, redis_url: str | None, own: Buckets | None = None) -> None:
        self._client: Redis | None = None if redis_url is None else make_client(redis_url)
        self._breaker = CircuitBreaker(_PAUSE_S)
        self._own = Buckets() if own is None else own

    def take(self, buckets: Sequence[Bucket]) -> int:
        """Take one token from each bucket; return 0.

        If one of them is empty, take none and return the whole seconds until it is possible.
        """
        arguments: list[str | float] = [time.time()]
        for bucket in buckets:
            arguments += [bucket.kind.burst, bucket.kind.per_s]
        shared_wait_s = self._ask(_TAKE, buckets, arguments)
        if shared_wait_s is not None:
            return shared_wait_s
        own_buckets = [self._of(bucket) for bucket in buckets]
        wait_s = max(guesses.wait_s() for guesses in own_buckets)
        if not wait_s:
            for guesses in own_buckets:
                guesses.take_is_refused()
        return wait_s

    def give_back(self, buckets: Sequence[Bucket]) -> None:
        """Put one token back into each bucket, up to its capacity, because the guess was right."""
        if self._ask(_GIVE_BACK, buckets, [bucket.kind.burst for bucket in buckets]) is None:
            for bucket in buckets:
                self._of(bucket).give_back()

    def close(self) -> None:
        """Close the connection to Valkey."""
        if self._client is not None:
            self._client.close()

    def _of(self, bucket: Bucket) -> TokenBucket:
        kind = bucket.kind
        return self._own.of((kind.name, bucket.key), kind.burst, kind.per_s)

    def _ask(self, script: str, buckets: Sequence[Bucket], arguments: Sequence[str | float]) -> int | None:
        """Run a script in Valkey on these buckets and return its result; None if Valkey is unavailable."""
        if self._client is None or not self._breaker.allows():
            return None
        keys = [bucket.valkey_key for bucket in buckets]
        try:
            result = cast(int, self._client.eval(script, len(keys), *keys, *map(str, arguments)))
        except (RedisError, OSError) as error:
            if self._breaker.failed():
                _log.warning("guesses_counted_alone", error=str(error))
            return None
        self._breaker.record_success()
        return result
