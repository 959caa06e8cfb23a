"""Late degradation: when a run got worse, how much, and how long it took to fail."""

import numpy as np
import pytest
from backend.tests.domain.courses import INSIDE_NS, THRESHOLD_NS, course, following

from tailroom.domain.confidence.effective_samples import SeriesInvalid
from tailroom.domain.time_course.late_degradation import (
    LimitInvalid,
    hours_until_failing,
    late_degradation,
    recovery_slices,
)
from tailroom.domain.units import NS_PER_HOUR, NS_PER_MINUTE

LIMIT = 0.01
PER_MINUTE = 60_000


def run(shares: np.typing.NDArray[np.float64], seed: int = 1) -> np.typing.NDArray[np.int64]:
    """Slow operations of each minute; shares are per hour."""
    minutes = np.repeat(shares, 60)
    wander = np.clip(minutes * np.exp(0.1 * np.random.default_rng(seed).normal(size=minutes.size)), 0.0, 1.0)
    return np.random.default_rng(seed + 1).binomial(PER_MINUTE, wander)


def test_what_act_saw() -> None:
    """Fine for eight hours, worse from then on, failing from the twelfth hour."""
    shares = np.array([0.004] * 8 + [0.007] * 4 + [0.015] * 12)
    over = run(shares)
    found = late_degradation(course(over, np.full(over.size, PER_MINUTE)), THRESHOLD_NS, LIMIT)
    assert found.is_degraded
    assert found.changed_ns == pytest.approx(8 * NS_PER_HOUR, abs=20 * NS_PER_MINUTE)
    assert found.before is not None
    assert found.after is not None
    assert found.before.limits.lower < 0.004 < found.before.limits.upper
    assert found.after.limits.lower < 0.007 < found.after.limits.upper
    assert found.before.end_ns <= found.after.start_ns
    assert found.p_value is not None
    assert found.p_value < 0.001
    assert found.lasts
    assert found.hours_until_failing == 12
    assert found.reason is None


def test_a_steady_run_is_not_degraded() -> None:
    alarms = 0
    for seed in range(30):
        over = run(np.full(12, 0.004), seed)
        found = late_degradation(course(over, np.full(over.size, PER_MINUTE)), THRESHOLD_NS, LIMIT)
        assert found.is_degraded is not None
        alarms += found.is_degraded
        assert found.hours_until_failing is None
    assert alarms <= 1


@pytest.mark.parametrize("after", [0.0047, 0.001])
def test_small_steps_and_improvements_do_not_count(after: float) -> None:
    over = run(np.array([0.004] * 8 + [after] * 8))
    found = late_degradation(course(over, np.full(over.size, PER_MINUTE)), THRESHOLD_NS, LIMIT)
    assert found.is_degraded is False


def test_far_below_the_limit_nothing_is_late() -> None:
    over = run(np.array([0.0002] * 8 + [0.0006] * 8))
    found = late_degradation(course(over, np.full(over.size, PER_MINUTE)), THRESHOLD_NS, LIMIT)
    assert found.is_degraded is False


def test_a_stall_that_ends_does_not_last() -> None:
    over = run(np.array([0.004] * 8 + [0.02] + [0.004] * 8))
    found = late_degradation(course(over, np.full(over.size, PER_MINUTE)), THRESHOLD_NS, LIMIT)
    assert found.is_degraded
    assert not found.lasts
    assert found.hours_until_failing == 8


def test_the_ramp_is_not_what_later_levels_are_compared_with() -> None:
    minutes = np.repeat([0.0005, 0.004], [30, 690])
    over = np.random.default_rng(5).binomial(PER_MINUTE, minutes)
    found = late_degradation(course(over, np.full(over.size, PER_MINUTE)), THRESHOLD_NS, 0.02)
    assert found.is_degraded is False
    assert found.before is not None
    assert found.before.ratio == pytest.approx(0.004, rel=0.05)


def test_why_it_cannot_be_told() -> None:
    over, total = np.full(600, 10), np.full(600, 1_000)
    assert late_degradation(course(over, total), INSIDE_NS, LIMIT).reason is not None
    short = late_degradation(course(over[:25], total[:25]), THRESHOLD_NS, LIMIT)
    assert (short.is_degraded, short.reason) == (None, "2 slices are too few to see a change")
    hours = late_degradation(course([10] * 12, [1_000] * 12, piece_s=3600), THRESHOLD_NS, LIMIT)
    assert hours.is_degraded is None
    assert late_degradation(course([], []), THRESHOLD_NS, LIMIT).is_degraded is None
    with pytest.raises(LimitInvalid):
        late_degradation(course(over, total), THRESHOLD_NS, 0.0)


def test_hours_that_fail_are_those_at_the_limit_or_over() -> None:
    hours = np.repeat([9, 9, 10, 30], 60)
    records = course(hours, np.full(240, 1_000))
    assert hours_until_failing(records, THRESHOLD_NS, 0.01) == 2
    assert hours_until_failing(records, THRESHOLD_NS, 0.03) == 3
    assert hours_until_failing(records, THRESHOLD_NS, 0.031) is None
    # Certain counts only: inside a bucket none is.
    assert hours_until_failing(records, INSIDE_NS, 0.01) is None


@pytest.mark.parametrize("period", [4, 9, 24])
def test_recovery_has_a_period(period: int) -> None:
    at = np.arange(288)
    saw = (at % period) / period + 0.1 * np.random.default_rng(period).normal(size=288)
    found = recovery_slices(saw)
    assert found is not None
    assert abs(found - period) <= 1


def test_only_lags_before_the_first_dip_raise_the_limit_of_peaks() -> None:
    # The peak of 10 / 12 at lag 2 is above 2.39 / √12, but not above 2.39 √(5 / 12).
    assert recovery_slices(np.tile([0.0, 1.0], 6)) == 2


def test_no_period_is_made_up() -> None:
    assert recovery_slices(np.full(100, 2.0)) is None
    assert recovery_slices(np.arange(100.0)) is None
    for persistence in (0.0, 0.5, 0.8):
        series = [following(288, persistence, np.random.default_rng(seed)) for seed in range(60)]
        assert sum(recovery_slices(one) is not None for one in series) <= 6
    with pytest.raises(SeriesInvalid):
        recovery_slices(np.array([1.0, np.nan]))
