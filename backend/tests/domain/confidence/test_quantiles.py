"""Quantiles and curves of records: limits that hold for the sample and the buckets together."""

import numpy as np
import pytest
from backend.bench.hdr_distributions import hdr_distribution
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.confidence.effective_samples import DesignEffect
from tailroom.domain.confidence.shares import (
    SampleInvalid,
    SampleSizeUnknown,
    quantile_interval,
    quantile_ranks,
    rank_bounds,
)
from tailroom.domain.latency.bounds import LatencyBounds
from tailroom.domain.latency.distribution import (
    CountBounds,
    DistributionEmpty,
    LatencyDist,
    Misses,
    TimeBounds,
)
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.layouts import ExplicitLayout, HdrLayout


def record_of(latencies_ns: np.typing.NDArray[np.int64], misses: Misses | None = None) -> LatencyDist:
    indices, counts = np.unique(HdrLayout().index_of(latencies_ns // 1000), return_counts=True)
    return hdr_distribution(Counts(indices, counts.astype(np.int64)), misses=misses)


class Published:
    """A record that is none of the room's own classes: it answers through the protocol only."""

    def __init__(self, dist: LatencyDist, total: int | None) -> None:
        self._dist, self.total = dist, total
        self.misses, self.mean_ns = dist.misses, None

    def cdf_bounds(self, time_ns: int) -> tuple[float, float]:
        return self._dist.cdf_bounds(time_ns)

    def at_or_over(self, threshold_ns: int) -> CountBounds:
        return self._dist.at_or_over(threshold_ns)

    def below_each(
        self, times_ns: np.typing.NDArray[np.int64]
    ) -> tuple[np.typing.NDArray[np.int64], np.typing.NDArray[np.int64]]:
        return self._dist.below_each(times_ns)

    def quantile_bounds(self, quantile: float) -> TimeBounds:
        return self._dist.quantile_bounds(quantile)

    def edges_ns(self) -> np.typing.NDArray[np.int64]:
        return self._dist.cells.lower_ns

    def bounds(self) -> LatencyBounds:
        return self._dist.bounds()


def test_the_interval_goes_from_bucket_edge_to_bucket_edge() -> None:
    latencies = np.random.default_rng(1).lognormal(np.log(1e6), 0.5, 5_000).astype(np.int64)
    found = quantile_interval(record_of(latencies), 0.99)
    ordered = np.sort(latencies)
    ranks = quantile_ranks(5_000, 0.99)
    assert ranks.upper is not None
    assert found.upper_ns is not None
    assert found.lower_ns <= ordered[ranks.lower - 1]
    assert ordered[ranks.upper - 1] < found.upper_ns
    assert found.lower_ns > ordered[ranks.lower - 1] * 0.998
    assert found.upper_ns < ordered[ranks.upper - 1] * 1.002


def test_the_true_quantile_is_covered() -> None:
    rng = np.random.default_rng(2)
    for quantile in (0.5, 0.95):
        truth = -np.log(1.0 - quantile) * 1e6
        inside = 0
        for _ in range(400):
            found = quantile_interval(record_of(rng.exponential(1e6, 600).astype(np.int64)), quantile)
            inside += found.lower_ns <= truth and (found.upper_ns is None or truth < found.upper_ns)
        assert inside / 400 >= 0.95 - 0.022


def test_misses_are_slower_than_any_limit() -> None:
    fast = np.full(1_000, 1_000_000, dtype=np.int64)
    assert quantile_interval(record_of(fast), 0.99).upper_ns is not None
    assert quantile_interval(record_of(fast, Misses(errors=30)), 0.99).upper_ns is None


def test_few_operations_have_no_limits_to_give() -> None:
    found = quantile_interval(record_of(np.array([5_000_000, 6_000_000])), 0.5)
    assert found == TimeBounds(0, None)


@given(st.integers(100, 3_000), st.sampled_from([0.5, 0.9, 0.99]), st.floats(1.0, 8.0))
@settings(max_examples=40, deadline=None)
def test_clumps_only_widen(total: int, quantile: float, factor: float) -> None:
    record = record_of(np.random.default_rng(total).exponential(1e6, total).astype(np.int64))
    free = quantile_interval(record, quantile)
    clumped = quantile_interval(record, quantile, effect_at=lambda _: DesignEffect(factor, 1.0))
    assert clumped.lower_ns <= free.lower_ns
    assert clumped.upper_ns is None or (free.upper_ns is not None and free.upper_ns <= clumped.upper_ns)


@given(st.lists(st.integers(0, 60), min_size=1, max_size=8), st.integers(0, 20))
@settings(max_examples=60, deadline=None)
def test_ranks_are_the_same_through_the_protocol(amounts: list[int], errors: int) -> None:
    edges = tuple(range(0, 1_000 * (len(amounts) + 1), 1_000))
    counts = Counts(np.arange(len(amounts)), np.array(amounts, dtype=np.int64))
    dist = LatencyDist(ExplicitLayout(edges), counts, misses=Misses(errors=errors))
    for rank in range(1, dist.total + 1):
        assert rank_bounds(Published(dist, dist.total), rank) == dist.rank_bounds(rank)


def test_without_a_number_of_operations_there_is_no_confidence() -> None:
    dist = record_of(np.array([1_000_000]))
    with pytest.raises(SampleSizeUnknown):
        quantile_interval(Published(dist, None), 0.5)
    with pytest.raises((SampleInvalid, DistributionEmpty)):
        quantile_interval(record_of(np.array([], dtype=np.int64)), 0.5)
    with pytest.raises(SampleInvalid):
        quantile_interval(dist, float("nan"))
