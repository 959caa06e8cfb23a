"""What is certain of a plan from records as a whole: their laws, and their means beside them.

A record with a few published percentiles has a law with nearly nothing at its slow end, but often a mean. The
sum of all latencies exceeds what the plan leaves of the window with a chance of at most `Σ N_s m_s / W`
(Markov), and no scheduling takes longer than the sum; operations that fail count with their own share. Where
this says more than the convolution, it is the lower bound. Source: docs/method.md section 1.2.
"""

import math
from collections.abc import Mapping

from tailroom.domain.latency.bounds import LatencyBounds
from tailroom.domain.latency.record import LatencyRecord
from tailroom.domain.transactions.grid import check_question
from tailroom.domain.transactions.plan import Plan, RandomCount


def record_laws(plan: Plan, records: Mapping[str, LatencyRecord]) -> dict[str, LatencyBounds]:
    """Laws of the operations of a plan; refused for operations that were not measured."""
    plan.check_measured(records)
    return {name: records[name].bounds() for name in plan.operations}


def mean_guarantee(plan: Plan, records: Mapping[str, LatencyRecord], window_ns: int) -> float:
    """At least this share keeps the window, by the means alone; 0 where any mean is unknown."""
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
    if isinstance(plan.stages[0].count, int) and all(isinstance(one.count, int) for one in plan.stages):
        return answered * max(0.0, 1.0 - expected_ns / net_ns)
    # A random count goes along with how many can fail, so the two chances are added and not multiplied.
    return max(0.0, answered - expected_ns / net_ns)


def _answered(record: LatencyRecord) -> float:
    """Share of operations that gave an answer."""
    missed = record.misses.total
    if not missed:
        return 1.0
    return 1.0 - missed / record.total if record.total else 0.0
