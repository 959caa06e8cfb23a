"""The dependence between operations of measured transactions, and guarantees by mean and largest latency."""

from dataclasses import replace

import numpy as np
import pytest
from backend.tests.domain.transactions.latencies import MS, points
from hypothesis import given
from hypothesis import strategies as st

from tailroom.domain.latency.distribution import LatencyDist, LatencyRecord, Misses
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.latency.layouts import ExplicitLayout, HdrLayout
from tailroom.domain.transactions.design_effects import agrees, dependence_factor, variance_inflation
from tailroom.domain.transactions.guarantees import MeanAndLargest, mean_guarantee
from tailroom.domain.transactions.plan import Plan, RandomCount, Stage

SECOND = 1000 * MS
TWO_POINTS = {"read": points([1, 8], [0.95, 0.05])}


def dist_of(latencies_ns: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> LatencyDist:
    layout = HdrLayout(1000, 3)
    indices, amounts = np.unique(layout.index_of(latencies_ns // 1000), return_counts=True)
    return LatencyDist(layout, Counts(indices, amounts.astype(np.int64)))


def test_a_ratio_to_nothing_says_nothing() -> None:
    assert dependence_factor(0.1, 1e-11) is None
    assert dependence_factor(0.3, 0.1) == pytest.approx(3.0)
    assert [agrees(factor) for factor in (0.49, 0.5, 2.0, 2.01)] == [False, True, True, False]
    assert variance_inflation(dist_of(np.array([MS])), points([1], [1.0]), 5) is None


def with_mean(mean_us: int, count: int = 1_000, misses: int = 0) -> LatencyDist:
    layout = ExplicitLayout((0, 10 * SECOND))
    counts = Counts(np.array([0]), np.array([count]))
    return LatencyDist(layout, counts, misses=Misses(errors=misses), sum_ns=mean_us * 1000 * count)


def means_of(**records: LatencyRecord) -> dict[str, MeanAndLargest]:
    return {
        name: MeanAndLargest.from_record(record, record.bounds().late) for name, record in records.items()
    }


def test_a_mean_guarantees_what_percentiles_cannot() -> None:
    """KIOXIA, workload A, read: mean 70.93 µs, p95 129 µs, p99 160 µs, and no number of operations."""
    published = KnotsRecord(
        ((129_000, 0.0, 0.95), (129_001, 0.95, 0.99), (160_000, 0.95, 0.99), (160_001, 0.99, 1.0)),
        mean_limits_ns=(70_930.0, 70_930.0),
    )
    plan = Plan.sequential("read", 250)
    assert mean_guarantee(plan, means_of(read=published), SECOND) == pytest.approx(0.982, abs=5e-4)


def test_a_mean_and_a_largest_latency_guarantee_more_than_a_mean() -> None:
    """Latencies of 0 or the largest have the most late sums of all with that mean: a binomial law."""
    largest_ns, count = 20 * MS, 250
    published = KnotsRecord(((10 * MS, 0.0, 1.0),), mean_limits_ns=(0.4 * MS, 0.4 * MS), max_ns=largest_ns)
    means = means_of(read=published)
    assert means["read"].largest_ns == pytest.approx(largest_ns, abs=1)
    for window_ms in (200, 300, 500, 1_000):
        guarantee = mean_guarantee(Plan.sequential("read", count), means, window_ms * MS)
        slow = np.random.default_rng(window_ms).binomial(count, 0.4 / 20, 200_000)
        in_time = float((slow * 20 <= window_ms).mean())
        assert 1 - 0.4 * count / window_ms < guarantee <= in_time + 0.002
    assert mean_guarantee(Plan.sequential("read", count), means, 500 * MS) > 0.999
    assert mean_guarantee(Plan.sequential("read", 10), means, 201 * MS) == 1.0
    without = replace(published, max_ns=None)
    assert mean_guarantee(Plan.sequential("read", count), means_of(read=without), 500 * MS) == pytest.approx(
        0.8
    )


@given(st.integers(1, 400), st.integers(1, 400), st.integers(1, 64), st.integers(1, 64))
def test_guarantees_by_means_fall_with_operations_and_rise_with_time(
    fewer: int, more: int, earlier_ms: int, later_ms: int
) -> None:
    published = KnotsRecord(((MS, 0.0, 1.0),), mean_limits_ns=(0.0, 0.2 * MS), max_ns=7 * MS)
    means = means_of(read=published)
    (few, many), (early, late) = sorted((fewer, more)), sorted((earlier_ms, later_ms))

    def share(count: int, time_ms: int) -> float:
        return mean_guarantee(Plan.sequential("read", count), means, time_ms * MS)

    assert share(many, early) <= share(few, early) + 1e-12
    assert share(many, early) <= share(many, late) + 1e-12


def test_means_of_stages_and_misses_count() -> None:
    records = {"read": with_mean(1_000), "write": with_mean(2_000, 990, misses=10)}
    assert with_mean(1_000).bounds().continuous
    guarantees = means_of(**records)
    plan = Plan((Stage("read", 100, overhead_ns=200 * MS), Stage("write", 50)))
    expected = 0.99**50 * (1 - (100 * 1.0 + 50 * 2.0) / 800)
    assert mean_guarantee(plan, guarantees, SECOND) == pytest.approx(expected, abs=1e-6)
    random = Plan((Stage("read", RandomCount({100: 0.5, 300: 0.5})),))
    assert mean_guarantee(random, guarantees, SECOND) == pytest.approx(1 - 0.2, abs=1e-6)
    assert mean_guarantee(plan, guarantees, 200 * MS) == 0.0
    assert mean_guarantee(Plan.sequential("read", 5_000), guarantees, SECOND) == 0.0
