"""Confidence limits: known answers and coverage."""

import numpy as np
import pytest
from backend.tests.domain.oracles import oracle
from hypothesis import given
from hypothesis import strategies as st

from tailroom.domain.confidence.effective_samples import DesignEffect, IntervalCountsInvalid, design_effect
from tailroom.domain.confidence.shares import (
    SampleInvalid,
    clopper_pearson,
    curve_half_width,
    quantile_ranks,
    quantile_ranks_one_sided,
    samples_for_none_over,
    samples_for_share,
    share_lower,
    share_upper,
    wilson,
)


@pytest.mark.parametrize("name", ["ci-0-1000", "ci-1-1000", "ci-50-1000", "ci-0-29956", "ci-10-1000000"])
def test_share_limits(name: str) -> None:
    given_, expected, tolerance = oracle(name)
    k, n = given_["k"], given_["n"]
    found = clopper_pearson(k, n)
    assert [found.lower, found.upper] == pytest.approx(expected["cp"], abs=tolerance)
    assert share_upper(k, n) == pytest.approx(expected["cp_upper_one_sided"], abs=tolerance)
    shown = wilson(k, n)
    assert [shown.lower, shown.upper] == pytest.approx(expected["wilson"], abs=tolerance)


def test_samples_needed() -> None:
    given_, expected, _ = oracle("n-zero")
    shares = [1.0 - q for q in given_["q"]]
    assert [samples_for_none_over(share) for share in shares] == expected["n95"]
    assert [samples_for_none_over(share, 0.01) for share in shares] == expected["n99"]
    assert [samples_for_share(share * 1e-4, 1e-4) for share in (0.5, 0.8, 0.9)] == [
        91_533,
        621_704,
        2_586_618,
    ]


@pytest.mark.parametrize("name", ["rank-500-0.5", "rank-1000-0.99", "rank-1000000-0.9999"])
def test_ranks_around_a_quantile(name: str) -> None:
    given_, expected, _ = oracle(name)
    ranks = quantile_ranks(given_["n"], given_["q"])
    assert (ranks.lower, ranks.upper) == (expected["l"], expected["u"])


def test_a_sample_too_small_for_its_quantile_has_no_upper_rank() -> None:
    assert quantile_ranks(29_956, 0.9999).upper is None


def test_band_around_a_curve() -> None:
    given_, expected, tolerance = oracle("dkw")
    assert [curve_half_width(n) for n in given_["n"]] == pytest.approx(expected["eps"], abs=tolerance)


@given(st.integers(0, 500_000).map(lambda n: n / 1000.0), st.floats(1, 1e6))
def test_limits_enclose_the_share(over: float, more: float) -> None:
    total = over + more
    assert share_lower(over, total) <= over / total <= share_upper(over, total)


def test_one_sided_limits_are_wrong_at_most_as_often_as_stated() -> None:
    rng = np.random.default_rng(3)
    for share in (0.001, 0.01, 0.3):
        wrong = np.mean([share_upper(k, 2000) < share for k in rng.binomial(2000, share, 4000)])
        assert wrong <= 0.05 + 0.012


@pytest.mark.parametrize(("over", "total"), [(-1, 10), (11, 10), (0, 0), (float("nan"), 10)])
def test_impossible_samples_are_refused(over: float, total: float) -> None:
    with pytest.raises(SampleInvalid):
        share_upper(over, total)


def test_independent_counts_have_no_design_effect_worth_naming() -> None:
    rng = np.random.default_rng(1)
    factors = [design_effect(rng.binomial(1000, 0.02, 200), np.full(200, 1000)).factor for _ in range(50)]
    assert np.median(factors) < 1.3


def test_slow_operations_in_clumps_are_worth_fewer_samples() -> None:
    over = np.zeros(100, dtype=np.int64)
    over[40:50] = 50
    effect = design_effect(over, np.full(100, 1000))
    assert effect.phi is not None
    assert effect.phi > 20
    assert effect.tau is not None
    assert effect.tau > 5


def test_few_intervals_show_scatter_only() -> None:
    effect = design_effect(np.array([0, 30, 0]), np.array([1000, 1000, 1000]))
    assert effect.tau is None
    assert effect.is_approximate
    assert effect.factor > 10
    assert design_effect(np.array([0, 0]), np.array([10, 10])) == DesignEffect()
    with pytest.raises(IntervalCountsInvalid):
        design_effect(np.array([11]), np.array([10]))


def test_the_slowest_of_2995_bounds_the_quantile_that_2995_without_a_miss_show() -> None:
    assert quantile_ranks_one_sided(2_995, 0.999).upper == 2_995
    assert quantile_ranks_one_sided(2_994, 0.999).upper is None


@given(st.integers(10_000, 1_000_000), st.floats(1.0, 20.0))
def test_clumped_operations_widen_the_limits_of_a_quantile(total: int, factor: float) -> None:
    free, clumped = quantile_ranks_one_sided(total, 0.99), quantile_ranks_one_sided(total, 0.99, factor)
    assert 1 <= clumped.lower <= free.lower
    assert clumped.upper is None or (free.upper is not None and free.upper <= clumped.upper <= total)
