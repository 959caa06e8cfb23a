"""Comparing runs: differences that are shown, and those that are not."""

import numpy as np
import pytest

from tailroom.domain.confidence.shares import newcombe


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
