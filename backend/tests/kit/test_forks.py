"""Work in forked processes: results, errors, an end without a result, and nothing left behind."""

import os
import signal
import threading
import time
from functools import partial

import psutil
import pytest

from tailroom.domain.latency.hdr_values import HistogramUnreadable
from tailroom.kit.forks import ProcessEnded, forking, forks


@pytest.fixture(autouse=True)
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tailroom.kit.forks.usable_cores", lambda: 2)


def test_only_where_it_is_allowed_and_worth_it_work_is_done_by_another_process() -> None:
    with forks() as processors:
        assert processors.begin(os.getpid)() == os.getpid()
    with forking():
        with forks(is_worth_it=False) as processors:
            assert processors.begin(os.getpid)() == os.getpid()
        with forks() as processors:
            begun = [processors.begin(os.getpid) for _ in range(3)]
            found = {result() for result in begun}
    assert len(found) == 3
    assert os.getpid() not in found
    for pid in found:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_no_more_run_at_once_than_there_are_processors_and_any_order_is_answered() -> None:
    before = set(psutil.Process().children())
    with forking(), forks() as processors:
        begun = [processors.begin(partial(pow, 2, number)) for number in range(5)]
        assert len(set(psutil.Process().children()) - before) == 2
        assert [begun[number]() for number in (4, 0, 3, 1, 2)] == [16, 1, 8, 2, 4]
    assert set(psutil.Process().children()) == before


def test_results_larger_than_a_pipe_come_whole_and_errors_are_raised_where_they_are_asked_for() -> None:
    def refused() -> None:
        raise HistogramUnreadable("histogram 7 of the batch is damaged")

    with forking(), forks() as processors:
        large = processors.begin(partial(bytes, 5_000_000))
        wrong = processors.begin(refused)
        assert len(large()) == 5_000_000
        with pytest.raises(HistogramUnreadable, match="histogram 7"):
            wrong()


def test_a_killed_process_is_an_error_and_none_outlives_the_block() -> None:
    before = set(psutil.Process().children())
    with forking():
        with forks() as processors, pytest.raises(ProcessEnded):
            processors.begin(lambda: os.kill(os.getpid(), signal.SIGKILL))()
        with forks() as processors:
            processors.begin(partial(time.sleep, 600))
            assert len(set(psutil.Process().children()) - before) == 1
    assert set(psutil.Process().children()) == before


def test_a_thread_may_begin_processes_too() -> None:
    found: list[int] = []

    def begin() -> None:
        with forking(), forks() as processors:
            found.append(processors.begin(partial(pow, 2, 10))())

    thread = threading.Thread(target=begin)
    thread.start()
    thread.join(60)
    assert found == [1024]
