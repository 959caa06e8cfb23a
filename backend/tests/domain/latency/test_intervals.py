"""Pieces of a run: columns say the same as the records they were made of, in every grouping."""

import numpy as np
import pytest
from backend.tests.domain.latency.samples import indices_of, recorded
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.cells import PinsContradictBuckets
from tailroom.domain.latency.distribution import CountBounds, LatencyDist, LatencyRecord, Misses
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.interval import UNKNOWN, ColumnsInvalid
from tailroom.domain.latency.intervals import IntervalRecords, SliceTooShort
from tailroom.domain.latency.layouts import (
    BucketsInvalid,
    ExplicitLayout,
    HdrLayout,
    LayoutsDiffer,
    Pow2Layout,
)

SECOND = 1_000_000_000
HDR, POW2 = HdrLayout(1_000, 2), Pow2Layout(1_000_000)
PINS = (1_000_000, 64_000_000, 700_000_000)

LATENCIES = st.lists(
    st.one_of(st.integers(0, 3 * 10**9), st.sampled_from([0, *PINS, *(at - 1 for at in PINS)])), max_size=25
)
PIECES = st.lists(
    st.tuples(LATENCIES, st.integers(0, 2), st.booleans(), st.booleans()), min_size=1, max_size=8
)


def columns(
    pieces: list[tuple[list[int], int, bool, bool]], layout: HdrLayout | Pow2Layout = HDR
) -> tuple[list[LatencyDist], IntervalRecords]:
    dists = [
        recorded(np.array(values, np.int64), layout, PINS, Misses(errors=errors), ends=ends, summed=summed)
        for values, errors, ends, summed in pieces
    ]
    number = np.arange(len(dists), dtype=np.int64)
    return dists, IntervalRecords.of(dists, number * SECOND, np.full(len(dists), SECOND), layout=layout)


def merged(dists: list[LatencyDist]) -> LatencyDist:
    total = dists[0]
    for one in dists[1:]:
        total = total.merged_with(one)
    return total


def same(first: LatencyDist, second: LatencyDist) -> None:
    assert first.cells.lower_ns.tolist() == second.cells.lower_ns.tolist()
    assert first.cells.upper_ns.tolist() == second.cells.upper_ns.tolist()
    assert first.cells.counts.tolist() == second.cells.counts.tolist()
    if first.count:
        assert first.pins == second.pins
    assert first.misses == second.misses
    if first.count:
        assert (first.sum_ns, first.min_ns, first.max_ns) == (second.sum_ns, second.min_ns, second.max_ns)


@given(PIECES, st.sampled_from([HDR, POW2]))
@settings(deadline=None, max_examples=60)
def test_columns_hold_what_they_were_made_of(
    pieces: list[tuple[list[int], int, bool, bool]], layout: HdrLayout | Pow2Layout
) -> None:
    dists, records = columns(pieces, layout)
    assert records.size == len(dists)
    assert records.end_ns == len(dists) * SECOND
    assert records.totals.tolist() == [one.total for one in dists]
    for position, one in enumerate(dists):
        same(records.distribution(position), one)
    same(records.total(), merged(dists))
    assert isinstance(records.total(), LatencyRecord)


@given(PIECES, st.sampled_from([HDR, POW2]), st.integers(0, 4 * 10**9))
@settings(deadline=None, max_examples=80)
def test_counts_over_a_time_equal_those_of_each_piece(
    pieces: list[tuple[list[int], int, bool, bool]], layout: HdrLayout | Pow2Layout, at_ns: int
) -> None:
    dists, records = columns(pieces, layout)
    for threshold in (at_ns, *PINS, PINS[0] + 1, *(value for values, *_ in pieces for value in values[:2])):
        least, most = records.over(threshold)
        expected = [one.at_or_over(threshold) for one in dists]
        assert [CountBounds(*pair) for pair in zip(least.tolist(), most.tolist(), strict=True)] == expected


@given(PIECES, st.data())
@settings(deadline=None, max_examples=60)
def test_any_grouping_adds_up_exactly(
    pieces: list[tuple[list[int], int, bool, bool]], data: st.DataObject
) -> None:
    dists, records = columns(pieces)
    groups = np.array(
        data.draw(st.lists(st.integers(0, 3), min_size=len(dists), max_size=len(dists))), dtype=np.int64
    )
    added = records.grouped(groups)
    for row, group in enumerate(np.unique(groups).tolist()):
        members = np.flatnonzero(groups == group)
        same(added.distribution(row), merged([dists[i] for i in members]))
        assert int(added.start_ns[row]) == int(members.min()) * SECOND
        assert int(added.duration_ns[row]) == int(members.max() - members.min() + 1) * SECOND
    rows = np.array(data.draw(st.lists(st.integers(0, len(dists) - 1), max_size=6)), dtype=np.int64)
    chosen = records.selected(rows)
    for position, row in enumerate(rows.tolist()):
        same(chosen.distribution(position), dists[row])


@given(PIECES, st.sampled_from([HDR, POW2]))
@settings(deadline=None, max_examples=60)
def test_cells_are_those_of_each_piece(
    pieces: list[tuple[list[int], int, bool, bool]], layout: HdrLayout | Pow2Layout
) -> None:
    dists, records = columns(pieces, layout)
    cells = records.cells()
    for position, one in enumerate(dists):
        mine = cells.interval_no == position
        assert cells.count[mine].tolist() == one.cells.counts.tolist()
        assert cells.lower_ns[mine].tolist() == one.cells.lower_ns.tolist()
        assert cells.upper_ns[mine].tolist() == one.cells.upper_ns.tolist()


@given(PIECES, st.sampled_from([HDR, POW2]), st.sampled_from([np.inf, 8e6, 3e8]))
@settings(deadline=None, max_examples=80)
def test_latency_sums_are_those_of_the_cells(
    pieces: list[tuple[list[int], int, bool, bool]], layout: HdrLayout | Pow2Layout, ceiling_ns: float
) -> None:
    _, records = columns(pieces, layout)
    cells = records.cells()
    at_ns = np.minimum(cells.lower_ns, ceiling_ns)
    sums, squares, largest_ns = records.latency_sums(ceiling_ns)
    for power, result in ((1, sums), (2, squares)):
        expected = np.bincount(cells.interval_no, at_ns**power * cells.count, records.size)
        assert result == pytest.approx(expected, rel=1e-9)
    assert largest_ns == at_ns.max(initial=0.0)


@given(st.lists(LATENCIES.filter(len), min_size=1, max_size=5), st.integers(0, 5 * 10**6))
@settings(deadline=None, max_examples=60)
def test_edges_with_a_tolerance_are_true_within_it(pieces: list[list[int]], at_ns: int) -> None:
    """A tool that counts `<=1 ms`: its edges lie one nanosecond later than the layout says."""
    edges = (0, 1_000_000, 2_000_000, 64_000_000)
    layout = ExplicitLayout(edges, open_ended=True, edge_tolerance_ns=1)
    real = ExplicitLayout((0, *(edge + 1 for edge in edges[1:])), open_ended=True)
    dists = []
    for one in pieces:
        values = np.array(one, dtype=np.int64)
        indices, amounts = np.unique(indices_of(values, real), return_counts=True)
        pins = {at: int((values >= at).sum()) for at in (1_000_000, 1_500_000)}
        dists.append(
            LatencyDist(
                layout,
                Counts(indices.astype(np.int64), amounts.astype(np.int64)),
                pins,
                min_ns=int(values.min()),
                max_ns=int(values.max()),
            )
        )
    records = IntervalRecords.of(dists, np.arange(len(dists)), np.ones(len(dists), np.int64))
    for threshold in (at_ns, *edges, *(edge + 1 for edge in edges), 1_500_000):
        least, most = records.over(threshold)
        for position, one in enumerate(pieces):
            bounds = dists[position].at_or_over(threshold)
            assert sum(value >= threshold + 1 for value in one) <= most[position] <= bounds.upper
            assert sum(value >= threshold - 1 for value in one) >= least[position] >= bounds.lower
    cells = records.cells()
    for position, one in enumerate(pieces):
        mine = cells.interval_no == position
        ranked = np.repeat(np.flatnonzero(mine), cells.count[mine])
        assert (cells.lower_ns[ranked] <= np.sort(one)).all()
        assert (np.sort(one) < cells.upper_ns[ranked]).all()


def test_grouping_in_a_sparse_table_equals_grouping_in_a_dense_one() -> None:
    generator = np.random.default_rng(7)
    layout = HdrLayout(1_000, 5)
    dists = [
        LatencyDist(layout, Counts(np.unique(generator.integers(0, 4_000_000, 5)), np.ones(5, np.int64)[:5]))
        for _ in range(60)
    ]
    records = IntervalRecords.of(dists, np.arange(60) * SECOND, np.full(60, SECOND))
    pairs = records.sliced(2 * SECOND, full_only=True)
    assert pairs.size == 30
    for row in range(30):
        same(pairs.distribution(row), dists[2 * row].merged_with(dists[2 * row + 1]))


def course(start_ns: list[int], duration_ns: list[int]) -> IntervalRecords:
    one = recorded(numbers(1_000_000), HDR, ends=True, summed=True)
    return IntervalRecords.of([one] * len(start_ns), start_ns, duration_ns)


def test_a_slice_is_full_only_without_a_missing_piece() -> None:
    ten = 10 * SECOND
    starts = [i * ten for i in range(20) if i != 8]
    records = course(starts, [ten] * 19)
    full = records.sliced(6 * ten, full_only=True)
    assert full.start_ns.tolist() == [0, 12 * ten]
    every = records.sliced(6 * ten, full_only=False)
    assert every.start_ns.tolist() == [0, 6 * ten, 12 * ten, 18 * ten]
    assert every.count.tolist() == [6, 5, 6, 2]


def test_a_slice_stays_full_when_clocks_jitter() -> None:
    records = course([0, 10_050, 20_010, 30_000], [10_000, 9_900, 10_000, 9_990])
    assert records.sliced(20_000, full_only=True).count.tolist() == [2, 2]
    cut_short = course([0, 10_000, 20_000, 30_000], [10_000, 10_000, 10_000, 4_000])
    assert cut_short.sliced(20_000, full_only=True).count.tolist() == [2]


def test_a_piece_covers_the_slice_that_it_reaches_into() -> None:
    records = course([0, 10_000, 26_000, 30_000], [10_000, 16_000, 4_000, 10_000])
    assert records.sliced(20_000, full_only=True).count.tolist() == [2, 2]
    with_gap = course([0, 10_000, 30_000], [10_000, 10_100, 10_000])
    assert with_gap.sliced(20_000, full_only=True).count.tolist() == [2]


def test_a_piece_belongs_where_it_starts() -> None:
    records = course([0, 7, 14, 21, 28], [7] * 5)
    slices = records.sliced(10, full_only=False)
    assert slices.count.tolist() == [2, 1, 2]
    assert (slices.start_ns // 10).tolist() == [0, 1, 2]


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(SliceTooShort, match="60"):
        course([0], [60]).sliced(10, full_only=False)
    with pytest.raises(SliceTooShort, match="no length"):
        course([0], [60]).sliced(0, full_only=False)
    with pytest.raises(LayoutsDiffer, match="interval 1"):
        IntervalRecords.of(
            [recorded(numbers(1), HDR), recorded(numbers(1), POW2)],
            [0, 1],
            [1, 1],
        )
    with pytest.raises(BucketsInvalid, match="no layout"):
        IntervalRecords.of([], [], [])
    with pytest.raises(ColumnsInvalid, match="duration_ns has not one value"):
        course([0, 1], [1])
    with pytest.raises(ColumnsInvalid, match="-5"):
        course([-5], [1])
    with pytest.raises(BucketsInvalid, match="2 intervals"):
        course([0, 1], [1, 1]).grouped(np.zeros(3, np.int64))
    assert IntervalRecords.empty(HDR).total().total == 0
    assert IntervalRecords.empty(HDR).sliced(SECOND, full_only=True).size == 0


def numbers(*values: int) -> Int64s:
    return np.array(values, dtype=np.int64)


def raw(indices: Int64s, counts: Int64s, pins: Int64s, sum_ns: int = UNKNOWN) -> IntervalRecords:
    zero, none = numbers(0), numbers(UNKNOWN)
    return IntervalRecords(
        ExplicitLayout((0, 1_000_000, 3_000_000)),
        zero,
        numbers(1),
        numbers(0, indices.size),
        indices,
        counts,
        zero,
        zero,
        zero,
        numbers(sum_ns),
        none,
        none,
        (2_000_000,),
        pins.reshape(1, 1),
    )


def test_columns_that_contradict_themselves_are_refused() -> None:
    assert raw(numbers(0, 1), numbers(3, 4), numbers(4)).cells().count.tolist() == [3, 4]
    with pytest.raises(PinsContradictBuckets, match="interval 0 counts 5"):
        raw(numbers(0, 1), numbers(3, 4), numbers(5)).cells()
    with pytest.raises(BucketsInvalid, match="ascend"):
        raw(numbers(1, 0), numbers(3, 4), numbers(4))
    with pytest.raises(BucketsInvalid, match="not positive"):
        raw(numbers(0), numbers(0), numbers(0))
    with pytest.raises(BucketsInvalid, match=r"2\*\*53"):
        raw(numbers(0, 1), numbers(1 << 52, 1 << 52), numbers(0))
    with pytest.raises(ColumnsInvalid, match=r"2\*\*62"):
        raw(numbers(0), numbers(1), numbers(0), 1 << 62)
