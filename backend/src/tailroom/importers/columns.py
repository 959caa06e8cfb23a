"""Intervals of a run as arrays: built from rows, and added up over clients that ran at the same time."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.interval import OPTIONAL_COLUMNS, UNKNOWN
from tailroom.domain.latency.intervals import NUMBERS, IntervalRecords
from tailroom.domain.latency.layouts import BucketLayout

_LOOKED_AT = 8
"""Number of rows that `begin_of_first` uses: rows of several directions (read, write) end together."""
_SLACK = 1.5
"""Longest usual first interval, in steps: it is longer than others because threads are started in it."""


def narrowed(counts: Int64s) -> npt.NDArray[np.integer]:
    """Return the counts as 32-bit integers if all are below 2^31, else unchanged."""
    return counts.astype(np.int32) if not counts.size or int(counts.max()) < 1 << 31 else counts


def interval_records(
    layout: BucketLayout,
    start_ns: Sequence[int],
    duration_ns: Sequence[int],
    rows: Sequence[tuple[int, int, int]],
    *,
    errors: Sequence[int],
    timeouts: Sequence[int] | None = None,
) -> IntervalRecords:
    """Return intervals from `rows`: interval index, bucket index and count, each bucket once, in any order.

    The other parameters are those of `columns`.
    """
    table = np.array(rows, np.int64).reshape(-1, 3)
    interval_no, indices, counts = table[np.lexsort((table[:, 1], table[:, 0]))].T
    offsets = np.searchsorted(interval_no, np.arange(len(start_ns) + 1)).astype(np.int64)
    return columns(
        layout,
        np.array(start_ns, np.int64),
        np.array(duration_ns, np.int64),
        (offsets, indices, counts),
        errors=np.array(errors, np.int64),
        timeouts=None if timeouts is None else np.array(timeouts, np.int64),
    )


def columns(
    layout: BucketLayout,
    start_ns: Int64s,
    duration_ns: Int64s,
    buckets: tuple[Int64s, Int64s, Int64s],
    *,
    errors: Int64s | None = None,
    timeouts: Int64s | None = None,
) -> IntervalRecords:
    """Return intervals from `buckets`: offsets, and indices and counts of all filled buckets.

    Interval i has the buckets from `offsets[i]` up to `offsets[i + 1]`. Errors and time-outs default to 0.
    Sums and extremes of latencies are unknown.
    """
    offsets, indices, counts = buckets
    size = start_ns.size
    zeros, unknown = np.zeros(size, dtype=np.int64), np.full(size, UNKNOWN, dtype=np.int64)
    return IntervalRecords(
        layout=layout,
        start_ns=start_ns,
        duration_ns=duration_ns,
        offsets=offsets,
        indices=indices,
        counts=counts,
        errors=zeros if errors is None else errors,
        timeouts=zeros if timeouts is None else timeouts,
        unfinished=zeros,
        sum_ns=unknown,
        min_ns=unknown,
        max_ns=unknown,
    )


def sum_in_slots(records: Sequence[IntervalRecords]) -> IntervalRecords | None:
    """Return the sum of the sources' intervals, which must have equal buckets; None without any interval.

    Intervals that begin in the same slot of time are added up, unless only one source has any. A slot is as
    long as the longest of the sources' median intervals.
    """
    records = [each for each in records if each.size]
    if not records:
        return None
    if len(records) == 1:
        return records[0]
    usual_ns = max(1, *(int(np.median(each.duration_ns)) for each in records))
    together = concatenated(records)
    # Clocks of clients differ slightly: the first slot begins half an interval before the first interval.
    groups = (together.start_ns - int(together.start_ns.min()) + usual_ns // 2) // usual_ns
    return together.grouped(groups)


def concatenated(records: Sequence[IntervalRecords]) -> IntervalRecords:
    """Return the intervals of one or more sources with equal buckets, ordered by start.

    They have only the thresholds that all sources have.
    """
    lengths = np.concatenate([np.diff(each.offsets) for each in records])
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(each, name) for each in records]) for name in NUMBERS
    }
    common = set(records[0].thresholds_ns).intersection(*(each.thresholds_ns for each in records[1:]))
    thresholds_ns = tuple(sorted(common))
    together = IntervalRecords(
        layout=records[0].layout,
        offsets=np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths))),
        indices=np.concatenate([each.indices for each in records]),
        counts=np.concatenate([each.counts for each in records]),
        thresholds_ns=thresholds_ns,
        pins=np.concatenate(
            [each.pins[:, [each.thresholds_ns.index(at) for at in thresholds_ns]] for each in records]
        ),
        optional_columns={
            field.name: np.concatenate([each.optional_columns[field.name] for each in records])
            for field in OPTIONAL_COLUMNS
        },
        **columns,
    )
    return together.selected(np.argsort(together.start_ns, kind="stable"))


def lacks_first_rows(times: Sequence[int], unit: int) -> bool:
    """Return whether rows are missing before the first, that is whether it ends after 1.5 steps plus `unit`.

    `times` are the ends of rows since the start of the run, a step is the second minus the first, `unit` the
    largest error of a printed time. False for fewer than two rows, or if the first two do not ascend.
    """
    if len(times) < 2 or times[1] <= times[0]:
        return False
    step = times[1] - times[0]
    return times[0] > _SLACK * step + unit


def begin_of_first(times: Sequence[int], unit: int) -> int:
    """Return the start of the first row by the length of the second; 0 if no rows are missing before it.

    Parameters are as in `lacks_first_rows`, but times may be unordered. Only the first eight are used.
    """
    ends = sorted(set(times[:_LOOKED_AT]))
    return 2 * ends[0] - ends[1] if lacks_first_rows(ends, unit) else 0
