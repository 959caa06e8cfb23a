"""Decode and encode the values in HdrHistogram V2 payloads, many payloads at a time.

The ZigZag-LEB128 values of a whole batch are decoded at once in numpy; most of the time is inflating, for
which ISA-L takes six tenths of zlib's time. `histogram` interprets the values. Source: docs/method.md 5.2,
oracle `hdr-v2`; HdrHistogram's `AbstractHistogram.encodeIntoByteBuffer`.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from isal import isal_zlib

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.units import ceil_div

Bytes = npt.NDArray[np.uint8]
SignedInts = npt.NDArray[np.signedinteger]
UnsignedInts = npt.NDArray[np.uint32] | npt.NDArray[np.uint64]

COOKIE_PLAIN = 0x1C849313
COOKIE_DEFLATED = 0x1C849314
PLAIN = COOKIE_PLAIN.to_bytes(4, "big")
DEFLATED = COOKIE_DEFLATED.to_bytes(4, "big")
HEADER = struct.Struct(">iiiiqqd")
_MAX_LEB_BYTES = 8
_INT32_LEB_BYTES = 4
"""Four bytes hold 28 bits: nearly every batch can be read in half the memory traffic."""
# Deflate cannot blow a kibibyte up to much over a mebibyte, so such a payload needs no guarded inflating.
_SMALL_PAYLOAD_BYTES = 1024
_INFLATED_LIMIT_BYTES = 1 << 20
_DAMAGED: type[Exception] = isal_zlib.error  # type: ignore[assignment]  # its stub calls the class an instance


class HistogramUnreadable(DomainError):
    """Damaged bytes, bytes of no HdrHistogram of whole units, or counts that cannot be summed or encoded."""


class InflationFailed(DomainError):
    """The deflated part of a payload is damaged, or too large."""


class HistogramLayoutMismatch(DomainError):
    """A payload has other digits, another lowest value or another offset than its series announced."""


@dataclass(frozen=True, slots=True, eq=False)
class HdrValues:
    """ZigZag values of consecutive payloads, in a single array."""

    zigzag: SignedInts
    """ZigZag values: even is twice the count of a bucket, odd is 2 n − 1 for a run of n empty buckets."""
    ends: Int64s
    """Number of values up to the end of each payload, counted from the first payload."""

    @property
    def begins(self) -> Int64s:
        """Number of values before each payload, counted from the first payload."""
        return np.concatenate((np.zeros(1, np.int64), self.ends[:-1]))

    @property
    def each(self) -> Int64s:
        """Number of values of each payload."""
        return np.diff(self.ends, prepend=0)


def read_values(payloads: Sequence[bytes], layout: HdrLayout, lowest: int, first: int) -> HdrValues:
    """Return the values of payloads, still ZigZag-encoded: a count of a bucket, or a number of empty buckets
    in sequence. `first` is the position of the first payload in messages. Raise `HistogramUnreadable` for
    damaged payloads and values of over 8 bytes, `HistogramLayoutMismatch` for other digits, another lowest
    value, or an offset.
    """
    plain = [_inflate_v2(payload, position) for position, payload in enumerate(payloads, first)]
    heads = b"".join([payload[: HEADER.size] for payload in plain])
    body = np.frombuffer(b"".join([payload[HEADER.size :] for payload in plain]), dtype=np.uint8)
    lengths = np.fromiter(map(len, plain), dtype=np.int64, count=len(plain)) - HEADER.size
    _check_headers(np.frombuffer(heads, np.uint8).reshape(-1, HEADER.size), lengths, layout, lowest, first)
    byte_ends = np.cumsum(lengths)
    _check_whole_values(body, byte_ends, first)
    last = np.flatnonzero(body < 0x80)
    values: SignedInts = body[last].astype(np.int32)
    size = last + 1
    size[1:] = last[1:] - last[:-1]
    byte_no, longer = 1, np.flatnonzero(size > 1)
    while longer.size:
        if byte_no == _INT32_LEB_BYTES:
            values = values.astype(np.int64)
        elif byte_no == _MAX_LEB_BYTES:
            raise HistogramUnreadable("a count needs more than 8 bytes, which no real histogram holds")
        values[longer] = np.left_shift(values[longer], 7) | (body[last[longer] - byte_no] & 0x7F)
        byte_no += 1
        longer = longer[size[longer] > byte_no]
    return HdrValues(values, np.searchsorted(last, byte_ends))


def encode_varints(zigzag: UnsignedInts) -> tuple[bytes, Int64s]:
    """Return the numbers in sequence as LEB128 bytes, and byte offsets: 0, then the end of each number."""
    size = np.ones(zigzag.size, np.int64)
    for byte_no in range(1, ceil_div(int(zigzag.max(initial=0)).bit_length(), 7)):
        size += zigzag >= zigzag.dtype.type(1 << 7 * byte_no)
    ends = np.zeros(zigzag.size + 1, np.int64)
    np.cumsum(size, out=ends[1:])
    body = np.empty(int(ends[-1]), np.uint8)
    body[ends[:-1]] = zigzag & 0x7F
    byte_no, longer = 1, np.flatnonzero(size > 1)
    while longer.size:
        place = ends[longer] + byte_no
        body[place - 1] |= 0x80
        body[place] = (zigzag[longer] >> 7 * byte_no) & 0x7F
        byte_no += 1
        longer = longer[size[longer] > byte_no]
    return body.tobytes(), ends


def _inflate_v2(payload: bytes, position: int) -> bytes:
    """Return a plain V2 payload with its header, inflated if deflated; `position` is for messages."""
    cookie = payload[:4]
    if cookie == DEFLATED:
        try:
            plain = guarded_inflate(payload)
        except InflationFailed as error:
            raise HistogramUnreadable(
                f"histogram {position} of the batch cannot be inflated: {error}"
            ) from None
    elif cookie == PLAIN:
        plain = payload
    else:
        raise HistogramUnreadable(
            f"histogram {position} of the batch begins with {cookie.hex() or 'nothing'}; V2 begins with"
            " 1c849313 or 1c849314"
        )
    if len(plain) < HEADER.size or plain[:4] != PLAIN:
        raise HistogramUnreadable(f"histogram {position} of the batch has no whole V2 header")
    return plain


def guarded_inflate(payload: bytes, limit_bytes: int = _INFLATED_LIMIT_BYTES) -> bytes:
    """Return the inflated content of a payload after its header of 8 bytes. Raise `InflationFailed` if it is
    damaged, cut short or over the limit, which counts only for payloads over 1 KiB.
    """
    try:
        if len(payload) <= _SMALL_PAYLOAD_BYTES:
            return isal_zlib.decompress(memoryview(payload)[8:])
        inflater = isal_zlib.decompressobj()
        plain = inflater.decompress(memoryview(payload)[8:], limit_bytes)
    except _DAMAGED as error:
        raise InflationFailed(str(error)) from None
    if not inflater.eof:
        raise InflationFailed(f"it is cut short, or unpacks to more than {limit_bytes >> 20} MiB")
    return plain


def _check_headers(headers: Bytes, lengths: Int64s, layout: HdrLayout, lowest: int, first: int) -> None:
    """Raise HistogramUnreadable for another length, HistogramLayoutMismatch for other digits, lowest value or
    offset. `headers` has a row of bytes for each payload, counted from `first`.
    """
    words = headers.view(">i4")
    length_wrong = words[:, 1] != lengths
    if length_wrong.any():
        position = int(np.flatnonzero(length_wrong)[0])
        raise HistogramUnreadable(
            f"histogram {first + position} of the batch announces {int(words[position, 1])} bytes of counts "
            f"and holds {int(lengths[position])}"
        )
    lowest_values = headers.view(">i8")[:, 2]
    other = (words[:, 2] != 0) | (words[:, 3] != layout.significant_digits) | (lowest_values != lowest)
    if other.any():
        position = int(np.flatnonzero(other)[0])
        raise HistogramLayoutMismatch(
            f"histogram {first + position} of the batch has {int(words[position, 3])} digits, lowest value "
            f"{int(lowest_values[position])}, offset {int(words[position, 2])}; "
            f"its series announced {layout.significant_digits} digits, lowest value {lowest}, offset 0"
        )


def _check_whole_values(body: Bytes, body_ends: Int64s, first: int) -> None:
    """Raise HistogramUnreadable unless each payload, ending at `body_ends` in `body`, ends with a value."""
    filled = np.flatnonzero(np.diff(body_ends, prepend=0) > 0)
    open_ended = body[body_ends[filled] - 1] >= 0x80
    if open_ended.any():
        position = int(filled[np.flatnonzero(open_ended)[0]])
        raise HistogramUnreadable(f"histogram {first + position} of the batch ends inside a count")
