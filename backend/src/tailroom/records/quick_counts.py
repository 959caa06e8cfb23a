"""Cumulative bucket counts, which answer `IntervalRecords.over` for many thresholds.

A verdict needs the slow operations of each slice at some forty thresholds. Adding up all buckets of a day for
each of them takes seconds; with running sums each threshold costs one search per slice, for about as much
memory as the buckets themselves. Misses are errors, time-outs and unfinished operations.
"""

import numpy as np

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.interval import UNKNOWN
from tailroom.domain.latency.intervals import IntervalRecords

_INT32_LIMIT = 1 << 31


class QuickCounts:
    """Counter of the operations of each slice at or over any threshold, misses included."""

    def __init__(self, records: IntervalRecords) -> None:
        """Compute the running sums of the buckets of `records`."""
        self._records = records
        self._misses = records.misses
        self._first = int(records.indices.min(initial=0))
        last = int(records.indices.max(initial=-1))
        self._width = last - self._first + 2
        narrow = np.int32 if records.size * self._width < _INT32_LIMIT else np.int64
        # A day has ten million buckets, so they are added in place and in the narrowest type.
        begins = (np.arange(records.size) * self._width - self._first).astype(narrow)
        self._keys = np.repeat(begins, np.diff(records.offsets))
        np.add(self._keys, records.indices, out=self._keys, casting="unsafe")
        self._running = np.zeros(records.counts.size + 1, dtype=np.int64)
        np.cumsum(records.counts, out=self._running[1:])
        _, self._upper_ns = records.layout.edges_ns(np.arange(self._first, last + 1, dtype=np.int64))

    def over(self, threshold_ns: int) -> Int64s:
        """Return by slice the operations at or over a threshold, misses included: exact if the series counted
        at it, else an upper bound, like `IntervalRecords.over(threshold_ns)[1]`.
        """
        records = self._records
        if threshold_ns in records.thresholds_ns:
            column = records.thresholds_ns.index(threshold_ns)
            exact: Int64s = records.pins[:, column] + self._misses
            return exact
        possible = int(np.searchsorted(self._upper_ns, threshold_ns, side="right"))
        targets = (np.arange(records.size) * self._width + possible).astype(self._keys.dtype)
        begins = np.searchsorted(self._keys, targets, side="left")
        most = self._running[records.offsets[1:]] - self._running[begins]
        for column, at_ns in enumerate(records.thresholds_ns):
            if at_ns < threshold_ns:
                most = np.minimum(most, records.pins[:, column])
        most = np.where((records.max_ns != UNKNOWN) & (records.max_ns < threshold_ns), 0, most)
        counted: Int64s = most + self._misses
        return counted
