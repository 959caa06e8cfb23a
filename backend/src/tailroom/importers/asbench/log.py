"""One run of asbench, line by line: its periodic output, its stages, its start and end.

The lines `hdr: read …` are cumulative from the start of the first stage to the moment of printing, so the
last line of each operation is about the whole run; reads that found no record are not in them. The operations
of a period are printed per second and only as a rounded rate; time-outs and errors are counts of the period.
Source: asbench `src/main/latency_output.c`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from fractions import Fraction

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import Misses
from tailroom.domain.units import NS_PER_MS
from tailroom.importers.asbench import histograms
from tailroom.importers.asbench.histograms import HistogramReader
from tailroom.importers.asbench.stages import Cumulative, Preamble, Stages, difference
from tailroom.importers.disclosure import not_stated
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, ParsedSeries, last_end_ns
from tailroom.importers.printed import MAX_COUNT, moment, whole
from tailroom.importers.problems import ProblemList
from tailroom.importers.statements import Statements

RATES = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}) INFO ((?:write|read|udf|total)\(tps=.*)")
OPERATION = re.compile(
    r"\b(\w{1,40})\(tps=(\d+)(?: \(hit=(\d+) miss=(\d+)\))? timeouts=(\d+) errors=(\d+)(?: total=\d+)?\)"
)
HDR = re.compile(r"hdr: (\w{1,40}) +(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)Z (\d+), (\d+), (\d+), (\d+)((?:, \d+)*)")
STARTED = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}) INFO Start \d+ (?:transaction|async)")
STAGE = re.compile(r"Stage (\d+): ?(.*)")
_OTHER_LOG = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} ([A-Z]+) (.*)")
_PAUSE = re.compile(r"Pause for \d+ seconds")
_STATED_BY = {"connections": "threads", "keys": "keys", "value_bytes": "object_spec", "address": "hosts"}
"""Parameters that state a fact to be disclosed."""
_MAX_US = 1 << 40
_MAX_CLAIM_PERIODS = 10_000
_FAILED_PERIODS = 3
_MAX_STAGES = 1_000
_MAX_DESCRIPTION = 200

SEMANTICS = (
    "time of one call, from a clock of whole microseconds before and after it; percentiles of a cumulative "
    "HdrHistogram (three digits) that drops calls of more than about 1.05 s; failed calls and reads that "
    "found nothing are not in it"
)

DIFFERENCE = "counted from the last line before the stage to its own last line"


@dataclass(slots=True)
class AsbenchReader:
    """Reader of the lines of one run."""

    preamble: Preamble = field(default_factory=Preamble)
    histograms: HistogramReader = field(default_factory=HistogramReader)
    problems: ProblemList = field(default_factory=ProblemList)
    claims: list[Claim] = field(default_factory=list)
    has_measurements: bool = False
    total_fell: bool = False
    """Whether a cumulative count fell, so that no further line belongs to this run."""
    _cumulative: dict[str, Cumulative] = field(default_factory=dict)
    """The last cumulative line by operation."""
    _since: dict[str, Misses] = field(default_factory=dict)
    """Failed operations by operation since its last histogram."""
    _not_found: int = 0
    """Reads without a record, by the printed rates."""
    _stages: Stages = field(default_factory=Stages)
    _started: datetime | None = None
    _zone: timedelta | None = None
    """Difference of the local time of the log from UTC."""
    _last: datetime | None = None
    _rates_seen: int = 0
    _failing: int = 0
    """Number of periodic lines in a row with failed calls only."""

    def line(self, line_no: int, text: str) -> None:
        """Store the content of a line; report errors, warnings and unknown forms, with the text cut."""
        if (rates := RATES.match(text)) is not None:
            self._read_rates(line_no, rates)
        elif (hdr := HDR.fullmatch(text)) is not None:
            self._read_percentiles(line_no, hdr)
        elif (histogram := histograms.LINE.fullmatch(text)) is not None:
            self.has_measurements = True
            operation = histogram[1]
            if self.histograms.line(line_no, histogram, self._since.get(operation, Misses())):
                self._since.pop(operation, None)
                self._stages.current.measured.add(f"{operation}_hist")
        elif histograms.TITLE.fullmatch(text) is not None:
            self.histograms.begin_description()
        elif (stage := STAGE.fullmatch(text)) is not None:
            self._begin_stage(line_no, int(stage[1][:6]), stage[2].strip())
        elif (started := STARTED.match(text)) is not None:
            self._started = moment(started[1])
        elif (log := _OTHER_LOG.fullmatch(text)) is not None:
            if log[1] in ("ERROR", "WARN"):
                self.problems.add(f"the tool says: {log[2][:300]}", line_no)
        elif not text.strip() or self.histograms.read_description(text) or _PAUSE.fullmatch(text):
            return
        elif self.has_measurements or not self.preamble.line(text):
            self.problems.add(f"not a line of asbench: {text[:80]!r}", line_no)

    def finish(self, form: str) -> ParsedRun:
        """Return the run in the format `form`. To be called once, as it adds claims and problems."""
        phases = self._phases()
        series = self._histogram_series(phases) or self._quantile_series(phases)
        if self._not_found:
            self.problems.note(
                f"reads that found no record: their latencies are in no count (about {self._not_found} of "
                "them, by the printed rates)"
            )
        if not series:
            self.problems.add("no latencies: neither --latency nor a histogram was asked for")
        parameters = self.preamble.all_parameters()
        started = self._started_at()
        if started is None and self._started is not None:
            parameters["started_at_local"] = str(self._started)
        state, state_text = self._state()
        return ParsedRun(
            format=form,
            tool="asbench",
            tool_version=None,
            series=tuple(series),
            state=state,
            state_text=state_text,
            claims=(*self.claims, *self.histograms.claims),
            problems=(*self.problems, *self.histograms.problems),
            missing=not_stated(
                "tool_version",
                *(() if started else ("started_at",)),
                *(fact for fact, name in _STATED_BY.items() if name not in parameters),
            ),
            parameters=parameters,
            started_at=started,
            duration_ns=self._duration_ns(series),
            closed_loop=True,
        )

    def _begin_stage(self, line_no: int, number: int, description: str) -> None:
        """Begin another stage; beyond 1,000 stages, later lines belong to the last."""
        self._add_misses()
        if self._stages.position < _MAX_STAGES:
            self._stages.begin(number, description[:_MAX_DESCRIPTION], line_no)
        self.histograms.stage = self._stages.position

    def _phases(self) -> tuple[str | None, ...]:
        """Return the names of the stages; `(None,)` for one, and, with a note, if they are not separable."""
        phases = self._stages.phases(len(self.preamble.stages))
        if isinstance(phases, str):
            mixed = (
                "the cumulative percentiles mix them, and only the last line of each operation speaks of all"
            )
            self.problems.note(f"several stages that the file does not separate: {phases}; {mixed}")
            return (None,)
        self._stages.note_borders(phases, self.problems)
        return phases

    def _read_rates(self, line_no: int, rates: re.Match[str]) -> None:
        """Add the failed calls of a periodic line to their stage, and store its rates as claims."""
        self.has_measurements = True
        now = moment(rates[1])
        if now is None:
            self.problems.add("the time of the line is no time", line_no)
            return
        before = self._last or self._started
        if self._last is not None and now < self._last:
            self.problems.error("the clock goes back: a second run, or a clock that was set", line_no)
        self._last = now
        self._rates_seen += 1
        answered = failed = 0
        for match in OPERATION.finditer(rates[2]):
            operation, numbers = match[1], [whole(text or "0") for text in match.groups()[1:]]
            rate, _, miss, timeouts, errors = (
                min(n, MAX_COUNT >> 8) if n is not None else -1 for n in numbers
            )
            if min(rate, miss, timeouts, errors) < 0:
                self.problems.error(f"a count of {operation} is no number that can be added", line_no)
                continue
            answered, failed = answered + rate, failed + timeouts + errors
            if operation != "total":
                self._not_found += miss
                misses = Misses(errors=errors, timeouts=timeouts)
                stage = self._stages.current.misses
                stage[operation] = stage.get(operation, Misses()) + misses
                self._since[operation] = self._since.get(operation, Misses()) + misses
            self._claim_rate(line_no, operation, rate, before, now)
        self._failing = self._failing + 1 if failed and not answered else 0

    def _claim_rate(
        self, line_no: int, operation: str, rate: int, before: datetime | None, now: datetime
    ) -> None:
        """Store the operations per second from `before` to `now` as a claim, if the times ascend."""
        start = self._started or before
        if start is None or before is None or now < before or before < start:
            return
        if self._rates_seen > _MAX_CLAIM_PERIODS:
            if self._rates_seen == _MAX_CLAIM_PERIODS + 1 and operation == "total":
                self.problems.note("the printed rates of later periods are left out", line_no)
            return
        span = {"start_ns": _ns(before - start), "duration_ns": _ns(now - before)}
        bounds = rate - 0.5, rate + 0.5
        self.claims.append(Claim(operation, "throughput_ops_per_s", str(rate), *bounds, line=line_no, **span))

    def _read_percentiles(self, line_no: int, match: re.Match[str]) -> None:
        """Store cumulative percentiles; report impossible numbers, and a falling count, which ends a run."""
        self.has_measurements = True
        numbers = [whole(text) for text in (*match.groups()[2:6], *match[7].split(", ")[1:])]
        values = [number for number in numbers if number is not None]
        if len(values) < len(numbers) or max(values) > MAX_COUNT or max(values[2:]) > _MAX_US:
            self.problems.error("a number of the line is impossibly large", line_no)
            return
        self._set_zone(match[2])
        operation = match[1]
        before = self._cumulative.get(operation)
        if before is not None and values[1] < before.total:
            self.total_fell = True
            self.problems.error(
                f"the cumulative count of {operation} falls from {before.total} to {values[1]}: another run "
                "begins here, or the file is damaged; nothing after it was used",
                line_no,
            )
            return
        cumulative = Cumulative(line_no, values[1], values[2], values[3], tuple(values[4:]))
        self._cumulative[operation] = self._stages.current.cumulative[operation] = cumulative
        self._stages.current.measured.add(operation)

    def _set_zone(self, utc_text: str) -> None:
        """Set the zone of the local times once, by the last local time and a line's time in UTC.

        It remains None unless the difference is within 5 s of a multiple of 15 min, and at most 14 h.
        """
        if self._zone is not None or self._last is None:
            return
        utc = moment(utc_text)
        if utc is None:
            return
        quarters = round((self._last - utc) / timedelta(minutes=15))
        zone = quarters * timedelta(minutes=15)
        if abs(zone) <= timedelta(hours=14) and abs(self._last - utc - zone) < timedelta(seconds=5):
            self._zone = zone

    def _add_misses(self) -> None:
        """Add the failures since the last histogram of each operation to the period of that histogram."""
        for operation in [line for line in self._since if line in self.histograms.by_operation]:
            self.histograms.add_misses(operation, self._since.pop(operation))

    def _histogram_series(self, phases: Sequence[str | None]) -> list[ParsedSeries]:
        """Return the series of the histograms; with any, report notes and claim the percentiles."""
        self._add_misses()
        series = self.histograms.series(phases)
        if series:
            self.histograms.note_periods(phases, self.problems)
            for operation, cumulative in self._cumulative.items():
                self.claims += cumulative.claims(operation, self.preamble.quantiles or ())
        return series

    def _quantile_series(self, phases: Sequence[str | None]) -> list[ParsedSeries]:
        """Return a series of percentiles for each operation and stage with answered calls; add claims."""
        series: list[ParsedSeries] = []
        for operation, last in self._cumulative.items():
            self.claims += last.claims(operation, self.preamble.quantiles or ())
            every = (stage.misses.get(operation, Misses()) for stage in self._stages.all)
            earlier, all_misses = Statements(0), sum(every, Misses())
            for stage, phase in zip(self._stages.all, phases, strict=False):
                cumulative = last if len(phases) == 1 else stage.cumulative[operation]
                misses = all_misses if len(phases) == 1 else stage.misses.get(operation, Misses())
                try:
                    later = cumulative.statements(self._quantiles(cumulative) if cumulative.total else ())
                    statements = difference(earlier, later) if earlier.count else later
                    if statements.count:
                        series.append(_series(operation, statements, misses, phase, earlier))
                    elif misses.total:
                        reason = f"{misses.total} calls of {operation} failed and none was answered"
                        where = "" if phase is None else f" in {phase}"
                        self.problems.add(f"{reason}{where}: there is no series", cumulative.line_no)
                    earlier = later
                except DomainError as error:
                    self.problems.error(f"{operation}: {error}", cumulative.line_no)
                    break
        return series

    def _quantiles(self, cumulative: Cumulative) -> tuple[Fraction, ...]:
        """Return the shares of the percentiles in a line; empty, with a problem, if they are not named."""
        quantiles = self.preamble.quantiles
        if quantiles is not None and len(quantiles) == len(cumulative.values_us):
            return quantiles
        self.problems.add(
            "the file does not say which percentiles these are (`hdr histogram format:` is missing or has "
            "another number of them); only count, smallest and largest were used",
            cumulative.line_no,
        )
        return ()

    def _started_at(self) -> datetime | None:
        """Return the start in UTC, by its local time, else of the histograms; None if the zone is unknown."""
        if self._started is not None and self._zone is not None:
            return (self._started - self._zone).replace(tzinfo=UTC)
        return self.histograms.first_start if self._started is None else None

    def _duration_ns(self, series: list[ParsedSeries]) -> int | None:
        """Return the time from start to last periodic line, else to the last interval; None if unknown."""
        if self._started is not None and self._last is not None and self._last >= self._started:
            return _ns(self._last - self._started)
        return last_end_ns(series)

    def _state(self) -> tuple[EndState, str]:
        if self._failing >= _FAILED_PERIODS:
            return EndState.FAILED, f"every call failed in the last {self._failing} periods"
        seconds = [stage.get("duration_s") for stage in self.preamble.stages]
        planned = sum(second for second in seconds if isinstance(second, int))
        if self._started is None or self._last is None or not planned or 0 in seconds:
            return EndState.UNKNOWN, "asbench prints no mark at its end"
        ran = (self._last - self._started).total_seconds()
        if ran >= planned - 1.0:
            return EndState.FINISHED, f"ran {ran:.1f} s of {planned} s that were asked for"
        return EndState.KILLED, f"ends after {ran:.1f} s of {planned} s"


def _series(
    operation: str, statements: Statements, misses: Misses, phase: str | None, earlier: Statements
) -> ParsedSeries:
    """Return a series of percentiles, after `earlier` stages. Raise StatementsContradict if contradictory."""
    return ParsedSeries(
        operation,
        "service",
        statements.record(misses),
        semantics=f"{SEMANTICS}; {DIFFERENCE}" if earlier.count else SEMANTICS,
        phase=phase,
        source_name=operation,
    )


def _ns(span: timedelta) -> int:
    """Return a span in ns, rounded down to whole milliseconds."""
    return (span // timedelta(milliseconds=1)) * NS_PER_MS
