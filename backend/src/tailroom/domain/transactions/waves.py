"""The probability that the slowest of several operations is in time, and the sizes of barrier waves.

The slowest of k operations is in time with probability `F^k`. Barrier waves are sums of such maxima: all but
the last of `fan_out` operations, the last of the rest. Source: docs/method.md sections 1.3 and 1.4.
"""

import math

import numpy as np

from tailroom.domain.latency.bounds import Floats
from tailroom.domain.transactions.plan import RandomCount
from tailroom.domain.units import ceil_div

Count = int | RandomCount


def power_of_shares(below: Floats, over: Floats, count: Count) -> Floats:
    """Return `below ** count`, averaged over a random count; `over` is `1 − below`, exact for tiny shares."""
    if isinstance(count, RandomCount):
        terms = [weight * power_of_shares(below, over, n) for n, weight in count.weights.items()]
        return np.asarray(sum(terms), dtype=np.float64)
    small = np.clip(over, 0.0, 0.5)
    exact = np.exp(count * np.log1p(-small))
    return np.asarray(np.where(over < 0.5, exact, np.maximum(below, 0.0) ** count), dtype=np.float64)


def share_over_allowed(count: int, objective: float) -> float:
    """Return the largest share of operations that may take longer than a window, so that all of `count`
    independent operations are in time with the chance `objective`.
    """
    return -math.expm1(math.log(objective) / count)


def wave_sizes(count: int, fan_out: int) -> tuple[int, int]:
    """Return the number of full waves before the last, and the size of the last, from 1 to `fan_out`."""
    full = ceil_div(count, fan_out) - 1
    return full, count - full * fan_out
