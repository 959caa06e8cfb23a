"""Which output is the end of a longer one: rows of a course whose beginning is missing."""

from collections.abc import Sequence

_LOOKED_AT = 8
"""Rows of several directions end together."""
_SLACK = 1.5
"""The first interval may last longer than the second: threads are started in it."""


def begins_in_the_middle(times: Sequence[int], unit: int) -> bool:
    """Return whether the beginning of the output is missing, by the ends of its first rows.

    `times` are distances from the beginning of the run in any unit; `unit` is the largest error of their
    printing. Rows come in equal distances, so that a first row that lies further from the beginning than from
    the second is the first of an excerpt. A single row is not enough.
    """
    if len(times) < 2 or times[1] <= times[0]:
        return False
    step = times[1] - times[0]
    return times[0] > _SLACK * step + unit


def begin_of_first(times: Sequence[int], unit: int) -> int:
    """Return the start of the first row of an excerpt; 0 if the output is whole (see `begins_in_the_middle`).

    `times` are the ends of rows of equal length, ascending.
    """
    ends = sorted(set(times[:_LOOKED_AT]))
    return 2 * ends[0] - ends[1] if begins_in_the_middle(ends, unit) else 0
