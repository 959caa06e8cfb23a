"""The text report of hey, oha and ghz: a summary, a histogram, percentiles.

Times are rounded to four decimals (hey, oha) or two (ghz). A row of the histogram counts the requests up to
its mark and above the previous mark. hey and ghz look up a percentile one rank later than its share, oha the
next rank. Source: hey `requester/report.go`, `print.go`; ghz
`runner/reporter.go`, `printer/printer.go`; oha `src/printer.rs`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate

from tailroom.domain.units import NS_PER_S
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun
from tailroom.importers.printed import Printed, amount, whole
from tailroom.importers.problems import Problems
from tailroom.importers.source import Source
from tailroom.importers.summaries import UNITS_NS, Summary, Time, all_series, rounded
from tailroom.importers.text_runs import MAX_RUNS, nothing_read, summarised_run, text_lines
from tailroom.importers.web_load.claims import bad_answers, duration_ns, number_claims, status_claims

_UNITS = {**UNITS_NS, "sec": NS_PER_S, "secs": NS_PER_S, "min": 60 * NS_PER_S, "hr": 3_600 * NS_PER_S}
_UNIT = "(secs?|min|hr|ns|us|µs|μs|ms|s|m|h)"
_BEGIN = re.compile(r"\s*Summary:")
_TIME = re.compile(rf"\s*(Total|Slowest|Fastest|Average):\s+(\d{{1,15}}(?:\.\d{{1,9}})?) {_UNIT}")
_COUNT = re.compile(r"\s*Count:\s+(\d{1,18})")
_SUCCESS = re.compile(r"\s*Success rate:\s+(\d{1,3}\.\d{1,9})%?")
_RATE = re.compile(r"\s*Requests/sec:\s+(\d{1,15}(?:\.\d{1,9})?)")
_DATA = re.compile(r"\s*Total data:\s+(\d{1,18}(?:\.\d{1,9})?) (bytes|B|KiB|MiB|GiB|TiB)")
_BYTES = {"bytes": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}
_QUANTILE = re.compile(rf"\s*(\d{{1,3}}(?:\.\d{{1,6}})?) ?%{{1,2}} in (\d{{1,15}}(?:\.\d{{1,9}})?) {_UNIT}")
_MARK = re.compile(r"\s*(\d{1,15}\.\d{3}) +\[(\d{1,18})\]\s*\|.*")
_SECTION = re.compile(r"\s*([A-Z][A-Za-z ]{3,40})(?: \(.{1,40}\))?:")
_STATUS = re.compile(r"\s*\[(\w{1,40})\]\s+(\d{1,18}) responses?")
_ERROR = re.compile(r"\s*\[(\d{1,18})\]\s+(\S.*)")
_FIRST_MILLION = 1_000_000
_SERVICE = "from sending a request to the end of its answer, connecting included where it was not connected"
_WHERE = {
    "Response time histogram": "marks",
    "Status code distribution": "status",
    "Error distribution": "error",
}


@dataclass(slots=True)
class LoadReport:
    """Parser of one report, which holds the numbers of the lines so far."""

    tool: str
    line: int
    mark_unit_ns: int
    """The unit of the edges of the histogram."""
    times: dict[str, Time] = field(default_factory=dict)
    """By name: `Total`, `Slowest`, `Fastest`, `Average`."""
    rate: Printed | None = None
    issued: int | None = None
    """Number of all calls, which only ghz prints."""
    success: Printed | None = None
    quantiles: list[tuple[Fraction, Time]] = field(default_factory=list)
    marks: list[tuple[Time, int]] = field(default_factory=list)
    """Rows of the histogram: upper edge, and number of requests."""
    statuses: dict[str, int] = field(default_factory=dict)
    errors: int = 0
    section: str = ""
    """The part of the report that is being read."""
    is_partial: bool = False
    """Whether the section covers a part of the answers (`2xx only`)."""
    claims: list[Claim] = field(default_factory=list)
    problems: Problems = field(default_factory=Problems)

    def take(self, line_no: int, text: str) -> None:
        """Store the numbers of one line; ignore any other line."""
        if (time := _TIME.fullmatch(text)) is not None and not self.section:
            time_rounded = rounded(time[2], _UNITS[time[3]], time[3])
            if time_rounded is not None:
                self.times.setdefault(time[1], time_rounded)
        elif (rate := _RATE.fullmatch(text)) is not None:
            self.rate = amount(rate[1])
        elif (issued := _COUNT.fullmatch(text)) is not None:
            self.issued = whole(issued[1])
        elif (success := _SUCCESS.fullmatch(text)) is not None:
            self.success = amount(success[1])
        elif (data := _DATA.fullmatch(text)) is not None:
            self._add_data_claim(line_no, data)
        elif (section := _SECTION.fullmatch(text)) is not None:
            self.section = _WHERE.get(section[1], section[1])
            self.is_partial = " only)" in text
        elif (quantile := _QUANTILE.fullmatch(text)) is not None:
            self._add_quantile(quantile)
        elif self.section == "marks" and (mark := _MARK.fullmatch(text)) is not None and not self.is_partial:
            at, count = rounded(mark[1], self.mark_unit_ns, ""), whole(mark[2])
            if at is not None and count is not None:
                self.marks.append((at, count))
        elif self.section == "status" and (status := _STATUS.fullmatch(text)) is not None:
            self.statuses[status[1]] = whole(status[2]) or 0
        elif self.section == "error" and (error := _ERROR.fullmatch(text)) is not None:
            self.errors += whole(error[1]) or 0
            self.problems.add("error", f"{error[1]} requests failed: {error[2][:120]}", line_no)

    def _add_data_claim(self, line_no: int, match: re.Match[str]) -> None:
        """Add the claim of the transferred bytes."""
        size = amount(match[1])
        if size is not None:
            unit = _BYTES[match[2]]
            low, high = (size.value, size.value) if unit == 1 else (size.lower * unit, size.upper * unit)
            text = f"{match[1]} {match[2]}"
            claim = Claim("request", "transferred_bytes", text, float(low), float(high), line=line_no)
            self.claims.append(claim)

    def _add_quantile(self, match: re.Match[str]) -> None:
        share, time = Fraction(match[1]) / 100, rounded(match[2], _UNITS[match[3]], match[3])
        if time is not None and 0 < share < 1 and not self.is_partial:
            self.quantiles.append((share, time))

    def finish(self) -> ParsedRun:
        """Return the run of the lines so far."""
        answered = sum(self.statuses.values()) if self.statuses else None
        marked = sum(count for _, count in self.marks)
        summary = Summary("request", self.line, name="request", rate=self.rate, later_ranks=1)
        summary.count = answered if self.tool == "oha" or not marked else marked
        if self.tool == "ghz" and not marked and self.issued is not None:
            summary.count = max(0, self.issued - self.errors)
        summary.errors = self.errors
        summary.mean, summary.least = self.times.get("Average"), self.times.get("Fastest")
        summary.most, summary.quantiles = self.times.get("Slowest"), self.quantiles
        if self.tool != "oha":
            cumulative = accumulate(count for _, count in self.marks)
            summary.below = [(mark, below) for (mark, _), below in zip(self.marks, cumulative, strict=True)]
        self._drop_unreliable(summary, answered)
        bad = bad_answers(self.statuses) if self.tool != "ghz" else 0
        claims = status_claims(
            self.statuses, self.problems, self.line, bad=bad, words="answers with a status that is no success"
        )
        if self.issued is not None:
            claims.append(Claim.of_count("total", "operation_count", self.issued))
        total = self.times.get("Total")
        if total is not None:
            claims.append(total.claim("total", "duration_ns", self.line))
        claims += number_claims("request", "success_percent", self.success, line=self.line)
        series = all_series([summary], self.problems, _SERVICE)
        if not series:
            self.problems.add("none", "no latencies: nothing was answered", self.line)
        is_whole = bool(self.statuses or self.errors)
        return summarised_run(
            self.tool,
            self.tool,
            [summary],
            series,
            self.problems,
            state=EndState.FINISHED if is_whole else EndState.UNKNOWN,
            state_text="the report is whole" if is_whole else "the report ends before its status codes",
            claims=[*claims, *self.claims],
            duration_ns=duration_ns(total),
        )

    def _drop_unreliable(self, summary: Summary, answered: int | None) -> None:
        """Remove the numbers of `summary` that are not of exactly the counted requests, and report them.

        `answered` is the number of answers of all statuses.
        """
        if summary.count == 0:
            summary.quantiles, summary.below = [], []
            summary.mean = summary.least = summary.most = None
        if answered is not None and answered > _FIRST_MILLION and self.tool == "hey":
            self.problems.add(
                "million",
                "hey keeps the times of the first million requests: its percentiles are of those, and its "
                "mean divides the times of all by a million; they are only shown",
                self.line,
            )
            self.claims += [claim for claim in summary.printed() if claim.quantity != "latency_min_ns"]
            summary.quantiles, summary.below, summary.count = [], [], answered
            summary.mean = summary.least = summary.most = None
        if self.tool == "ghz" and self.errors and summary.mean is not None:
            self.problems.add(
                "mean", "the average is of all calls, also of those that failed; it is only shown", self.line
            )
            self.claims += [claim for claim in summary.printed() if claim.quantity == "latency_mean_ns"]
            summary.mean = None


def read_reports(source: Source, tool: str, *, mark_unit_ns: int) -> list[ParsedRun]:
    """Return the run of each report of hey, oha or ghz in a file. Raise ContentUnreadable without a report.

    `mark_unit_ns` is the unit of the histogram, 0 for that of oha, which is not used.
    """
    reports = list(_reports(source, tool, mark_unit_ns))
    filled = [report for report in reports if report.rate is not None or report.errors or report.statuses]
    if not filled:
        raise nothing_read(source, tool)
    return [report.finish() for report in filled]


def _reports(source: Source, tool: str, mark_unit_ns: int) -> Iterator[LoadReport]:
    """Yield the first MAX_RUNS reports of a file, each from its line `Summary:` on."""
    report: LoadReport | None = None
    number = 0
    for line_no, text in text_lines(source):
        if _BEGIN.fullmatch(text):
            if report is not None:
                yield report
            number += 1
            report = LoadReport(tool, line_no, mark_unit_ns) if number <= MAX_RUNS else None
        elif report is not None:
            report.take(line_no, text)
    if report is not None:
        yield report


def report_tool(text: str) -> str | None:
    """Return the tool whose text report begins in a text: `hey`, `oha` or `ghz`; None without a report."""
    match = re.search(r"(?m)^[ \t]*Summary:[ \t]*$", text)
    if match is None:
        return None
    head = text[match.end() : match.end() + 1_000]
    if "Success rate:" in head and "Requests/sec:" in head:
        return "oha"
    if re.search(r"(?m)^[ \t]*Count:\s+\d", head) and "Fastest:" in head:
        return "ghz"
    return "hey" if re.search(r"(?m)^[ \t]*Slowest:\s+[\d.]+ secs", head) else None
