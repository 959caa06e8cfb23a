"""Keeps what was worked out, the least used goes first. Threads may share it."""

from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

from cachetools import LRUCache

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


class Kept(Generic[_Key, _Value]):
    """At most so many values by key."""

    def __init__(self, most: int) -> None:
        self._values: LRUCache[_Key, _Value] = LRUCache(most)
        self._lock = Lock()

    def get(self, key: _Key) -> _Value | None:
        """What is kept, if it is."""
        with self._lock:
            return self._values.get(key)

    def put(self, key: _Key, value: _Value) -> None:
        """Keeps a value."""
        with self._lock:
            self._values[key] = value
