"""What a record says for certain."""

import numpy as np
import pytest
from backend.bench.hdr_distributions import hdr_distribution
from backend.tests.domain.latency import samples
from backend.tests.domain.oracles import oracle
from backend.tests.domain.transactions.latencies import exact_latency
from hypothesis import example, given
from hypothesis import strategies as st

from tailroom.domain.latency.bounds import PointMassesInvalid
from tailroom.domain.latency.cells import PinsContradictBuckets
from tailroom.domain.latency.distribution import (
    CountBounds,
    DistributionEmpty,
    LatencyDist,
    Misses,
    SumOutsideBuckets,
    TimeBounds,
)
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.layouts import (
    BucketsInvalid,
    ExplicitLayout,
    HdrLayout,
    LayoutsDiffer,
    Pow2Layout,
)

LATENCIES = st.lists(st.integers(0, 5_000_000_000), min_size=1, max_size=200)
COARSE = ExplicitLayout((0, 1_000_000, 8_000_000, 64_000_000), open_ended=True)


def counts(indices: list[int], amounts: list[int]) -> Counts:
    return Counts(np.array(indices, dtype=np.int64), np.array(amounts, dtype=np.int64))


def recorded(latencies: list[int], pins: tuple[int, ...] = (), misses: Misses | None = None) -> LatencyDist:
    values = np.array(latencies, dtype=np.int64)
    return samples.recorded(values, HdrLayout(), pins, misses, summed=True, ends=True)


@given(LATENCIES, LATENCIES)
def test_merging_equals_recording_everything_at_once(first: list[int], second: list[int]) -> None:
    merged = recorded(first, (1_000_000,)).merged_with(recorded(second, (1_000_000, 2_000_000)))
    whole = recorded(first + second, (1_000_000,))
    assert merged.pins == whole.pins
    assert (merged.sum_ns, merged.min_ns, merged.max_ns) == (whole.sum_ns, whole.min_ns, whole.max_ns)
    assert merged.cells.lower_ns.tolist() == whole.cells.lower_ns.tolist()
    assert merged.cells.counts.tolist() == whole.cells.counts.tolist()


@example([0, 1, 1000])  # one nanosecond wide: nothing there can move towards the sum
@given(LATENCIES)
def test_laws_are_ordered_and_the_middle_one_meets_the_sum(latencies: list[int]) -> None:
    bounds = recorded(latencies).bounds()
    assert (bounds.early.at_ns <= bounds.middle.at_ns).all()
    assert (bounds.middle.at_ns <= bounds.late.at_ns).all()
    assert bounds.middle.mean_ns() == pytest.approx(sum(latencies) / len(latencies), rel=1e-9, abs=1e-6)


def test_misses_count_against_every_share() -> None:
    dist = recorded([500_000] * 98, (1_000_000,), Misses(errors=1, timeouts=1))
    assert dist.at_or_over(1_000_000) == CountBounds(2, 2)
    assert dist.cdf_bounds(10**12) == (0.98, 0.98)
    assert dist.quantile_bounds(0.99).upper_ns is None
    assert dist.quantile_bounds(0.98).upper_ns == 500_001


def test_an_open_bucket_has_no_upper_end_unless_the_maximum_is_known() -> None:
    assert LatencyDist(COARSE, counts([0, 3], [9, 1])).rank_bounds(10) == TimeBounds(64_000_000, None)
    closed = LatencyDist(COARSE, counts([0, 3], [9, 1]), max_ns=70_000_000)
    assert closed.rank_bounds(10) == TimeBounds(64_000_000, 70_000_001)


def test_act_buckets() -> None:
    given_, expected, _ = oracle("act-buckets")
    values = np.array(given_["dur_ns"], dtype=np.int64)
    assert samples.indices_of(values, Pow2Layout(1_000_000)).tolist() == expected["ms"]
    assert samples.indices_of(values, Pow2Layout(1_000)).tolist() == expected["us"]
    lower, upper = Pow2Layout(1_000_000).edges_ns(np.array([0, 1, 7]))
    assert lower.tolist() == [0, 1_000_000, 64_000_000]
    assert upper.tolist() == [1_000_000, 2_000_000, 128_000_000]


def test_records_that_contradict_themselves_are_refused() -> None:
    with pytest.raises(PinsContradictBuckets, match="below 2000000 ns"):
        _ = hdr_distribution(counts([1000], [10]), pins={2_000_000: 3}).cells
    with pytest.raises(SumOutsideBuckets, match="add up to 5 ns"):
        hdr_distribution(counts([1000], [10]), sum_ns=5)
    with pytest.raises(BucketsInvalid, match="negative"):
        hdr_distribution(counts([1000], [-1]))
    with pytest.raises(BucketsInvalid, match="ascend"):
        ExplicitLayout((0, 5, 5))
    with pytest.raises(LayoutsDiffer):
        hdr_distribution(counts([1], [1])).merged_with(LatencyDist(COARSE, counts([1], [1])))
    with pytest.raises(DistributionEmpty):
        hdr_distribution(counts([], [])).cdf_bounds(1)
    with pytest.raises(PointMassesInvalid, match="over 1"):
        exact_latency([1.0, 2.0], [0.7, 0.7])
    with pytest.raises(PointMassesInvalid, match="finite"):
        exact_latency([float("nan")], [0.7])


def test_buckets_one_nanosecond_wide_are_points() -> None:
    """Times are whole nanoseconds: such a record leaves nothing open, and the two laws are one."""
    layout = ExplicitLayout((1_000_000, 1_000_001, 8_000_000, 8_000_001))
    bounds = LatencyDist(layout, counts([0, 2], [95, 5])).bounds()
    assert not bounds.continuous
    for law in (bounds.early, bounds.middle, bounds.late):
        assert law.at_ns.tolist() == [1_000_000.0, 8_000_000.0]
    wider = LatencyDist(ExplicitLayout((1_000_000, 1_000_002)), counts([0], [1])).bounds()
    assert wider.continuous
    assert wider.late.at_ns.tolist() == [1_000_002.0]
