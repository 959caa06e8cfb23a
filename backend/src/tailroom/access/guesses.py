"""Decides when guesses are too many: a bucket of them that refills. Guesses at tokens slow down nobody who
has a token, because they are counted after they were looked up in vain. Guesses at passwords are slowed down
for whom, and from where, they come; nobody waits longer than a bucket takes to hold one again.

Processes that are forked share the buckets that were made before. They use no lock: where two of them count
for one key within the same microsecond, one of the two counts may be lost.
"""

import math
import mmap
import time
from collections.abc import Hashable
from ipaddress import IPv6Address, ip_address

BURST = 100
PER_S = 10.0
_WAYS = 4
"""Buckets among which one that is new takes its place."""
_NAME = (1 << 64) - 1
_OF_A_CUSTOMER = 64
"""Bits of an address of IPv6 that one customer of a provider shares: the others are theirs to choose."""


def network_of(address: str) -> str:
    """What is counted instead of a network address; empty where it is none."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        shift = 128 - _OF_A_CUSTOMER
        return f"{IPv6Address(int(found) >> shift << shift)}/{_OF_A_CUSTOMER}"
    return str(found)


class Buckets:
    """Buckets by key, in memory that forked processes share. Where there is no room for another one, one that
    nobody used for long is forgotten, that is full.
    """

    def __init__(self, keys: int = 1 << 16) -> None:
        self._sets = keys // _WAYS
        memory = memoryview(mmap.mmap(-1, 24 * _WAYS * self._sets))
        self._names = memory[: 8 * _WAYS * self._sets].cast("Q")
        self._numbers = memory[8 * _WAYS * self._sets :].cast("d")
        """Of each bucket what is left, and when that was."""

    def of(self, key: Hashable, burst: float | None = None, per_s: float | None = None) -> "Guesses":
        """The bucket of a key, which holds `burst` when it is full."""
        return Guesses(self, key, BURST if burst is None else burst, PER_S if per_s is None else per_s)

    def left(self, key: Hashable, burst: float, per_s: float, now: float) -> tuple[int, float]:
        """Where the bucket of a key is, and what is left in it by now."""
        name = hash(key) & _NAME or 1
        first = name % self._sets * _WAYS
        places = range(first, first + _WAYS)
        for place in places:
            if self._names[place] == name:
                left, at = self._numbers[2 * place], self._numbers[2 * place + 1]
                return place, min(burst, left + max(0.0, now - at) * per_s)
        place = min(places, key=lambda one: self._numbers[2 * one + 1])
        self._names[place] = name
        return place, burst

    def note(self, place: int, left: float, now: float) -> None:
        """Takes down what is left in a bucket."""
        self._numbers[2 * place], self._numbers[2 * place + 1] = left, now


class Guesses:
    """One bucket."""

    def __init__(self, buckets: Buckets, key: Hashable, burst: float, per_s: float) -> None:
        self._buckets, self._key = buckets, key
        self._burst, self._per_s = float(burst), per_s

    def are_too_many(self) -> bool:
        """Counts one more; whether there are more than anybody mistypes."""
        return self._change(-1.0) < 0.0

    def wait_s(self) -> int:
        """Whole seconds until one more is allowed; 0: now."""
        left = self._change(0.0)
        return 0 if left >= 1.0 else math.ceil((1.0 - left) / self._per_s)

    def give_back(self) -> None:
        """One that was counted was none."""
        self._change(1.0)

    def _change(self, by: float) -> float:
        """What is left with the change, which is made where that is not less than nothing."""
        now = time.monotonic()  # of the machine, so that processes agree
        place, left = self._buckets.left(self._key, self._burst, self._per_s, now)
        changed = min(self._burst, left + by)
        self._buckets.note(place, left if changed < 0.0 else changed, now)
        return changed
