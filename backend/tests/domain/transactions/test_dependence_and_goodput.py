"""What dependence does to measured transactions, what time is left, and what the means guarantee."""

import numpy as np
import pytest
from backend.bench.exact_plans.composition import records_within, transaction_within
from backend.tests.domain.transactions.laws import MS, points

from tailroom.domain.latency.distribution import LatencyDist, Misses
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.latency.layouts import ExplicitLayout
from tailroom.domain.transactions.dependence import agrees, dependence_factor, variance_inflation
from tailroom.domain.transactions.guarantees import mean_guarantee
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


def test_a_mean_guarantees_what_percentiles_cannot() -> None:
    """KIOXIA, workload A, read: mean 70.93 µs, p95 129 µs, p99 160 µs, and no number of operations."""
    published = KnotsRecord(
        ((129_000, 0.0, 0.95), (129_001, 0.95, 0.99), (160_000, 0.95, 0.99), (160_001, 0.99, 1.0)),
        mean_limits_ns=(70_930.0, 70_930.0),
    )
    plan = Plan.sequential("read", 250)
    assert mean_guarantee(plan, {"read": published}, SECOND) == pytest.approx(0.982, abs=5e-4)
    lower, estimate, upper = records_within(plan, {"read": published}, SECOND)
    assert transaction_within(plan, {"read": published.bounds()}, SECOND)[0] < lower
    assert lower == pytest.approx(0.982, abs=5e-4)
    assert lower <= estimate <= upper


def test_means_of_stages_and_misses_count() -> None:
    records = {"read": with_mean(1_000), "write": with_mean(2_000, 990, misses=10)}
    assert with_mean(1_000).bounds().continuous
    plan = Plan((Stage("read", 100, overhead_ns=200 * MS), Stage("write", 50)))
    means = [record.mean_ns for record in records.values()]
    if any(mean is None for mean in means):
        pytest.fail("an exact sum is a mean")
    expected = 0.99**50 * (1 - (100 * 1.0 + 50 * 2.0) / 800)
    assert mean_guarantee(plan, records, SECOND) == pytest.approx(expected, abs=1e-6)
    random = Plan((Stage("read", RandomCount({100: 0.5, 300: 0.5})),))
    assert mean_guarantee(random, records, SECOND) == pytest.approx(1 - 0.2, abs=1e-6)
    assert mean_guarantee(plan, records, 200 * MS) == 0.0
    assert mean_guarantee(Plan.sequential("read", 5_000), records, SECOND) == 0.0
