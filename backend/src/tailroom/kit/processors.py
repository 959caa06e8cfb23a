"""Decides what is calculated on several processors at once: independent pieces of numpy's and ISA-L's work,
which leave the interpreter to each other while they calculate. Nothing in them may use a connection.
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
    """A thread for each of so many processors, all that there are unless told otherwise."""
    chosen = usable_cores() if cores is None else cores
    if chosen <= 1:
        yield Processors(None)
        return
    with ThreadPoolExecutor(chosen, thread_name_prefix="calculating") as pool:
        yield Processors(pool)


class Processors:
    """Begins what is handed over; with one processor everything waits until somebody asks for its result."""

    def __init__(self, pool: ThreadPoolExecutor | None) -> None:
        self._pool = pool

    def begin(self, work: Callable[[], _Result]) -> Callable[[], _Result]:
        """Gives back how its result is asked for, which raises what the work raises. Asked once."""
        return work if self._pool is None else self._pool.submit(work).result

    def map(self, work: Callable[[_Item], _Result], of: Sequence[_Item]) -> Iterable[_Result]:
        """What the work makes of each, in their order."""
        return map(work, of) if self._pool is None else self._pool.map(work, of)

    def all(self, works: Iterable[Callable[[], _Result]]) -> list[_Result]:
        """What each gives back, in their order."""
        return [result() for result in [self.begin(work) for work in works]]
