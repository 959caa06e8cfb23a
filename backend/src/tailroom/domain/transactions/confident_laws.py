"""Slowest and fastest laws that a sample allows, in every group of it: one band for all questions.

Limits of the share over a time hold at many places together, wrong with a chance of at most `error`. The
places are ranks of the sample, fixed by its number of operations alone: how many operations the record has
over a time decides which time a rank stands for. Nine tenths of the error go to rank 0 (nothing over), since
that one decides whether slow operations can be ruled out; the others share the rest. Every question about a
plan goes through the same laws, so answers to related questions cannot contradict each other, and no question
is answered by whichever edges suit it. What chance costs at a place is moved from each group alike.
Source: docs/method.md sections 2.1 to 2.5 and 10 (C1).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from tailroom.domain.confidence.effective_samples import DesignEffect
from tailroom.domain.confidence.shares import share_upper, shares_lower, shares_upper
from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.latency.record import LatencyRecord
from tailroom.domain.transactions.group_laws import GroupLaws, Masses

EffectsAt = Callable[[Int64s], Sequence[DesignEffect]]
"""How operations at or over each of ascending times clump over the pieces."""
_BODY = 128
"""So many ranks lie evenly in the body; beyond the last of them there are four to an octave."""
_FIRST_RANKS = 8
NONE_OVER = 0.9
"""Part of the error that rank 0 may take: how few operations can rule out slow ones."""


@dataclass(frozen=True, eq=False)
class Limits:
    """At ascending times in ns: by how much the share over may be higher, or lower, than was seen.

    `factor_at` is the design effect around a time: the widest of the places next to it.
    """

    slow_ns: Floats
    slow_shift: Floats
    fast_ns: Floats
    fast_shift: Floats
    record: LatencyRecord
    factor_at: Callable[[int], float]
    error: float
    times: int = 1
    _known: dict[int, float] = field(default_factory=dict)

    def slow(self, laws: GroupLaws) -> Masses:
        """The slowest laws, a row of masses for each group."""
        edges = self.slow_ns
        within = laws.late.within_each(edges)
        reached = np.maximum.accumulate(np.clip(within - self.slow_shift, 0.0, 1.0), axis=1)
        return _masses(edges, np.diff(reached, axis=1, prepend=0.0), continuous=False)

    def fast(self, laws: GroupLaws) -> Masses:
        """The fastest laws: what lies below a time may lie as low as the time before it."""
        edges = self.fast_ns
        under = laws.early.within_each(edges, strictly=laws.early.continuous)
        possible = np.minimum(under + self.fast_shift, 1.0)
        possible = np.minimum.accumulate(possible[:, ::-1], axis=1)[:, ::-1]
        answered = laws.early.within(np.inf)[:, None]
        if edges.size:
            last = np.minimum(answered + self.fast_shift[-1], 1.0)
            whole = np.concatenate((possible, np.maximum(last, possible[:, -1:])), axis=1)
        else:
            whole = np.ones((laws.size, 1))
        rows = np.diff(whole, axis=1, prepend=0.0)
        return _masses(np.concatenate((np.zeros(1), edges)), rows, continuous=laws.early.continuous)

    def slow_shift_at(self, time_ns: int) -> float:
        """The same where one time alone decides: an exact counter at it, and no other edge."""
        own = self._pointwise(time_ns)
        later = self.slow_ns > time_ns
        return max([own, *(self._pointwise(int(at)) for at in self.slow_ns[later])])

    def _pointwise(self, time_ns: int) -> float:
        if time_ns not in self._known:
            total = float(self.record.total or 0) * self.times
            over, factor = self.record.at_or_over(time_ns).upper * self.times, self.factor_at(time_ns)
            limit = share_upper(over / factor, total / factor, self.error)
            self._known[time_ns] = max(0.0, limit - over / total)
        return self._known[time_ns]


def limits_of(record: LatencyRecord, effects_at: EffectsAt, error: float, times: int = 1) -> Limits | None:
    """The band of a record; none where it does not say how many operations it holds, or holds none.

    `times`: as if everything in it had been seen so many times over.
    """
    if not record.total:
        return None
    found = _Ranked.of(record, record.total * times, times)
    factors = np.array([one.factor for one in effects_at(found.places_ns)], dtype=np.float64)
    each = (1.0 - NONE_OVER) * error / max(1, found.ranks - 1)
    band = _Band(record.total * times, found.places_ns, _widest_of_neighbours(factors), each)
    return Limits(
        *band.shifts(found.edges_ns, found.slow, found.most, shares_upper, NONE_OVER * error),
        *band.shifts(found.edges_ns, found.fast, found.least, shares_lower, error),
        record,
        band.factor_at,
        error,
        times,
    )


def places_ns(record: LatencyRecord) -> Int64s:
    """Ascending times at which a record says how its operations clump; none where nobody counted them."""
    if not record.total:
        return np.empty(0, np.int64)
    return _Ranked.of(record, record.total).places_ns


@dataclass(frozen=True, slots=True, eq=False)
class _Ranked:
    """Edges of a record, how many operations lie over each, and which of them stand for a rank."""

    edges_ns: Int64s
    most: Int64s
    least: Int64s
    slow: dict[int, int]
    fast: dict[int, int]
    ranks: int

    @staticmethod
    def of(record: LatencyRecord, total: int, times: int = 1) -> "_Ranked":
        edges = np.asarray(record.edges_ns(), dtype=np.int64)
        edges = edges[edges > 0]
        certain, possible = record.below_each(edges)
        most, least = total - certain * times, total - possible * times
        ranks = _ranks(total)
        # The first edge over which at most so many lie, and the last one over which at least so many do.
        slow = {int(at): rank for at, rank in _places(np.searchsorted(-most, -ranks), ranks)[::-1]}
        fast = dict(_places(np.searchsorted(-least, -ranks[1:], side="right") - 1, ranks[1:]))
        slow.pop(edges.size, None)
        fast.pop(-1, None)
        return _Ranked(edges, most, least, slow, fast, int(ranks.size))

    @property
    def places_ns(self) -> Int64s:
        return self.edges_ns[sorted({*self.slow, *self.fast})]


def _places(positions: Int64s, ranks: Int64s) -> list[tuple[int, int]]:
    return list(zip(positions.tolist(), ranks.tolist(), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class _Band:
    """Limits at ranks: of `total` operations, with the design effect around each place."""

    total: int
    places_ns: Int64s
    factors: Floats
    error_each: float

    def factor_at(self, time_ns: int) -> float:
        return float(self._factors_at(np.array([time_ns]))[0])

    def _factors_at(self, times_ns: Int64s) -> Floats:
        if not self.factors.size:
            return np.ones(times_ns.size)
        left: Floats = self.factors[
            np.maximum(np.searchsorted(self.places_ns, times_ns, side="right") - 1, 0)
        ]
        return left

    def shifts(
        self,
        edges: Int64s,
        chosen: dict[int, int],
        seen: Int64s,
        limits: Callable[[Floats, Floats, Floats], Floats],
        error_of_none: float,
    ) -> tuple[Floats, Floats]:
        """Times, and how far the limit of the share over each lies from what was seen."""
        places = np.array(sorted(chosen), dtype=np.int64)
        ranks = np.array([chosen[place] for place in places.tolist()], dtype=np.float64)
        factors = self._factors_at(edges[places])
        errors = np.where(ranks == 0.0, error_of_none, self.error_each)
        found = limits(ranks / factors, self.total / factors, errors) - seen[places] / self.total
        return edges[places].astype(np.float64), np.abs(found)


def _ranks(total: int) -> Int64s:
    """Numbers of operations over a place, ascending from 0."""
    ranks = {0, *range(1, min(total, _FIRST_RANKS + 1))}
    ranks |= {total * part // _BODY for part in range(1, _BODY)}
    rank = float(_FIRST_RANKS)
    while rank < total / _BODY:
        ranks.add(int(rank))
        rank *= 2.0**0.25
    return np.array(sorted(ranks), dtype=np.int64)


def _widest_of_neighbours(factors: Floats) -> Floats:
    if factors.size < 2:
        return factors
    after, before = np.append(factors[1:], 1.0), np.insert(factors[:-1], 0, 1.0)
    return np.asarray(np.maximum(factors, np.maximum(after, before)))


def _masses(at_ns: Floats, rows: Floats, *, continuous: bool) -> Masses:
    size = rows.shape[0]
    ratio = np.maximum(rows, 0.0)
    return Masses(
        size,
        np.repeat(np.arange(size), at_ns.size),
        np.tile(at_ns, size),
        ratio.ravel(),
        continuous=continuous,
    )
