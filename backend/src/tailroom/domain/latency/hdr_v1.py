"""Decode a single HdrHistogram payload of any version, with its layout, as histogram logs hold them.

Payloads of agents have the layout of their series and are read many at a time (`histogram.decode_many`). A
log of another tool states its buckets in every payload: V2 (memtier, asbench), V1 with counts as plain words
(YCSB), and V0. The unit of the values is nowhere in the bytes and comes from the caller. Histograms of
doubles, and shifted histograms, are refused. Source: docs/method.md 5.2; HdrHistogram's
`AbstractHistogram.decodeFromByteBuffer`.
"""

import math
import struct
from dataclasses import dataclass

import numpy as np

from tailroom.domain.latency.hdr_values import HistogramUnreadable, InflationFailed, guarded_inflate
from tailroom.domain.latency.histogram import MAX_COUNT, Counts, decode_many
from tailroom.domain.latency.layouts import HdrLayout

_WORD_MASK = 0xF0
_V0, _V0_DEFLATED = 0x1C849308, 0x1C849309
_V1, _V1_DEFLATED = 0x1C849301, 0x1C849302
_V2, _V2_DEFLATED = 0x1C849303, 0x1C849304
_PLAIN_V2 = (_V2 | 0x10).to_bytes(4, "big")
_RATIO_ONE = struct.pack(">d", 1.0)
_DOUBLE_COOKIES = (0x0C72124E, 0x0C72124F)
_HEADER = struct.Struct(">iiiiqqd")
_HEADER_V0 = struct.Struct(">iiqqq")
_WORD_BYTES = (2, 4, 8)
# Five digits up to an hour in microseconds, one word for each bucket.
_INFLATED_LIMIT_BYTES = 16 << 20
_MAX_DIGITS = 5
_OFFSET_OF_JS = 1
"""HdrHistogramJS writes this constant where others write the offset of a shifted histogram. A shift is a
multiple of half a sub-bucket count, which is 1 only for histograms of no digits.
"""
_RATIO_OF_JS = 5e-324
"""The integer 1 read as a double: HdrHistogramJS writes it where others write the ratio 1.0."""


@dataclass(frozen=True, slots=True)
class HdrHeader:
    """The header of a payload. `lowest` is the least value that the histogram distinguishes from 0 and
    `highest` the greatest that it can hold (2 if it grows), in the unit of its values.
    `integer_to_double_ratio` is 1 if values are whole units.
    """

    version: int
    significant_digits: int
    lowest: int
    integer_to_double_ratio: float = 1.0

    @property
    def step(self) -> int:
        """Width of the finest bucket in the unit of the values: the largest power of two up to `lowest`."""
        return 1 << (self.lowest.bit_length() - 1)

    def layout(self, unit_ns: int) -> HdrLayout:
        """Return the layout in ns if values are in units of `unit_ns`: its unit is `unit_ns` × `step`. Raise
        HistogramUnreadable for a histogram of fractions.
        """
        if self.integer_to_double_ratio != 1.0:
            raise HistogramUnreadable(
                f"the histogram holds fractions (ratio {self.integer_to_double_ratio}), not whole units"
            )
        return HdrLayout(unit_ns * self.step, self.significant_digits)


def decode_any(payload: bytes) -> tuple[HdrHeader, Counts]:
    """Return the header of a payload, and its filled buckets in the layout of the header. The payload is of
    version 0, 1 or 2, plain or deflated; raise `HistogramUnreadable` for anything else.
    """
    plain = _inflate_payload(payload)
    cookie = int.from_bytes(plain[:4], "big")
    base = cookie & ~_WORD_MASK
    if base == _V0:
        header, words = _parse_header_v0(plain)
    elif base in (_V1, _V2):
        header, words = _parse_header(plain, 1 if base == _V1 else 2)
    else:
        raise HistogramUnreadable(f"inside the deflated histogram stands {plain[:4].hex() or 'nothing'}")
    _check_header(header)
    if header.version == 2:
        # The batch reader wants the offset 0 and the ratio 1 of other libraries; both were checked above.
        ratio = struct.pack(">d", header.integer_to_double_ratio)
        unshifted = plain[:8] + bytes(4) + plain[12:32] + ratio + plain[40:]
        batch = decode_many([unshifted], header.layout(1), lowest=header.lowest)
        return header, Counts(batch.indices, batch.counts)
    counts = _decode_words(words, (cookie & _WORD_MASK) >> 4, header)
    if header.version == 0:
        (total,) = struct.unpack_from(">q", plain, 24)
        if counts.total != total:
            raise HistogramUnreadable(f"the histogram announces {total} values and holds {counts.total}")
    return header, counts


def plain_v2(payload: bytes) -> bytes | None:
    """Return the inflated bytes of a payload of version 2 with ratio 1, for `decode_many`; None for other
    payloads. Raise `HistogramUnreadable` for bytes that are no HdrHistogram or cannot be inflated.
    """
    plain = _inflate_payload(payload)
    if plain[:4] != _PLAIN_V2 or plain[32 : _HEADER.size] != _RATIO_ONE:
        return None
    return plain


def _inflate_payload(payload: bytes) -> bytes:
    """Return a payload of any version, inflated if it is deflated."""
    cookie = int.from_bytes(payload[:4], "big")
    base = cookie & ~_WORD_MASK
    if len(payload) >= 4 and base in (_V0, _V1, _V2):
        return payload
    if len(payload) >= 4 and base in (_V0_DEFLATED, _V1_DEFLATED, _V2_DEFLATED):
        if len(payload) < 8:
            raise HistogramUnreadable("the histogram ends inside its first eight bytes")
        try:
            return guarded_inflate(payload, _INFLATED_LIMIT_BYTES)
        except InflationFailed as error:
            raise HistogramUnreadable(f"the histogram cannot be inflated: {error}") from None
    if cookie in _DOUBLE_COOKIES:
        raise HistogramUnreadable("the histogram holds fractions (DoubleHistogram), not whole units")
    raise HistogramUnreadable(
        f"the histogram begins with {payload[:4].hex() or 'nothing'}; HdrHistogram begins with 1c8493"
    )


def _parse_header(plain: bytes, version: int) -> tuple[HdrHeader, bytes]:
    """Return the header of a payload of version 1 or 2 and the bytes of the counts. HdrHistogramJS's
    constants are read as offset 0 and ratio 1.
    """
    if len(plain) < _HEADER.size:
        raise HistogramUnreadable(
            f"the histogram has {len(plain)} bytes, its header alone needs {_HEADER.size}"
        )
    _, length, offset, digits, lowest, _, ratio = _HEADER.unpack_from(plain)
    if length != len(plain) - _HEADER.size:
        raise HistogramUnreadable(
            f"the histogram announces {length} bytes of counts and holds {len(plain) - _HEADER.size}"
        )
    if offset != 0 and not (offset == _OFFSET_OF_JS and digits > 0):
        raise HistogramUnreadable(f"the histogram is shifted by {offset} buckets")
    if offset == _OFFSET_OF_JS and ratio == _RATIO_OF_JS:
        ratio = 1.0
    return HdrHeader(version, digits, lowest, ratio), plain[_HEADER.size :]


def _parse_header_v0(plain: bytes) -> tuple[HdrHeader, bytes]:
    """Return the header of version 0 and the bytes of the counts. Raise HistogramUnreadable if too short."""
    if len(plain) < _HEADER_V0.size:
        raise HistogramUnreadable(
            f"the histogram has {len(plain)} bytes, its header alone needs {_HEADER_V0.size}"
        )
    _, digits, lowest, _, _ = _HEADER_V0.unpack_from(plain)
    return HdrHeader(0, digits, lowest), plain[_HEADER_V0.size :]


def _check_header(header: HdrHeader) -> None:
    """Raise HistogramUnreadable unless digits are 0 to 5, `lowest` 1 to 2**40 and the ratio finite."""
    if not 0 <= header.significant_digits <= _MAX_DIGITS:
        raise HistogramUnreadable(f"the histogram has {header.significant_digits} digits, 0 to 5 exist")
    if not 1 <= header.lowest <= 1 << 40:
        raise HistogramUnreadable(f"the histogram has {header.lowest} as its lowest value")
    if not math.isfinite(header.integer_to_double_ratio):
        raise HistogramUnreadable(f"the histogram has the ratio {header.integer_to_double_ratio}")


def _decode_words(words: bytes, word_bytes: int, header: HdrHeader) -> Counts:
    """Return the filled buckets of counts as plain words of `word_bytes` (2, 4 or 8)."""
    if word_bytes not in _WORD_BYTES:
        raise HistogramUnreadable(f"the histogram has counts of {word_bytes} bytes; 2, 4 and 8 exist")
    if len(words) % word_bytes:
        raise HistogramUnreadable(f"the histogram ends inside a count of {word_bytes} bytes")
    amounts = np.frombuffer(words, dtype=f">i{word_bytes}").astype(np.int64)
    indices = np.flatnonzero(amounts)
    amounts = amounts[indices]
    if amounts.size and int(amounts.min()) < 0:
        raise HistogramUnreadable(
            f"bucket {int(indices[amounts.argmin()])} has the count {int(amounts.min())}"
        )
    if float(amounts.sum(dtype=np.float64)) >= MAX_COUNT:
        raise HistogramUnreadable("the histogram holds 2**53 values or more, which cannot be added exactly")
    limit = HdrLayout(1, header.significant_digits).index_limit
    if indices.size and int(indices[-1]) >= limit:
        raise HistogramUnreadable(f"the histogram counts in bucket {int(indices[-1])}, {limit} exist")
    return Counts(indices, amounts)
