"""Decides when guesses are too many: a bucket of them that refills. Guesses at tokens slow down nobody who
has a token, because they are counted after they were looked up in vain. Guesses at passwords are slowed down
for whom, and from where, they come; nobody waits longer than a bucket takes to hold one again.
"""

import math
import time
from collections.abc import Hashable
from ipaddress import IPv6Address, ip_address

from cachetools import LRUCache

BURST = 100
PER_S = 10.0
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


class Guesses:
    """What is left of the guesses of one process."""

    def __init__(self, burst: int | None = None, per_s: float | None = None) -> None:
        self._burst = float(BURST if burst is None else burst)
        self._per_s = per_s
        self._left = self._burst
        self._at = time.monotonic()

    def are_too_many(self) -> bool:
        """Counts one more; whether there are more than anybody mistypes."""
        self._refill()
        if self._left < 1.0:
            return True
        self._left -= 1.0
        return False

    def wait_s(self) -> int:
        """Whole seconds until one more is allowed; 0: now."""
        self._refill()
        return 0 if self._left >= 1.0 else math.ceil((1.0 - self._left) / self._rate)

    def give_back(self) -> None:
        """One that was counted was none."""
        self._left = min(self._burst, self._left + 1.0)

    @property
    def _rate(self) -> float:
        return PER_S if self._per_s is None else self._per_s

    def _refill(self) -> None:
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now


class GuessesByKey:
    """Buckets of one process, one for each key; those that nobody used lately are forgotten, that is full."""

    def __init__(self, burst: int, per_s: float, keys: int = 50_000) -> None:
        self._burst, self._per_s = burst, per_s
        self._buckets: LRUCache[Hashable, Guesses] = LRUCache(keys)

    def of(self, key: Hashable) -> Guesses:
        """The bucket of a key."""
        found: Guesses | None = self._buckets.get(key)
        if found is None:
            found = self._buckets[key] = Guesses(self._burst, self._per_s)
        return found
