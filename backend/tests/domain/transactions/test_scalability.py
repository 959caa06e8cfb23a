"""The scalability law: found again; no nodes where no number is enough; refused where nothing fits."""

import math

import pytest

from tailroom.domain.transactions.scalability import SizingInvalid, fit_scalability


def test_scalability_law_is_found_again() -> None:
    def rate(nodes: int) -> float:
        return 50_000 * nodes / (1 + 0.03 * (nodes - 1) + 0.0005 * nodes * (nodes - 1))

    law = fit_scalability([(nodes, rate(nodes)) for nodes in (1, 2, 4, 8, 16)])
    assert law.rate_of_one == pytest.approx(50_000, rel=1e-9)
    assert (law.contention, law.coherency) == pytest.approx((0.03, 0.0005), rel=1e-6)
    assert law.residual_ratio < 1e-9
    found = law.nodes_for(250_000 / 0.7)
    assert found is not None
    assert rate(found) * 0.7 >= 250_000 > rate(found - 1) * 0.7
    # Beyond its peak near 44 nodes no number of them is enough.
    peak = max(rate(nodes) for nodes in range(1, 200))
    assert law.nodes_for(peak * 1.001) is None
    assert law.nodes_for(peak * 0.999) is not None
    assert law.nodes_for(peak / 0.9) is None


def test_linear_clusters_have_no_contention() -> None:
    law = fit_scalability([(1, 100.0), (3, 300.0), (9, 900.0)])
    assert (law.contention, law.coherency) == pytest.approx((0.0, 0.0), abs=1e-12)
    assert law.nodes_for(1000.0) == 10
    assert law.nodes_for(1e12) is None


@pytest.mark.parametrize(
    ("measured", "words"),
    [
        ([(1, 5.0), (2, 9.0)], "three different"),
        ([(1, 5.0), (2, 9.0), (2, 9.5)], "three different"),
        ([(0, 5.0), (2, 9.0), (3, 9.5)], "0 nodes"),
        ([(1, 5.0), (2, math.nan), (3, 9.5)], "greater than 0"),
    ],
)
def test_fits_without_enough_to_fit(measured: list[tuple[int, float]], words: str) -> None:
    with pytest.raises(SizingInvalid, match=words):
        fit_scalability(measured)
