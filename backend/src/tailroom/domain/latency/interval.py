"""The columns of an interval, declared once: name, range, whether it may be unknown, how it is summed.

`Interval` is the record of an agent's message and of its result file (docs/contracts/wire.md); the columns of
the tables, of inserts and reads, of slices in memory and in the database follow from its annotations, in
their order. All numbers are 64-bit integers. `UNKNOWN` (−1) marks an unknown number in a column; a column
that may be negative declares another marker.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Annotated, get_args, get_type_hints

import numpy as np
from msgspec import NODEFAULT, Meta, Struct
from msgspec.structs import fields

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.layouts import BucketsInvalid

UNKNOWN = -1
"""Marker of an unknown number in a column."""

INT64_MAX = 2**63 - 1
NUMBER_MAX = 2**62 - 1
"""Largest number of an interval, so that the end of a slice, and one more, also fit 64 bits."""
SERIES_NO_MAX = 65_535
PINS_MAX = 16
"""Most thresholds with exact counters."""

SeriesNo = Annotated[int, Meta(ge=0, le=SERIES_NO_MAX)]
Count = Annotated[int, Meta(ge=0, le=NUMBER_MAX)]
Positive = Annotated[int, Meta(ge=1, le=NUMBER_MAX)]
Millicelsius = Annotated[int, Meta(ge=-100_000, le=200_000)]


class RollupRule(Enum):
    """How values of consecutive intervals combine into the value of a slice."""

    FIRST = auto()
    """The smallest value, for starts."""
    SPAN = auto()
    """The time from the first start to the last end."""
    SUM = auto()
    """The sum of values that are always known."""
    SUM_IF_KNOWN = auto()
    """The sum; unknown if it is unknown in any interval."""
    SUM_OF_FILLED = auto()
    """The sum over intervals with latencies; unknown if it is unknown in any of them."""
    MIN_OF_FILLED = auto()
    MAX_OF_FILLED = auto()
    """The smallest, or largest, over intervals with latencies; unknown as in `SUM_OF_FILLED`."""
    LARGEST = auto()
    """The largest known number."""
    BUSIEST = auto()
    """The largest share of its interval that a time takes. Slices store it as `busy_ppm`, in millionths."""


@dataclass(frozen=True, slots=True)
class ColumnStorage:
    """Annotation of a field: how it rolls up, and where it is stored besides the row of its interval."""

    rolls: RollupRule
    in_slices: bool = True
    """Whether slices have this column; if not, it is lost when the intervals are removed."""
    in_files: bool = True
    """Whether the column is stored for intervals of uploaded files, if their tool states it."""
    always_sent: bool = False
    """Whether live messages (ticks) hold null if the value is unknown; other unknown values are left out."""
    may_lack: bool = False
    """Whether the value may be unknown in intervals of uploaded files, although agents always send it."""
    unknown: int = UNKNOWN
    """Marker of an unknown number in the column."""
    adds_at_once: bool = False
    """Whether values of simultaneous series are summed, although over time the largest counts."""


class Interval(Struct, frozen=True, gc=False):
    """The record of a time interval of a series. Times count from the start of the run."""

    series: SeriesNo
    seq: Count
    start_ns: Annotated[Count, ColumnStorage(RollupRule.FIRST)]
    duration_ns: Annotated[Positive, ColumnStorage(RollupRule.SPAN)]
    count: Annotated[Count, ColumnStorage(RollupRule.SUM)]
    """Operations with a latency; errors, time-outs and unfinished operations are not among them."""
    errors: Annotated[Count, ColumnStorage(RollupRule.SUM)]
    timeouts: Annotated[Count, ColumnStorage(RollupRule.SUM)]
    unfinished: Annotated[Count, ColumnStorage(RollupRule.SUM)]
    sum_ns: Annotated[Count, ColumnStorage(RollupRule.SUM_OF_FILLED, may_lack=True)]
    lateness_max_ns: Annotated[Count, ColumnStorage(RollupRule.LARGEST, in_files=False)]
    """Largest time from the intended start of an operation to its dispatch."""
    pins: Annotated[list[Count], Meta(max_length=PINS_MAX)]
    """Number of latencies at or over each threshold of the series, in their order."""
    min_ns: Annotated[Count | None, ColumnStorage(RollupRule.MIN_OF_FILLED, always_sent=True)] = None
    max_ns: Annotated[Count | None, ColumnStorage(RollupRule.MAX_OF_FILLED, always_sent=True)] = None
    target_count: Annotated[
        Count | None, ColumnStorage(RollupRule.SUM_IF_KNOWN, in_files=False, always_sent=True)
    ] = None
    """Operations that the schedule intended; for uploaded files the series states it."""
    histogram: bytes | None = None
    """Counts by bucket of the series' layout as a V2 payload; None in live messages or without operations."""
    lateness_p99_ns: Annotated[Count | None, ColumnStorage(RollupRule.LARGEST)] = None
    """99th percentile of the lateness that the generator itself caused."""
    busy_ns: Annotated[Count | None, ColumnStorage(RollupRule.BUSIEST)] = None
    """Processor time of the busiest measuring thread."""
    in_flight: Annotated[
        Count | None, ColumnStorage(RollupRule.LARGEST, in_slices=False, in_files=False, adds_at_once=True)
    ] = None
    """Operations under way at the end of the interval."""
    oldest_in_flight_ns: Annotated[
        Count | None, ColumnStorage(RollupRule.LARGEST, in_slices=False, in_files=False)
    ] = None
    """Age in ns of the oldest of the operations under way, since its intended start; 0 without any."""
    temperature_millicelsius: Annotated[
        Millicelsius | None,
        ColumnStorage(RollupRule.LARGEST, in_slices=False, in_files=False, unknown=-1_000_000),
    ] = None
    """Temperature of the hottest measured device at the end of the interval; above −273,150 m°C."""


@dataclass(frozen=True, slots=True)
class Column:
    """A numeric column in the tables of intervals, or of slices."""

    name: str
    storage: ColumnStorage
    optional: bool = False
    """Whether an agent may leave the column out."""

    @property
    def nullable(self) -> bool:
        """Whether the database may hold null."""
        return self.optional or self.storage.may_lack

    def at_once(self, parts: Sequence[tuple[int, int | None]]) -> int | None:
        """Return the value of series that run at the same time, from `parts`: the number of operations and
        the value (None: unknown) of each. Counts are added, of other values the smallest or largest is taken.
        None if no value is known, and for sums and extremes also if any is unknown; for `…_OF_FILLED` rules
        only series with operations count.
        """
        rolls = RollupRule.SUM_IF_KNOWN if self.storage.adds_at_once else self.storage.rolls
        if rolls in {RollupRule.SUM_OF_FILLED, RollupRule.MIN_OF_FILLED, RollupRule.MAX_OF_FILLED}:
            parts = [part for part in parts if part[0]]
        values = [value for _, value in parts if value is not None]
        match rolls:
            case RollupRule.FIRST:
                return min(values)
            case RollupRule.LARGEST | RollupRule.BUSIEST | RollupRule.SPAN:
                return max(values, default=None)
        if len(values) < len(parts):
            return None
        match rolls:
            case RollupRule.MIN_OF_FILLED:
                return min(values, default=None)
            case RollupRule.MAX_OF_FILLED:
                return max(values, default=None)
        return sum(values)


def _declared_columns() -> tuple[Column, ...]:
    """Return the columns that `Interval` declares, in order. Raise TypeError if a SUM may be unknown."""
    hints = get_type_hints(Interval, include_extras=True)
    columns = []
    for declared in fields(Interval):
        annotations = [part for part in get_args(hints[declared.name])[1:] if isinstance(part, ColumnStorage)]
        if not annotations:
            continue
        if annotations[0].rolls is RollupRule.SUM and declared.default is not NODEFAULT:
            raise TypeError(f"{declared.name} may be unknown: it is added up by SUM_IF_KNOWN")
        columns.append(Column(declared.name, annotations[0], declared.default is not NODEFAULT))
    return tuple(columns)


COLUMNS = _declared_columns()
"""Every number of an interval besides its key (series and sequence number), in the order of `Interval`."""

UNKNOWN_OF: dict[str, int] = {column.name: column.storage.unknown for column in COLUMNS}
"""Marker of an unknown number, by column."""

OPTIONAL_COLUMNS = tuple(
    column
    for column in COLUMNS
    if column.optional and column.storage.in_files and not column.storage.always_sent
)
"""Columns that an interval may have besides its latencies and misses: lateness and busy time."""

RELIABILITY_COLUMNS = ("busy_ppm", "late_intervals", "busy_intervals", "doubtful_intervals")
"""Columns of slices that are computed from their intervals (`domain.verdicts.validity`).

The largest share of an interval that the busiest measuring thread used, in millionths, and how many intervals
were late, busy, or either.
"""

_LARGEST, _SUM = ColumnStorage(RollupRule.LARGEST), ColumnStorage(RollupRule.SUM)
SLICE_COLUMNS = (
    *(
        column
        for column in COLUMNS
        if column.storage.in_slices and column.storage.rolls is not RollupRule.BUSIEST
    ),
    Column("interval_count", _SUM),
    Column(RELIABILITY_COLUMNS[0], _LARGEST, optional=True),
    *(Column(name, _SUM) for name in RELIABILITY_COLUMNS[1:]),
)
"""Every number of a slice besides its key."""


_EXACT_DOUBLE = 1 << 53
_EXACT_SUM = 1 << 62


class ColumnsInvalid(DomainError):
    """Columns of unequal sizes, or invalid times and counts."""


def check_columns(columns: Mapping[str, Int64s], pins: Int64s, thresholds: int) -> None:
    """Raise `ColumnsInvalid` for columns of unequal lengths, negative times or counts, latencies that add up
    to 2**62 ns or more, and unless `pins` has a row for each slice and a column for each of the `thresholds`
    (their number). Columns that may be unknown (sums, extremes, optional columns) may be negative.
    """
    size = columns["start_ns"].size
    for name, column in columns.items():
        if column.shape != (size,):
            raise ColumnsInvalid(f"{name} has not one value for each of {size} intervals")
    if pins.shape != (size, thresholds):
        raise ColumnsInvalid(
            f"pins is {pins.shape}, and there are {size} intervals with {thresholds} thresholds"
        )
    for name in ("start_ns", "duration_ns", "errors", "timeouts", "unfinished", "pins"):
        column = pins if name == "pins" else columns[name]
        if column.size and int(column.min()) < 0:
            raise ColumnsInvalid(f"{name} holds {int(column.min())}, which is negative")
    if float(columns["sum_ns"].sum(dtype=np.float64)) >= _EXACT_SUM:
        raise ColumnsInvalid("the latencies of the intervals add up to more than 2**62 ns")


def check_buckets(offsets: Int64s, indices: Int64s, counts: Int64s, size: int) -> None:
    """Raise ColumnsInvalid unless `offsets` divide the buckets into `size` slices and each bucket has a
    count. Raise BucketsInvalid unless indices ascend from 0 in each slice, and counts are at least 1 and add
    up to less than 2**53.
    """
    entries = indices.size
    cuts = offsets.shape == (size + 1,) and offsets[0] == 0 and offsets[-1] == entries
    if not cuts or (np.diff(offsets) < 0).any():
        raise ColumnsInvalid(f"offsets do not cut {entries} buckets into {size} intervals")
    if counts.shape != (entries,):
        raise ColumnsInvalid(f"{counts.size} counts for {entries} buckets")
    if not entries:
        return
    if int(counts.min()) <= 0 or int(indices.min()) < 0:
        raise BucketsInvalid("a bucket of an interval has a negative number or a count that is not positive")
    if float(counts.sum(dtype=np.float64)) >= _EXACT_DOUBLE:
        raise BucketsInvalid("the intervals hold 2**53 operations or more, which cannot be added up exactly")
    falling = indices[1:] <= indices[:-1]
    inner = offsets[1:-1]
    falling[inner[(inner > 0) & (inner < entries)] - 1] = False
    if falling.any():
        raise BucketsInvalid("the buckets of an interval do not ascend")
