"""Decides who of several processes does what only one should do: whoever holds a lease in Valkey, which runs
out soon after its holder has gone.

Two may hold it for a moment, when Valkey loses what it knew; so it is for what is wasteful when done twice,
and never for what would be wrong.
"""

from uuid import uuid4

from redis import Redis, RedisError

_HOLD = """
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) and 1 or 0
"""
_RELEASE = "return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('DEL', KEYS[1]) or 0"


class Lease:
    """A process's share in one thing that one process does."""

    def __init__(self, client: Redis, name: str, holds_s: float) -> None:
        """`holds_s`: how long after its holder's last word somebody else may take it."""
        self._client, self._key, self._me = client, f"tailroom:lease:{name}", uuid4().hex
        self._holds_ms = round(1000 * holds_s)

    def hold(self) -> bool:
        """Takes or renews it; False where somebody else has it, or Valkey is away."""
        try:
            return bool(self._client.eval(_HOLD, 1, self._key, self._me, self._holds_ms))
        except (RedisError, OSError):
            return False

    def release(self) -> None:
        """Lets the next one have it at once. Harmless when repeated, and for whoever does not have it."""
        try:
            self._client.eval(_RELEASE, 1, self._key, self._me)
        except (RedisError, OSError):
            return
