"""Laws for tests, and answers calculated in another way: fractions, enumeration, other people's functions."""

import itertools
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from tailroom.domain.latency.bounds import LatencyBounds, PointMasses
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.layouts import ExplicitLayout

MS = 1_000_000


def exact_latency(at_ns: Sequence[float], ratio: Sequence[float]) -> LatencyBounds:
    """Return the bounds of a latency with exactly these values: all three distributions are equal."""
    law = PointMasses(np.asarray(at_ns, dtype=np.float64), np.asarray(ratio, dtype=np.float64))
    return LatencyBounds(law, law, law, continuous=False)


def points(at_ms: Sequence[float], ratio: Sequence[float]) -> LatencyBounds:
    """A latency known to the point."""
    return exact_latency([at * MS for at in at_ms], ratio)


def exponential(mean_ns: float, cells: int = 20_000) -> LatencyBounds:
    """Exponential law in cells of equal width up to 40 means; what is beyond is late."""
    edges = np.linspace(0.0, 40.0 * mean_ns, cells + 1)
    share = -np.diff(np.exp(-edges / mean_ns))
    middle = (edges[1:] + edges[:-1]) / 2.0
    return LatencyBounds(
        PointMasses(edges[:-1], share), PointMasses(middle, share), PointMasses(edges[1:], share)
    )


def act_drive() -> LatencyDist:
    """Exactly 5 % at or over 1 ms, 1 % at or over 8 ms, 0.1 % at or over 64 ms."""
    layout = ExplicitLayout((0, MS, 8 * MS, 64 * MS), open_ended=True)
    return LatencyDist(layout, Counts(np.arange(4), np.array([950, 40, 9, 1])))


def enumerated(values: Sequence[int], count: int, window: int, fan_out: int | None = None) -> Fraction:
    """P(T ≤ window) over all combinations of equally likely values; in waves where `fan_out` is given."""
    kept = 0
    for chosen in itertools.product(values, repeat=count):
        if fan_out is None:
            taken = sum(chosen)
        else:
            taken = sum(max(chosen[at : at + fan_out]) for at in range(0, count, fan_out))
        kept += taken <= window
    return Fraction(kept, len(values) ** count)


def list_schedule(latencies: Sequence[float], workers: int) -> float:
    """Time of a work-conserving pool, step by step."""
    free_at = [0.0] * workers
    for latency in latencies:
        first = min(range(workers), key=free_at.__getitem__)
        free_at[first] += latency
    return max(free_at)
