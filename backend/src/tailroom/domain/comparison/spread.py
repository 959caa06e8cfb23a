"""The spread between parts of one run, as an estimate of the spread between runs.

A run is cut into six consecutive parts of equal length, and each quantity is taken of every part. Whole runs
are assumed to differ as these parts do, which is more than chance alone: they are longer, but what changes
from run to run (other load of the machine, temperature, layout) changes slowly. Runs below a minute show too
little of that, and two of them prove nothing (docs/performance.md has the false alarms).
Source: docs/method.md 10.
"""

import math
from collections.abc import Mapping

import numpy as np

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.units import NS_PER_S
from tailroom.domain.verdicts.evidence import OperationEvidence

PARTS = 6
"""Parts of equal length that a run is cut into."""
SHORTEST_S = 60
"""Least duration in s of a run whose parts show a spread."""


def spread_over_parts(
    operation: OperationEvidence, quantiles: Mapping[str, float], thresholds_ns: Mapping[str, int]
) -> dict[str, float]:
    """Return the standard deviation over the parts of a run, by name.

    The names are those of `quantiles` and `thresholds_ns`, `mean`, `rate` and `misses` (failed operations).
    Shares are compared directly, the others on the logarithm. `mean` is left out if it is open or 0 in a
    part. Empty without counts over time, below a minute, or if a part has no operations.
    """
    course = operation.course
    if course is None or course.size < PARTS or course.end_ns < SHORTEST_S * NS_PER_S:
        return {}
    begin_ns = int(course.start_ns[0])
    length_ns = max(1, course.end_ns - begin_ns)
    part_of = (course.start_ns - begin_ns) * PARTS // length_ns
    parts = course.grouped(part_of)
    if parts.size < PARTS:
        return {}
    distributions = [parts.distribution(position) for position in range(parts.size)]
    if any(distribution.total == 0 for distribution in distributions):
        return {}
    lasted_s = np.bincount(part_of, weights=course.duration_ns / NS_PER_S)
    values = {
        name: [_log_quantile(distribution, quantile) for distribution in distributions]
        for name, quantile in quantiles.items()
    }
    values["mean"] = [_log_mean(distribution) for distribution in distributions]
    values["rate"] = [
        math.log(distribution.total / at) if at else 0.0
        for distribution, at in zip(distributions, lasted_s, strict=True)
    ]
    for name, threshold_ns in thresholds_ns.items():
        values[name] = [_share_over(distribution, threshold_ns) for distribution in distributions]
    values["misses"] = [distribution.misses.total / distribution.total for distribution in distributions]
    return {name: float(np.std(each, ddof=1)) for name, each in values.items() if np.isfinite(each).all()}


def _log_quantile(distribution: LatencyDist, quantile: float) -> float:
    """Return the logarithm of a quantile in ns, the middle of its bounds, or the lower if open above."""
    bounds = distribution.quantile_bounds(quantile)
    upper_ns = bounds.lower_ns if bounds.upper_ns is None else bounds.upper_ns
    return math.log(math.sqrt(max(1, bounds.lower_ns) * max(1, upper_ns)))


def _log_mean(distribution: LatencyDist) -> float:
    """Return the logarithm of the mean in ns, the middle of its bounds; NaN if a bound is open or 0."""
    ends = distribution.mean_ns
    is_known = ends is not None and ends[0] > 0.0 and not math.isinf(ends[1])
    return math.log(math.sqrt(ends[0] * ends[1])) if ends is not None and is_known else math.nan


def _share_over(distribution: LatencyDist, threshold_ns: int) -> float:
    """Return the share of operations at or over a threshold, failed ones included; the mean of its bounds."""
    over = distribution.at_or_over(threshold_ns)
    return (over.lower + over.upper) / 2.0 / distribution.total
