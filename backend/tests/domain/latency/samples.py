"""Latencies of many shapes, recorded into any layout, for tests that compare a record with the truth."""

import numpy as np

from tailroom.domain.latency.bounds import Floats, Int64s, LatencyBounds, PointMasses
from tailroom.domain.latency.distribution import LatencyDist, Misses
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.layouts import BucketLayout, ExplicitLayout, HdrLayout, Pow2Layout

LAYOUTS: tuple[HdrLayout | Pow2Layout | ExplicitLayout, ...] = (
    HdrLayout(),
    HdrLayout(1_000, 2),
    HdrLayout(125, 3),
    HdrLayout(8_000, 3),
    HdrLayout(1_000, 0),
    Pow2Layout(1_000_000),
    Pow2Layout(1_000),
    ExplicitLayout((0, 1_000_000, 8_000_000, 64_000_000), open_ended=True),
    ExplicitLayout((0, 100_000, 250_000, 1_000_000, 3_000_000_000_000)),
    ExplicitLayout((0, 1_000_000, 2_000_000, 4_000_000), open_ended=True, edge_tolerance_ns=1),
)


def indices_of(values: Int64s, layout: BucketLayout) -> Int64s:
    """Bucket of each latency."""
    if isinstance(layout, HdrLayout):
        return layout.index_of(values // layout.unit_ns)
    assert isinstance(layout, Pow2Layout | ExplicitLayout)
    lower_ns, _ = layout.edges_ns(np.arange(layout.index_limit))
    return np.searchsorted(lower_ns, values, side="right") - 1


def recorded(
    values: Int64s,
    layout: BucketLayout,
    pins: tuple[int, ...] = (),
    misses: Misses | None = None,
    *,
    summed: bool = False,
    ends: bool = False,
) -> LatencyDist:
    """Record of latencies, with as much beside the buckets as asked for."""
    indices, amounts = np.unique(indices_of(values, layout), return_counts=True)
    return LatencyDist(
        layout,
        Counts(indices.astype(np.int64), amounts.astype(np.int64)),
        pins={at: int((values >= at).sum()) for at in pins},
        misses=misses or Misses(),
        sum_ns=int(values.sum()) if summed else None,
        min_ns=int(values.min()) if ends and values.size else None,
        max_ns=int(values.max()) if ends and values.size else None,
    )


def check_bounds(bounds: LatencyBounds, times: Floats, truth: Floats) -> None:
    """Check that the share below each time lies between the late and the early distribution, as the middle
    distribution does.
    """
    early, middle, late = (_below(masses, times) for masses in (bounds.early, bounds.middle, bounds.late))
    assert (late <= truth + 1e-9).all()
    assert (truth <= early + 1e-9).all()
    assert (late <= middle + 1e-9).all()
    assert (middle <= early + 1e-9).all()


def _below(masses: PointMasses, times: Floats) -> Floats:
    order = np.argsort(masses.at_ns)
    running = np.concatenate((np.zeros(1), np.cumsum(masses.ratio[order])))
    result: Floats = running[np.searchsorted(masses.at_ns[order], times, side="left")]
    return result


def drawn(shape: str, size: int, generator: np.random.Generator) -> Int64s:
    """Latencies of one shape; all below 50 minutes."""
    median_ns = 10 ** generator.uniform(4.5, 7.0)
    if shape == "lognormal":
        values = median_ns * np.exp(generator.normal(0.0, generator.uniform(0.1, 2.0), size))
    elif shape == "pareto":
        values = median_ns * (1.0 + generator.pareto(generator.uniform(0.8, 3.0), size))
    elif shape == "bimodal":
        slow = generator.random(size) < generator.uniform(0.0, 0.2)
        values = generator.normal(median_ns, median_ns / 10, size) + slow * 20 * median_ns
    elif shape == "stalls":
        stall_ns = 10 ** generator.uniform(8.0, 10.0)
        values = generator.gamma(2.0, median_ns, size)
        length = max(1, size // 50)
        values[:length] = np.linspace(stall_ns, median_ns, length)
    else:
        raise ValueError(shape)
    whole: Int64s = np.clip(values, 0.0, 2.9e12).astype(np.int64)
    return whole


SHAPES = ("lognormal", "pareto", "bimodal", "stalls")
