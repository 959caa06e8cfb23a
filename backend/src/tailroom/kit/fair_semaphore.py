"""Fair semaphore: the next slot goes to the owner with the fewest slots, of equals to the longest waiting.

An organisation with a hundred requests leaves the next free slot to an organisation with one.
"""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Hashable


class TooManyWaiting(Exception):
    """The owner has as many waiting requests as allowed."""


class FairSemaphore:
    """Semaphore of one event loop with `slots` slots, shared fairly between owners such as organisations.

    Of one owner at most `most_waiting` requests wait and `most_of_owner` slots are in use; None: no limit.
    """

    def __init__(self, slots: int, most_waiting: int | None = None, most_of_owner: int | None = None) -> None:
        self._free = slots
        self._most_waiting = most_waiting
        self._most_of_owner = slots if most_of_owner is None else most_of_owner
        self._used: Counter[Hashable] = Counter()
        self._waiting: OrderedDict[Hashable, deque[asyncio.Future[None]]] = OrderedDict()

    @property
    def in_use(self) -> int:
        """Number of slots in use."""
        return sum(self._used.values())

    @property
    def waiting(self) -> int:
        """Number of requests that wait for a slot."""
        return sum(len(line) for line in self._waiting.values())

    async def acquire(self, owner: Hashable) -> None:
        """Wait for a slot. Raise TooManyWaiting if `most_waiting` requests of this owner wait already."""
        if self._free and self._used[owner] < self._most_of_owner:
            self._free -= 1
            self._used[owner] += 1
            return
        line = self._waiting.setdefault(owner, deque())
        if self._most_waiting is not None and len(line) >= self._most_waiting:
            raise TooManyWaiting
        slot = asyncio.get_running_loop().create_future()
        line.append(slot)
        try:
            await slot
        except asyncio.CancelledError:
            if slot.done() and not slot.cancelled():
                self.release(owner)
            else:
                self._leave(owner, slot)
            raise

    def release(self, owner: Hashable) -> None:
        """Release a slot of this owner and give it to the next waiting request that may have one, if any."""
        self._used[owner] -= 1
        if not self._used[owner]:
            del self._used[owner]
        if not self._waiting:
            self._free += 1
            return
        # `min` takes the first of equals, and an owner that got a slot moves to the end.
        next_owner = min(self._waiting, key=lambda owner: self._used[owner])
        if self._used[next_owner] >= self._most_of_owner:
            self._free += 1
            return
        slot = self._waiting[next_owner].popleft()
        if self._waiting[next_owner]:
            self._waiting.move_to_end(next_owner)
        else:
            del self._waiting[next_owner]
        self._used[next_owner] += 1
        slot.set_result(None)

    def _leave(self, owner: Hashable, slot: asyncio.Future[None]) -> None:
        line = self._waiting[owner]
        line.remove(slot)
        if not line:
            del self._waiting[owner]
