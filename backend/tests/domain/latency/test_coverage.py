"""Against hundreds of true laws: whatever is recorded, in whatever layout, the bounds hold the truth."""

import math
from fractions import Fraction

import numpy as np
import pytest
from backend.tests.domain.latency.samples import LAYOUTS, SHAPES, check_bounds, drawn, recorded

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.distribution import LatencyDist, Misses
from tailroom.domain.latency.layouts import layout_document

SAMPLE = 400
PINS = (1_000_000, 1_000_000_000)
LAWS_EACH = 9
"""With four shapes and ten layouts: 360 laws."""


@pytest.mark.parametrize(
    "layout_no", range(len(LAYOUTS)), ids=[str(layout_document(one))[:50] for one in LAYOUTS]
)
@pytest.mark.parametrize("shape", SHAPES)
def test_bounds_hold_the_truth(shape: str, layout_no: int) -> None:
    layout = LAYOUTS[layout_no]
    for number in range(LAWS_EACH):
        generator = np.random.default_rng([number, SHAPES.index(shape), layout_no])
        values = np.sort(drawn(shape, SAMPLE, generator))
        misses = Misses(errors=int(generator.integers(0, 3)))
        plain = recorded(values, layout, (), misses)
        records = [
            plain,
            recorded(values, layout, PINS, misses),
            recorded(values, layout, PINS, misses, summed=True, ends=True),
        ]
        times = np.unique(np.concatenate((values[::7], values[::7] + 1, plain.edges_ns(), np.array(PINS))))
        for dist in records:
            holds_at(dist, values, times)
            holds_for_ranks(dist, values)
            truth = np.searchsorted(values, times, side="left") / dist.total
            check_bounds(dist.bounds(), times.astype(np.float64), truth)
        for finer, coarser in zip(records[1:], records, strict=False):
            narrower(finer, coarser, times)


def holds_at(dist: LatencyDist, values: Int64s, times: Int64s) -> None:
    later, earlier = times + dist.edge_tolerance_ns, times - dist.edge_tolerance_ns
    lower, upper = dist.below_each(times)
    assert (lower <= np.searchsorted(values, later, side="left")).all()
    assert (np.searchsorted(values, earlier, side="left") <= upper).all()
    assert (lower <= upper).all()


def holds_for_ranks(dist: LatencyDist, values: Int64s) -> None:
    for quantile in (0.001, 0.5, 0.9, 0.99, 0.999, 1.0):
        rank = max(1, math.ceil(Fraction(str(quantile)) * dist.total))
        found = dist.quantile_bounds(quantile)
        if rank > values.size:
            assert found.upper_ns is None
        else:
            truth = int(values[rank - 1])
            assert found.lower_ns <= truth
            assert found.upper_ns is None or truth < found.upper_ns
    mean = dist.mean_ns
    if mean is not None:
        assert mean[0] * (1 - 1e-12) <= float(values.mean()) <= mean[1] * (1 + 1e-12)


def narrower(finer: LatencyDist, coarser: LatencyDist, times: Int64s) -> None:
    """More knowledge never widens: neither exact counters nor sum and extremes."""
    (low, high), (wide_low, wide_high) = finer.below_each(times), coarser.below_each(times)
    assert (wide_low <= low).all()
    assert (high <= wide_high).all()
