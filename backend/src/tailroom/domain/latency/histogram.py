"""How HdrHistogram V2 payloads become counts and back, many at a time.

Decides nothing statistical: it reads and writes the bytes that the libraries for Java, Rust, C, Go and Python
exchange (plain, cookie 0x1c849313; deflated, cookie 0x1c849314), and adds histograms of one layout exactly.
The ZigZag-LEB128 counts of a whole batch are decoded at once in numpy; what costs time for each is inflating.
Source: METHOD.md 5.2, oracle `hdr-v2`; HdrHistogram's `AbstractHistogram.encodeIntoByteBuffer`.
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
    plain = [_inflated(payload, position) for position, payload in enumerate(payloads, first)]
    lengths = np.fromiter(map(len, plain), dtype=np.int64, count=len(plain))
    stream = np.frombuffer(b"".join(plain), dtype=np.uint8)
    offsets = np.cumsum(lengths) - lengths
    header_positions = offsets[:, None] + np.arange(_HEADER_BYTES)
    _check_headers(stream[header_positions], lengths, layout, lowest, first)
    is_body = np.ones(stream.size, dtype=bool)
    is_body[header_positions] = False
    body = stream[is_body]
    body_ends = np.cumsum(lengths - _HEADER_BYTES)

    value_ends = np.flatnonzero(body < 0x80)
    _check_whole_values(body, body_ends, first)
    values = _zigzag_values(body, value_ends)
    values_each = np.diff(np.searchsorted(value_ends, body_ends), prepend=0)

    # A positive value is the count of one bucket; a negative one a run of that many empty buckets.
    filled = np.flatnonzero(values > 0)
    runs = np.flatnonzero(values < 0)
    steps = np.ones(values.shape, dtype=np.int64)
    steps[runs] = np.minimum(-values[runs].astype(np.int64), layout.index_limit)
    # One running total over the whole batch, set back to 0 where the next histogram begins.
    nonempty = np.flatnonzero(values_each)
    firsts = (np.cumsum(values_each) - values_each)[nonempty]
    if firsts.size:
        spans = np.add.reduceat(steps, firsts)
        steps[firsts[1:]] -= spans[:-1]
    indices = np.cumsum(steps)[filled] - 1
    counts = values[filled].astype(np.int64)
    histogram_no = np.repeat(np.arange(first, first + len(plain)), values_each)[filled]
    if indices.size and int(indices.max()) >= layout.index_limit:
        position = int(histogram_no[int(indices.argmax())])
        raise HistogramUnreadable(f"histogram {position} of the batch counts impossibly large values")
    if counts.size and int(counts.max()) >= MAX_COUNT:
        raise HistogramUnreadable("a bucket holds 2**53 values or more, which cannot be added exactly")
    return CountsBatch(histogram_no, indices, counts, len(plain))


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
    packed = zlib.compress(header + body)
    return _DEFLATED + len(packed).to_bytes(4, "big") + packed


def payload_layout(layout: object) -> HdrLayout:
    """As what payloads of a layout are read and written: a payload holds counts by bucket number, whatever a
    bucket stands for; only HdrHistogram's own layouts give its header a meaning.
    """
    return layout if isinstance(layout, HdrLayout) else HdrLayout()


def encode_many(offsets: Int64s, indices: Int64s, counts: Int64s, layout: HdrLayout) -> list[bytes | None]:
    """Plain V2 payloads of many histograms at once, none where a histogram is empty.

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
    return [
        None
        if begin == end
        else _HEADER.pack(COOKIE_PLAIN, end - begin, 0, layout.significant_digits, 1, highest, 1.0)
        + body[begin:end]
        for begin, end in pairwise(byte_at)
    ]


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


def _zigzag_values(body: Bytes, value_ends: Int64s) -> SignedInts:
    if value_ends.size == 0:
        return np.empty(0, np.int64)
    begins = np.concatenate((np.zeros(1, np.int64), value_ends[:-1] + 1))
    extra_bytes = value_ends - begins
    if int(extra_bytes.max()) >= _MAX_LEB_BYTES:
        raise HistogramUnreadable("a count needs more than 8 bytes, which no real histogram holds")
    # Four bytes hold 28 bits: nearly every batch can be decoded in half the memory traffic.
    word = np.dtype(np.int32 if int(extra_bytes.max()) < _INT32_LEB_BYTES else np.int64)
    raw: SignedInts = (body[begins] & 0x7F).astype(word)
    longer = np.flatnonzero(extra_bytes > 0)
    byte_no = 1
    while longer.size:
        part: SignedInts = (body[begins[longer] + byte_no] & 0x7F).astype(word)
        raw[longer] += np.left_shift(part, 7 * byte_no)
        byte_no += 1
        longer = longer[extra_bytes[longer] >= byte_no]
    return np.bitwise_xor(np.right_shift(raw, 1), -np.bitwise_and(raw, 1))


def _interleaved(indices: Int64s, amounts: Int64s) -> Int64s:
    """Counts with the runs of empty buckets between them: one is 0, a longer run is its negative."""
    gaps = np.diff(indices, prepend=-1) - 1
    pairs = np.stack((np.where(gaps > 1, -gaps, 0), amounts), axis=1)
    keep = np.stack((gaps > 0, np.ones(gaps.shape, dtype=bool)), axis=1)
    values: Int64s = pairs[keep]
    return values


def _leb128(values: Int64s) -> bytes:
    zigzag = (values << 1) ^ (values >> 63)
    sizes = np.ones(values.shape, dtype=np.int64)
    rest = zigzag >> 7
    while rest.any():
        sizes += rest > 0
        rest >>= 7
    out = np.zeros(int(sizes.sum()), dtype=np.uint8)
    begins = np.cumsum(sizes) - sizes
    for byte_no in range(int(sizes.max(initial=0))):
        some = sizes > byte_no
        more = np.where(sizes[some] > byte_no + 1, 0x80, 0)
        out[begins[some] + byte_no] = ((zigzag[some] >> (7 * byte_no)) & 0x7F) | more
    return out.tobytes()
