"""Excerpts: rows over time whose first rows are missing."""

from collections.abc import Sequence

_LOOKED_AT = 8
"""Number of first rows that are compared: rows of several directions end together."""
_SLACK = 1.5
"""Steps that the first interval may last at most: threads are started in it."""


def lacks_first_rows(times: Sequence[int], unit: int) -> bool:
    """Return whether rows are missing before the first: whether it ends later than 1.5 steps plus `unit`.

    `times` are ends of rows since the start of the run, a step is the distance of the first two. False for
    fewer than two, or if these do not ascend. `unit` is the largest error of a printed time.
    """
    if len(times) < 2 or times[1] <= times[0]:
        return False
    step = times[1] - times[0]
    return times[0] > _SLACK * step + unit


def begin_of_first(times: Sequence[int], unit: int) -> int:
    """Return the start of the first row of an excerpt, as far before its end as the second row ends after it.

    0 if no rows are missing. `times` and `unit` are as in `lacks_first_rows`, but times may be equal or out
    of order. Only the first eight are used.
    """
    ends = sorted(set(times[:_LOOKED_AT]))
    return 2 * ends[0] - ends[1] if lacks_first_rows(ends, unit) else 0
