"""Counts of the full slices of a run, such as its hours, over the limits of a budget."""

from collections.abc import Sequence
from dataclasses import dataclass

from tailroom.domain.latency.intervals import IntervalRecords


@dataclass(frozen=True, slots=True)
class HourSlice:
    """Counts of one full slice: `over[i]` operations, failed operations included, are at or over the i-th
    limit. If buckets straddle a limit, `over` holds upper bounds of these counts and `certain` lower bounds;
    with None `over` is exact.
    """

    start_ns: int
    total: int
    over: tuple[int, ...]
    certain: tuple[int, ...] | None = None


def hour_slices(
    slices: IntervalRecords, thresholds_ns: Sequence[int], length_ns: int
) -> tuple[HourSlice, ...]:
    """Return the counts of each slice of `length_ns` at or over each threshold, as bounds if a bucket
    straddles it. Starts are rounded down to multiples of `length_ns`.
    """
    ends = [slices.over(at) for at in thresholds_ns]
    totals = slices.totals
    return tuple(
        HourSlice(
            int(slices.start_ns[row]) // length_ns * length_ns,
            int(totals[row]),
            tuple(int(most[row]) for _, most in ends),
            tuple(int(least[row]) for least, _ in ends),
        )
        for row in range(slices.size)
    )
