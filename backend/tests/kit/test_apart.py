"""Work in a process of its own: its result, its error, and its end when its time is over."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import nullcontext
from functools import partial

import psutil
import pytest

from tailroom.kit.apart import run_apart
from tailroom.kit.forks import ProcessEnded, TimeOver, forking


@pytest.fixture(params=["beside threads", "in a worker"])
def ways(request: pytest.FixtureRequest) -> Iterator[None]:
    """Processes forked from one without threads, and from this one."""
    with forking() if request.param == "in a worker" else nullcontext():
        yield


@pytest.mark.usefixtures("ways")
def test_the_result_comes_from_another_process() -> None:
    assert run_apart(os.getpid, 60.0, []) != os.getpid()


@pytest.mark.usefixtures("ways")
def test_an_error_is_raised_here() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        run_apart(partial(int, "x"), 60.0, [])


@pytest.mark.usefixtures("ways")
def test_what_does_not_look_at_the_clock_is_ended() -> None:
    """One call of a library that holds the interpreter for minutes."""
    run_apart(os.getpid, 60.0, [])
    began = time.monotonic()
    with pytest.raises(TimeOver, match="the time of a process was over"):
        run_apart(partial(pow, 7, 10**9), 0.3, [])
    assert time.monotonic() - began < 5


@pytest.mark.usefixtures("ways")
def test_a_process_that_is_killed_is_named() -> None:
    with pytest.raises(ProcessEnded, match="status -9"):
        run_apart(partial(signal.raise_signal, signal.SIGKILL), 60.0, [])


def test_a_process_without_its_caller_ends_in_its_time() -> None:
    """The kernel looks at the time, no other process."""
    caller = os.fork()
    if caller == 0:
        with forking():
            run_apart(partial(pow, 7, 10**9), 1.0, [])
        os._exit(0)
    below: list[psutil.Process] = []
    while not below:
        below = psutil.Process(caller).children()
    os.kill(caller, signal.SIGKILL)
    os.waitpid(caller, 0)
    gone, _ = psutil.wait_procs(below, timeout=10)
    assert gone == below
