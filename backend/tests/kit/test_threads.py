"""One kind of work never takes more places than it has, and who waits too long is told to come back."""

import asyncio
import threading
from functools import partial

import pytest
from backend.tests.waiting import PATIENCE_S, until_async

from tailroom.kit.threads import Busy, ThreadPool


def test_the_places_of_a_kind_are_all_it_gets_and_the_next_is_refused_in_time() -> None:
    go = threading.Event()

    async def crowd() -> tuple[int, int]:
        threads = ThreadPool("questions", 2, wait_s=0.2)
        asked = [asyncio.create_task(threads.run(lambda: go.wait(PATIENCE_S))) for _ in range(10)]
        await until_async(lambda: sum(task.done() for task in asked) == 8)
        at_once = threads.busy
        go.set()
        results = await asyncio.gather(*asked, return_exceptions=True)
        return at_once, sum(isinstance(result, Busy) for result in results)

    assert asyncio.run(crowd()) == (2, 8)


def test_a_place_is_given_back_after_a_failure() -> None:
    async def fail_twice() -> None:
        threads = ThreadPool("questions", 1, wait_s=PATIENCE_S)

        def work() -> None:
            raise ValueError("broken")

        for _ in range(2):
            with pytest.raises(ValueError, match="broken"):
                await threads.run(work)

    asyncio.run(fail_twice())


def test_an_organisation_that_asks_once_is_next_after_one_that_asks_a_hundred_times() -> None:
    order: list[str] = []

    async def crowd() -> None:
        # One thread: of two, the system may suspend the one that has the turn while the other goes on.
        threads = ThreadPool("questions", 1, wait_s=PATIENCE_S)
        go = threading.Event()

        def work(owner: str) -> None:
            go.wait(PATIENCE_S)
            order.append(owner)

        many = [asyncio.create_task(threads.run(lambda: work("many"), "many")) for _ in range(100)]
        await until_async(lambda: threads.waiting == 99)
        once = [asyncio.create_task(threads.run(partial(work, name), name)) for name in ("one", "other")]
        await until_async(lambda: threads.waiting == 101)
        go.set()
        await asyncio.gather(*many, *once)

    asyncio.run(crowd())
    assert len(order) == 102
    assert max(order.index("one"), order.index("other")) <= 3


def test_no_more_questions_of_one_organisation_wait_than_may() -> None:
    async def crowd() -> list[object]:
        threads = ThreadPool("questions", 1, wait_s=PATIENCE_S, most_waiting=3)
        go = threading.Event()
        asked = [asyncio.create_task(threads.run(lambda: go.wait(PATIENCE_S), "many")) for _ in range(10)]
        await until_async(lambda: sum(task.done() for task in asked) == 6)
        another = asyncio.create_task(threads.run(lambda: "answered", "another"))
        await until_async(lambda: threads.waiting == 4)
        go.set()
        return [*await asyncio.gather(*asked, return_exceptions=True), await another]

    results = asyncio.run(crowd())
    assert [isinstance(one, Busy) for one in results].count(True) == 6
    assert results[-1] == "answered"


def test_who_gives_up_waiting_takes_no_place_along() -> None:
    async def crowd() -> int:
        threads = ThreadPool("questions", 1, wait_s=PATIENCE_S)
        go = threading.Event()
        first = asyncio.create_task(threads.run(lambda: go.wait(PATIENCE_S), "a"))
        waiting = [asyncio.create_task(threads.run(lambda: 1, owner)) for owner in ("a", "b", "b", "c")]
        await until_async(lambda: threads.waiting == 4)
        waiting[1].cancel()
        waiting[3].cancel()
        go.set()
        await first
        # One that has been given a place just now, and leaves before it has begun.
        late = asyncio.create_task(threads.run(lambda: 1, "d"))
        await asyncio.sleep(0)
        late.cancel()
        await asyncio.gather(*waiting, late, return_exceptions=True)
        return await asyncio.wait_for(threads.run(lambda: 7), PATIENCE_S)

    assert asyncio.run(crowd()) == 7


def test_who_waits_without_an_organisation_gets_the_place_that_is_given_back() -> None:
    async def crowd() -> list[int]:
        threads = ThreadPool("door", 1, wait_s=PATIENCE_S)
        go = threading.Event()
        first = asyncio.create_task(threads.run(lambda: go.wait(PATIENCE_S)))
        waiting = [asyncio.create_task(threads.run(partial(int, number))) for number in range(3)]
        await until_async(lambda: threads.waiting == 3)
        go.set()
        await first
        return await asyncio.gather(*waiting)

    assert asyncio.run(crowd()) == [0, 1, 2]
