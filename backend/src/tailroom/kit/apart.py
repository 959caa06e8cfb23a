"""Work in a process of its own, which the kernel ends when its time is over.

`kit.deadlines` ends work that looks at the clock; this ends work that does not: one regular expression, one
document of JSON, one call of a library. It holds no interpreter that others wait for, and memory that it
took is given back.
"""

import gc
import multiprocessing
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial
from multiprocessing.connection import Connection
from typing import TypeVar

from tailroom.kit.forks import Forks, ended_with, may_fork

_Result = TypeVar("_Result")


def run_apart(work: Callable[[], _Result], limit_s: float, modules: Sequence[str]) -> _Result:
    """Return what the function returns in a process of its own, or raise its error. The function and its
    result can be pickled, and it uses no connection. Raise TimeOver, ProcessEnded.

    Where forking is allowed the process is forked from this one. Elsewhere it is forked from a process
    without threads, which imports the modules once and ends with this one.
    """
    limited = partial(_limited, work, limit_s)
    if not may_fork():
        return _beside_threads(limited, modules)
    begun = Forks(1)
    try:
        return begun.begin(limited)()
    finally:
        begun.end()


def _limited(work: Callable[[], _Result], limit_s: float) -> _Result:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, limit_s)
    gc.freeze()  # what was there before is never garbage here
    return work()


def _beside_threads(work: Callable[[], _Result], modules: Sequence[str]) -> _Result:
    # Each process looks at the program that was started; its imports are loaded once as well.
    program = sys.modules["__main__"].__spec__
    multiprocessing.set_forkserver_preload(["__main__", *([program.name] if program else ()), *modules])
    context = multiprocessing.get_context("forkserver")
    receiving, sending = context.Pipe(duplex=False)
    with receiving:
        with sending:
            process = context.Process(target=_send, args=(work, sending), daemon=True)
            process.start()
        try:
            is_error, result = receiving.recv()
        except EOFError:
            process.join()
            raise ended_with(process.exitcode or 0) from None
        finally:
            process.kill()
            process.join()
    if is_error:
        raise result
    return result  # type: ignore[no-any-return]  # what came through the pipe


def _send(work: Callable[[], object], sending: Connection) -> None:
    """Run in the process that is begun, and send whether the function raised, and its result or error."""
    try:
        answer = False, work()
    except Exception as error:  # noqa: BLE001 - raised where the result is waited for
        answer = True, error
    sending.send(answer)
