"""Steady state: the window of the specification, its floors, and rounds made of pieces."""

import math

import numpy as np
import pytest
from backend.tests.domain.courses import INSIDE_NS, THRESHOLD_NS, course
from backend.tests.domain.oracles import oracle
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.confidence.effective_samples import SeriesInvalid
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import ExplicitLayout
from tailroom.domain.time_course.steady_state import (
    RoundsInvalid,
    first_steady_window,
    pts_window,
    round_length_ns,
    steady_state,
)
from tailroom.domain.units import NS_PER_HOUR, NS_PER_MINUTE

rounds_of_values = st.lists(st.floats(1.0, 1e6), min_size=5, max_size=30)


@pytest.mark.parametrize("name", ["pts-pass", "pts-fail-slope"])
def test_windows_of_the_specification(name: str) -> None:
    given_, expected, tolerance = oracle(name)
    window = pts_window(given_["y"])
    assert window.is_steady == expected["steady"]
    assert window.range_ratio == pytest.approx(expected["range"], abs=tolerance)
    assert window.excursion_ratio == pytest.approx(expected["slope_excursion"], abs=tolerance)


def test_exactly_at_the_limits_is_steady() -> None:
    turning = pts_window([100.0, 90.0, 100.0, 110.0, 100.0])
    assert turning.range_ratio == pytest.approx(0.2)
    assert turning.excursion_ratio == pytest.approx(0.08)
    assert turning.is_steady
    assert not pts_window([100.0, 89.9, 100.0, 110.1, 100.0]).is_steady
    assert pts_window([95.0, 97.5, 100.0, 102.5, 105.0]).is_steady
    assert not pts_window([94.9, 97.5, 100.0, 102.5, 105.1]).is_steady


@given(rounds_of_values, st.floats(0.001, 1000.0))
@settings(max_examples=100, deadline=None)
def test_the_unit_does_not_matter(values: list[float], scale: float) -> None:
    before, after = pts_window(values), pts_window([scale * value for value in values])
    assert after.range_ratio == pytest.approx(before.range_ratio, rel=1e-6)
    assert after.excursion_ratio == pytest.approx(before.excursion_ratio, rel=1e-6, abs=1e-9)


@given(rounds_of_values)
@settings(max_examples=100, deadline=None)
def test_the_first_window_is_the_first(values: list[float]) -> None:
    found = first_steady_window(values)
    steady = [i for i in range(len(values) - 4) if pts_window(values[i : i + 5]).is_steady]
    assert (None if found is None else found[0]) == (steady[0] if steady else None)
    assert pts_window(values[:5]).is_steady == pts_window(values[:5][::-1]).is_steady


def test_late_rounds_may_be_the_first_steady_ones() -> None:
    values = [float(2**i) for i in range(25)] + [5.0] * 5
    found = first_steady_window(values)
    assert found is not None
    assert found[0] == 25


def test_shares_near_nothing_are_steady_by_the_limit() -> None:
    shares = [0.0, 0.0002, 0.0, 0.0001, 0.0003]
    assert not pts_window(shares).is_steady
    assert pts_window(shares, limit_ratio=0.01).is_steady
    assert not pts_window(shares, limit_ratio=0.001).is_steady
    nothing = pts_window([0.0] * 5, limit_ratio=0.01)
    assert nothing.is_steady
    assert nothing.range_ratio is None


@pytest.mark.parametrize("values", [[1.0, math.nan, 1.0, 1.0, 1.0], [1.0, math.inf, 2.0]])
def test_no_numbers_are_refused(values: list[float]) -> None:
    with pytest.raises(SeriesInvalid):
        pts_window(values)


def test_impossible_rounds_and_limits_are_refused() -> None:
    for values, limit in (
        ([1.0, -1.0], None),
        ([1.0], None),
        *(([1.0, 1.0], limit) for limit in (0.0, 1.0, math.nan)),
    ):
        with pytest.raises(RoundsInvalid):
            pts_window(values, limit)


def test_rounds_are_ten_minutes_or_an_hour() -> None:
    assert round_length_ns(12 * NS_PER_HOUR - 1) == 10 * NS_PER_MINUTE
    assert round_length_ns(12 * NS_PER_HOUR) == NS_PER_HOUR


def test_a_run_settles_after_its_ramp() -> None:
    minutes = 120
    total = np.full(minutes, 60_000)
    total[:30] = np.linspace(20_000, 60_000, 30).astype(int)
    mean_ms = np.full(minutes, 0.5)
    found = steady_state(course(total // 1000, total, mean_ms=mean_ms), {THRESHOLD_NS: 0.01})
    assert [one.name for one in found.series] == ["throughput", "mean latency", "share at or over 8 ms"]
    assert [one.first_round for one in found.series] == [3, 0, 0] or found.series[0].first_round == 2
    assert found.first_round == found.series[0].first_round
    assert found.start_ns == (found.first_round or 0) * 10 * NS_PER_MINUTE
    assert found.end_ns == (found.start_ns or 0) + 50 * NS_PER_MINUTE
    assert found.reason is None


def test_series_that_settle_at_different_times_must_agree_once() -> None:
    minutes = 200
    mean_ms = np.full(minutes, 1.0)
    mean_ms[:100] = np.linspace(4.0, 1.0, 100)
    over = np.full(minutes, 600)
    over[150:] = np.linspace(600, 6_000, 50).astype(int)
    found = steady_state(course(over, np.full(minutes, 60_000), mean_ms=mean_ms), {THRESHOLD_NS: 0.05})
    assert found.first_round in {9, 10}
    late = steady_state(
        course(over[::-1], np.full(minutes, 60_000), mean_ms=mean_ms[::-1]), {THRESHOLD_NS: 0.05}
    )
    assert late.first_round is not None
    never = steady_state(
        course(np.linspace(1, 60_000, minutes).astype(int), np.full(minutes, 60_000), mean_ms=mean_ms),
        {THRESHOLD_NS: 0.05},
    )
    assert never.first_round is None
    assert never.reason is not None
    assert never.reason.startswith("not reached")


def test_what_is_not_known_is_said() -> None:
    total = np.full(100, 1_000)
    found = steady_state(course(total // 10, total), {THRESHOLD_NS: 0.2})
    assert found.series[1].reason == "the sum of latencies is not on record"
    assert found.first_round is None
    short = steady_state(course([1] * 40, [100] * 40), {})
    assert short.reason is not None
    assert "too few rounds" in short.reason
    assert steady_state(IntervalRecords.empty(ExplicitLayout((0, 1))), {}).reason is not None
    hours = steady_state(course([1] * 10, [100] * 10, piece_s=3600), {})
    assert hours.reason is not None


def test_a_window_does_not_reach_across_a_missing_round() -> None:
    starts = np.concatenate((np.arange(40), np.arange(50, 80))) * 60
    total = np.full(70, 1_000)
    found = steady_state(course(total // 100, total, starts_s=starts, mean_ms=np.ones(70)), {})
    assert found.rounds == 7
    assert found.first_round is None
    whole = steady_state(course(total // 100, total, mean_ms=np.ones(70)), {})
    assert whole.first_round == 0


def test_a_share_in_doubt_is_steady_only_at_both_ends() -> None:
    total = np.full(100, 1_000)
    over = np.where(np.arange(100) // 10 % 2 == 0, 100, 200)
    quiet = course(np.full(100, 100), total, mean_ms=np.ones(100))
    restless = course(over, total, mean_ms=np.ones(100))
    assert steady_state(quiet, {INSIDE_NS: None}).first_round == 0
    assert steady_state(restless, {INSIDE_NS: None}).first_round is None


def test_hours_for_long_runs() -> None:
    total = np.full(13 * 60, 1_000)
    found = steady_state(course(total // 100, total, mean_ms=np.ones(total.size)), {})
    assert (found.round_ns, found.rounds, found.first_round) == (NS_PER_HOUR, 13, 0)
