"""The columns of an interval, declared once: name, range, whether it may be unknown, how it is added up.

`Interval` is what an agent sends and what its result file holds (docs/contracts/wire.md); the columns of the
tables, of inserts and reads, of pieces in memory and of slices follow from its annotations, in their order.
All numbers are whole and have 64 bits. `UNKNOWN` (−1) stands in columns for a number that is not known; a
column that may be negative names another one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Annotated, get_args, get_type_hints

from msgspec import NODEFAULT, Meta, Struct
from msgspec.structs import fields

UNKNOWN = -1
"""Stands in a column for a number that is not known."""

INT64_MAX = 2**63 - 1
NUMBER_MAX = 2**62 - 1
"""Most that a number of an interval may be, so that the end of a stretch, and one more, have 64 bits too."""
SERIES_NO_MAX = 65_535
PINS_MAX = 16

SeriesNo = Annotated[int, Meta(ge=0, le=SERIES_NO_MAX)]
Count = Annotated[int, Meta(ge=0, le=NUMBER_MAX)]
Positive = Annotated[int, Meta(ge=1, le=NUMBER_MAX)]
Millicelsius = Annotated[int, Meta(ge=-100_000, le=200_000)]


class Rolls(Enum):
    """How the numbers of consecutive intervals become that of all of them together."""

    FIRST = auto()
    """The smallest."""
    SPAN = auto()
    """From the first start to the last end."""
    SUM = auto()
    SUM_IF_KNOWN = auto()
    """The sum; unknown as soon as one interval does not know it."""
    SUM_OF_FILLED = auto()
    """Of intervals with latencies: the sum; unknown as soon as one of them does not know it."""
    MIN_OF_FILLED = auto()
    MAX_OF_FILLED = auto()
    LARGEST = auto()
    """The largest that is known."""
    BUSIEST = auto()
    """A time used inside the interval: the share of the busiest interval. Slices hold it as `busy_ppm`."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Annotation of a field: how it is added up, and where it is kept besides the row of its interval."""

    rolls: Rolls
    in_slices: bool = True
    """Also a column of slices; else it is known as long as the intervals are."""
    in_files: bool = True
    """Kept of intervals that an importer has read, where these know it."""
    always_sent: bool = False
    """Null in live ticks where it is not known; others are left out there."""
    may_lack: bool = False
    """Agents must know it, other sources need not."""
    unknown: int = UNKNOWN
    adds_at_once: bool = False
    """Of series that run at the same time it is the sum, although over time the largest counts."""


class Interval(Struct, frozen=True, gc=False):
    """What happened inside one stretch of one series."""

    series: SeriesNo
    seq: Count
    start_ns: Annotated[Count, Kept(Rolls.FIRST)]
    duration_ns: Annotated[Positive, Kept(Rolls.SPAN)]
    count: Annotated[Count, Kept(Rolls.SUM)]
    errors: Annotated[Count, Kept(Rolls.SUM)]
    timeouts: Annotated[Count, Kept(Rolls.SUM)]
    unfinished: Annotated[Count, Kept(Rolls.SUM)]
    sum_ns: Annotated[Count, Kept(Rolls.SUM_OF_FILLED, may_lack=True)]
    lateness_max_ns: Annotated[Count, Kept(Rolls.LARGEST, in_files=False)]
    pins: Annotated[list[Count], Meta(max_length=PINS_MAX)]
    """Latencies at or over each threshold of the series."""
    min_ns: Annotated[Count | None, Kept(Rolls.MIN_OF_FILLED, always_sent=True)] = None
    max_ns: Annotated[Count | None, Kept(Rolls.MAX_OF_FILLED, always_sent=True)] = None
    target_count: Annotated[Count | None, Kept(Rolls.SUM_IF_KNOWN, in_files=False, always_sent=True)] = None
    """Of a file the series says it."""
    histogram: bytes | None = None
    """Counts by bucket number as an HdrHistogram V2 payload; none for ticks and without operations. What time
    a bucket stands for says the layout of the series.
    """
    lateness_p99_ns: Annotated[Count | None, Kept(Rolls.LARGEST)] = None
    """99th percentile of the lateness that the generator itself caused."""
    busy_ns: Annotated[Count | None, Kept(Rolls.BUSIEST)] = None
    """Processor time of the busiest measuring thread."""
    in_flight: Annotated[
        Count | None, Kept(Rolls.LARGEST, in_slices=False, in_files=False, adds_at_once=True)
    ] = None
    """Operations under way at the end of the interval."""
    oldest_in_flight_ns: Annotated[Count | None, Kept(Rolls.LARGEST, in_slices=False, in_files=False)] = None
    """Age of the oldest of them since it was intended; 0 without any."""
    temperature_millicelsius: Annotated[
        Millicelsius | None, Kept(Rolls.LARGEST, in_slices=False, in_files=False, unknown=-1_000_000)
    ] = None
    """Of the hottest measured device at the end of the interval; nothing is colder than −273,150 m°C."""


@dataclass(frozen=True, slots=True)
class Column:
    """A number of every interval, or of every slice."""

    name: str
    kept: Kept
    optional: bool = False
    """An agent may leave it out."""

    @property
    def nullable(self) -> bool:
        """Whether the database may hold null."""
        return self.optional or self.kept.may_lack

    def at_once(self, parts: Sequence[tuple[int, int | None]]) -> int | None:
        """What this number of series that run at the same time is of all of them together, from the count
        and the number of each: what each counted is added up, else the extreme.
        """
        rolls = Rolls.SUM_IF_KNOWN if self.kept.adds_at_once else self.kept.rolls
        if rolls in {Rolls.SUM_OF_FILLED, Rolls.MIN_OF_FILLED, Rolls.MAX_OF_FILLED}:
            parts = [part for part in parts if part[0]]
        known = [value for _, value in parts if value is not None]
        match rolls:
            case Rolls.FIRST:
                return min(known)
            case Rolls.LARGEST | Rolls.BUSIEST | Rolls.SPAN:
                return max(known, default=None)
        if len(known) < len(parts):
            return None
        match rolls:
            case Rolls.MIN_OF_FILLED:
                return min(known, default=None)
            case Rolls.MAX_OF_FILLED:
                return max(known, default=None)
        return sum(known)


def _declared() -> tuple[Column, ...]:
    hints = get_type_hints(Interval, include_extras=True)
    found = []
    for one in fields(Interval):
        kept = [part for part in get_args(hints[one.name])[1:] if isinstance(part, Kept)]
        if not kept:
            continue
        if kept[0].rolls is Rolls.SUM and one.default is not NODEFAULT:
            raise TypeError(f"{one.name} may be unknown: it is added up by SUM_IF_KNOWN")
        found.append(Column(one.name, kept[0], one.default is not NODEFAULT))
    return tuple(found)


COLUMNS = _declared()
"""Every number of an interval besides its key (series and sequence number), in the order of `Interval`."""

UNKNOWN_OF: dict[str, int] = {one.name: one.kept.unknown for one in COLUMNS}

BESIDE = tuple(one for one in COLUMNS if one.optional and one.kept.in_files and not one.kept.always_sent)
"""What is kept of every interval besides its latencies and misses, wherever it comes from."""

OF_DOUBT = ("busy_ppm", "late_intervals", "busy_intervals", "doubtful_intervals")
"""Numbers of slices that are calculated of their intervals (domain.verdicts.validity): the largest share
of an interval that the busiest measuring thread used, in millionths, and how many were late, busy, or either.
"""

_LARGEST, _SUM = Kept(Rolls.LARGEST), Kept(Rolls.SUM)
SLICE_COLUMNS = (
    *(one for one in COLUMNS if one.kept.in_slices and one.kept.rolls is not Rolls.BUSIEST),
    Column("interval_count", _SUM),
    Column(OF_DOUBT[0], _LARGEST, optional=True),
    *(Column(name, _SUM) for name in OF_DOUBT[1:]),
)
"""Every number of a slice besides its key."""
