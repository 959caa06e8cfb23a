"""The importer of wrk and wrk2: HTTP requests, whatever they do behind their address.

wrk waits for an answer before it sends again, and adds values to its statistics for requests that it would
have sent meanwhile (`stats_correct`), so that the number of values behind its percentiles is unknown. wrk2
sends on a schedule (`-R`), measures from there, and prints an HdrHistogram of three digits without the time
of its calibration. Times have two decimals, in a unit chosen by size. Source: `wrk.c`, `units.c` of both.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import LatencyRecord
from tailroom.domain.units import NS_PER_MS, NS_PER_S, NS_PER_US
from tailroom.importers.hdr_log.percentile_table import PercentileTable, record_of
from tailroom.importers.importer import Detection
from tailroom.importers.parsed_run import Claim, ParsedRun, ParsedSeries
from tailroom.importers.printed import Printed, printed, whole
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import THREE_DIGITS, UNITS_NS, Summary, Time, rounded
from tailroom.importers.text_runs import PrintedRun, ToolImporter, finished_if, sections

_BEGIN = re.compile(r"\s*(?:Running (\S{1,20}) test @|Making (\d{1,18}) requests to) (\S{1,400})")
"""Up to 3.0 wrk ended after a number of requests instead of a time."""
_THREADS = re.compile(r"\s*(\d{1,9}) threads and (\d{1,9}) connections")
_TIME = r"(\d{1,15}\.\d\d)(us|ms|s|m|h)"
_LATENCY = re.compile(rf"\s*Latency\s+{_TIME}\s+{_TIME}\s+{_TIME}\s+[\d.]{{1,12}}%")
_QUANTILE = re.compile(rf"\s*(\d{{1,3}}(?:\.\d{{1,6}})?)%\s+{_TIME}")
_OF_SCRIPT = re.compile(r"p(\d{1,2}(?:\.\d{1,6})?) latency,(\d{1,15}(?:\.\d{1,9})?),(us|ms|s)")
_DISTRIBUTION = re.compile(r"\s*Latency Distribution(?: \(HdrHistogram - (.{1,100})\))?")
_REQUESTS = re.compile(r"\s*(\d{1,18}) requests in (\S{1,20}), {1,9}(\S{1,20})B read")
_SOCKET = re.compile(
    r"\s*Socket errors: connect (\d{1,18}), read (\d{1,18}), write (\d{1,18}), timeout (\d{1,18})"
)
_STATUS = re.compile(r"\s*Non-2xx or 3xx responses: (\d{1,18})")
_RATE = re.compile(r"\s*Requests/sec:\s+(\d{1,15}(?:\.\d{1,2})?)")
_TRANSFER = re.compile(r"Transfer/sec:\s+(\d{1,15}\.\d\d)([KMGTP]?)B")
_SPECTRUM = re.compile(r"\s*Detailed Percentile spectrum:")
_UNCORRECTED = "Uncorrected"
_PREFIXES = " KMGTP"
_ROUNDED = 1_000
"""A printed time is used as the running time if its bounds differ by at most its 1,000th part."""

_WRK = (
    "from sending a request to the last byte of its answer, whole microseconds; percentiles are of these and "
    "of values that wrk adds for requests it would have sent meanwhile"
)
_WRK2 = "from the moment at which the schedule (-R) meant to send a request to the last byte of its answer"
_AS_SENT = "from sending a request to the last byte of its answer (uncorrected)"


@dataclass(slots=True)
class _PrintedDistribution:
    """A latency distribution as printed. `uncorrected`: timed from sending, not from the schedule."""

    summary: Summary
    table: PercentileTable = field(default_factory=PercentileTable)
    uncorrected: bool = False


@dataclass(slots=True)
class _WrkRun(PrintedRun):
    """A test as read so far: `parts` are distributions, `in_table`: percentiles of wrk2 are being read."""

    parts: list[_PrintedDistribution] = field(default_factory=list)
    is_wrk2: bool = False
    in_table: bool = False
    requests: int | None = None
    duration: Time | None = None
    rate: Printed | None = None
    ended: bool = False

    @property
    def part(self) -> _PrintedDistribution:
        """The last distribution, to which lines belong; the first is made on access."""
        if not self.parts:
            self.parts.append(
                _PrintedDistribution(Summary("request", self.line, exact_ns=NS_PER_US, name="Latency"))
            )
        return self.parts[-1]

    def take(self, line_no: int, text: str) -> None:
        """Store the content of a line of wrk or wrk2, or a percentile that a script prints; ignore others."""
        if (latency := _LATENCY.fullmatch(text)) is not None:
            part = self.part.summary
            times = [rounded(latency[at], UNITS_NS[latency[at + 1]], latency[at + 1]) for at in (1, 3, 5)]
            part.mean, part.deviation, part.most = times
        elif (distribution := _DISTRIBUTION.fullmatch(text)) is not None:
            self._begin_distribution(line_no, distribution[1])
        elif _SPECTRUM.fullmatch(text):
            self.in_table = True
        elif (quantile := _QUANTILE.fullmatch(text)) is not None:
            self._add_quantile(quantile[1], quantile[2], quantile[3])
        elif (script := _OF_SCRIPT.fullmatch(text)) is not None:
            self._add_quantile(script[1], script[2], script[3])
        elif self.in_table and (text.startswith(("#[", " ")) or not text):
            self._add_table_line(line_no, text)
        else:
            self.in_table = False
            self._store_totals(line_no, text)

    def _begin_distribution(self, line_no: int, words: str | None) -> None:
        """Begin a distribution by its title; `words` is its name in wrk2, None in wrk."""
        self.is_wrk2 = self.is_wrk2 or words is not None
        if words is not None and words.startswith(_UNCORRECTED):
            name = "Uncorrected Latency"
            summary = Summary("request", line_no, exact_ns=NS_PER_US, name=name)
            self.parts.append(_PrintedDistribution(summary, uncorrected=True))
        self.part.summary.line = line_no

    def _add_quantile(self, share: str, text: str, unit: str) -> None:
        """Add a percentile (in per cent) to the last distribution; ignore impossible times and shares."""
        time = rounded(text, UNITS_NS[unit], unit)
        if time is not None and Fraction(share) <= 100:
            self.part.summary.quantiles.append((Fraction(share) / 100, time))

    def _add_table_line(self, line_no: int, text: str) -> None:
        if _REQUESTS.fullmatch(text):
            self.in_table = False
            self._store_totals(line_no, text)
        elif not self.part.table.line(line_no, text):
            self.in_table = False

    def _store_totals(self, line_no: int, text: str) -> None:
        if (threads := _THREADS.fullmatch(text)) is not None:
            self.parameters.update(threads=int(threads[1]), connections=int(threads[2]))
        elif "Thread calibration" in text:
            self.is_wrk2 = True
        elif (requests := _REQUESTS.fullmatch(text)) is not None:
            self.requests = whole(requests[1])
            match = re.fullmatch(_TIME, requests[2])
            self.duration = None if match is None else rounded(match[1], UNITS_NS[match[2]], match[2])
            if self.duration is not None:
                shown = replace(self.duration, text=requests[2])
                self.add_time("total", "duration_ns", shown, line_no)
            self.add_count("total", "operation_count", self.requests, line_no)
        elif (errors := _SOCKET.fullmatch(text)) is not None:
            each = text.strip().removeprefix("Socket errors: ")
            self._add_errors(line_no, text.strip(), sum(int(group) for group in errors.groups()), each)
        elif (status := _STATUS.fullmatch(text)) is not None:
            self._add_errors(line_no, text.strip(), int(status[1]), status[1])
        elif (rate := _RATE.fullmatch(text)) is not None:
            self.ended = True
            number = printed(rate[1])
            self.rate = number if number is not None and number.digits > 0 else None
            self.add_number("total", "throughput_ops_per_s", number, 1, line_no)
        elif (transfer := _TRANSFER.fullmatch(text)) is not None:
            unit = 1024 ** (_PREFIXES.index(transfer[2]) if transfer[2] else 0)
            sign = f" {transfer[2]}B/s"
            self.add_number("total", "bandwidth_bytes_per_s", printed(transfer[1]), unit, line_no, sign=sign)

    def _add_errors(self, line_no: int, text: str, count: int, stated: str) -> None:
        """Add `count` failed requests of the line `text`, and report them; the claim shows `stated`."""
        self.claims.append(Claim("total", "error_count", stated, count, count, line=line_no))
        self.problems.add("errors", f"{text}: their times may be among the others", line_no)

    def finish(self) -> ParsedRun:
        """Return the test as a run, without series if there were no requests or latencies. Call once."""
        tool = "wrk2" if self.is_wrk2 else "wrk"
        parts = [] if self.requests == 0 else self.parts
        series = [of_part for of_part in map(self._series, parts) if of_part is not None]
        self.duration_ns = self._duration_ns()
        words = "the rate was printed at the end"
        return self.parsed(
            tool,
            tool,
            [part.summary for part in parts],
            series,
            finished_if(self.ended, words, "the rate at the end is missing: the output is cut"),
            without_series="no latencies",
            closed_loop=not self.is_wrk2,
            stated=["address", "connections"] if "url" in self.parameters else ["connections"],
        )

    def _duration_ns(self) -> int | None:
        """Return the running time in ns: requests by rate if that fits, else the printed time, else None."""
        if self.duration is None:
            return None
        ends = self.duration
        if ends.upper_ns - ends.lower_ns > ends.upper_ns // _ROUNDED and self.requests and self.rate:
            calculated = round(self.requests * NS_PER_S / self.rate.value)
            if ends.lower_ns <= calculated <= ends.upper_ns:
                return calculated
        return ends.middle_ns

    def _series(self, part: _PrintedDistribution) -> ParsedSeries | None:
        summary = part.summary
        summary.clock = "response" if self.is_wrk2 and not part.uncorrected else "service"
        semantics = _AS_SENT if part.uncorrected else _WRK2 if self.is_wrk2 else _WRK
        record = self._table_record(part)
        if record is None:
            if self.is_wrk2:
                # The printed percentiles are buckets of an HdrHistogram with three digits.
                summary.quantiles = [(share, time.widened(THREE_DIGITS)) for share, time in summary.quantiles]
            return summary.series(self.problems, semantics)
        return summary.series_of(record, semantics)

    def _table_record(self, part: _PrintedDistribution) -> LatencyRecord | None:
        """Return the record of the detailed percentiles; None without any, or (reported) if contradictory."""
        rows = part.table.rows
        if not rows or not rows[-1][1]:
            return None
        for problem in part.table.problems:
            self.problems.add("table", problem.reason, problem.line)
        total = max(rows[-1][1], part.table.foot_total or 0)
        if part.table.foot_total not in (None, rows[-1][1]):
            reason = "the spectrum is cut: its foot counts more"
            self.problems.error("foot", reason, part.summary.line)
        try:
            record = record_of(rows, total, NS_PER_MS)
        except DomainError as error:
            self.problems.error("table", str(error), part.summary.line)
            return None
        self._compare(part.summary, record)
        return record

    def _compare(self, summary: Summary, record: LatencyRecord) -> None:
        for share, time in summary.quantiles:
            ends, wide = record.quantile_bounds(float(share)), time.widened(THREE_DIGITS)
            above = ends.upper_ns is not None and wide.lower_ns > ends.upper_ns
            if share < 1 and (above or wide.upper_ns < (ends.lower_ns or 0)):
                self.problems.add(
                    "quantile",
                    f"{float(share):.3%} at {time.text} does not match the spectrum; only shown",
                    summary.line,
                )


def _detect(head: Head) -> Detection | None:
    seen = [any(sign.fullmatch(line) for line in head.lines) for sign in (_BEGIN, _THREADS, _LATENCY)]
    if sum(seen) < 2:
        return None
    is_wrk2 = "Thread calibration" in head.text or "(HdrHistogram - " in head.text
    tool = "wrk2" if is_wrk2 else "wrk"
    return Detection(tool, tool, None, "`Running … test @ …`, threads and connections")


def _begin(line_no: int, text: str, run: _WrkRun | None) -> _WrkRun | None:
    """Return the test that a line begins, with its length and address, or with its threads; else None."""
    if (match := _BEGIN.fullmatch(text)) is not None:
        length = {"duration": match[1]} if match[1] else {"requests": whole(match[2])}
        return _WrkRun(line_no, {**length, "url": match[3]})
    if _THREADS.fullmatch(text) and (run is None or "threads" in run.parameters):
        # A part of an output, without the line that names the address.
        begun = _WrkRun(line_no)
        begun.take(line_no, text)
        return begun
    return None


def _runs(source: Source) -> Iterator[ParsedRun]:
    return (run.finish() for run in sections(source, _begin, _WrkRun.take) if run.parts or run.claims)


WRK = ToolImporter("wrk", "wrk", _detect, _runs)
