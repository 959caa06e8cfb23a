"""Unreliable slices at their best: every operation answered within the smallest latency.

Errors and time-outs stay, because a late generator does not cause them. Unfinished operations count as
answered, because a late generator leaves some unsent. Source: docs/adr/0017.
"""

from dataclasses import replace

import numpy as np

from tailroom.domain.latency.bounds import Bools, Int64s
from tailroom.domain.latency.interval import UNKNOWN
from tailroom.domain.latency.intervals import IntervalRecords


def at_best(records: IntervalRecords, unreliable: Bools) -> IntervalRecords:
    """Return all slices, those in `unreliable` with every answered and unfinished operation at the lower edge
    of the lowest bucket.
    """
    lengths = np.diff(records.offsets)
    amounts = records.count + records.unfinished
    reliable_entries = ~np.repeat(unreliable, lengths)
    sizes = np.where(unreliable, (amounts > 0).astype(np.int64), lengths)
    offsets = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes)))
    indices, counts = np.zeros(int(offsets[-1]), np.int64), np.empty(int(offsets[-1]), np.int64)
    is_copied = ~np.repeat(unreliable, sizes)
    indices[is_copied], counts[is_copied] = (
        records.indices[reliable_entries],
        records.counts[reliable_entries],
    )
    counts[~is_copied] = amounts[unreliable & (amounts > 0)]
    least_ns = int(records.layout.edges_ns(np.zeros(1, np.int64))[0][0])
    ends_ns = np.where(amounts > 0, least_ns, UNKNOWN)
    passed = np.array([at <= least_ns for at in records.thresholds_ns], np.bool_)

    def select(column: Int64s, values: Int64s | int) -> Int64s:
        """Return a column with `values` for the unreliable slices."""
        column_at_best: Int64s = np.where(unreliable, values, column)
        return column_at_best

    return replace(
        records,
        offsets=offsets,
        indices=indices,
        counts=counts,
        unfinished=select(records.unfinished, 0),
        sum_ns=select(records.sum_ns, amounts * least_ns),
        min_ns=select(records.min_ns, ends_ns),
        max_ns=select(records.max_ns, ends_ns),
        pins=np.where(unreliable[:, None], passed[None, :] * amounts[:, None], records.pins),
    )
