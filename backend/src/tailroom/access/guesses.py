"""Limits for requests and for guesses: token buckets that refill.

Guesses at tokens are counted after a failed look-up, so they slow down no holder of a valid token. Forked
processes share the buckets created before the fork, without a lock: if two processes count for one key within
the same microsecond, one of the counts may be lost.
"""

import math
import mmap
import time
from collections.abc import Hashable
from ipaddress import IPv6Address, ip_address

BURST = 100
"""Capacity of a bucket in tokens, unless the caller states another."""
PER_S = 10.0
"""Tokens refilled a second, unless the caller states another number."""
_WAYS = 4
"""Number of buckets in a set; a new key replaces the key of one bucket of its set."""
_NAME = (1 << 64) - 1
_OF_A_CUSTOMER = 64
"""Bits of an IPv6 address that identify a customer of a provider."""


def rate_limit_key(address: str) -> str:
    """Return the network by which requests from an address are limited; empty if the text is no address.

    It is an IPv4 address, also if mapped to IPv6, or the /64 of an IPv6 address.
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        shift = 128 - _OF_A_CUSTOMER
        return f"{IPv6Address(int(parsed) >> shift << shift)}/{_OF_A_CUSTOMER}"
    return str(parsed)


class Buckets:
    """Buckets for up to `keys` keys, in memory shared by forked processes.

    A new key replaces the least recently used key of its set of four.
    """

    def __init__(self, keys: int = 1 << 16) -> None:
        self._sets = keys // _WAYS
        memory = memoryview(mmap.mmap(-1, 24 * _WAYS * self._sets))
        self._names = memory[: 8 * _WAYS * self._sets].cast("Q")
        self._numbers = memory[8 * _WAYS * self._sets :].cast("d")
        """For each bucket: tokens left, and the monotonic time in seconds of that count."""

    def of(self, key: Hashable, burst: float | None = None, per_s: float | None = None) -> "TokenBucket":
        """Return the bucket of a key: at most `burst` tokens, refilled by `per_s` tokens a second.

        None: `BURST`, `PER_S`.
        """
        return TokenBucket(self, key, BURST if burst is None else burst, PER_S if per_s is None else per_s)

    def left(self, key: Hashable, burst: float, per_s: float, now: float) -> tuple[int, float]:
        """Return the index of a key's bucket and its tokens at `now`, refilled by `per_s` up to `burst`.

        A new key takes over the bucket of its set that was unused for longest, with `burst` tokens. The
        caller stores the new number of tokens by `note`.
        """
        name = hash(key) & _NAME or 1
        first = name % self._sets * _WAYS
        indices = range(first, first + _WAYS)
        for index in indices:
            if self._names[index] == name:
                left, at = self._numbers[2 * index], self._numbers[2 * index + 1]
                return index, min(burst, left + max(0.0, now - at) * per_s)
        index = min(indices, key=lambda slot: self._numbers[2 * slot + 1])
        self._names[index] = name
        return index, burst

    def note(self, index: int, left: float, now: float) -> None:
        """Store `left` tokens as the content of a bucket at the time `now`."""
        self._numbers[2 * index], self._numbers[2 * index + 1] = left, now


class TokenBucket:
    """A token bucket of one key, for requests or for guesses."""

    def __init__(self, buckets: Buckets, key: Hashable, burst: float, per_s: float) -> None:
        self._buckets, self._key = buckets, key
        self._burst, self._per_s = float(burst), per_s

    def take_is_refused(self) -> bool:
        """Take one token; return True if there was none to take."""
        return self._change(-1.0) < 0.0

    def wait_s(self) -> int:
        """Return the seconds until the bucket holds a token, rounded up; 0 if it holds one now."""
        left = self._change(0.0)
        return 0 if left >= 1.0 else math.ceil((1.0 - left) / self._per_s)

    def give_back(self) -> None:
        """Put one token back into the bucket, up to its capacity."""
        self._change(1.0)

    def _change(self, by: float) -> float:
        """Add `by` tokens, up to the capacity, and return the number; a negative number is not stored."""
        now = time.monotonic()  # the same clock in all processes of the machine
        index, left = self._buckets.left(self._key, self._burst, self._per_s, now)
        changed = min(self._burst, left + by)
        self._buckets.note(index, left if changed < 0.0 else changed, now)
        return changed
