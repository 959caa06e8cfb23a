"""Long polls of idle agents: a few database queries serve all agents of a process.

A poll may wait for an hour. Its answer has begun, and a blank every 40 s keeps the connection open for the
agent and every proxy between; blanks before a JSON document have no meaning. A waiting agent counts as
present; an agent that is removed, or whose token ends, is answered at the next check.
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
from tailroom.kit.threads import ThreadPool

CALLS_EVERY_S = 0.5
"""Seconds between two checks whether a campaign needs a waiting agent."""
REMOVALS_EVERY_S = 20.0
"""Seconds between two checks whether waiting agents were removed."""
BLANK_EVERY_S = 40.0
"""Seconds between two blanks; proxies close a silent connection after a minute."""
NOTHING = b'{"commands":[]}'
"""The answer to an agent without work, which then polls again."""
_log = structlog.get_logger(__name__)


class _WaitingPoll:
    """A long poll of one agent. `is_called`: a campaign needs the agent, which ended the wait."""

    def __init__(self, organisation_id: UUID) -> None:
        self.organisation_id = organisation_id
        self.woken = asyncio.Event()
        self.is_called = False

    def wake(self, *, is_called: bool) -> None:
        """End the wait; `is_called`: because a campaign needs the agent."""
        self.is_called = is_called
        self.woken.set()


class WaitingAgents:
    """The waiting long polls of one process. For use in one event loop only."""

    def __init__(self, database: Database, threads: ThreadPool) -> None:
        self._database = database
        self._threads = threads
        self._waiting: dict[UUID, _WaitingPoll] = {}
        self._watcher: asyncio.Task[None] | None = None
        self._closed = False

    async def answer(
        self, organisation_id: UUID, agent_id: UUID, within_s: float, ask: Callable[[], Awaitable[bytes]]
    ) -> AsyncIterator[bytes]:
        """Yield the answer to an idle agent: blanks while it waits, then the result of `ask` if it is needed.

        The answer is `NOTHING` after `within_s` seconds, at shutdown, if the agent was removed or polls
        again, or if `ask` fails.
        """
        until_s = time.monotonic() + within_s
        with self._register(organisation_id, agent_id) as poll:
            while not poll.woken.is_set() and (left_s := until_s - time.monotonic()) > 0:
                try:
                    async with asyncio.timeout(min(left_s, BLANK_EVERY_S)):
                        await poll.woken.wait()
                except TimeoutError:
                    yield b" "
        try:
            answer = await ask() if poll.is_called else NOTHING
        except Exception as error:  # noqa: BLE001 - the answer has begun; the next poll reports the error properly
            _log.warning("waiting_agent_not_answered", error=str(error).partition("\n")[0])
            answer = NOTHING
        yield answer

    def end(self) -> None:
        """Answer all polls with `NOTHING`, and later ones at once: the process is shutting down."""
        self._closed = True
        for poll in self._waiting.values():
            poll.wake(is_called=False)

    def close(self) -> None:
        """End all polls as `end` does, and cancel the task that checks for calls."""
        self.end()
        if self._watcher is not None:
            self._watcher.cancel()

    @contextlib.contextmanager
    def _register(self, organisation_id: UUID, agent_id: UUID) -> Iterator[_WaitingPoll]:
        """Register a poll while the context is open, and start the checks; the agent's earlier poll ends."""
        poll = _WaitingPoll(organisation_id)
        if (earlier := self._waiting.get(agent_id)) is not None:
            earlier.wake(is_called=False)  # the agent polls again, so the earlier connection is dead
        if self._closed:
            poll.wake(is_called=False)
        self._waiting[agent_id] = poll
        if self._watcher is None or self._watcher.done():
            self._watcher = asyncio.create_task(self._watch(), name="waiting-agents")
        try:
            yield poll
        finally:
            if self._waiting.get(agent_id) is poll:
                del self._waiting[agent_id]

    async def _watch(self) -> None:
        """Wake agents that a campaign needs or that were removed, until no agent waits; log errors."""
        removals_at_s = time.monotonic() + REMOVALS_EVERY_S
        while self._waiting:
            await asyncio.sleep(CALLS_EVERY_S)
            try:
                self._wake(await self._threads.run(self._find_called), is_called=True)
                if time.monotonic() >= removals_at_s:
                    removals_at_s = time.monotonic() + REMOVALS_EVERY_S
                    organisations = {
                        agent_id: poll.organisation_id for agent_id, poll in self._waiting.items()
                    }
                    self._wake(
                        await self._threads.run(partial(self._find_removed, organisations)), is_called=False
                    )
            except Exception as error:  # noqa: BLE001 - waiting agents poll again anyway
                _log.warning("waiting_agents_not_looked_for", error=str(error).partition("\n")[0])

    def _wake(self, agents: Collection[UUID], *, is_called: bool) -> None:
        for agent_id in agents:
            if (poll := self._waiting.get(agent_id)) is not None:
                poll.wake(is_called=is_called)

    def _find_called(self) -> set[UUID]:
        with self._database.transaction() as session:
            return repository.agents_in_campaigns(session)

    def _find_removed(self, organisations: Mapping[UUID, UUID]) -> set[UUID]:
        """Store that these agents are present; return those that were removed or whose token is not valid."""
        with self._database.transaction() as session:
            return repository.record_waiting_agents(session, organisations, utc_now())
