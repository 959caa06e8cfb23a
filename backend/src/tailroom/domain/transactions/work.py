"""How much one question calculates, counted where it is calculated; whoever asks may set a limit.

Counted in points, numbers that are gone through once, and never by a clock: whether a question is refused
depends on the question and the record, not on how busy the machine is.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
Each = Callable[[Callable[[Any], Any], Sequence[Any]], Iterable[Any]]
_each: ContextVar[Each] = ContextVar("each", default=map)
_left: ContextVar[list[int] | None] = ContextVar("points_left", default=None)


class WorkExceeded(Exception):
    """More would have to be calculated than may be. No `DomainError`: nothing is wrong with the data."""


@contextmanager
def at_most(points: int) -> Iterator[None]:
    """Limits what is calculated inside the block. `spend` raises WorkExceeded in it beyond so many points."""
    token = _left.set([points])
    try:
        yield
    finally:
        _left.reset(token)


@contextmanager
def for_every_question() -> Iterator[None]:
    """What follows from the record alone, is bounded by it, and is kept: no question pays for it."""
    token = _left.set(None)
    try:
        yield
    finally:
        _left.reset(token)


@contextmanager
def done_by(chosen: Each) -> Iterator[None]:
    """Whoever has processors to spare says how things that do not depend on each other are worked on inside
    the block: a function such as `map`.
    """
    token = _each.set(chosen)
    try:
        yield
    finally:
        _each.reset(token)


def each(work: Callable[[_Item], _Result], of: Sequence[_Item]) -> Iterable[_Result]:
    """What the work makes of each, in their order. Work that is limited is done here, where it is counted."""
    return (_each.get() if len(of) > 1 and _left.get() is None else map)(work, of)


def spend(points: int) -> None:
    """Counts work that is about to be done. Raises WorkExceeded where no more may be done."""
    left = _left.get()
    if left is not None:
        left[0] -= points
        if left[0] < 0:
            raise WorkExceeded(f"more than {-left[0]:,} points too many")
