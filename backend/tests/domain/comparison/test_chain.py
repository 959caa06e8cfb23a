"""What a hop adds: by curves alone, and whatever inner and outer have to do with each other."""

import numpy as np
import pytest

from tailroom.domain.comparison.chain import AddedTime, QuantilePoint, added

QUANTILES = (0.5, 0.9, 0.99)


def curve(values: np.ndarray, *, width: float = 0.0) -> list[QuantilePoint]:
    shares = np.arange(1, 200) / 200.0
    times = np.quantile(values, shares, method="inverted_cdf")
    return [
        QuantilePoint(float(q), float(t) * (1 - width), float(t) * (1 + width))
        for q, t in zip(shares, times, strict=True)
    ]


@pytest.mark.parametrize("order", ["together", "apart", "at random"])
@pytest.mark.parametrize("width", [0.0, 0.01])
def test_bounds_hold_whatever_the_dependence(order: str, width: float) -> None:
    rng = np.random.default_rng(5)
    inner, hop = np.sort(rng.lognormal(12.0, 0.5, 20_000)), np.sort(rng.lognormal(11.0, 0.8, 20_000))
    if order == "apart":
        hop = hop[::-1]
    if order == "at random":
        hop = rng.permutation(hop)
    for one in added(curve(inner, width=width), curve(inner + hop, width=width), QUANTILES):
        true = float(np.quantile(hop, one.quantile))
        assert one.least_ns <= true * 1.001
        assert one.most_ns is None or true <= one.most_ns * 1.001
        assert not one.contradicts


def test_where_the_same_operations_are_slow_the_difference_is_what_the_hop_takes() -> None:
    rng = np.random.default_rng(6)
    inner, hop = np.sort(rng.lognormal(12.0, 0.5, 20_000)), np.sort(rng.lognormal(11.0, 0.8, 20_000))
    for one in added(curve(inner), curve(inner + hop), QUANTILES):
        assert one.lower_ns == one.upper_ns == pytest.approx(float(np.quantile(hop, one.quantile)), rel=1e-3)


def test_a_constant_hop_is_known_well_in_the_middle() -> None:
    inner = np.full(1_000, 100.0)
    (one,) = added(curve(inner), curve(inner + 40.0), (0.5,))
    assert (one.lower_ns, one.upper_ns, one.least_ns, one.most_ns) == (40.0, 40.0, 40.0, 40.0)


def test_an_inner_one_that_is_slower_contradicts() -> None:
    (one,) = added(curve(np.full(9, 100.0)), curve(np.full(9, 60.0)), (0.5,))
    assert one == AddedTime(0.5, -40.0, -40.0, 0.0, 0.0)
    assert one.contradicts


def test_open_ends_stay_open() -> None:
    inner, outer = [QuantilePoint(0.5, 10.0, None)], [QuantilePoint(0.5, 30.0, None)]
    (one,) = added(inner, outer, QUANTILES)
    assert one == AddedTime(0.5, None, None, 0.0, None)
    assert added(inner, [QuantilePoint(0.9, 30.0, 40.0)], QUANTILES) == []
