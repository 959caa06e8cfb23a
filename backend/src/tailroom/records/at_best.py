"""Numbers of a series with the operations of unreliable slices counted as fast (`domain.latency.at_best`)."""

from collections.abc import Sequence

import numpy as np

from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.interval import UNKNOWN
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.units import NS_PER_HOUR
from tailroom.records.slice_columns import Int64s, SliceColumns, Sum


def slices_at_best(slices: SliceColumns) -> SliceColumns:
    """Return all slices; in unreliable ones unfinished operations become completed, and counts at or over
    thresholds, sum and extremes of latencies become 0. Errors, time-outs and histograms stay.
    """
    unreliable = slices.doubtful_intervals > 0
    return slices.with_columns(
        count=np.where(unreliable, slices.count + slices.unfinished, slices.count),
        unfinished=np.where(unreliable, 0, slices.unfinished),
        sum_ns=np.where(unreliable, 0, slices.sum_ns),
        min_ns=np.where(unreliable, 0, slices.min_ns),
        max_ns=np.where(unreliable, 0, slices.max_ns),
        pins=np.where(unreliable[:, None], 0, slices.pins),
    )


def hours_at_best(numbers: Sequence[int], hours: SliceColumns, slices: SliceColumns) -> SliceColumns:
    """Return all of `hours`, with operations of the unreliable slices that start in them counted as finished
    and fast: only `count`, `unfinished` and `pins` change. `numbers` are the ascending hours since the start
    of the run.
    """
    starting_hours = slices.start_ns // NS_PER_HOUR
    unreliable = np.flatnonzero((slices.doubtful_intervals > 0) & np.isin(starting_hours, numbers))
    rows = np.searchsorted(numbers, starting_hours[unreliable])
    pins, unfinished = np.zeros_like(hours.pins), np.zeros_like(hours.unfinished)
    np.add.at(pins, rows, slices.pins[unreliable])
    np.add.at(unfinished, rows, slices.unfinished[unreliable])
    return hours.with_columns(
        count=hours.count + unfinished,
        unfinished=hours.unfinished - unfinished,
        pins=hours.pins - pins,
    )


def total_at_best(total: Sum, best: IntervalRecords, thresholds_ns: Sequence[int]) -> Sum:
    """Return the total of a series with counts, latencies and buckets taken from its slices `best`."""
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
