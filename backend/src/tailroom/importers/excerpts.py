"""Which output is the end of a longer one: rows of a course whose beginning is missing."""

from collections.abc import Sequence

_LOOKED_AT = 8
"""Rows of several directions end together."""
_SLACK = 1.5
"""The first interval may last longer than the second: threads are started in it."""


def lacks_first_rows(times: Sequence[int], unit: int) -> bool:
    """Return whether the first rows are missing: a first row is then later than one step from the start.

    `times` are the ends of rows since the start of the run; `unit` is the largest error of their printing.
    """
    if len(times) < 2 or times[1] <= times[0]:
        return False
    step = times[1] - times[0]
    return times[0] > _SLACK * step + unit


def begin_of_first(times: Sequence[int], unit: int) -> int:
    """Return the start of the first row of an excerpt; 0 if no rows are missing."""
    ends = sorted(set(times[:_LOOKED_AT]))
    return 2 * ends[0] - ends[1] if lacks_first_rows(ends, unit) else 0
