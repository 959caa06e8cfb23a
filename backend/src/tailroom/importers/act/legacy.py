"""Histograms of ACT before 2.0: whole milliseconds between two clock readings, so every limit is a pair of ends.

Bucket n holds differences of 2^n to below 2^(n+1) ms (bucket 00 those of 0 and 1), and a difference of d means a
latency between d − 1 and d + 1 ms. Neighbouring buckets therefore overlap by a millisecond, and no set of exact
buckets says the same: the record is a set of statements about shares. Source: METHOD.md 5.1, `pow2-legacy`.
"""

from dataclasses import dataclass

import numpy as np

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.layouts import NEVER_NS, checked_indices
from tailroom.domain.units import NS_PER_MS

_INDEX_LIMIT = (NEVER_NS // NS_PER_MS).bit_length() - 1


@dataclass(frozen=True, slots=True)
class LegacyLayout:
    """Where the latencies of a bucket may lie. Buckets overlap: only for counting over a time, never for cells."""

    @property
    def edge_tolerance_ns(self) -> int:
        """The overlap is in the edges."""
        return 0

    def edges_ns(self, indices: Int64s) -> tuple[Int64s, Int64s]:
        """Ends between which every latency of the bucket lies."""
        index = checked_indices(indices, _INDEX_LIMIT)
        one = np.int64(1)
        lower = np.where(index > 0, (one << index) - 1, 0)
        return lower * NS_PER_MS, (one << (index + 1)) * NS_PER_MS
