"""How HdrHistogram V2 payloads become counts and back, many at a time.

Decides nothing statistical: it reads and writes the bytes that the libraries for Java, Rust, C, Go and Python
exchange (plain, cookie 0x1c849313; deflated, cookie 0x1c849314), and adds histograms of one layout exactly.
The ZigZag-LEB128 counts of a whole batch are decoded at once in numpy; what costs time for each is inflating.
Source: docs/method.md 5.2, oracle `hdr-v2`; HdrHistogram's `AbstractHistogram.encodeIntoByteBuffer`.
"""

import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.hdr_layout import HdrLayout, Int64s

Bytes = npt.NDArray[np.uint8]
SignedInts = npt.NDArray[np.signedinteger]

COOKIE_PLAIN = 0x1C849313
COOKIE_DEFLATED = 0x1C849314
_PLAIN = COOKIE_PLAIN.to_bytes(4, "big")
_DEFLATED = COOKIE_DEFLATED.to_bytes(4, "big")
_HEADER = struct.Struct(">iiiiqqd")
_HEADER_BYTES = 40
MAX_COUNT = 1 << 53
_MAX_LEB_BYTES = 8
_INT32_LEB_BYTES = 4
# Deflate cannot blow a kibibyte up to much over a mebibyte, so such a payload needs no guarded inflating.
_SMALL_PAYLOAD_BYTES = 1024
_INFLATED_LIMIT_BYTES = 1 << 20
_CHUNK_BYTES = 1 << 16
_DEFAULT_HIGHEST = 60_000_000


@dataclass(frozen=True, slots=True)
class Counts:
    """Non-empty buckets of one histogram: ascending bucket indices and their positive counts."""

    indices: Int64s
    counts: Int64s

    @property
    def total(self) -> int:
        """Recorded values."""
        return int(self.counts.sum())


class HistogramUnreadable(DomainError):
    """A payload is not an HdrHistogram V2 histogram; the message names its position in the batch."""


class HistogramLayoutMismatch(DomainError):
    """A payload has other buckets than its series announced."""


@dataclass(frozen=True, slots=True)
class CountsBatch:
    """Non-empty buckets of many histograms, one row for each bucket, ordered by histogram and bucket."""

    histogram_no: Int64s
    indices: Int64s
    counts: Int64s
    size: int

    def merged(self) -> Counts:
        """Exact sum of all histograms of the batch."""
        if self.indices.size == 0:
            return Counts(np.empty(0, np.int64), np.empty(0, np.int64))
        # Sums stay below 2**53 (checked on decoding), so adding in doubles is exact.
        return _counts_of(np.bincount(self.indices, weights=self.counts).astype(np.float64))

    def totals(self) -> Int64s:
        """Recorded values of each histogram."""
        return np.bincount(self.histogram_no, weights=self.counts, minlength=self.size).astype(np.int64)


def decode(payload: bytes, layout: HdrLayout) -> Counts:
    """Buckets of one payload."""
    batch = decode_many([payload], layout)
    return Counts(batch.indices, batch.counts)


def merge(payloads: Sequence[bytes], layout: HdrLayout) -> Counts:
    """Exact sum of payloads of one layout."""
    dense = np.zeros(0)
    for first, chunk in _chunks(payloads):
        batch = _decode_chunk(chunk, layout, 1, first)
        added = np.bincount(batch.indices, weights=batch.counts, minlength=dense.size).astype(np.float64)
        added[: dense.size] += dense
        dense = added
    return _counts_of(dense)


def decode_in_parts(payloads: Sequence[bytes], layout: HdrLayout) -> Iterator[tuple[int, CountsBatch]]:
    """As `decode_many`, some payloads at a time: the position of the first, and their buckets.

    What is made of a part while the processor's cache holds it costs half of what it costs later.
    """
    for first, chunk in _chunks(payloads):
        yield first, _decode_chunk(chunk, layout, 1, first)


def decode_many(payloads: Sequence[bytes], layout: HdrLayout, *, lowest: int = 1) -> CountsBatch:
    """Buckets of many payloads of one layout. `lowest` is the lowest discernible value that all announce.

    Raises `HistogramUnreadable` (naming the position) for bytes that are not a V2 histogram, and
    `HistogramLayoutMismatch` where lowest value or digits differ from the layout.
    """
    parts = [_decode_chunk(chunk, layout, lowest, first) for first, chunk in _chunks(payloads)]
    if len(parts) == 1:
        return parts[0]
    empty = [np.empty(0, np.int64)]
    return CountsBatch(
        np.concatenate([part.histogram_no for part in parts] or empty),
        np.concatenate([part.indices for part in parts] or empty),
        np.concatenate([part.counts for part in parts] or empty),
        len(payloads),
    )


def totals_of(payloads: Sequence[bytes], layout: HdrLayout) -> Int64s:
    """Recorded values of each payload, for whoever does not need the buckets: much cheaper than reading them.

    Raises what `decode_many` raises, for the same payloads.
    """
    parts = [_totals_of_chunk(chunk, layout, first) for first, chunk in _chunks(payloads)]
    return np.concatenate([np.empty(0, np.int64), *parts])


def _totals_of_chunk(payloads: Sequence[bytes], layout: HdrLayout, first: int) -> Int64s:
    """Adds up the stream as it stands; where a bucket may lie beyond the layout, the decoder looks."""
    stream = _read(payloads, layout, 1, first)
    halves = stream.values >> 1
    runs = halves * (stream.values & 1)
    of_runs = np.add.reduceat(runs, stream.begins, dtype=np.int64)
    # Each byte is at most a bucket, or ends a run of one more empty buckets than its half.
    reach = 2 * (stream.ends - stream.begins) + of_runs
    if int(reach.max()) > layout.index_limit or halves.max() >= MAX_COUNT:
        return _counted(stream, layout, first).totals()[first:]
    totals: Int64s = np.add.reduceat(halves, stream.begins, dtype=np.int64) - of_runs
    return totals


def _chunks(payloads: Sequence[bytes]) -> Iterator[tuple[int, Sequence[bytes]]]:
    """Some payloads at a time, with the position of the first: arrays that fit the processor's cache."""
    if not payloads:
        return
    at_once = max(1, _CHUNK_BYTES * len(payloads) // max(1, sum(map(len, payloads))))
    for first in range(0, len(payloads), at_once):
        yield first, payloads[first : first + at_once]


def _counts_of(dense: npt.NDArray[np.float64]) -> Counts:
    if float(dense.sum()) >= MAX_COUNT:
        raise HistogramUnreadable("together the histograms hold 2**53 values or more: no exact sum")
    indices = np.flatnonzero(dense)
    return Counts(indices.astype(np.int64), dense[indices].astype(np.int64))


def _decode_chunk(payloads: Sequence[bytes], layout: HdrLayout, lowest: int, first: int) -> CountsBatch:
    """Rows of some payloads; `first` is the position of the first one in the batch."""
    return _counted(_read(payloads, layout, lowest, first), layout, first)


@dataclass(frozen=True, slots=True, eq=False)
class _Stream:
    """Payloads one behind the other, byte by byte: a value stands where its first byte does."""

    values: SignedInts
    """Zigzag values; 0 at further bytes, and in headers."""
    is_first: npt.NDArray[np.bool_]
    """Where a value begins; nowhere in a header."""
    begins: Int64s
    ends: Int64s
    """Of each payload, its header included."""


def _read(payloads: Sequence[bytes], layout: HdrLayout, lowest: int, first: int) -> _Stream:
    """Inflates, checks the headers and joins the bytes of each value."""
    plain = [_inflated(payload, position) for position, payload in enumerate(payloads, first)]
    lengths = np.fromiter(map(len, plain), dtype=np.int64, count=len(plain))
    stream = np.frombuffer(bytearray().join(plain), dtype=np.uint8)
    ends = np.cumsum(lengths)
    header_positions = (ends - lengths)[:, None] + np.arange(_HEADER_BYTES)
    _check_headers(stream[header_positions], lengths, layout, lowest, first)
    stream[header_positions] = 0
    _check_whole_values(stream, ends, first)
    goes_on = stream >= 0x80
    is_first = np.empty(stream.shape, dtype=bool)
    np.logical_not(goes_on[:-1], out=is_first[1:])
    is_first[header_positions] = False
    # Four bytes hold 28 bits: nearly every batch can be read in half the memory traffic.
    values: SignedInts = (stream & 0x7F).astype(np.int32)
    byte_no, longer = 0, np.flatnonzero(goes_on & is_first)
    while longer.size:
        byte_no += 1
        if byte_no == _INT32_LEB_BYTES:
            values = values.astype(np.int64)
        elif byte_no == _MAX_LEB_BYTES:
            raise HistogramUnreadable("a count needs more than 8 bytes, which no real histogram holds")
        further = longer + byte_no
        values[longer] += np.left_shift(values[further], 7 * byte_no)
        values[further] = 0
        longer = longer[goes_on[further]]
    return _Stream(values, is_first, ends - lengths, ends)


def _counted(stream: _Stream, layout: HdrLayout, first: int) -> CountsBatch:
    """A positive value is the count of one bucket; a negative one a run of that many empty buckets."""
    values = stream.values
    odd = (values & 1).astype(bool)
    steps = stream.is_first.astype(np.int64)
    runs = np.flatnonzero(odd)
    steps[runs] = np.minimum((values[runs] >> 1).astype(np.int64) + 1, layout.index_limit)
    # One running total over the whole batch, less what it was where each histogram begins.
    reached = np.cumsum(steps)
    filled = np.flatnonzero((values > 0) & ~odd)
    each = np.diff(np.searchsorted(filled, stream.ends), prepend=0)
    indices = reached[filled] - np.repeat(reached[stream.begins] + 1, each)
    counts = (values[filled] >> 1).astype(np.int64)
    histogram_no = np.repeat(np.arange(first, first + each.size), each)
    if indices.size and int(indices.max()) >= layout.index_limit:
        position = int(histogram_no[int(indices.argmax())])
        raise HistogramUnreadable(f"histogram {position} of the batch counts impossibly large values")
    if counts.size and int(counts.max()) >= MAX_COUNT:
        raise HistogramUnreadable("a bucket holds 2**53 values or more, which cannot be added exactly")
    return CountsBatch(histogram_no, indices, counts, each.size)


def encode(
    counts: Counts, layout: HdrLayout, *, highest: int | None = None, lowest: int = 1, deflate: bool = True
) -> bytes:
    """V2 payload of a histogram, byte for byte what other libraries write for the same `highest`.

    `highest` is the largest value in units that the histogram claims to be able to hold; by default a minute
    in microseconds, or more where the counts need it. With `lowest` over 1 the unit of the values is finer
    than that of the layout by the largest power of two that is not over it.
    """
    if lowest < 1:
        raise HistogramUnreadable(f"a histogram cannot have {lowest} as its lowest value")
    order = np.argsort(counts.indices, kind="stable")
    indices, amounts = counts.indices[order], counts.counts[order]
    if amounts.size and int(amounts.min()) <= 0:
        raise HistogramUnreadable("a histogram cannot hold a bucket with a count of zero or less")
    body = _leb128(_interleaved(indices, amounts))
    if highest is None:
        step = 1 << (lowest.bit_length() - 1)
        top = int(layout.edges_units(indices[-1:])[1][0]) * step if indices.size else 0
        highest = max(_DEFAULT_HIGHEST, top)
    header = _HEADER.pack(COOKIE_PLAIN, len(body), 0, layout.significant_digits, lowest, highest, 1.0)
    if not deflate:
        return header + body
    return _deflated(header + body)


def payload_layout(layout: object) -> HdrLayout:
    """As what payloads of a layout are read and written: a payload holds counts by bucket number, whatever a
    bucket stands for; only HdrHistogram's own layouts give its header a meaning.
    """
    return layout if isinstance(layout, HdrLayout) else HdrLayout()


def encode_many(
    offsets: Int64s, indices: Int64s, counts: Int64s, layout: HdrLayout, *, deflate: bool = False
) -> list[bytes | None]:
    """V2 payloads of many histograms at once, none where a histogram is empty; plain, or deflated quickly.

    Buckets of histogram `i` stand from `offsets[i]` to `offsets[i + 1]`, ascending, with positive counts. All
    payloads claim to hold the same largest value.
    """
    if counts.size and int(counts.min()) <= 0:
        raise HistogramUnreadable("a histogram cannot hold a bucket with a count of zero or less")
    lengths = np.diff(offsets)
    begins = offsets[:-1][lengths > 0]
    before = np.concatenate((np.full(1, -1, np.int64), indices[:-1]))[: indices.size]
    before[begins] = -1
    gaps = indices - before - 1
    if (gaps < 0).any():
        raise HistogramUnreadable("buckets of a histogram must ascend")
    pairs = np.stack((np.where(gaps > 1, -gaps, 0), counts), axis=1)
    keep = np.stack((gaps > 0, np.ones(gaps.shape, dtype=bool)), axis=1)
    body = _leb128(pairs[keep])
    # Where each value, and so each histogram, ends in the stream of bytes.
    value_ends = np.flatnonzero(np.frombuffer(body, dtype=np.uint8) < 0x80) + 1
    values_before = np.concatenate((np.zeros(1, np.int64), np.cumsum(keep.sum(axis=1))))
    byte_at = np.concatenate((np.zeros(1, np.int64), value_ends))[values_before[offsets]].tolist()
    top = int(layout.edges_units(indices.max(keepdims=True))[1][0]) if indices.size else 0
    highest = max(_DEFAULT_HIGHEST, top)
    plain = [
        None
        if begin == end
        else _HEADER.pack(COOKIE_PLAIN, end - begin, 0, layout.significant_digits, 1, highest, 1.0)
        + body[begin:end]
        for begin, end in pairwise(byte_at)
    ]
    if not deflate:
        return plain
    return [None if payload is None else _deflated(payload, zlib.Z_BEST_SPEED) for payload in plain]


def _deflated(payload: bytes, level: int = zlib.Z_DEFAULT_COMPRESSION) -> bytes:
    packed = zlib.compress(payload, level)
    return _DEFLATED + len(packed).to_bytes(4, "big") + packed


def _inflated(payload: bytes, position: int) -> bytes:
    where = f"histogram {position} of the batch"
    cookie = payload[:4]
    if cookie == _DEFLATED:
        try:
            plain = guarded_inflate(payload)
        except zlib.error as error:
            raise HistogramUnreadable(f"{where} cannot be inflated: {error}") from None
    elif cookie == _PLAIN:
        plain = payload
    else:
        raise HistogramUnreadable(
            f"{where} begins with {cookie.hex() or 'nothing'}; V2 begins with 1c849313 or 1c849314"
        )
    if len(plain) < _HEADER_BYTES or plain[:4] != _PLAIN:
        raise HistogramUnreadable(f"{where} has no whole V2 header")
    return plain


def guarded_inflate(payload: bytes, limit_bytes: int = _INFLATED_LIMIT_BYTES) -> bytes:
    """What a deflated payload holds; `zlib.error` where that is damaged or over a limit."""
    if len(payload) <= _SMALL_PAYLOAD_BYTES:
        return zlib.decompress(memoryview(payload)[8:])
    inflater = zlib.decompressobj()
    plain = inflater.decompress(memoryview(payload)[8:], limit_bytes)
    if not inflater.eof:
        raise zlib.error(f"it is cut short, or unpacks to more than {limit_bytes >> 20} MiB")
    return plain


def _check_headers(headers: Bytes, lengths: Int64s, layout: HdrLayout, lowest: int, first: int) -> None:
    words = np.ascontiguousarray(headers).view(">i4")
    length_wrong = words[:, 1] != lengths - _HEADER_BYTES
    if length_wrong.any():
        position = int(np.flatnonzero(length_wrong)[0])
        raise HistogramUnreadable(
            f"histogram {first + position} of the batch announces {int(words[position, 1])} bytes of counts "
            f"and holds {int(lengths[position]) - _HEADER_BYTES}"
        )
    found = np.ascontiguousarray(headers[:, 16:24]).view(">i8")[:, 0]
    other = (words[:, 2] != 0) | (words[:, 3] != layout.significant_digits) | (found != lowest)
    if other.any():
        position = int(np.flatnonzero(other)[0])
        raise HistogramLayoutMismatch(
            f"histogram {first + position} of the batch has {int(words[position, 3])} digits, lowest value "
            f"{int(found[position])}, offset {int(words[position, 2])}; "
            f"its series announced {layout.significant_digits} digits, lowest value {lowest}, offset 0"
        )


def _check_whole_values(body: Bytes, body_ends: Int64s, first: int) -> None:
    """Every histogram must end with the last byte of a value, else values would run across histograms."""
    filled = np.flatnonzero(np.diff(body_ends, prepend=0) > 0)
    open_ended = body[body_ends[filled] - 1] >= 0x80
    if open_ended.any():
        position = int(filled[np.flatnonzero(open_ended)[0]])
        raise HistogramUnreadable(f"histogram {first + position} of the batch ends inside a count")


def _interleaved(indices: Int64s, amounts: Int64s) -> Int64s:
    """Counts with the runs of empty buckets between them: one is 0, a longer run is its negative."""
    gaps = np.diff(indices, prepend=-1) - 1
    pairs = np.stack((np.where(gaps > 1, -gaps, 0), amounts), axis=1)
    keep = np.stack((gaps > 0, np.ones(gaps.shape, dtype=bool)), axis=1)
    values: Int64s = pairs[keep]
    return values


def _leb128(values: Int64s) -> bytes:
    """Seven bits a byte, the lowest first; all values as rows of as many bytes as the largest needs."""
    zigzag = ((values << 1) ^ (values >> 63)).view(np.uint64)
    width = max(1, -(-int(zigzag.max(initial=0)).bit_length() // 7))
    rest = zigzag.astype(np.uint32) if width <= _INT32_LEB_BYTES else zigzag
    table = np.empty((values.size, width), dtype=np.uint8)
    keep = np.ones((values.size, width), dtype=bool)
    for byte_no in range(width):
        if byte_no:
            keep[:, byte_no] = rest > 0
            table[:, byte_no - 1] |= keep[:, byte_no].view(np.uint8) << 7
        table[:, byte_no] = rest & 0x7F
        np.right_shift(rest, 7, out=rest)
    return table[keep].tobytes()
