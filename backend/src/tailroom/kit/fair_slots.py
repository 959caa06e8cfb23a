"""Fair semaphore: the next slot goes to the owner with the fewest slots, of equals to the longest waiting.

So an organisation with a hundred requests leaves the next free slot to an organisation with one.
"""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Hashable


class TurnsTaken(Exception):
    """The owner has as many waiting requests as allowed."""


class Turns:
    """Slots of one event loop, `places` in all, shared fairly between owners such as organisations.

    At most `most_waiting` requests of an owner wait, and it has at most `most_of_owner` slots at the same
    time; None: no such limit.
    """

    def __init__(
        self, places: int, most_waiting: int | None = None, most_of_owner: int | None = None
    ) -> None:
        self._free = places
        self._most_waiting = most_waiting
        self._most_of_owner = places if most_of_owner is None else most_of_owner
        self._has: Counter[Hashable] = Counter()
        self._waiting: OrderedDict[Hashable, deque[asyncio.Future[None]]] = OrderedDict()

    @property
    def taken(self) -> int:
        """Number of slots in use."""
        return sum(self._has.values())

    @property
    def waiting(self) -> int:
        """Number of requests that wait for a slot."""
        return sum(len(line) for line in self._waiting.values())

    async def acquire(self, owner: Hashable) -> None:
        """Wait for a slot for this owner. Raise TurnsTaken if too many of its requests wait."""
        if self._free and self._has[owner] < self._most_of_owner:
            self._free -= 1
            self._has[owner] += 1
            return
        line = self._waiting.setdefault(owner, deque())
        if self._most_waiting is not None and len(line) >= self._most_waiting:
            raise TurnsTaken
        place = asyncio.get_running_loop().create_future()
        line.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self.release(owner)
            else:
                self._leave(owner, place)
            raise

    def release(self, owner: Hashable) -> None:
        """Release a slot of this owner, or pass it on to the next waiting request."""
        self._has[owner] -= 1
        if not self._has[owner]:
            del self._has[owner]
        if not self._waiting:
            self._free += 1
            return
        # `min` takes the first of equals, and an owner that got a slot moves to the end.
        next_owner = min(self._waiting, key=lambda owner: self._has[owner])
        if self._has[next_owner] >= self._most_of_owner:
            self._free += 1
            return
        place = self._waiting[next_owner].popleft()
        if self._waiting[next_owner]:
            self._waiting.move_to_end(next_owner)
        else:
            del self._waiting[next_owner]
        self._has[next_owner] += 1
        place.set_result(None)

    def _leave(self, owner: Hashable, place: asyncio.Future[None]) -> None:
        line = self._waiting[owner]
        line.remove(place)
        if not line:
            del self._waiting[owner]
