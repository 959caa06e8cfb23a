"""A run as an importer read it: series, claims, end state and problems.

Facts that a file does not state are None, or named in `missing`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from itertools import islice
from typing import Any, Protocol, overload

from tailroom.domain.latency.distribution import LatencyRecord
from tailroom.domain.latency.intervals import IntervalRecords
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
    """A problem of a file (None: not stated); `line` counts from 1, None for the whole file."""

    reason: str
    line: int | None = None
    severity: Severity = Severity.WARNING
    file: str | None = None


class EndState(StrEnum):
    """End state of a run, decided by the content of its file alone, as exit statuses are unreliable.

    GROWING: the end mark is missing, but the file may still be written. UNKNOWN: the format has no end mark,
    or the file is cut.
    """

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

    `quantity` ends with its unit, which is that of `lower` and `upper`: `throughput_ops_per_s`,
    `latency_mean_ns`, `operation_count`, or `latency_quantile_ns`, for which `quantile` (a ratio) is set.
    """

    operation: str
    quantity: str
    printed: str
    lower: float
    upper: float
    quantile: float | None = None
    line: int | None = None
    start_ns: int | None = None
    """Offset from the run's start, for a number about a part of the run; None for the whole run."""
    duration_ns: int | None = None
    """Length of that part; None for the whole run, or if unknown."""

    @staticmethod
    def of_count(operation: str, quantity: str, count: int, line: int | None = None) -> "Claim":
        """Return the claim of an exact count, whose bounds are equal."""
        return Claim(operation, quantity, str(count), count, count, line=line)

    @staticmethod
    def of_number(
        operation: str,
        quantity: str,
        number: Printed,
        unit: int = 1,
        line: int | None = None,
        *,
        sign: str = "",
        quantile: float | None = None,
        span: tuple[int, int] | tuple[None, None] = (None, None),
    ) -> "Claim":
        """Return the claim of a rounded number times `unit`; its text is the number as printed and `sign`.

        `span` is start and length in ns of the part of the run that it is about.
        """
        return Claim(operation, quantity, number.text + sign, *number.ends(unit), quantile, line, *span)


_FEW_PARTS = 2_000


class ClaimSource(Protocol):
    """A line of a file, or a part of it, with several numbers."""

    def claims(self) -> Iterable[Claim]:
        """Yield the numbers as claims, computed at each call."""
        ...


class ClaimsOnDemand(Sequence[Claim]):
    """Claims that are built at each access: stored they would take ten times the memory of their lines."""

    def __init__(self, parts: Iterable[Claim | ClaimSource]) -> None:
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
    def of(parts: Sequence[Claim | ClaimSource]) -> Sequence[Claim]:
        """Return the claims of `parts` in order, built on access if there are more than 2,000 parts."""
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
        """Yield the claims about the whole run; a `ClaimSource` is about a part and skipped."""
        return (part for part in self._parts if isinstance(part, Claim) and part.start_ns is None)


@dataclass(frozen=True, slots=True, eq=False)
class Period:
    """A part of the run with printed summaries only; `start_ns` counts from the start of the run."""

    start_ns: int
    duration_ns: int
    record: LatencyRecord


@dataclass(frozen=True, slots=True, eq=False)
class PeriodsOnDemand(Sequence[Period]):
    """Periods that `make` builds by position on access; contradictory periods must be left out before."""

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
    """Latencies of one operation of a run, measured over one span of time (`clock`), of one device if stated.

    `record` covers the whole run; `intervals`, if the file has them, add up to it. `periods` are consecutive
    parts of the run with a summary only, such as percentiles, which cannot be added up.
    """

    operation: str
    clock: str
    """The measured span of time: `response`, `service`, `queue` or `operation`.

    They last from the scheduled start to the answer, from sending to the answer, from the scheduled start to
    sending, or over any other span; `semantics` has the details.
    """
    record: LatencyRecord
    device: str | None = None
    intervals: IntervalRecords | None = None
    semantics: str = ""
    """The time that was measured, and the rule by which values fall into buckets."""
    phase: str | None = None
    source_name: str = ""
    """Name of the series in the file."""
    periods: Sequence[Period] = ()
    target_count: int | None = None
    """Operations that the schedule intended; None if the file does not say."""
    missing_intervals: int = 0
    """Number of intervals that are missing or unreadable, by the gaps in the file's numbering."""
    printed: tuple[Claim, ...] = ()
    """Printed numbers of this series; if empty, the run's claims about the operation."""

    def __post_init__(self) -> None:
        """Clean names of unprintable characters. Raise the error of the deadline if it has passed."""
        check()
        for name in ("operation", "device", "phase", "source_name"):
            text = getattr(self, name)
            if text and not text.isprintable():
                object.__setattr__(self, name, clean_line(text))


@dataclass(frozen=True, slots=True, eq=False)
class MachineCourse:
    """A quantity of the machine over time, with an element of starts, durations and values for each interval.

    `quantity` is a term with its unit: `device_busy_percent`, `queue_length`, `device_wait_ms`,
    `cpu_busy_percent`, `cpu_iowait_percent`, `memory_used_percent`, `network_kb_per_s`. Starts count from the
    start of the run.
    """

    subject: str
    """The device, processor or interface."""
    quantity: str
    start_ns: tuple[int, ...]
    duration_ns: tuple[int, ...]
    values: tuple[float, ...]
    """The largest value in each interval."""


@dataclass(frozen=True, slots=True, eq=False)
class ParsedRun:
    """A run of one tool, as its files state it."""

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
    """Whether operations wait for the previous answer, so that there is no response time from a schedule."""
    host: Mapping[str, Any] = field(default_factory=dict)
    """Facts about the machine, as our agent states them."""
    ladder: Mapping[str, Any] = field(default_factory=dict)
    """The step of a load ladder, or the probe of a search, in the plan of the run."""
    answered: Mapping[str, str] = field(default_factory=dict)
    """Disclosure fields that were read as a person states them, because the file leaves them open."""

    def __post_init__(self) -> None:
        """Clean tool, version and text of the end state of unprintable characters."""
        for name in ("tool", "tool_version", "state_text"):
            text = getattr(self, name)
            if text and not text.isprintable():
                object.__setattr__(self, name, clean_line(text))


def last_end_ns(series: Iterable[ParsedSeries]) -> int | None:
    """Return the end of the last interval of all series in ns from the run's start; None without any."""
    return max((each.intervals.end_ns for each in series if each.intervals is not None), default=None)


def printed_by_operation(run: ParsedRun) -> Mapping[str, Sequence[Claim]]:
    """Return the latency claims about the whole run by operation, for operations with a single series.

    Claims name no clock, device or phase, so that they cannot be assigned to one of several series.
    """
    counts = Counter(series.operation for series in run.series)
    printed: dict[str, list[Claim]] = {name: [] for name, count in counts.items() if count == 1}
    for claim in run.claims.about_whole_run() if isinstance(run.claims, ClaimsOnDemand) else run.claims:
        is_of_run = claim.start_ns is None and claim.quantity in _LATENCY_QUANTITIES
        if is_of_run and claim.operation in printed:
            printed[claim.operation].append(claim)
    return printed


def printed_of(series: ParsedSeries, by_operation: Mapping[str, Sequence[Claim]]) -> Sequence[Claim]:
    """Return the latency claims of a series, else those of its operation by `printed_by_operation`."""
    return series.printed or by_operation.get(series.operation, ())
