"""Full windows of a given length over consecutive slices, ending with each slice.

A window is full if its slices cover it but for less than half a median slice, as in `IntervalRecords.sliced`:
clocks may jitter, no slice may be missing. Slices are never split.
"""

from dataclasses import dataclass

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Int64s


class SlicesInvalid(DomainError):
    """Slices overlap by more than half or are out of order, or a slice or window has no length."""


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """Full windows in order of time: each holds the slices from `first` to `end` (exclusive)."""

    length_ns: int
    first: Int64s
    end: Int64s

    @property
    def size(self) -> int:
        """Number of windows."""
        return int(self.first.size)

    def sums(self, values: Int64s) -> Int64s:
        """Return the sum over each window of `values`, a count for each slice."""
        before = np.concatenate((np.zeros(1, np.int64), np.cumsum(values, dtype=np.int64)))
        added: Int64s = before[self.end] - before[self.first]
        return added


def full_windows(start_ns: Int64s, duration_ns: Int64s, length_ns: int) -> Windows:
    """Return every full window of `length_ns` that ends with a slice, in order of time; empty if slices are
    too long or too few.

    Raise SlicesInvalid as `check_slices` does, and for a window length of 0 or less.
    """
    check_slices(start_ns, duration_ns)
    if length_ns <= 0:
        raise SlicesInvalid(f"a window of {length_ns} ns has no length")
    nothing = np.empty(0, np.int64)
    if not start_ns.size:
        return Windows(length_ns, nothing, nothing)
    ends_ns = start_ns + duration_ns
    usual_ns = int(np.median(duration_ns))
    # A window begins with the slice that starts nearest to its length before the end.
    first = np.searchsorted(start_ns, ends_ns - length_ns - usual_ns // 2, side="left")
    end = np.arange(1, start_ns.size + 1)
    covered = np.concatenate((np.zeros(1, np.int64), np.cumsum(duration_ns)))
    held_ns = covered[end] - covered[np.minimum(first, end)]
    full = (first < end) & ((held_ns == length_ns) | (2 * np.abs(held_ns - length_ns) < usual_ns))
    return Windows(length_ns, first[full], end[full])


def check_slices(start_ns: Int64s, duration_ns: Int64s) -> None:
    """Raise SlicesInvalid if a slice overlaps its predecessor by more than half the length of that, starts no
    later than it, has a negative start or no length, or if the arrays have unequal lengths.
    """
    if start_ns.ndim != 1 or start_ns.shape != duration_ns.shape:
        raise SlicesInvalid(f"{start_ns.size} starts and {duration_ns.size} durations do not belong together")
    if not start_ns.size:
        return
    if int(duration_ns.min()) <= 0 or int(start_ns.min()) < 0:
        raise SlicesInvalid("a piece needs a start of 0 or later, and a length")
    overlap_ns = start_ns[:-1] + duration_ns[:-1] - start_ns[1:]
    wrong = np.flatnonzero((np.diff(start_ns) <= 0) | (2 * overlap_ns > duration_ns[:-1]))
    if wrong.size:
        at = int(wrong[0]) + 1
        raise SlicesInvalid(
            f"piece {at} starts at {int(start_ns[at])} ns, before the piece before it has ended"
        )
