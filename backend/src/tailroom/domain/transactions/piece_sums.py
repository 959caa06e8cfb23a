"""P(sum ≤ window) in many pieces at once, between certain bounds, at a price that can be chosen.

A sum is made of groups: `times` independent terms of one law each. Instead of rounding every term to the safe
side, which shifts the sum by half a step for each term, terms are rounded to the *nearest* point and the sum
of all rounding errors D is bounded: terms are independent, so D stays within `E D ± (b ℓ/3 + √((b ℓ/3)² +
2 V ℓ))` but for a chance of `ε = e^−ℓ` (Bernstein; Boucheron, Lugosi and Massart, Concentration Inequalities
(2013) 2.8). Then `P(S ≤ w) ≥ P(S' ≤ w − D_ε) − ε`, and the same from above, for every ε; the best of several
counts. 250 roundings of h lie within ±35 h in place of a shift of 125 h on average.

One Fourier transform of a fixed length gives the law of S':

* where S certainly (but for ε) lies in a stretch much shorter than the window, the grid spans just this
  stretch and sums wrap around it: what lies outside is in the bounds;
* elsewhere the grid spans four windows, and terms are tilted by `e^−θk`, so that what wraps around is damped
  by `e^−26`.

Terms over the window are left out: no sum with one of them keeps it. Source: METHOD.md sections 0 and 1.5.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.fft

from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.transactions.piece_laws import Mask, PieceLaws

Complexes = npt.NDArray[np.complex128]

CERTAIN_WIDENING = 1e-10
"""Bounds are widened by this for the digits that transform, power and tilt lose; for each 1,000 terms."""

_DAMPING = 26.0
_OUTSIDE = 16.0
"""−ln of the chance that a sum lies outside the stretch of a wrapped grid."""
_CHANCES = (26.0, 21.0, 16.0, 12.0, 9.0, 7.0, 5.0)
"""−ln of the chances of a rounding error outside its limits that are tried."""
_TINY_NS = 1e-6
_COARSE_RELATIVE_WIDTH = 0.02


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """`times` independent terms with one law."""

    laws: PieceLaws
    times: int


@dataclass(frozen=True, slots=True, eq=False)
class PieceBounds:
    """Lower bound, estimate and upper bound of P(S ≤ window), for each piece.

    `buckets` estimates the part of the width that the buckets leave, which no finer grid takes away; none
    where nobody knows.
    """

    lower: Floats
    estimate: Floats
    upper: Floats
    buckets: Floats | None = None


def cheap_bounds(groups: Sequence[Group], window_ns: Floats) -> PieceBounds:
    """Without any transform: extremes, and Bernstein's bound on the sum itself. Enough for most pieces."""
    late = _Terms.of(groups, [group.laws.high for group in groups], window_ns)
    early = _Terms.of(groups, [group.laws.low for group in groups], window_ns)
    beyond, under = late.chance_over(window_ns), early.chance_under(window_ns)
    wider = widening(groups)
    lower = np.clip(late.kept * (1.0 - beyond) - wider, 0.0, 1.0)
    upper = np.clip(early.kept * under + wider, lower, 1.0)
    return PieceBounds(lower, (lower + upper) / 2.0, upper)


def transformed_bounds(
    groups: Sequence[Group], window_ns: Floats, length: int, *, step_ns: float = 0.0
) -> PieceBounds:
    """With two transforms of a length for each piece (three where cells are coarse).

    `step_ns`, where it is positive, divides the window and all cells: a grid on it rounds nothing.
    """
    late = _Transform.of(groups, [group.laws.high for group in groups], window_ns, length, step_ns)
    early = _Transform.of(groups, [group.laws.low for group in groups], window_ns, length, step_ns)
    wider = widening(groups)
    lower = np.clip(late.certain(window_ns) - wider, 0.0, 1.0)
    upper = np.clip(early.possible(window_ns) + wider, lower, 1.0)
    slow = late.estimate(window_ns, late.drift)
    buckets = np.maximum(early.estimate(window_ns, early.drift) - slow, 0.0)
    middles = [group.laws.middle for group in groups]
    if _is_coarse(groups):
        middle = _Transform.of(groups, middles, window_ns, length, step_ns)
        estimate = middle.estimate(window_ns, middle.drift)
    else:
        estimate = late.estimate(window_ns, late.drift - _lag(groups, middles, window_ns))
    return PieceBounds(lower, np.clip(estimate, lower, upper), upper, buckets)


def widening(groups: Sequence[Group]) -> float:
    """By how much bounds are widened for lost digits."""
    return CERTAIN_WIDENING * max(1.0, sum(group.times for group in groups) / 1000.0)


def _is_coarse(groups: Sequence[Group]) -> bool:
    for group in groups:
        laws = group.laws
        width = np.minimum(laws.high, 2.0 * np.maximum(laws.low, 1.0)) - laws.low
        if float((width * laws.ratio).sum()) > _COARSE_RELATIVE_WIDTH * float((laws.low * laws.ratio).sum()):
            return True
    return False


def _lag(groups: Sequence[Group], middles: Sequence[Floats], window_ns: Floats) -> Floats:
    """By how much the sum of the middles is expected to lie below the sum of the upper ends."""
    lag = np.zeros(window_ns.size)
    for group, middle in zip(groups, middles, strict=True):
        laws = group.laws
        cells = Cells.within(laws, laws.high, window_ns)
        gap = laws.high - middle
        gap = gap if cells.at.size == gap.size else gap[laws.high <= window_ns[laws.piece]]
        mass = cells.added(cells.ratio)
        lag += group.times * cells.added(cells.ratio * gap) / np.where(mass > 0.0, mass, 1.0)
    return lag


@dataclass(frozen=True, slots=True, eq=False)
class _Terms:
    """What is known of a sum from the moments of its terms, given that none lies over the window."""

    kept: Floats
    """Chance that no term lies over the window."""
    mean: Floats
    variance: Floats
    above: Floats
    """How far a term lies over its mean at most."""
    under: Floats
    smallest: Floats
    largest: Floats

    @staticmethod
    def none(size: int) -> "_Terms":
        """A sum without terms."""
        return _Terms(np.ones(size), *(np.zeros(size) for _ in range(6)))

    @staticmethod
    def of(groups: Sequence[Group], positions: Sequence[Floats], window_ns: Floats) -> "_Terms":
        """From positions of the cells of each group; cells over the window are left out."""
        terms = _Terms.none(window_ns.size)
        for group, at in zip(groups, positions, strict=True):
            cells = Cells.within(group.laws, at, window_ns)
            terms = terms.joined(group.times, cells, cells.at)
        return terms

    def joined(self, times: int, cells: "Cells", at: Floats) -> "_Terms":
        """With further terms of one law, which are worth `at` in each cell."""
        mass = cells.added(cells.ratio)
        weight = np.where(mass > 0.0, mass, 1.0)
        mean = cells.added(cells.ratio * at) / weight
        spread = at - mean[cells.piece]
        spread *= spread
        spread *= cells.ratio
        least, most = cells.reduced(np.minimum, at), cells.reduced(np.maximum, at)
        return _Terms(
            self.kept * np.minimum(mass, 1.0) ** times,
            self.mean + times * mean,
            self.variance + times * cells.added(spread) / weight,
            np.maximum(self.above, most - mean),
            np.maximum(self.under, mean - least),
            self.smallest + times * least,
            self.largest + times * most,
        )

    def without(self, errors: "_Terms") -> "_Terms":
        """Limits of the rounded terms: what is left of these terms without their rounding errors."""
        return _Terms(
            self.kept,
            self.mean - errors.mean,
            (np.sqrt(self.variance) + np.sqrt(errors.variance)) ** 2,
            self.above + errors.under,
            self.under + errors.above,
            self.smallest - errors.largest,
            self.largest - errors.smallest,
        )

    def chance_over(self, limit: Floats) -> Floats:
        """At most this chance that the sum lies over a limit."""
        chance = _bernstein(limit - self.mean, self.variance, self.above)
        return np.asarray(np.where(self.largest <= limit, 0.0, chance))

    def chance_under(self, limit: Floats) -> Floats:
        """At most this chance that the sum lies at or under a limit."""
        chance = _bernstein(self.mean - limit, self.variance, self.under)
        return np.asarray(np.where(self.smallest > limit, 0.0, chance))

    def reach_up(self, exponent: float) -> Floats:
        """How far over its mean the sum lies at most, but for a chance of `e^−exponent`, or in no case."""
        return np.minimum(_reach(exponent, self.variance, self.above), self.largest - self.mean)

    def reach_down(self, exponent: float) -> Floats:
        """The same below its mean."""
        return np.minimum(_reach(exponent, self.variance, self.under), self.mean - self.smallest)


def _bernstein(distance: Floats, variance: Floats, furthest: Floats) -> Floats:
    square = distance**2
    spread = 2.0 * (variance + furthest * np.maximum(distance, 0.0) / 3.0)
    exponent = np.divide(square, spread, out=np.full_like(square, np.inf), where=spread > 0.0)
    chance: Floats = np.where(distance > 0.0, np.exp(-np.minimum(exponent, 700.0)), 1.0)
    return chance


def _reach(exponent: float, variance: Floats, furthest: Floats) -> Floats:
    linear = furthest * exponent / 3.0
    reached: Floats = linear + np.sqrt(linear**2 + 2.0 * variance * exponent)
    return reached


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Cells that a sum within the window can have, and where each piece begins among them."""

    size: int
    piece: Int64s
    ratio: Floats
    at: Floats
    begins: Int64s
    filled: Int64s

    @staticmethod
    def within(laws: PieceLaws, at: Floats, window_ns: Floats) -> "Cells":
        """Cells whose position lies within the window of their piece."""
        inside = at <= window_ns[laws.piece]
        if inside.all():
            piece, ratio = laws.piece, laws.ratio
        else:
            piece, ratio, at = laws.piece[inside], laws.ratio[inside], at[inside]
        begins = np.flatnonzero(np.diff(piece, prepend=-1))
        return Cells(window_ns.size, piece, ratio, at, begins, piece[begins])

    def added(self, values: Floats) -> Floats:
        """Sum over the cells of each piece."""
        return self.reduced(np.add, values)

    def reduced(self, join: np.ufunc, values: Floats) -> Floats:
        """Cells of each piece joined; 0 without cells."""
        result = np.zeros(self.size)
        if self.begins.size:
            result[self.filled] = join.reduceat(values, self.begins)
        return result


@dataclass(frozen=True, slots=True, eq=False)
class _Transform:
    """Law of the sum S' of rounded terms on a grid of its own for every piece, and the law of what is left.

    `sums` holds running sums over the grid. In a wrapped row the stretch begins after `base`; in a tilted one
    `base` is −1 and only the first columns are of use.
    """

    step: Floats
    base: Int64s
    wrapped: Mask
    sums: Floats
    errors: _Terms
    beyond: Floats
    """Chance that S' lies over the stretch of a wrapped row."""
    before: Floats
    usable: int

    @property
    def drift(self) -> Floats:
        """Expected sum of all rounding errors."""
        return self.errors.mean

    @staticmethod
    def of(
        groups: Sequence[Group],
        positions: Sequence[Floats],
        window_ns: Floats,
        length: int,
        step_ns: float,
    ) -> "_Transform":
        """One transform of a length for each piece and group."""
        size = window_ns.size
        terms = _Terms.of(groups, positions, window_ns)
        quarter = length // 4
        if (window_ns > quarter * step_ns).any():
            step_ns = 0.0
        step = _tilted_step(window_ns, quarter, step_ns)
        stretch = terms.reach_up(_OUTSIDE) + terms.reach_down(_OUTSIDE)
        # Roundings make the stretch of S' a little longer; what is not covered is added to the bounds anyway.
        spanned = stretch * 1.02 / (length - 160)
        wrapped = (spanned > 0.0) & (spanned < step / 1.5) & (step_ns <= 0.0)
        step = np.where(wrapped, np.maximum(spanned, 1.0), step)
        damping = np.exp(-(_DAMPING / length) * np.arange(length))
        spectrum = np.ones((size, length // 2 + 1), dtype=np.complex128)
        errors = _Terms.none(size)
        for group, at in zip(groups, positions, strict=True):
            cells = Cells.within(group.laws, at, window_ns)
            here = step[cells.piece]
            point = np.rint(cells.at / here)
            error = cells.at - point * here
            error[np.abs(error) < _TINY_NS] = 0.0
            errors = errors.joined(group.times, cells, error)
            column = point.astype(np.int64)
            if wrapped.any():
                column %= length
            weight = np.where(wrapped[cells.piece], cells.ratio, cells.ratio * damping[column])
            rows = np.bincount(cells.piece * length + column, weight, size * length).reshape(size, length)
            spectrum *= power(scipy.fft.rfft(rows, axis=1, overwrite_x=True), group.times)
        rounded = terms.without(errors)
        usable = quarter + quarter // 4
        law = scipy.fft.irfft(spectrum, length, axis=1, overwrite_x=True)
        law[~wrapped, :usable] /= damping[:usable]
        sums = np.cumsum(law, axis=1, out=law)
        base = np.floor((rounded.mean - rounded.reach_down(_OUTSIDE)) / step) - 16.0
        base = np.where(wrapped, np.maximum(base, -1.0), -1.0)
        return _Transform(
            step,
            base.astype(np.int64),
            wrapped,
            sums,
            errors,
            np.where(wrapped, rounded.chance_over((base + length) * step), 0.0) * rounded.kept,
            np.where(wrapped & (base >= 0.0), rounded.chance_under(base * step), 0.0) * rounded.kept,
            usable,
        )

    def certain(self, window_ns: Floats) -> Floats:
        """At least this much lies within the window."""
        best = np.zeros(window_ns.size)
        worst = self.errors.largest
        for exponent in _CHANCES:
            reach = self.errors.mean + self.errors.reach_up(exponent)
            never = reach >= worst
            chance = np.where(never, 0.0, np.exp(-exponent)) * self.errors.kept
            within = self._within(window_ns - np.minimum(reach, worst), -1e-9) - self.beyond
            np.maximum(best, within - chance, out=best)
        # What wraps around a tilted row has been added to it.
        return best - np.where(self.wrapped, 0.0, np.exp(-_DAMPING))

    def possible(self, window_ns: Floats) -> Floats:
        """At most this much lies within the window."""
        best = self.errors.kept.copy()
        worst = self.errors.smallest
        for exponent in _CHANCES:
            reach = self.errors.mean - self.errors.reach_down(exponent)
            never = reach <= worst
            chance = np.where(never, 0.0, np.exp(-exponent)) * self.errors.kept
            limit = window_ns - np.maximum(reach, worst)
            within = self._within(limit, 1e-9) + self.before
            outside = self._outside(limit)
            np.minimum(best, np.where(outside, self.errors.kept, within + chance), out=best)
        return best

    def estimate(self, window_ns: Floats, drift: Floats) -> Floats:
        """Share within the window if rounding errors are as expected, between two points of the grid."""
        place = (window_ns - drift) / self.step - 0.5
        left = np.floor(place)
        first, second = self._at(left), self._at(left + 1.0)
        between: Floats = first + (second - first) * (place - left)
        return between

    def _within(self, limit_ns: Floats, slack: float) -> Floats:
        place = limit_ns / self.step
        whole = np.rint(place)
        near = np.abs(place - whole) < 1e-12 * np.maximum(whole, 1.0)
        return self._at(np.where(near, whole, np.floor(place + slack)))

    def _outside(self, limit_ns: Floats) -> Mask:
        """Where a limit lies beyond what the grid shows."""
        place = limit_ns / self.step
        last = np.where(self.wrapped, self.base + self.sums.shape[1] - 2, self.usable - 2)
        beyond: Mask = place >= last
        return beyond

    def _at(self, point: Floats) -> Floats:
        """Running sum of every row up to and with a point of the grid."""
        length = self.sums.shape[1]
        last = np.where(self.wrapped, self.base + length - 1, self.usable - 1)
        point = np.minimum(point, last)
        column = np.where(self.wrapped, np.mod(point, length), np.maximum(point, 0.0)).astype(np.int64)
        start = np.mod(self.base, length)
        rows = np.arange(point.size)
        held = self.sums[rows, column]
        around = np.where(column < start, self.sums[:, -1], 0.0) - self.sums[rows, start]
        around = np.where(self.base >= 0, around, 0.0)
        return np.where(point <= self.base, 0.0, held + np.where(self.wrapped, around, 0.0))


def _tilted_step(window_ns: Floats, quarter: int, step_ns: float) -> Floats:
    """A window has a quarter of the points, or as many as a finer grid on the common step allows."""
    if step_ns <= 0.0:
        return window_ns / quarter
    return np.asarray(step_ns / np.floor(quarter / np.rint(window_ns / step_ns)))


def power(base: Complexes, exponent: int) -> Complexes:
    """By squaring, in place."""
    result = None
    while True:
        if exponent & 1:
            result = base.copy() if result is None else np.multiply(result, base, out=result)
        exponent >>= 1
        if not exponent:
            return result if result is not None else base
        np.multiply(base, base, out=base)
