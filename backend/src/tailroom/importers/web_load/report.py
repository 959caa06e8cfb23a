"""The text report of hey, oha and ghz: a summary, a histogram, percentiles, and answers without success.

Times are rounded to four decimals (hey, oha) or two (ghz). A row of the histogram counts the requests up to
its mark and above the previous mark. hey and ghz look up a percentile one rank later than its share, oha the
next rank. Source: hey `requester/report.go`, `print.go`; ghz `runner/reporter.go`, `printer/printer.go`; oha
`src/printer.rs`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate

from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.parsed_run import Claim, ParsedRun
from tailroom.importers.printed import amount, whole
from tailroom.importers.source import Source
from tailroom.importers.summaries import UNITS_NS, Summary, Time, all_series, rounded
from tailroom.importers.text_runs import PrintedRun, finished_if, sections

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
_TIMES = {"Slowest": "most", "Fastest": "least", "Average": "mean"}
_MARK_UNITS_NS = {"hey": NS_PER_S, "ghz": NS_PER_MS}
"""Units of the edges of the histogram; that of oha is not used."""
_FIRST_MILLION = 1_000_000
_SERVICE = "from sending a request to the end of its answer, connecting included where it was not connected"
_WHERE = {
    "Response time histogram": "marks",
    "Status code distribution": "status",
    "Error distribution": "error",
}


def bad_answers(statuses: Mapping[str, int]) -> int:
    """Return the number of answers of a status below 200 or from 400; texts do not count."""
    return sum(count for code, count in statuses.items() if code.isdigit() and not 200 <= int(code) < 400)


def add_statuses(
    run: PrintedRun, statuses: Mapping[str, int], line: int | None, bad: int, words: str
) -> None:
    """Add claims of answers by status; report `bad` ones, described by `words`, if over 0."""
    if bad:
        run.problems.add("status", f"{bad} {words}: their times are among the others", line)
    for code, count in statuses.items():
        run.add_count(f"status {code}", "operation_count", count, line)


@dataclass(slots=True)
class LoadReport(PrintedRun):
    """One report, with the numbers of the lines so far."""

    tool: str = ""
    summary: Summary = field(default_factory=lambda: Summary("request", 1, name="request", later_ranks=1))
    issued: int | None = None
    """Number of all calls, which only ghz prints."""
    marks: list[tuple[Time, int]] = field(default_factory=list)
    """Rows of the histogram: upper edge, and number of requests."""
    statuses: dict[str, int] = field(default_factory=dict)
    section: str = ""
    """The part of the report that is being read."""
    is_partial: bool = False
    """Whether the section covers a part of the answers (`2xx only`)."""

    def take(self, line_no: int, text: str) -> None:
        """Store the numbers of one line; ignore any other line."""
        summary = self.summary
        if (time := _TIME.fullmatch(text)) is not None and not self.section:
            self._store_time(time[1], rounded(time[2], _UNITS[time[3]], time[3]))
        elif (rate := _RATE.fullmatch(text)) is not None:
            summary.rate = amount(rate[1])
        elif (issued := _COUNT.fullmatch(text)) is not None:
            self.issued = whole(issued[1])
        elif (success := _SUCCESS.fullmatch(text)) is not None:
            self.add_number("request", "success_percent", amount(success[1]), line=self.line)
        elif (data := _DATA.fullmatch(text)) is not None:
            self._add_data_claim(line_no, data)
        elif (section := _SECTION.fullmatch(text)) is not None:
            self.section = _WHERE.get(section[1], section[1])
            self.is_partial = " only)" in text
        elif (quantile := _QUANTILE.fullmatch(text)) is not None:
            if not self.is_partial:
                summary.set_time(quantile[1], rounded(quantile[2], _UNITS[quantile[3]], quantile[3]))
        elif self.section == "marks" and (mark := _MARK.fullmatch(text)) is not None and self._uses_marks:
            at, count = rounded(mark[1], _MARK_UNITS_NS[self.tool], ""), whole(mark[2])
            if at is not None and count is not None:
                self.marks.append((at, count))
        elif self.section == "status" and (status := _STATUS.fullmatch(text)) is not None:
            self.statuses[status[1]] = whole(status[2]) or 0
        elif self.section == "error" and (error := _ERROR.fullmatch(text)) is not None:
            summary.errors += whole(error[1]) or 0
            self.problems.add("error", f"{error[1]} requests failed: {error[2][:120]}", line_no)

    @property
    def _uses_marks(self) -> bool:
        return not self.is_partial and self.tool in _MARK_UNITS_NS

    def _store_time(self, name: str, time: Time | None) -> None:
        if name == "Total":
            if self.duration_ns is None:
                self.set_duration(time, self.line)
        elif getattr(self.summary, _TIMES[name]) is None:
            setattr(self.summary, _TIMES[name], time)

    def _add_data_claim(self, line_no: int, match: re.Match[str]) -> None:
        size = amount(match[1])
        if size is not None:
            unit = _BYTES[match[2]]
            low, high = (size.value, size.value) if unit == 1 else (size.lower * unit, size.upper * unit)
            text = f"{match[1]} {match[2]}"
            claim = Claim("request", "transferred_bytes", text, float(low), float(high), line=line_no)
            self.claims.append(claim)

    def finish(self) -> ParsedRun:
        """Return the run; report and remove numbers of other requests than those counted. Call once."""
        answered = sum(self.statuses.values()) if self.statuses else None
        marked = sum(count for _, count in self.marks)
        summary = self.summary
        summary.line, summary.count = self.line, marked or answered
        if self.tool == "ghz" and not marked and self.issued is not None:
            summary.count = max(0, self.issued - summary.errors)
        cumulative = accumulate(count for _, count in self.marks)
        summary.below = [(mark, below) for (mark, _), below in zip(self.marks, cumulative, strict=True)]
        self._drop_unreliable(summary, answered)
        bad = bad_answers(self.statuses) if self.tool != "ghz" else 0
        add_statuses(self, self.statuses, self.line, bad, "answers with a status that is no success")
        self.add_count("total", "operation_count", self.issued)
        return self.parsed(
            self.tool,
            self.tool,
            [summary],
            all_series([summary], self.problems, _SERVICE),
            finished_if(
                self.statuses or summary.errors,
                "the report is whole",
                "the report ends before its status codes",
            ),
            without_series="no latencies: nothing was answered",
        )

    def _drop_unreliable(self, summary: Summary, answered: int | None) -> None:
        """Remove and report the numbers of `summary` that are not of exactly the `answered` requests."""
        if summary.count == 0:
            summary.drop_times()
        if answered is not None and answered > _FIRST_MILLION and self.tool == "hey":
            self.problems.add(
                "million",
                "hey keeps the times of the first million requests: its percentiles are of those, and its "
                "mean divides the times of all by a million; they are only shown",
                self.line,
            )
            self.claims += [claim for claim in summary.printed() if claim.quantity != "latency_min_ns"]
            summary.drop_times()
            summary.count = answered
        if self.tool == "ghz" and summary.errors and summary.mean is not None:
            self.problems.add(
                "mean", "the average is of all calls, also of those that failed; it is only shown", self.line
            )
            self.claims += [claim for claim in summary.printed() if claim.quantity == "latency_mean_ns"]
            summary.mean = None


def read_reports(source: Source, tool: str) -> Iterator[ParsedRun]:
    """Yield the run of each report of hey, oha or ghz in a file that has a rate, answers or errors."""

    def begin(line_no: int, text: str, _: LoadReport | None) -> LoadReport | None:
        return LoadReport(line_no, tool=tool) if _BEGIN.fullmatch(text) is not None else None

    for report in sections(source, begin, LoadReport.take):
        if report.summary.rate is not None or report.summary.errors or report.statuses:
            yield report.finish()


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
