"""Estimates of plans against exact answers: of one count, of random counts, of operations that never end."""

import numpy as np
import pytest
from backend.tests.domain.transactions.laws import MS, exponential, points
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import gammainc

from tailroom.domain.latency.bounds import LatencyBounds
from tailroom.domain.transactions.group_distributions import GroupDistributions
from tailroom.domain.transactions.plan import Plan, RandomCount, Scheduling, Stage
from tailroom.domain.transactions.plan_bounds import PlanBounds


def bounds_of(**laws: LatencyBounds) -> PlanBounds:
    """Return the bounds of operations with these distributions, in one group."""
    return PlanBounds(
        {name: GroupDistributions.from_bounds(law) for name, law in laws.items()}, np.ones(1), 1 << 14
    )


def estimate(bounds: PlanBounds, plan: Plan, time_ns: int) -> float:
    """Return the estimate where bounds leave everything open."""
    return float(bounds.estimate(plan, time_ns, np.zeros(1), np.ones(1))[0])


@pytest.mark.parametrize(("count", "time_ms"), [(2, 1), (2, 3), (20, 15), (20, 30)])
def test_a_sum_of_exponentials_is_a_gamma_distribution(count: int, time_ms: int) -> None:
    found = estimate(bounds_of(read=exponential(MS)), Plan.sequential("read", count), time_ms * MS)
    assert found == pytest.approx(gammainc(count, time_ms), abs=1e-3)


def test_random_counts_are_added_by_their_chances() -> None:
    weights = {2: 0.25, 5: 0.5, 20: 0.25}
    plan = Plan((Stage("read", RandomCount(weights)),))
    found = estimate(bounds_of(read=exponential(MS)), plan, 6 * MS)
    truth = sum(weight * gammainc(count, 6) for count, weight in weights.items())
    assert found == pytest.approx(truth, abs=1e-3)


def test_stages_of_several_operations_are_a_sum() -> None:
    plan = Plan((Stage("read", 3), Stage("write", 2)))
    bounds = bounds_of(read=exponential(MS), write=points([1], [1.0]))
    assert estimate(bounds, plan, 5 * MS) == pytest.approx(gammainc(3, 3), abs=1e-3)


def test_a_transaction_ends_where_all_its_operations_do() -> None:
    plan = Plan((Stage("read", RandomCount({1: 0.5, 3: 0.5})), Stage("write", 2)))
    bounds = bounds_of(read=points([1], [0.9]), write=points([1], [0.8]))
    assert bounds.ever(plan)[0] == pytest.approx((0.5 * 0.9 + 0.5 * 0.9**3) * 0.8**2)


@given(
    st.lists(st.integers(1, 40), min_size=1, max_size=6),
    st.integers(1, 60),
    st.integers(1, 12),
    st.integers(1, 12),
    st.integers(1, 2_000),
)
def test_more_workers_never_lower_the_bound(
    latencies: list[int], count: int, fewer: int, more: int, time_ms: int
) -> None:
    fewer, more = sorted((fewer, more))
    bounds = bounds_of(read=points(latencies, [1 / len(latencies)] * len(latencies)))

    def lower(fan_out: int, scheduling: Scheduling) -> float:
        plan = Plan((Stage("read", count, fan_out, scheduling),))
        return float(bounds.lower(plan, time_ms * MS // 4)[0])

    pool = lower(more, Scheduling.POOL)
    assert pool >= lower(fewer, Scheduling.POOL) - 1e-6
    assert pool >= lower(fewer, Scheduling.WAVES) - 1e-6
    assert lower(more, Scheduling.WAVES) >= lower(fewer, Scheduling.WAVES) - 1e-6
