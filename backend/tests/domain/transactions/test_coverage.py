"""A thousand random true laws: bounds contain the truth every time, 95 % limits as often as they say."""

from backend.bench.coverage import intervals, resolution


def test_resolution_bounds_contain_the_truth_every_time() -> None:
    whole, mixed = resolution(1_000)
    assert whole.held == whole.tried
    assert mixed.held == mixed.tried


def test_limits_hold_as_often_as_they_say() -> None:
    at_once, in_a_row = intervals(1_000)
    # One exact counter: not conservative but for the steps of a binomial law.
    assert 0.93 <= at_once.share <= 0.97
    # Several edges that hold together: conservative by construction, so only the lower end is asked for.
    assert in_a_row.share >= 0.95
