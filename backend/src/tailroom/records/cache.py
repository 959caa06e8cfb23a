"""Cache of records of runs, so that a slider does not wait for the database.

An entry is good as long as the run's analysis is where it was; the least used go first when together they are
larger than the limit. Threads may share one cache.
"""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

from cachetools import LRUCache

_Value = TypeVar("_Value")

LIMIT_BYTES = 96 * 2**20


class RecordCache(Generic[_Value]):
    """Values by key, each with the state that it was read in and its size."""

    def __init__(self, limit_bytes: int = LIMIT_BYTES) -> None:
        """Make an empty cache that holds at most this many bytes, but at least one entry."""
        self._entries: LRUCache[Hashable, tuple[Hashable, _Value, int]] = LRUCache(
            # One that is larger than the limit stays alone.
            limit_bytes,
            getsizeof=lambda entry: min(entry[2], limit_bytes),
        )
        self._lock = Lock()

    def get(self, key: Hashable, state: Hashable, load: Callable[[], tuple[_Value, int]]) -> _Value:
        """Return the value of a key in this state; if it is not cached, load it with its size in bytes.

        Two threads may load the same value at once; the later one stays.
        """
        with self._lock:
            entry = self._entries.get(key)
        if entry is not None and entry[0] == state:
            return entry[1]
        value, size = load()
        with self._lock:
            self._entries[key] = (state, value, size)
        return value
