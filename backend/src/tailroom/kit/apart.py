"""Decides how long calculations use several processors although they hold the interpreter: each in a process
that is forked for it, so that it begins with what is read already, and sends back its result alone.

Threads (`side_by_side`) do for work that leaves the interpreter to others for long; inflating and counting
thousands of small histograms does not (docs/adr/0199). Nothing in such work may use a connection.
"""

import os
import pickle
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from typing import Any, TypeVar

from tailroom.kit.cores import usable_cores

_Result = TypeVar("_Result")
_KEPT_BYTES = 1 << 24
_may_fork: ContextVar[bool] = ContextVar("may_fork", default=False)


class ProcessEnded(RuntimeError):
    """A process ended before it had sent its result: somebody killed it, or memory was short."""


@contextmanager
def forking() -> Iterator[None]:
    """Whoever serves nobody else meanwhile, a worker, lets what is calculated in this block use processes."""
    token = _may_fork.set(True)
    try:
        yield
    finally:
        _may_fork.reset(token)


@contextmanager
def apart(*, is_worth_it: bool = True) -> Iterator["Apart"]:
    """Processes for the works of this block, where they are worth it, allowed, and there are processors for
    them; those still there at its end are ended.
    """
    begun = Apart(is_worth_it and _may_fork.get() and usable_cores() > 1)
    try:
        yield begun
    finally:
        begun.end()


class Apart:
    """Begins what is handed over; without processes everything waits until somebody asks for its result."""

    def __init__(self, is_forking: bool) -> None:
        self._is_forking = is_forking
        self._open: dict[int, int] = {}
        """By process, where its result comes from."""

    def begin(self, work: Callable[[], _Result]) -> Callable[[], _Result]:
        """Gives back how its result is asked for, which raises what the work raises. Asked once."""
        if not self._is_forking:
            return work
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            _work(work, writing)
        os.close(writing)
        self._open[pid] = reading
        return partial(self._result, pid)

    def _result(self, pid: int) -> Any:
        with open(self._open[pid], "rb", closefd=False) as sent:
            content = sent.read()
        if (status := self._close(pid)) != 0:
            raise ProcessEnded(f"a process that calculated beside this one ended with status {status}")
        is_error, result = pickle.loads(content)  # noqa: S301 - written by ourselves
        if is_error:
            raise result
        return result

    def _close(self, pid: int) -> int:
        os.close(self._open.pop(pid))
        return os.waitpid(pid, 0)[1]

    def end(self) -> None:
        """Ends processes that nobody waits for any more."""
        for pid in list(self._open):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            self._close(pid)


def _work(work: Callable[[], object], writing: int) -> None:
    """The forked process: nothing of what the other one does at its end may happen here too."""
    status = 1
    try:
        # Once it has freed something of this size, the C library keeps memory for the next array and does
        # not give it back and fetch it again page by page: a third of the time.
        bytes(_KEPT_BYTES)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        try:
            answer = False, work()
        except Exception as error:  # noqa: BLE001 - raised where the result is asked for
            answer = True, error
        with open(writing, "wb", closefd=False) as sent:
            pickle.dump(answer, sent, protocol=5)
        status = 0
    finally:
        os._exit(status)
