"""P(sum ≤ window) in many pieces where all cells and the window lie on one lattice: nothing is rounded.

Logs with few buckets (powers of two of a millisecond, explicit edges) have that. Then only a single point of
the law of the sum is asked for, and the running sum up to it is one scalar product with the transform of the
window: no transform back. The numbers are those of `piece_sums` on the same lattice.

Terms are tilted by `e^−θk` over four windows, so that what wraps around is damped by `e^−26`, as in
`piece_sums`. Terms over the window are left out: no sum with one of them keeps it. Source: METHOD.md 1.5.
"""

import functools
from collections.abc import Sequence

import numpy as np
import scipy.fft

from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.transactions.piece_sums import Cells, Complexes, Group, PieceBounds, power, widening

_DAMPING = 26.0
_WINDOWS = 4
_MOST_STEPS = 1 << 10
_ON_LATTICE = 1e-6
"""Steps by which a cell may miss its point of the lattice by the digits of its time."""


def lattice_bounds(groups: Sequence[Group], window_ns: Floats, step_ns: float) -> PieceBounds | None:
    """Bounds and estimate for each piece; none where the lattice is too fine, or does not hold all cells."""
    if step_ns <= 0.0 or window_ns.size == 0 or not (window_ns == window_ns[0]).all():
        return None
    steps = round(float(window_ns[0]) / step_ns)
    if not 1 <= steps <= _MOST_STEPS or steps * step_ns != window_ns[0]:
        return None
    late = _Law.of(groups, [group.laws.high for group in groups], window_ns, step_ns, exact=True)
    early = _Law.of(groups, [group.laws.low for group in groups], window_ns, step_ns, exact=True)
    middle = _Law.of(groups, [group.laws.middle for group in groups], window_ns, step_ns, exact=False)
    if late is None or early is None or middle is None:
        return None
    at_window = np.full(window_ns.size, steps, np.int64)
    slow, fast = late.within(at_window), early.within(at_window)
    lower = np.clip(slow - np.exp(-_DAMPING) - widening(groups), 0.0, 1.0)
    upper = np.clip(np.minimum(fast, early.kept) + widening(groups), lower, 1.0)
    estimate = np.clip(middle.between(steps), lower, upper)
    return PieceBounds(lower, estimate, upper, np.maximum(fast - slow, 0.0))


class _Law:
    """The transform of the tilted law of a sum, piece by piece, and how far roundings have moved it."""

    def __init__(self, spectrum: Complexes, kept: Floats, drift_steps: Floats, length: int) -> None:
        self._spectrum, self.kept, self._drift_steps, self._length = spectrum, kept, drift_steps, length

    @staticmethod
    def of(
        groups: Sequence[Group],
        positions: Sequence[Floats],
        window_ns: Floats,
        step_ns: float,
        *,
        exact: bool,
    ) -> "_Law | None":
        size, steps = window_ns.size, round(float(window_ns[0]) / step_ns)
        length = _WINDOWS * steps
        spectrum: Complexes | None = None
        kept, drift = np.ones(size), np.zeros(size)
        for group, at in zip(groups, positions, strict=True):
            cells = Cells.within(group.laws, at, window_ns)
            place = cells.at / step_ns
            point = np.rint(place)
            off = place - point
            if exact and (np.abs(off) > _ON_LATTICE).any():
                return None
            column = point.astype(np.int64)
            mass = cells.added(cells.ratio)
            if not exact:
                drift += group.times * cells.added(cells.ratio * off) / np.where(mass > 0.0, mass, 1.0)
            kept *= np.minimum(mass, 1.0) ** group.times
            tilted = cells.ratio * np.exp(-(_DAMPING / length) * column)
            rows = np.bincount(cells.piece * length + column, tilted, size * length).reshape(size, length)
            part: Complexes = scipy.fft.rfft(rows, axis=1, overwrite_x=True)
            part = power(part, group.times)
            spectrum = part if spectrum is None else np.multiply(spectrum, part, out=spectrum)
        if spectrum is None:
            return None
        return _Law(spectrum, kept, drift, length)

    def within(self, points: Int64s) -> Floats:
        """Running sums up to and with a point of the lattice, one for each piece."""
        found = np.zeros(points.size)
        for point in np.unique(points[points >= 0]):
            rows = points == point
            cosine, sine = _window(self._length, int(point))
            chosen = self._spectrum if rows.all() else self._spectrum[rows]
            # By einsum: a product of matrices would wake the threads of its library for nothing.
            found[rows] = np.einsum("ij,j->i", chosen.real, cosine) - np.einsum("ij,j->i", chosen.imag, sine)
        return found

    def between(self, steps: int) -> Floats:
        """The sum up to the window if roundings are as expected, between two points."""
        place = steps - self._drift_steps - 0.5
        left = np.floor(place)
        first, second = self.within(left.astype(np.int64)), self.within(left.astype(np.int64) + 1)
        found: Floats = first + (second - first) * (place - left)
        return found


@functools.lru_cache(maxsize=256)
def _window(length: int, point: int) -> tuple[Floats, Floats]:
    """What the transform of a tilted law is multiplied by to get its untilted sum up to a point."""
    place = np.arange(point + 1)
    tilted = np.zeros(length)
    tilted[: point + 1] = np.exp((_DAMPING / length) * place)
    waves = np.conj(scipy.fft.rfft(tilted)) / length
    # All frequencies but the first and the last stand for their mirror images too.
    waves[1:-1] *= 2.0
    return waves.real.copy(), waves.imag.copy()
