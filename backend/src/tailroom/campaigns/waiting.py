"""Decides how idle agents wait for work: a few statements for all of a process, whatever their number.

A question may wait for an hour. Meanwhile its answer has begun, and a blank every 40 s tells the agent, and
every proxy between, that somebody is there; blanks before a JSON document mean nothing. Who waits
counts as present, and whoever is removed, or whose token ends, waits no longer.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping
from functools import partial
from uuid import UUID

import structlog

from tailroom.campaigns import repository
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.threads import Threads

LOOK_EVERY_S = 0.5
STANDING_EVERY_S = 20.0
BLANK_EVERY_S = 40.0
"""Proxies give up after a minute."""
NOTHING = b'{"commands":[]}'
"""The answer to whoever is not called: ask again."""
_log = structlog.get_logger(__name__)


class _Place:
    """Where one agent waits."""

    def __init__(self, organisation_id: UUID) -> None:
        self.organisation_id = organisation_id
        self.woken = asyncio.Event()
        self.is_called = False

    def wake(self, *, is_called: bool) -> None:
        self.is_called = is_called
        self.woken.set()


class WaitingAgents:
    """The agents of one process that have nothing to do. Belongs to one event loop."""

    def __init__(self, database: Database, threads: Threads) -> None:
        self._database = database
        self._threads = threads
        self._waiting: dict[UUID, _Place] = {}
        self._tending: asyncio.Task[None] | None = None
        self._closed = False

    async def answer(
        self, organisation_id: UUID, agent_id: UUID, within_s: float, ask: Callable[[], Awaitable[bytes]]
    ) -> AsyncIterator[bytes]:
        """The answer to an idle agent, in pieces: blanks, then what it is to do, as `ask` says when a
        campaign calls it.
        """
        until_s = time.monotonic() + within_s
        with self._place(organisation_id, agent_id) as place:
            while not place.woken.is_set() and (left_s := until_s - time.monotonic()) > 0:
                try:
                    async with asyncio.timeout(min(left_s, BLANK_EVERY_S)):
                        await place.woken.wait()
                except TimeoutError:
                    yield b" "
        try:
            answer = await ask() if place.is_called else NOTHING
        except Exception as error:  # noqa: BLE001 - the answer has begun; asked again, it is said properly
            _log.warning("waiting_agent_not_answered", error=str(error).partition("\n")[0])
            answer = NOTHING
        yield answer

    def end(self) -> None:
        """Everybody is answered, now and from now on: the process is going down."""
        self._closed = True
        for place in self._waiting.values():
            place.wake(is_called=False)

    def close(self) -> None:
        """Stops looking."""
        self.end()
        if self._tending is not None:
            self._tending.cancel()

    @contextlib.contextmanager
    def _place(self, organisation_id: UUID, agent_id: UUID) -> Iterator[_Place]:
        mine = _Place(organisation_id)
        if (earlier := self._waiting.get(agent_id)) is not None:
            earlier.wake(is_called=False)  # it asks again, so nobody waits there any more
        if self._closed:
            mine.wake(is_called=False)
        self._waiting[agent_id] = mine
        if self._tending is None or self._tending.done():
            self._tending = asyncio.create_task(self._tend(), name="waiting-agents")
        try:
            yield mine
        finally:
            if self._waiting.get(agent_id) is mine:
                del self._waiting[agent_id]

    async def _tend(self) -> None:
        standing_at_s = time.monotonic() + STANDING_EVERY_S
        while self._waiting:
            await asyncio.sleep(LOOK_EVERY_S)
            try:
                self._wake(await self._threads.run(self._called), is_called=True)
                if time.monotonic() >= standing_at_s:
                    standing_at_s = time.monotonic() + STANDING_EVERY_S
                    here = {agent_id: place.organisation_id for agent_id, place in self._waiting.items()}
                    self._wake(await self._threads.run(partial(self._gone, here)), is_called=False)
            except Exception as error:  # noqa: BLE001 - whoever waits asks again anyway
                _log.warning("waiting_agents_not_looked_for", error=str(error).partition("\n")[0])

    def _wake(self, agents: Collection[UUID], *, is_called: bool) -> None:
        for agent_id in agents:
            if (place := self._waiting.get(agent_id)) is not None:
                place.wake(is_called=is_called)

    def _called(self) -> set[UUID]:
        with self._database.transaction() as session:
            return repository.called(session)

    def _gone(self, here: Mapping[UUID, UUID]) -> set[UUID]:
        with self._database.transaction() as session:
            return repository.note_waiting(session, here, utc_now())
