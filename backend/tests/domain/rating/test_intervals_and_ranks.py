"""Ratings as intervals, the ranks that they allow, and what lies between tested loads."""

import itertools
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tailroom.domain.confidence.shares import (
    SMALLEST_POINTS_RATIO,
    SMALLEST_RELATIVE_RATIO,
    newcombe,
)
from tailroom.domain.rating.interval import (
    LoadState,
    ShareBounds,
    TestedLoad,
    between_neighbours,
    combine,
    rating_bounds,
    rating_of,
)
from tailroom.domain.rating.ranks import CountedShares, broken_ties, proven_lower, rank_ranges

P, F, U = LoadState.PASSED, LoadState.FAILED, LoadState.UNDECIDED
LOADS = np.array([1.0, 3.0, 6.0, 12.0])


def rating(*states: tuple[float, LoadState]) -> tuple[float | None, float | None]:
    found = rating_of([TestedLoad(load, state, {}) for load, state in states])
    return found.passed_load, found.failed_load


def test_from_the_highest_pass_to_the_lowest_fail_above() -> None:
    assert rating((1, P), (3, P), (6, F)) == (3, 6)
    assert rating((3, F)) == (None, 3)
    assert rating((1, P), (3, P)) == (3, None)
    assert rating((1, P), (3, U), (6, F)) == (1, 6)
    assert rating() == (None, None)


def test_a_pass_says_nothing_of_higher_loads_and_a_fail_says_all_of_them() -> None:
    found = rating_of([TestedLoad(1, P, {}), TestedLoad(3, F, {}), TestedLoad(6, P, {})])
    assert (found.passed_load, found.failed_load) == (1, 3)
    assert found.violations == ("passed at 6x although it failed at 3x",)
    assert not found.never_tested_above
    assert rating_of([TestedLoad(1, P, {})]).never_tested_above
    assert not rating_of([TestedLoad(1, P, {}), TestedLoad(3, U, {})]).never_tested_above


def test_shares_that_fall_while_the_load_rises_are_named_only_where_rounding_proves_it() -> None:
    def at(load: float, lower: float, upper: float) -> TestedLoad:
        return TestedLoad(load, F, {8_000_000: ShareBounds(lower, upper)})

    found = rating_of([at(3, 0, 0.00005), at(6, 0.00095, 0.00105), at(12, 0, 0.00005)])
    assert len(found.violations) == 1
    assert "at 12x" in found.violations[0]
    assert "at 6x" in found.violations[0]
    assert rating_of([at(6, 0.00095, 0.00105), at(12, 0.0005, 0.001)]).violations == ()


def test_tests_of_one_load() -> None:
    assert combine([P, U]) == (P, False)
    assert combine([F, F, U]) == (F, False)
    assert combine([U]) == (U, False)
    assert combine([P, F]) == (U, True)


STATES = st.lists(st.sampled_from([P, F, U, None]), min_size=4, max_size=4)


@given(st.lists(STATES, min_size=1, max_size=12))
def test_ends_are_ordered_and_the_columns_say_what_each_row_says(rows: list[list[LoadState | None]]) -> None:
    passed = np.array([[one is P for one in row] for row in rows])
    failed = np.array([[one is F for one in row] for row in rows])
    lower, upper = rating_bounds(LOADS, passed, failed)
    assert (lower < upper).all()
    for number, row in enumerate(rows):
        tested = [TestedLoad(load, state, {}) for load, state in zip(LOADS, row, strict=True) if state]
        one = rating_of(tested)
        assert (one.passed_load or 0.0, one.failed_load or np.inf) == (lower[number], upper[number])
        assert one.passed_load is None or row[list(LOADS).index(one.passed_load)] is P
        assert one.failed_load is None or row[list(LOADS).index(one.failed_load)] is F


RATINGS = st.lists(
    st.sampled_from(
        [(0.0, 1.0), (0.0, 3.0), (1.0, 3.0), (1.0, np.inf), (3.0, 6.0), (3.0, np.inf), (6.0, 12.0)]
    ),
    min_size=1,
    max_size=30,
)


@given(RATINGS)
def test_ranks_follow_their_definition(ratings: list[tuple[float, float]]) -> None:
    lower = np.array([low for low, _ in ratings])
    upper = np.array([high for _, high in ratings])
    ranks = rank_ranges(lower, upper)
    for number, (low, high) in enumerate(ratings):
        others = [one for place, one in enumerate(ratings) if place != number]
        assert ranks.best[number] == 1 + sum(other_low >= high for other_low, _ in others)
        assert ranks.worst[number] == 1 + sum(other_high > low for _, other_high in others)
        assert 1 <= ranks.best[number] <= ranks.worst[number] <= len(ratings)


@given(RATINGS, st.randoms(use_true_random=False))
def test_ranks_hold_every_truth(ratings: list[tuple[float, float]], random: Random) -> None:
    ranks = rank_ranges(np.array([low for low, _ in ratings]), np.array([high for _, high in ratings]))
    truth = [low if np.isinf(high) else random.uniform(low, high - 1e-6) for low, high in ratings]
    truth = [
        value + (random.uniform(0, 50) if np.isinf(ratings[n][1]) else 0) for n, value in enumerate(truth)
    ]
    for number, value in enumerate(truth):
        rank = 1 + sum(other > value for other in truth)
        assert ranks.best[number] <= rank <= ranks.worst[number]


def test_a_tie_is_broken_by_counts_that_prove_it_and_by_nothing_else() -> None:
    ratings = np.array([3.0, 3.0, 3.0]), np.array([6.0, 6.0, 6.0])
    over, total = np.array([10_000.0, 30_000.0, 30_200.0]), np.full(3, 1_000_000.0)
    lower = proven_lower(CountedShares(over, over, total))
    assert lower.tolist() == [[False, True, True], [False] * 3, [False] * 3]
    ranks = rank_ranges(*ratings)
    assert (ranks.best.tolist(), ranks.worst.tolist()) == ([1, 1, 1], [3, 3, 3])
    broken_ties(ranks, np.arange(3), lower)
    assert (ranks.best.tolist(), ranks.worst.tolist()) == ([1, 2, 2], [1, 3, 3])
    tenths = np.array([0.9e6, 0.91e6, 1e6])
    assert proven_lower(CountedShares(tenths, tenths, np.full(3, 1e9)))[:, 2].tolist() == [True, False, False]
    few = proven_lower(CountedShares(over / 1e4, over / 1e4, total / 1e4))
    assert not few.any()
    unknown = proven_lower(CountedShares(np.full(3, np.nan), np.full(3, np.nan), np.full(3, np.nan)))
    assert not unknown.any()
    wide = proven_lower(CountedShares(over, np.full(3, 40_000.0), total))
    assert not wide.any()


COUNTED_SHARES = st.tuples(st.integers(1, 10_000), st.floats(0.0, 0.3), st.floats(0.0, 0.01))


@given(st.lists(COUNTED_SHARES, min_size=2, max_size=6))
def test_a_tie_is_broken_exactly_where_newcombes_interval_excludes_zero(
    rows: list[tuple[int, float, float]],
) -> None:
    """The columns say what `newcombe` says of each pair."""
    total = np.array([float(count) for count, _, _ in rows])
    low = np.array([share for _, share, _ in rows])
    high = low + np.array([width for _, _, width in rows])
    lower = proven_lower(CountedShares(low * total, high * total, total))
    for row, column in itertools.permutations(range(len(rows)), 2):
        difference = low[column] - high[row]
        limits = newcombe(low[column] * total[column], total[column], high[row] * total[row], total[row])
        matters = difference >= SMALLEST_POINTS_RATIO or difference >= SMALLEST_RELATIVE_RATIO * high[column]
        assume(abs(limits.lower) > 1e-9 and abs(difference - SMALLEST_POINTS_RATIO) > 1e-9)
        assume(abs(difference - SMALLEST_RELATIVE_RATIO * high[column]) > 1e-9)
        assert lower[row, column] == (limits.lower > 0.0 and difference > 0.0 and matters)


def test_between_neighbours() -> None:
    tested = np.array([[True, False, True, False], [False, True, False, False], [True, False, False, False]])
    failed = np.array([[False, False, True, False], [False] * 4, [False] * 4])
    lower = np.where(tested, [[0.01, 0, 0.06, 0], [0, 0.02, 0, 0], [0.03, 0, 0, 0]], np.nan)
    upper = lower + 0.001
    found = between_neighbours(tested, failed, lower, upper)
    assert found.is_bounded.tolist() == [
        [False, True, False, True],
        [True, False, False, False],
        [False, False, False, False],
    ]
    assert (found.lower[0, 1], found.upper[0, 1]) == (0.01, pytest.approx(0.061))
    assert (found.lower[0, 3], found.upper[0, 3]) == (0.06, 1.0)
    assert (found.lower[1, 0], found.upper[1, 0]) == (0.0, pytest.approx(0.021))
    assert (found.below[0, 1], found.above[0, 1], found.above[0, 3]) == (0, 2, -1)


def test_neighbours_that_contradict_the_rule_bound_nothing() -> None:
    tested, failed = np.array([[True, False, True]]), np.array([[False, False, False]])
    lower, upper = np.array([[0.5, np.nan, 0.1]]), np.array([[0.51, np.nan, 0.11]])
    assert not between_neighbours(tested, failed, lower, upper).is_bounded.any()
