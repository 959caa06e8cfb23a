"""Worst hours and full windows: exact, never incomplete, never split."""

import numpy as np
import pytest
from backend.tests.domain.courses import INSIDE_NS, THRESHOLD_NS, course
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.time_course.burn_rate import SlicesInvalid, full_windows
from tailroom.domain.time_course.worst_hour import (
    NoWindow,
    WorstWindow,
    aligned_shares,
    rolling_shares,
    worst_aligned,
    worst_rolling,
)
from tailroom.domain.units import NS_PER_HOUR, NS_PER_MINUTE, NS_PER_S


@given(st.lists(st.integers(0, 100), min_size=1, max_size=40), st.integers(1, 12))
@settings(max_examples=100, deadline=None)
def test_rolling_windows_by_brute_force(over: list[int], minutes: int) -> None:
    records = course(over, [100] * len(over))
    found = worst_rolling(records, THRESHOLD_NS, minutes * NS_PER_MINUTE)
    sums = [sum(over[i : i + minutes]) for i in range(len(over) - minutes + 1)]
    if not sums:
        assert isinstance(found, NoWindow)
        return
    assert isinstance(found, WorstWindow)
    assert found.windows == len(sums)
    assert found.over_lower == found.over_upper == max(sums)
    assert found.start_ns == sums.index(max(sums)) * NS_PER_MINUTE
    assert found.end_ns - found.start_ns == minutes * NS_PER_MINUTE
    assert found.worst_lower == found.worst_upper == max(sums) / (100 * minutes)


@given(st.lists(st.integers(0, 100), min_size=60, max_size=200), st.lists(st.integers(0, 9), min_size=200))
@settings(max_examples=40, deadline=None)
def test_an_aligned_hour_is_never_worse_than_the_worst_rolling_one(
    over: list[int], errors: list[int]
) -> None:
    records = course(over, [100] * len(over), errors=errors[: len(over)])
    aligned, rolling = worst_aligned(records, THRESHOLD_NS), worst_rolling(records, THRESHOLD_NS)
    assert isinstance(aligned, WorstWindow)
    assert isinstance(rolling, WorstWindow)
    assert aligned.worst_upper <= rolling.worst_upper
    assert aligned.windows == len(over) // 60
    bad = [
        sum(over[h * 60 : h * 60 + 60]) + sum(errors[h * 60 : h * 60 + 60]) for h in range(len(over) // 60)
    ]
    total = [6_000 + sum(errors[h * 60 : h * 60 + 60]) for h in range(len(over) // 60)]
    assert aligned.worst_upper == max(b / n for b, n in zip(bad, total, strict=True))


def test_a_bad_hour_across_two_clean_ones() -> None:
    over = np.zeros(240, np.int64)
    over[30:90] = 5
    records = course(over, np.full(240, 100))
    aligned, rolling = worst_aligned(records, THRESHOLD_NS), worst_rolling(records, THRESHOLD_NS)
    assert isinstance(aligned, WorstWindow)
    assert isinstance(rolling, WorstWindow)
    assert aligned.worst_upper == 0.025
    assert (rolling.worst_upper, rolling.start_ns) == (0.05, 30 * NS_PER_MINUTE)


def test_only_full_hours_count() -> None:
    starts = np.concatenate((np.arange(60), np.arange(61, 130))) * 60
    over = np.full(129, 1)
    over[125:] = 100
    records = course(over, np.full(129, 100), starts_s=starts)
    aligned = aligned_shares(records, THRESHOLD_NS)
    assert not isinstance(aligned, NoWindow)
    assert aligned.start_ns.tolist() == [0]
    rolling = rolling_shares(records, THRESHOLD_NS)
    missing = 60 * NS_PER_MINUTE
    assert not ((rolling.start_ns <= missing) & (missing < rolling.end_ns)).any()
    assert int(rolling.start_ns[-1]) == 70 * NS_PER_MINUTE
    assert rolling.start_ns.size == 1 + 10


def test_two_ends_where_no_edge_lies_at_the_threshold() -> None:
    records = course([10] * 60, [100] * 60)
    found = worst_aligned(records, INSIDE_NS)
    assert isinstance(found, WorstWindow)
    assert (found.over_lower, found.over_upper) == (0, 600)
    assert (found.worst_lower, found.worst_upper) == (0.0, 0.1)


def test_why_there_is_none() -> None:
    assert isinstance(worst_aligned(course([1] * 59, [9] * 59), THRESHOLD_NS), NoWindow)
    assert isinstance(worst_rolling(course([1] * 59, [9] * 59), THRESHOLD_NS), NoWindow)
    assert isinstance(worst_rolling(course([0] * 60, [0] * 60), THRESHOLD_NS), NoWindow)
    long = course([1] * 4, [9] * 4, piece_s=3600)
    assert isinstance(worst_aligned(long, THRESHOLD_NS, 10 * NS_PER_MINUTE), NoWindow)
    assert isinstance(worst_rolling(long, THRESHOLD_NS, 10 * NS_PER_MINUTE), NoWindow)
    assert isinstance(worst_aligned(course([], []), THRESHOLD_NS), NoWindow)


def test_clocks_may_jitter() -> None:
    rng = np.random.default_rng(1)
    edges = np.arange(721) * 10 * NS_PER_S + np.concatenate(([0], rng.integers(-2, 3, 720) * NS_PER_S // 10))
    windows = full_windows(edges[:-1], np.diff(edges), NS_PER_HOUR)
    assert windows.size == 361
    assert set((windows.end - windows.first).tolist()) == {360}


@pytest.mark.parametrize(
    ("starts", "durations"), [([0, 0], [5, 5]), ([5, 0], [5, 5]), ([0, 2], [5, 5]), ([0], [0]), ([-1], [5])]
)
def test_pieces_that_do_not_follow_each_other_are_refused(starts: list[int], durations: list[int]) -> None:
    with pytest.raises(SlicesInvalid):
        full_windows(np.array(starts), np.array(durations), 10)


def test_pieces_may_overlap_by_half_and_no_more() -> None:
    assert full_windows(np.array([0, 2]), np.array([4, 4]), 8).size == 1
    with pytest.raises(SlicesInvalid):
        full_windows(np.array([0, 2]), np.array([5, 4]), 6)
    assert full_windows(np.array([0, 100, 110]), np.array([100, 12, 12]), 12).size == 2
    with pytest.raises(SlicesInvalid):
        full_windows(np.array([0, 100, 110]), np.array([100, 30, 10]), 8)


def test_a_window_lacks_less_than_half_a_usual_piece() -> None:
    starts, durations = np.arange(6) * 10, np.full(6, 10)
    assert full_windows(starts, durations, 24).size == 5
    assert full_windows(starts, durations, 25).size == 0


def test_a_window_needs_a_length() -> None:
    with pytest.raises(SlicesInvalid):
        full_windows(np.array([0]), np.array([5]), 0)
