"""Search for the largest count and the quantile of a plan by its monotone bounds.

Searches use fixed numbers (a lattice of counts, the columns of the grid), never the number of the question,
so the result does not depend on it; finer lattices hold all numbers of coarser lattices, so a quick answer
encloses a full answer. Source: docs/method.md sections 1.6, 1.7 and 10 (C2, C3).
"""

from collections.abc import Callable
from dataclasses import dataclass

from tailroom.domain.latency.distribution import TimeBounds
from tailroom.domain.transactions.plan import COUNT_LIMIT
from tailroom.domain.units import ceil_div


@dataclass(frozen=True, slots=True)
class LargestCount:
    """Largest number of operations that certainly meets the objective (`guaranteed`, 0 if none does), and
    that may meet it (`possible`, None if the search found no limit).
    """

    guaranteed: int
    possible: int | None

    @property
    def is_unlimited(self) -> bool:
        """Whether the search ended at its own limit: `COUNT_LIMIT` operations are guaranteed."""
        return self.guaranteed >= COUNT_LIMIT


Share = Callable[[int], float]
"""A share of transactions in time, by time in ns or by count."""

_FIRST, _LAST = 4, 46
"""Exponents of the least and the largest time that is searched: `2^4` to `2^46` ns."""
_FEW_COLUMNS = 1 << 12
"""Steps of a grid up to which a bound costs about as much as a cheap bound."""
_NOISE = 1e-12
"""Tolerance for a share that equals the objective: rounding errors of sums in another order."""


def largest_count(bounds: tuple[Share, Share], objective: float, digits: int) -> LargestCount:
    """Return the largest counts whose lower and whose upper share in time (`bounds`, by count, never rising)
    meet the objective. Only counts of `digits` binary digits, times powers of two, are tried: `guaranteed` is
    rounded down to them, `possible` up to just below the next.
    """
    objective -= _NOISE
    highest = _index_of(COUNT_LIMIT, digits)

    def count(index: int) -> int:
        return _count_at(index, digits)

    guaranteed = _last_holding(lambda index: bounds[0](count(index)) >= objective, 0, highest)
    possible = _last_holding(
        lambda index: bounds[1](count(index)) >= objective, guaranteed, highest, is_near=True
    )
    return LargestCount(count(guaranteed), None if possible >= highest else count(possible + 1) - 1)


def quantile(
    bounds: tuple[Share, Share], cheap: tuple[Share, Share], ever: float, objective: float, columns: int
) -> TimeBounds:
    """Return bounds in ns of the time within which the share `objective` of transactions ends, on `columns`
    steps between powers of two. `bounds` are the lower and upper share by time; the wider and quicker `cheap`
    bracket the search. There is no upper bound beyond `2^46` ns, or if `ever`, the least share that ends, is
    below the objective.
    """
    objective -= _NOISE
    before = _last_holding(lambda level: cheap[1](1 << level) < objective, _FIRST - 1, _LAST)
    after = _last_holding(lambda level: cheap[0](1 << level) < objective, before, _LAST, is_near=True)
    lowest = _last_holding(lambda level: bounds[1](1 << level) < objective, before, after, is_near=True)
    lower_ns = _within_level((bounds[1], cheap), lowest, columns, objective)[0]
    if ever < objective:
        return TimeBounds(lower_ns, None)
    level = _last_holding(lambda exponent: bounds[0](1 << exponent) < objective, lowest, after, is_near=True)
    if level >= _LAST:
        return TimeBounds(lower_ns, None)
    return TimeBounds(lower_ns, _within_level((bounds[0], cheap), level, columns, objective)[1])


def _within_level(
    searched: tuple[Share, tuple[Share, Share]], level: int, columns: int, objective: float
) -> tuple[int, int]:
    """Return two neighbouring column times in ns between `2^level` and its double: the last at which the
    bound is below the objective, and the next. `searched` is the bound, and the cheap bounds that bracket the
    search. `(0, 16)` below the least level, `2^46` twice from the last.
    """
    if level >= _LAST:
        return 1 << _LAST, 1 << _LAST
    if level < _FIRST:
        return 0, 1 << _FIRST
    span, (bound, cheap) = 1 << level, searched

    def at(column: int) -> int:
        return span + ceil_div(column * span, columns)

    first, most = 0, columns
    if columns > _FEW_COLUMNS:
        first = _last_holding(lambda column: cheap[1](at(column)) < objective, 0, columns)
        most = _last_holding(lambda column: cheap[0](at(column)) < objective, first, columns)
    last = _last_holding(lambda column: bound(at(column)) < objective, first, most)
    return at(last), at(min(last + 1, columns))


def _last_holding(holds: Callable[[int], bool], low: int, high: int, *, is_near: bool = False) -> int:
    """Return the largest number from `low` to `high` for which a condition holds that fails for all larger
    ones; `low` if for none. With `is_near` the search begins with small steps from `low`.
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
    """Return the count at a lattice position: up to `2^digits`, then `digits` binary digits and zeros."""
    dense = 1 << digits
    if index <= dense:
        return index
    half = dense // 2
    octave, rest = divmod(index - dense, half)
    return (half + rest) << (octave + 1) if octave >= 0 else index


def _index_of(count: int, digits: int) -> int:
    """Return the last position (`_count_at`) whose count is at most `count`."""
    beyond = (count.bit_length() + 1) << digits
    return _last_holding(lambda index: _count_at(index, digits) <= count, 0, beyond, is_near=True)
