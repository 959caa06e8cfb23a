"""Drift: Mann–Kendall, Hamed–Rao, Theil–Sen."""

import math

import numpy as np
import pytest
from backend.tests.domain.courses import following
from backend.tests.domain.oracles import oracle
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr
from scipy.stats import rankdata, theilslopes

from tailroom.domain.confidence.effective_samples import IntervalCountsInvalid, SeriesInvalid, check_series
from tailroom.domain.latency.bounds import Floats
from tailroom.domain.time_course import drift as module
from tailroom.domain.time_course.drift import (
    drift,
    drift_of_share,
    inversions,
    kth_slope,
    mean_ranks,
)

small_numbers = st.lists(st.integers(-6, 6).map(float), min_size=4, max_size=40)


def mann_kendall(values: Floats) -> module.MannKendall:
    """Return the test that `drift` makes of evenly spaced values."""
    series = np.asarray(values, dtype=np.float64)
    check_series(series)
    if series.size < 3:
        raise SeriesInvalid(f"a trend of {series.size} values does not exist")
    return module._test(series, module._slope_between(np.arange(series.size, dtype=np.float64), series), 0.05)


def test_score_and_z() -> None:
    """24 values, one pair of them equal, 23 pairs falling, 252 rising: the score of the oracle's series."""
    _, expected, tolerance = oracle("mk")
    found = mann_kendall(np.array([23.0, 1.0, *range(1, 23)]))
    assert found.score == expected["S"]
    assert found.z == pytest.approx(expected["z"], abs=tolerance)


# scores, z with ties and z after Hamed and Rao as pymannkendall 1.4.3 gives them
PEERS = [
    (
        [5.0, 3.0, 3.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 4.0, 3.0, 5.0],
        -2,
        -0.07059312080025175,
        -0.07059312080025175,
    ),
    (
        [
            0.6,
            0.6,
            0.3,
            -0.4,
            -0.7,
            -0.7,
            -1.0,
            0.3,
            1.3,
            -1.4,
            -3.3,
            -3.4,
            -3.9,
            -3.6,
            -3.4,
            -1.3,
            -2.4,
            -2.8,
            -0.8,
            -0.1,
            0.6,
            0.0,
            -1.6,
            -1.4,
            -1.3,
            -2.6,
            -3.2,
            -3.3,
            -4.3,
            -4.4,
        ],
        -172,
        -3.0555207242877156,
        -2.720022071596092,
    ),
    (
        [
            0.0,
            0.4,
            0.7,
            1.0,
            1.2,
            1.2,
            1.2,
            1.1,
            0.9,
            0.6,
            0.3,
            0.0,
            -0.2,
            -0.3,
            -0.3,
            -0.2,
            -0.0,
            0.3,
            0.6,
            1.0,
            1.4,
            1.7,
            2.0,
            2.1,
            2.2,
            2.1,
            2.0,
            1.8,
            1.5,
            1.2,
            1.0,
            0.8,
            0.7,
            0.7,
            0.8,
            1.0,
            1.3,
            1.6,
            2.0,
            2.4,
        ],
        233,
        2.7093610611433743,
        2.324726555055923,
    ),
]


@pytest.mark.parametrize(("values", "score", "z_ties", "z_correlated"), PEERS)
def test_as_pymannkendall(values: list[float], score: int, z_ties: float, z_correlated: float) -> None:
    found = mann_kendall(np.array(values))
    assert found.score == score
    assert found.z_ties == pytest.approx(z_ties, abs=1e-9)
    assert found.z_correlated == pytest.approx(z_correlated, abs=1e-9)


@given(small_numbers)
@settings(max_examples=150, deadline=None)
def test_pairs_are_counted_right(values: list[float]) -> None:
    series = np.array(values)
    pairs = [(a, b) for i, a in enumerate(values) for b in values[i + 1 :]]
    assert inversions(series) == sum(a > b for a, b in pairs)
    found = mann_kendall(series)
    assert found.score == sum((b > a) - (b < a) for a, b in pairs)
    assert mann_kendall(-series).score == -found.score
    assert mann_kendall(series[::-1]).score == -found.score
    assert mann_kendall(np.exp(series)).score == found.score


@given(st.lists(st.floats(-1e3, 1e3), min_size=5, max_size=60), st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_slopes_as_scipy(values: list[float], seed: int) -> None:
    at = np.cumsum(np.random.default_rng(seed).uniform(0.1, 2.0, len(values)))
    series = np.array(values)
    assert drift(series, at).slope_per_hour == pytest.approx(theilslopes(series, at)[0], rel=1e-9, abs=1e-9)


def test_long_series_take_the_other_way_to_the_same_slope(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    at = np.arange(300.0) / 6.0
    for series in (
        rng.normal(size=300),
        rng.integers(0, 4, 300).astype(float),
        0.5 * at + rng.normal(size=300),
    ):
        ranks = (1, 1_000, 22_425, 44_849)
        direct = [kth_slope(at, series, rank) for rank in ranks]
        monkeypatch.setattr(module, "_ALL_PAIRS_UP_TO", 10)
        assert [kth_slope(at, series, rank) for rank in ranks] == pytest.approx(direct, rel=1e-9, abs=1e-9)
        monkeypatch.undo()


@given(st.lists(st.one_of(st.integers(-3, 3).map(float), st.floats(-1e9, 1e9)), min_size=1, max_size=60))
def test_ranks_as_scipy_to_the_bit(values: list[float]) -> None:
    series = np.array(values)
    assert mean_ranks(series).tolist() == rankdata(series).tolist()


def test_drift_is_found_and_its_slope_covered() -> None:
    covered, shown, attempts = 0, 0, 200
    hours = np.arange(144) / 6.0
    for seed in range(attempts):
        series = 0.05 * hours + 0.3 * np.random.default_rng(seed).normal(size=144)
        found = drift(series, hours)
        assert found.slope_lower is not None
        assert found.slope_upper is not None
        covered += found.slope_lower <= 0.05 <= found.slope_upper
        shown += found.is_shown
    assert shown / attempts > 0.95
    assert covered / attempts >= 0.90


def test_slow_waves_are_less_often_taken_for_drift() -> None:
    alarms = {"plain": 0, "correlated": 0}
    for seed in range(200):
        found = mann_kendall(following(144, 0.6, np.random.default_rng(seed)))
        assert found.p_ties is not None
        assert found.p_correlated is not None
        alarms["plain"] += found.p_ties < 0.05
        alarms["correlated"] += found.p_correlated < 0.05
    assert alarms["plain"] > 40
    assert alarms["correlated"] < alarms["plain"] / 1.5


def test_points_per_hour() -> None:
    hours = np.arange(48) / 2.0
    share = 0.01 + 0.0005 * hours
    found = drift_of_share(np.round(share * 10**6).astype(int), np.full(48, 10**6), hours)
    assert found.slope_per_hour == pytest.approx(0.05, rel=1e-3)
    assert found.is_shown
    gaps = np.full(48, 10**6)
    gaps[5:9] = 0
    over = np.where(gaps > 0, np.round(share * 10**6), 0).astype(int)
    assert drift_of_share(over, gaps, hours).slope_per_hour == pytest.approx(0.05, rel=1e-3)


def test_what_never_changes_has_no_test() -> None:
    found = drift(np.full(30, 2.0), np.arange(30.0))
    assert (found.slope_per_hour, found.is_shown, found.reason) == (0.0, False, "a series that never changes")
    assert drift(np.ones(3), np.arange(3.0)).reason is not None
    assert drift_of_share(np.zeros(9, int), np.zeros(9, int), np.arange(9.0)).reason is not None


def test_limits_may_be_the_smallest_and_the_largest_slope() -> None:
    values, at = np.random.default_rng(3).normal(size=10), np.arange(10.0)
    slopes = [(values[j] - values[i]) / (j - i) for i in range(10) for j in range(i + 1, 10)]
    # Ranks 1 and 45 of 45: the score of ten values scatters by the root of 125, and 3.75 times that is 41.9.
    found = drift(values, at, 2.0 * float(ndtr(-3.75)))
    assert [found.slope_lower, found.slope_upper] == pytest.approx([min(slopes), max(slopes)])
    wider = drift(values, at, 2.0 * float(ndtr(-4.0)))
    assert (wider.slope_lower, wider.slope_upper) == (None, None)


def test_bad_input_is_refused() -> None:
    for values in ([1.0, math.nan, 2.0], [1.0, 2.0], []):
        with pytest.raises(SeriesInvalid):
            mann_kendall(np.array(values))
    with pytest.raises(SeriesInvalid):
        drift(np.ones(5), np.zeros(5))
    with pytest.raises(SeriesInvalid):
        drift(np.ones(5), np.arange(4.0))
    with pytest.raises(SeriesInvalid):
        drift(np.ones(5), np.arange(5.0), error=0.0)
    with pytest.raises(IntervalCountsInvalid):
        drift_of_share(np.array([2] * 5), np.array([1] * 5), np.arange(5.0))
    with pytest.raises(IntervalCountsInvalid):
        drift_of_share(np.array([1] * 5), np.array([1] * 5), np.arange(4.0))
