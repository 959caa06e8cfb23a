"""Histograms that are added as they are read: the same sums as reading all of them first."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailroom.domain.latency import histogram
from tailroom.domain.latency.histogram import Counts, encode
from tailroom.domain.latency.interval import SLICE_COLUMNS
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.records.slice_columns import SliceColumns, decode_and_sum_groups, sum_groups

LAYOUT = HdrLayout(1_000)
_HISTOGRAMS = st.one_of(st.none(), st.dictionaries(st.integers(0, 300), st.integers(1, 1 << 40), max_size=12))


def _payload(filled: dict[int, int] | None) -> bytes | None:
    if filled is None:
        return None
    indices = np.array(sorted(filled), dtype=np.int64)
    return encode(Counts(indices, np.array([filled[one] for one in sorted(filled)], dtype=np.int64)), LAYOUT)


@given(
    rows=st.lists(st.tuples(_HISTOGRAMS, st.integers(0, 2)), max_size=20),
    part_bytes=st.sampled_from([1, 200, 1 << 16]),
    ascending=st.booleans(),
)
def test_sums_are_the_same_wherever_parts_are_cut(
    rows: list[tuple[dict[int, int] | None, int]], part_bytes: int, *, ascending: bool
) -> None:
    steps = np.array([step for _, step in rows], dtype=np.int64)
    groups = np.cumsum(steps) if ascending else steps
    one_each = np.ones(len(rows), dtype=np.int64)
    pieces = SliceColumns(
        {column.name: one_each for column in SLICE_COLUMNS},
        np.zeros((len(rows), 2), np.int64),
        tuple(_payload(filled) for filled, _ in rows),
    )
    expected = sum_groups(pieces, pieces.buckets(LAYOUT), groups)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(histogram, "_CHUNK_BYTES", part_bytes)
        keys, totals, buckets = decode_and_sum_groups(pieces, LAYOUT, groups)
    assert keys.tolist() == expected[0].tolist()
    assert {name: column.tolist() for name, column in totals.numbers.items()} == {
        name: column.tolist() for name, column in expected[1].numbers.items()
    }
    assert buckets.offsets.tolist() == expected[2].offsets.tolist()
    assert buckets.indices.tolist() == expected[2].indices.tolist()
    assert buckets.counts.tolist() == expected[2].counts.tolist()
