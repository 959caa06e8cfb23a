"""Cache of records of runs, so that repeated questions about a run do not read the database again.

An entry is valid while the state of the run's analysis is the same. Beyond the limit, the least recently used
entries are evicted. Threads may share one cache.
"""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

from cachetools import LRUCache

_Value = TypeVar("_Value")

LIMIT_BYTES = 96 * 2**20


class RecordCache(Generic[_Value]):
    """Values by key, each with the state in which it was read and its size in bytes."""

    def __init__(self, limit_bytes: int = LIMIT_BYTES) -> None:
        """Create an empty cache of at most this many bytes; a larger entry is cached alone."""
        self._entries: LRUCache[Hashable, tuple[Hashable, _Value, int]] = LRUCache(
            limit_bytes, getsizeof=lambda entry: min(entry[2], limit_bytes)
        )
        self._lock = Lock()

    def get(self, key: Hashable, state: Hashable, load: Callable[[], tuple[_Value, int]]) -> _Value:
        """Return the cached value of a key if it was read in this state, else that of `load`, which also
        returns its size in bytes. Two threads may load the same value at once.
        """
        with self._lock:
            entry = self._entries.get(key)
        if entry is not None and entry[0] == state:
            return entry[1]
        value, size = load()
        with self._lock:
            self._entries[key] = (state, value, size)
        return value
