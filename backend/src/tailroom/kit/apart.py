"""Work in a process of its own, which the kernel ends when its time is over.

`kit.deadlines` ends work that checks the clock; this ends work that does not: one regular expression, one
document of JSON, one call of a library. It blocks no interpreter that others need, and its memory is freed at
its end.
"""

import gc
import multiprocessing
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from typing import Literal, TypeVar

_Result = TypeVar("_Result")


class ProcessEnded(RuntimeError):
    """A process ended before it sent its result: it was killed, or memory ran out."""


class TimeOver(ProcessEnded):
    """A process was ended by its alarm."""


def run_apart(work: Callable[[], _Result], limit_s: float, modules: Sequence[str]) -> _Result:
    """Return the function's result, computed in a process of its own within `limit_s` seconds.

    Raise its error. Function and result can be pickled, and it uses no connection. A process with one thread
    is forked. Otherwise the new process is forked from one without threads, which imports `modules` once and
    ends with this one. Raise TimeOver, ProcessEnded.
    """
    context = multiprocessing.get_context("fork") if start_method() == "fork" else _fork_server(modules)
    receiving, sending = context.Pipe(duplex=False)
    with receiving:
        with sending:
            process = context.Process(target=_send, args=(work, limit_s, sending), daemon=True)
            process.start()
        try:
            is_error, result = receiving.recv()
        except EOFError:
            process.join()
            raise _ended_with(process.exitcode or 0) from None
        finally:
            process.kill()
            process.join()
    if is_error:
        raise result
    return result  # type: ignore[no-any-return]  # what came through the pipe


def start_method() -> Literal["fork", "forkserver"]:
    """Return how to start a process: with several threads a fork could wait for a lock forever."""
    return "fork" if threading.active_count() == 1 else "forkserver"


def _fork_server(modules: Sequence[str]) -> ForkServerContext:
    """Return a context that forks from a process which has imported this program and the modules."""
    # Each process looks at the program that was started; its imports are loaded once as well.
    program = sys.modules["__main__"].__spec__
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["__main__", *([program.name] if program else ()), *modules])
    return context


def _send(work: Callable[[], object], limit_s: float, sending: Connection) -> None:
    """Run in the new process: send a pair of whether the function raised, and its result or error."""
    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, limit_s)
    gc.freeze()  # what was there before is never garbage here
    try:
        answer = False, work()
    except Exception as error:  # noqa: BLE001 - raised where the result is waited for
        answer = True, error
    sending.send(answer)


def _ended_with(exit_code: int) -> ProcessEnded:
    """Return the error for a process without a result; a negative exit code is a signal."""
    if exit_code == -signal.SIGALRM:
        return TimeOver("the time of a process was over")
    return ProcessEnded(f"a process that calculated beside this one ended with status {exit_code}")
