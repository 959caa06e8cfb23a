"""Stored record of a run for each operation and clock: one distribution, and its counts over time.

Histogram series of one operation on one clock (several devices, hosts or phases) are added up if their
layouts are equal; only thresholds that all of them counted stay exact. A series without a device covers all
devices: then those of single devices are parts of it and not added again. A series may also be a statement
about the whole run, without slices over time.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import groupby

import numpy as np
from sqlalchemy.orm import Session

from tailroom.domain.confidence.effective_samples import DesignEffect, design_effect, design_effects
from tailroom.domain.latency.at_best import at_best
from tailroom.domain.latency.distribution import LatencyDist, Misses
from tailroom.domain.latency.document import distribution_of as distribution_from
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.interval import UNKNOWN
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import BucketLayout, LayoutsDiffer
from tailroom.domain.latency.merged_record import MergedRecord
from tailroom.domain.latency.record import LatencyRecord
from tailroom.domain.latency.unweighted import unweighted
from tailroom.domain.units import NS_PER_HOUR
from tailroom.domain.verdicts.budget import CLOCKS
from tailroom.domain.verdicts.evidence import HourSlice
from tailroom.domain.verdicts.generator import GeneratedLoad
from tailroom.domain.verdicts.other_tools import READ, READ_NAMES, READ_STAND_INS
from tailroom.domain.verdicts.validity import Validity, late_limit_ns, ratio_of_ppm
from tailroom.kit.deadlines import check
from tailroom.kit.transactions import Transactions, same_transaction
from tailroom.records import repository
from tailroom.records.at_best import hours_at_best, slices_at_best, total_at_best
from tailroom.records.courses import coarser, load_intervals, load_slices, together
from tailroom.records.quick_counts import QuickCounts
from tailroom.records.rollup import layout_of
from tailroom.records.slice_columns import Int64s, SliceColumns, Sum, empty_slices, sums, with_late_limit
from tailroom.storage.run import FINISHED, RUNNING, UPLOAD, Run
from tailroom.storage.series import STATEMENT, Series
from tailroom.storage.slices import HOUR, MINUTE, RUN

COARSE_SLICES = 12
"""Most slices over time of a coarse record, which answers quick questions about runs that go on."""
_MOST_INTERVALS_COARSE = 10 * COARSE_SLICES
_MINUTES_COARSE_UP_TO_NS = 10 * NS_PER_HOUR
_OF_THE_GENERATOR = {
    *("lateness_p99_ns", "busy_ppm"),
    *("late_intervals", "busy_intervals", "doubtful_intervals"),
}
_FROM_THE_START = {
    *("start_ns", "duration_ns", "interval_count", "count", "errors", "timeouts", "unfinished"),
    *("sum_ns", "min_ns", "max_ns", "target_count", "lateness_max_ns"),
}


@dataclass(frozen=True, eq=False)
class SeriesRecord:
    """One series: its total, and the numbers and exact counters of its slices.

    Slices are intervals, or minutes once retention has removed intervals. `hours`: numbers of the hours since
    the start, and their slices. `load` reads the many buckets of the slices on demand.
    """

    series: Series
    total: Sum | None
    slices: SliceColumns
    hours: tuple[tuple[int, ...], SliceColumns]
    load: Callable[[], IntervalRecords]
    lasted_ns: int = 0
    """Length of the run, for series without intervals."""
    question_limit_ns: int | None = None
    """Lateness that a question tolerates; None: a tenth of the smallest threshold of the series."""

    @property
    def is_statement(self) -> bool:
        """Whether it is a statement about the whole run, without slices over time."""
        return self.series.kind == STATEMENT

    @property
    def measured_ns(self) -> int:
        """Time from the start of the run to the end of the last slice."""
        return self.lasted_ns if self.is_statement else _end_ns(self.total)

    @property
    def layout(self) -> BucketLayout:
        """Bucket layout of the series."""
        return layout_of(self.series)

    @cached_property
    def dist(self) -> LatencyRecord:
        """Distribution of all operations; empty before anything was rolled up."""
        if self.is_statement:
            return distribution_from(self.series.statement).record
        if self.total is None:
            empty = np.empty(0, np.int64)
            return LatencyDist(self.layout, Counts(empty, empty))
        return distribution_of(self.total, self.layout, self.series.pin_thresholds_ns)

    def over(self, threshold_ns: int) -> Int64s:
        """Return the operations of each slice at or over a threshold, misses included: exactly for a pinned
        threshold, else the most that its buckets allow.
        """
        if threshold_ns in self.series.pin_thresholds_ns:
            column = list(self.series.pin_thresholds_ns).index(threshold_ns)
            return self.slices.pins[:, column] + self.slices.misses
        return self._counts.over(threshold_ns)

    def over_each(self, thresholds_ns: Int64s) -> Int64s:
        """Return as `over` the counts for many ascending thresholds, an array of thresholds by slices, in one
        pass over the buckets.
        """
        most = self.intervals.most_over(thresholds_ns)
        for row, at_ns in enumerate(thresholds_ns.tolist()):
            if at_ns in self.series.pin_thresholds_ns:
                most[row] = self.over(at_ns)
        return most

    @cached_property
    def _counts(self) -> QuickCounts:
        return QuickCounts(self.intervals)

    @cached_property
    def intervals(self) -> IntervalRecords:
        """The slices with their buckets."""
        return self.load()

    @property
    def validity(self) -> Validity:
        """How many of its intervals are unreliable."""
        if self.total is None:
            return Validity()
        numbers = self.total.numbers
        late, doubtful = numbers["late_intervals"], numbers["doubtful_intervals"]
        limit_ns = late_limit_ns(self.series.pin_thresholds_ns)
        if self.question_limit_ns is not None:
            late, doubtful = int(self.slices.late_intervals.sum()), int(self.slices.doubtful_intervals.sum())
            limit_ns = self.question_limit_ns
        return Validity(
            numbers["interval_count"],
            late,
            numbers["busy_intervals"],
            doubtful,
            self.total.known("lateness_p99_ns"),
            ratio_of_ppm(numbers["busy_ppm"]),
            limit_ns,
        )

    def with_late_limit(self, limit_ns: int) -> "SeriesRecord":
        """Return the same series with another limit (ns) for the lateness of its slices."""
        if self.total is None or self.is_statement:
            return self
        intervals = self.load if "intervals" not in self.__dict__ else lambda: self.intervals
        slices = with_late_limit(self.slices, limit_ns)
        return replace(self, slices=slices, load=intervals, question_limit_ns=limit_ns)

    def at_best(self) -> "SeriesRecord":
        """Return the series with every unreliable slice counted as fast; itself if there is none."""
        if self.total is None or not self.validity.doubtful:
            return self
        best = at_best(self.intervals, self.slices.doubtful_intervals > 0)
        numbers, hours = self.hours
        return replace(
            self,
            total=total_at_best(self.total, best, self.series.pin_thresholds_ns),
            slices=slices_at_best(self.slices),
            hours=(numbers, hours_at_best(numbers, hours, self.slices)),
            load=lambda: best,
        )


@dataclass(frozen=True, eq=False)
class OperationRecord:
    """One operation on one clock; `parts` are its series.

    `is_coarse`: over time it has at most `COARSE_SLICES` slices.
    """

    operation: str
    clock: str
    parts: tuple[SeriesRecord, ...]
    missing_intervals: int = 0
    is_coarse: bool = False
    _effects: dict[int, DesignEffect] = field(default_factory=dict)

    @cached_property
    def dist(self) -> LatencyRecord:
        """All its series added up, or what holds of each where one has no count. Raises LayoutsDiffer where
        their buckets differ.
        """
        check()
        parts = [part.dist for part in self.parts]
        if len(parts) == 1:
            return parts[0]
        if any(part.total is None for part in parts):
            return unweighted(parts)
        merged = parts[0]
        for later in parts[1:]:
            if not isinstance(merged, LatencyDist) or not isinstance(later, LatencyDist):
                return MergedRecord.of(parts)
            if later.layout != merged.layout:
                raise LayoutsDiffer(
                    f"the series of {self.operation} ({self.clock}) have different bucket layouts"
                )
            merged = merged.merged_with(later)
        return merged

    @cached_property
    def validity(self) -> Validity:
        """How many intervals of its series are unreliable."""
        return Validity.together(part.validity for part in self.parts)

    @cached_property
    def at_best(self) -> "OperationRecord":
        """The operation with every unreliable slice counted as fast."""
        return replace(self, parts=tuple(part.at_best() for part in self.parts), _effects={})

    def with_late_limit(self, limit_ns: int) -> "OperationRecord":
        """Return the same operation with another limit (ns) for the lateness of its slices."""
        return replace(self, parts=tuple(part.with_late_limit(limit_ns) for part in self.parts), _effects={})

    @property
    def has_course(self) -> bool:
        """Whether every series of the operation has slices over time."""
        return not any(part.is_statement for part in self.parts)

    @cached_property
    def intervals(self) -> IntervalRecords:
        """All its series over time; only where it has a course. Raises LayoutsDiffer where buckets differ."""
        fine = together([part.intervals for part in self.parts])
        return coarser(fine, COARSE_SLICES) if self.is_coarse else fine

    @property
    def measured_ns(self) -> int:
        """Time from the start of the run to the end of the last interval that every series has."""
        return min((part.measured_ns for part in self.parts), default=0)

    @property
    def generation(self) -> GeneratedLoad:
        """Whether the intended load was applied."""
        totals = [part.total for part in self.parts if part.total is not None]
        targets = [total.known("target_count") for total in totals]
        uploaded = [part.series.target_count for part in self.parts]
        if any(value is not None for value in uploaded):
            targets = uploaded
        intended = (
            None
            if not targets or None in targets
            else sum(target for target in targets if target is not None)
        )
        return GeneratedLoad(intended, self.dist.total or 0, self.missing_intervals)

    def effect_at(self, threshold_ns: int) -> DesignEffect:
        """Return the design effect of operations at or over a threshold, of all series together."""
        if not self.has_course:
            return DesignEffect()
        if threshold_ns not in self._effects:
            length = min(part.slices.size for part in self.parts)
            over = sum((part.over(threshold_ns)[:length] for part in self.parts), np.zeros(length, np.int64))
            self._effects[threshold_ns] = design_effect(over, self._totals)
        return self._effects[threshold_ns]

    def cache_effects(self, thresholds_ns: Int64s) -> None:
        """Compute the design effects at many ascending thresholds in one pass, and cache them."""
        new = np.array([at for at in thresholds_ns.tolist() if at not in self._effects], np.int64)
        if not self.has_course or not new.size:
            return
        length = min(part.slices.size for part in self.parts)
        over = sum(
            (part.over_each(new)[:, :length] for part in self.parts), np.zeros((new.size, length), np.int64)
        )
        for at_ns, effect in zip(new.tolist(), design_effects(over, self._totals), strict=True):
            self._effects[at_ns] = effect

    @cached_property
    def _totals(self) -> Int64s:
        """Operations of each slice, misses included, over all series, as far as all of them go."""
        length = min(part.slices.size for part in self.parts)
        return sum(
            ((part.slices.count + part.slices.misses)[:length] for part in self.parts),
            np.zeros(length, np.int64),
        )

    def full_hours(self, thresholds_ns: Sequence[int]) -> list[HourSlice]:
        """Return every full hour that all series have, with exact counts at the thresholds; empty if any of
        these was not counted.
        """
        full = min((_end_ns(part.total) for part in self.parts), default=0) // NS_PER_HOUR
        is_known = self.has_course and all(
            set(thresholds_ns) <= set(part.series.pin_thresholds_ns) for part in self.parts
        )
        result: list[HourSlice] = []
        for hour in range(full if is_known else 0):
            total, over = 0, np.zeros(len(thresholds_ns), dtype=np.int64)
            for part in self.parts:
                numbers, slices = part.hours
                for row in (i for i, number in enumerate(numbers) if number == hour):
                    misses = int(slices.misses[row])
                    columns = [list(part.series.pin_thresholds_ns).index(at) for at in thresholds_ns]
                    total += int(slices.count[row]) + misses
                    over += slices.pins[row, columns] + misses
            result.append(HourSlice(hour * NS_PER_HOUR, total, tuple(over.tolist())))
        return result

    @property
    def has_operations(self) -> bool:
        """Whether any series has, or may have, an operation."""
        return any(
            part.dist.total != 0
            if part.is_statement
            else part.total is not None
            and any(part.total.numbers[name] for name in ("count", "errors", "timeouts", "unfinished"))
            for part in self.parts
        )

    def update_fingerprint(self, digest: "hashlib._Hash") -> None:
        """Add the data on which a verdict depends: slices by their numbers, the total by its buckets too."""
        for part in self.parts:
            series = part.series
            digest.update(repr((series.series_no, series.operation, series.clock, series.phase)).encode())
            digest.update(
                repr((series.layout, list(series.pin_thresholds_ns), self.missing_intervals)).encode()
            )
            if part.is_statement:
                digest.update(json.dumps(series.statement, sort_keys=True).encode())
            slices = part.slices
            for column in (
                *(slices.start_ns, slices.duration_ns, slices.count, slices.misses, slices.pins),
                *(slices.sum_ns, slices.min_ns, slices.max_ns),
            ):
                digest.update(np.ascontiguousarray(column, dtype="<i8").tobytes())
            if part.total is not None:
                digest.update(repr(_fingerprint_numbers(part.total)).encode())
                if part.validity.is_known:
                    digest.update(np.ascontiguousarray(slices.doubtful_intervals, dtype="<i8").tobytes())
                digest.update(part.total.counts.indices.astype("<i8").tobytes())
                digest.update(part.total.counts.counts.astype("<i8").tobytes())


@dataclass(frozen=True, slots=True)
class RunRecord:
    """The data of a run for verdicts, as far as it is rolled up; `interval_count`: intervals that this
    comprises.
    """

    run: Run
    operations: tuple[OperationRecord, ...]
    interval_count: int

    @property
    def is_final(self) -> bool:
        """Whether the run is finished, and everything that it holds is rolled up."""
        return self.run.state == FINISHED and all(
            part.series.contiguous_seq + 1 == (part.total.numbers["interval_count"] if part.total else 0)
            for operation in self.operations
            for part in operation.parts
        )

    def of(self, operation: str) -> OperationRecord | None:
        """Return the record of an operation on the clock that a verdict prefers; None if it was not
        measured.
        """
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
    """Return the record of a run from its slices and intervals.

    `only`: operations, None for all. `device`: the only device, None for all together. A `coarse` record is
    for quick answers: over time it has at most `COARSE_SLICES` slices, read from minutes or hours unless the
    run is short. Counts and sums are as exact as those of a fine record. Buckets over time are read on
    demand: in `transactions` if given, else in the transaction of the session.
    """
    later = transactions or same_transaction(session)
    series = repository.measured_series(session, run.run_id)
    if only is not None and READ in only:
        # Which operation is a read is decided where budgets are; it has to be there for that.
        only = {*only, *(READ_STAND_INS if run.source == UPLOAD else READ_NAMES)}
    series = [
        pair
        for pair in series
        if (only is None or pair[0].operation in only) and device in {None, pair[0].device}
    ]
    order = sorted(series, key=lambda pair: (pair[0].operation, pair[0].clock, pair[0].series_no))
    records: list[OperationRecord] = []
    interval_count = 0
    for (operation, clock), group in groupby(order, key=lambda pair: (pair[0].operation, pair[0].clock)):
        parts, missing = [], 0
        together = list(group)
        wholes = [pair for pair in together if pair[0].device is None]
        interval_count += sum(
            through + 1 for recorded, through in together if wholes and recorded.device is not None
        )
        for recorded, through_seq in wholes or together:
            check()
            part = _series_record(session, later, run, recorded, through_seq, coarse=coarse)
            parts.append(part)
            missing += _missing(run, recorded) + (recorded.missing_intervals or 0)
            interval_count += part.total.numbers["interval_count"] if part.total else 0
        records.append(OperationRecord(operation, clock, tuple(parts), missing, coarse))
    return RunRecord(run, tuple(records), interval_count)


def distribution_of(total: Sum, layout: BucketLayout, thresholds_ns: Sequence[int]) -> LatencyDist:
    """Return the distribution of a sum of slices."""
    numbers = total.numbers
    return LatencyDist(
        layout,
        total.counts,
        pins=dict(zip(thresholds_ns, total.pins.tolist(), strict=True)),
        misses=Misses(numbers["errors"], numbers["timeouts"], numbers["unfinished"]),
        sum_ns=total.known("sum_ns"),
        min_ns=total.known("min_ns"),
        max_ns=total.known("max_ns"),
    )


def _series_record(
    session: Session, later: Transactions, run: Run, series: Series, through_seq: int, *, coarse: bool
) -> SeriesRecord:
    """Return the record of one series; its buckets over time are read in transactions of `later`."""
    if series.kind == STATEMENT:
        nothing = empty_slices(0)
        return SeriesRecord(
            series, None, nothing, ((), nothing), _no_pieces, int(run.measured_duration_ns or 0)
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
    """Return the slices of a series without buckets, and a function that reads them with their buckets."""
    width = MINUTE
    if not coarse or through_seq < _MOST_INTERVALS_COARSE:
        slices = repository.intervals_between(session, series, -1, through_seq, with_histograms=False)
        if total is None or slices.size == total.numbers["interval_count"]:
            return slices, partial(load_intervals, later, series, slices, through_seq)
        # Retention has removed intervals: minutes are what is left of the course over time.
    elif _end_ns(total) > _MINUTES_COARSE_UP_TO_NS:
        width = HOUR
    slice_nos, slices = repository.load_slice_columns(session, series, width, with_histograms=False)
    if total is not None and int(slices.interval_count.sum()) != total.numbers["interval_count"]:
        # Minutes go as well, and hours stay.
        width = HOUR
        slice_nos, slices = repository.load_slice_columns(session, series, width, with_histograms=False)
    return slices, partial(load_slices, later, series, slice_nos, slices, width)


def _fingerprint_numbers(total: Sum) -> list[tuple[str, int]]:
    """Return names and values of a total for its fingerprint. Columns declared later are included only if
    known, so that earlier records keep theirs; those of the generator all, if one of them is known.
    """
    of_generator = total.known("lateness_p99_ns") is not None or total.known("busy_ppm") is not None
    return sorted(
        (name, value)
        for name, value in total.numbers.items()
        if name in _FROM_THE_START
        or (of_generator if name in _OF_THE_GENERATOR else total.known(name) is not None)
    )


def _no_pieces() -> IntervalRecords:
    return IntervalRecords.empty(HdrLayout())


def _missing(run: Run, series: Series) -> int:
    """Return how many intervals of the finish message have not arrived; 0 before it."""
    if run.state == RUNNING or run.finish is None:
        return 0
    last = int(run.finish["last_seq"].get(str(series.series_no), -1))
    return max(0, last + 1 - int(series.received))


def _end_ns(total: Sum | None) -> int:
    """Return the end of the last slice since the start of the run; 0 before anything was rolled up."""
    if total is None or UNKNOWN in (total.numbers["start_ns"], total.numbers["duration_ns"]):
        return 0
    return total.numbers["start_ns"] + total.numbers["duration_ns"]
