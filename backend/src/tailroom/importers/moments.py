"""The bounds of the tail that follow from a mean and a standard deviation, for one period or many.

Cantelli's inequality holds for the recorded values themselves, whatever their distribution: of values with
mean `m` and standard deviation `s`, at most `s² / (s² + (t − m)²)` are at or over a time `t > m`, and at most
`s² / (s² + (m − t)²)` at or below a time `t < m`. The deviation of a sample (divided by n − 1) is larger than
that of the formula, so that the inequality holds with it. Of many periods, a few thousand at a time are
computed, to limit memory; those for which rounding could decide are computed separately. Source: Cantelli,
"Intorno ad un teorema fondamentale della teoria del rischio" (1910).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
import numpy.typing as npt

from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.units import ceil_div
from tailroom.importers.period_columns import PeriodColumns, PeriodRows
from tailroom.importers.statements import GRAIN, MAX_TIME_NS, Statements

_STEPS = tuple(
    (step, Fraction(16, 16 + step**2), Fraction(step**2, 16 + step**2))
    for step in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256, 512)
)
"""Distance in quarters of a deviation, largest share as far from the mean on one side, and 1 minus it."""
_AT_ONCE = 4_096
_CLOSE = 1e-5
"""A time this close to a whole nanosecond may be rounded to either side."""
_FEW = 32
"""Operations from which on a share in grains (parts of an operation) and the share are the same double."""
_EXACT = 1 << 50
"""Below it quarters of whole numbers are exact in doubles."""


def add_moments(
    statements: Statements, mean_ns: tuple[float, float], deviation_ns: float, *, exact_ns: int = 1
) -> None:
    """Add the bounds of the mean, and those of the distribution at the distances of `_STEPS` from it.

    `mean_ns` are lower and upper bound, `deviation_ns` an upper bound; 0 puts all latencies at the mean.
    Latencies may be longer than recorded, by less than `exact_ns`: 1,000 for whole microseconds.
    """
    least, most = mean_ns
    statements.mean_ns = (least, most + exact_ns - 1)
    if deviation_ns == 0:
        statements.span(max(0, int(least)), int(most) + 1 + exact_ns)
        return
    deviation, parts = deviation_ns.as_integer_ratio()
    late, late_parts = most.as_integer_ratio()
    early, early_parts = least.as_integer_ratio()
    for step, share, rest in _STEPS:
        late_ns = exact_ns - (-4 * late * parts - step * deviation * late_parts) // (4 * late_parts * parts)
        if late_ns < MAX_TIME_NS:
            statements.at_least(late_ns, rest)
        early_ns = (4 * early * parts - step * deviation * early_parts) // (4 * early_parts * parts)
        if early_ns > 0:
            statements.at_most(early_ns, share)


@dataclass(frozen=True, eq=False, slots=True)
class MomentPeriods(PeriodRows):
    """Rows of counts and means over time; `answered` operations have a latency, `missed` have none.

    Means and deviations are of recorded latencies; true latencies may be longer by less than `exact_ns`.
    """

    start_ns: Int64s
    duration_ns: Int64s
    answered: Int64s
    missed: Int64s
    mean_ns: Floats
    deviation_ns: Floats
    least_ns: Int64s
    """Smallest latency."""
    over_ns: Int64s
    """Just over the largest latency."""
    exact_ns: int
    record: Callable[[int], KnotsRecord]
    """Builds the record of a row."""

    @property
    def operations(self) -> Int64s:
        """Number of operations of each row: those with a latency and those without."""
        return self.answered + self.missed

    def check(self) -> None:
        """Raise StatementsContradict for the first row whose numbers contradict each other."""
        for part, columns, odd in self._parts():
            suspects = np.union1d(np.flatnonzero(odd), columns.contradictory())
            for row in (part.start + suspects).tolist():
                self.record(row)

    def over(self, threshold_ns: int) -> tuple[Int64s, Int64s]:
        """Return bounds of the operations at or over a threshold, or without latency, for each row."""
        least, most = np.zeros((2, len(self)), np.int64)
        for part, columns, odd in self._parts():
            least[part], most[part] = columns.over(threshold_ns)
            for row in np.flatnonzero(odd).tolist():
                counts = self.record(part.start + row).at_or_over(threshold_ns)
                missed = int(self.missed[part.start + row])
                least[part.start + row], most[part.start + row] = counts.lower - missed, counts.upper - missed
        none = self.answered == 0
        least[none], most[none] = 0, 0
        return least + self.missed, most + self.missed

    def _parts(self) -> Iterator[tuple[slice, PeriodColumns, npt.NDArray[np.bool_]]]:
        """Yield ranges of up to 4,096 rows, their bounds, and a mask of rows to be computed separately."""
        for begin in range(0, len(self), _AT_ONCE):
            part = slice(begin, min(begin + _AT_ONCE, len(self)))
            yield part, *self._columns(part)

    def _columns(self, part: slice) -> tuple[PeriodColumns, npt.NDArray[np.bool_]]:
        """Return the bounds of a range of rows, and a mask of those that must be computed separately.

        These have a deviation of 0, a bound beyond MAX_TIME_NS, or a bound that rounding could change.
        """
        steps = np.array([step for step, _, _ in _STEPS]) / 4
        mean, deviation = self.mean_ns[part, None], self.deviation_ns[part, None]
        away = deviation * steps
        late, early = self.exact_ns + np.ceil(mean + away), np.floor(mean - away)
        is_integer = (4 * mean == np.rint(4 * mean)) & (deviation == np.rint(deviation))
        is_integer &= (mean < _EXACT) & (deviation < _EXACT / _STEPS[-1][0])
        odd = (deviation <= 0) | (mean + self.exact_ns + away.max(axis=1, keepdims=True) >= MAX_TIME_NS)
        for exact in (mean + away, mean - away):
            odd |= ((np.abs(exact - np.rint(exact)) < _CLOSE) & ~is_integer).any(axis=1, keepdims=True)
        odd = odd.ravel() & (self.answered[part] > 0)
        late, early = np.where(odd[:, None], 0, late), np.where(odd[:, None], 0, early)
        # Statements about times before 0 become a statement about all operations at 0.
        stated = early > 0
        below, rest = (table[np.minimum(self.answered[part], _FEW)] for table in _share_tables())
        size = mean.size
        columns = _Shares(
            self.start_ns[part],
            self.duration_ns[part],
            np.maximum(self.answered[part], 1),
            np.column_stack((late.astype(np.int64), self.over_ns[part])),
            np.column_stack((rest, np.ones(size))),
            np.column_stack((np.where(stated, early, 0).astype(np.int64), self.least_ns[part])),
            np.column_stack((np.where(stated, below, 1.0), np.zeros(size))),
            self.mean_ns[part],
            self.mean_ns[part] + (self.exact_ns - 1),
            np.ones(size),
        )
        columns.build_record = lambda row: self.record(part.start + row)
        return columns, odd


@cache
def _share_tables() -> tuple[Floats, Floats]:
    """Return two tables: a row for each number of operations from 0 to 32 (or more), a column for each step.

    The steps are `_STEPS`. The first table has the largest share of operations as far from the mean, rounded
    up to grains, the second 1 minus that share, rounded down.
    """
    wholes = [max(count, 1) * GRAIN for count in range(_FEW + 1)]
    below = [
        [ceil_div(step.numerator * number, step.denominator) / number for _, step, _ in _STEPS]
        for number in wholes
    ]
    rest = [
        [step.numerator * number // step.denominator / number for _, _, step in _STEPS] for number in wholes
    ]
    return np.array(below), np.array(rest)


class _Shares(PeriodColumns):
    """Periods with bounds of the share of operations instead of their number."""

    build_record: Callable[[int], KnotsRecord]

    def record(self, row: int) -> KnotsRecord:
        """Return the record of a row as `build_record` builds it."""
        return self.build_record(row)
