"""Certain bounds of a plan from whole records: their distributions, and their means.

A record of a few published percentiles has an unknown tail, but often a mean and a largest latency. No
scheduling takes longer than the sum S of N latencies with mean m. That exceeds the window W less overheads
with a chance of at most `N m / W` (Markov), and, if no latency exceeds M, of at most `exp(-N KL(W / (N M) ||
m / M))` (Hoeffding 1963, theorem 1). If one of them is tighter than the convolution, it is the lower bound.
Source: docs/method.md section 1.2.

Confidence limits from disjoint blocks of a sample: the measured share of transactions in time is an average
over arrangements of averages of `k` independent terms in [0, 1], `k` being the number of blocks, each of the
operations of one transaction. By Hoeffding's inequality for U-statistics, with `KL(a ‖ b) = a ln(a/b) + (1 −
a) ln((1 − a)/(1 − b))`,

    P(V ≥ θ + t) ≤ exp(−k · KL(θ + t ‖ θ))

and the limit is the root of `KL(V ‖ θ) = ln(1/error)/k` on its side. Source: docs/method.md section 12;
Hoeffding, Journal of the American Statistical Association 58 (1963) 13, section 5.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from tailroom.domain.confidence.shares import ERROR_ONE_SIDED
from tailroom.domain.latency.bounds import PointMasses
from tailroom.domain.latency.distribution import LatencyRecord
from tailroom.domain.transactions.group_distributions import Masses
from tailroom.domain.transactions.plan import Plan
from tailroom.domain.transactions.plan_terms import certain_counts

FEWEST_BLOCKS = 40
"""Least number of blocks for which a limit is given."""
_SMALLEST = 2.0**-100


def share_limits(lower: float, upper: float, blocks: float) -> tuple[float, float]:
    """Return lower and upper one-sided limits of the share of plans in time, each wrong with a chance of at
    most 5 %. `lower` and `upper` bound the measured share, `blocks` is the number of disjoint blocks; for
    fewer than `FEWEST_BLOCKS` the limits are 0 and 1. The bounds are moved outwards by `share · (1 − share) /
    blocks`, because without replacement the variance of a sum is smaller by one part in `blocks`.
    """
    if blocks < FEWEST_BLOCKS:
        return 0.0, 1.0
    distance = math.log(1.0 / ERROR_ONE_SIDED) / blocks
    least = max(0.0, lower - lower * (1.0 - lower) / blocks)
    most = min(1.0, upper + upper * (1.0 - upper) / blocks)
    return lower_limit(least, distance), 1.0 - lower_limit(1.0 - most, distance)


def lower_limit(share: float, distance: float) -> float:
    """Return the smallest θ up to `share` with `KL(share ‖ θ)` at most `distance`, rounded down by less than
    the precision of the bisection. 0 for a share of 0, and for limits below 2^-100.
    """
    if share <= 0.0:
        return 0.0
    if share >= 1.0:
        return math.exp(-distance)
    low, high = 0.0, share
    while high > _SMALLEST and low < (middle := (low + high) / 2.0) < high:
        low, high = (middle, high) if divergence(share, middle) > distance else (low, middle)
    return low


def divergence(share: float, other: float) -> float:
    """Return `KL(share ‖ other)` of two probabilities in nats; infinite if only `other` is 0 or 1."""
    if share == other:
        return 0.0
    if (other <= 0.0 and share > 0.0) or (other >= 1.0 and share < 1.0):
        return math.inf
    late = 1.0 - share
    first = share * math.log(share / other) if share > 0.0 else 0.0
    return first + (late * math.log(late / (1.0 - other)) if late > 0.0 else 0.0)


def blocks_to_prove(share: float, objective: float) -> float | None:
    """Return the number of blocks that shows, with a chance of error of 5 %, on which side of the
    objective a share lies, at least `FEWEST_BLOCKS`; None if they are equal.
    """
    distance = divergence(share, objective)
    return None if distance == 0.0 else max(float(FEWEST_BLOCKS), math.log(1.0 / ERROR_ONE_SIDED) / distance)


_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class MeanAndLargest:
    """Largest mean and latency (ns) that a record allows, infinite if unknown, and the answered share."""

    mean_ns: float
    largest_ns: float
    answered_ratio: float

    @staticmethod
    def from_record(record: LatencyRecord, late: PointMasses | Masses) -> "MeanAndLargest":
        """Return mean, latency and share by a record and its `late` distribution. The latency is infinite if
        `late` leaves out answered operations. Without a number of operations the share is 1, or 0 if any
        failed.
        """
        mean = record.mean_ns
        missed = record.misses.total
        answered = 1.0 - missed / record.total if record.total else float(not missed)
        is_whole = float(late.ratio.sum()) >= answered - _ROUNDING
        largest_ns = float(late.at_ns.max()) if is_whole and late.at_ns.size else math.inf
        return MeanAndLargest(math.inf if mean is None else mean[1], largest_ns, answered)


def mean_guarantee(plan: Plan, means: Mapping[str, MeanAndLargest], window_ns: int) -> float:
    """Return a lower bound of the share of transactions in time, by means and largest latencies; 0 if any
    mean is unknown. Raise OperationNotMeasured or CountsTooMany.
    """
    plan.check_measured(means)
    if not all(math.isfinite(means[name].mean_ns) for name in plan.operations):
        return 0.0
    return sum(
        weight * _guarantee_of_counts(fixed, means, window_ns - fixed.overhead_ns)
        for fixed, weight in certain_counts(plan, points_of_a_stage=0)
    )


def _guarantee_of_counts(plan: Plan, means: Mapping[str, MeanAndLargest], net_ns: int) -> float:
    if net_ns <= 0:
        return 0.0
    count, expected_ns, answered, largest_ns = 0, 0.0, 1.0, 0.0
    for stage in plan.stages:
        operation = means[stage.operation]
        count += stage.largest_count
        expected_ns += stage.largest_count * operation.mean_ns
        answered *= operation.answered_ratio**stage.largest_count
        largest_ns = max(largest_ns, operation.largest_ns)
    over, most_ns = min(1.0, expected_ns / net_ns), count * largest_ns
    if most_ns <= net_ns:
        over = 0.0
    elif over < 1.0 and most_ns < math.inf:
        exponent = count * divergence(net_ns / most_ns, expected_ns / most_ns)
        over = min(over, math.exp(-exponent))
    return answered * (1.0 - over)
