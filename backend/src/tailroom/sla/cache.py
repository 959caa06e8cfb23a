"""Keeps what was read of a run until the run has changed, so that a slider does not wait for the database.

Only records are kept, never answers. An entry is good as long as the run's analysis is where it was; the
oldest go first when together they are larger than the limit. Threads may share one cache.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

_Value = TypeVar("_Value")

LIMIT_BYTES = 96 * 2**20


class RecordCache(Generic[_Value]):
    """Values by key, each with the state that it was read in and its size."""

    def __init__(self, limit_bytes: int = LIMIT_BYTES) -> None:
        self._limit_bytes = limit_bytes
        self._entries: OrderedDict[Hashable, tuple[Hashable, _Value, int]] = OrderedDict()
        self._held_bytes = 0
        self._lock = Lock()

    @property
    def held_bytes(self) -> int:
        """Size of everything that is kept."""
        return self._held_bytes

    def get(self, key: Hashable, state: Hashable, load: Callable[[], tuple[_Value, int]]) -> _Value:
        """The value of a key in this state; loaded, with its size in bytes, where it is not kept.

        Two threads may load the same value at once; the later one stays.
        """
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None and entry[0] == state:
                self._entries.move_to_end(key)
                return entry[1]
        value, size = load()
        with self._lock:
            self._drop(key)
            self._entries[key] = (state, value, size)
            self._held_bytes += size
            while self._held_bytes > self._limit_bytes and len(self._entries) > 1:
                self._drop(next(iter(self._entries)))
        return value

    def _drop(self, key: Hashable) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._held_bytes -= entry[2]
