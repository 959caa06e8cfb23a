"""Ends of caches, and how rates come back."""

import pytest

from tailroom.domain.time_course.rate_recovery import (
    IdleGain,
    RatePoint,
    cache_end,
    helpful_idle,
    rate_recovery,
)


def points(*rates: float) -> list[RatePoint]:
    return [RatePoint(number, rate) for number, rate in enumerate(rates, 1)]


def test_the_end_of_a_cache_is_where_the_rate_falls_for_good() -> None:
    end = cache_end(points(9, 9, 9, 9, 3, 3, 3))
    assert end is not None
    assert (end.lower_bytes, end.upper_bytes) == (3, 5)
    assert (end.before_bytes_per_s, end.after_bytes_per_s) == (9, 3)


@pytest.mark.parametrize(
    "rates",
    [
        (9, 9, 9, 9, 3, 3, 3, 9, 9, 9),  # A slow moment.
        (9, 9, 9, 8, 8, 8),  # Hardly slower.
        (9, 9, 3, 3, 3),  # Too few points before.
        (),
    ],
)
def test_other_courses_have_no_end_of_a_cache(rates: tuple[float, ...]) -> None:
    assert cache_end(points(*rates)) is None


def test_a_rate_is_back_when_it_stays() -> None:
    def back(*after: float) -> int | None:
        recovery = rate_recovery([100, 100], after)
        assert recovery is not None
        return recovery.back_from_round

    assert back(90, 95) == 1
    assert back(50, 91, 80, 92) == 4
    assert back(50, 89.9) is None
    assert rate_recovery([], [1]) is None
    assert rate_recovery([0], [1]) is None
    assert rate_recovery([1], []) is None


def test_the_shortest_idle_time_that_helps_is_named() -> None:
    gains = [IdleGain(60, 2.0), IdleGain(5, 1.09), IdleGain(10, 1.1)]
    assert helpful_idle(gains) == IdleGain(10, 1.1)
    assert helpful_idle(gains[1:2]) is None
