"""Deadlines of work, and cancellation of work whose result is not needed, checked by the work itself.

A thread cannot be ended from outside, so loops of unbounded length call `check`, which costs some hundred
nanoseconds.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Deadline:
    """The time at which work must end, and the error that ends it."""

    until_s: float
    """End of the work on the monotonic clock, in seconds."""
    refusal: Callable[[], Exception]
    """Returns the error that `check` raises."""
    abandoned: threading.Event = field(default_factory=threading.Event)
    """Set when the result is no longer awaited; `check` then raises before `until_s`."""


_deadline: ContextVar[Deadline | None] = ContextVar("deadline", default=None)


@contextmanager
def working_until(deadline: Deadline) -> Iterator[None]:
    """Set the deadline that `check` enforces during this context, in this thread and in threads of anyio."""
    token = _deadline.set(deadline)
    try:
        yield
    finally:
        _deadline.reset(token)


def check() -> None:
    """Raise the error of the current deadline, if there is one that has passed or was abandoned."""
    deadline = _deadline.get()
    if deadline is not None and (deadline.abandoned.is_set() or time.monotonic() > deadline.until_s):
        raise deadline.refusal()
