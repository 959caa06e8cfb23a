"""Pieces that cannot be trusted, at their best: every operation answered at once.

Errors and time-outs stay: nothing that a generator does late makes them. Operations without a result at the
end do not, since a generator that is behind leaves some unsent. Source: docs/adr/0017.
"""

from dataclasses import replace

import numpy as np

from tailroom.domain.latency.bounds import Bools, Int64s
from tailroom.domain.latency.interval import UNKNOWN
from tailroom.domain.latency.intervals import IntervalRecords


def at_best(records: IntervalRecords, doubtful: Bools) -> IntervalRecords:
    """The same pieces; those in doubt hold as many operations, all in the first bucket and at its lower edge.

    `doubtful` has one entry for each piece.
    """
    lengths = np.diff(records.offsets)
    amounts = records.count + records.unfinished
    kept = ~np.repeat(doubtful, lengths)
    sizes = np.where(doubtful, (amounts > 0).astype(np.int64), lengths)
    offsets = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes)))
    indices, counts = np.zeros(int(offsets[-1]), np.int64), np.empty(int(offsets[-1]), np.int64)
    from_kept = ~np.repeat(doubtful, sizes)
    indices[from_kept], counts[from_kept] = records.indices[kept], records.counts[kept]
    counts[~from_kept] = amounts[doubtful & (amounts > 0)]
    least_ns = int(records.layout.edges_ns(np.zeros(1, np.int64))[0][0])
    ends_ns = np.where(amounts > 0, least_ns, UNKNOWN)
    passed = np.array([at <= least_ns for at in records.thresholds_ns], np.bool_)

    def of(column: Int64s, values: Int64s | int) -> Int64s:
        found: Int64s = np.where(doubtful, values, column)
        return found

    return replace(
        records,
        offsets=offsets,
        indices=indices,
        counts=counts,
        unfinished=of(records.unfinished, 0),
        sum_ns=of(records.sum_ns, amounts * least_ns),
        min_ns=of(records.min_ns, ends_ns),
        max_ns=of(records.max_ns, ends_ns),
        pins=np.where(doubtful[:, None], passed[None, :] * amounts[:, None], records.pins),
    )
