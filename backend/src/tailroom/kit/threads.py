"""Thread pools per kind of work: number of threads, longest wait for a thread, and shared results.

Every request that uses the database runs in such a thread, and all pools together have no more threads than
there are connections, so a thread always gets a connection. Identical requests may share one result: without
that, the p95 of a burst of 1,000 readers is 1.7 times as long (docs/performance.md).
"""

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable, Collection, Hashable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from anyio import CapacityLimiter
from anyio.to_thread import run_sync

from tailroom.kit.deadlines import Deadline, working_until
from tailroom.kit.errors import HttpProblem
from tailroom.kit.fair_semaphore import FairSemaphore, TooManyWaiting

_Result = TypeVar("_Result")
_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


class Busy(HttpProblem, status=503, title="Too much is asked at once", headers={"Retry-After": "2"}):
    """No thread became free in time, or too many requests of the organisation wait."""


class AnswerTooLong(Busy, title="The answer takes too long to work out"):
    """A function that `ThreadPool.shared` ran took longer than `answer_s` seconds and was stopped."""


@dataclass(eq=False, slots=True)
class _SharedCall:
    """A function that runs once for all identical requests that arrived before its start.

    `waiting`: number of requests that await its result.
    """

    deadline: Deadline
    task: asyncio.Task[Any] | None = None
    waiting: int = 0


class ThreadPool:
    """Threads for one kind of work in one process, shared fairly between organisations.

    Belongs to one event loop. `size`: number of threads; `wait_s`: longest wait for a thread, in seconds. Of
    one organisation at most `most_waiting` requests wait and `most_of_owner` threads work; None: no limit. A
    shared function is stopped by `deadlines.check` after `answer_s` seconds, or when no request awaits it any
    more.
    """

    def __init__(
        self,
        name: str,
        size: int,
        *,
        wait_s: float,
        most_waiting: int | None = None,
        most_of_owner: int | None = None,
        answer_s: float = math.inf,
    ) -> None:
        self.name = name
        self.size = size
        self._wait_s, self._answer_s = wait_s, answer_s
        self._slots = FairSemaphore(size, most_waiting, most_of_owner)
        self._not_started: dict[Hashable, _SharedCall] = {}
        self._running: dict[Hashable, asyncio.Event] = {}
        # The slots limit the threads; anyio needs no second limit.
        self._limiter = CapacityLimiter(math.inf)

    @property
    def busy(self) -> int:
        """Number of slots in use."""
        return self._slots.in_use

    @property
    def waiting(self) -> int:
        """Number of requests that wait for a slot."""
        return self._slots.waiting

    @asynccontextmanager
    async def slot(self, owner: Hashable = None) -> AsyncIterator[None]:
        """Hold a slot for a thread during the context, on behalf of an organisation (`owner`).

        Raise Busy if none becomes free within `wait_s`, or `most_waiting` of its requests wait already.
        """
        try:
            async with asyncio.timeout(self._wait_s):
                await self._slots.acquire(owner)
        except TimeoutError:
            raise Busy(
                f"Nothing got free within {self._wait_s:g} seconds to answer this ({self.name}); nothing was"
                " changed. Send the request again in a moment."
            ) from None
        except TooManyWaiting:
            raise Busy(
                f"Your organisation waits for as many answers of this kind ({self.name}) as may wait at once;"
                " nothing was changed. Send the request again when one has come."
            ) from None
        try:
            yield
        finally:
            self._slots.release(owner)

    async def run_unlimited(self, work: Callable[[], _Result]) -> _Result:
        """Run the function in a thread without a slot; return its result or raise its error."""
        return await run_sync(work, limiter=self._limiter)

    async def run(self, work: Callable[[], _Result], owner: Hashable = None) -> _Result:
        """Run the function in a thread with a slot; return its result or raise its error.

        Raise Busy if there is no slot in time; see `slot`.
        """
        async with self.slot(owner):
            return await self.run_unlimited(work)

    async def shared(self, key: Hashable, work: Callable[[], _Result], owner: Hashable = None) -> _Result:
        """Return the result of `work`, run once for all requests with this key that arrive before its start.

        A request never gets a result whose computation started before it arrived. One function per key runs
        at a time. Raise Busy as `slot`, AnswerTooLong after `answer_s` seconds, or the error of `work`.
        """
        shared = self._not_started.get(key)
        if shared is None:
            shared = self._not_started[key] = _SharedCall(Deadline(math.inf, self._too_long_error))
            shared.task = asyncio.create_task(self._run_shared(key, shared, work, owner))
            shared.task.add_done_callback(_retrieve_exception)
        assert shared.task is not None  # noqa: S101 - set above
        shared.waiting += 1
        try:
            result: _Result = await asyncio.shield(shared.task)
        finally:
            shared.waiting -= 1
            if not shared.waiting and not shared.task.done():
                self._abandon(key, shared)
        return result

    def _abandon(self, key: Hashable, shared: _SharedCall) -> None:
        """Stop a function that no request awaits: cancel it, or have `deadlines.check` raise if it runs."""
        shared.deadline.abandoned.set()
        if self._not_started.get(key) is shared:
            del self._not_started[key]
            assert shared.task is not None  # noqa: S101 - no request waits before it is set
            shared.task.cancel()

    def _too_long_error(self) -> AnswerTooLong:
        return AnswerTooLong(
            f"Working this out took longer than {self._answer_s:g} seconds and was ended ({self.name});"
            " nothing was changed. Ask for less of it, for example for fewer points."
        )

    async def _run_shared(
        self, key: Hashable, shared: _SharedCall, work: Callable[[], _Result], owner: Hashable
    ) -> _Result:
        """Run a shared function, after its predecessor with this key, in a slot; return its result."""
        try:
            while (earlier := self._running.get(key)) is not None:
                await earlier.wait()
            async with self.slot(owner):
                del self._not_started[key]
                ended = self._running[key] = asyncio.Event()
                deadline = replace(shared.deadline, until_s=time.monotonic() + self._answer_s)
                try:
                    with working_until(deadline):
                        return await self.run_unlimited(work)
                finally:
                    del self._running[key]
                    ended.set()
        finally:
            if self._not_started.get(key) is shared:
                del self._not_started[key]


def _retrieve_exception(task: asyncio.Task[Any]) -> None:
    """Read the exception of a task that no request waits for, so that asyncio does not report it."""
    if not task.cancelled():
        task.exception()


class RequestBatcher(Generic[_Key, _Value]):
    """Joins concurrent look-ups of keys into a call of `load`, in a thread, which returns all values."""

    def __init__(
        self, threads: ThreadPool, load: Callable[[Collection[_Key]], Mapping[_Key, _Value]]
    ) -> None:
        self._threads = threads
        self._load = load
        self._keys: set[_Key] = set()
        self._task: asyncio.Task[Mapping[_Key, _Value]] | None = None

    async def get(self, key: _Key) -> _Value:
        """Return the value of a key, from a call of `load` that starts after this call.

        Raise Busy if no slot becomes free in time, or the error of `load`.
        """
        self._keys.add(key)
        if self._task is None:
            self._task = asyncio.create_task(self._load_batch())
        return (await asyncio.shield(self._task))[key]

    async def _load_batch(self) -> Mapping[_Key, _Value]:
        """Wait for a slot, then load all keys added until then. Raise Busy if there is no slot in time."""
        task = asyncio.current_task()
        try:
            async with self._threads.slot():
                keys, self._keys, self._task = self._keys, set(), None
                return await self._threads.run_unlimited(lambda: self._load(keys))
        finally:
            if self._task is task:
                self._keys, self._task = set(), None
