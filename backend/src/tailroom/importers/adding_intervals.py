"""Pieces of several sources that ran at the same time, added up exactly: processes, clients of one test."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tailroom.domain.latency.interval import BESIDE
from tailroom.domain.latency.intervals import NUMBERS, IntervalRecords


def added_in_slots(pieces: Sequence[IntervalRecords]) -> IntervalRecords | None:
    """Return intervals of one layout, those that begin in the same usual interval added up.

    None without intervals.
    """
    pieces = [each for each in pieces if each.size]
    if not pieces:
        return None
    if len(pieces) == 1:
        return pieces[0]
    usual_ns = max(1, *(int(np.median(each.duration_ns)) for each in pieces))
    together = concatenated(pieces)
    # Clocks of clients jitter around the same instants: slots begin half a piece before the first.
    groups = (together.start_ns - int(together.start_ns.min()) + usual_ns // 2) // usual_ns
    return together.grouped(groups)


def concatenated(pieces: Sequence[IntervalRecords]) -> IntervalRecords:
    """Return the intervals of several sources of one layout in order of time.

    Only thresholds that all of them counted remain exact.
    """
    lengths = np.concatenate([np.diff(each.offsets) for each in pieces])
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(each, name) for each in pieces]) for name in NUMBERS
    }
    common = set(pieces[0].thresholds_ns).intersection(*(each.thresholds_ns for each in pieces[1:]))
    thresholds_ns = tuple(sorted(common))
    together = IntervalRecords(
        layout=pieces[0].layout,
        offsets=np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths))),
        indices=np.concatenate([each.indices for each in pieces]),
        counts=np.concatenate([each.counts for each in pieces]),
        thresholds_ns=thresholds_ns,
        pins=np.concatenate(
            [each.pins[:, [each.thresholds_ns.index(at) for at in thresholds_ns]] for each in pieces]
        ),
        beside={field.name: np.concatenate([each.beside[field.name] for each in pieces]) for field in BESIDE},
        **columns,
    )
    return together.selected(np.argsort(together.start_ns, kind="stable"))
