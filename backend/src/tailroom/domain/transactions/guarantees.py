"""Certain bounds of a plan from whole records: their distributions, and their means.

A record of a few published percentiles has an unknown tail, but often a mean. The sum of all latencies
exceeds the window less overheads with a chance of at most `Σ N_s m_s / W` (Markov), and no scheduling takes
longer than the sum; failed operations count with their own share. Where this is tighter than the convolution,
it is the lower bound. Source: docs/method.md section 1.2.
"""

import math
from collections.abc import Mapping

from tailroom.domain.latency.bounds import LatencyBounds
from tailroom.domain.latency.record import LatencyRecord
from tailroom.domain.transactions.grid import check_question
from tailroom.domain.transactions.plan import Plan, RandomCount


def record_distributions(plan: Plan, records: Mapping[str, LatencyRecord]) -> dict[str, LatencyBounds]:
    """Return the latency distributions of a plan's operations. Raise OperationNotMeasured."""
    plan.check_measured(records)
    return {name: records[name].bounds() for name in plan.operations}


def mean_guarantee(plan: Plan, records: Mapping[str, LatencyRecord], window_ns: int) -> float:
    """Return a lower bound of the share in time by the means alone; 0 if any mean is unknown."""
    check_question(1, window_ns)
    plan.check_measured(records)
    net_ns = window_ns - plan.overhead_ns
    if net_ns <= 0:
        return 0.0
    expected_ns, answered = 0.0, 1.0
    for stage in plan.stages:
        record = records[stage.operation]
        mean = record.mean_ns
        if mean is None or not math.isfinite(mean[1]):
            return 0.0
        count = stage.count
        expected_ns += (count.mean if isinstance(count, RandomCount) else count) * mean[1]
        share = _answered(record)
        weights = count.weights if isinstance(count, RandomCount) else {count: 1.0}
        answered *= math.fsum(weight * share**number for number, weight in weights.items())
    if isinstance(plan.stages[0].count, int) and all(isinstance(stage.count, int) for stage in plan.stages):
        return answered * max(0.0, 1.0 - expected_ns / net_ns)
    # With a random count the two events are dependent, so their chances are added and not multiplied.
    return max(0.0, answered - expected_ns / net_ns)


def _answered(record: LatencyRecord) -> float:
    """Return the share of operations with an answer."""
    missed = record.misses.total
    if not missed:
        return 1.0
    return 1.0 - missed / record.total if record.total else 0.0
