"""Layouts: which bucket holds a latency, how a layout is written down, which ones are added up."""

import numpy as np
import pytest
from backend.tests.domain.latency.samples import LAYOUTS, indices_of, recorded
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import CountBounds, DistributionEmpty, LatencyDist, TimeBounds
from tailroom.domain.latency.hdr_layout import HdrLayout, HdrLayoutInvalid
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.layouts import (
    NEVER_NS,
    BucketsInvalid,
    ExplicitLayout,
    Layout,
    LayoutsDiffer,
    Pow2Layout,
    layout_document,
    layout_of,
)
from tailroom.domain.latency.merging import collapsed_to_common_edges, merged_within_tolerance

MS = 1_000_000
TIMES = st.one_of(
    st.integers(0, 10**10),
    st.sampled_from([at + step for at in (0, MS, 2 * MS, 4 * MS, 8 * MS) for step in (0, 1, 2)]),
)
LATENCIES = st.lists(TIMES, min_size=1, max_size=60)


@given(st.sampled_from(LAYOUTS), LATENCIES)
@settings(deadline=None, max_examples=120)
def test_a_latency_lies_in_its_bucket(layout: Layout, latencies: list[int]) -> None:
    values = np.array(latencies, dtype=np.int64)
    lower, upper = layout.edges_ns(indices_of(values, layout))
    assert (lower <= values).all()
    assert (values < upper).all()
    assert layout_of(layout_document(layout)) == layout


def test_layouts_are_written_as_the_method_says() -> None:
    assert layout_document(HdrLayout()) == {"t": "hdr", "unit_ns": 1000, "sig": 3}
    assert layout_document(Pow2Layout(1_000)) == {"t": "pow2", "unit_ns": 1000}
    assert layout_document(ExplicitLayout((0, 5), open_ended=True)) == {
        "t": "explicit",
        "edges_ns": [0, 5, None],
    }
    assert layout_of({"t": "explicit", "edges_ns": [0, 5, "inf"]}) == ExplicitLayout((0, 5), open_ended=True)
    assert layout_of({"t": "hdr"}) == HdrLayout()


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({"t": "tdigest"}, "'tdigest' is none of hdr, pow2, explicit"),
        ({}, "None is none of"),
        ({"t": "pow2", "unit_ns": 1000, "unit": "us"}, "no 'unit'"),
        ({"t": "pow2"}, "unit_ns is None"),
        ({"t": "pow2", "unit_ns": 0}, "unit_ns is 0"),
        ({"t": "pow2", "unit_ns": float("nan")}, "unit_ns is nan"),
        ({"t": "pow2", "unit_ns": True}, "unit_ns is True"),
        ({"t": "hdr", "unit_ns": 1000, "sig": 6}, "significant_digits is 6"),
        ({"t": "hdr", "unit_ns": -1}, "unit_ns is -1"),
        ({"t": "hdr", "unit_ns": 1e3}, "unit_ns is 1000.0"),
        ({"t": "explicit"}, "needs edges_ns"),
        ({"t": "explicit", "edges_ns": []}, "needs edges_ns"),
        ({"t": "explicit", "edges_ns": [0]}, "enclose at least one bucket"),
        ({"t": "explicit", "edges_ns": [None]}, "enclose at least one bucket"),
        ({"t": "explicit", "edges_ns": [0, 5, 5]}, "must ascend"),
        ({"t": "explicit", "edges_ns": [-1, 5]}, "-1 ns is no latency"),
        ({"t": "explicit", "edges_ns": [0, None, 5]}, "an edge is None"),
        ({"t": "explicit", "edges_ns": [0, float("nan")]}, "an edge is nan"),
        ({"t": "explicit", "edges_ns": [0, 1 << 63]}, "is no latency"),
        ({"t": "explicit", "edges_ns": [0, 5], "edge_tolerance_ns": 2}, "edge_tolerance_ns is 2"),
    ],
)
def test_broken_layouts_are_refused(document: dict[str, object], words: str) -> None:
    with pytest.raises(DomainError, match=words.replace("(", r"\(")):
        layout_of(document)


def test_latencies_and_buckets_that_do_not_exist_are_refused() -> None:
    closed = ExplicitLayout((1_000, 2_000))
    for layout in (HdrLayout(), Pow2Layout(1), closed):
        with pytest.raises(DomainError, match="lies in no bucket"):
            layout.index_of(np.array([-1]))
        with pytest.raises(DomainError, match="bucket -1"):
            layout.edges_ns(np.array([-1]))
    with pytest.raises(BucketsInvalid, match="2000 ns lies in no bucket"):
        closed.index_of(np.array([2_000]))
    with pytest.raises(BucketsInvalid, match="whole nanoseconds"):
        closed.index_of(np.array([1_500.5]))
    with pytest.raises(BucketsInvalid, match="only buckets 0 to 0"):
        LatencyDist(closed, Counts(np.array([1]), np.array([1]))).at_or_over(5)
    with pytest.raises(HdrLayoutInvalid, match="292 years"):
        HdrLayout().edges_ns(np.array([HdrLayout().index_limit - 1]))
    with pytest.raises(HdrLayoutInvalid, match="nan"):
        HdrLayout(float("nan"))  # type: ignore[arg-type]
    for unit_ns in (1, 1_000, 1_000_000, 7):
        last = Pow2Layout(unit_ns).index_limit - 1
        assert 0 < int(Pow2Layout(unit_ns).edges_ns(np.array([last]))[1][0]) < NEVER_NS
        with pytest.raises(BucketsInvalid):
            Pow2Layout(unit_ns).edges_ns(np.array([last + 1]))


def test_edges_that_nest() -> None:
    fine = set(HdrLayout(125, 3).edges_ns(np.arange(40_000))[0].tolist())
    for coarse in (HdrLayout(1_000, 3), HdrLayout(1_000, 2), HdrLayout(8_000, 3), Pow2Layout(1_000)):
        last = int(indices_of(np.array([10**9]), coarse)[0])
        assert set(coarse.edges_ns(np.arange(last))[0].tolist()) <= fine


# Aerospike's tools count (lower, upper] and ACT [lower, upper): the edges are one nanosecond apart.
AEROSPIKE = ExplicitLayout((0, MS + 1, 2 * MS + 1, 4 * MS + 1), open_ended=True)
ACT = Pow2Layout(MS)


@given(LATENCIES, LATENCIES, TIMES)
@settings(deadline=None, max_examples=150)
def test_merging_within_tolerance_is_true_within_tolerance(
    first: list[int], second: list[int], at_ns: int
) -> None:
    mine = np.minimum(np.array(first, dtype=np.int64), 4 * MS - 1)
    yours = np.array(second, dtype=np.int64)
    merged = merged_within_tolerance(
        recorded(mine, ACT, summed=True), recorded(yours, AEROSPIKE, summed=True)
    )
    assert merged.edge_tolerance_ns == 1
    everything = np.concatenate((mine, yours))
    below = merged.below(at_ns)
    assert below.lower <= int((everything < at_ns + 1).sum())
    assert int((everything < at_ns - 1).sum()) <= below.upper
    for edge in (MS, 2 * MS, 4 * MS):
        assert merged.below(edge).lower == merged.below(edge).upper
    ranks = np.sort(everything)
    for rank in {1, ranks.size // 2 + 1, ranks.size}:
        found = merged.rank_bounds(rank)
        assert found.lower_ns <= int(ranks[rank - 1])
        assert found.upper_ns is None or int(ranks[rank - 1]) < found.upper_ns
    bounds = merged.bounds()
    assert float(bounds.early.at_ns @ bounds.early.ratio) <= float(everything.mean()) + 1e-6


def test_merging_within_tolerance_is_associative_and_says_what_it_is() -> None:
    one = recorded(np.array([MS - 1, MS]), ACT)
    two = recorded(np.array([MS, MS + 1]), AEROSPIKE)
    three = recorded(np.array([3 * MS]), ExplicitLayout((0, MS, 2 * MS, 4 * MS), open_ended=True))
    left = merged_within_tolerance(merged_within_tolerance(one, two), three)
    right = merged_within_tolerance(one, merged_within_tolerance(two, three))
    assert left.layout == right.layout == ExplicitLayout((0, MS, 2 * MS, 4 * MS), True, 1)
    assert left.cells.counts.tolist() == right.cells.counts.tolist() == [2, 2, 1]
    assert left.at_or_over(MS) == CountBounds(3, 3)
    assert left.rank_bounds(1) == TimeBounds(0, MS + 1)
    assert left.cells.lower_ns.tolist() == [0, MS, 2 * MS]
    assert layout_document(left.layout)["edge_tolerance_ns"] == 1
    exact = merged_within_tolerance(one, three)
    assert exact.edge_tolerance_ns == 0


def test_what_is_further_apart_is_not_merged() -> None:
    one = recorded(np.array([MS]), ACT)
    assert one.merged_with(one).count == 2
    with pytest.raises(LayoutsDiffer, match="may be 2 ns apart"):
        merged_within_tolerance(one, recorded(np.array([5]), ExplicitLayout((0, MS + 2, 2 * MS))))
    with pytest.raises(LayoutsDiffer, match="side by side"):
        merged_within_tolerance(recorded(np.array([5 * MS]), ACT), recorded(np.array([5]), AEROSPIKE))
    with pytest.raises(LayoutsDiffer, match="side by side"):
        merged_within_tolerance(one, recorded(np.array([5]), HdrLayout()))


def test_pins_near_a_tolerant_edge_are_answered_exactly() -> None:
    layout = ExplicitLayout((0, MS, 2 * MS), edge_tolerance_ns=1)
    # One operation of exactly 1 ms, which this tool counts as `<=1 ms`.
    dist = LatencyDist(
        layout, Counts(np.array([0, 1]), np.array([3, 2])), pins={MS: 3, 1_500_000: 1}, min_ns=9
    )
    assert dist.at_or_over(MS) == CountBounds(3, 3)
    assert dist.at_or_over(MS + 1) == CountBounds(2, 2)
    assert dist.at_or_over(1_500_000) == CountBounds(1, 1)


@given(st.lists(st.tuples(st.sampled_from(LAYOUTS), LATENCIES), min_size=1, max_size=4), TIMES)
@settings(deadline=None, max_examples=100)
def test_one_table_for_export_says_less_and_nothing_wrong(
    parts: list[tuple[Layout, list[int]]], at_ns: int
) -> None:
    records = [recorded(np.array(values), layout, summed=True, ends=True) for layout, values in parts]
    table = collapsed_to_common_edges(records)
    tolerance_ns = table.edge_tolerance_ns
    truth = np.concatenate([np.array(values) for _, values in parts])
    below = table.below(at_ns)
    assert below.lower <= int((truth < at_ns + tolerance_ns).sum())
    assert int((truth < at_ns - tolerance_ns).sum()) <= below.upper
    assert table.count == truth.size
    assert table.sum_ns == int(truth.sum())


def test_nested_layouts_keep_the_coarser_edges() -> None:
    values = np.array([130_000, 1_500_000, 2_600_000, 70_000_000])
    fine, coarse = recorded(values, HdrLayout()), recorded(values, HdrLayout(1_000, 2))
    table = collapsed_to_common_edges([fine, coarse])
    assert set(table.edges_ns().tolist()) <= set(coarse.edges_ns().tolist()) | set(fine.edges_ns().tolist())
    assert table.cells.counts.tolist() == [2, 2, 2, 2]
    assert table.cells.lower_ns.tolist() == coarse.cells.lower_ns.tolist()
    assert table.cells.upper_ns.tolist() == coarse.cells.upper_ns.tolist()
    with pytest.raises(DistributionEmpty):
        collapsed_to_common_edges([recorded(np.empty(0, np.int64), HdrLayout())])
