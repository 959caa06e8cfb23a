"""Buckets of guesses: what is left, what refills, and that forked processes have the same ones."""

import os
import time

import pytest

from tailroom.access.guesses import Buckets


def test_a_bucket_gives_what_it_holds_and_refills(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    one = Buckets().of("somebody", 3, 0.5)
    assert [one.take_is_refused() for _ in range(5)] == [False] * 3 + [True] * 2
    assert one.wait_s() == 2
    now += 2.0
    assert one.wait_s() == 0
    assert [one.take_is_refused() for _ in range(2)] == [False, True]
    one.give_back()
    assert one.take_is_refused() is False
    now += 3_600.0
    assert [one.take_is_refused() for _ in range(4)] == [False] * 3 + [True]


def test_each_key_has_its_own_and_the_longest_unused_is_forgotten() -> None:
    buckets = Buckets(keys=64)
    for number in range(1_000):
        assert buckets.of(("person", number), 1, 0.0).take_is_refused() is False
    assert buckets.of(("person", 999), 1, 0.0).take_is_refused() is True
    full = sum(not buckets.of(("person", number), 1, 0.0).take_is_refused() for number in range(900))
    assert full > 800


def test_forked_processes_count_together() -> None:
    buckets = Buckets()
    for _ in range(2):
        pid = os.fork()
        if not pid:
            taken = sum(not buckets.of("somebody", 10, 0.0).take_is_refused() for _ in range(4))
            os._exit(taken)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 4
    mine = buckets.of("somebody", 10, 0.0)
    assert [mine.take_is_refused() for _ in range(3)] == [False, False, True]
