"""Work budget of a question: computations charge points, and the caller may set a limit.

A point is a number that is processed once. Points are limited instead of time, so that a refusal depends on
the question and the record, not on the load of the machine.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
Each = Callable[[Callable[[Any], Any], Sequence[Any]], Iterable[Any]]
"""A function such as `map`, which may compute in parallel."""
_each: ContextVar[Each] = ContextVar("each", default=map)
_left: ContextVar[list[int] | None] = ContextVar("points_left", default=None)
"""Points left as a list of one number, which `spend` reduces; None without a limit."""


class WorkExceeded(Exception):
    """The work budget is exceeded. Not a `DomainError`: the data are valid."""


def at_most(points: int) -> AbstractContextManager[None]:
    """Limit the work inside the block: `spend` raises `WorkExceeded` beyond this many points."""
    return _set(_left, [points])


def for_every_question() -> AbstractContextManager[None]:
    """Lift the limit inside the block, for cached results that do not depend on the question."""
    return _set(_left, None)


def done_by(chosen: Each) -> AbstractContextManager[None]:
    """Let `each` compute with `chosen`, maybe in parallel, inside the block; work with a limit ignores it."""
    return _set(_each, chosen)


@contextmanager
def _set(variable: ContextVar[_Item], value: _Item) -> Iterator[None]:
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


def each(work: Callable[[_Item], _Result], of: Sequence[_Item]) -> Iterable[_Result]:
    """Return an iterable of `work` of each item, in order, computed when iterated or as `done_by` chooses.
    Work with a limit (`at_most`) and a single item are computed in this thread, where points are counted.
    """
    return (_each.get() if len(of) > 1 and _left.get() is None else map)(work, of)


def spend(points: int) -> None:
    """Charge points before work if there is a limit. Raise WorkExceeded beyond it; points stay charged."""
    left = _left.get()
    if left is not None:
        left[0] -= points
        if left[0] < 0:
            raise WorkExceeded(f"more than {-left[0]:,} points too many")
