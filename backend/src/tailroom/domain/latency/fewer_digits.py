"""Slices over time in wider buckets: less to store and to add, and never narrower bounds."""

from dataclasses import replace

import numpy as np

from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.intervals import IntervalRecords


def fewer_digits(records: IntervalRecords, digits: int) -> IntervalRecords:
    """Return the slices with counts summed into the HdrHistogram buckets of `digits` significant digits.

    Every bucket lies wholly in a wider bucket. Two digits make buckets at most 0.78 % wide, an eighth as many
    as three digits make. `records` are returned unchanged if their layout is not HdrHistogram's or has no
    more digits, or if nothing is counted.
    """
    layout = records.layout
    if not isinstance(layout, HdrLayout) or layout.significant_digits <= digits or not records.indices.size:
        return records
    wide = HdrLayout(layout.unit_ns, digits)
    first, last = int(records.indices.min()), int(records.indices.max())
    lower_ns, _ = layout.edges_ns(np.arange(first, last + 1))
    new_of = wide.index_of(lower_ns // layout.unit_ns)
    piece = np.repeat(np.arange(records.size), np.diff(records.offsets))
    width = int(new_of[-1]) + 1
    keys = piece * width + new_of[records.indices - first]
    begins = np.flatnonzero(np.concatenate((np.ones(1, np.bool_), keys[1:] != keys[:-1])))
    each = np.bincount(keys[begins] // width, minlength=records.size)
    return replace(
        records,
        layout=wide,
        offsets=np.concatenate((np.zeros(1, np.int64), np.cumsum(each))),
        indices=keys[begins] % width,
        counts=np.add.reduceat(records.counts, begins, dtype=np.int64),
    )
