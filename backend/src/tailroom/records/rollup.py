"""Roll-up of intervals into slices: each is added exactly once, in the transaction that moves the watermark.

The watermark is the last rolled-up sequence number of a series. A roll-up adds all intervals between it and
the first gap. Of two processes that add the same intervals, one writes, and the other sees that the watermark
has moved.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import numpy as np
from sqlalchemy.orm import Session

from tailroom.domain.latency.histogram import encode_many, payload_layout
from tailroom.domain.latency.layouts import BucketLayout, HdrLayout
from tailroom.domain.latency.layouts import layout_of as layout_from
from tailroom.domain.units import NS_PER_HOUR, NS_PER_MINUTE
from tailroom.kit.transactions import Transactions
from tailroom.records import repository
from tailroom.records.repository import RunInUse
from tailroom.records.slice_columns import (
    BucketCounts,
    Int64s,
    SliceColumns,
    concatenate,
    decode_and_sum_groups,
    sum_groups,
)
from tailroom.records.slice_rows import store_slices
from tailroom.storage.series import HISTOGRAM, Series
from tailroom.storage.slices import HOUR, MINUTE, RUN, TEN_MINUTES

_CHUNK = 8_640
"""Intervals in a chunk: a day of ten-second intervals, so that most slices are made of one chunk."""
_CHUNK_OF_FEW_BUCKETS = 20_000
_SERIES_AT_ONCE = 4


@dataclass(slots=True)
class _Due:
    """A histogram series to roll up, and the last sequence number in its stored slices (−1: none)."""

    series: Series
    through_seq: int

    @property
    def next_seq(self) -> int:
        """Sequence number of the last interval of the next chunk: at most that before the first gap."""
        chunk = _CHUNK if isinstance(layout_of(self.series), HdrLayout) else _CHUNK_OF_FEW_BUCKETS
        return min(self.series.contiguous_seq, self.through_seq + chunk)


def roll_up(transactions: Transactions, run_id: UUID) -> int:
    """Add new intervals to the slices of a run, in chunks to save memory, and return how many were due. No
    connection is held while a chunk is added up. Raise IntervalsLost if due intervals are not stored,
    RunInUse if another process has written meanwhile; chunks before that stay stored.
    """
    with transactions() as session:
        if not repository.ensure_state(session, run_id):
            return 0
        due = [_Due(*row) for row in repository.measured_series(session, run_id, (HISTOGRAM,))]
    waiting = sum(max(0, series.series.contiguous_seq - series.through_seq) for series in due)
    while due := [series for series in due if series.through_seq < series.series.contiguous_seq]:
        _roll_up_some(transactions, run_id, due[:_SERIES_AT_ONCE])
    return waiting


def _roll_up_some(transactions: Transactions, run_id: UUID, due: Sequence[_Due]) -> None:
    """Add the next chunk of intervals of each series to its slices, and advance its `through_seq`."""
    with transactions() as session:
        read = [_read(session, series) for series in due]
    slices = [list(_slices(series.series, *columns)) for series, columns in zip(due, read, strict=True)]
    with transactions() as session:
        repository.hold_state(session, run_id)
        for series, of_series in zip(due, slices, strict=True):
            if repository.watermark_of(session, series.series) != series.through_seq:
                raise RunInUse(f"another process has added intervals of run {run_id} meanwhile")
            for width, numbers, of_width in of_series:
                store_slices(session, series.series, width, numbers, of_width)
            repository.store_watermark(session, series.series, series.next_seq)
    for series in due:
        series.through_seq = series.next_seq


def _read(session: Session, due: _Due) -> tuple[SliceColumns, dict[str, tuple[Int64s, SliceColumns]]]:
    """Return the next intervals of a series, and by width the stored slices to which they are added."""
    series, after, last = due.series, due.through_seq, due.next_seq
    intervals = repository.intervals_between(session, series, after, last)
    if intervals.size != last - after:
        raise IntervalsLost(
            f"series {series.series_no} of run {series.run_id} has {intervals.size} intervals from "
            f"{after + 1} to {last}; they were removed before they were added up"
        )
    return intervals, _slices_before(session, series, intervals)


class IntervalsLost(RuntimeError):
    """Acknowledged intervals vanished before they were rolled up."""


def layout_of(series: Series) -> BucketLayout:
    """Return the bucket layout of a histogram series."""
    layout = series.layout or {}
    if layout.get("t") == "hdr":
        return HdrLayout(int(layout["unit_ns"]), int(layout["significant_digits"]))
    return layout_from(layout)


_WIDTHS = ((MINUTE, NS_PER_MINUTE), (TEN_MINUTES, 10 * NS_PER_MINUTE), (HOUR, NS_PER_HOUR), (RUN, None))
"""Each width is added up from the previous width."""


def _slices_before(
    session: Session, series: Series, intervals: SliceColumns
) -> dict[str, tuple[Int64s, SliceColumns]]:
    """Return by width the numbers of the stored slices to which the intervals belong, and these slices."""
    slices_by_width: dict[str, tuple[Int64s, SliceColumns]] = {}
    for width, width_ns in _WIDTHS:
        numbers = [0] if width_ns is None else np.unique(intervals.start_ns // width_ns).tolist()
        present, slices = repository.load_slice_columns(session, series, width, numbers)
        slices_by_width[width] = np.array(present, dtype=np.int64), slices
    return slices_by_width


def _slices(
    series: Series, intervals: SliceColumns, before: Mapping[str, tuple[Int64s, SliceColumns]]
) -> Iterator[tuple[str, Int64s, SliceColumns]]:
    """Yield for each width the numbers of the slices that change, and these with the intervals added."""
    layout = layout_of(series)
    totals, buckets = intervals, None
    for width, width_ns in _WIDTHS:
        start_ns = totals.start_ns
        keys = np.zeros_like(start_ns) if width_ns is None else start_ns // width_ns
        if buckets is None:
            keys, totals, buckets = decode_and_sum_groups(totals, layout, keys)
        else:
            keys, totals, buckets = sum_groups(totals, buckets, keys)
        present, slices = before[width]
        if not present.size:
            yield width, keys, _pack_buckets(totals, buckets, layout)
            continue
        new_keys, new_slices, new_buckets = sum_groups(
            concatenate([slices, totals]),
            slices.buckets(layout).followed_by(buckets),
            np.concatenate((present, keys)),
        )
        yield width, new_keys, _pack_buckets(new_slices, new_buckets, layout)


def _pack_buckets(slices: SliceColumns, buckets: BucketCounts, layout: BucketLayout) -> SliceColumns:
    """Return the slices with their buckets as packed histograms, deflated if the layout is HdrHistogram's."""
    is_hdr = isinstance(layout, HdrLayout)
    payloads = encode_many(
        buckets.offsets, buckets.indices, buckets.counts, payload_layout(layout), deflate=is_hdr
    )
    return replace(slices, histograms=tuple(payloads))
