"""What shares of reads alone say of transactions, for many tests at once.

If no read of a transaction reaches its even part of the window, the transaction ends in time: the late share
is at most the reads times the share at that part. If one read outlasts the window, the transaction is late.
Both hold under any dependence (docs/method.md 1.5). For tests of which only shares are on record, reads count
as independent, as the judge of transactions takes them; then Chernoff's inequality bounds the late share from
both sides, for reads as fast and as slow as the shares allow. What all this leaves open is for the judge.
"""

from dataclasses import dataclass

import numpy as np

from tailroom.domain.rating.judging import Bools, Floats, Ints, Knots
from tailroom.domain.verdicts.budget_kinds import TransactionBudget

_STEEPNESS = (0.5, 1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512)
"""Exponents by window; each gives a valid bound, the best one counts."""


def late_shares(knots: Knots, budget: TransactionBudget) -> Floats:
    """Ends of the late share under any dependence: four rows (by rounding or buckets, then confidence)."""
    window_ns = _window_ns(budget)
    over_window = knots.bounds(window_ns + 1)
    over_part = knots.bounds(max(window_ns // max(budget.plan.depth, 1), 1))
    lower, upper = over_window[0:4:2], np.minimum(1.0, budget.reads * over_part[1:4:2])
    return np.stack((lower[0], upper[0], lower[1], upper[1]))


@dataclass(frozen=True, slots=True, eq=False)
class IndependentLate:
    """The late share of independent reads, by test.

    `fastest` bounds it for reads that are as fast as their shares allow, `slowest` for those as slow as they
    and their confidence allow: a lower and an upper end each. The truth lies between the lower end of the
    fastest and the upper end of the slowest.
    """

    fastest: Floats
    slowest: Floats

    def passes(self, allowed: float) -> Bools:
        """Even the slowest reads leave few enough transactions late."""
        return np.asarray(self.slowest[1] <= allowed, np.bool_)

    def fails(self, allowed: float) -> Bools:
        """Even the fastest reads leave too many transactions late."""
        return np.asarray(self.fastest[0] > allowed, np.bool_)

    def is_hopeless(self, allowed: float) -> Bools:
        """Shares allow a record that passes and one that fails: no judge can decide by them."""
        return np.asarray((self.fastest[1] <= allowed) & (self.slowest[0] > allowed), np.bool_)


def independent_late(knots: Knots, budget: TransactionBudget) -> IndependentLate:
    """Bounds of the late share of independent reads, one after another or several at once."""
    window_ns, reads = _window_ns(budget), budget.reads
    one_by_one = budget.plan.depth == reads
    over_lower, over_upper = knots.bounds(window_ns + 1)[0], knots.bounds(window_ns)[3]
    # One read that outlasts the window is enough, whatever the others do.
    fast_low, slow_low = _any(over_lower, reads), _any(over_upper, reads)
    if budget.plan.depth == 1:
        return IndependentLate(np.stack((fast_low, fast_low)), np.stack((slow_low, slow_low)))
    fast, slow = _fastest(knots, window_ns), _slowest(knots, window_ns)
    fast_high, slow_high = _late_at_most(fast, reads), np.minimum(1.0, _late_at_most(slow, reads) + slow_low)
    if one_by_one:
        fast_low = np.maximum(fast_low, 1.0 - _in_time_at_most(fast, reads))
        slow_low = np.maximum(slow_low, 1.0 - _in_time_at_most(slow, reads))
    return IndependentLate(np.stack((fast_low, fast_high)), np.stack((slow_low, slow_high)))


@dataclass(frozen=True, slots=True, eq=False)
class _Law:
    """Reads of each test as steps in units of the window: `share` of them lie at or over `begin`, one after
    another; they jump there from the step before. Times are cut at the window.
    """

    starts: Floats
    ends: Floats
    shares: Floats
    offsets: Ints
    lengths: Ints
    least: Floats
    """By test: no read is faster."""

    @property
    def size(self) -> int:
        """Number of tests."""
        return int(self.offsets.size)


def _fastest(knots: Knots, window_ns: int) -> _Law:
    """Mass at the lower edge of its bucket."""
    times, before = _times(knots, window_ns)
    return _Law(
        before, times, knots.ends[0], knots.offsets[:-1], np.diff(knots.offsets), np.zeros(knots.size)
    )


def _slowest(knots: Knots, window_ns: int) -> _Law:
    """Mass at the upper edge of its bucket; what lies beyond the last knot in the window is late anyway."""
    times, _ = _times(knots, window_ns)
    after = np.concatenate((times[1:], np.ones(1))) if times.size else times
    last = knots.offsets[1:] - 1
    filled = knots.offsets[1:] > knots.offsets[:-1]
    after[last[filled]] = times[last[filled]]
    least = np.ones(knots.size)
    least[filled] = times[knots.offsets[:-1][filled]]
    return _Law(times, after, knots.ends[3], knots.offsets[:-1], np.diff(knots.offsets), least)


def _times(knots: Knots, window_ns: int) -> tuple[Floats, Floats]:
    times = np.minimum(knots.thresholds_ns[knots.at] / window_ns, 1.0)
    before = np.concatenate((np.zeros(1), times[:-1])) if times.size else times
    filled = knots.offsets[1:] > knots.offsets[:-1]
    before[knots.offsets[:-1][filled]] = 0.0
    return times, before


def _late_at_most(law: _Law, reads: int) -> Floats:
    """P(S ≥ W) ≤ min over θ of E[exp(θ X)]^N exp(−θ W)."""
    best = np.zeros(law.size)
    for steepness in _STEEPNESS:
        moment = np.exp(steepness * law.least) + _sums(
            law, (np.exp(steepness * law.ends) - np.exp(steepness * law.starts)) * law.shares
        )
        best = np.minimum(best, reads * np.log(moment) - steepness)
    return np.exp(best)


def _in_time_at_most(law: _Law, reads: int) -> Floats:
    """P(S ≤ W) ≤ min over θ of E[exp(−θ X)]^N exp(θ W)."""
    best = np.zeros(law.size)
    for steepness in _STEEPNESS:
        moment = np.exp(-steepness * law.least) - _sums(
            law, (np.exp(-steepness * law.starts) - np.exp(-steepness * law.ends)) * law.shares
        )
        # A difference of numbers near 1 may be off by a rounding of each step, and must never be too small.
        moment = np.maximum(moment, 0.0) + (law.lengths + 2) * np.finfo(np.float64).eps
        best = np.minimum(best, reads * np.log(moment) + steepness)
    return np.exp(best)


def _sums(law: _Law, values: Floats) -> Floats:
    """By test; each added up by itself, so that no other test's digits get lost in it."""
    filled = law.lengths > 0
    result = np.zeros(law.size)
    if filled.any():
        result[filled] = np.add.reduceat(values, law.offsets[filled])
    return result


def _any(share: Floats, reads: int) -> Floats:
    with np.errstate(divide="ignore"):
        return np.asarray(-np.expm1(reads * np.log1p(-np.minimum(share, 1.0))), np.float64)


def _window_ns(budget: TransactionBudget) -> int:
    return budget.reads_window_ns - budget.plan.overhead_ns
