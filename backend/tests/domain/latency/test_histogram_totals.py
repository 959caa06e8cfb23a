"""Totals of payloads without their buckets: what the full decoder says, and refused where it refuses."""

import zlib
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import pytest

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.histogram import Counts, decode_many, encode, totals_of
from tailroom.domain.latency.layouts import HdrLayout

LAYOUT = HdrLayout()


def payload(pairs: dict[int, int], *, deflate: bool = True) -> bytes:
    """A histogram with these counts by bucket."""
    indices = np.array(sorted(pairs), dtype=np.int64)
    counts = np.array([pairs[int(one)] for one in indices], dtype=np.int64)
    return encode(Counts(indices, counts), LAYOUT, deflate=deflate)


def some_payloads(rng: np.random.Generator, count: int, largest: int) -> list[bytes]:
    """Histograms of all sizes, some empty, with counts of one byte and of many."""
    found = []
    for _ in range(count):
        buckets = rng.choice(30_000, size=int(rng.integers(0, 60)), replace=False).tolist()
        amounts = np.exp(rng.uniform(0, np.log(largest), len(buckets))).astype(np.int64)
        found.append(payload(dict(zip(buckets, amounts.tolist(), strict=True))))
    return found


def by_totals(payloads: Sequence[bytes]) -> npt.NDArray[np.int64]:
    """The short way."""
    return totals_of(payloads, LAYOUT)


def by_decoder(payloads: Sequence[bytes]) -> npt.NDArray[np.int64]:
    """By reading all buckets."""
    return decode_many(payloads, LAYOUT).totals()


def said(
    act: Callable[[Sequence[bytes]], npt.NDArray[np.int64]], payloads: Sequence[bytes]
) -> list[int] | tuple[str, str]:
    """The totals, or how they were refused."""
    try:
        return [int(one) for one in act(payloads)]
    except DomainError as error:
        return type(error).__name__, str(error)


@pytest.mark.parametrize("largest", [60, 5_000, 2**27 - 1, 2**40])
def test_totals_are_those_of_the_decoder(largest: int) -> None:
    payloads = some_payloads(np.random.default_rng(largest), 400, largest)
    assert totals_of(payloads, LAYOUT).tolist() == decode_many(payloads, LAYOUT).totals().tolist()


def test_nothing_and_empty_histograms_hold_nothing() -> None:
    assert totals_of([], LAYOUT).tolist() == []
    assert totals_of([payload({}), payload({7: 3}, deflate=False), payload({})], LAYOUT).tolist() == [0, 3, 0]


def test_the_last_bucket_of_the_layout_counts_and_the_one_behind_it_is_refused() -> None:
    last = payload({LAYOUT.index_limit - 1: 5}, deflate=False)
    assert totals_of([last, payload({1: 2})], LAYOUT).tolist() == [5, 2]
    # One more empty bucket in front of it: the run of empty buckets is the first value behind the header.
    behind = bytearray(last)
    behind[40] = (behind[40] & 0x80) | ((behind[40] + 2) & 0x7F)
    with pytest.raises(DomainError, match="histogram 1 of the batch counts impossibly large values"):
        totals_of([payload({1: 2}), bytes(behind)], LAYOUT)


def test_runs_of_empty_buckets_that_add_up_to_more_than_a_word_are_refused() -> None:
    run = bytes([*[0xFF] * 7, 0x1F])  # 2**52 empty buckets and one
    body = run * 3_000 + b"\x02"
    endless = b"\x1c\x84\x93\x13" + len(body).to_bytes(4, "big") + payload({1: 2}, deflate=False)[8:40] + body
    with pytest.raises(DomainError, match="histogram 1 of the batch counts impossibly large values"):
        totals_of([payload({1: 2}), endless], LAYOUT)


@pytest.mark.parametrize("seed", range(6))
def test_a_broken_byte_is_refused_exactly_where_the_decoder_refuses_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    good = some_payloads(rng, 3, 5_000)
    for _ in range(300):
        broken = bytearray(payload({int(rng.integers(0, 9_000)): 4, 12: 300}, deflate=False))
        broken[int(rng.integers(0, len(broken)))] = int(rng.integers(0, 256))
        if rng.random() < 0.3:
            del broken[int(rng.integers(40, len(broken))) :]
        payloads = [*good, bytes(broken), *good]
        assert said(by_totals, payloads) == said(by_decoder, payloads)


def test_what_cannot_be_inflated_is_named_by_its_position() -> None:
    packed = payload({5: 1})
    cut = packed[:8] + zlib.compress(b"no histogram")
    with pytest.raises(DomainError, match="histogram 1 of the batch has no whole V2 header"):
        totals_of([packed, cut], LAYOUT)
