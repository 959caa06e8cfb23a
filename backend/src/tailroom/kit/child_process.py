"""Work in a child process, which the kernel ends when its time is over.

`kit.deadlines` ends work that checks the time itself. This is for work that does not: a regular expression, a
document of JSON, a call of a library. The child does not hold the interpreter lock of this process, and its
memory is freed with it.
"""

import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from typing import Any, Literal, TypeVar

_Result = TypeVar("_Result")


class ProcessEnded(RuntimeError):
    """A process ended before it sent its result: it was killed, or memory ran out."""


class ProcessTimedOut(ProcessEnded):
    """A process was ended because its time was over."""


def run_in_child(work: Callable[[], _Result], limit_s: float, modules: Sequence[str]) -> _Result:
    """Run a function in a process of its own; return its result or raise its error.

    `limit_s`: seconds until the kernel ends it; `modules`: names of modules that a fork server imports once.
    Function and result must be picklable, and it must use no connection. Raise ProcessTimedOut after
    `limit_s`, ProcessEnded if the process ends in another way without a result.
    """
    if start_method() == "fork":
        is_error, result = _run_forked(work, limit_s)
    else:
        is_error, result = _run_in_fork_server(work, limit_s, modules)
    if is_error:
        raise result
    return result  # type: ignore[no-any-return]  # what came through the pipe


def start_method() -> Literal["fork", "forkserver"]:
    """Return `fork` in a daemon and in a process with one thread, else `forkserver`.

    A fork of a process with several threads can wait for a lock forever. Daemons, such as Celery's processes,
    may start no process by `multiprocessing`.
    """
    is_single = multiprocessing.current_process().daemon or threading.active_count() == 1
    return "fork" if is_single else "forkserver"


def _run_forked(work: Callable[[], object], limit_s: float) -> tuple[bool, Any]:
    """Run the function in a fork of this process; return whether it raised, and its result or error."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        _send_and_exit(work, limit_s, writing)
    os.close(writing)
    try:
        with os.fdopen(reading, "rb") as sent:
            content = sent.read()
    except BaseException:
        os.kill(pid, signal.SIGKILL)
        raise
    finally:
        _, status = os.waitpid(pid, 0)
    if status != 0:
        raise _error_of_exit(os.waitstatus_to_exitcode(status))
    is_error, result = pickle.loads(content)  # noqa: S301 - written by ourselves
    return is_error, result


def _send_and_exit(work: Callable[[], object], limit_s: float, writing: int) -> None:
    """Run the function in the fork, write the outcome to the pipe `writing` and exit without clean-up."""
    status = 1
    try:
        outcome = _run_with_alarm(work, limit_s)
        with os.fdopen(writing, "wb") as sent:
            pickle.dump(outcome, sent, protocol=5)
        status = 0
    finally:
        os._exit(status)


def _run_in_fork_server(
    work: Callable[[], object], limit_s: float, modules: Sequence[str]
) -> tuple[bool, Any]:
    """Run the function in a process of a fork server; return as `_run_forked` does."""
    # Each process imports the main program; the server imports it once for all.
    program = sys.modules["__main__"].__spec__
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["__main__", *([program.name] if program else ()), *modules])
    receiving, sending = context.Pipe(duplex=False)
    with receiving:
        with sending:
            process = context.Process(target=_send, args=(work, limit_s, sending), daemon=True)
            process.start()
        try:
            is_error, result = receiving.recv()
        except EOFError:
            process.join()
            raise _error_of_exit(process.exitcode or 0) from None
        finally:
            process.kill()
            process.join()
    return is_error, result


def _send(work: Callable[[], object], limit_s: float, sending: Connection) -> None:
    sending.send(_run_with_alarm(work, limit_s))


def _run_with_alarm(work: Callable[[], object], limit_s: float) -> tuple[bool, object]:
    """Return whether the function raised, and result or error; SIGALRM ends the process after `limit_s`."""
    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, limit_s)
    gc.freeze()  # what was there before is never garbage here
    try:
        return False, work()
    except Exception as error:  # noqa: BLE001 - raised where the result is waited for
        return True, error


def _error_of_exit(exit_code: int) -> ProcessEnded:
    """Return the error for a process that ended without a result. A negative code is a signal's number."""
    if exit_code == -signal.SIGALRM:
        return ProcessTimedOut("the time of a process was over")
    return ProcessEnded(f"a process that calculated beside this one ended with status {exit_code}")
