"""Payloads as histogram logs hold them: YCSB's V1, memtier's lowest value 10, and what is refused."""

import base64
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.latency.hdr_v1 import HdrHeader, decode_any
from tailroom.domain.latency.hdr_values import HistogramLayoutMismatch, HistogramUnreadable
from tailroom.domain.latency.histogram import Counts, decode, decode_many, encode
from tailroom.domain.latency.layouts import HdrLayout

# Lines of a log that YCSB 0.17 wrote for its CLEANUP operation: seven values, one, none. The program printed
# for all eight Min=47, 50=83, 90=130, Max=7511 (the end of a bucket of 4 µs) and a mean of 1015.75 µs.
YCSB_SEVEN = (
    "HISTggAAAF142u3PsQ2AMBADwH+xRqSMwl50kbIBizAaG0CR7ICC7hqXtks/W8RxxbDNzBH12e/ge/nzvlX3pv8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "ACwkX+DIBTc="
)
YCSB_ONE = "HISTggAAACJ42pNpmdzIwMA0gwECmKE0I5Rmsv/AMApGwWAFjAB81QOF"
YCSB_NONE = "HISTggAAAB142pNpmdzIwMDAwQABzFCaEUoz2X9gQAEAYqkC8g=="

VALUES = st.lists(st.integers(0, 2**33), max_size=40)


def histogram(values: list[int], layout: HdrLayout, step: int = 1) -> Counts:
    units = np.array(values, dtype=np.int64) // step
    indices, counts = np.unique(layout.index_of(units), return_counts=True)
    return Counts(indices, counts.astype(np.int64))


def as_dict(counts: Counts) -> dict[int, int]:
    return dict(zip(counts.indices.tolist(), counts.counts.tolist(), strict=True))


def words_of(counts: Counts, word: str) -> bytes:
    size = int(counts.indices[-1]) + 1 if counts.indices.size else 1
    dense = np.zeros(size, dtype=f">i{word}")
    dense[counts.indices] = counts.counts
    return dense.tobytes()


def written_v1(
    counts: Counts, digits: int, lowest: int = 1, word: str = "8", *, deflate: bool = True
) -> bytes:
    body = words_of(counts, word)
    nibble = int(word) << 4
    plain = struct.pack(">IiiiqQd", 0x1C849301 | nibble, len(body), 0, digits, lowest, 1 << 40, 1.0) + body
    if not deflate:
        return plain
    packed = zlib.compress(plain)
    return struct.pack(">II", 0x1C849302 | nibble, len(packed)) + packed


def written_v0(counts: Counts, digits: int, *, total: int | None = None, deflate: bool = False) -> bytes:
    total = counts.total if total is None else total
    plain = struct.pack(">IiqQq", 0x1C849308 | 0x80, digits, 1, 1 << 40, total) + words_of(counts, "8")
    packed = zlib.compress(plain)
    return struct.pack(">II", 0x1C849309 | 0x80, len(packed)) + packed if deflate else plain


def test_lines_of_a_real_ycsb_log() -> None:
    header, seven = decode_any(base64.b64decode(YCSB_SEVEN))
    assert header == HdrHeader(1, 3, 1, 1.0)
    assert header.layout(1_000) == HdrLayout(1_000, 3)
    lower, upper = header.layout(1).edges_ns(seven.indices)
    assert lower.tolist() == [47, 61, 83, 98, 115, 130, 7508]
    assert upper[-1] == 7512
    assert seven.counts.tolist() == [1] * 7
    _, one = decode_any(base64.b64decode(YCSB_ONE))
    assert one.indices.tolist() == [82]
    least = int(seven.counts @ lower) + 82
    assert least <= 8 * 1015.75 < least + 4
    _, none = decode_any(base64.b64decode(YCSB_NONE))
    assert none.total == 0


@given(VALUES, st.sampled_from([1, 2, 3]), st.sampled_from([1, 10, 8, 1000]), st.booleans())
@settings(deadline=None, max_examples=60)
def test_version_1_is_read_as_it_was_written(
    values: list[int], digits: int, lowest: int, deflate: bool
) -> None:
    header = HdrHeader(1, digits, lowest)
    counts = histogram(values, header.layout(1), header.step)
    read_header, read = decode_any(written_v1(counts, digits, lowest, deflate=deflate))
    assert read_header == header
    assert as_dict(read) == as_dict(counts)


@given(VALUES, st.sampled_from([1, 2, 3]), st.sampled_from([1, 10, 1000]), st.booleans())
@settings(deadline=None, max_examples=60)
def test_version_2_with_any_lowest_value_is_read_as_it_was_written(
    values: list[int], digits: int, lowest: int, deflate: bool
) -> None:
    header = HdrHeader(2, digits, lowest)
    counts = histogram(values, header.layout(1), header.step)
    payload = encode(counts, header.layout(1_000), lowest=lowest, highest=1 << 40, deflate=deflate)
    read_header, read = decode_any(payload)
    assert read_header == header
    assert as_dict(read) == as_dict(counts)


@pytest.mark.parametrize("word", ["2", "4", "8"])
def test_counts_of_every_width(word: str) -> None:
    counts = Counts(np.array([0, 3, 2050]), np.array([1, 30_000, 2]))
    assert as_dict(decode_any(written_v1(counts, 3, word=word))[1]) == as_dict(counts)


def test_version_0() -> None:
    counts = histogram([5, 5, 90_000], HdrLayout())
    for deflate in (False, True):
        header, read = decode_any(written_v0(counts, 3, deflate=deflate))
        assert (header.version, header.significant_digits) == (0, 3)
        assert as_dict(read) == as_dict(counts)
    with pytest.raises(HistogramUnreadable, match="announces 4 values and holds 3"):
        decode_any(written_v0(counts, 3, total=4))


def test_bytes_with_lowest_value_10_equal_those_of_another_library() -> None:
    """hdrhistogram 0.10.8 for Python, HdrHistogram(10, 600_000_000, 2), values 5, 33, 1000, 1001, 52479."""
    header = HdrHeader(2, 2, 10)
    counts = histogram([5, 33, 1000, 1001, 52_479], header.layout(1), header.step)
    payload = encode(counts, header.layout(1_000), lowest=10, highest=600_000_000, deflate=False)
    assert payload.hex() == PEER_LOWEST_10
    assert decode_any(payload)[0] == header
    assert header.layout(1_000) == HdrLayout(8_000, 2)
    lower, upper = header.layout(1_000).edges_ns(counts.indices)
    assert lower[:2].tolist() == [0, 32_000]
    assert upper[:2].tolist() == [8_000, 40_000]
    # memtier prints the largest equivalent value of its maximum.
    assert int(upper[-1]) == 52_480_000


PEER_LOWEST_10 = (
    "1c849313000000090000000000000002000000000000000a0000000023c346003ff0000000000000020502ef01049b0b02"
)

GOOD = written_v1(histogram([1, 5, 5, 900], HdrLayout()), 3, deflate=False)


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        (b"", "begins with nothing"),
        (b"\x1c\x84", "begins with 1c84"),
        (b"\x0c\x72\x12\x4e" + bytes(60), "DoubleHistogram"),
        (b"\x1c\x84\x93\x82\x00", "first eight bytes"),
        (b"\x1c\x84\x93\x82" + bytes(12), "cannot be inflated"),
        (b"\x1c\x84\x93\x82" + bytes(4) + zlib.compress(b"hello"), "inside the deflated histogram stands"),
        (GOOD[:20], "20 bytes"),
        (GOOD[:-8], "announces"),
        (GOOD[:8] + b"\x00\x00\x00\x07" + GOOD[12:], "shifted by 7"),
        (GOOD[:12] + b"\x00\x00\x00\x09" + GOOD[16:], "9 digits"),
        (GOOD[:16] + bytes(8) + GOOD[24:], "0 as its lowest value"),
        (GOOD[:32] + struct.pack(">d", float("nan")) + GOOD[40:], "ratio nan"),
        (GOOD[:40] + b"\xff" + GOOD[41:], "bucket 0 has the count -"),
        (GOOD[:40] + b"\x7f" + GOOD[41:], r"2\*\*53"),
        (GOOD[:3] + b"\x31" + GOOD[4:], "counts of 3 bytes"),
        (GOOD[:3] + b"\x83" + GOOD[4:], "begins with 1c849383"),
    ],
)
def test_damaged_payloads_are_refused(payload: bytes, words: str) -> None:
    with pytest.raises(HistogramUnreadable, match=words):
        decode_any(payload)


def test_impossible_buckets_and_sizes_are_refused() -> None:
    far = written_v1(Counts(np.array([HdrLayout(1, 1).index_limit]), np.array([1])), 1, deflate=False)
    with pytest.raises(HistogramUnreadable, match="counts in bucket"):
        decode_any(far)
    bomb = struct.pack(">II", 0x1C849382, 0) + zlib.compress(GOOD[:40] + bytes(20 << 20))
    with pytest.raises(HistogramUnreadable, match="16 MiB"):
        decode_any(bomb)


def test_fractions_have_no_layout() -> None:
    fractions = GOOD[:32] + struct.pack(">d", 0.5) + GOOD[40:]
    header, _ = decode_any(fractions)
    assert header.integer_to_double_ratio == 0.5
    with pytest.raises(HistogramUnreadable, match="fractions"):
        header.layout(1_000)


def test_the_constants_of_hdrhistogramjs_are_no_shift_and_no_fractions() -> None:
    written_by_js = GOOD[:8] + struct.pack(">i", 1) + GOOD[12:32] + struct.pack(">q", 1) + GOOD[40:]
    header, counts = decode_any(written_by_js)
    assert header.layout(1_000) == HdrLayout()
    assert as_dict(counts) == as_dict(decode_any(GOOD)[1])


def test_the_wire_accepts_only_what_was_announced() -> None:
    ten = encode(histogram([100], HdrLayout(8_000)), HdrLayout(8_000), lowest=10)
    with pytest.raises(HistogramLayoutMismatch, match="lowest value 10"):
        decode(ten, HdrLayout(8_000))
    assert decode_many([ten], HdrLayout(8_000), lowest=10).size == 1
    with pytest.raises(HistogramUnreadable, match="0 as its lowest"):
        encode(histogram([100], HdrLayout()), HdrLayout(), lowest=0)
