"""E-divisive: known answers, known changes, few false alarms."""

import math

import numpy as np
import pytest
from backend.tests.domain.courses import following
from backend.tests.domain.oracles import oracle
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import ttest_ind_from_stats

from tailroom.domain.confidence.effective_samples import SeriesInvalid
from tailroom.domain.latency.bounds import Floats
from tailroom.domain.time_course.e_divisive import (
    _best_division,
    e_divisive,
    student_p,
)


def q_hat(left: Floats, right: Floats) -> float:
    """Return the energy statistic of two samples, α = 1: `mn/(m+n) · (2E|X−Y| − E|X−X'| − E|Y−Y'|)`."""
    m, n = left.size, right.size
    between = 2.0 * float(np.abs(left[:, None] - right[None, :]).mean())
    return m * n / (m + n) * (between - _mean_distance(left) - _mean_distance(right))


def _mean_distance(values: Floats) -> float:
    size = values.size
    return float(np.abs(values[:, None] - values[None, :]).sum()) / (size * (size - 1)) if size > 1 else 0.0


def test_the_statistic() -> None:
    given_, expected, tolerance = oracle("ediv")
    assert q_hat(np.array(given_["left"]), np.array(given_["right"])) == pytest.approx(
        expected["Q"], abs=tolerance
    )
    assert q_hat(np.full(6, 1.0), np.full(6, 3.0)) == pytest.approx(
        expected["Q_const_1x6_3x6"], abs=tolerance
    )


@given(st.lists(st.floats(-100, 100), min_size=4, max_size=25))
@settings(max_examples=60, deadline=None)
def test_the_best_division_is_the_best(values: list[float]) -> None:
    series = np.array(values)
    at, q = _best_division(series)
    every = [q_hat(series[:i], series[i:]) for i in range(2, series.size - 1)]
    assert q == pytest.approx(max(every), abs=1e-6)
    assert q == pytest.approx(q_hat(series[:at], series[at:]), abs=1e-6)


def test_known_changes_are_found() -> None:
    found_all = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        values = np.repeat([100.0, 112.0, 100.0], 60) + rng.normal(0.0, 3.0, 180)
        found = [one.position for one in e_divisive(values).changes]
        found_all += len(found) == 2 and abs(found[0] - 60) <= 2 and abs(found[1] - 120) <= 2
    assert found_all >= 36


def test_small_steps_are_not_worth_naming(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.repeat([100.0, 103.0], 60) + np.random.default_rng(1).normal(0.0, 0.1, 120)
    assert e_divisive(values).changes == ()
    monkeypatch.setattr("tailroom.domain.time_course.e_divisive.SMALLEST_STEP_RATIO", 0.02)
    assert [one.position for one in e_divisive(values).changes] == [60]


@given(st.lists(st.lists(st.floats(0.1, 1e6), min_size=1, max_size=30), min_size=2, max_size=2))
def test_p_as_scipy_to_the_bit(pair: list[list[float]]) -> None:
    left, right = (np.array(side) for side in pair)
    deviations = [float(side.std(ddof=1)) if side.size > 1 else 0.0 for side in (left, right)]
    assume(left.size + right.size > 2)
    assume(max(deviations) > 1e-9 * max(left.max(), right.max()))
    expected = ttest_ind_from_stats(
        left.mean(), deviations[0], left.size, right.mean(), deviations[1], right.size
    )
    assert student_p(left, right) == expected.pvalue


def test_without_scatter_means_decide() -> None:
    assert [one.position for one in e_divisive(np.repeat([1.0, 3.0], 6)).changes] == [6]
    assert e_divisive(np.repeat([1.0, 3.0], 6)).changes[0].p_value == 0.0
    assert e_divisive(np.full(80, 7.0)).changes == ()
    step = e_divisive(np.repeat([0.0, 3.0], 10)).changes[0]
    assert math.isinf(step.step_ratio)


@pytest.mark.parametrize("persistence", [0.0, 0.6])
def test_neighbours_that_resemble_each_other_are_no_changes(persistence: float) -> None:
    alarms, grouped = 0, []
    for seed in range(60):
        values = 100.0 + 3.0 * following(144, persistence, np.random.default_rng(seed))
        found = e_divisive(values)
        alarms += bool(found.changes)
        grouped.append(found.grouped)
        assert found.reason is not None or found.correlation is None or found.correlation < 0.2
    assert alarms <= 9
    assert (np.mean(grouped) > 2.0) == (persistence > 0.5)


def test_changes_between_groups_are_placed_in_the_series() -> None:
    values = 100.0 + 3.0 * following(288, 0.6, np.random.default_rng(1)) + np.repeat([0.0, 60.0], 144)
    found = e_divisive(values)
    assert found.grouped > 1
    assert [abs(one.position - 144) <= 2 * found.grouped for one in found.changes] == [True]


def test_changes_behind_the_first_window_are_found() -> None:
    values = np.repeat([100.0, 120.0], [180, 120]) + np.random.default_rng(2).normal(0.0, 1.0, 300)
    found = e_divisive(values)
    assert (found.grouped, [one.position for one in found.changes]) == (1, [180])


def test_rounding_is_no_difference_of_means() -> None:
    assert student_p(np.full(3, 1e6), np.full(3, 1e6 * (1.0 + 1e-13))) == 1.0


def test_bad_input_is_refused() -> None:
    with pytest.raises(SeriesInvalid):
        e_divisive(np.array([1.0, math.nan, 2.0, 3.0]))
    with pytest.raises(SeriesInvalid):
        e_divisive(np.array([]))
    few = e_divisive(np.ones(3))
    assert (few.grouped, few.reason) == (1, "3 values are too few to see a change")
