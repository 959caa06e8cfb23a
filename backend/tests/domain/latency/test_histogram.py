"""HdrHistogram payloads: the bytes of other libraries, batches, and what is refused."""

import base64
import zlib
from collections import Counter

import numpy as np
import pytest
from backend.tests.domain.oracles import oracle
from hypothesis import given
from hypothesis import strategies as st

from tailroom.domain.latency.hdr_values import HistogramLayoutMismatch, HistogramUnreadable
from tailroom.domain.latency.histogram import Counts, decode, decode_many, encode, merge, sums_in_parts
from tailroom.domain.latency.layouts import HdrLayout, HdrLayoutInvalid

LAYOUT = HdrLayout()
VALUES = st.lists(st.integers(0, 2**40), max_size=60)


def histogram(values: list[int], layout: HdrLayout = LAYOUT) -> Counts:
    indices, counts = np.unique(layout.index_of(np.array(values, dtype=np.int64)), return_counts=True)
    return Counts(indices, counts.astype(np.int64))


def as_dict(counts: Counts) -> dict[int, int]:
    return dict(zip(counts.indices.tolist(), counts.counts.tolist(), strict=True))


def test_bytes_equal_those_of_other_libraries() -> None:
    given_, expected, _ = oracle("hdr-v2")
    counts = histogram(given_["values"])
    assert encode(counts, LAYOUT, highest=60_000_000, deflate=False).hex() == expected["uncompressed_hex"]
    deflated = base64.b64decode(expected["base64_compressed"])
    assert encode(counts, LAYOUT, highest=60_000_000) == deflated
    assert as_dict(decode(deflated, LAYOUT)) == as_dict(counts)


@given(st.lists(VALUES, max_size=8), st.booleans())
def test_a_batch_is_read_as_it_was_written(batch: list[list[int]], deflate: bool) -> None:
    written = [histogram(values) for values in batch]
    read = decode_many([encode(one, LAYOUT, deflate=deflate) for one in written], LAYOUT)
    for number, one in enumerate(written):
        chosen = read.histogram_no == number
        assert as_dict(Counts(read.indices[chosen], read.counts[chosen])) == as_dict(one)
    assert read.totals().tolist() == [one.total for one in written]


@given(st.lists(VALUES, min_size=1, max_size=6))
def test_merging_equals_recording_everything_at_once(batch: list[list[int]]) -> None:
    merged = merge([encode(histogram(values), LAYOUT) for values in batch], LAYOUT)
    assert as_dict(merged) == as_dict(histogram([value for values in batch for value in values]))


@given(
    st.lists(st.tuples(VALUES, st.integers(0, 2)), max_size=30),
    st.sampled_from([1, 60, 4_000, 2**30]),
    st.sampled_from([200, 1 << 16]),
)
def test_groups_are_added_as_they_are_read(
    batch: list[tuple[list[int], int]], each: int, chunk_bytes: int
) -> None:
    written = [histogram(values) for values, _ in batch]
    payloads = [encode(Counts(one.indices, each * one.counts), LAYOUT) for one in written]
    groups = np.cumsum([step for _, step in batch], dtype=np.int64)
    found: dict[tuple[int, int], int] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tailroom.domain.latency.histogram._CHUNK_BYTES", chunk_bytes)
        for numbers, sums in sums_in_parts(payloads, LAYOUT, groups):
            for row, index, count in zip(sums.histogram_no, sums.indices, sums.counts, strict=True):
                key = int(numbers[row]), int(index)
                found[key] = found.get(key, 0) + int(count)
    expected: dict[tuple[int, int], int] = {}
    for one, group in zip(written, groups.tolist(), strict=True):
        for index, count in as_dict(one).items():
            expected[group, index] = expected.get((group, index), 0) + each * count
    assert found == expected


def test_what_the_decoder_refuses_is_not_added() -> None:
    beyond = Counts(np.array([LAYOUT.index_limit - 1]), np.array([1]))
    written = bytearray(encode(beyond, LAYOUT, deflate=False))
    assert next(sums_in_parts([bytes(written)], LAYOUT, np.zeros(1, np.int64)))[1].indices.size
    # One more empty bucket in front of it: the run of empty buckets is the first value behind the header.
    written[40] = (written[40] & 0x80) | ((written[40] + 2) & 0x7F)
    with pytest.raises(HistogramUnreadable, match="histogram 1 of the batch counts impossibly large values"):
        list(sums_in_parts([GOOD, bytes(written)], LAYOUT, np.arange(2)))


@given(st.integers(1, 2**53 - 1), st.integers(0, 50_000))
def test_large_counts_survive(count: int, index: int) -> None:
    one = Counts(np.array([index]), np.array([count]))
    assert as_dict(decode(encode(one, LAYOUT), LAYOUT)) == {index: count}


@given(st.integers(0, 2**61), st.sampled_from([1, 2, 3, 4]))
def test_a_value_lies_inside_its_bucket(value: int, digits: int) -> None:
    layout = HdrLayout(1, digits)
    lower, upper = layout.edges_ns(layout.index_of(np.array([value])))
    assert int(lower[0]) <= value < int(upper[0])
    assert int(upper[0] - lower[0]) <= max(1, value * 10**-digits)


def test_act_limits_are_bucket_edges_and_one_second_is_not() -> None:
    lower, upper = LAYOUT.edges_ns(LAYOUT.index_of(np.array([1_000, 8_000, 64_000, 1_000_000])))
    assert lower[:3].tolist() == [1_000_000, 8_000_000, 64_000_000]
    assert (int(lower[3]), int(upper[3])) == (999_936_000, 1_000_448_000)


GOOD = encode(histogram([1, 5, 5, 900_000]), LAYOUT)
PLAIN = encode(histogram([1, 5, 5, 900_000]), LAYOUT, deflate=False)


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        (b"", "begins with nothing"),
        (b"\x00\x01\x02\x03rest", "begins with 00010203"),
        (GOOD[:-6], "cannot be inflated"),
        (PLAIN[:30], "no whole V2 header"),
        (PLAIN[:-1], "announces"),
        (PLAIN[:4] + (len(PLAIN) - 39).to_bytes(4, "big") + PLAIN[8:] + b"\x80", "ends inside a count"),
    ],
)
def test_damaged_payloads_are_refused_by_position(payload: bytes, words: str) -> None:
    with pytest.raises(HistogramUnreadable, match=words) as refusal:
        decode_many([GOOD, payload], LAYOUT)
    assert "histogram 1 of the batch" in str(refusal.value)


def test_a_long_batch_is_read_in_chunks_and_named_by_position() -> None:
    """So many payloads that they do not go into one chunk."""
    some = [histogram([number, number, 3 * number]) for number in range(1_500)]
    payloads = [encode(one, LAYOUT, deflate=False) for one in some]
    read = decode_many(payloads, LAYOUT)
    assert (read.size, read.histogram_no[-1]) == (1_500, 1_499)
    assert read.totals().tolist() == [3] * 1_500
    assert as_dict(merge(payloads, LAYOUT)) == sum((Counter(as_dict(one)) for one in some), Counter())
    for broken in (PLAIN[:-1], PLAIN[:12] + b"\x00\x00\x00\x02" + PLAIN[16:], b"none"):
        payloads[1_400] = broken
        with pytest.raises(
            (HistogramUnreadable, HistogramLayoutMismatch), match="histogram 1400 of the batch"
        ):
            decode_many(payloads, LAYOUT)
        with pytest.raises(
            (HistogramUnreadable, HistogramLayoutMismatch), match="histogram 1400 of the batch"
        ):
            merge(payloads, LAYOUT)


def test_a_payload_that_unpacks_to_too_much_is_refused() -> None:
    bomb = b"\x1c\x84\x93\x14" + bytes(4) + zlib.compress(PLAIN[:40] + bytes(8 << 20))
    assert len(bomb) < 16_384
    with pytest.raises(HistogramUnreadable, match="1 MiB"):
        decode(bomb, LAYOUT)


def test_other_digits_are_refused() -> None:
    with pytest.raises(HistogramLayoutMismatch, match="2 digits"):
        decode(encode(histogram([7], HdrLayout(1000, 2)), HdrLayout(1000, 2)), LAYOUT)
    with pytest.raises(HdrLayoutInvalid):
        HdrLayout(0, 3)
