"""The slices of series with their histograms, read into memory in chunks.

A day of ten-second histograms is some ten million filled buckets. Their indices and counts are 32-bit
integers if they fit, so that every pass through them reads half as much memory.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from tailroom.domain.latency.intervals import NUMBERS, IntervalRecords
from tailroom.domain.latency.layouts import BucketLayout, LayoutsDiffer
from tailroom.domain.units import ceil_div
from tailroom.kit.transactions import Transactions
from tailroom.records import repository
from tailroom.records.repository import SlicesVanished
from tailroom.records.rollup import layout_of
from tailroom.records.slice_columns import Int64s, SliceColumns, decode_rows
from tailroom.storage.series import Series

_CHUNK = 2_160
"""Histograms that are read and decoded at a time."""
_INT32_LIMIT = 1 << 31


def load_intervals(
    transactions: Transactions, series: Series, numbers: SliceColumns, through_seq: int
) -> IntervalRecords:
    """Return the intervals of a series up to and including `through_seq`, with their buckets; `numbers` has
    their other columns. Raise SlicesVanished if not as many rows are stored.
    """
    payloads = repository.interval_histograms(transactions, series, through_seq, chunk=_CHUNK)
    return _decode(series, numbers, payloads)


def load_slices(
    transactions: Transactions, series: Series, slice_nos: Sequence[int], numbers: SliceColumns, width: str
) -> IntervalRecords:
    """Return the slices `slice_nos` of one width with their buckets; `numbers` has their other columns. Raise
    SlicesVanished if not as many rows are stored.
    """
    payloads = repository.slice_histograms(transactions, series, width, slice_nos, chunk=_CHUNK)
    return _decode(series, numbers, payloads)


def _decode(
    series: Series, numbers: SliceColumns, payloads: Iterable[Sequence[bytes | None]]
) -> IntervalRecords:
    """Return records from columns of numbers and chunks of packed histograms. Raise SlicesVanished if there
    are not as many histograms as rows.
    """
    layout = layout_of(series)
    lengths, parts = [np.zeros(1, np.int64)], []
    for chunk in payloads:
        bucket_counts, indices, counts = _decode_chunk(chunk, layout)
        lengths.append(bucket_counts)
        parts.append((indices, counts))
    offsets = np.cumsum(np.concatenate(lengths))
    if offsets.size != numbers.size + 1:
        raise SlicesVanished(
            f"series {series.series_no} of run {series.run_id} had {numbers.size} pieces and now has "
            f"{offsets.size - 1}"
        )
    none = np.empty(0, np.int32)
    return IntervalRecords(
        layout=layout,
        offsets=offsets,
        indices=np.concatenate([none, *(indices for indices, _ in parts)]),
        counts=np.concatenate([none, *(counts for _, counts in parts)]),
        thresholds_ns=tuple(series.pin_thresholds_ns),
        pins=numbers.pins,
        **{name: numbers.numbers[name] for name in NUMBERS},  # type: ignore[arg-type]
    )


def merged(parts: Sequence[IntervalRecords]) -> IntervalRecords:
    """Return the sum of several series of one operation, slice by slice, up to the end of the shortest; empty
    if any is. Slices are as long as the longest median interval; an interval belongs to the slice in which it
    starts, or starts up to half a slice early. Only common thresholds stay exact. Raise LayoutsDiffer.
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
    return _stack(selected).grouped(np.concatenate([group[group <= end] for group in groups]))


def coarsened(records: IntervalRecords, slices_max: int) -> IntervalRecords:
    """Return at most `slices_max` slices, sums of equally many neighbours; the last may have fewer."""
    if records.size <= slices_max:
        return records
    group_size = ceil_div(records.size, slices_max)
    return records.grouped(np.arange(records.size) // group_size)


def _stack(parts: Sequence[IntervalRecords]) -> IntervalRecords:
    """Return the rows of all parts of one layout in sequence, with the thresholds that all of them have."""
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


def _decode_chunk(chunk: Sequence[bytes | None], layout: BucketLayout) -> tuple[Int64s, Int64s, Int64s]:
    """Return the number of filled buckets of each row, and indices and counts in 32 bits if they fit."""
    bucket_counts, batch = decode_rows(chunk, layout)
    narrow = np.int32 if int(batch.counts.max(initial=0)) < _INT32_LIMIT else np.int64
    return bucket_counts, batch.indices.astype(np.int32), batch.counts.astype(narrow)
