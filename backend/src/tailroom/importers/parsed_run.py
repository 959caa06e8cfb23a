"""What an importer has read of one run: series, claims, how the run ended, and what is wrong, line by line.

Nothing in it is guessed. Facts that a file does not state are None, or named in `missing`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from itertools import islice
from typing import Any, Protocol, overload

from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.record import LatencyRecord
from tailroom.importers.printed import Printed
from tailroom.kit.deadlines import check
from tailroom.kit.outside_types import clean_line

_LATENCY_QUANTITIES = frozenset(
    f"latency_{name}_ns" for name in ("mean", "min", "max", "quantile", "deviation")
)


Value = str | int | float | bool | None
"""Value of a parameter of a run."""


class Severity(StrEnum):
    """Cost of a problem: nothing (NOTE), some of the data (WARNING), or the use of the rest (ERROR)."""

    NOTE = "note"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong at one place of a file; `line` counts from 1, None for the whole file."""

    reason: str
    line: int | None = None
    severity: Severity = Severity.WARNING
    file: str | None = None


class EndState(StrEnum):
    """How the run ended, by the content of the file; exit statuses are unreliable."""

    FINISHED = "finished"
    DEVICE_TOO_SLOW = "device_too_slow"
    GENERATOR_TOO_SLOW = "generator_too_slow"
    FAILED = "failed"
    KILLED = "killed"
    GROWING = "growing"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Claim:
    """A number that the file states as a summary, as printed and as the interval of its rounding.

    `quantity` is a term with its unit: `throughput_ops_per_s`, `latency_mean_ns`, `latency_min_ns`,
    `latency_max_ns`, `latency_quantile_ns` (then `quantile` is set), `operation_count`, `error_count`,
    `bandwidth_bytes_per_s`, `device_busy_percent_max`, `queue_length_max`. Ends are in that unit.
    """

    operation: str
    quantity: str
    printed: str
    lower: float
    upper: float
    quantile: float | None = None
    line: int | None = None
    start_ns: int | None = None
    """Offset from the run's start, where the number speaks of a stretch of the run and not of all of it."""
    duration_ns: int | None = None

    @staticmethod
    def of_count(operation: str, quantity: str, count: int, line: int | None = None) -> "Claim":
        """Return the claim of an exact count."""
        return Claim(operation, quantity, str(count), count, count, line=line)

    @staticmethod
    def of_number(
        operation: str, quantity: str, number: Printed, unit: int = 1, line: int | None = None
    ) -> "Claim":
        """Return the claim of a rounded number in units of `unit`."""
        return Claim(operation, quantity, number.text, *number.ends(unit), line=line)


_FEW_PARTS = 2_000


class Stated(Protocol):
    """A line of a file, or a part of it, that states several numbers."""

    def claims(self) -> Iterable[Claim]:
        """Yield the numbers as claims, computed anew at each call."""
        ...


class ClaimsOnDemand(Sequence[Claim]):
    """Claims that are built on access, in their order: a week of lines with eight numbers
    each states millions, which are ten times as large as the lines.
    """

    def __init__(self, parts: Iterable[Claim | Stated]) -> None:
        self._parts = tuple(parts)
        self._size: int | None = None

    def __iter__(self) -> Iterator[Claim]:
        for part in self._parts:
            if isinstance(part, Claim):
                yield part
            else:
                yield from part.claims()

    def __len__(self) -> int:
        if self._size is None:
            self._size = sum(1 for _ in self)
        return self._size

    @staticmethod
    def of(parts: Sequence[Claim | Stated]) -> Sequence[Claim]:
        """Return the claims of `parts` in order: a tuple, or, of more than 2,000 parts, claims built on
        access.
        """
        claims = ClaimsOnDemand(parts)
        return claims if len(parts) > _FEW_PARTS else tuple(claims)

    @overload
    def __getitem__(self, at: int) -> Claim: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Claim, ...]: ...
    def __getitem__(self, at: int | slice) -> Claim | tuple[Claim, ...]:
        if isinstance(at, slice) and (at.step or 1) > 0 and (at.start or 0) >= 0 and (at.stop or 0) > 0:
            return tuple(islice(self, at.start, at.stop, at.step))
        return tuple(self)[at]

    def about_whole_run(self) -> Iterator[Claim]:
        """Iterate over the claims about the whole run; lines that state several numbers are left out."""
        return (part for part in self._parts if isinstance(part, Claim) and part.start_ns is None)


@dataclass(frozen=True, slots=True, eq=False)
class Period:
    """A part of the run for which the file states summaries, without exact counts in buckets.

    `start_ns` counts from the start of the run.
    """

    start_ns: int
    duration_ns: int
    record: LatencyRecord


@dataclass(frozen=True, slots=True, eq=False)
class PeriodsOnDemand(Sequence[Period]):
    """Periods that are built on access: a week of status lines has 600,000, and few are read.

    `make` builds the period at a position from 0 to below `size`. Building never raises: contradictory
    periods are left out before.
    """

    size: int
    make: Callable[[int], Period]

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, at: int) -> Period: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Period, ...]: ...
    def __getitem__(self, at: int | slice) -> Period | tuple[Period, ...]:
        places = range(self.size)[at]
        return self.make(places) if isinstance(places, int) else tuple(map(self.make, places))


@dataclass(frozen=True, slots=True, eq=False)
class ParsedSeries:
    """One operation on one clock of one device.

    `record` covers the whole run. `intervals` holds the same in consecutive pieces where the file has them;
    its sum equals `record` wherever both count. `periods` holds consecutive intervals that are known by
    statements only (percentiles for each second): enough to look at, not enough to add up. `clock` is one
    of response, service, queue, operation.
    """

    operation: str
    clock: str
    record: LatencyRecord
    device: str | None = None
    intervals: IntervalRecords | None = None
    semantics: str = ""
    """The time that was measured, in words, and the rule by which values fall into buckets."""
    phase: str | None = None
    source_name: str = ""
    """How the file itself calls the series, letter for letter."""
    periods: Sequence[Period] = ()
    target_count: int | None = None
    """Operations that the schedule intended in what was read; None where the file does not say."""
    missing_intervals: int = 0
    """Pieces that the file itself numbers and that are not in it, or could not be read."""
    printed: tuple[Claim, ...] = ()
    """What the tool prints of this series: shown beside the ends that it supports. Where it is empty, the
    run's claims about the operation are the series', if it has no other.
    """

    def __post_init__(self) -> None:
        check()
        for name in ("operation", "device", "phase", "source_name"):
            text = getattr(self, name)
            if text and not text.isprintable():
                object.__setattr__(self, name, clean_line(text))


@dataclass(frozen=True, slots=True, eq=False)
class MachineCourse:
    """A quantity of the machine over time, as its log prints it: beside a run, never part of its latencies.

    `quantity` is a term with its unit: `device_busy_percent`, `queue_length`, `device_wait_ms`,
    `cpu_busy_percent`, `cpu_iowait_percent`, `memory_used_percent`, `network_kb_per_s`. Starts, durations and
    values have an element for each stretch of time; starts count from the start of the run.
    """

    subject: str
    """The device, processor or interface that it is of."""
    quantity: str
    start_ns: tuple[int, ...]
    duration_ns: tuple[int, ...]
    values: tuple[float, ...]
    """The largest value in each stretch."""


@dataclass(frozen=True, slots=True, eq=False)
class ParsedRun:
    """One run of one tool."""

    format: str
    """Registry name of the importer and kind of file, e.g. `act-storage`, `fio-json`, `hdr-log`."""
    tool: str
    tool_version: str | None
    series: tuple[ParsedSeries, ...]
    state: EndState
    state_text: str = ""
    claims: Sequence[Claim] = ()
    problems: tuple[Problem, ...] = ()
    missing: tuple[str, ...] = ()
    """Disclosure fields (names of `catalogue.disclosure`) that the file does not state."""
    parameters: Mapping[str, Value] = field(default_factory=dict)
    started_at: datetime | None = None
    duration_ns: int | None = None
    courses: tuple[MachineCourse, ...] = ()
    closed_loop: bool = False
    """The next operation waits for the answer: the response time from the schedule is not known."""
    host: Mapping[str, Any] = field(default_factory=dict)
    """Facts about the machine, as our agent states them."""
    ladder: Mapping[str, Any] = field(default_factory=dict)
    """The step of a load ladder, or the probe of a search, that the plan of the run names."""

    def __post_init__(self) -> None:
        for name in ("tool", "tool_version", "state_text"):
            text = getattr(self, name)
            if text and not text.isprintable():
                object.__setattr__(self, name, clean_line(text))


def last_end_ns(series: Iterable[ParsedSeries]) -> int | None:
    """Return the end of the last interval of all series; None without intervals."""
    return max((each.intervals.end_ns for each in series if each.intervals is not None), default=None)


def printed_by_operation(run: ParsedRun) -> Mapping[str, Sequence[Claim]]:
    """Return the claims about latencies of the whole run by operation, for operations with a single series.

    Claims name no clock, device or phase, so that of several series it is unknown which a claim is about.
    """
    counts = Counter(series.operation for series in run.series)
    printed: dict[str, list[Claim]] = {name: [] for name, count in counts.items() if count == 1}
    for claim in run.claims.about_whole_run() if isinstance(run.claims, ClaimsOnDemand) else run.claims:
        is_of_all = claim.start_ns is None and claim.quantity in _LATENCY_QUANTITIES
        if is_of_all and claim.operation in printed:
            printed[claim.operation].append(claim)
    return printed


def printed_of(series: ParsedSeries, by_operation: Mapping[str, Sequence[Claim]]) -> Sequence[Claim]:
    """Return the claims about the latencies of a series: its own, else those of its operation.

    `by_operation` is `printed_by_operation` of its run.
    """
    return series.printed or by_operation.get(series.operation, ())
