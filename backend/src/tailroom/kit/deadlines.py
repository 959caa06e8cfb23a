"""Deadlines of work, and cancellation of work whose result is not needed, checked by the work itself.

A thread cannot be ended from outside: loops of unbounded length call `check`, which costs some hundred
nanoseconds. Outside of `working_until` there is no limit.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Deadline:
    """The time at which work must end; `refusal` is the error after it."""

    until_s: float
    """End of the work on the monotonic clock."""
    refusal: Callable[[], Exception]
    abandoned: threading.Event = field(default_factory=threading.Event)
    """Set as soon as the result is no longer awaited."""


_deadline: ContextVar[Deadline | None] = ContextVar("deadline", default=None)


@contextmanager
def working_until(deadline: Deadline) -> Iterator[None]:
    """Set the deadline that `check` enforces in this context, in this thread and those started from it."""
    token = _deadline.set(deadline)
    try:
        yield
    finally:
        _deadline.reset(token)


def check() -> None:
    """Raise the `refusal` of the deadline if its time is over or the result is not awaited any more."""
    deadline = _deadline.get()
    if deadline is not None and (deadline.abandoned.is_set() or time.monotonic() > deadline.until_s):
        raise deadline.refusal()
