"""The importer of bombardier: its text, and the JSON of `-p r -o json`.

Latencies are whole microseconds, counted each, with those of requests that failed among them; times of the
text are rounded to two decimals. A connection sends when its last request is answered, also with `-r`.
Source: bombardier `bombardier.go`, `templates.go`, `format.go`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tailroom.domain.units import NS_PER_S, NS_PER_US
from tailroom.importers.importer import Detection
from tailroom.importers.json_documents import (
    exact_time,
    json_count,
    json_document,
    json_number,
    json_object,
    json_objects,
    json_settings,
)
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.printed import printed, whole
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import UNITS_NS, Summary, Time, all_series, cut, rounded
from tailroom.importers.text_runs import PrintedRun, ToolImporter, finished_if, sections
from tailroom.importers.web_load.report import add_statuses

_BEGIN = re.compile(
    r"Bombarding (\S{1,400}) (?:for (\S{1,20})|with (\d{1,18}) request\(s\)) using (\d{1,9}) connection\(s\)"
)
_TITLE = re.compile(r"\s*Statistics\s+Avg\s+Stdev\s+Max")
_T = r"(\d{1,15}\.\d\d)(us|ms|s|m|h)"
_RATE = re.compile(r"\s*Reqs/sec\s+(\d{1,15}(?:\.\d\d)?)\s+(\d{1,15}(?:\.\d\d)?)\s+(\d{1,15}(?:\.\d\d)?)")
_LATENCY = re.compile(rf"\s*Latency\s+{_T}\s+{_T}\s+{_T}")
_QUANTILE = re.compile(rf"\s*(\d{{1,2}})%\s+{_T}")
_CODES = re.compile(
    r"\s*1xx - (\d{1,18}), 2xx - (\d{1,18}), 3xx - (\d{1,18}), 4xx - (\d{1,18}), 5xx - (\d{1,18})"
)
_OTHERS = re.compile(r"\s*others - (\d{1,18})")
_ERROR = re.compile(r"\s+(\S.{0,300}) - (\d{1,18})")
_THROUGHPUT = re.compile(r"\s*Throughput:\s+(\d{1,15}\.\d\d)([KMGT]?)B/s")
_GROUPS = ("1xx", "2xx", "3xx", "4xx", "5xx")
_STATUSES = {**{f"req{group}": group for group in _GROUPS}, "others": "others"}
_SETTINGS = {
    "numberOfConnections": "connections",
    "numberOfRequests": "requests",
    "rate": "rate_limit",
    "url": "url",
    "method": "method",
    "client": "client",
    "testType": "testType",
}
_SEMANTICS = (
    "from sending a request to the end of its answer, whole microseconds; requests that failed are among them"
)


@dataclass(slots=True)
class _BombardierRun(PrintedRun):
    """A test as far as it was read; `statuses` are numbers of answers by group (`2xx`, …, `others`)."""

    statuses: dict[str, int] = field(default_factory=dict)
    summary: Summary = field(
        default_factory=lambda: Summary("request", 1, name="Latency", exact_ns=NS_PER_US, later_ranks=1)
    )
    in_errors: bool = False
    ended: bool = False

    def take(self, line_no: int, text: str) -> None:
        """Store the numbers of one line of the text; ignore any other line."""
        if (rate := _RATE.fullmatch(text)) is not None:
            self.summary.rate = printed(rate[1])
            self.add_number("request", "rate_deviation_ops_per_s", printed(rate[2]))
            self.add_number("request", "rate_max_ops_per_s", printed(rate[3]))
        elif (latency := _LATENCY.fullmatch(text)) is not None:
            times = [rounded(latency[at], UNITS_NS[latency[at + 1]], latency[at + 1]) for at in (1, 3, 5)]
            self.summary.mean, self.summary.deviation, self.summary.most = times
            self.summary.line = line_no
        elif (quantile := _QUANTILE.fullmatch(text)) is not None:
            self.summary.set_time(quantile[1], rounded(quantile[2], UNITS_NS[quantile[3]], quantile[3]))
        elif (codes := _CODES.fullmatch(text)) is not None:
            for name, count in zip(_GROUPS, codes.groups(), strict=True):
                self.statuses[name] = whole(count) or 0
        elif (others := _OTHERS.fullmatch(text)) is not None:
            self.statuses["others"] = whole(others[1]) or 0
        elif text.strip() == "Errors:":
            self.in_errors = True
        elif (throughput := _THROUGHPUT.fullmatch(text)) is not None:
            self.ended, self.in_errors = True, False
            unit = 1_024 ** " KMGT".index(throughput[2] or " ")
            number, sign = printed(throughput[1]), f"{throughput[2]}B/s"
            self.add_number("request", "bandwidth_bytes_per_s", number, unit, sign=sign)
        elif self.in_errors and (error := _ERROR.fullmatch(text)) is not None:
            self.problems.add("error", f"{error[2]} requests failed: {error[1]}", line_no)

    def finish(self, form: str) -> ParsedRun:
        """Return the run in the format `form`; a text without its last line is reported as cut."""
        summary = self.summary
        if self.statuses:
            summary.count = sum(self.statuses.values())
        if summary.count == 0:
            summary.drop_times()
        bad = sum(self.statuses.get(name, 0) for name in ("4xx", "5xx", "others"))
        statuses = {name: count for name, count in self.statuses.items() if count}
        words = "requests that failed or whose status is no success"
        add_statuses(self, statuses, self.line, bad, words)
        ended = self.ended or form == "bombardier-json"
        return self.parsed(
            form,
            "bombardier",
            [summary],
            all_series([summary], self.problems, _SEMANTICS),
            finished_if(ended, "the report is whole", "the throughput at the end is missing"),
            without_series="no latencies",
            stated=["address", "connections"] if "url" in self.parameters else [],
        )


def _detect(head: Head) -> Detection | None:
    begin = head.text.lstrip()
    if '"numberOfConnections"' in head.text and '"result"' in head.text and "{" in begin[:4_096]:
        return Detection("bombardier-json", "bombardier", None, "JSON with `numberOfConnections`")
    if any(_TITLE.fullmatch(line) for line in head.lines) and "HTTP codes:" in head.text:
        return Detection("bombardier", "bombardier", None, "`Statistics Avg Stdev Max`")
    return None


def _begin(line_no: int, text: str, run: _BombardierRun | None) -> _BombardierRun | None:
    """Return the run begun by the banner, or else by the title of a table; None for other lines."""
    if (begin := _BEGIN.fullmatch(text)) is not None:
        length = {"duration": begin[2]} if begin[2] else {"requests": whole(begin[3])}
        return _BombardierRun(line_no, {"url": begin[1], "connections": whole(begin[4]), **length})
    if _TITLE.fullmatch(text) and (run is None or run.statuses):
        return _BombardierRun(line_no)
    return None


def _runs(source: Source) -> Iterator[ParsedRun]:
    """Yield every test of the text with results, or the run of the JSON if it has answers."""
    if '"numberOfConnections"' in source.head.text:
        run = _json_run(json_document(source, "bombardier"))
        yield from [run.finish("bombardier-json")] if run.statuses else []
        return
    for run in sections(source, _begin, _BombardierRun.take):
        if run.statuses or run.summary.mean is not None:
            yield run.finish("bombardier")


def _json_run(document: Mapping[str, Any]) -> _BombardierRun:
    """Return the run of the JSON: settings, answers by status, latencies, rates, the first 100 errors."""
    spec, result = json_object(document.get("spec")), json_object(document.get("result"))
    run = _BombardierRun(1, json_settings(spec, _SETTINGS, 400))
    for key, name in _STATUSES.items():
        count = json_count(result.get(key))
        if count is not None:
            run.statuses[name] = count
    latency, rates = json_object(result.get("latency")), json_object(result.get("rps"))
    run.summary.mean = exact_time(latency.get("mean"), NS_PER_US, "µs")
    run.summary.deviation = exact_time(latency.get("stddev"), NS_PER_US, "µs")
    run.summary.most = _whole_us(latency.get("max"))
    for key, value in json_object(latency.get("percentiles")).items():
        run.summary.set_time(key.strip(), _whole_us(value))
    run.summary.rate = json_number(rates.get("mean"))
    run.add_number("request", "rate_deviation_ops_per_s", json_number(rates.get("stddev")))
    run.add_number("request", "rate_max_ops_per_s", json_number(rates.get("max")))
    for key, quantity in (("bytesRead", "received_bytes"), ("bytesWritten", "sent_bytes")):
        run.add_number("request", quantity, json_number(result.get(key)))
    for error in json_objects(result.get("errors"))[:100]:
        words = str(error.get("description"))[:200]
        run.problems.add("error", f"{error.get('count')} requests failed: {words}")
    run.set_duration(exact_time(result.get("timeTakenSeconds"), NS_PER_S, "s"))
    return run


def _whole_us(value: object) -> Time | None:
    """Return a JSON number cut to whole microseconds, with equal bounds; None for other values."""
    number = json_number(value)
    time = None if number is None else cut(number.text, NS_PER_US, "µs")
    if number is None or time is None:
        return None
    at_ns = int(number.value) * NS_PER_US
    return Time(time.text, at_ns, at_ns)


BOMBARDIER = ToolImporter("bombardier", "bombardier", _detect, _runs)
