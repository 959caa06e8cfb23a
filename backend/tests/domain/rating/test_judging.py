"""Many tests judged at once: rounding, confidence, every hour; labels of old versions; transactions."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tailroom.domain.rating.judging import (
    UNKNOWN,
    Basis,
    Doubt,
    Knots,
    State,
    TestFacts,
    Why,
    as_timed,
    judge_limits,
    knots_of,
)
from tailroom.domain.rating.late_transactions import independent_late, late_shares
from tailroom.domain.transactions.plan import Plan, Scheduling, Stage
from tailroom.domain.units import NS_PER_HOUR, NS_PER_MS, NS_PER_S
from tailroom.domain.verdicts.budget import ACT_LIMITS_1, ACT_PERFORMANCE_1
from tailroom.domain.verdicts.budget_kinds import TransactionBudget

ACT, DAY = ACT_PERFORMANCE_1, ACT_LIMITS_1
Shares = list[tuple[int, float, float]]


def knots(*tests: Shares) -> Knots:
    """Shares at milliseconds; confidence as wide as rounding."""
    return knots_of(
        [np.array([at * NS_PER_MS for at, _, _ in one], np.int64) for one in tests],
        [
            np.array([[low, high] * 2 + [0.0, 1.0] for _, low, high in one], np.float64).T.reshape(
                6, len(one)
            )
            for one in tests
        ],
    )


def facts(size: int, **changes: object) -> TestFacts:
    values = {
        "is_published": np.ones(size, np.bool_),
        "duration_ns": np.full(size, UNKNOWN, np.int64),
        "full_hours": np.full(size, UNKNOWN, np.int64),
        "doubt": np.zeros(size, np.int8),
        "device_failed": np.zeros(size, np.bool_),
    }
    return TestFacts(**{name: np.asarray(changes.get(name, value)) for name, value in values.items()})


def rounded(*percent: tuple[float, float]) -> Shares:
    return [(at, low / 100, high / 100) for at, (low, high) in zip((1, 8, 64), percent, strict=True)]


def test_rounding_decides_and_a_printed_limit_decides_nothing() -> None:
    held = rounded((1.55, 1.65), (0, 0.005), (0, 0.005))
    missed = rounded((5.35, 5.45), (0, 0.005), (0, 0.005))
    boundary = rounded((1.0, 1.1), (0.355, 0.365), (0.05, 0.15))
    found = judge_limits(knots(held, missed, boundary), facts(3), ACT)
    assert found.state.tolist() == [State.PASSED, State.FAILED, State.UNDECIDED]
    assert found.why.tolist() == [Why.DECIDED, Why.DECIDED, Why.RESOLUTION]
    assert set(found.basis.tolist()) == {Basis.WHOLE_RUN}


def test_limits_are_strict() -> None:
    exact = [(1, 0.05, 0.05), (8, 0.0, 0.0), (64, 0.0, 0.0)]
    assert judge_limits(knots(exact), facts(1), DAY).state.tolist() == [State.FAILED]
    below = [(1, 0.049999, 0.049999), (8, 0.0, 0.0), (64, 0.0, 0.0)]
    assert judge_limits(knots(below), facts(1), DAY).state.tolist() == [State.PASSED]


def test_a_test_that_is_shorter_than_the_rules_ask_can_fail_and_not_pass() -> None:
    held, missed = rounded((1, 1.1), (0, 0), (0, 0)), rounded((9, 9.1), (0, 0), (0, 0))
    found = judge_limits(knots(held, missed), facts(2, duration_ns=[NS_PER_HOUR] * 2), ACT)
    assert found.state.tolist() == [State.UNDECIDED, State.FAILED]
    assert found.why.tolist() == [Why.DURATION, Why.DECIDED]
    assert judge_limits(knots(held), facts(1, duration_ns=[NS_PER_HOUR]), DAY).state.tolist() == [
        State.PASSED
    ]


def counted(worst: float, over: float = 0.01) -> Knots:
    shape = np.array([[over] * 3, [over] * 3, [over * 0.9] * 3, [over * 1.1] * 3, [worst] * 3, [worst] * 3])
    limits = np.array([0.05, 0.01, 0.001])
    return knots_of([np.array([1, 8, 64]) * NS_PER_MS], [shape * limits / 0.05])


@pytest.mark.parametrize(
    ("worst", "changes", "state", "why"),
    [
        (0.049, {}, State.PASSED, Why.DECIDED),
        (0.051, {}, State.FAILED, Why.DECIDED),
        (0.049, {"duration_ns": [5 * NS_PER_HOUR], "full_hours": [5]}, State.UNDECIDED, Why.DURATION),
        (0.049, {"full_hours": [23]}, State.UNDECIDED, Why.GENERATOR),
        (0.049, {"doubt": [Doubt.NO_PASS]}, State.UNDECIDED, Why.GENERATOR),
        (0.051, {"doubt": [Doubt.NO_PASS]}, State.FAILED, Why.DECIDED),
        (0.051, {"doubt": [Doubt.NO_VERDICT]}, State.UNDECIDED, Why.GENERATOR),
        (0.049, {"device_failed": [True]}, State.FAILED, Why.DECIDED),
        (0.049, {"full_hours": [UNKNOWN]}, State.UNDECIDED, Why.RESOLUTION),
    ],
)
def test_every_full_hour_of_a_run_of_ours(
    worst: float, changes: dict[str, object], state: State, why: Why
) -> None:
    run = {"is_published": [False], "duration_ns": [24 * NS_PER_HOUR], "full_hours": [24]} | changes
    found = judge_limits(counted(worst), facts(1, **run), ACT)
    assert (found.state[0], found.why[0]) == (state, why)


def test_between_thresholds_a_share_lies_between_its_neighbours() -> None:
    found = knots(rounded((5, 5.1), (1, 1.1), (0.1, 0.2)), [(2, 0.3, 0.4)])
    assert found.bounds(4 * NS_PER_MS)[:2].T.tolist() == [[0.01, pytest.approx(0.051)], [0.0, 0.4]]
    assert found.bounds(NS_PER_MS)[:2].T.tolist() == [[0.05, pytest.approx(0.051)], [0.3, 1.0]]
    assert found.bounds(NS_PER_S)[:2].T.tolist() == [[0.0, 0.002], [0.0, 0.4]]


@given(
    st.lists(st.dictionaries(st.integers(1, 200), st.floats(0, 1), max_size=6), min_size=1, max_size=6),
    st.integers(0, 210),
)
def test_bounds_hold_for_every_law_through_the_knots(tests: list[dict[int, float]], at: int) -> None:
    """A law that falls and goes through all knots of a test lies within the bounds everywhere."""
    laws = []
    for one in tests:
        times = sorted(one)
        shares = sorted(one.values(), reverse=True)
        laws.append(list(zip(times, shares, shares, strict=True)))
    bounds = knots(*laws).bounds(at * NS_PER_MS)
    for number, law in enumerate(laws):
        lower, upper = bounds[0, number], bounds[1, number]
        assert lower <= upper
        assert all(lower >= share for time, share, _ in law if time >= at)
        assert all(upper <= share for time, share, _ in law if time <= at)


def test_labels_of_old_versions_stand_where_the_clock_allows() -> None:
    printed = rounded((3, 3.1), (0.4, 0.5), (0, 0.1))
    found = as_timed(knots(printed, printed), np.array([True, False]))
    assert found.bounds(NS_PER_MS)[:2, 0].tolist() == [0.03, 1.0]
    assert found.bounds(2 * NS_PER_MS)[:2, 0].tolist() == [0.004, pytest.approx(0.031)]
    assert found.bounds(8 * NS_PER_MS)[:2, 0].tolist() == [0.004, pytest.approx(0.031)]
    assert found.bounds(16 * NS_PER_MS)[:2, 0].tolist() == [0.0, 0.005]
    assert found.bounds(NS_PER_MS)[:2, 1].tolist() == [0.03, pytest.approx(0.031)]
    assert found.bounds(128 * NS_PER_MS)[1, 0] == 0.001


def budget(reads: int, window_ns: int, objective: float = 0.999) -> TransactionBudget:
    return TransactionBudget(
        name="own",
        version=1,
        title="t",
        question="q",
        plan=Plan.sequential("read", reads),
        window_ns=window_ns,
        objective_ratio=objective,
    )


def test_late_transactions_whatever_depends_on_what() -> None:
    good = [(1, 0.0, 1e-6), (64, 0.0, 1e-6)]
    bad = [(1, 0.5, 0.6), (64, 0.1, 0.11)]
    found = late_shares(knots(good, bad), budget(250, NS_PER_S))
    assert found[:2, 0].tolist() == [0.0, pytest.approx(250e-6)]
    assert found[:2, 1].tolist() == [0.0, 1.0]
    assert late_shares(knots(bad), budget(10, 20 * NS_PER_MS))[:2, 0].tolist() == [0.1, 1.0]


def test_what_even_a_judge_could_not_decide() -> None:
    act_like = rounded((1.5, 1.6), (0, 0.005), (0, 0.005))
    terrible = rounded((59, 60), (21, 22), (10.9, 10.95))
    clear = [(1, 0.0, 1e-4), (500, 0.0, 1e-9)]
    found = independent_late(knots(act_like, terrible, clear), budget(250, NS_PER_S))
    assert found.is_hopeless(0.001).tolist() == [True, False, False]
    assert found.fails(0.001).tolist() == [False, True, False]
    parallel = TransactionBudget(
        name="own",
        version=1,
        title="t",
        question="q",
        plan=Plan((Stage("read", 250, fan_out=250, scheduling=Scheduling.PARALLEL),)),
        window_ns=NS_PER_MS,
        objective_ratio=0.999,
    )
    at_once = independent_late(knots([(1, 1e-5, 1e-5), (2, 1e-5, 1e-5)]), parallel)
    assert at_once.fastest[0, 0] == pytest.approx(0.0025, rel=0.01)
    assert at_once.slowest[1, 0] == pytest.approx(0.0025, rel=0.01)


@given(
    st.lists(st.tuples(st.integers(1, 900), st.floats(0, 1)), min_size=1, max_size=5),
    st.integers(1, 60),
    st.sampled_from([0.5, 0.9, 0.999]),
)
@example([(74, 1.0)], 2, 0.5)
@example([(1, 0.0), (74, 1.0)], 2, 0.5)
@settings(max_examples=400)
def test_bounds_of_independent_reads_hold_what_convolution_says(
    drawn: list[tuple[int, float]], reads: int, objective: float
) -> None:
    """Of every law through the knots: here the fastest and the slowest, on a grid of 1 ms."""
    times = sorted({time for time, _ in drawn})
    shares = sorted((share for _, share in drawn), reverse=True)[: len(times)]
    found = independent_late(
        knots(list(zip(times, shares, shares, strict=True))), budget(reads, NS_PER_S, objective)
    )
    fast = _late([0, *times], [1.0, *shares], reads)
    slow = _late([*times, 5_000], [1.0, *shares], reads)
    assert found.fastest[0, 0] - 1e-9 <= fast <= found.fastest[1, 0] + 1e-9
    assert found.slowest[0, 0] - 1e-9 <= slow <= found.slowest[1, 0] + 1e-9
    assert found.fastest[0, 0] <= found.slowest[1, 0] + 1e-9


def _late(places_ms: list[int], over: list[float], reads: int) -> float:
    """P(S > 1 s) of so many independent reads that take `places_ms[i]` with what `over` leaves there."""
    law = np.zeros(1_001)
    for place, share, beyond in zip(places_ms, over, [*over[1:], 0.0], strict=True):
        if place <= 1_000:
            law[place] += share - beyond
    total = np.zeros(1_001)
    total[0] = 1.0
    for _ in range(reads):
        total = np.convolve(total, law)[:1_001]
    return 1.0 - float(total.sum())


def in_doubt(lower: float, upper: float, hour: tuple[float, float] = (0.0, 1.0)) -> Knots:
    """A share at 1 ms between what it is with slices in doubt at their best, and as recorded."""
    ends = np.array([[lower, upper, lower, upper, *hour]] + [[0.0, 0.0, 0.0, 0.0, 0.0, 0.0]] * 2).T
    return knots_of([np.array([1, 8, 64], np.int64) * NS_PER_MS], [ends])


@pytest.mark.parametrize(
    ("ends", "state", "why"),
    [
        ((0.01, 0.02), State.PASSED, Why.DECIDED),
        ((0.01, 0.09), State.UNDECIDED, Why.GENERATOR),
        ((0.06, 0.09), State.FAILED, Why.DECIDED),
    ],
)
def test_slices_in_doubt_take_nothing_but_a_fail_away(
    ends: tuple[float, float], state: State, why: Why
) -> None:
    doubt = np.array([Doubt.NO_FAIL])
    whole = judge_limits(in_doubt(*ends), facts(1, doubt=doubt, is_published=[False]), DAY)
    assert (whole.state.tolist(), whole.why.tolist()) == ([state], [why])
    day = {"duration_ns": [24 * NS_PER_HOUR], "full_hours": [24], "is_published": [False]}
    hours = judge_limits(in_doubt(0.0, 0.04, ends), facts(1, doubt=doubt, **day), ACT)
    assert (hours.state.tolist(), hours.why.tolist()) == ([state], [why])
