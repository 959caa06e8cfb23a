"""Latencies with known distributions, and answers about plans that are calculated without a grid."""

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from tailroom.domain.latency.bounds import LatencyBounds, PointMasses
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.layouts import ExplicitLayout
from tailroom.domain.transactions.group_distributions import GroupDistributions
from tailroom.domain.transactions.plan import Plan
from tailroom.domain.transactions.plan_bounds import PlanBounds

MS = 1_000_000
STEP_NS = 1 << 20
"""Latencies that are multiples of this lie on every grid of time, so that nothing is rounded."""


def plan_bounds(latencies: Mapping[str, LatencyBounds], bins: int = 1 << 14) -> PlanBounds:
    """Return the bounds of plans of operations with these latencies, in a single group."""
    groups = {name: GroupDistributions.from_bounds(latency) for name, latency in latencies.items()}
    return PlanBounds(groups, np.ones(1), bins)


def share_within(
    plan: Plan, latencies: Mapping[str, LatencyBounds], time_ns: int, bins: int = 1 << 14
) -> tuple[float, float, float]:
    """Return lower bound, estimate and upper bound of the share of transactions within a time."""
    bounds = plan_bounds(latencies, bins)
    lower, upper = bounds.lower(plan, time_ns), bounds.upper(plan, time_ns)
    estimate = bounds.estimate(plan, time_ns, lower, np.maximum(lower, upper))
    return float(lower[0]), float(estimate[0]), float(upper[0])


def exact_latency(at_ns: Sequence[float], ratio: Sequence[float]) -> LatencyBounds:
    """Return a latency with exactly these values: its early, middle and late distribution are equal."""
    masses = PointMasses(np.asarray(at_ns, dtype=np.float64), np.asarray(ratio, dtype=np.float64))
    return LatencyBounds(masses, masses, masses, continuous=False)


def points(at_ms: Sequence[float], ratio: Sequence[float]) -> LatencyBounds:
    """Return a latency with exactly these values in ms."""
    return exact_latency([at * MS for at in at_ms], ratio)


def on_grid(steps: Sequence[int]) -> LatencyBounds:
    """Return a latency of equally likely multiples of `STEP_NS`."""
    return exact_latency([step * STEP_NS for step in steps], [1 / len(steps)] * len(steps))


def exponential(mean_ns: float, cells: int = 20_000) -> LatencyBounds:
    """Return an exponential latency in cells of equal width up to 40 means; longer latencies never end."""
    edges = np.linspace(0.0, 40.0 * mean_ns, cells + 1)
    share = -np.diff(np.exp(-edges / mean_ns))
    middle = (edges[1:] + edges[:-1]) / 2.0
    return LatencyBounds(
        PointMasses(edges[:-1], share), PointMasses(middle, share), PointMasses(edges[1:], share)
    )


def act_drive() -> LatencyDist:
    """Return a drive at the ACT limits: 5 % from 1 ms, 1 % from 8 ms, 0.1 % from 64 ms."""
    layout = ExplicitLayout((0, MS, 8 * MS, 64 * MS), open_ended=True)
    return LatencyDist(layout, Counts(np.arange(4), np.array([950, 40, 9, 1])))


def enumerated(values: Sequence[int], count: int, window: int, fan_out: int = 1) -> Fraction:
    """Return P(T ≤ window) over all combinations of equally likely values, in waves of `fan_out`."""
    in_time = sum(
        sum(max(drawn[at : at + fan_out]) for at in range(0, count, fan_out)) <= window
        for drawn in itertools.product(values, repeat=count)
    )
    return Fraction(in_time, len(values) ** count)


def list_schedule(latencies: Sequence[float], workers: int) -> float:
    """Return the time of a work-conserving pool, step by step."""
    free_at = [0.0] * workers
    for latency in latencies:
        first = min(range(workers), key=free_at.__getitem__)
        free_at[first] += latency
    return max(free_at)
