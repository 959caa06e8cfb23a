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
from tailroom.domain.latency.histogram import Counts, encode, encode_many, payload_layout
from tailroom.domain.latency.layouts import Layout
from tailroom.domain.latency.layouts import layout_of as layout_from
from tailroom.domain.units import NS_PER_HOUR, NS_PER_MINUTE
from tailroom.storage.series import Series
from tailroom.storage.slices import HOUR, MINUTE, RUN, Slice

_WIDTHS_NS = {MINUTE: NS_PER_MINUTE, HOUR: NS_PER_HOUR}
_CHUNK = 2_000
_CHUNK_OF_FEW_BUCKETS = 20_000


def roll_up(session: Session, run_id: UUID) -> int:
    """Adds what has arrived to the slices of a run; how many intervals that were."""
    added = 0
    for series, through_seq in repository.histogram_series(session, run_id):
        watermark = through_seq
        while watermark < series.contiguous_seq:
            last = min(series.contiguous_seq, watermark + _chunk(series))
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
    totals = sums(together, groups, layout)
    payloads = _payloads([one.counts for one in totals], layout)
    return [_row(series, width, one, payload) for one, payload in zip(totals, payloads, strict=True)]


def _chunk(series: Series) -> int:
    """Intervals that are added up at once, so that their buckets take little memory."""
    return _CHUNK if isinstance(layout_of(series), HdrLayout) else _CHUNK_OF_FEW_BUCKETS


def _payloads(counts: Sequence[Counts], layout: Layout) -> list[bytes | None]:
    """Buckets as they are stored: deflated where there are many."""
    if isinstance(layout, HdrLayout):
        return [encode(one, layout) if one.indices.size else None for one in counts]
    lengths = np.array([0, *(one.indices.size for one in counts)], np.int64)
    return encode_many(
        np.cumsum(lengths),
        np.concatenate([one.indices for one in counts]),
        np.concatenate([one.counts for one in counts]),
        payload_layout(layout),
    )


def _as_pieces(slices: Sequence[Slice], pin_count: int) -> Pieces:
    rows = [(*(getattr(one, name) for name in NUMBERS), one.pins, one.histogram) for one in slices]
    return pieces_of(rows, pin_count)


def _row(series: Series, width: str, total: Sum, payload: bytes | None) -> dict[str, Any]:
    return {
        "run_id": series.run_id,
        "series_no": series.series_no,
        "width": width,
        "slice_no": total.group,
        "organisation_id": series.organisation_id,
        **{name: total.known(name) for name in NUMBERS},
        "pins": pin_bytes(total.pins),
        "histogram": payload,
    }
