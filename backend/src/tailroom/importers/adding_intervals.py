"""Exact sums of intervals of sources that ran at the same time, such as the clients of one test."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tailroom.domain.latency.interval import OPTIONAL_COLUMNS
from tailroom.domain.latency.intervals import NUMBERS, IntervalRecords


def sum_in_slots(records: Sequence[IntervalRecords]) -> IntervalRecords | None:
    """Return the sum of concurrent intervals with one layout; None without intervals, one source unchanged.

    Intervals that begin in the same slot of time are added up. A slot is as long as the longest of the
    sources' median intervals.
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
    """Return the intervals of several sources, ordered by start, with the thresholds common to all.

    All must have the layout of the first; there must be at least one source.
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
