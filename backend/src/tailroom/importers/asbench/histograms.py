"""The histograms that asbench writes for each period: exact counts between explicit edges.

A line `read_hist 2026-11-20T12:31:02Z, 3.00037s, 88708, 0:44886, 100:30727` names the end of the period, its
length, the total, and `lower edge:count` in microseconds. Below the smallest edge all latencies are in bucket
0, at and over the largest one in an open bucket. Source: asbench `src/main/histogram.c`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from statistics import median

from tailroom.domain.latency.distribution import Misses
from tailroom.domain.latency.layouts import ExplicitLayout
from tailroom.domain.units import NS_PER_S, NS_PER_US, duration_text
from tailroom.importers.columns import interval_records
from tailroom.importers.parsed_run import Claim, ParsedSeries
from tailroom.importers.printed import MAX_COUNT, moment, printed, whole
from tailroom.importers.problems import ProblemList

LINE = re.compile(r"(\w{1,40})_hist (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)Z, (\S+?)s, (\d+)((?:, \d+:\d+)*)")
TITLE = re.compile(r"(\w{1,40})_hist:")
_RANGE = re.compile(r"\s*(Range min|Range max|Bucket width|Bucket range \d{1,4}):\s*(?:(\d{1,15})us)?")
_DEFAULT_RANGES_US = ((100, 4_000, 100), (4_000, 64_000, 1_000), (64_000, 128_000, 4_000))
_MAX_EDGES = 100_000
_MAX_EDGE_US = 1 << 50
_MAX_PAUSES = 20
_MAX_CLAIMS = 20_000
_CLOCK_STEP_S = 1.5
"""The end is printed in whole seconds; a gap below this is none."""

SEMANTICS = (
    "time of one call, from a clock of whole microseconds before and after it; a bucket [a, b) holds the "
    "calls that took at least a and less than b; failed calls are not in it"
)


@dataclass(slots=True)
class Histograms:
    """Periods of an operation: starts from the start of the run, `counts` by bucket, their sum as `total`."""

    operation: str
    start_ns: list[int] = field(default_factory=list)
    duration_ns: list[int] = field(default_factory=list)
    counts: list[dict[int, int]] = field(default_factory=list)
    errors: list[int] = field(default_factory=list)
    timeouts: list[int] = field(default_factory=list)
    stages: list[int] = field(default_factory=list)
    """Position of the stage in which each period was printed."""
    line_nos: list[int] = field(default_factory=list)
    total: int = 0


class HistogramReader:
    """Reader of the histogram lines of one run."""

    def __init__(self) -> None:
        self.by_operation: dict[str, Histograms] = {}
        self.problems = ProblemList()
        self.claims: list[Claim] = []
        self.first_start: datetime | None = None
        """Start of the first period in UTC."""
        self.stage = 0
        """Position of the current stage, to which new periods belong."""
        self._ranges: list[list[int]] = []
        self._edges_us: tuple[int, ...] = _edges(_DEFAULT_RANGES_US)
        self._position: dict[int, int] = {edge: at for at, edge in enumerate(self._edges_us)}

    def __bool__(self) -> bool:
        """Return whether any period was stored."""
        return bool(self.by_operation)

    def begin_description(self) -> None:
        """Discard the ranges of an earlier description of buckets."""
        self._ranges = []

    def read_description(self, text: str) -> bool:
        """Return whether a line describes buckets; store its range, which is used only before any period."""
        match = _RANGE.fullmatch(text)
        if match is None:
            return "Total num buckets:" in text or "Num buckets:" in text
        name, value = match[1], match[2]
        if name.startswith("Bucket range"):
            self._ranges.append([])
        elif self._ranges and value is not None:
            self._ranges[-1].append(min(int(value), _MAX_EDGE_US))
            self._apply_ranges()
        return True

    def line(self, line_no: int, match: re.Match[str], misses: Misses) -> bool:
        """Store one period of one operation; return False, with a problem, if it is invalid.

        If only the buckets contradict the total, the total is stored as a claim.
        """
        operation, ended, length, total, pairs = match.groups()
        seconds = printed(length)
        count = whole(total)
        end = moment(ended)
        if seconds is None or not 0 <= seconds.value < 10**9 or count is None or end is None:
            self._refuse(line_no, "the time, the length or the total of the period is no such number")
            return False
        buckets = self._buckets(line_no, pairs)
        if buckets is None:
            return False
        if sum(buckets.values()) != count:
            self._refuse(line_no, f"the buckets add up to {sum(buckets.values())}, but the line says {count}")
            self._claim(line_no, operation, total, end.replace(tzinfo=UTC), round(seconds.value * NS_PER_S))
            return False
        histograms = self.by_operation.setdefault(operation, Histograms(operation))
        if histograms.total + count > MAX_COUNT:
            self._refuse(line_no, "together the periods hold 2**53 operations or more")
            return False
        histograms.total += count
        self._append(histograms, end.replace(tzinfo=UTC), round(seconds.value * NS_PER_S), buckets)
        histograms.stages.append(self.stage)
        histograms.line_nos.append(line_no)
        histograms.errors.append(misses.errors)
        histograms.timeouts.append(misses.timeouts)
        return True

    def _claim(self, line_no: int, operation: str, total: str, end: datetime, duration_ns: int) -> None:
        """Store the printed count of a period without valid buckets as a claim; ignore it after 20,000."""
        if len(self.claims) < _MAX_CLAIMS:
            begin = self.first_start or end - timedelta(microseconds=duration_ns // NS_PER_US)
            start_ns = max(0, round((end - begin).total_seconds() * NS_PER_S) - duration_ns)
            span = {"start_ns": start_ns, "duration_ns": duration_ns}
            self.claims.append(
                Claim(operation, "operation_count", total, int(total), int(total), line=line_no, **span)
            )

    def add_misses(self, operation: str, misses: Misses) -> None:
        """Add failures that were printed after the last period of an operation to that period."""
        histograms = self.by_operation[operation]
        histograms.errors[-1] += misses.errors
        histograms.timeouts[-1] += misses.timeouts

    def series(self, phases: Sequence[str | None]) -> list[ParsedSeries]:
        """Return a series for each operation and stage with periods; a single phase holds all stages."""
        layout = ExplicitLayout(tuple(edge * NS_PER_US for edge in self._edges_us), open_ended=True)
        all_series = []
        for histograms in self.by_operation.values():
            for stage, phase in enumerate(phases):
                rows = [row for row, at in enumerate(histograms.stages) if at == stage or len(phases) == 1]
                if rows:
                    all_series.append(_series(histograms, rows, layout, phase))
        return all_series

    def note_periods(self, phases: Sequence[str | None], problems: ProblemList) -> None:
        """Note last periods that are shorter than half the median, and in a single phase pauses."""
        for histograms in self.by_operation.values():
            usual_ns = median(histograms.duration_ns)
            for stage, phase in enumerate(phases):
                rows = [row for row, at in enumerate(histograms.stages) if at == stage or len(phases) == 1]
                last_ns = histograms.duration_ns[rows[-1]] if len(rows) > 1 else usual_ns
                if last_ns < usual_ns / 2:
                    of = histograms.operation + ("" if phase is None else f" in {phase}")
                    problems.note(
                        f"the last period of {of} lasted {duration_text(int(last_ns))} and holds "
                        f"{sum(histograms.counts[rows[-1]].values())} operations: a sliver, kept as a piece "
                        "of that length",
                        histograms.line_nos[rows[-1]],
                    )
        if len(phases) == 1:
            self._note_pauses(problems)

    def _note_pauses(self, problems: ProblemList) -> None:
        """Note gaps between periods of the first operation, 20 at most."""
        first = next(iter(self.by_operation.values()))
        ends = [start + length for start, length in zip(first.start_ns, first.duration_ns, strict=True)]
        periods = zip(ends, first.start_ns[1:], first.line_nos[1:], strict=False)
        for end, start, line_no in [period for period in periods if period[1] > period[0]][:_MAX_PAUSES]:
            problems.note(
                f"no period covers the {duration_text(start - end)} before this one; whether another stage "
                "begins here the file does not say, and all periods are one series",
                line_no,
            )

    def _append(
        self, histograms: Histograms, end: datetime, duration_ns: int, buckets: dict[int, int]
    ) -> None:
        """Store a period from the end of the previous on or, after a pause of over 1.5 s, by its own end."""
        if self.first_start is None:
            self.first_start = datetime.fromtimestamp(end.timestamp() - duration_ns / NS_PER_S, UTC)
        before = histograms.start_ns[-1] + histograms.duration_ns[-1] if histograms.start_ns else 0
        by_clock = round((end - self.first_start).total_seconds() * NS_PER_S) - duration_ns
        # Periods follow each other; only a pause between stages is longer than the printed second is coarse.
        histograms.start_ns.append(by_clock if by_clock - before > _CLOCK_STEP_S * NS_PER_S else before)
        histograms.duration_ns.append(duration_ns)
        histograms.counts.append(buckets)

    def _buckets(self, line_no: int, pairs: str) -> dict[int, int] | None:
        """Return counts by bucket, from pairs `edge:count`; None, with a problem, if any is invalid."""
        buckets: dict[int, int] = {}
        for pair in pairs.split(", ")[1:]:
            edge, _, amount = pair.partition(":")
            count = whole(amount)
            position = self._position.get(int(edge)) if len(edge) < 20 else None
            if position is None or count is None or position in buckets:
                self._refuse(
                    line_no, f"{pair[:60]!r} is no count at an edge of the buckets, or stands there twice"
                )
                return None
            buckets[position] = count
        return buckets

    def _apply_ranges(self) -> None:
        """Use the described buckets if the description is complete and valid, before the first period."""
        if any(len(numbers) != 3 for numbers in self._ranges) or self.by_operation:
            return
        if all(
            low < high and width > 0 and (high - low) // width < _MAX_EDGES
            for low, high, width in self._ranges
        ):
            edges = _edges(self._ranges)
            if all(a < b for a, b in pairwise(edges)):
                self._edges_us = edges
                self._position = {edge: at for at, edge in enumerate(edges)}

    def _refuse(self, line_no: int, reason: str) -> None:
        self.problems.error(f"{reason}; the line was left out", line_no)


def _edges(ranges: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the edges in µs of ranges `(low, high, width)`: 0, those of each range, the end of the last."""
    edges = [0]
    for low, high, width in ranges:
        edges.extend(range(low, high, width))
    edges.append(ranges[-1][1])
    return tuple(edges)


def _series(
    histograms: Histograms, periods: Sequence[int], layout: ExplicitLayout, phase: str | None
) -> ParsedSeries:
    cells = [
        (row, bucket, count)
        for row, period in enumerate(periods)
        for bucket, count in histograms.counts[period].items()
        if count
    ]
    start_ns, duration_ns, errors, timeouts = (
        [column[period] for period in periods]
        for column in (histograms.start_ns, histograms.duration_ns, histograms.errors, histograms.timeouts)
    )
    intervals = interval_records(layout, start_ns, duration_ns, cells, errors=errors, timeouts=timeouts)
    return ParsedSeries(
        histograms.operation,
        "service",
        intervals.total(),
        intervals=intervals,
        semantics=SEMANTICS,
        phase=phase,
        source_name=f"{histograms.operation}_hist",
    )
