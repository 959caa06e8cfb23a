"""Bounds over every dependence, against couplings made to be as bad, or as good, as possible."""

import itertools

import numpy as np
import pytest
from backend.tests.domain.transactions.latencies import MS, exponential, list_schedule, points, share_within
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from tailroom.domain.latency.bounds import PointMasses
from tailroom.domain.transactions.plan import Plan, Scheduling, Stage
from tailroom.domain.transactions.worst_case import (
    sum_over,
    sum_within,
    worst_case_dependence,
)

VALUES = st.lists(st.integers(0, 20), min_size=1, max_size=4, unique=True)


def extreme_coupling(values: list[int], ratio: list[float], count: int, limit: int, *, most: bool) -> float:
    """Largest P(S > limit), or P(S ≤ limit), over all joint laws with these margins: a linear programme."""
    cells = list(itertools.product(range(len(values)), repeat=count))
    hit = np.array([(sum(values[i] for i in cell) > limit) == most for cell in cells], dtype=float)
    margins = [
        [float(cell[place] == value) for cell in cells]
        for place in range(count)
        for value in range(len(values))
    ]
    solved = linprog(-hit, A_eq=np.array(margins), b_eq=np.array(list(ratio) * count), bounds=(0, None))
    assert solved.status == 0
    return float(-solved.fun)


@settings(max_examples=60, deadline=None)
@given(VALUES, st.integers(2, 4), st.integers(0, 50), st.randoms(use_true_random=False))
def test_no_coupling_is_worse_or_better(values: list[int], count: int, limit: int, random: object) -> None:
    shares = np.random.default_rng(len(values) * 1000 + limit).dirichlet([1.0] * len(values))
    law = PointMasses(np.array(values, dtype=float), shares)
    worst = extreme_coupling(values, shares.tolist(), count, limit, most=True)
    assert sum_over(law, count, limit) >= worst - 1e-9
    best = extreme_coupling(values, shares.tolist(), count, limit, most=False)
    assert sum_within(law, count, limit) >= best - 1e-9


@pytest.mark.parametrize("limit", [-1, 0, 4, 5, 6, 9, 10, 11])
def test_of_a_single_operation_the_bounds_are_its_distribution(limit: int) -> None:
    law = PointMasses(np.array([5.0, 10.0]), np.array([0.7, 0.2]))
    below = float(law.ratio[law.at_ns <= limit].sum())
    assert sum_over(law, 1, limit) == pytest.approx(1.0 - below)
    assert sum_within(law, 1, limit) == pytest.approx(below)


def test_dual_bound_is_reached_where_slow_operations_come_together_as_badly_as_they_can() -> None:
    # Two operations, 0 or 10: both late together or apart, one of them is enough to be over 9.
    law = PointMasses(np.array([0.0, 10.0]), np.array([0.9, 0.1]))
    assert sum_over(law, 2, 9) == pytest.approx(0.2)
    assert sum_over(law, 2, 10) == pytest.approx(0.1, abs=0.1)
    assert sum_over(law, 2, 19) == pytest.approx(0.1)
    assert sum_over(law, 2, 20) == pytest.approx(0.0, abs=1e-12)
    assert sum_over(law, 2, 0) == 1.0
    # Never more than Markov's bound on the whole sum.
    mean = 250 * 1.35
    two = points([1, 8], [0.95, 0.05]).late
    for window_ms in (400, 700, 1000):
        assert sum_over(two, 250, window_ms * MS) <= mean / window_ms + 1e-9
    assert sum_over(two, 250, 300 * MS) == 1.0
    assert sum_over(two, 250, 2_000 * MS) == 0.0


def test_dual_bound_of_an_exponential_law_is_the_published_formula() -> None:
    # docs/method.md 1.5: inf over r of N ∫_r^{s−(N−1)r} F̄ / (s − N r), here by brute force on a smooth law.
    count, limit = 10, 60.0
    r = np.linspace(0.0, limit / count, 400_000, endpoint=False)
    formula = count * (np.exp(-r) - np.exp(-(limit - (count - 1) * r))) / (limit - count * r)
    law = exponential(float(MS), 40_000).late
    assert sum_over(law, count, round(limit * MS)) == pytest.approx(float(formula.min()), rel=5e-3)
    assert sum_over(law, count, round(limit * MS)) >= float(formula.min()) * (1 - 1e-6)


def test_comonotone_and_independent_operations_lie_within() -> None:
    bounds = points([1, 8], [0.95, 0.05])
    for stage in (
        Stage("read", 20),
        Stage("read", 20, 1, Scheduling.PARALLEL),
        Stage("read", 20, 4, Scheduling.WAVES),
        Stage("read", 20, 4, Scheduling.POOL),
    ):
        plan = Plan((stage,))
        for window_ms in (3, 7, 12, 30, 60, 120, 170):
            found = worst_case_dependence(plan, {"read": bounds}, window_ms * MS)
            # All 20 alike: 20 or 160 ms one after the other, 1 or 8 ms at once, 5 or 40 ms in a pool.
            at_once = {Scheduling.SEQUENTIAL: 20, Scheduling.PARALLEL: 1}.get(stage.scheduling, 5)
            alike = 0.95 * (at_once <= window_ms) + 0.05 * (8 * at_once <= window_ms)
            assert found.lower <= alike + 1e-9
            assert alike <= found.upper + 1e-9
            free = share_within(plan, {"read": bounds}, window_ms * MS, 1 << 12)
            assert found.lower <= free[2]
            assert free[0] <= found.upper + 1e-9


def test_a_pool_with_one_stall_at_most_is_safe_under_any_dependence() -> None:
    law = points([1, 30], [1 - 1e-6, 1e-6])
    plan = Plan((Stage("read", 250, 10, Scheduling.POOL),))
    found = worst_case_dependence(plan, {"read": law}, 60 * MS)
    assert found.lower > 0.999
    assert list_schedule([1.0] * 249 + [30.0], 10) <= 60
    # The sum of all 250 says nothing of the kind.
    assert sum_over(law.late, 250, 60 * MS) == 1.0


def test_stages_share_the_window() -> None:
    laws = {"read": points([1, 8], [0.999, 0.001]), "write": points([2, 40], [0.9999, 0.0001])}
    plan = Plan((Stage("read", 20, overhead_ns=5 * MS), Stage("write", 5, 1, Scheduling.PARALLEL)))
    found = worst_case_dependence(plan, laws, 100 * MS)
    assert 0.9 < found.lower <= share_within(plan, laws, 100 * MS)[0] + 1e-6
    assert worst_case_dependence(plan, laws, 4 * MS).upper == 0.0


def test_misses_count_in_every_dependence() -> None:
    law = PointMasses(np.array([1.0]), np.array([0.99]))
    assert sum_over(law, 10, 10**6) == pytest.approx(0.1, abs=1e-5)
    assert sum_over(law, 250, 10**6) == 1.0
    assert sum_within(law, 10, 1e6) == pytest.approx(0.99)
