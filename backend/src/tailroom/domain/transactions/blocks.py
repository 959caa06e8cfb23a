"""Confidence limits of a plan from disjoint blocks of a sample of operations.

The measured share of transactions in time is an average over arrangements of averages of `k` independent
terms in [0, 1]. `k` is the number of disjoint blocks, each of the operations of one transaction, that the
measured sample has. Hoeffding's inequality for U-statistics then holds in its strongest form:

    P(V ≥ θ + t) ≤ exp(−k · KL(θ + t ‖ θ)),  KL(a ‖ b) = a ln(a/b) + (1 − a) ln((1 − a)/(1 − b))

The limit is the root of `KL(V ‖ θ) = ln(1/error)/k` on its side. Source: docs/method.md section 12;
Hoeffding, Journal of the American Statistical Association 58 (1963) 13, section 5.
"""

import math

from tailroom.domain.confidence.shares import ERROR_ONE_SIDED

FEWEST_BLOCKS = 40
"""Least number of blocks for which a limit is given."""
_SMALLEST = 2.0**-100
"""Limits below this share are rounded down to 0."""


def share_limits(
    lower: float, upper: float, blocks: float, error: float = ERROR_ONE_SIDED
) -> tuple[float, float]:
    """Return lower and upper one-sided limits of the share of plans in time, each wrong with a chance of at
    most `error`; (0, 1) for fewer than `FEWEST_BLOCKS` blocks.

    `lower` and `upper` are the measured share in time by the upper and by the lower edges of the buckets,
    `blocks` the number of disjoint blocks of the sample. The measured share is that of draws with
    replacement; without replacement the variance of a sum is smaller by one part in `blocks`, so both shares
    are first moved outwards by `share · (1 − share) / blocks`.
    """
    if blocks < FEWEST_BLOCKS:
        return 0.0, 1.0
    distance = math.log(1.0 / error) / blocks
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
    """Return `KL(share ‖ other)` of two probabilities, in nats; infinite if `other` is 0 or 1 and `share` is
    not.
    """
    if share == other:
        return 0.0
    if (other <= 0.0 and share > 0.0) or (other >= 1.0 and share < 1.0):
        return math.inf
    late = 1.0 - share
    first = share * math.log(share / other) if share > 0.0 else 0.0
    return first + (late * math.log(late / (1.0 - other)) if late > 0.0 else 0.0)


def blocks_to_prove(share: float, objective: float, error: float = ERROR_ONE_SIDED) -> float | None:
    """Return the number of blocks that shows, with a chance of error of `error`, on which side of the
    objective a measured share in time lies. At least `FEWEST_BLOCKS`, not rounded; None if the share equals
    the objective.
    """
    distance = divergence(share, objective)
    return None if distance == 0.0 else max(float(FEWEST_BLOCKS), math.log(1.0 / error) / distance)
