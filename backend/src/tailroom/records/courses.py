"""Reads the slices of a series into memory, as columns and some histograms at a time.

A day of ten-second histograms is some ten million filled buckets. They are read in chunks with four bytes
each until their number is known, so that the peak of memory stays near the final size.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from tailroom.domain.latency.histogram import decode_many, payload_layout
from tailroom.domain.latency.intervals import NUMBERS, IntervalRecords
from tailroom.domain.latency.layouts import BucketLayout, LayoutsDiffer
from tailroom.domain.units import ceil_div
from tailroom.kit.transactions import Transactions
from tailroom.records import repository
from tailroom.records.repository import SlicesVanished
from tailroom.records.rollup import layout_of
from tailroom.records.slice_columns import Int64s, SliceColumns
from tailroom.storage.series import Series

_CHUNK = 2_160
"""Histograms that are read and decoded at a time."""
_INT32_LIMIT = 1 << 31


def load_intervals(
    transactions: Transactions, series: Series, numbers: SliceColumns, through_seq: int
) -> IntervalRecords:
    """Return intervals of a series up to a sequence number; `numbers` are their other columns."""
    return records_of(
        series, numbers, repository.interval_histograms(transactions, series, through_seq, chunk=_CHUNK)
    )


def load_slices(
    transactions: Transactions, series: Series, slice_nos: Sequence[int], numbers: SliceColumns, width: str
) -> IntervalRecords:
    """Return slices of one width by their numbers; `numbers` are their other columns."""
    payloads = repository.slice_histograms(transactions, series, width, slice_nos, chunk=_CHUNK)
    return records_of(series, numbers, payloads)


def records_of(
    series: Series, numbers: SliceColumns, payloads: Iterable[Sequence[bytes | None]]
) -> IntervalRecords:
    """Return records from columns of numbers and chunks of packed histograms, in the same order.

    Raise SlicesVanished if there are not as many histograms as rows.
    """
    layout = layout_of(series)
    read = [_decoded(chunk, layout) for chunk in payloads]
    lengths = [each for each, _, _ in read]
    parts = [(indices, counts) for _, indices, counts in read]
    del read
    each = np.concatenate(lengths) if lengths else np.zeros(0, np.int64)
    if each.size != numbers.size:
        raise SlicesVanished(
            f"series {series.series_no} of run {series.run_id} had {numbers.size} pieces and now has "
            f"{each.size}"
        )
    indices, counts = _joined(parts)
    return IntervalRecords(
        layout=layout,
        offsets=np.concatenate((np.zeros(1, np.int64), np.cumsum(each))),
        indices=indices,
        counts=counts,
        thresholds_ns=tuple(series.pin_thresholds_ns),
        pins=numbers.pins,
        **{name: numbers.numbers[name] for name in NUMBERS},  # type: ignore[arg-type]
    )


def together(parts: Sequence[IntervalRecords]) -> IntervalRecords:
    """Return the sum of several series of one operation, slice by slice, up to the end of the shortest.

    Slices are as long as the longest usual interval; half of it is leeway for clocks that cut slightly early.
    Only thresholds that all of them counted stay exact. Raises LayoutsDiffer where their buckets differ.
    """
    if len(parts) == 1:
        return parts[0]
    if any(part.layout != parts[0].layout for part in parts):
        raise LayoutsDiffer("series with different buckets cannot be added up over time")
    filled = [part for part in parts if part.size]
    if len(filled) < len(parts):
        return IntervalRecords.empty(parts[0].layout)
    width_ns = max(1, *(int(np.median(part.duration_ns)) for part in parts))
    groups = [(part.start_ns + width_ns // 2) // width_ns for part in parts]
    end = min(int(group[-1]) for group in groups)
    selected = [
        part.selected(np.flatnonzero(group <= end)) for part, group in zip(parts, groups, strict=True)
    ]
    return _side_by_side(selected).grouped(np.concatenate([group[group <= end] for group in groups]))


def coarser(records: IntervalRecords, most: int) -> IntervalRecords:
    """Return at most `most` slices, by adding up equal numbers of neighbours."""
    if records.size <= most:
        return records
    each = ceil_div(records.size, most)
    return records.grouped(np.arange(records.size) // each)


def _side_by_side(parts: Sequence[IntervalRecords]) -> IntervalRecords:
    """Return the rows of all parts, one part after the other, with the thresholds that all of them have."""
    shared = tuple(at for at in parts[0].thresholds_ns if all(at in part.thresholds_ns for part in parts))
    lengths = np.concatenate([np.diff(part.offsets) for part in parts])
    pins = [part.pins[:, [part.thresholds_ns.index(at) for at in shared]] for part in parts]
    columns = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in (*NUMBERS, "indices", "counts")
    }
    return IntervalRecords(
        layout=parts[0].layout,
        offsets=np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths))),
        thresholds_ns=shared,
        pins=np.concatenate(pins),
        **columns,  # type: ignore[arg-type]
    )


def _decoded(chunk: Sequence[bytes | None], layout: BucketLayout) -> tuple[Int64s, Int64s, Int64s]:
    """Return the number of filled buckets of each row, and their indices and counts, in the narrowest
    types.
    """
    positions = np.array([i for i, payload in enumerate(chunk) if payload is not None], dtype=np.int64)
    batch = decode_many([payload for payload in chunk if payload is not None], payload_layout(layout))
    each = np.zeros(len(chunk), dtype=np.int64)
    each[positions] = batch.each
    narrow = np.int32 if int(batch.counts.max(initial=0)) < _INT32_LIMIT else np.int64
    return each, batch.indices.astype(np.int32), batch.counts.astype(narrow)


def _joined(parts: list[tuple[Int64s, Int64s]]) -> tuple[Int64s, Int64s]:
    """Return all parts in one pair of columns; each part is freed as soon as it is copied."""
    size = sum(indices.size for indices, _ in parts)
    indices, counts = np.empty(size, np.int64), np.empty(size, np.int64)
    end = size
    while parts:
        part_indices, part_counts = parts.pop()
        begin = end - part_indices.size
        indices[begin:end], counts[begin:end] = part_indices, part_counts
        end = begin
    return indices, counts
