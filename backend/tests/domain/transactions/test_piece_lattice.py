"""On a lattice nothing is rounded: the bounds are those of an exact convolution, and of the general way."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.transactions.piece_lattice import lattice_bounds
from tailroom.domain.transactions.piece_laws import PieceLaws
from tailroom.domain.transactions.piece_sums import Group, transformed_bounds

STEP_NS = 1e6


def laws_of(rows: list[list[tuple[int, int, float]]]) -> PieceLaws:
    """Cells in steps with their shares, for each piece; the rest are misses."""
    cells = [(piece, *cell) for piece, row in enumerate(rows) for cell in row]
    piece, low, high, ratio = zip(*cells, strict=True)
    return PieceLaws(
        len(rows),
        np.array(piece, np.int64),
        np.array(low, np.float64) * STEP_NS,
        np.array(high, np.float64) * STEP_NS,
        np.array(ratio, np.float64),
    )


def convolved(row: list[tuple[float, float]], times: int, steps: int) -> float:
    """P(sum ≤ steps) by adding up one term after the other."""
    law = np.zeros(steps + 1)
    law[0] = 1.0
    for _ in range(times):
        following = np.zeros(steps + 1)
        for at, ratio in row:
            if at <= steps:
                following[int(at) :] += ratio * law[: steps + 1 - int(at)]
        law = following
    return float(law.sum())


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 5), st.floats(0.001, 1.0)), min_size=1, max_size=5),
    st.integers(1, 60),
    st.integers(1, 300),
)
def test_bounds_are_those_of_a_convolution(parts: list[tuple[int, float]], times: int, steps: int) -> None:
    total = sum(share for _, share in parts) * 1.01
    row = [((1 << power) >> 1, 1 << power, share / total) for power, share in parts]
    found = lattice_bounds([Group(laws_of([row]), times)], np.array([steps * STEP_NS]), STEP_NS)
    assert found is not None
    slow = convolved([(high, ratio) for _, high, ratio in row], times, steps)
    fast = convolved([(low, ratio) for low, _, ratio in row], times, steps)
    assert found.lower[0] <= slow + 1e-12
    assert found.upper[0] >= fast - 1e-12
    assert found.lower[0] == pytest.approx(slow, abs=1e-9)
    assert found.upper[0] == pytest.approx(fast, abs=1e-9)
    assert found.lower[0] <= found.estimate[0] <= found.upper[0]
    assert found.buckets is not None
    assert found.buckets[0] == pytest.approx(fast - slow, abs=1e-9)


def test_it_agrees_with_the_general_way() -> None:
    rows = [
        [(0, 1, 0.9), (1, 2, 0.05), (2, 4, 0.03), (4, 8, 0.015), (64, 128, 0.004)],
        [(0, 1, 0.5), (2, 4, 0.4), (8, 16, 0.1)],
        [(1, 2, 1.0)],
    ]
    groups = [Group(laws_of(rows), 250), Group(laws_of(rows[::-1]), 3)]
    window = np.full(3, 1000 * STEP_NS)
    one = lattice_bounds(groups, window, STEP_NS)
    other = transformed_bounds(groups, window, 4096, step_ns=STEP_NS)
    assert one is not None
    for name in ("lower", "estimate", "upper"):
        assert getattr(one, name) == pytest.approx(getattr(other, name), abs=1e-8), name


@pytest.mark.parametrize("step_ns", [0.0, 3.0 * STEP_NS, STEP_NS / 64.0])
def test_other_grids_are_left_to_the_general_way(step_ns: float) -> None:
    """No common step, one that the window or the cells do not lie on, one that is too fine."""
    group = Group(laws_of([[(0, 1, 0.5), (1, 2, 0.5)]]), 10)
    assert lattice_bounds([group], np.array([100 * STEP_NS]), step_ns) is None
