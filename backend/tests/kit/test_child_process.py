"""Work in a process of its own: its result, its error, and its end when its time is over."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import psutil
import pytest

from tailroom.kit.child_process import ProcessEnded, ProcessTimedOut, run_in_child, start_method


@pytest.fixture(params=["fork", "forkserver"])
def ways(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes forked from this one, and from one without threads."""
    monkeypatch.setattr("tailroom.kit.child_process.start_method", lambda: request.param)


@pytest.mark.usefixtures("ways")
def test_the_result_comes_from_another_process() -> None:
    assert run_in_child(os.getpid, 60.0, []) != os.getpid()


@pytest.mark.usefixtures("ways")
def test_an_error_is_raised_here() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        run_in_child(partial(int, "x"), 60.0, [])


@pytest.mark.usefixtures("ways")
def test_what_does_not_look_at_the_clock_is_ended() -> None:
    """One call of a library that holds the interpreter for minutes."""
    run_in_child(os.getpid, 60.0, [])
    began = time.monotonic()
    with pytest.raises(ProcessTimedOut, match="the time of a process was over"):
        run_in_child(partial(pow, 7, 10**9), 0.3, [])
    assert time.monotonic() - began < 60


@pytest.mark.usefixtures("ways")
def test_a_process_that_is_killed_is_named() -> None:
    with pytest.raises(ProcessEnded, match="status -9"):
        run_in_child(partial(signal.raise_signal, signal.SIGKILL), 60.0, [])


def test_a_process_with_several_threads_is_not_forked() -> None:
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(start_method).result() == "forkserver"


def test_a_process_without_its_caller_ends_in_its_time() -> None:
    """The kernel looks at the time, no other process."""
    caller = os.fork()
    if caller == 0:
        run_in_child(partial(pow, 7, 10**9), 1.0, [])
        os._exit(0)
    below: list[psutil.Process] = []
    while not below:
        below = psutil.Process(caller).children()
    os.kill(caller, signal.SIGKILL)
    os.waitpid(caller, 0)
    gone, _ = psutil.wait_procs(below, timeout=60)
    assert gone == below
