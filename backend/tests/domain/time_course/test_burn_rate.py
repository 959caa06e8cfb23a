"""Error budgets and interval compliance."""

import math
from fractions import Fraction

import numpy as np
import pytest
from backend.tests.domain.oracles import oracle
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.confidence.effective_samples import IntervalCountsInvalid
from tailroom.domain.time_course.burn_rate import (
    MULTIWINDOW_RULES,
    BurnInvalid,
    SloCourse,
    budget_course,
    burn_alerts,
    fastest_burns,
)
from tailroom.domain.time_course.late_degradation import LimitInvalid, compliance
from tailroom.domain.units import NS_PER_HOUR, NS_PER_MINUTE


def minutes(bad: np.typing.ArrayLike, total: np.typing.ArrayLike, objective: float = 0.999) -> SloCourse:
    bad, total = np.asarray(bad, dtype=np.int64), np.asarray(total, dtype=np.int64)
    starts = np.arange(bad.size) * NS_PER_MINUTE
    return SloCourse(starts, np.full(bad.size, NS_PER_MINUTE), bad, total, objective)


def test_consumed_by_the_rules() -> None:
    _, expected, tolerance = oracle("burn")
    month_ns = 30 * 24 * NS_PER_HOUR
    consumed = [rule.rate * rule.long_ns / month_ns for rule in MULTIWINDOW_RULES]
    assert consumed == pytest.approx(expected["consumed"], abs=tolerance)
    assert all(rule.long_ns == 12 * rule.short_ns for rule in MULTIWINDOW_RULES)


@given(st.lists(st.integers(0, 50), min_size=1, max_size=90), st.sampled_from([0.9, 0.99, 0.999]))
@settings(max_examples=80, deadline=None)
def test_the_budget_over_time_by_hand(bad: list[int], objective: float) -> None:
    total = [50] * len(bad)
    found = budget_course(minutes(bad, total, objective))
    assert found is not None
    budget = (1 - Fraction(str(objective))) * sum(total)
    running, exhausted = Fraction(0), None
    for at, one in enumerate(bad):
        running += one
        if exhausted is None and running >= budget:
            exhausted = (at + 1) * NS_PER_MINUTE
        assert found.consumed_ratio[at] == pytest.approx(float(running / budget), rel=1e-9)
    assert found.exhausted_ns == exhausted
    assert found.rate == pytest.approx(float(sum(bad) / budget), rel=1e-9)


@given(st.lists(st.integers(0, 40), min_size=5, max_size=90))
@settings(max_examples=80, deadline=None)
def test_the_fastest_window_by_brute_force(bad: list[int]) -> None:
    (found,) = fastest_burns(minutes(bad, [5_000] * len(bad)), (5 * NS_PER_MINUTE,))
    sums = [sum(bad[i : i + 5]) for i in range(len(bad) - 4)]
    assert found.bad == max(sums)
    assert found.rate == pytest.approx(max(sums) / 25_000 / 0.001)
    assert found.start_ns == sums.index(max(sums)) * NS_PER_MINUTE
    assert not found.is_greyed


def test_windows_with_little_to_expect_are_greyed_out() -> None:
    total = np.concatenate((np.full(60, 5_000), np.full(60, 10)))
    bad = np.concatenate((np.full(60, 5), np.full(60, 9)))
    rolling = fastest_burns(minutes(bad, total), (5 * NS_PER_MINUTE, 6 * NS_PER_HOUR))
    assert not rolling[0].is_greyed
    # Windows that hold at least 10,000 operations: the last of them reaches furthest into the bad half.
    assert rolling[0].bad == 2 * 5 + 3 * 9
    assert rolling[1].rate is None
    assert rolling[1].reason is not None
    (grey,) = fastest_burns(minutes([9] * 60, [10] * 60), (5 * NS_PER_MINUTE,))
    assert grey.is_greyed
    assert grey.rate == pytest.approx(900.0)


def test_alerts_need_both_windows() -> None:
    bad, total = np.zeros(300, np.int64), np.full(300, 10_000)
    bad[100:160] = 200
    page, slow, ticket = burn_alerts(minutes(bad, total))
    # 14.4 × 0.1 % of 600,000 operations are 8,640: reached after 44 minutes of 200.
    assert page.fired_ns == 144 * NS_PER_MINUTE
    assert page.reason is None
    assert slow.fired_ns is None
    assert slow.reason is not None
    assert ticket.reason is not None
    quiet = burn_alerts(minutes(np.full(300, 10), total))
    assert (quiet[0].fired_ns, quiet[0].reason) == (None, None)


def test_a_single_bad_operation_fires() -> None:
    single = np.zeros(60, np.int64)
    single[-1] = 1
    assert burn_alerts(minutes(single, single))[0].fired_ns == NS_PER_HOUR


def test_a_gap_fires_nothing() -> None:
    starts = np.concatenate((np.arange(30), np.arange(500, 530))) * NS_PER_MINUTE
    course = SloCourse(starts, np.full(60, NS_PER_MINUTE), np.full(60, 50), np.full(60, 100), 0.999)
    assert burn_alerts(course)[0].fired_ns is None


def test_nothing_happened() -> None:
    assert budget_course(minutes([0, 0], [0, 0])) is None
    assert fastest_burns(minutes([0] * 9, [0] * 9), (5 * NS_PER_MINUTE,))[0].rate is None
    empty = minutes([], [])
    assert budget_course(empty) is None
    assert burn_alerts(empty)[0].reason is not None


@pytest.mark.parametrize("objective", [0.0, 1.0, -1.0, math.nan, 2.0])
def test_objectives_must_lie_between_0_and_1(objective: float) -> None:
    with pytest.raises(BurnInvalid):
        minutes([1], [2], objective)
    with pytest.raises(LimitInvalid):
        compliance(np.array([1]), np.array([2]), objective)


def test_impossible_counts_are_refused() -> None:
    for bad, total in (([3], [2]), ([-1], [2])):
        with pytest.raises(IntervalCountsInvalid):
            minutes(bad, total)
        with pytest.raises(IntervalCountsInvalid):
            compliance(np.array(bad), np.array(total), 0.5)


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 200)), min_size=1, max_size=60),
    st.sampled_from([0.1, 0.05, 0.3, 0.7]),
)
@settings(max_examples=150, deadline=None)
def test_compliance_by_hand(pieces: list[tuple[int, int]], limit: float) -> None:
    pieces = [(min(k, n), n) for k, n in pieces]
    bad, total = (np.array(column) for column in zip(*pieces, strict=True))
    found = compliance(bad, total, limit)
    exact = Fraction(str(limit))
    states = [(at, k >= exact * n) for at, (k, n) in enumerate(pieces) if n]
    assert found.empty == sum(n == 0 for _, n in pieces)
    if not states:
        assert found.kept_ratio is None
        return
    broken = [at for at, is_broken in states if is_broken]
    assert found.kept_ratio == pytest.approx(1 - len(broken) / len(states))
    assert found.first == (broken[0] if broken else None)
    longest = run = 0
    for _, is_broken in states:
        run = run + 1 if is_broken else 0
        longest = max(longest, run)
    assert found.longest == longest


def test_exactly_at_the_limit() -> None:
    """A tenth of 1,000 is 100, although 0.1 is no binary number."""
    for limit, bad, total in ((0.1, 100, 1_000), (0.3, 3, 10), (0.7, 7, 10), (0.001, 7, 7_000)):
        assert compliance(np.array([bad]), np.array([total]), limit).first == 0
        assert compliance(np.array([bad - 1]), np.array([total]), limit).first is None
