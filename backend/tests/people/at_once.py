"""The same request several times at once, as whoever looks for a race sends it."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

_Result = TypeVar("_Result")


def at_once(*calls: Callable[[], _Result]) -> Sequence[_Result]:
    """What each call gave; all of them begin at the same moment."""
    start = Barrier(len(calls))

    def run(call: Callable[[], _Result]) -> _Result:
        start.wait(60)
        return call()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(run, calls))
