"""Layouts: which bucket holds a latency, how a layout is written down, which ones are added up."""

import numpy as np
import pytest
from backend.tests.domain.latency.samples import LAYOUTS, indices_of
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import CountBounds, LatencyDist
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.layouts import (
    NEVER_NS,
    BucketLayout,
    BucketsInvalid,
    ExplicitLayout,
    HdrLayout,
    HdrLayoutInvalid,
    Pow2Layout,
    layout_document,
    layout_of,
)

MS = 1_000_000
TIMES = st.one_of(
    st.integers(0, 10**10),
    st.sampled_from([at + step for at in (0, MS, 2 * MS, 4 * MS, 8 * MS) for step in (0, 1, 2)]),
)
LATENCIES = st.lists(TIMES, min_size=1, max_size=60)


@given(st.sampled_from(LAYOUTS), LATENCIES)
@settings(deadline=None, max_examples=120)
def test_a_latency_lies_in_its_bucket(layout: BucketLayout, latencies: list[int]) -> None:
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
    with pytest.raises(DomainError, match="lies in no bucket"):
        HdrLayout().index_of(np.array([-1]))
    for layout in (HdrLayout(), Pow2Layout(1), closed):
        with pytest.raises(DomainError, match="bucket -1"):
            layout.edges_ns(np.array([-1]))
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


def test_pins_near_a_tolerant_edge_are_answered_exactly() -> None:
    layout = ExplicitLayout((0, MS, 2 * MS), edge_tolerance_ns=1)
    # One operation of exactly 1 ms, which this tool counts as `<=1 ms`.
    dist = LatencyDist(
        layout, Counts(np.array([0, 1]), np.array([3, 2])), pins={MS: 3, 1_500_000: 1}, min_ns=9
    )
    assert dist.at_or_over(MS) == CountBounds(3, 3)
    assert dist.at_or_over(MS + 1) == CountBounds(2, 2)
    assert dist.at_or_over(1_500_000) == CountBounds(1, 1)
