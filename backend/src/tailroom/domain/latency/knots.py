"""Records of published statements about a latency: constraints on its CDF (knots), and a mean.

A knot `(t, lower, upper)` bounds the share of the answered operations strictly below `t`. Between two knots
the share is only known not to fall. A mean limits the tail: for every time
`t` and knot `a < t`, the share at or over `t` is at most `(m − m_a) / (t − a)`, where `m_a` is the part of
the mean that the statements already need below `a`. Statements that contradict each other, or the mean,
raise. `published` turns printed percentiles and shares into knots. Source: docs/method.md 1.2, 5.1; oracle
`pbox-kioxia-A-read`.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Floats, Int64s, LatencyBounds, PointMasses
from tailroom.domain.latency.distribution import (
    CountBounds,
    DistributionEmpty,
    Misses,
    TimeBounds,
    quantile_rank,
)
from tailroom.domain.latency.layouts import NEVER_NS

Knot = tuple[int, float, float]
"""Time in nanoseconds, and the bounds of the share strictly below it."""

_LEVELS_PER_OCTAVE = 24
_LEAST_LEVEL = 2.0**-40
"""Share of the slowest operations that never end in the late distribution if only the mean bounds them."""
SHARE_ROUNDING = 1e-12
_TABLE_CELLS = 1 << 20
WHOLE_COUNT = 1e-6
"""Largest distance of share times count from the whole number that it means."""
_QUANTILE_SLACK = 1e-9
_LATEST_NS = float(1 << 62)


@dataclass(frozen=True)
class KnotsRecord:
    """Bounds of the distribution of an operation by one clock (which of its times was measured), from
    published statements. `knots` bound the share of answered operations below ascending times, and `count` is
    the number of answered operations, None if not stated. A pair `(p, first_ns)` in `quantiles` states that
    the p-quantile is not before a time; sources define it differently, so it bounds quantiles only. Raise
    `KnotsInvalid` for values out of range, `CountsUnknown` for misses without a count, `StatementsContradict`
    for contradictions.
    """

    knots: tuple[Knot, ...]
    count: int | None = None
    mean_limits_ns: tuple[float, float] | None = None
    min_ns: int | None = None
    max_ns: int | None = None
    misses: Misses = field(default_factory=Misses)
    semantics: str = ""
    quantiles: tuple[tuple[float, int], ...] = ()

    def __post_init__(self) -> None:
        _check_knots(self.knots)
        if min(self.misses.errors, self.misses.timeouts, self.misses.unfinished) < 0:
            raise KnotsInvalid("errors, time-outs and unfinished operations must not be negative")
        if self.count is None and self.misses.total:
            raise CountsUnknown(
                f"{self.misses.total} misses, but nobody knows of how many operations: no share of them"
            )
        if self.count is not None and self.count < 0:
            raise KnotsInvalid(f"the number of operations is {self.count}, which is negative")
        for name, value in (("min_ns", self.min_ns), ("max_ns", self.max_ns)):
            if value is not None and not 0 <= value < NEVER_NS:
                raise KnotsInvalid(f"{name} is {value}: it must not be negative")
        self._check_mean()
        if not self.quantiles:
            # A day of status lines has hundreds of thousands of records, most of which are never queried.
            self.__dict__.pop("_tight", None)
        for p, first_ns in self.quantiles:
            if not 0.0 <= p <= 1.0 or not 0 <= first_ns < NEVER_NS:
                raise KnotsInvalid(f"a quantile {p} not before {first_ns} ns is none")
            if self._answered_below(first_ns)[0] > p + _QUANTILE_SLACK:
                raise StatementsContradict(
                    f"more than {p} of the operations lie below {first_ns} ns, before their {p}-quantile"
                )

    @property
    def total(self) -> int | None:
        """Number of answered operations and misses; None if not stated."""
        return None if self.count is None else self.count + self.misses.total

    @property
    def edge_tolerance_ns(self) -> int:
        """Always 0 ns: shares are known exactly at the times of the record."""
        return 0

    @property
    def mean_ns(self) -> tuple[float, float] | None:
        """Bounds in ns of the mean of answered operations, by the stated mean and the knots; None for 0
        operations or without upper bound.
        """
        if self.count == 0:
            return None
        times, lower, upper = self._tight
        least, most = _mean_ends(times, lower, upper)
        if self.mean_limits_ns is not None:
            least, most = max(least, self.mean_limits_ns[0]), min(most, self.mean_limits_ns[1])
        return None if math.isinf(most) else (least, max(least, most))

    def edges_ns(self) -> Int64s:
        """Return the ascending times in ns: 0, the knots, the smallest and just after the largest latency."""
        return self._tight[0].copy()

    def cdf_bounds(self, time_ns: int) -> tuple[float, float]:
        """Return bounds of the share of all operations, with misses, strictly below a time. Raise
        `DistributionEmpty` for 0 operations.
        """
        lower, upper = self._answered_below(time_ns)
        return lower * self._answered, upper * self._answered

    def at_or_over(self, threshold_ns: int) -> CountBounds:
        """Return bounds of the count at or over a time, with misses. Raise CountsUnknown if not stated."""
        total, _ = self._known_total()
        lower, upper = self.below_each(np.array([threshold_ns], dtype=np.int64))
        return CountBounds(total - int(upper[0]), total - int(lower[0]))

    def below_each(self, times_ns: Int64s) -> tuple[Int64s, Int64s]:
        """Return lower and upper bounds of the count below each time. Raise CountsUnknown if not stated."""
        _, count = self._known_total()
        lower, upper = self._answered_below_each(np.asarray(times_ns, dtype=np.int64))
        slack = SHARE_ROUNDING * count + WHOLE_COUNT
        least = np.clip(np.ceil(lower * count - slack), 0, count).astype(np.int64)
        most = np.clip(np.floor(upper * count + slack), 0, count).astype(np.int64)
        # Counts are integers; where rounding leaves none between the bounds, they enclose the share.
        return np.minimum(least, most), np.maximum(least, most)

    def quantile_bounds(self, quantile: float) -> TimeBounds:
        """Return bounds in ns of the first time by which this share of operations had ended. There is no
        upper bound for a miss, for 0 operations, or if neither knots, extremes nor mean give one. Raise
        KnotsInvalid outside 0 to 1.
        """
        if not 0.0 <= quantile <= 1.0:
            raise KnotsInvalid(f"quantile {quantile} is not between 0 and 1")
        times, lower, upper = self._tight
        if self.count is None:
            certain = lower >= quantile if quantile > 0.0 else lower > 0.0
            never = upper < quantile if quantile > 0.0 else upper <= 0.0
            at_or_over = 1.0 - quantile
        else:
            total, count = self._known_total()
            rank = quantile_rank(quantile, total)
            certain = np.ceil(lower * count - WHOLE_COUNT) >= rank
            never = np.floor(upper * count + WHOLE_COUNT) < rank
            at_or_over = (count - rank + 1) / count if rank <= count else 0.0
            if rank > count:
                return TimeBounds(_last_selected(times, never), None)
        stated = [first for p, first in self.quantiles if p * self._answered <= quantile]
        early_ns = max([_last_selected(times, never), *stated])
        late = times[certain][:1].tolist()
        by_mean = float(self._latest_times(np.array([at_or_over]))[0])
        if by_mean < _LATEST_NS:
            late.append(math.floor(by_mean) + 1)
        return TimeBounds(early_ns, max(min(late), early_ns + 1) if late else None)

    def bounds(self) -> LatencyBounds:
        """Return the early, middle and late distribution; the late distribution has the tail that the mean
        allows. Raise `DistributionEmpty` without operations.
        """
        if self.total == 0:
            raise DistributionEmpty("no operation was recorded, so it has no law")
        times, _, upper = self._tight
        answered = self._answered
        at = np.concatenate((np.zeros(1), times.astype(np.float64)))
        early = PointMasses(at, np.diff(np.concatenate((np.zeros(1), upper, np.ones(1)))) * answered)
        late_at, late_ratio = self._late_masses()
        middle_at, middle_ratio = self._middle_masses()
        return LatencyBounds(
            early,
            PointMasses(middle_at, middle_ratio * answered),
            PointMasses(late_at, late_ratio * answered),
        )

    @property
    def _answered(self) -> float:
        """Share of operations that were answered; 1 if not stated. Raise DistributionEmpty if there are 0."""
        if self.count is None:
            return 1.0
        total = self.count + self.misses.total
        if total == 0:
            raise DistributionEmpty("no operation was recorded, so there is no share of them")
        return self.count / total

    @cached_property
    def _tight(self) -> tuple[Int64s, Floats, Floats]:
        """Ascending times from 0, and the tightest bounds of the answered share below each, by all knots and
        the extremes together. Raise `StatementsContradict` if a lower bound exceeds its upper bound.
        """
        statements: list[Knot] = [(0, 0.0, 0.0), *self.knots]
        if self.min_ns is not None:
            statements.append((self.min_ns, 0.0, 0.0))
        if self.max_ns is not None:
            statements.append((self.max_ns + 1, 1.0, 1.0))
        at_ns, lows, highs = (np.array(column) for column in zip(*statements, strict=True))
        if len(statements) > len(self.knots) + 1 or (self.knots and not self.knots[0][0]):
            order = np.argsort(at_ns, kind="stable")
            at_ns, lows, highs = at_ns[order], lows[order], highs[order]
        lower = np.maximum.accumulate(lows)
        upper = np.minimum.accumulate(highs[::-1])[::-1].copy()
        times = at_ns.astype(np.int64)
        if (again := times[1:] == times[:-1]).any():
            # At equal times the last lower bound is the largest, and the first upper bound the smallest.
            last, begin = np.append(~again, True), np.insert(~again, 0, True)
            times, lower, upper = times[last], lower[last], upper[begin]
        wrong = np.flatnonzero(lower > upper + SHARE_ROUNDING)
        if wrong.size:
            at = int(wrong[0])
            raise StatementsContradict(
                f"at least {float(lower[at]):.9g} and at most {float(upper[at]):.9g} of the operations would "
                f"lie below {int(times[at])} ns"
            )
        return times, lower, np.maximum(lower, upper)

    @cached_property
    def _mean_lines(self) -> tuple[Floats, Floats]:
        """Times `a` of the knots (ns), and for each the largest mean of `max(0, latency − a)` (ns), called
        its room: by Markov at most a share `room / (t − a)` is at or over a time t > a. Empty without a mean.
        """
        times, _, upper = self._tight
        if self.mean_limits_ns is None:
            return np.empty(0), np.empty(0)
        # Between two knots at least 1 − upper of the later knot is still running.
        needed = np.concatenate((np.zeros(1), np.cumsum(np.diff(times) * (1.0 - upper[1:]))))
        return times.astype(np.float64), np.maximum(0.0, self.mean_limits_ns[1] - needed)

    def _share_over(self, at_ns: Int64s) -> Floats:
        """Return the largest share at or over each time (ns) by the mean; may be over 1, or infinite."""
        knots_ns, room = self._mean_lines
        shares = np.full(at_ns.shape, np.inf)
        for begin, end in _chunks(at_ns.size, knots_ns.size):
            later = at_ns[None, begin:end] - knots_ns[:, None]
            with np.errstate(divide="ignore", invalid="ignore"):
                shares[begin:end] = np.where(later > 0.0, room[:, None] / later, np.inf).min(axis=0)
        return shares

    def _latest_times(self, shares_over: Floats) -> Floats:
        """Return for each share the latest time (ns) at or over which the mean allows that share to be;
        infinite for 0 or without a mean.
        """
        knots_ns, room = self._mean_lines
        latest = np.full(shares_over.shape, np.inf)
        for begin, end in _chunks(shares_over.size, knots_ns.size):
            with np.errstate(divide="ignore", invalid="ignore"):
                times = knots_ns[:, None] + room[:, None] / shares_over[None, begin:end]
            latest[begin:end] = np.fmin.reduce(times, axis=0) * (1.0 + SHARE_ROUNDING)
        latest[shares_over <= 0.0] = np.inf
        return latest

    def _answered_below(self, time_ns: int) -> tuple[float, float]:
        """Return bounds of the share of the answered operations strictly below a time."""
        lower, upper = self._answered_below_each(np.array([time_ns], dtype=np.int64))
        return float(lower[0]), float(upper[0])

    def _answered_below_each(self, at_ns: Int64s) -> tuple[Floats, Floats]:
        """Return bounds of the answered share below each time, by knots, extremes and mean."""
        times, lower, upper = self._tight
        before = np.searchsorted(times, at_ns, side="right")
        after = np.searchsorted(times, at_ns, side="left")
        least = np.concatenate((np.zeros(1), lower))[before]
        most = np.append(upper, 1.0)[after]
        least = np.maximum(least, 1.0 - self._share_over(at_ns) - SHARE_ROUNDING)
        return np.minimum(least, most), most

    def _late_masses(self) -> tuple[Floats, Floats]:
        """Return times in ns and shares, with every answered operation as late as allowed: operations are
        taken in levels of ranks, each at its latest time. Shares that may never end are left out.
        """
        times, lower, _ = self._tight
        levels = 1.0 - lower
        if self.mean_limits_ns is not None:
            octaves = round(-math.log2(_LEAST_LEVEL))
            levels = np.concatenate(
                (levels, 2.0 ** -(np.arange(octaves * _LEVELS_PER_OCTAVE + 1) / _LEVELS_PER_OCTAVE))
            )
        levels = np.unique(np.concatenate((levels, np.ones(1))))[::-1]
        ends = levels[1:]
        # First knot below which all but `end` of the operations certainly lie.
        position = np.searchsorted(lower, 1.0 - ends - SHARE_ROUNDING, side="left")
        late = np.where(position < times.size, times[np.minimum(position, times.size - 1)], np.inf)
        late = np.minimum(late, np.ceil(self._latest_times(ends)))
        finite = late < _LATEST_NS
        return late[finite], -np.diff(levels)[finite]

    def _middle_masses(self) -> tuple[Floats, Floats]:
        """Return times in ns and shares of answered operations of an estimate. It is log-uniform between
        knots, and its mean is as near to the middle of the stated bounds as the knots allow.
        """
        times, lower, upper = self._tight
        held = np.maximum(lower, self._answered_below_each(times)[0])
        middle = np.maximum.accumulate((held + upper) / 2.0)
        left, right = times[:-1].astype(np.float64), times[1:].astype(np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            log_uniform = (right - left) / np.log1p((right - left) / left)
        at = np.clip(np.where(left > 0.0, log_uniform, (left + right) / 2.0), left, right)
        ratio, rest = np.diff(middle), float(1.0 - middle[-1])
        last = float(times[-1])
        # Without a mean the rest is placed an octave later, as in an open bucket.
        tail = 2.0 * max(last, 1.0) if rest > 0.0 else last
        if self.mean_limits_ns is not None:
            gap = sum(self.mean_limits_ns) / 2.0 - rest * last - float(at @ ratio)
            tail = last
            if rest > 0.0 and gap > 0.0:
                tail += gap / rest
            else:
                towards = right if gap > 0.0 else left
                reach = abs(float((towards - at) @ ratio))
                at = at + (min(1.0, abs(gap) / reach) if reach > 0.0 else 0.0) * (towards - at)
        return np.append(at, tail), np.append(ratio, rest)

    def _known_total(self) -> tuple[int, int]:
        """Return the number of operations with misses and without. Raise CountsUnknown if not stated."""
        if self.count is None:
            raise CountsUnknown("the source does not say how many operations there were: shares only")
        return self.count + self.misses.total, self.count

    def _check_mean(self) -> None:
        """Raise KnotsInvalid for a mean out of range, MeanContradictsKnots if the knots forbid it."""
        times, lower, upper = self._tight
        if self.mean_limits_ns is None:
            return
        least, most = self.mean_limits_ns
        if not (math.isfinite(least) and math.isfinite(most)) or least < 0.0 or least > most:
            raise KnotsInvalid(f"a mean between {least} and {most} ns is none")
        needed, possible = _mean_ends(times, lower, upper)
        if most < needed * (1.0 - SHARE_ROUNDING):
            raise MeanContradictsKnots(
                f"the mean is at most {most:.9g} ns, but the statements need at least {needed:.9g} ns"
            )
        if least > possible * (1.0 + SHARE_ROUNDING):
            raise MeanContradictsKnots(
                f"the mean is at least {least:.9g} ns, but the statements allow at most {possible:.9g} ns"
            )


class KnotsInvalid(DomainError):
    """A share, time, mean or number of operations is out of range, or times of knots do not ascend."""


class StatementsContradict(DomainError):
    """Two statements about a latency contradict each other."""


class MeanContradictsKnots(StatementsContradict):
    """No latency with these shares can have the stated mean."""


class CountsUnknown(DomainError):
    """A number of operations is needed, but the source states shares only."""


def _check_knots(knots: tuple[Knot, ...]) -> None:
    """Raise KnotsInvalid for a time or share out of range, and unless the times ascend."""
    for time_ns, lower, upper in knots:
        if type(time_ns) is not int and (
            isinstance(time_ns, bool) or not isinstance(time_ns, int | np.integer)
        ):
            raise KnotsInvalid(f"the time of a statement is {time_ns!r}: it must be whole nanoseconds")
        if not 0 <= time_ns < NEVER_NS:
            raise KnotsInvalid(f"the time of a statement is {time_ns} ns: it must not be negative")
        if not (0.0 <= lower <= upper + SHARE_ROUNDING and upper <= 1.0):
            raise KnotsInvalid(
                f"the share below {time_ns} ns lies between {lower} and {upper}, which breaks "
                f"0 <= lower <= upper <= 1"
            )
    for (before, _, _), (after, _, _) in pairwise(knots):
        if after <= before:
            raise KnotsInvalid(
                f"the statement at {after} ns follows the one at {before} ns: times must ascend"
            )


def _mean_ends(times: Int64s, lower: Floats, upper: Floats) -> tuple[float, float]:
    """Return least and largest mean (ns) by these CDF bounds at `times`; infinite if the tail is open."""
    steps = np.diff(times).astype(np.float64)
    least = float(steps @ (1.0 - upper[1:]))
    return least, float(steps @ (1.0 - lower[:-1])) if lower[-1] >= 1.0 - SHARE_ROUNDING else math.inf


def _chunks(size: int, lines: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of positions from 0 to before `size`, so that a table of `lines` rows and a column for
    each position of a range has at most 2**20 cells; none if `lines` is 0.
    """
    at_once = max(1, _TABLE_CELLS // max(1, lines))
    for begin in range(0, size if lines else 0, at_once):
        yield begin, min(begin + at_once, size)


def _last_selected(times: Int64s, chosen: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> int:
    """Return the last of the ascending times in the mask `chosen`; 0 if the mask is empty."""
    positions = np.flatnonzero(chosen)
    return int(times[positions[-1]]) if positions.size else 0
