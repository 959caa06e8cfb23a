"""Newcombe's interval of a difference of shares, and the smallest difference that ranks two runs.

A difference orders two runs only if the interval excludes 0 and it is at least 0.1 percentage points or a
tenth of the larger share. Source: docs/method.md 2.6; Newcombe, Statistics in Medicine 17 (1998) 873, method
10.
"""

import math

from tailroom.domain.confidence.shares import ShareLimits, wilson

SMALLEST_POINTS_RATIO = 0.001
"""Smallest difference of two shares that ranks them: 0.1 percentage points."""
SMALLEST_RELATIVE_RATIO = 0.1
"""Smallest difference of two shares that ranks them, as a ratio of the larger share."""
LOAD_TOLERANCE_RATIO = 0.01
"""Largest difference of the loads of two comparable runs, as a ratio of the larger load."""


def newcombe(
    first_over: float, first_total: float, second_over: float, second_total: float, error: float = 0.05
) -> ShareLimits:
    """Return the two-sided limits of the first share less the second, each `over / total` of its own sample,
    by Newcombe's method from the Wilson limits of each. Raise `SampleInvalid` without samples, unless 0 ≤
    over ≤ total, and for an error outside 0 to 1.
    """
    first, second = wilson(first_over, first_total, error), wilson(second_over, second_total, error)
    p, q = first_over / first_total, second_over / second_total
    return ShareLimits(
        max(-1.0, p - q - math.hypot(p - first.lower, second.upper - q)),
        min(1.0, p - q + math.hypot(first.upper - p, q - second.lower)),
    )
