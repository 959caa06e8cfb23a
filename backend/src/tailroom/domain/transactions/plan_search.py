"""Largest count and quantile of a plan, read off monotone ends of record, plan, time and objective.

Searches go over fixed numbers (a lattice of counts, the columns of the grid), never from the number that was
asked about, so what fits does not depend on the question; finer lattices hold all numbers of coarser ones, so
a quick answer encloses a full one. Source: docs/method.md sections 1.6, 1.7 and 10 (C2, C3).
"""

from collections.abc import Callable
from dataclasses import dataclass

from tailroom.domain.latency.distribution import TimeBounds
from tailroom.domain.transactions.plan import COUNT_LIMIT


@dataclass(frozen=True, slots=True)
class LargestCount:
    """Most reads that fit: for certain, and at best. None at best: no limit below the search's own."""

    guaranteed: int
    possible: int | None

    @property
    def is_unlimited(self) -> bool:
        """Whether the search ended at its own limit, so that none is known."""
        return self.guaranteed >= COUNT_LIMIT


Share = Callable[[int], float]
"""A share at a time in ns, or for a count."""

_FIRST, _LAST = 4, 46
_FEW_COLUMNS = 1 << 12
"""Up to so many steps of a grid an end costs about as much as the cheap ones."""
_NOISE = 1e-12
"""What adding up a share in another order may leave of one that meets the objective exactly."""


def largest_count(ends: tuple[Share, Share], objective: float, digits: int) -> LargestCount:
    """Largest count whose lower end meets the objective, and the largest whose upper end does (none: any).

    `ends` are lower and upper share by count, falling with it; counts have `digits` binary digits.
    """
    objective -= _NOISE
    highest = _index_of(COUNT_LIMIT, digits)

    def count(index: int) -> int:
        return _count_at(index, digits)

    guaranteed = _last(lambda index: ends[0](count(index)) >= objective, 0, highest)
    possible = _last(lambda index: ends[1](count(index)) >= objective, guaranteed, highest, is_near=True)
    return LargestCount(count(guaranteed), None if possible >= highest else count(possible + 1) - 1)


def quantile(
    ends: tuple[Share, Share], cheap: tuple[Share, Share], ever: float, objective: float, columns: int
) -> TimeBounds:
    """Where the time lies that a share of transactions keeps; no upper end where too many may never end.

    Shares by time, rising with it; those of `cheap` enclose those of `ends` and say where to look. `columns`
    is the steps of the grid of a level.
    """
    objective -= _NOISE
    before = _last(lambda level: cheap[1](1 << level) < objective, _FIRST - 1, _LAST)
    after = _last(lambda level: cheap[0](1 << level) < objective, before, _LAST, is_near=True)
    lowest = _last(lambda level: ends[1](1 << level) < objective, before, after, is_near=True)
    lower_ns = _within_level((ends[1], cheap), lowest, columns, objective)[0]
    if ever < objective:
        return TimeBounds(lower_ns, None)
    level = _last(lambda one: ends[0](1 << one) < objective, lowest, after, is_near=True)
    if level >= _LAST:
        return TimeBounds(lower_ns, None)
    return TimeBounds(lower_ns, _within_level((ends[0], cheap), level, columns, objective)[1])


def _within_level(
    asked: tuple[Share, tuple[Share, Share]], level: int, columns: int, objective: float
) -> tuple[int, int]:
    """Last time of a column after `2^level` by which an end misses the objective, and the first by which it
    does not; on a grid of many steps the cheap ends beside it say where to look.
    """
    if level >= _LAST:
        return 1 << _LAST, 1 << _LAST
    if level < _FIRST:
        return 0, 1 << _FIRST
    span, (end, cheap) = 1 << level, asked

    def at(column: int) -> int:
        return span + -(-column * span // columns)

    first, most = 0, columns
    if columns > _FEW_COLUMNS:
        first = _last(lambda column: cheap[1](at(column)) < objective, 0, columns)
        most = _last(lambda column: cheap[0](at(column)) < objective, first, columns)
    last = _last(lambda column: end(at(column)) < objective, first, most)
    return at(last), at(min(last + 1, columns))


def _last(holds: Callable[[int], bool], low: int, high: int, *, is_near: bool = False) -> int:
    """Largest number from `low` (taken to hold) to `high` that holds, if those that do come first.

    `is_near`: it is likely to lie near `low`, so steps from there become longer and longer.
    """
    above, step = high + 1, 1
    while is_near and low + step < above:
        if holds(low + step):
            low, step = low + step, 2 * step
        else:
            above = low + step
    while above - low > 1:
        middle = (low + above) // 2
        low, above = (middle, above) if holds(middle) else (low, middle)
    return low


def _count_at(index: int, digits: int) -> int:
    """The counts in order: every one of `digits` binary digits, then those with as many leading digits."""
    whole = 1 << digits
    if index <= whole:
        return index
    half = whole // 2
    octave, rest = divmod(index - whole, half)
    return (half + rest) << (octave + 1) if octave >= 0 else index


def _index_of(count: int, digits: int) -> int:
    """Largest index whose count is at most this."""
    low, high = 0, 1
    while _count_at(high, digits) <= count:
        high *= 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _count_at(middle, digits) <= count else (low, middle)
    return low
