"""The lines of a result file as types, and the intervals of one histogram series, decoded in batches.

Keys are those of docs/contracts/wire.md. Unknown keys are ignored, so that a newer agent's file can be read.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Annotated, Any, Literal

import numpy as np
from msgspec import Meta, Struct, structs

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.histogram import decode_many
from tailroom.domain.latency.interval import OPTIONAL_COLUMNS, Interval
from tailroom.domain.latency.intervals import NUMBERS, IntervalRecords
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.verdicts.budget_kinds import Clock
from tailroom.importers.printed import MAX_COUNT
from tailroom.importers.problems import Problems
from tailroom.records.columns import Columns

_Time = Annotated[int, Meta(ge=0, lt=1 << 62)]
_Length = Annotated[int, Meta(gt=0, lt=1 << 62)]
_BATCH = 256
_NEVER_NS = 1 << 62


class Agent(Struct):
    """The agent that measured the run."""

    version: str


class AnnouncementLine(Struct):
    """Description of the run at its start: title, workload, facts about the machine, and plan of the load."""

    title: str
    workload: str
    started_at_unix_ns: _Time
    agent: Agent
    host: dict[str, Any]
    plan: dict[str, Any]
    run_id: str | None = None


class LayoutLine(Struct):
    """Buckets of a histogram series: those of an HdrHistogram with this unit and these significant digits."""

    t: Literal["hdr"]
    unit_ns: int
    significant_digits: int


class SeriesLine(Struct):
    """Definition of a series; `kind` is `tick` for the counts of the live display.

    At or over `pin_thresholds_ns` operations are counted exactly. Histograms need a `layout`.
    """

    series_no: int
    operation: Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,40}\Z")]
    clock: Clock
    kind: Literal["tick", "histogram"]
    pin_thresholds_ns: Annotated[list[_Length], Meta(max_length=16)]
    phase: str = "main"
    device: str | None = None
    layout: LayoutLine | None = None


class FinishLine(Struct):
    """How the run ended; `last_seq`: last sequence number by number of the series, −1 without intervals."""

    outcome: Literal["completed", "stopped", "failed", "interrupted"]
    duration_ns: _Time
    last_seq: dict[int, Annotated[int, Meta(ge=-1, lt=MAX_COUNT)]]
    reason: str | None = None


class ResultLine(Struct):
    """A line of the file. The agent sets one of its fields; no field and several fields can be read too."""

    announce: AnnouncementLine | None = None
    series: list[SeriesLine] | None = None
    intervals: list[Interval] | None = None
    finish: FinishLine | None = None


@dataclass(slots=True)
class SeriesIntervals:
    """Intervals of one histogram series; histograms are decoded in batches, to save memory.

    `missing` is the number of intervals that were lost or left out. `total` is the number of operations
    (answered, failed or unfinished) of the added intervals, also of those that cannot be decoded later.
    """

    definition: SeriesLine
    layout: HdrLayout
    next_seq: int = 0
    missing: int = 0
    total: int = 0
    rows: list[Interval] = field(default_factory=list)
    """Decoded intervals, without their histograms."""
    _waiting: list[tuple[int, Interval]] = field(default_factory=list)
    """Line number and interval of histograms that are not decoded yet, fewer than 256."""
    _columns: list[tuple[Int64s, Int64s, Int64s]] = field(default_factory=list)
    """For each batch: number of filled buckets of each interval, their indices, and their counts."""

    def add(self, line_no: int, interval: Interval, problems: Problems) -> None:
        """Add an interval; report and count missing intervals before it.

        An interval that breaks a rule is reported, counted as missing and left out. A repeated interval is
        only reported.
        """
        if interval.seq < self.next_seq:
            problems.add(
                "seq", f"{_name(interval)} comes after interval {self.next_seq - 1}; it is left out", line_no
            )
            return
        if interval.seq > self.next_seq:
            gap = interval.seq - self.next_seq
            lost = f"intervals {self.next_seq} to {interval.seq - 1} ({gap})"
            problems.error("gap", f"series {interval.series}: {lost} are missing", line_no)
            self.missing += gap
        self.next_seq = interval.seq + 1
        rule = self._broken_rule(interval)
        if rule is not None:
            self.missing += 1
            problems.error("interval", f"{_name(interval)}: {rule}; it is left out", line_no)
            return
        self.total += _operations(interval)
        self._waiting.append((line_no, interval))
        if len(self._waiting) >= _BATCH:
            self.flush(problems)

    def _broken_rule(self, interval: Interval) -> str | None:
        """Return as text the rule of docs/contracts/wire.md that an interval breaks; None if none."""
        last = self._waiting[-1][1] if self._waiting else self.rows[-1] if self.rows else None
        if last is not None and interval.start_ns < last.start_ns:
            return "it starts before the interval before it"
        if self.total + _operations(interval) >= MAX_COUNT:
            return "the operations add up to 2**53 or more"
        times_ns = interval.start_ns, interval.duration_ns, interval.sum_ns, interval.max_ns or 0
        if max(*times_ns, interval.lateness_p99_ns or 0) >= _NEVER_NS:
            return "a time of it is 2**62 ns or more"
        return _broken_number_rule(interval, len(self.definition.pin_thresholds_ns))

    def flush(self, problems: Problems) -> None:
        """Decode the waiting histograms; report unreadable or contradictory intervals, counted as missing."""
        if self._store([interval for _, interval in self._waiting]) is not None:
            # One of them is damaged: each is decoded by itself.
            for line_no, interval in self._waiting:
                if (reason := self._store([interval])) is not None:
                    self.missing += 1
                    problems.error("histogram", f"{_name(interval)}: {reason}; it is left out", line_no)
        self._waiting.clear()

    def _store(self, intervals: Sequence[Interval]) -> str | None:
        """Store intervals; if a histogram is unreadable or contradicts its count, store none.

        Return the reason then, which is in the words for a single interval.
        """
        counts = np.array([interval.count for interval in intervals], np.int64)
        filled = counts > 0
        try:
            payloads = [interval.histogram or b"" for interval in intervals if interval.count]
            batch = decode_many(payloads, self.layout)
        except DomainError as error:
            return str(error).replace("histogram 0 of the batch", "the histogram")
        totals = batch.totals()
        if not np.array_equal(totals, counts[filled]):
            return f"the histogram holds {totals[0]} values, the count is {counts[0]}"
        lengths = np.zeros(counts.size, np.int64)
        lengths[filled] = batch.each
        self._columns.append((lengths, batch.indices, batch.counts))
        self.rows += [structs.replace(interval, histogram=None) for interval in intervals]
        return None

    @property
    def target_count(self) -> int | None:
        """Scheduled operations of all stored intervals; None without any, or if any does not state it."""
        targets = [interval.target_count for interval in self.rows if interval.target_count is not None]
        return sum(targets) if targets and len(targets) == len(self.rows) else None

    def intervals(self) -> IntervalRecords:
        """Return the stored intervals as columns. Raise ValueError if there are none."""
        lengths, indices, counts = (np.concatenate(column) for column in zip(*self._columns, strict=True))
        columns, thresholds = Columns.of(self.rows), tuple(self.definition.pin_thresholds_ns)
        return IntervalRecords(
            layout=self.layout,
            offsets=np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths))),
            indices=indices,
            counts=counts,
            thresholds_ns=thresholds,
            pins=np.array(columns.pins, np.int64).reshape(len(columns), len(thresholds)),
            optional_columns={column.name: columns.numbers[column.name] for column in OPTIONAL_COLUMNS},
            **{name: columns.numbers[name] for name in NUMBERS},
        )


def _name(interval: Interval) -> str:
    return f"series {interval.series}, interval {interval.seq}"


def _operations(interval: Interval) -> int:
    """Return the number of operations of an interval, answered, failed and unfinished."""
    return interval.count + interval.errors + interval.timeouts + interval.unfinished


def _broken_number_rule(interval: Interval, thresholds: int) -> str | None:
    """Return the rule that the numbers of an interval with `thresholds` pins break, as text; else None."""
    if len(interval.pins) != thresholds:
        return f"{len(interval.pins)} pins for {thresholds} thresholds"
    if any(pin > before for before, pin in pairwise((interval.count, *interval.pins))):
        return "its pins rise, or exceed its count"
    if _has_contradictory_times(interval):
        return "its sum, smallest and largest latency do not go with its count"
    return "operations without a histogram" if interval.count > 0 and interval.histogram is None else None


def _has_contradictory_times(interval: Interval) -> bool:
    """Return whether sum, smallest and largest latency contradict the count or each other."""
    if interval.min_ns is None or interval.max_ns is None:
        return interval.count > 0 or interval.sum_ns != 0 or interval.min_ns != interval.max_ns
    return (
        interval.count == 0
        or not interval.min_ns * interval.count <= interval.sum_ns <= interval.max_ns * interval.count
    )
