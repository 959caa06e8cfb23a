"""Leader election: of several processes, only the holder of a lease in Valkey does periodic work.

Two processes may hold it for a moment when Valkey loses its state, so it is only for work that may be done
twice.
"""

from uuid import uuid4

from redis import Redis, RedisError

_HOLD = """
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) and 1 or 0
"""
_RELEASE = "return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('DEL', KEYS[1]) or 0"


class Lease:
    """An exclusive lease on a job that one process of an installation does."""

    def __init__(self, client: Redis, name: str, holds_s: float) -> None:
        """Prepare a lease that another process may take `holds_s` seconds after the holder's last renewal."""
        self._client, self._key, self._me = client, f"tailroom:lease:{name}", uuid4().hex
        self._holds_ms = round(1000 * holds_s)

    def hold(self) -> bool:
        """Take or renew the lease; return False if another process holds it, or Valkey is unavailable."""
        try:
            return bool(self._client.eval(_HOLD, 1, self._key, self._me, self._holds_ms))
        except (RedisError, OSError):
            return False

    def release(self) -> None:
        """Release the lease at once, if this process holds it. Without Valkey it ends when it expires."""
        try:
            self._client.eval(_RELEASE, 1, self._key, self._me)
        except (RedisError, OSError):
            return
