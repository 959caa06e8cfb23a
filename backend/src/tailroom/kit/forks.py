"""Forked processes for calculations that hold the interpreter: each starts with the data already in memory
and sends back its result alone.

Threads (`processors.py`) do for work that leaves the interpreter to others for long; inflating and counting
thousands of small histograms does not. Nothing in such work may use a connection.
"""

import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from tailroom.kit.cores import usable_cores

_Result = TypeVar("_Result")
_KEPT_BYTES = 1 << 24
_may_fork: ContextVar[bool] = ContextVar("may_fork", default=False)


class ProcessEnded(RuntimeError):
    """A process ended before it sent its result: it was killed, or memory ran out."""


class TimeOver(ProcessEnded):
    """A process was ended by its alarm."""


def ended_with(exit_code: int) -> ProcessEnded:
    """Return the error for a process without a result; a negative exit code is a signal."""
    if exit_code == -signal.SIGALRM:
        return TimeOver("the time of a process was over")
    return ProcessEnded(f"a process that calculated beside this one ended with status {exit_code}")


@contextmanager
def forking() -> Iterator[None]:
    """Allow calculations in this block to fork processes. Only a worker may do this, because it serves no
    other request meanwhile.
    """
    token = _may_fork.set(True)
    try:
        yield
    finally:
        _may_fork.reset(token)


def may_fork() -> bool:
    """Return whether calculations may fork processes here."""
    return _may_fork.get()


@contextmanager
def forks(*, is_worth_it: bool = True) -> Iterator["Forks"]:
    """Yield a runner of forked processes if that is worthwhile, allowed, and there are processors for them;
    processes left at the end of the block are ended.
    """
    cores = usable_cores() if is_worth_it and may_fork() else 1
    begun = Forks(cores if cores > 1 else 0)
    try:
        yield begun
    finally:
        begun.end()


@dataclass(eq=False)
class _Begun:
    work: Callable[[], object]
    pid: int = 0
    reading: int = -1
    """Where its result comes from."""


class Forks:
    """Runs functions in forked processes, at most one per processor; without processes each function runs
    when its result is read.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: deque[_Begun] = deque()
        self._running: list[_Begun] = []

    def begin(self, work: Callable[[], _Result]) -> Callable[[], _Result]:
        """Start a function and return a callable that returns its result or raises its error. Call it once,
        in the order of the starts: a process ends when its result is read, and the next one starts.
        """
        if not self._most:
            return work
        begun = _Begun(work)
        self._waiting.append(begun)
        self._fill()
        return partial(self._result, begun)

    def _fill(self) -> None:
        while self._waiting and len(self._running) < self._most:
            self._fork(self._waiting.popleft())

    def _fork(self, fork: _Begun) -> None:
        fork.reading, writing = os.pipe()
        fork.pid = os.fork()
        if fork.pid == 0:
            _work(fork.work, writing)
        os.close(writing)
        self._running.append(fork)

    def _result(self, fork: _Begun) -> Any:
        if fork in self._waiting:  # asked for before those that run
            self._waiting.remove(fork)
            self._fork(fork)
        with open(fork.reading, "rb", closefd=False) as sent:
            content = sent.read()
        status = self._close(fork)
        self._fill()
        if status != 0:
            raise ended_with(os.waitstatus_to_exitcode(status))
        is_error, result = pickle.loads(content)  # noqa: S301 - written by ourselves
        if is_error:
            raise result
        return result

    def _close(self, fork: _Begun) -> int:
        self._running.remove(fork)
        os.close(fork.reading)
        return os.waitpid(fork.pid, 0)[1]

    def end(self) -> None:
        """End the processes whose results are not needed any more."""
        self._waiting.clear()
        for fork in list(self._running):
            with suppress(ProcessLookupError):
                os.kill(fork.pid, signal.SIGKILL)
            self._close(fork)


def _work(work: Callable[[], object], writing: int) -> None:
    """Run in the forked process, without any of the parent's clean-up."""
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
