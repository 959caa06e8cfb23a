"""How intervals become slices: each is added exactly once, in the transaction that moves the watermark.

Level-triggered: whatever lies between the watermark of a series and the end of its gapless part is added
now, however many tasks or none asked for it. The caller holds the run's analysis row, so nobody else adds
at the same time.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import numpy as np
from sqlalchemy.orm import Session

from tailroom.analysis import repository
from tailroom.analysis.pieces import NUMBERS, Int64s, Pieces, Sum, joined, pieces_of, pin_bytes, sums
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.histogram import encode, payload_layout
from tailroom.domain.latency.layouts import Layout
from tailroom.domain.latency.layouts import layout_of as layout_from
from tailroom.domain.units import NS_PER_HOUR, NS_PER_MINUTE
from tailroom.storage.series import Series
from tailroom.storage.slices import HOUR, MINUTE, RUN, Slice

_WIDTHS_NS = {MINUTE: NS_PER_MINUTE, HOUR: NS_PER_HOUR}
_CHUNK = 2_000


def roll_up(session: Session, run_id: UUID) -> int:
    """Adds what has arrived to the slices of a run; how many intervals that were."""
    added = 0
    for series, through_seq in repository.histogram_series(session, run_id):
        watermark = through_seq
        while watermark < series.contiguous_seq:
            last = min(series.contiguous_seq, watermark + _CHUNK)
            pieces = repository.intervals_between(session, series, watermark, last)
            if pieces.size != last - watermark:
                raise IntervalsLost(
                    f"series {series.series_no} of run {run_id} has {pieces.size} intervals from "
                    f"{watermark + 1} to {last}; they were removed before they were added up"
                )
            _add(session, series, pieces)
            repository.store_watermark(session, series, last)
            added += pieces.size
            watermark = last
    return added


class IntervalsLost(RuntimeError):
    """Intervals that were acknowledged are not there any more and were never rolled up."""


def layout_of(series: Series) -> Layout:
    """Bucket layout of a histogram series."""
    layout = series.layout or {}
    if layout.get("t") == "hdr":
        return HdrLayout(int(layout["unit_ns"]), int(layout["significant_digits"]))
    return layout_from(layout)


def _add(session: Session, series: Series, pieces: Pieces) -> None:
    rows: list[dict[str, Any]] = []
    for width, width_ns in _WIDTHS_NS.items():
        rows += _slice_rows(session, series, width, pieces, pieces.start_ns // width_ns)
    rows += _slice_rows(session, series, RUN, pieces, np.zeros(pieces.size, dtype=np.int64))
    repository.store_slices(session, rows)


def _slice_rows(
    session: Session, series: Series, width: str, pieces: Pieces, numbers: Int64s
) -> list[dict[str, Any]]:
    layout = layout_of(series)
    before = repository.slices_of(session, series, width, np.unique(numbers).tolist())
    together = joined([_as_pieces(before, len(series.pin_thresholds_ns)), pieces])
    groups = np.concatenate((np.array([one.slice_no for one in before], dtype=np.int64), numbers))
    return [_row(series, width, one, layout) for one in sums(together, groups, layout)]


def _as_pieces(slices: Sequence[Slice], pin_count: int) -> Pieces:
    rows = [(*(getattr(one, name) for name in NUMBERS), one.pins, one.histogram) for one in slices]
    return pieces_of(rows, pin_count)


def _row(series: Series, width: str, total: Sum, layout: Layout) -> dict[str, Any]:
    return {
        "run_id": series.run_id,
        "series_no": series.series_no,
        "width": width,
        "slice_no": total.group,
        "organisation_id": series.organisation_id,
        **{name: total.known(name) for name in NUMBERS},
        "pins": pin_bytes(total.pins),
        "histogram": encode(total.counts, payload_layout(layout)) if total.counts.indices.size else None,
    }
