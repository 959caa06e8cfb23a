"""Limits from disjoint blocks: known values, and what they may never do."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailroom.domain.transactions.guarantees import (
    FEWEST_BLOCKS,
    blocks_to_prove,
    divergence,
    share_limits,
)

SHARES = st.floats(0.0, 1.0)
BLOCKS = st.floats(float(FEWEST_BLOCKS), 1e9)

ORACLES = [
    # share in time, blocks, lower and upper limit without the correction for drawing with replacement
    (0.728836312309423, 40_000_000, 0.7286642344758532, 0.729008344440822),
    (0.728836312309423, 40_000, 0.7233727855886474, 0.7342541390093513),
    (0.8921876269036233, 4_000, 0.8797942628539197, 0.9037981667368906),
    (0.9982798688092223, 400_000, 0.998114478103704, 0.9984353090966338),
    (0.9998496236341456, 50_000, 0.999672832328562, 0.9999472528906483),
    (0.9998074530, 50_000, 0.9996132849, 0.9999223145),
]


@pytest.mark.parametrize(("share", "blocks", "lower", "upper"), ORACLES)
def test_limits_are_those_of_the_inequality(share: float, blocks: int, lower: float, upper: float) -> None:
    least, most = share_limits(share, share, blocks)
    correction = 1.01 * share * (1.0 - share) / blocks + 1e-6
    assert lower - correction <= least <= lower + 1e-6
    assert upper - 1e-6 <= most <= upper + correction


def test_all_in_time_proves_as_much_as_a_count() -> None:
    assert share_limits(1.0, 1.0, 2_995)[0] == pytest.approx(0.05 ** (1 / 2_995))
    assert share_limits(1.0, 1.0, 2_995)[0] >= 0.999 > share_limits(1.0, 1.0, 2_990)[0]


def test_too_few_blocks_give_no_limit() -> None:
    assert share_limits(1.0, 1.0, FEWEST_BLOCKS - 1) == (0.0, 1.0)


@given(SHARES, SHARES, BLOCKS)
def test_limits_contain_the_bounds(first: float, second: float, blocks: float) -> None:
    lower, upper = sorted((first, second))
    least, most = share_limits(lower, upper, blocks)
    assert 0.0 <= least <= lower
    assert upper <= most <= 1.0


@given(SHARES, SHARES, BLOCKS, BLOCKS)
def test_limits_rise_with_the_share_and_close_with_blocks(
    first: float, second: float, fewer: float, more: float
) -> None:
    low, high = sorted((first, second))
    few, many = sorted((fewer, more))
    assert share_limits(low, low, few)[0] <= share_limits(high, high, few)[0] + 1e-12
    assert share_limits(high, high, few)[0] <= share_limits(high, high, many)[0] + 1e-12


@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_the_blocks_that_are_named_prove_it(share: float, objective: float) -> None:
    needed = blocks_to_prove(share, objective)
    if needed is None:
        assert share == objective
        return
    least, most = share_limits(share, share, 1.05 * needed)
    correction = 2.0 * share * (1.0 - share) / needed + 1e-3
    assert least >= objective - correction if share > objective else most <= objective + correction


def test_none_in_time_proves_as_much_as_a_count_of_misses() -> None:
    assert blocks_to_prove(0.0, 0.9) == pytest.approx(FEWEST_BLOCKS)
    assert blocks_to_prove(0.0, 0.01) == pytest.approx(math.log(0.05) / math.log(0.99))


def test_divergence_of_what_is_ruled_out_is_infinite() -> None:
    assert divergence(0.5, 1.0) == math.inf
    assert divergence(0.5, 0.0) == math.inf
    assert divergence(1.0, 1.0) == 0.0
