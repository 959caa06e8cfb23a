"""Largest numbers that fit, against the question asked for one more and one fewer."""

import math

import numpy as np
import pytest
from backend.tests.domain.transactions.laws import MS, act_drive, exponential, points
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.latency.bounds import LatencyBounds
from tailroom.domain.transactions.composition import transaction_within
from tailroom.domain.transactions.grid import TransactionInvalid
from tailroom.domain.transactions.largest import largest_count
from tailroom.domain.transactions.plan import COUNT_LIMIT, Plan, PlanInvalid, Scheduling, Stage

TWO_POINTS = {"read": points([1, 8], [0.95, 0.05])}


def one(scheduling: Scheduling, fan_out: int = 1, overhead_ns: int = 0) -> Plan:
    return Plan((Stage("read", 1, fan_out, scheduling, overhead_ns),))


@pytest.mark.parametrize(("window_ms", "count"), [(350, 203), (500, 304), (1000, 644)])
def test_sequential_two_points(window_ms: int, count: int) -> None:
    found = largest_count(one(Scheduling.SEQUENTIAL), TWO_POINTS, window_ms * MS, 0.999)
    assert (found.guaranteed, found.possible) == (count, count)
    shifted = one(Scheduling.SEQUENTIAL, overhead_ns=77 * MS)
    found = largest_count(shifted, TWO_POINTS, (window_ms + 77) * MS, 0.999)
    assert (found.guaranteed, found.possible) == (count, count)


@pytest.mark.parametrize(
    ("over", "objective", "count"), [(5e-5, 0.999, 20), (1e-4, 0.99, 100), (0.0005, 0.9, 210), (0.5, 0.2, 2)]
)
def test_at_once_closed_form(over: float, objective: float, count: int) -> None:
    laws = {"read": points([1, 80], [1 - over, over])}
    found = largest_count(one(Scheduling.PARALLEL), laws, 10 * MS, objective)
    assert (found.guaranteed, found.possible) == (count, count)
    assert (1 - over) ** count >= objective * (1 - 1e-12)
    assert math.floor(math.log(objective) / math.log1p(-over) + 1e-9) == count


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.integers(1, 30), min_size=1, max_size=5),
    st.sampled_from(
        [(Scheduling.SEQUENTIAL, 1), (Scheduling.WAVES, 3), (Scheduling.WAVES, 7), (Scheduling.POOL, 4)]
    ),
    st.sampled_from([0.5, 0.9, 0.999]),
)
def test_one_more_does_not_fit(steps: list[int], how: tuple[Scheduling, int], objective: float) -> None:
    laws = {"read": points(steps, [1 / len(steps)] * len(steps))}
    plan, window_ns = one(*how), 60 * MS
    found = largest_count(plan, laws, window_ns, objective)
    assert found.possible is not None
    assert found.guaranteed <= found.possible
    if found.guaranteed:
        ends = transaction_within(plan.with_count(found.guaranteed), laws, window_ns, replications=50)
        assert ends[0] >= objective - 1e-9
    more = transaction_within(plan.with_count(found.guaranteed + 1), laws, window_ns, replications=50)
    assert more[0] < objective + 1e-9
    beyond = transaction_within(plan.with_count(found.possible + 1), laws, window_ns, replications=50)
    assert beyond[2] < objective + 1e-9


def test_a_pool_fits_more_than_waves() -> None:
    laws = {"read": exponential(MS, 4_000)}
    waves = largest_count(one(Scheduling.WAVES, 10), laws, 60 * MS, 0.99)
    pool = largest_count(one(Scheduling.POOL, 10), laws, 60 * MS, 0.99, 1 << 12)
    assert pool.guaranteed > 2 * waves.guaranteed
    assert pool.possible is not None
    assert pool.guaranteed < pool.possible


def test_no_limit_and_no_room() -> None:
    laws = {"read": LatencyBounds.from_points([0.0], [1.0])}
    found = largest_count(one(Scheduling.SEQUENTIAL), laws, MS, 0.999)
    assert (found.guaranteed, found.possible) == (COUNT_LIMIT, None)
    found = largest_count(one(Scheduling.SEQUENTIAL, overhead_ns=5 * MS), TWO_POINTS, 5 * MS, 0.999)
    assert (found.guaranteed, found.possible) == (0, 0)
    # One read in a thousand lies in the open bucket: no more than one is guaranteed, whatever the window.
    act = {"read": act_drive().bounds()}
    assert largest_count(one(Scheduling.PARALLEL), act, 100 * MS, 0.999).guaranteed == 1
    assert largest_count(one(Scheduling.PARALLEL), act, 64 * MS, 0.9999).possible == 0


def test_questions_without_an_answer() -> None:
    with pytest.raises(PlanInvalid, match="2 stages"):
        largest_count(Plan((Stage("read", 1), Stage("read", 1))), TWO_POINTS, MS, 0.9)
    for objective in (0.0, 1.0, float("nan"), -0.5):
        with pytest.raises(TransactionInvalid, match="between 0 and 1"):
            largest_count(one(Scheduling.SEQUENTIAL), TWO_POINTS, MS, objective)
    assert np.isfinite(largest_count(one(Scheduling.SEQUENTIAL), TWO_POINTS, MS, 0.9).guaranteed)
