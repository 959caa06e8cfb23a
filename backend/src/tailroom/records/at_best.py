"""Numbers of a series in which unreliable slices count as fast, as `domain.latency.at_best` does.

Hours are not unreliable as wholes: the numbers of their unreliable slices are subtracted one by one.
"""

from collections.abc import Sequence

import numpy as np

from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.interval import UNKNOWN
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.units import NS_PER_HOUR
from tailroom.records.slice_columns import Int64s, SliceColumns, Sum


def slices_at_best(slices: SliceColumns) -> SliceColumns:
    """Return slices in which the operations of unreliable ones count as fast, except errors and time-outs."""
    doubtful = slices.doubtful_intervals > 0
    return slices.having(
        count=np.where(doubtful, slices.count + slices.unfinished, slices.count),
        unfinished=np.where(doubtful, 0, slices.unfinished),
        sum_ns=np.where(doubtful, 0, slices.sum_ns),
        min_ns=np.where(doubtful, 0, slices.min_ns),
        max_ns=np.where(doubtful, 0, slices.max_ns),
        pins=np.where(doubtful[:, None], 0, slices.pins),
    )


def hours_at_best(numbers: Sequence[int], hours: SliceColumns, slices: SliceColumns) -> SliceColumns:
    """Return full hours without the slow and unfinished operations of their unreliable slices.

    `numbers` are those of the hours; a slice belongs to the hour in which it starts.
    """
    doubtful = np.flatnonzero(slices.doubtful_intervals > 0)
    row_of = {number: row for row, number in enumerate(numbers)}
    inside = [row_of.get(int(number), UNKNOWN) for number in slices.start_ns[doubtful] // NS_PER_HOUR]
    rows = np.array(inside, dtype=np.int64)
    doubtful, rows = doubtful[rows != UNKNOWN], rows[rows != UNKNOWN]
    pins, unfinished = np.zeros_like(hours.pins), np.zeros_like(hours.unfinished)
    np.add.at(pins, rows, slices.pins[doubtful])
    np.add.at(unfinished, rows, slices.unfinished[doubtful])
    return hours.having(
        count=hours.count + unfinished,
        unfinished=hours.unfinished - unfinished,
        pins=hours.pins - pins,
    )


def total_at_best(total: Sum, best: IntervalRecords, thresholds_ns: Sequence[int]) -> Sum:
    """Return the total with unreliable slices counted as fast; numbers other than latencies stay."""
    best_total = best.total()
    numbers: dict[str, int | None] = {
        "count": best_total.count,
        "unfinished": best_total.misses.unfinished,
        "sum_ns": best_total.sum_ns,
        "min_ns": best_total.min_ns,
        "max_ns": best_total.max_ns,
    }
    pins: Int64s = np.array([best_total.pins[at] for at in thresholds_ns], dtype=np.int64)
    return Sum(
        total.group,
        total.numbers | {name: UNKNOWN if number is None else number for name, number in numbers.items()},
        pins,
        Counts(best_total.counts.indices, best_total.counts.counts),
    )
