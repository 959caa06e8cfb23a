"""Idle agents wait here for work: one query each half second for all of a process, whatever their number."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from uuid import UUID

import structlog

from tailroom.campaigns import repository
from tailroom.kit.db import Database
from tailroom.kit.threads import Threads

LOOK_EVERY_S = 0.5
GONE_EVERY_S = 2.0
_log = structlog.get_logger(__name__)


class WaitingAgents:
    """The agents of one process that have nothing to do."""

    def __init__(self, database: Database, threads: Threads) -> None:
        self._database = database
        self._threads = threads
        self._waiting: dict[UUID, asyncio.Event] = {}
        self._looking: asyncio.Task[None] | None = None

    async def wait(self, agent_id: UUID, within_s: float, is_gone: Callable[[], Awaitable[bool]]) -> bool:
        """Returns when a campaign calls the agent, or when the time is over or it has gone; whether it was
        called.
        """
        called = self._waiting[agent_id] = asyncio.Event()
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        until_s = time.monotonic() + within_s
        try:
            while not called.is_set() and time.monotonic() < until_s and not await is_gone():
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(called.wait(), min(within_s, GONE_EVERY_S))
        finally:
            if self._waiting.get(agent_id) is called:
                del self._waiting[agent_id]
        return called.is_set()

    def close(self) -> None:
        """Stops looking; nobody who waits is called any more."""
        if self._looking is not None:
            self._looking.cancel()

    async def _look(self) -> None:
        while self._waiting:
            await asyncio.sleep(LOOK_EVERY_S)
            asked = set(self._waiting)

            def find(asked: set[UUID] = asked) -> set[UUID]:
                with self._database.transaction() as session:
                    return repository.called(session, asked)

            try:
                found = await self._threads.run(find)
            except Exception as error:  # noqa: BLE001 - whoever waits asks again anyway
                _log.warning("waiting_agents_not_looked_for", error=str(error).partition("\n")[0])
                continue
            for agent_id in found:
                if (event := self._waiting.get(agent_id)) is not None:
                    event.set()
