"""Confidence limits: known answers and coverage."""

import math
from itertools import takewhile

import numpy as np
import pytest
from backend.tests.domain.oracles import oracle
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import beta, binom

from tailroom.domain.confidence.effective_samples import (
    DesignEffect,
    IntervalCountsInvalid,
    SeriesInvalid,
    autocorrelation_time,
    autocorrelations,
    design_effect,
    time_by_lags,
)
from tailroom.domain.confidence.shares import (
    SampleInvalid,
    clopper_pearson,
    curve_half_width,
    quantile_ranks,
    samples_for_share,
    samples_to_decide,
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
    assert [samples_for_share(share * 1e-4, 1e-4) for share in (0.5, 0.8, 0.9)] == [
        91_533,
        621_704,
        2_586_618,
    ]
    # The rule of three: 0.95 ** 59 is below 0.05, 0.95 ** 58 is not.
    assert samples_for_share(0.0, 0.05) == 59


@pytest.mark.parametrize("name", ["rank-500-0.5", "rank-1000-0.99", "rank-1000000-0.9999"])
def test_ranks_around_a_quantile(name: str) -> None:
    given_, expected, _ = oracle(name)
    ranks = quantile_ranks(given_["n"], given_["q"])
    assert (ranks.lower, ranks.upper) == (expected["l"], expected["u"])


def test_a_sample_too_small_for_its_quantile_has_no_upper_rank() -> None:
    assert quantile_ranks(29_956, 0.9999).upper is None


@given(st.integers(1, 4_000), st.floats(0.001, 0.999), st.sampled_from([0.01, 0.05, 0.2]))
@settings(max_examples=200, deadline=None)
def test_ranks_are_those_of_the_binomial_law(total: int, quantile: float, error: float) -> None:
    ranks = quantile_ranks(total, quantile, error)
    low, high = binom.ppf([error / 2.0, 1.0 - error / 2.0], total, quantile)
    assert ranks.lower == int(low)
    assert ranks.upper == (int(high) + 1 if high + 1 <= total else None)


def test_a_sample_too_small_for_its_quantile_has_no_lower_rank() -> None:
    assert quantile_ranks(3, 0.5).lower == 0
    assert quantile_ranks(6, 0.5).lower == 1


def test_limits_of_very_large_samples() -> None:
    """By the beta law read forwards, and against Wilson, which is within 0.1 % there."""
    for over, total in ((20_000, 10**7), (10**6, 10**9), (5 * 10**8, 10**10), (10**6, 10**12)):
        found = clopper_pearson(over, total)
        assert beta.cdf(found.lower, over, total - over + 1) == pytest.approx(0.025, rel=1e-5)
        assert beta.sf(found.upper, over + 1, total - over) == pytest.approx(0.025, rel=1e-5)
        shown = wilson(over, total)
        assert [found.lower, found.upper] == pytest.approx([shown.lower, shown.upper], rel=1e-3)


def test_wilson_ends_exactly_at_nothing_and_everything() -> None:
    for total in (1, 7, 1000, 29_956, 10**9):
        assert wilson(0, total).lower == 0.0
        assert wilson(total, total).upper == 1.0


def test_two_sided_limits_cover_as_stated() -> None:
    """Exactly, over the whole binomial law: Clopper–Pearson never below 95 %, Wilson near it on average."""
    shares = np.linspace(0.02, 0.98, 97)
    for total in (60, 400):
        counts = np.arange(total + 1)
        exact = [clopper_pearson(int(k), total) for k in counts]
        shown = [wilson(int(k), total) for k in counts]
        covered = {"exact": [], "shown": []}  # type: dict[str, list[float]]
        for share in shares:
            law = binom.pmf(counts, total, share)
            for name, limits in (("exact", exact), ("shown", shown)):
                inside = np.array([one.lower <= share <= one.upper for one in limits])
                covered[name].append(float(law[inside].sum()))
        assert min(covered["exact"]) >= 0.95
        assert 0.94 <= np.mean(covered["shown"]) <= 0.96
        assert min(covered["shown"]) > 0.91


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


@pytest.mark.parametrize(
    ("over", "total"),
    [(-1, 10), (11, 10), (0, 0), (float("nan"), 10), (1, float("nan")), (1, math.inf), (0, -3)],
)
def test_impossible_samples_are_refused(over: float, total: float) -> None:
    with pytest.raises(SampleInvalid):
        share_upper(over, total)


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(40, 90)), min_size=20, max_size=60))
@settings(max_examples=60, deadline=None)
def test_the_design_effect_is_what_its_definition_says(pieces: list[tuple[int, int]]) -> None:
    over, total = (np.array(column) for column in zip(*pieces, strict=True))
    if over.sum() in (0, total.sum()):
        return
    share = over.sum() / total.sum()
    phi = sum((k - n * share) ** 2 / (n * share * (1 - share)) for k, n in pieces) / (len(pieces) - 1)
    residuals = [(k - n * share) / math.sqrt(n * share * (1 - share)) for k, n in pieces]
    mean = sum(residuals) / len(residuals)
    rest = [one - mean for one in residuals]
    energy = sum(one * one for one in rest)
    effect = design_effect(over, total)
    assert effect.phi == pytest.approx(phi, rel=1e-9, abs=1e-12)
    if energy < 1e-9:
        return
    rho = [sum(a * b for a, b in zip(rest, rest[lag:], strict=False)) / energy for lag in range(len(rest))]
    tau, lag = -1.0, 0
    while lag + 1 < len(rho) and rho[lag] + rho[lag + 1] > 1e-12:
        tau += 2.0 * (rho[lag] + rho[lag + 1])
        lag += 2
    assert effect.tau == pytest.approx(max(1e-3, tau), rel=1e-6, abs=1e-6)
    assert effect.factor == pytest.approx(max(1.0, phi * max(1e-3, tau)), rel=1e-6)


@given(st.lists(st.integers(-20, 20), min_size=2, max_size=40))
def test_the_first_lags_give_the_time_of_all_lags(values: list[int]) -> None:
    series = np.array(values, dtype=np.float64)
    rho = autocorrelations(series)
    if rho is None:
        assert autocorrelation_time(series) == 1.0
        return
    pairs = [rho[lag] + rho[lag + 1] for lag in range(0, rho.size - 1, 2)]
    assume(min(map(abs, pairs)) > 1e-9)
    assert autocorrelation_time(series) == pytest.approx(time_by_lags(rho))
    assert time_by_lags(rho) == pytest.approx(
        max(1e-3, 2.0 * sum(takewhile(lambda pair: pair > 0.0, pairs)) - 1.0)
    )


def test_few_intervals_show_scatter_only() -> None:
    effect = design_effect(np.array([0, 30, 0]), np.array([1000, 1000, 1000]))
    assert effect.tau is None
    assert effect.factor > 10
    assert design_effect(np.array([0, 0]), np.array([10, 10])) == DesignEffect()
    for over, total in (([11], [10]), ([-1], [10]), ([1, 2], [10]), ([math.nan], [10]), ([1], [math.nan])):
        with pytest.raises(IntervalCountsInvalid):
            design_effect(np.array(over), np.array(total))
    with pytest.raises(SeriesInvalid):
        autocorrelation_time(np.array([1.0, math.nan]))


def test_near_the_limit_the_number_grows_with_the_inverse_square_of_the_gap() -> None:
    gap = 0.01 * 5e-4
    expected = 1.6448536269514722**2 * 0.01 * 0.99 / gap**2
    assert samples_to_decide(0.01 + gap, 0.01) == pytest.approx(expected)


@given(st.integers(20, 10**7), st.floats(0.0, 1.5), st.sampled_from([0.5, 0.1, 0.05, 0.01, 1e-3, 1e-4, 1e-6]))
@settings(max_examples=300, deadline=None)
def test_a_sample_that_decides_nothing_is_smaller_than_what_would(
    total: int, part: float, limit: float
) -> None:
    share = part * limit
    over = share * total
    is_decided = share_upper(over, total) <= limit or share_lower(over, total) > limit
    needed = samples_to_decide(share, limit)
    assert is_decided or needed is None or needed > total * 0.999
    assert needed is None or not is_decided or needed <= total * 1.001


def test_a_share_at_its_limit_is_decided_by_no_sample() -> None:
    assert samples_to_decide(1.0 - 0.999, 0.001) is None
    assert samples_to_decide(0.05 * (1 + 1e-7), 0.05) is None
    assert samples_to_decide(0.05 * (1 + 1e-5), 0.05) is not None
