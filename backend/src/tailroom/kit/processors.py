"""Threads for calculations that can run in parallel.

Numpy and ISA-L release the interpreter lock during their work. Functions in them must not use a connection.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from tailroom.kit.cores import usable_cores

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


@contextmanager
def on_processors(cores: int | None = None) -> Iterator["Processors"]:
    """Yield a thread pool for this many processors, by default all."""
    chosen = usable_cores() if cores is None else cores
    if chosen <= 1:
        yield Processors(None)
        return
    with ThreadPoolExecutor(chosen, thread_name_prefix="calculating") as pool:
        yield Processors(pool)


class Processors:
    """Runs functions in threads; without a pool each runs when its result is read."""

    def __init__(self, pool: ThreadPoolExecutor | None) -> None:
        self._pool = pool

    def begin(self, work: Callable[[], _Result]) -> Callable[[], _Result]:
        """Start a function; return a callable that waits and returns its result or raises its error.

        Call it once.
        """
        return work if self._pool is None else self._pool.submit(work).result

    def map(self, work: Callable[[_Item], _Result], of: Sequence[_Item]) -> Iterable[_Result]:
        """Return the results of a function for each item, in order."""
        return map(work, of) if self._pool is None else self._pool.map(work, of)

    def all(self, works: Iterable[Callable[[], _Result]]) -> list[_Result]:
        """Return the results of all functions, in order."""
        return [result() for result in [self.begin(work) for work in works]]
