"""A work-conserving pool: the simulation against the exact law, and the bounds against the simulation."""

import numpy as np
import pytest
from backend.bench.exact_plans.composition import transaction_curves, transaction_within
from backend.bench.exact_plans.pool import affordable_replications, simulate_pool
from backend.tests.domain.transactions.laws import MS, exact_latency, exponential, list_schedule, points
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import expm

from tailroom.domain.latency.bounds import PointMasses
from tailroom.domain.transactions.grid import TransactionInvalid
from tailroom.domain.transactions.plan import Plan, Scheduling, Stage


def pool(count: int, fan_out: int) -> Plan:
    return Plan((Stage("read", count, fan_out, Scheduling.POOL),))


def exponential_pool_within(count: int, workers: int, time: float) -> float:
    """Erlang(N − k, k) + Σ Exp(i), i = 1 … k, as a chain that ends one operation at a time."""
    rates = [float(workers)] * (count - workers) + [float(rate) for rate in range(workers, 0, -1)]
    generator = np.diag([-rate for rate in rates]) + np.diag(rates[:-1], 1)
    return 1.0 - float(expm(generator * time)[0].sum())


@pytest.mark.parametrize("time_ms", [24, 26, 27, 29, 31])
def test_simulated_share_of_exponential_operations(time_ms: int) -> None:
    truth = exponential_pool_within(250, 10, time_ms)
    share, error = simulate_pool(exponential(MS).middle, 250, 10).within(time_ms * MS)
    assert abs(share - truth) < 4.0 * error
    lower, estimate, upper = transaction_within(pool(250, 10), {"read": exponential(MS)}, time_ms * MS)
    assert lower <= truth <= upper
    assert abs(estimate - truth) < 4.0 * error + 1e-3


def test_guarantee_of_a_pool_is_far_better_than_waves() -> None:
    laws = {"read": exponential(MS)}
    waves = Plan((Stage("read", 250, 10, Scheduling.WAVES),))
    assert transaction_within(waves, laws, 40 * MS)[0] < 1e-9
    assert transaction_within(pool(250, 10), laws, 40 * MS)[0] > 0.998


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(0.01, 1e6), min_size=1, max_size=40),
    st.integers(1, 12),
    st.randoms(use_true_random=False),
)
def test_every_path_lies_between_its_bounds(latencies: list[float], workers: int, order: object) -> None:
    taken = list_schedule(latencies, workers)
    total, slowest = sum(latencies), max(latencies)
    waves = sum(max(latencies[at : at + workers]) for at in range(0, len(latencies), workers))
    tiny = 1e-9 * total
    assert max(total / workers, slowest) <= taken + tiny
    assert taken <= waves + tiny
    assert taken <= total / workers + (1 - 1 / workers) * slowest + tiny


def test_simulation_schedules_like_a_pool() -> None:
    rng = np.random.default_rng(5)
    law = PointMasses(np.array([1.0, 7.0, 40.0]), np.array([0.7, 0.2, 0.1]))
    simulated = simulate_pool(law, 12, 3, replications=40_000, seed=1)
    paths = rng.choice(law.at_ns, (20_000, 12), p=law.ratio)
    stepwise = np.array([list_schedule(path.tolist(), 3) for path in paths])
    for time in (20.0, 45.0, 60.0, 90.0):
        share, error = simulated.within(time)
        assert abs(share - float((stepwise <= time).mean())) < 6.0 * error


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, 60), min_size=1, max_size=6), st.integers(2, 40), st.integers(2, 9))
def test_bounds_enclose_the_simulation(steps: list[int], count: int, fan_out: int) -> None:
    bounds = points(steps, [1 / len(steps)] * len(steps))
    window_ns = int(np.mean(steps) * count / fan_out + max(steps)) * MS
    lower, estimate, upper = transaction_within(pool(count, fan_out), {"read": bounds}, window_ns, 1 << 12)
    share, error = simulate_pool(bounds.middle, count, fan_out, replications=4_000, seed=3).within(window_ns)
    assert lower - 5.0 * error <= share <= upper + 5.0 * error
    assert lower <= estimate <= upper


def test_operations_without_answer_are_never_in_time() -> None:
    law = PointMasses(np.array([1.0]), np.array([0.9]))
    simulated = simulate_pool(law, 5, 2, replications=20_000)
    share, error = simulated.within(1e9)
    assert abs(share - 0.9**5) < 4.0 * error
    assert simulated.mean_ns == float("inf")


@pytest.mark.parametrize(("count", "fan_out"), [(0, 3), (3, 0)])
def test_pools_that_cannot_be(count: int, fan_out: int) -> None:
    with pytest.raises(TransactionInvalid):
        simulate_pool(exact_latency([1.0], [1.0]).middle, count, fan_out)


def test_many_workers_schedule_like_few() -> None:
    law = PointMasses(np.array([1.0, 7.0, 40.0]), np.array([0.7, 0.2, 0.1]))
    rng = np.random.default_rng(9)
    simulated = simulate_pool(law, 90, 40, replications=20_000)
    paths = rng.choice(law.at_ns, (4_000, 90), p=law.ratio)
    stepwise = np.array([list_schedule(path.tolist(), 40) for path in paths])
    for time in (40.0, 44.0, 48.0):
        share, error = simulated.within(time)
        assert abs(share - float((stepwise <= time).mean())) < 5.0 * error + 0.03


def test_pools_too_large_to_simulate_still_have_certain_bounds() -> None:
    assert affordable_replications(250, 10, 20_000) == 20_000
    assert 0 < affordable_replications(1_000, 100, 20_000) < 20_000
    assert affordable_replications(1_000_000, 3, 20_000) == 0
    assert affordable_replications(20_000, 5_000, 20_000) == 0
    curves = transaction_curves(pool(100_000, 50), {"read": points([1, 3], [0.9, 0.1])}, 2_600 * MS, 1 << 12)
    lower, estimate, upper = curves.within(2_600 * MS)
    assert curves.replications == 0
    assert lower <= estimate <= upper
