"""Counting of open live streams by organisation, over all processes behind one port.

The counts are in memory shared by forked processes, with a row for each process: no lock is needed, and the
row of a killed process is reset by its successor.
"""

import mmap
from uuid import UUID

import numpy as np

_LAST_64_BITS = (1 << 64) - 1


class StreamSlots:
    """Slots for open streams in shared memory, created before processes are forked."""

    def __init__(self, processes: int, each: int) -> None:
        """Create `each` slots for each of the processes; this process gets the first row."""
        memory = mmap.mmap(-1, 8 * processes * each)
        self._owners = np.frombuffer(memory, np.uint64).reshape(processes, each)
        """Owner (`_owner`) of the stream in a slot; 0 means free."""
        self.begin(0)

    def begin(self, number: int) -> None:
        """Use row `number` for this process and mark all slots of the row as free."""
        self._own = self._owners[number]
        self._own[:] = 0
        self._free = list(range(self._own.size))

    def take(self, organisation_id: UUID) -> int | None:
        """Reserve a slot of this process for a stream of an organisation; None if none is free."""
        if not self._free:
            return None
        slot = self._free.pop()
        self._own[slot] = _owner(organisation_id)
        return slot

    def release(self, slot: int) -> None:
        """Free a slot of this process."""
        self._own[slot] = 0
        self._free.append(slot)

    def count_of(self, organisation_id: UUID) -> int:
        """Return the number of streams of an organisation in all processes."""
        return int(np.count_nonzero(self._owners == np.uint64(_owner(organisation_id))))


def _owner(organisation_id: UUID) -> int:
    """Return the number of an organisation in a slot: the last 64 bits of its id; 1 for no organisation."""
    return organisation_id.int & _LAST_64_BITS or 1
