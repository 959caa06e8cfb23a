"""Decode and encode HdrHistogram V2 payloads as counts, many at a time.

It reads and writes the bytes that the libraries for Java, Rust, C, Go and Python
exchange (plain, cookie 0x1c849313; deflated, cookie 0x1c849314), and adds histograms of one layout exactly.
Source: docs/method.md 5.2, oracle `hdr-v2`; HdrHistogram's `AbstractHistogram.encodeIntoByteBuffer`.
"""

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from isal import isal_zlib

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.hdr_values import (
    COOKIE_PLAIN,
    DEFLATED,
    HEADER,
    HdrValues,
    HistogramUnreadable,
    SignedInts,
    UnsignedInts,
    encode_varints,
    read_values,
)
from tailroom.domain.latency.layouts import HdrLayout

MAX_COUNT = 1 << 53
_CHUNK_BYTES = 1 << 16
_DEFAULT_HIGHEST = 60_000_000
_WRITTEN_AT_ONCE = 64
"""Histograms whose arrays fit the processor's cache."""
_DENSE_WORTH = 8
"""Largest number of cells of a table for each value that is added; beyond it sorting is quicker."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Non-empty buckets of one histogram: ascending bucket indices and their positive counts."""

    indices: Int64s
    counts: Int64s

    @property
    def total(self) -> int:
        """Number of recorded values."""
        return int(self.counts.sum())


@dataclass(frozen=True, slots=True)
class CountsBatch:
    """Non-empty buckets of many histograms, one row for each bucket, ordered by histogram and bucket."""

    each: Int64s
    """Number of filled buckets of each histogram."""
    indices: Int64s
    """Bucket index of each row."""
    counts: Int64s

    @property
    def size(self) -> int:
        """Number of histograms."""
        return int(self.each.size)

    @property
    def histogram_no(self) -> Int64s:
        """Position of the histogram of each row."""
        return np.repeat(np.arange(self.size), self.each)

    def totals(self) -> Int64s:
        """Return the number of recorded values of each histogram."""
        return np.bincount(self.histogram_no, weights=self.counts, minlength=self.size).astype(np.int64)


def decode(payload: bytes, layout: HdrLayout) -> Counts:
    """Return the filled buckets of a payload. Raise as `decode_many` does."""
    batch = decode_many([payload], layout)
    return Counts(batch.indices, batch.counts)


def merge(payloads: Sequence[bytes], layout: HdrLayout) -> Counts:
    """Return the exact sum of payloads of a layout. Raise as `decode_many` does, and from 2**53 values on."""
    dense = np.zeros(0)
    for first, chunk in _chunks(payloads):
        batch = _decode_chunk(chunk, layout, 1, first)
        added = np.bincount(batch.indices, weights=batch.counts, minlength=dense.size).astype(np.float64)
        added[: dense.size] += dense
        dense = added
    if float(dense.sum()) >= MAX_COUNT:
        raise HistogramUnreadable("together the histograms hold 2**53 values or more: no exact sum")
    indices = np.flatnonzero(dense > 0)
    return Counts(indices.astype(np.int64), dense[indices].astype(np.int64))


def sums_in_parts(
    payloads: Sequence[bytes], layout: HdrLayout, groups: Int64s
) -> Iterator[tuple[Int64s, CountsBatch]]:
    """Yield numbers of groups and the summed buckets of each, for a chunk of payloads at a time that fits the
    processor's cache; a group larger than a chunk comes several times. `groups` is the ascending group number
    of each payload. Raise as `decode_many` does.
    """
    for first, chunk in _chunks(payloads, np.flatnonzero(np.diff(groups)) + 1):
        of_part = groups[first : first + len(chunk)]
        opens = np.concatenate((np.zeros(1, np.int64), np.flatnonzero(np.diff(of_part)) + 1))
        yield of_part[opens], _sum_groups(read_values(chunk, layout, 1, first), layout, first, opens)


def _sum_groups(read: HdrValues, layout: HdrLayout, first: int, opens: Int64s) -> CountsBatch:
    """Return the summed buckets of each group of payloads in `read`; groups begin at the positions `opens`.
    `first` is the position of the first payload in messages. Raise as `decode_many` does.
    """
    if opens.size == read.ends.size:
        return _filled_buckets(read, layout, first)
    walked = _BucketPositions.over(read, layout)
    group_of = np.zeros(read.ends.size, np.int64)
    group_of[opens[1:]] = 1
    group_of = np.cumsum(group_of)
    width = int((walked.reached[read.ends] - walked.reached[read.begins]).max(initial=1))
    cells = opens.size * width
    if width > layout.index_limit or walked.counts.max(initial=0) >= MAX_COUNT:
        cells = -1  # reading all of it refuses what is wrong, or finds that the rest is empty
    if not 0 <= cells <= _DENSE_WORTH * read.zigzag.size:
        rows = _filled_buckets(read, layout, first)
        keys = group_of[rows.histogram_no] * layout.index_limit + rows.indices
        filled, position = np.unique(keys, return_inverse=True)
        sums = np.bincount(position, weights=rows.counts)
        each = np.bincount(filled // layout.index_limit, minlength=opens.size)
        return CountsBatch(each, filled % layout.index_limit, sums.astype(np.int64))
    # Each value is added at its bucket in the table of its group; sums below 2**53 are exact in doubles.
    places = np.repeat(group_of * width - walked.reached[read.begins] - 1, read.each)
    places += walked.reached[1:]
    table = np.bincount(places, weights=walked.counts, minlength=cells)
    filled = np.flatnonzero(table > 0)
    each = np.diff(np.searchsorted(filled, width * np.arange(opens.size + 1)))
    group_no = np.repeat(np.arange(opens.size), each)
    return CountsBatch(each, filled - group_no * width, table[filled].astype(np.int64))


def decode_many(payloads: Sequence[bytes], layout: HdrLayout, *, lowest: int = 1) -> CountsBatch:
    """Return the filled buckets of many payloads of one layout. `lowest` is the least value that their
    headers must state. Raise `HistogramUnreadable` for bytes that are no V2 histogram and counts from 2**53
    on, `HistogramLayoutMismatch` for other headers.
    """
    parts = [_decode_chunk(chunk, layout, lowest, first) for first, chunk in _chunks(payloads)]
    if len(parts) == 1:
        return parts[0]
    empty = [np.empty(0, np.int64)]
    return CountsBatch(
        np.concatenate([part.each for part in parts] or empty),
        np.concatenate([part.indices for part in parts] or empty),
        np.concatenate([part.counts for part in parts] or empty),
    )


def totals_of(payloads: Sequence[bytes], layout: HdrLayout) -> Int64s:
    """Return how many values each payload recorded, if possible not decoded. Raise as `decode_many` does."""
    parts = [_totals_of_chunk(chunk, layout, first) for first, chunk in _chunks(payloads)]
    return np.concatenate([np.empty(0, np.int64), *parts])


def _totals_of_chunk(payloads: Sequence[bytes], layout: HdrLayout, first: int) -> Int64s:
    """Return how many values each payload recorded, decoded only if a bucket may be beyond the layout."""
    read = read_values(payloads, layout, 1, first)
    halves = read.zigzag >> 1
    runs = halves * (read.zigzag & 1)
    largest_run, largest = int(runs.max(initial=0)), int(halves.max(initial=0))
    if largest_run < layout.index_limit and largest < MAX_COUNT:
        of_runs = _sums(runs, read)
        if int((read.each + of_runs).max(initial=0)) <= layout.index_limit:
            return _sums(halves, read) - of_runs
    return _filled_buckets(read, layout, first).totals()


def _sums(values: SignedInts, read: HdrValues) -> Int64s:
    """Return the sum of `values` over each payload, in its order; 0 for a payload without values."""
    sums = np.zeros(read.ends.size, np.int64)
    some = np.flatnonzero(read.each)
    if some.size:
        sums[some] = np.add.reduceat(values, read.begins[some], dtype=np.int64)
    return sums


def _chunks(payloads: Sequence[bytes], cuts: Int64s | None = None) -> Iterator[tuple[int, Sequence[bytes]]]:
    """Yield chunks of payloads that fit the processor's cache, with the position of the first. A chunk ends
    at the last of the ascending `cuts` in it, if there is any.
    """
    if not payloads:
        return
    at_once = max(1, _CHUNK_BYTES * len(payloads) // max(1, sum(map(len, payloads))))
    first = 0
    while first < len(payloads):
        end = first + at_once
        if cuts is not None and end < len(payloads):
            before = int(np.searchsorted(cuts, end, side="right")) - 1
            if before >= 0 and cuts[before] > first:
                end = int(cuts[before])
        yield first, payloads[first:end]
        first = end


def _decode_chunk(payloads: Sequence[bytes], layout: HdrLayout, lowest: int, first: int) -> CountsBatch:
    """Return the filled buckets of a chunk that begins at position `first`. Raise as `decode_many` does."""
    return _filled_buckets(read_values(payloads, layout, lowest, first), layout, first)


@dataclass(frozen=True, slots=True, eq=False)
class _BucketPositions:
    """Buckets passed when encoded values (counts, or lengths of runs of empty buckets) are read."""

    reached: Int64s
    """Buckets passed before the first value, and after each."""
    counts: SignedInts
    """Count of each value in the last bucket passed; 0 for runs of empty buckets."""

    @staticmethod
    def over(read: HdrValues, layout: HdrLayout) -> "_BucketPositions":
        """Return the positions for values of payloads; a run passes no more buckets than the layout has."""
        counts = read.zigzag >> 1
        reached = np.ones(counts.size + 1, np.int64)
        reached[0] = 0
        runs = np.flatnonzero((read.zigzag & 1).astype(bool))
        reached[1:][runs] = np.minimum(counts[runs].astype(np.int64) + 1, layout.index_limit)
        counts[runs] = 0
        return _BucketPositions(np.cumsum(reached, out=reached), counts)


def _filled_buckets(read: HdrValues, layout: HdrLayout, first: int) -> CountsBatch:
    """Return the filled buckets of each payload; `first` is the batch position of the first, for messages."""
    walked = _BucketPositions.over(read, layout)
    filled = np.flatnonzero(walked.counts > 0)
    each = np.diff(np.searchsorted(filled, read.ends), prepend=0)
    indices = walked.reached[1:][filled] - np.repeat(walked.reached[read.begins] + 1, each)
    counts = walked.counts[filled].astype(np.int64)
    if indices.size and int(indices.max()) >= layout.index_limit:
        position = first + int(np.searchsorted(np.cumsum(each), int(indices.argmax()), side="right"))
        raise HistogramUnreadable(f"histogram {position} of the batch counts impossibly large values")
    if counts.size and int(counts.max()) >= MAX_COUNT:
        raise HistogramUnreadable("a bucket holds 2**53 values or more, which cannot be added exactly")
    return CountsBatch(each, indices, counts)


def encode(
    counts: Counts, layout: HdrLayout, *, highest: int | None = None, lowest: int = 1, deflate: bool = True
) -> bytes:
    """Return the V2 payload of a histogram, as other libraries write it for the same `highest`: the largest
    value in units, by default a minute in µs, or more if the counts need it. With a `lowest` over 1 values
    are in units finer than the layout's by the largest power of two up to it. Raise HistogramUnreadable for
    counts or `lowest` below 1, or a bucket twice.
    """
    if lowest < 1:
        raise HistogramUnreadable(f"a histogram cannot have {lowest} as its lowest value")
    order = np.argsort(counts.indices, kind="stable")
    indices, amounts = counts.indices[order], counts.counts[order]
    if amounts.size and int(amounts.min()) <= 0:
        raise HistogramUnreadable("a histogram cannot hold a bucket with a count of zero or less")
    body, _ = _encode_values(np.array([0, indices.size]), indices, amounts)
    if highest is None:
        step = 1 << (lowest.bit_length() - 1)
        top = int(layout.edges_units(indices[-1:])[1][0]) * step if indices.size else 0
        highest = max(_DEFAULT_HIGHEST, top)
    header = HEADER.pack(COOKIE_PLAIN, len(body), 0, layout.significant_digits, lowest, highest, 1.0)
    if not deflate:
        return header + body
    return _deflate_payload(zlib.compress(header + body))


def payload_layout(layout: object) -> HdrLayout:
    """Return the layout for payloads of any layout's buckets: itself if HdrHistogram's, else the default."""
    return layout if isinstance(layout, HdrLayout) else HdrLayout()


def encode_many(
    offsets: Int64s, indices: Int64s, counts: Int64s, layout: HdrLayout, *, deflate: bool = False
) -> list[bytes | None]:
    """Return V2 payloads of many histograms, None for an empty histogram; plain, or deflated at the fastest
    level. Buckets of histogram `i` are from `offsets[i]` to `offsets[i + 1]`, ascending, with positive
    counts; raise HistogramUnreadable if they are not. All headers state the same highest value.
    """
    if counts.size and int(counts.min()) <= 0:
        raise HistogramUnreadable("a histogram cannot hold a bucket with a count of zero or less")
    top = int(layout.edges_units(indices.max(keepdims=True))[1][0]) if indices.size else 0
    highest = max(_DEFAULT_HIGHEST, top)
    payloads: list[bytes | None] = []
    for first in range(0, offsets.size - 1, _WRITTEN_AT_ONCE):
        some = offsets[first : first + _WRITTEN_AT_ONCE + 1]
        entries = slice(int(some[0]), int(some[-1]))
        body, byte_ends = _encode_values(some - some[0], indices[entries], counts[entries])
        for begin, end in pairwise(byte_ends.tolist()):
            if begin == end:
                payloads.append(None)
                continue
            head = HEADER.pack(COOKIE_PLAIN, end - begin, 0, layout.significant_digits, 1, highest, 1.0)
            plain = head + body[begin:end]
            payloads.append(_deflate_payload(isal_zlib.compress(plain, 1)) if deflate else plain)
    return payloads


def _encode_values(offsets: Int64s, indices: Int64s, counts: Int64s) -> tuple[bytes, Int64s]:
    """Return the encoded values of many histograms (counts, and negative lengths of runs of empty buckets),
    and byte offsets: the start of each, then the end. Raise HistogramUnreadable unless buckets ascend.
    """
    largest = max(int(indices.max(initial=0)), int(counts.max(initial=0)))
    is_narrow = largest < 1 << 30 and int(indices.min(initial=0)) >= 0
    if is_narrow:
        indices, counts = indices.astype(np.int32), counts.astype(np.int32)
    gaps = np.diff(indices, prepend=indices.dtype.type(-1)) - 1
    begins = offsets[:-1][np.diff(offsets) > 0]
    gaps[begins] = indices[begins]
    if (gaps < 0).any():
        raise HistogramUnreadable("buckets of a histogram must ascend")
    behind_gap = np.flatnonzero(gaps)
    # A single empty bucket is a count of 0, a longer run is its negative length.
    of_gaps = behind_gap + np.arange(behind_gap.size)
    empty = gaps[behind_gap]
    size = indices.size + behind_gap.size
    zigzag: UnsignedInts = np.empty(size, np.uint32) if is_narrow else np.empty(size, np.uint64)
    is_count = np.ones(size, np.bool_)
    is_count[of_gaps] = False
    zigzag[of_gaps] = np.where(empty > 1, 2 * empty - 1, 0)
    zigzag[is_count] = counts << 1
    body, ends = encode_varints(zigzag)
    return body, ends[offsets + np.searchsorted(behind_gap, offsets)]


def _deflate_payload(packed: bytes) -> bytes:
    """Return a deflated payload: cookie, length, and the compressed bytes."""
    return DEFLATED + len(packed).to_bytes(4, "big") + packed
