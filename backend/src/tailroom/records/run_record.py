"""Stored record of a run: of each operation and clock one distribution, and its counts over time.

A clock is the kind of time that was measured, such as response or service time. Histogram series of one
operation by one clock (several devices, hosts or phases) are added up if their layouts are equal; only
thresholds that all of them counted stay exact. A series without a device covers all devices: then those of
single devices are parts of it and not added again.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import groupby

import numpy as np
from sqlalchemy.orm import Session

from tailroom.domain.confidence.effective_samples import DesignEffect, design_effect, design_effects
from tailroom.domain.latency.distribution import LatencyDist, LatencyRecord
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import HdrLayout, LayoutsDiffer
from tailroom.domain.latency.merged_record import MergedRecord, unweighted
from tailroom.domain.units import NS_PER_HOUR
from tailroom.domain.verdicts.budget_kinds import CLOCKS
from tailroom.domain.verdicts.evidence import HourSlice
from tailroom.domain.verdicts.generator import GeneratedLoad
from tailroom.domain.verdicts.other_tools import READ, READ_NAMES, READ_STAND_INS
from tailroom.domain.verdicts.validity import Validity
from tailroom.kit.deadlines import check
from tailroom.kit.transactions import Transactions, same_transaction
from tailroom.records import repository
from tailroom.records.courses import coarsened, load_intervals, load_slices, merged
from tailroom.records.rollup import layout_of
from tailroom.records.series_record import SeriesRecord
from tailroom.records.slice_columns import Int64s, SliceColumns, Sum, empty_slices, sums
from tailroom.storage.run import FINISHED, RUNNING, UPLOAD, Run
from tailroom.storage.series import STATEMENT, Series
from tailroom.storage.slices import HOUR, MINUTE, RUN

COARSE_SLICES = 12
"""Most slices over time of a coarse record, which answers quick questions about running runs."""
_COARSE_INTERVALS_MAX = 10 * COARSE_SLICES
_COARSE_MINUTES_UP_TO_NS = 10 * NS_PER_HOUR


@dataclass(frozen=True, eq=False)
class OperationRecord:
    """One operation by one clock (kind of measured time); `parts` are its series. `missing_intervals` of all
    series did not arrive. `is_coarse`: `intervals` has at most `COARSE_SLICES` slices.
    """

    operation: str
    clock: str
    parts: tuple[SeriesRecord, ...]
    missing_intervals: int = 0
    is_coarse: bool = False
    _effects: dict[int, DesignEffect] = field(default_factory=dict)

    @cached_property
    def dist(self) -> LatencyRecord:
        """Distribution of all series together; if one states no count, only what is true of each alone. Raise
        LayoutsDiffer if their buckets differ.
        """
        check()
        parts = [part.dist for part in self.parts]
        if len(parts) == 1:
            return parts[0]
        if any(part.total is None for part in parts):
            return unweighted(parts)
        total = parts[0]
        for later in parts[1:]:
            if not isinstance(total, LatencyDist) or not isinstance(later, LatencyDist):
                return MergedRecord.of(parts)
            if later.layout != total.layout:
                raise LayoutsDiffer(
                    f"the series of {self.operation} ({self.clock}) have different bucket layouts"
                )
            total = total.merged_with(later)
        return total

    @cached_property
    def validity(self) -> Validity:
        """Numbers of late, busy and unreliable intervals of all its series added up, with their extremes."""
        return Validity.added_over_time(part.validity for part in self.parts)

    @cached_property
    def at_best(self) -> "OperationRecord":
        """The operation with every unreliable slice counted as fast."""
        return replace(self, parts=tuple(part.at_best() for part in self.parts), _effects={})

    def with_late_limit(self, limit_ns: int) -> "OperationRecord":
        """Return the operation with its slices, if any, judged by another limit (ns) of lateness."""
        return replace(self, parts=tuple(part.with_late_limit(limit_ns) for part in self.parts), _effects={})

    @property
    def has_course(self) -> bool:
        """Whether every series of the operation has slices over time, so none is a statement."""
        return not any(part.is_statement for part in self.parts)

    @cached_property
    def intervals(self) -> IntervalRecords:
        """All series added up over time, with buckets; requires `has_course`. Raise LayoutsDiffer."""
        fine = merged([part.intervals for part in self.parts])
        return coarsened(fine, COARSE_SLICES) if self.is_coarse else fine

    @property
    def measured_ns(self) -> int:
        """Time in ns from the start of the run to the end of the series that ends first; 0 without series."""
        return min((part.measured_ns for part in self.parts), default=0)

    @property
    def generation(self) -> GeneratedLoad:
        """Numbers of intended and of recorded operations, and of missing intervals. Intended are those stated
        for uploaded series, else the sums over intervals; None unless every series has a number.
        """
        targets = [part.total.get("target_count") for part in self.parts if part.total is not None]
        uploaded = [part.series.target_count for part in self.parts]
        if any(target is not None for target in uploaded):
            targets = uploaded
        stated = [target for target in targets if target is not None]
        intended = sum(stated) if targets and len(stated) == len(targets) else None
        return GeneratedLoad(intended, self.dist.total or 0, self.missing_intervals)

    def effect_at(self, threshold_ns: int) -> DesignEffect:
        """Return the design effect (variance inflation by dependence) of all series at or over a threshold
        (ns); the default `DesignEffect()` without slices over time.
        """
        if not self.has_course:
            return DesignEffect()
        if threshold_ns not in self._effects:
            over = self._sum_over_series(part.over(threshold_ns) for part in self.parts)
            self._effects[threshold_ns] = design_effect(over, self._totals)
        return self._effects[threshold_ns]

    def cache_effects(self, thresholds_ns: Int64s) -> None:
        """Compute and cache the design effects at ascending thresholds (ns) in one pass."""
        new = np.array([at for at in thresholds_ns.tolist() if at not in self._effects], np.int64)
        if not self.has_course or not new.size:
            return
        over = self._sum_over_series(part.over_each(new) for part in self.parts)
        self._effects.update(zip(new.tolist(), design_effects(over, self._totals), strict=True))

    @cached_property
    def _totals(self) -> Int64s:
        """Operations of each slice, misses included, added up over all series to the end of the shortest."""
        return self._sum_over_series(part.operation_counts for part in self.parts)

    def _sum_over_series(self, counts: Iterable[Int64s]) -> Int64s:
        """Return the sum of counts by slice over all series, up to the end of the shortest. They are added
        one by one, because the counts of all at many thresholds may not fit into memory.
        """
        slice_count = min(part.slices.size for part in self.parts)
        return sum((of_series[..., :slice_count] for of_series in counts), np.zeros(1, np.int64))

    def full_hours(self, thresholds_ns: Sequence[int]) -> list[HourSlice]:
        """Return every hour that all series cover to its end, with the operations, failed ones included, at
        or over each threshold (ns). Empty if any series did not count exactly at one of the thresholds.
        """
        full = min((part.end_ns for part in self.parts), default=0) // NS_PER_HOUR
        is_exact = self.has_course and all(
            set(thresholds_ns) <= set(part.thresholds_ns) for part in self.parts
        )
        result: list[HourSlice] = []
        for hour in range(full if is_exact else 0):
            total, over = 0, np.zeros(len(thresholds_ns), dtype=np.int64)
            for part in self.parts:
                numbers, slices = part.hours
                columns = [part.thresholds_ns.index(at) for at in thresholds_ns]
                for row in (i for i, number in enumerate(numbers) if number == hour):
                    misses = int(slices.misses[row])
                    total += int(slices.count[row]) + misses
                    over += slices.pins[row, columns] + misses
            result.append(HourSlice(hour * NS_PER_HOUR, total, tuple(over.tolist())))
        return result

    @property
    def has_operations(self) -> bool:
        """Whether any series has an operation, or may have, as a printed summary without a count."""
        return any(
            part.dist.total != 0
            if part.is_statement
            else part.total is not None
            and any(part.total.numbers[name] for name in ("count", "errors", "timeouts", "unfinished"))
            for part in self.parts
        )

    def update_fingerprint(self, digest: "hashlib._Hash") -> None:
        """Add to `digest` the data of all series on which a verdict depends."""
        for part in self.parts:
            part.update_fingerprint(digest, self.missing_intervals)


@dataclass(frozen=True, slots=True)
class RunRecord:
    """The data of a run for verdicts, with the number of intervals in slices over all loaded series."""

    run: Run
    operations: tuple[OperationRecord, ...]
    interval_count: int

    @property
    def is_final(self) -> bool:
        """Whether the run is finished, and all its intervals without a gap are rolled up."""
        return self.run.state == FINISHED and all(
            part.series.contiguous_seq + 1 == (part.total.numbers["interval_count"] if part.total else 0)
            for operation in self.operations
            for part in operation.parts
        )

    def of(self, operation: str) -> OperationRecord | None:
        """Return the record of an operation, by the first of `CLOCKS` that measured it; None if none did."""
        records = [record for record in self.operations if record.operation == operation]
        return min(records, key=lambda record: CLOCKS.index(record.clock), default=None)


def load_record(
    session: Session,
    run: Run,
    *,
    coarse: bool = False,
    only: Collection[str] | None = None,
    device: str | None = None,
    transactions: Transactions | None = None,
) -> RunRecord:
    """Return the record of a run, of the operations `only` (None: all), or of one `device` alone. A `coarse`
    record is for quick answers: over time it has at most `COARSE_SLICES` slices; its counts and sums are
    exact. Buckets over time are read on demand: in `transactions` if given, else in the transaction of the
    session.
    """
    later = transactions or same_transaction(session)
    if only is not None and READ in only:
        # Budgets decide which operation is a read, so all candidates are loaded.
        only = {*only, *(READ_STAND_INS if run.source == UPLOAD else READ_NAMES)}
    pairs = [
        (series, through_seq)
        for series, through_seq in repository.measured_series(session, run.run_id)
        if (only is None or series.operation in only) and device in {None, series.device}
    ]
    pairs.sort(key=lambda pair: (pair[0].operation, pair[0].clock, pair[0].series_no))
    records: list[OperationRecord] = []
    interval_count = 0
    for (operation, clock), group in groupby(pairs, key=lambda pair: (pair[0].operation, pair[0].clock)):
        of_operation = list(group)
        of_all_devices = [pair for pair in of_operation if pair[0].device is None]
        if of_all_devices:
            interval_count += sum(
                through + 1 for series, through in of_operation if series.device is not None
            )
        parts, missing = [], 0
        for series, through_seq in of_all_devices or of_operation:
            check()
            part = _series_record(session, later, run, series, through_seq, coarse=coarse)
            parts.append(part)
            missing += _missing_count(run, series) + (series.missing_intervals or 0)
            interval_count += part.total.numbers["interval_count"] if part.total else 0
        records.append(OperationRecord(operation, clock, tuple(parts), missing, coarse))
    return RunRecord(run, tuple(records), interval_count)


def _series_record(
    session: Session, later: Transactions, run: Run, series: Series, through_seq: int, *, coarse: bool
) -> SeriesRecord:
    """Return the record of one series; its buckets are read later, in transactions of `later`."""
    if series.kind == STATEMENT:
        empty = empty_slices(0)
        duration_ns = int(run.measured_duration_ns or 0)
        return SeriesRecord(
            series, None, empty, ((), empty), lambda: IntervalRecords.empty(HdrLayout()), duration_ns
        )
    _, whole_run = repository.load_slice_columns(session, series, RUN)
    total = sums(whole_run, np.zeros(1, np.int64), layout_of(series))[0] if whole_run.size else None
    numbers, hours = repository.load_slice_columns(session, series, HOUR, with_histograms=False)
    slices, load = _slices_over_time(session, later, series, through_seq, total, coarse=coarse)
    return SeriesRecord(series, total, slices, (tuple(numbers), hours), load)


def _slices_over_time(
    session: Session,
    later: Transactions,
    series: Series,
    through_seq: int,
    total: Sum | None,
    *,
    coarse: bool,
) -> tuple[SliceColumns, Callable[[], IntervalRecords]]:
    """Return the slices of a series without buckets (intervals, minutes or hours), and a function that reads
    them with their buckets.
    """
    width = MINUTE
    if not coarse or through_seq < _COARSE_INTERVALS_MAX:
        slices = repository.intervals_between(session, series, -1, through_seq, with_histograms=False)
        if total is None or slices.size == total.numbers["interval_count"]:
            return slices, partial(load_intervals, later, series, slices, through_seq)
        # Retention has removed intervals: minutes are the finest slices left.
    elif total is not None and total.end_ns > _COARSE_MINUTES_UP_TO_NS:
        width = HOUR
    slice_nos, slices = repository.load_slice_columns(session, series, width, with_histograms=False)
    if total is not None and int(slices.interval_count.sum()) != total.numbers["interval_count"]:
        # Retention has removed minutes too; it never removes hours.
        width = HOUR
        slice_nos, slices = repository.load_slice_columns(session, series, width, with_histograms=False)
    return slices, partial(load_slices, later, series, slice_nos, slices, width)


def _missing_count(run: Run, series: Series) -> int:
    """Return how many intervals of a series have not arrived, by the run's finish message."""
    if run.state == RUNNING or run.finish is None:
        return 0
    last = int(run.finish["last_seq"].get(str(series.series_no), -1))
    return max(0, last + 1 - int(series.received))
