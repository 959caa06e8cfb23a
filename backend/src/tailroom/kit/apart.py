"""Work in a process of its own, which the kernel ends when its time is over.

`kit.deadlines` ends work that looks at the clock; this ends work that does not: one regular expression, one
document of JSON, one call of a library. It holds no interpreter that others wait for, and memory that it
took is given back.
"""

import gc
import multiprocessing
import signal
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TypeVar

from tailroom.kit.forks import ProcessEnded, may_fork

_Result = TypeVar("_Result")


class TimeOver(RuntimeError):
    """The process was ended because its time was over."""


def run_apart(work: Callable[[], _Result], limit_s: float, modules: Sequence[str]) -> _Result:
    """Return what the function returns in a process of its own, or raise its error. The function and its
    result can be pickled, and it uses no connection. Raise TimeOver, ProcessEnded.

    Where forking is allowed the process is forked from this one. Elsewhere it is forked from a process
    without threads, which imports the modules once and ends with this one.
    """
    multiprocessing.set_forkserver_preload(["__main__", *modules])
    context = get_context("fork") if may_fork() else get_context("forkserver")
    receiving, sending = context.Pipe(duplex=False)
    with receiving:
        with sending:
            process = context.Process(target=_work, args=(work, sending, limit_s), daemon=True)
            process.start()
        try:
            is_error, result = receiving.recv()
        except EOFError:
            process.join()
            if process.exitcode == -signal.SIGALRM:
                raise TimeOver(f"it took longer than {limit_s:g} seconds") from None
            raise ProcessEnded(f"a process ended with status {process.exitcode} before its result") from None
        finally:
            process.kill()
            process.join()
    if is_error:
        raise result
    return result  # type: ignore[no-any-return]  # what came through the pipe


def _work(work: Callable[[], object], sending: Connection, limit_s: float) -> None:
    """Run in the process that is begun, and send whether the function raised, and its result or error."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    gc.freeze()  # what was there before is never garbage here
    signal.setitimer(signal.ITIMER_REAL, limit_s)
    try:
        answer = False, work()
    except Exception as error:  # noqa: BLE001 - raised where the result is waited for
        answer = True, error
    sending.send(answer)
