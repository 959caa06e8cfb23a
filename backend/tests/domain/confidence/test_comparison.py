"""Comparing runs: differences that are shown, and those that are not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailroom.domain.confidence.comparison import (
    LoadsDiffer,
    Order,
    PercentilesNotAveraged,
    ShareSample,
    compare_quantiles,
    compare_shares,
    newcombe,
    spread_of_runs,
)
from tailroom.domain.confidence.shares import SampleInvalid
from tailroom.domain.latency.distribution import TimeBounds


def sample(over: int, total: int, factor: float = 1.0, load: float | None = None) -> ShareSample:
    return ShareSample(over, over, total, factor, load)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((56, 70, 48, 80), (0.0524, 0.3339)),
        ((9, 10, 3, 10), (0.1705, 0.8090)),
        ((10, 10, 0, 20), (0.6791, 1.0)),
        ((5, 56, 0, 29), (-0.0381, 0.1926)),
    ],
)
def test_newcombe_as_published(counts: tuple[int, int, int, int], expected: tuple[float, float]) -> None:
    """Table II of the paper, method 10."""
    found = newcombe(*counts)
    assert [found.lower, found.upper] == pytest.approx(expected, abs=5e-5)


def test_newcombe_covers() -> None:
    rng = np.random.default_rng(1)
    for p, q in ((0.1, 0.1), (0.02, 0.05), (0.5, 0.3)):
        first, second = rng.binomial(1500, p, 3_000), rng.binomial(1000, q, 3_000)
        limits = [newcombe(int(a), 1500, int(b), 1000) for a, b in zip(first, second, strict=True)]
        assert 0.93 <= np.mean([one.lower <= p - q <= one.upper for one in limits]) <= 0.97


@given(st.integers(0, 400), st.integers(0, 400), st.floats(1.0, 10.0))
def test_a_comparison_the_other_way_round_is_its_mirror(first: int, second: int, factor: float) -> None:
    there = compare_shares(sample(first, 4000, factor), sample(second, 5000))
    back = compare_shares(sample(second, 5000), sample(first, 4000, factor))
    assert there.limits.lower == pytest.approx(-back.limits.upper, abs=1e-12)
    assert there.limits.upper == pytest.approx(-back.limits.lower, abs=1e-12)
    assert there.is_ranking_difference == back.is_ranking_difference


def test_a_difference_must_be_certain_and_worth_naming() -> None:
    plain = compare_shares(sample(1_000, 10**6), sample(1_500, 10**6))
    assert plain.order is Order.FIRST_LOWER
    assert plain.is_ranking_difference
    # Certain, but 4 % of the share and 0.04 points.
    certain = compare_shares(sample(10_000_000, 10**9), sample(10_400_000, 10**9))
    assert certain.order is Order.FIRST_LOWER
    assert not certain.is_ranking_difference
    # 0.1 points exactly, though only 1 % of the share.
    points = compare_shares(sample(100_000_000, 10**9), sample(101_000_000, 10**9))
    assert points.is_ranking_difference
    # Large, but uncertain.
    assert compare_shares(sample(10, 1_000), sample(15, 1_000)).order is Order.NOT_SHOWN


def test_clumps_take_certainty_away() -> None:
    assert compare_shares(sample(1_000, 10**6), sample(1_500, 10**6)).is_ranking_difference
    assert not compare_shares(sample(1_000, 10**6, 50.0), sample(1_500, 10**6, 50.0)).is_ranking_difference


def test_what_buckets_leave_in_doubt_is_no_difference() -> None:
    found = compare_shares(ShareSample(900, 2_000, 10**6), ShareSample(1_500, 1_500, 10**6))
    assert found.difference_lower < 0.0 < found.difference_upper
    assert found.order is Order.NOT_SHOWN
    exact = compare_shares(sample(900, 10**6), sample(1_500, 10**6))
    assert found.limits.lower <= exact.limits.lower
    assert exact.limits.upper <= found.limits.upper


def test_only_equal_loads_are_compared() -> None:
    compare_shares(sample(1, 100, load=1000.0), sample(1, 100, load=1009.0))
    with pytest.raises(LoadsDiffer):
        compare_shares(sample(1, 100, load=1000.0), sample(1, 100, load=1100.0))


@pytest.mark.parametrize(
    ("over", "total", "factor"), [(-1, 10, 1.0), (11, 10, 1.0), (0, 0, 1.0), (1, 10, 0.5), (1, 10, np.nan)]
)
def test_impossible_samples_are_refused(over: int, total: int, factor: float) -> None:
    with pytest.raises(SampleInvalid):
        sample(over, total, factor)


def test_quantiles_are_ordered_by_disjoint_intervals_only() -> None:
    assert compare_quantiles(TimeBounds(1, 5), TimeBounds(5, 9)) is Order.FIRST_LOWER
    assert compare_quantiles(TimeBounds(5, None), TimeBounds(1, 5)) is Order.SECOND_LOWER
    assert compare_quantiles(TimeBounds(1, 6), TimeBounds(5, 9)) is Order.NOT_SHOWN
    assert compare_quantiles(TimeBounds(1, None), TimeBounds(5, 9)) is Order.NOT_SHOWN


def test_percentiles_are_spread_out_and_never_averaged() -> None:
    runs = [TimeBounds(10, 12), TimeBounds(15, None), TimeBounds(8, 9)]
    spread = spread_of_runs(runs, merged=TimeBounds(11, 13))
    assert (spread.lowest, spread.highest) == (TimeBounds(8, 9), TimeBounds(15, None))
    with pytest.raises(PercentilesNotAveraged):
        spread_of_runs(runs, merged=None)
    with pytest.raises(SampleInvalid):
        spread_of_runs([], merged=TimeBounds(1, 2))
