"""Periods as columns of counts and bounds, so that a day of status lines is computed at once.

The arithmetic is that of `Statements` and `KnotsRecord`, for all rows at a time; the record of a row is built
on access. Source: docs/method.md 1.2 and 5.1.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.latency.knots import SHARE_ROUNDING, WHOLE_COUNT, KnotsRecord, StatementsContradict
from tailroom.importers.parsed_run import Period
from tailroom.importers.statements import GRAIN, Statements, summed

_NEAR = 1e-9
"""Means nearer than this part to the limits that the statements set are computed separately."""


class PeriodRows(Sequence[Period], ABC):
    """Periods stored as columns, with an element of each array for each period; built on access."""

    start_ns: Int64s
    duration_ns: Int64s

    @abstractmethod
    def record(self, row: int, /) -> KnotsRecord:
        """Return the distribution of the period at a row, counted from 0."""

    def __len__(self) -> int:
        return int(self.start_ns.size)

    @overload
    def __getitem__(self, at: int) -> Period: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Period, ...]: ...
    def __getitem__(self, at: int | slice) -> Period | tuple[Period, ...]:
        places = range(len(self))[at]
        return self._period(places) if isinstance(places, int) else tuple(map(self._period, places))

    def _period(self, row: int) -> Period:
        """Return the period at a row, counted from 0."""
        return Period(int(self.start_ns[row]), int(self.duration_ns[row]), self.record(row))


@dataclass(frozen=True, eq=False)
class PeriodColumns(PeriodRows):
    """Periods as rows i: at least `least[i, k]` operations are below `least_at[i, k]` ns, and at most
    `most[i, k]` below `most_at[i, k]` ns.

    `operations` is the number of operations of each row; bounds of means are NaN if a row has none.
    """

    start_ns: Int64s
    duration_ns: Int64s
    operations: Int64s
    least_at: Int64s
    least: npt.NDArray[Any]
    most_at: Int64s
    most: npt.NDArray[Any]
    mean_lower_ns: Floats
    mean_upper_ns: Floats
    totals: npt.NDArray[Any] | None = None
    """The number in `least` and `most` that means all operations of a row; None if it is `operations`."""

    @staticmethod
    def of(
        start_ns: Int64s,
        duration_ns: Int64s,
        operations: Int64s,
        least: Sequence[tuple[Int64s, Int64s]],
        most: Sequence[tuple[Int64s, Int64s]],
        *,
        mean_ns: tuple[Floats, Floats],
    ) -> "PeriodColumns":
        """Return the rows as PeriodColumns without `totals`; every array has one element for each row.

        `least` and `most` hold pairs (times in ns, operations): at least, and at most, so many operations of
        the row are below its time. `mean_ns`: lower and upper bounds of the means in ns, NaN if not known.
        """
        tables = [
            np.stack([statement[part] for statement in statements], axis=1)
            for statements in (least, most)
            for part in (0, 1)
        ]
        return PeriodColumns(
            start_ns, duration_ns, operations, tables[0], tables[1], tables[2], tables[3], *mean_ns
        )

    @staticmethod
    def joined(parts: Sequence["PeriodColumns"]) -> "PeriodColumns":
        """Return the rows of all parts, without `totals`; parts with fewer statements repeat their last."""
        columns = zip(*(part._arrays for part in parts), strict=True)
        return PeriodColumns(*map(_concatenate, columns))

    @property
    def _arrays(self) -> Sequence[npt.NDArray[Any]]:
        """All columns but `totals`, in the order of the fields."""
        statements = self.least_at, self.least, self.most_at, self.most
        means = self.mean_lower_ns, self.mean_upper_ns
        return self.start_ns, self.duration_ns, self.operations, *statements, *means

    def record(self, row: int) -> KnotsRecord:
        """Return the bounds of the latency distribution of a row, from its statements.

        A contradictory mean is left out, unreported. Raise StatementsContradict for other contradictions.
        """
        return self.statements(row).record()

    def statements(self, row: int) -> Statements:
        """Return the bounds of the distribution that a row holds; they may contradict each other."""
        result = Statements(int(self.operations[row]))
        for at, most in zip(self.most_at[row].tolist(), self.most[row].tolist(), strict=True):
            result.most_part(at, most * GRAIN)
        for at, least in zip(self.least_at[row].tolist(), self.least[row].tolist(), strict=True):
            result.least_part(at, least * GRAIN)
        if not np.isnan(self.mean_upper_ns[row]):
            result.mean_ns = float(self.mean_lower_ns[row]), float(self.mean_upper_ns[row])
        return result

    def chosen(self, rows: Int64s | slice) -> "PeriodColumns":
        """Return the rows at these positions, without `totals`."""
        return PeriodColumns(*(column[rows] for column in self._arrays))

    def contradictory(self) -> Int64s:
        """Return the rows with more operations below a time than below an equal or later; ignore means."""
        before = self.least_at[:, :, None] <= self.most_at[:, None, :]
        more = self.least[:, :, None] > self.most[:, None, :]
        return np.flatnonzero((before & more).any(axis=(1, 2)))

    def over(self, threshold_ns: int) -> tuple[Int64s, Int64s]:
        """Return bounds of the operations at or over a threshold for each row, as of `record`, rounded."""
        count, totals = self.operations, self._totals
        low = np.where(self.least_at <= threshold_ns, self.least, 0).max(axis=1, initial=0)
        high = np.where(self.most_at >= threshold_ns, self.most, totals[:, None]).min(axis=1)
        share_low, share_high = low / totals, high / totals
        by_mean = 1.0 - self._share_over(threshold_ns) - SHARE_ROUNDING
        share_low = np.minimum(np.maximum(share_low, by_mean), share_high)
        slack = SHARE_ROUNDING * count + WHOLE_COUNT
        least = np.clip(np.ceil(share_low * count - slack), 0, count).astype(np.int64)
        most = np.clip(np.floor(share_high * count + slack), 0, count).astype(np.int64)
        return count - np.maximum(least, most), count - np.minimum(least, most)

    def _share_over(self, at_ns: int) -> Floats:
        """Return the largest share from a time on that each row's mean allows; infinity if it allows all."""
        times, room = self._room
        later = at_ns - times
        with np.errstate(divide="ignore", invalid="ignore"):
            shares: Floats = np.where(later > 0.0, room / later, np.inf).min(axis=1)
        shares[np.isnan(self._consistent_mean)] = np.inf
        return shares

    @property
    def _totals(self) -> npt.NDArray[Any]:
        """Value of `least` and `most` that means all operations of each row."""
        return self.operations if self.totals is None else self.totals

    @cached_property
    def _steps(self) -> tuple[Int64s, npt.NDArray[Any], npt.NDArray[Any]]:
        """Times of all statements from 0, ascending, and lower and upper bounds of the operations below each.

        Each array has a row for each period and a column for each time.
        """
        size, widths = len(self), (self.least.shape[1], self.most.shape[1])
        none = np.zeros((size, 1), np.int64)
        totals = np.repeat(self._totals[:, None], widths[0], axis=1)
        times = np.concatenate((none, self.least_at, self.most_at), axis=1)
        low = np.concatenate((none, self.least, np.zeros((size, widths[1]), np.int64)), axis=1)
        high = np.concatenate((none, totals, self.most), axis=1)
        order = np.argsort(times, axis=1, kind="stable")
        times, low, high = (np.take_along_axis(each, order, axis=1) for each in (times, low, high))
        return (
            times,
            np.maximum.accumulate(low, axis=1),
            np.minimum.accumulate(high[:, ::-1], axis=1)[:, ::-1],
        )

    @cached_property
    def _room(self) -> tuple[Floats, Floats]:
        """Times of `_steps`, and the part of the mean (ns) that is left for latencies beyond each."""
        times, _, high = self._steps
        upper = high / self._totals[:, None]
        needed = np.zeros(times.shape)
        np.cumsum(np.diff(times, axis=1) * (1.0 - upper[:, 1:]), axis=1, out=needed[:, 1:])
        return times.astype(np.float64), np.maximum(0.0, self._consistent_mean[:, None] - needed)

    @cached_property
    def _consistent_mean(self) -> Floats:
        """Upper bound of each row's mean; NaN for a row without a mean, or whose statements contradict it."""
        times, low, high = self._steps
        steps = np.diff(times, axis=1).astype(np.float64)
        needed = (steps * (1.0 - high[:, 1:] / self._totals[:, None])).sum(axis=1)
        possible = (steps * (1.0 - low[:, :-1] / self._totals[:, None])).sum(axis=1)
        possible[low[:, -1] < self._totals] = np.inf
        is_close = self.mean_upper_ns < needed * (1.0 + _NEAR)
        is_close |= self.mean_lower_ns > possible * (1.0 - _NEAR)
        means = self.mean_upper_ns.copy()
        for row in np.flatnonzero(is_close).tolist():
            if self.record(row).mean_limits_ns is None:
                means[row] = np.nan
        return means


def _concatenate(parts: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """Return the rows of all parts; of narrower tables the last column is repeated."""
    if parts[0].ndim == 2:
        width = max(part.shape[1] for part in parts)
        parts = [np.pad(part, ((0, 0), (0, width - part.shape[1])), mode="edge") for part in parts]
    return np.concatenate(parts)


@dataclass(slots=True)
class PeriodCollector:
    """Periods of one series during reading: the first periods in full, and the sum of all."""

    most_rows: int
    """Most periods that are stored in full."""
    rows: int = 0
    """Number of periods without contradictions so far."""
    mean_sums: list[float] | None = field(default_factory=lambda: [0.0, 0.0])
    """Sums of the lower and upper bounds of means times operations; None if a period has no mean."""
    total: int = 0
    """Number of operations of all periods."""
    contradictions: list[str] = field(default_factory=list)
    """The reason of each contradictory period."""
    _parts: list[PeriodColumns] = field(default_factory=list)
    _lower: dict[int, int] = field(default_factory=dict)
    _upper: dict[int, int] = field(default_factory=dict)

    def add(self, columns: PeriodColumns) -> None:
        """Add rows that have operations; of contradictory rows only the reasons are stored."""
        wrong = columns.contradictory()
        if wrong.size:
            for row in wrong.tolist():
                try:
                    columns.statements(row).record()
                except StatementsContradict as error:
                    self.contradictions.append(str(error))
            columns = columns.chosen(np.setdiff1d(np.arange(len(columns)), wrong))
        if not len(columns):
            return
        room = max(0, self.most_rows - self.rows)
        self.rows += len(columns)
        if room:
            self._parts.append(columns if room >= len(columns) else columns.chosen(slice(room)))
        self._add_up(columns)

    def periods(self) -> Sequence[Period]:
        """Return the first periods without contradictions, at most `most_rows` of them."""
        return PeriodColumns.joined(self._parts) if self._parts else ()

    def merged(self) -> Statements:
        """Return the exact sum of all periods. Raise StatementsContradict if any was contradictory."""
        if self.contradictions:
            raise StatementsContradict(self.contradictions[0])
        return summed(self.total, self._lower, self._upper, self.mean_sums, GRAIN)

    def _add_up(self, columns: PeriodColumns) -> None:
        """Add the means and statements of rows to the sums over all rows."""
        count = columns.operations
        self.total += int(count.sum())
        if np.isnan(columns.mean_upper_ns).any():
            self.mean_sums = None
        if self.mean_sums is not None:
            for end, ends in enumerate((columns.mean_lower_ns, columns.mean_upper_ns)):
                self.mean_sums[end] = sum((ends * count).tolist(), self.mean_sums[end])
        _sum_steps(self._lower, *_rises(columns.least_at, columns.least))
        falls = count[:, None] - columns.most
        _sum_steps(self._upper, *_rises(-columns.most_at, falls), sign=-1)


def _rises(times: Int64s, heights: npt.NDArray[Any]) -> tuple[Int64s, Int64s]:
    """Return the times of all rows as one array, and at each the rise of the running maximum of heights.

    `times` and `heights` are rows by statements; within a row times ascend in the result.
    """
    order = np.argsort(times, axis=1, kind="stable")
    reached = np.maximum.accumulate(np.take_along_axis(heights, order, axis=1), axis=1)
    steps = np.diff(reached, axis=1, prepend=0)
    return np.take_along_axis(times, order, axis=1).ravel(), steps.ravel()


def _sum_steps(into: dict[int, int], times: Int64s, steps: Int64s, sign: int = 1) -> None:
    """Add each positive step to the sum of its time in `into`, whose keys are times multiplied by `sign`."""
    some = steps > 0
    times, steps = times[some], steps[some]
    if not times.size:
        return
    order = np.argsort(times, kind="stable")
    times, steps = times[order], steps[order]
    begins = np.flatnonzero(np.concatenate(([True], times[1:] != times[:-1])))
    sums = np.add.reduceat(steps, begins)
    for at, rise in zip((sign * times[begins]).tolist(), sums.tolist(), strict=True):
        into[at] = into.get(at, 0) + rise
