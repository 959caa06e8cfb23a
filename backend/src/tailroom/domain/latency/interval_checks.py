"""Rules that the columns of the slices of a run obey."""

from collections.abc import Mapping

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.layouts import BucketsInvalid

_EXACT_DOUBLE = 1 << 53
_EXACT_SUM = 1 << 62


class ColumnsInvalid(DomainError):
    """Columns of unequal sizes, or invalid times and counts."""


def check_columns(columns: Mapping[str, Int64s], pins: Int64s, thresholds: int) -> None:
    """Raise `ColumnsInvalid` for columns of unequal lengths, negative times or counts, latencies that add up
    to 2**62 ns or more, and unless `pins` has a row for each slice and a column for each of the `thresholds`
    (their number). Columns that may be unknown (sums, extremes, optional columns) may be negative.
    """
    size = columns["start_ns"].size
    for name, column in columns.items():
        if column.shape != (size,):
            raise ColumnsInvalid(f"{name} has not one value for each of {size} intervals")
    if pins.shape != (size, thresholds):
        raise ColumnsInvalid(
            f"pins is {pins.shape}, and there are {size} intervals with {thresholds} thresholds"
        )
    for name in ("start_ns", "duration_ns", "errors", "timeouts", "unfinished", "pins"):
        column = pins if name == "pins" else columns[name]
        if column.size and int(column.min()) < 0:
            raise ColumnsInvalid(f"{name} holds {int(column.min())}, which is negative")
    if float(columns["sum_ns"].sum(dtype=np.float64)) >= _EXACT_SUM:
        raise ColumnsInvalid("the latencies of the intervals add up to more than 2**62 ns")


def check_buckets(offsets: Int64s, indices: Int64s, counts: Int64s, size: int) -> None:
    """Raise `ColumnsInvalid` unless `offsets` cut the buckets into `size` slices and each bucket has a count.

    Raise `BucketsInvalid` if the buckets of a slice do not ascend, for a negative bucket, a count below 1,
    and counts that add up to 2**53 or more.
    """
    entries = indices.size
    cuts = offsets.shape == (size + 1,) and offsets[0] == 0 and offsets[-1] == entries
    if not cuts or (np.diff(offsets) < 0).any():
        raise ColumnsInvalid(f"offsets do not cut {entries} buckets into {size} intervals")
    if counts.shape != (entries,):
        raise ColumnsInvalid(f"{counts.size} counts for {entries} buckets")
    if not entries:
        return
    if int(counts.min()) <= 0 or int(indices.min()) < 0:
        raise BucketsInvalid("a bucket of an interval has a negative number or a count that is not positive")
    if float(counts.sum(dtype=np.float64)) >= _EXACT_DOUBLE:
        raise BucketsInvalid("the intervals hold 2**53 operations or more, which cannot be added up exactly")
    falling = indices[1:] <= indices[:-1]
    inner = offsets[1:-1]
    falling[inner[(inner > 0) & (inner < entries)] - 1] = False
    if falling.any():
        raise BucketsInvalid("the buckets of an interval do not ascend")
