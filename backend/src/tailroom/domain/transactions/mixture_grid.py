"""The mixture over few pieces on one grid up to a horizon: a whole curve at once, fast enough for a slider.

`interval_mixture` bounds one window as narrowly as a verdict needs it. A picture needs every time up to the
window, quantiles and the largest count, a little wider, at once. So the late ends of all pieces are rounded
up to a grid and the early ends down, tilted by `e^{−18 k/L}`, and transformed once (L is twice the grid);
every question is then a power of these transforms. The tilt keeps what wraps around below `e^{−18}`, and all
bounds are widened by `WIDENING`. A share within the horizon is linear in the transform, so questions about
other counts need no way back. Bounds are certain like those of `interval_mixture`.
Source: METHOD.md sections 1.1, 1.5 and 1.7.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy.fft

from tailroom.domain.latency.bounds import Floats
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.transactions.curves import TransactionCurves
from tailroom.domain.transactions.grid import TransactionInvalid, check_question
from tailroom.domain.transactions.interval_mixture import MixtureResult, PiecesInvalid
from tailroom.domain.transactions.piece_laws import PieceLaws
from tailroom.domain.transactions.plan import COUNT_LIMIT, Plan, RandomCount, Scheduling, Stage
from tailroom.domain.transactions.sequential import LargestCount
from tailroom.domain.transactions.waves import power_of_shares, wave_sizes

WIDENING = 1e-7
"""For digits that tilt, transform and power lose, and for what wraps around; for each 1,000 operations."""

_TILT = 18.0
_MAX_TICKS = 1 << 62
_CLOSE_ENOUGH = 200
"""The search for the largest count ends where its ends differ by less than one part in so many, or after"""
_QUESTIONS = 4
"""… so many questions for each end."""

_Spectrum = npt.NDArray[np.complex128]
_Factor = tuple[str, int, str, int]
"""Operation, how many of it at once, side of the law, by how many workers it is shared."""


@dataclass(eq=False)
class MixtureGrid:
    """One plan over the pieces of its operations. All of them have the same pieces, each with operations.

    Raises PiecesInvalid for random counts and for pieces that do not belong together.
    """

    plan: Plan
    records: Mapping[str, IntervalRecords]
    horizon_ns: int
    bins: int
    _laws: dict[str, PieceLaws] = field(default_factory=dict)
    _spectra: dict[_Factor, _Spectrum] = field(default_factory=dict)
    _squares: dict[_Factor, list[_Spectrum]] = field(default_factory=dict)
    _rows: dict[_Factor, Floats] = field(default_factory=dict)
    _moments: list["Moments"] = field(default_factory=list)

    def __post_init__(self) -> None:
        check_question(1, self.horizon_ns)
        self.plan.check_measured(self.records)
        if any(isinstance(stage.count, RandomCount) for stage in self.plan.stages):
            raise PiecesInvalid("random counts have no mixture on a grid")
        leading = self.records[self.plan.stages[0].operation]
        for name in self.plan.operations:
            record = self.records[name]
            if not np.array_equal(record.start_ns, leading.start_ns) or (record.totals == 0).any():
                raise PiecesInvalid(f"the pieces of {name!r} are not those of the first operation")
            self._laws[name] = PieceLaws.of(record)
        if leading.size == 0:
            raise PiecesInvalid("no piece holds an operation, so there is nothing to mix")
        if self.net_ns * self.bins >= _MAX_TICKS or self.net_ns <= 0:
            raise TransactionInvalid(
                f"{self.horizon_ns} ns are no horizon for {self.bins} steps of this plan"
            )

    @property
    def net_ns(self) -> int:
        """What overheads leave of the horizon."""
        return self.horizon_ns - self.plan.overhead_ns

    @property
    def leading(self) -> IntervalRecords:
        """The record that weighs the pieces."""
        return self.records[self.plan.stages[0].operation]

    @cached_property
    def weights(self) -> Floats:
        """Share of each piece."""
        totals = self.leading.totals
        return np.asarray(totals / float(totals.sum()))

    def curves(self) -> TransactionCurves:
        """P(T ≤ t) of the mixture at every point of the grid."""
        lower, estimate, upper = (np.einsum("i,ij->j", self.weights, rows) for rows in self._curves)
        return TransactionCurves(
            self.horizon_ns,
            lower,
            np.clip(estimate, lower, upper),
            np.maximum(upper, lower),
            offset_ns=self.plan.overhead_ns,
            capped=True,
        )

    def at_horizon(self) -> MixtureResult:
        """The mixture and every piece at the horizon."""
        lower, estimate, upper = (rows[:, -1] for rows in self._curves)
        upper = np.maximum(lower, upper)
        estimate = np.clip(estimate, lower, upper)
        weights = self.weights
        return MixtureResult(
            float(weights @ lower),
            float(weights @ estimate),
            min(1.0, float(weights @ upper)),
            lower,
            estimate,
            upper,
            weights,
            self.leading.start_ns,
            self.leading.duration_ns,
            2 * self.bins * self.leading.size,
        )

    def within(self, count: int) -> tuple[float, float]:
        """Ends of P(T ≤ horizon) for another number of operations of the only stage."""
        return self._end(0, count), self._end(1, count)

    def _end(self, end: int, count: int) -> float:
        """Lower (0) or upper (1) end for another number of operations."""
        stage = self.plan.with_count(count).only_stage
        by_moments = self._by_moments(stage)[end]
        if end == 0:
            certain = float(self.weights @ self._shares(_slow(stage))) - _widening(count)
            return max(0.0, certain, by_moments)
        below = self._below(stage.operation)[:, -1]
        possible = power_of_shares(below, 1.0 - below, count)
        for factors in _fast(stage):
            possible = np.minimum(possible, self._shares(factors))
        return min(1.0, float(self.weights @ possible) + _widening(count), by_moments)

    def largest(self, objective: float, guess: LargestCount) -> LargestCount:
        """Largest count of the only stage that meets the objective for certain, and at best (none: no limit).

        The ends are certain; they lie apart by about half a per cent more than they could.
        """
        check_question(1, 1, objective)
        guaranteed, _ = self._search(0, objective, guess.guaranteed)
        _, missed = self._search(1, objective, guess.possible or COUNT_LIMIT)
        return LargestCount(guaranteed, None if missed > COUNT_LIMIT else missed - 1)

    def _search(self, end: int, objective: float, guess: int) -> tuple[int, int]:
        """A count whose end meets the objective, and a larger one that is not known to."""
        met, missed = self._search_by_moments(end, objective)
        at, step = guess, 0.005
        for _ in range(_QUESTIONS):
            if missed - met <= max(1, met // _CLOSE_ENOUGH):
                break
            at = at if met < at < missed else (met + missed) // 2
            if self._end(end, at) >= objective:
                met, at = at, max(at + 1, int(at * (1.0 + step)))
            else:
                missed, at = at, int(at / (1.0 + step))
            step *= 4.0
        return met, missed

    def _search_by_moments(self, end: int, objective: float) -> tuple[int, int]:
        """Without any transform: a count that surely meets the objective, or one that surely misses it."""
        met, missed = 0, COUNT_LIMIT + 1
        if self.plan.only_stage.effective is not Scheduling.SEQUENTIAL:
            return met, missed
        while missed - met > 1:
            at = (met + missed) // 2
            if self._by_moments(self.plan.with_count(at).only_stage)[end] >= objective:
                met = at
            else:
                missed = at
        # Bounds by moments may miss on the side that they do not bound.
        return (met, COUNT_LIMIT + 1) if end == 0 else (0, missed)

    def _by_moments(self, stage: Stage) -> tuple[float, float]:
        """Ends of P(sum ≤ horizon) by Bernstein's inequality; 0 and 1 where the stage is no plain sum."""
        if stage.effective is not Scheduling.SEQUENTIAL:
            return 0.0, 1.0
        window = float(self.net_ns)
        if not self._moments:
            laws = self._laws[stage.operation]
            self._moments.extend(Moments.of(laws, side, window) for side in (laws.high, laws.low))
        late, early = self._moments
        count = stage.largest_count
        certain = late.kept**count * (1.0 - late.chance_over(window, count))
        possible = early.kept**count * early.chance_under(window, count)
        widening = _widening(count)
        return float(self.weights @ certain) - widening, float(self.weights @ possible) + widening

    @cached_property
    def _curves(self) -> tuple[Floats, Floats, Floats]:
        """Lower bound, estimate and upper bound, a row for each piece."""
        widening = _widening(self.plan.largest_count)
        slow = [factor for stage in self.plan.stages for factor in _slow(stage)]
        lower = np.clip(self._running(slow) - widening, 0.0, 1.0)
        upper = np.ones_like(lower)
        for choice in range(2 if self._has_pool else 1):
            fast = [
                factor for stage in self.plan.stages for factor in _fast(stage)[choice % len(_fast(stage))]
            ]
            np.minimum(upper, self._running(fast), out=upper)
        for stage in self.plan.stages:
            np.minimum(upper, self._cap(stage), out=upper)
        upper = np.maximum(np.clip(upper + widening, 0.0, 1.0), lower)
        if self._has_pool:
            return lower, (lower + upper) / 2.0, upper
        middle = [((name, at_once, "middle", shared), times) for (name, at_once, _, shared), times in slow]
        return lower, np.clip(self._running(middle), lower, upper), upper

    @property
    def _has_pool(self) -> bool:
        return any(stage.effective is Scheduling.POOL for stage in self.plan.stages)

    def _running(self, factors: list[tuple[_Factor, int]]) -> Floats:
        """Running sums over the grid of the product of all factors."""
        law = scipy.fft.irfft(self._product(factors), 2 * self.bins, axis=1, overwrite_x=True)
        law = law[:, : self.bins + 1] * np.exp(_TILT / (2 * self.bins) * np.arange(self.bins + 1))
        return np.cumsum(np.maximum(law, 0.0), axis=1)

    def _shares(self, factors: list[tuple[_Factor, int]]) -> Floats:
        """Share within the horizon of every piece: the running sum at its end, without the way back."""
        spectrum, weight = self._product(factors), self._untilting
        # Not by matrix product: its threads cost more than they save here.
        shares = np.einsum("ij,j->i", spectrum.real, weight.real)
        shares -= np.einsum("ij,j->i", spectrum.imag, weight.imag)
        within: Floats = np.clip(shares / (2 * self.bins), 0.0, 1.0)
        return within

    @cached_property
    def _untilting(self) -> _Spectrum:
        """What turns a transform into its untilted sum up to the horizon."""
        untilted = np.zeros(2 * self.bins)
        untilted[: self.bins + 1] = np.exp(_TILT / (2 * self.bins) * np.arange(self.bins + 1))
        weight: _Spectrum = scipy.fft.rfft(untilted).conj()
        weight[1:-1] *= 2.0
        return weight

    def _product(self, factors: list[tuple[_Factor, int]]) -> _Spectrum:
        result: _Spectrum | None = None
        for factor, times in factors:
            if times:
                part = self._power(factor, times)
                result = part if result is None else result * part
        if result is None:
            return np.ones((self.leading.size, self.bins + 1), dtype=np.complex128)
        return result

    def _power(self, factor: _Factor, exponent: int) -> _Spectrum:
        """From squares of squares, which are kept: questions about near counts share most of them."""
        squares = self._squares.setdefault(factor, [self._spectrum(factor)])
        while 1 << len(squares) <= exponent:
            squares.append(squares[-1] * squares[-1])
        chosen = [square for bit, square in enumerate(squares) if exponent >> bit & 1]
        result = chosen[0]
        for square in chosen[1:]:
            result = result * square
        return result

    def _spectrum(self, factor: _Factor) -> _Spectrum:
        if factor not in self._spectra:
            tilted = np.zeros((self.leading.size, 2 * self.bins))
            tilted[:, : self.bins + 1] = self._placed(factor)
            tilted[:, : self.bins + 1] *= np.exp(-_TILT / (2 * self.bins) * np.arange(self.bins + 1))
            self._spectra[factor] = scipy.fft.rfft(tilted, axis=1, overwrite_x=True)
        return self._spectra[factor]

    def _placed(self, factor: _Factor) -> Floats:
        """Probabilities on the grid, a row for each piece: late ends rounded up, early ends down."""
        if factor in self._rows:
            return self._rows[factor]
        name, at_once, side, shared = factor
        laws = self._laws[name].slowest_of(at_once)
        at = {"late": laws.high, "early": laws.low, "middle": laws.middle}[side] / shared
        inside = at <= self.net_ns
        at, piece, ratio = at[inside], laws.piece[inside], laws.ratio[inside]
        if side == "late":
            column = -(-np.ceil(at).astype(np.int64) * self.bins // self.net_ns)
        elif side == "early":
            column = np.floor(at).astype(np.int64) * self.bins // self.net_ns
        else:
            column = np.rint(at * (self.bins / self.net_ns)).astype(np.int64)
        kept = column <= self.bins
        width = self.bins + 1
        size = self.leading.size
        row = np.bincount(piece[kept] * width + column[kept], ratio[kept], size * width)
        rows: Floats = row.astype(np.float64).reshape(size, width)
        self._rows[factor] = rows
        return rows

    def _cap(self, stage: Stage) -> Floats:
        """No transaction is faster than its slowest operation: what lies strictly below each point, ^N."""
        below = self._below(stage.operation)
        return power_of_shares(below, 1.0 - below, stage.largest_count)

    def _below(self, operation: str) -> Floats:
        """Most that lies strictly below each point."""
        placed = self._placed((operation, 1, "early", 1))
        below: Floats = np.minimum(np.cumsum(placed, axis=1) - placed, 1.0)
        return below


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """What bounds a sum of `count` independent operations of each piece, if none lies over the window."""

    kept: Floats
    """Chance that one lies within the window."""
    mean: Floats
    variance: Floats
    above: Floats
    """How far one lies over the mean at most."""
    under: Floats

    @staticmethod
    def of(laws: PieceLaws, at: Floats, window_ns: float) -> "Moments":
        """From one side of the cells."""
        inside = at <= window_ns
        piece, ratio, place = laws.piece[inside], laws.ratio[inside], at[inside]
        kept = np.bincount(piece, ratio, laws.size)
        weight = np.where(kept > 0.0, kept, 1.0)
        mean = np.bincount(piece, ratio * place, laws.size) / weight
        away = place - mean[piece]
        variance = np.bincount(piece, ratio * away**2, laws.size) / weight
        above, under = np.zeros(laws.size), np.zeros(laws.size)
        if piece.size:
            begins = np.flatnonzero(np.concatenate(([True], piece[1:] != piece[:-1])))
            above[piece[begins]] = np.maximum.reduceat(away, begins)
            under[piece[begins]] = np.maximum.reduceat(-away, begins)
        return Moments(np.minimum(kept, 1.0), mean, variance, above, under)

    def chance_over(self, limit_ns: float, count: int) -> Floats:
        """At most this chance that the sum lies over a limit (Bernstein)."""
        return _bernstein(limit_ns - count * self.mean, count * self.variance, self.above)

    def chance_under(self, limit_ns: float, count: int) -> Floats:
        """At most this chance that the sum lies at or under a limit."""
        return _bernstein(count * self.mean - limit_ns, count * self.variance, self.under)


def _bernstein(distance: Floats, variance: Floats, furthest: Floats) -> Floats:
    spread = 2.0 * (variance + furthest * np.maximum(distance, 0.0) / 3.0)
    exponent = np.divide(distance**2, spread, out=np.full_like(distance, np.inf), where=spread > 0.0)
    chance: Floats = np.where(distance > 0.0, np.exp(-np.minimum(exponent, 700.0)), 1.0)
    return chance


def _widening(operations: int) -> float:
    return WIDENING * max(1.0, operations / 1000.0)


def _slow(stage: Stage) -> list[tuple[_Factor, int]]:
    """Factors of a sum that is the stage's time, or for a pool never less than it."""
    name, count = stage.operation, stage.largest_count
    match stage.effective:
        case Scheduling.SEQUENTIAL:
            return [((name, 1, "late", 1), count)]
        case Scheduling.PARALLEL:
            return [((name, count, "late", 1), 1)]
        case _:
            full, rest = wave_sizes(count, stage.fan_out)
            return [((name, stage.fan_out, "late", 1), full), ((name, rest, "late", 1), 1)]


def _fast(stage: Stage) -> list[list[tuple[_Factor, int]]]:
    """Sums that are never more than the stage's time; the least share of them counts."""
    name, count = stage.operation, stage.largest_count
    if stage.effective is Scheduling.POOL:
        return [[((name, 1, "early", stage.fan_out), count)], [((name, count, "early", 1), 1)]]
    return [[((name, at_once, "early", shared), times) for (_, at_once, _, shared), times in _slow(stage)]]
