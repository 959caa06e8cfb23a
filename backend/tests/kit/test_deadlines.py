"""Work ends when its time is over, and when nobody waits for it any more."""

import asyncio
import math
import threading
import time
from collections.abc import Callable

import pytest
from backend.tests.waiting import PATIENCE_S, until_async

from tailroom.kit.deadlines import Deadline, check, working_until
from tailroom.kit.threads import AnswerTooLong, Busy, ThreadPool


class Over(Exception):
    """The time of the test is over."""


def endless(begun: threading.Event, ended: threading.Event) -> None:
    """Works until it is told that it is over."""
    begun.set()
    try:
        while True:
            check()
            time.sleep(0.005)
    finally:
        ended.set()


def test_without_a_deadline_nothing_is_refused() -> None:
    check()
    with working_until(Deadline(time.monotonic() + 60, Over)):
        check()
    check()


def test_a_time_that_is_over_and_a_result_that_nobody_waits_for_are_refused() -> None:
    with working_until(Deadline(time.monotonic() - 1, Over)), pytest.raises(Over):
        check()
    deadline = Deadline(time.monotonic() + 60, Over)
    deadline.abandoned.set()
    with working_until(deadline), pytest.raises(Over):
        check()


def test_an_answer_that_takes_too_long_is_ended_and_says_so() -> None:
    begun, ended = threading.Event(), threading.Event()

    async def ask() -> None:
        threads = ThreadPool("analysis", 1, wait_s=PATIENCE_S, answer_s=0.1)
        with pytest.raises(AnswerTooLong, match=r"longer than 0\.1 seconds") as refused:
            await threads.shared("q", lambda: endless(begun, ended))
        assert (refused.value.status, refused.value.code) == (503, "answer-too-long")
        assert isinstance(refused.value, Busy)
        assert await threads.run(lambda: 7) == 7

    asyncio.run(ask())
    assert ended.is_set()


def gone(askers: int, stay: int) -> tuple[bool, object]:
    """Whether shared work ended after some of its askers had gone, and what the others were answered."""
    begun, ended, go = threading.Event(), threading.Event(), threading.Event()
    checks = 0

    def work() -> str:
        nonlocal checks
        begun.set()
        try:
            while not go.is_set():
                check()
                checks += 1
                time.sleep(0.005)
            return "answered"
        finally:
            ended.set()

    async def ask() -> tuple[bool, object]:
        threads = ThreadPool("analysis", 1, wait_s=PATIENCE_S, answer_s=math.inf)
        asked = [asyncio.create_task(threads.shared("q", work)) for _ in range(askers)]
        await asyncio.to_thread(begun.wait, PATIENCE_S)
        for one in asked[stay:]:
            one.cancel()
        await asyncio.gather(*asked[stay:], return_exceptions=True)
        after = checks + 2
        await until_async(lambda: ended.is_set() or checks > after)
        was_ended = ended.is_set()
        go.set()
        found = await asyncio.gather(*asked[:stay])
        # Whoever asks next is answered by work of his own.
        again = await asyncio.wait_for(threads.shared("q", lambda: "anew"), PATIENCE_S)
        return was_ended, [*found, again]

    return asyncio.run(ask())


def test_work_goes_on_for_the_last_who_waits_and_ends_with_him() -> None:
    assert gone(askers=3, stay=1) == (False, ["answered", "anew"])
    assert gone(askers=3, stay=0) == (True, ["anew"])


def test_work_that_has_not_begun_is_not_begun_for_nobody() -> None:
    begun: list[str] = []

    async def ask() -> None:
        threads = ThreadPool("analysis", 1, wait_s=PATIENCE_S)
        release = threading.Event()
        first = asyncio.create_task(threads.shared("a", lambda: release.wait(PATIENCE_S), "one"))
        await until_async(lambda: threads.busy == 1)
        second = asyncio.create_task(threads.shared("b", lambda: begun.append("b"), "other"))
        await until_async(lambda: threads.waiting == 1)
        second.cancel()
        await until_async(lambda: threads.waiting == 0)
        release.set()
        await first
        await threads.run(lambda: begun.append("c"))

    asyncio.run(ask())
    assert begun == ["c"]


@pytest.mark.parametrize("order", [("many", "other"), ("other", "many")])
def test_one_organisation_leaves_a_place_to_the_others(order: tuple[str, str]) -> None:
    """However many of its answers are under way, another one is worked out beside them."""
    release = threading.Event()
    at_once: list[str] = []

    def work(owner: str) -> Callable[[], None]:
        def done() -> None:
            at_once.append(owner)
            release.wait(PATIENCE_S)

        return done

    async def ask() -> list[str]:
        threads = ThreadPool("analysis", 2, wait_s=PATIENCE_S, most_of_owner=1)
        asked = [asyncio.create_task(threads.run(work("many"), "many")) for _ in range(4)]
        await until_async(lambda: at_once and threads.waiting == 3)
        assert at_once == ["many"]
        asked += [asyncio.create_task(threads.run(work("other"), "other"))]
        await until_async(lambda: "other" in at_once)
        seen = list(at_once)
        release.set()
        await asyncio.gather(*asked)
        assert (threads.busy, threads.waiting) == (0, 0)
        # Both places are free again, whoever had them.
        release.clear()
        again = [asyncio.create_task(threads.run(work(owner), owner)) for owner in order]
        await until_async(lambda: threads.busy == 2)
        release.set()
        await asyncio.gather(*again)
        return seen

    assert asyncio.run(ask()) == ["many", "other"]
    assert at_once.count("many") == 5
