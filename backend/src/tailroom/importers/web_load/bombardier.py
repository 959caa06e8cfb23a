"""The importer of bombardier: its text, and the JSON of `-p r -o json`.

Latencies are whole microseconds, counted each, with those of requests that failed among them; times of the
text are rounded to two decimals. A connection sends when its last request is answered, also with `-r`.
Source: bombardier `bombardier.go`, `templates.go`, `format.go`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from tailroom.domain.units import NS_PER_S, NS_PER_US
from tailroom.importers.importer import Detection
from tailroom.importers.json_documents import exact_time, json_count, json_document, json_number, json_object
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, Value
from tailroom.importers.printed import printed, whole
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import UNITS_NS, Summary, Time, all_series, cut, rounded
from tailroom.importers.text_runs import MAX_RUNS, nothing_read, summarised_run, text_lines
from tailroom.importers.web_load.claims import duration_ns, number_claims, status_claims

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
_SEMANTICS = (
    "from sending a request to the end of its answer, whole microseconds; requests that failed are among them"
)


@dataclass(slots=True)
class _BombardierRun:
    """A test as far as it was read; `statuses` are numbers of answers by group (`2xx`, …, `others`)."""

    line: int
    parameters: dict[str, Value] = field(default_factory=dict)
    statuses: dict[str, int] = field(default_factory=dict)
    summary: Summary = field(
        default_factory=lambda: Summary("request", 1, name="Latency", exact_ns=NS_PER_US)
    )
    claims: list[Claim] = field(default_factory=list)
    problems: Problems = field(default_factory=Problems)
    in_errors: bool = False
    ended: bool = False

    def take(self, line_no: int, text: str) -> None:
        """Store the numbers of one line of the text; ignore any other line."""
        if (rate := _RATE.fullmatch(text)) is not None:
            self.summary.rate = printed(rate[1])
            self.claims += number_claims("request", "rate_deviation_ops_per_s", printed(rate[2]))
            self.claims += number_claims("request", "rate_max_ops_per_s", printed(rate[3]))
        elif (latency := _LATENCY.fullmatch(text)) is not None:
            times = [rounded(latency[at], UNITS_NS[latency[at + 1]], latency[at + 1]) for at in (1, 3, 5)]
            self.summary.mean, self.summary.deviation, self.summary.most = times
            self.summary.line = line_no
        elif (quantile := _QUANTILE.fullmatch(text)) is not None:
            time = rounded(quantile[2], UNITS_NS[quantile[3]], quantile[3])
            if time is not None and int(quantile[1]) > 0:
                self.summary.quantiles.append((Fraction(int(quantile[1]), 100), time))
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
            number, shown = printed(throughput[1]), text.rsplit(maxsplit=1)[-1]
            if number is not None:
                self.claims.append(Claim("request", "bandwidth_bytes_per_s", shown, *number.ends(unit)))
        elif self.in_errors and (error := _ERROR.fullmatch(text)) is not None:
            self.problems.add("error", f"{error[2]} requests failed: {error[1]}", line_no)

    def finish(self, form: str, duration: Time | None = None) -> ParsedRun:
        """Return the run in the format `form`, with the stated running time (`duration`).

        The text is cut if it has no throughput at its end; JSON never is.
        """
        summary = self.summary
        if self.statuses:
            summary.count = sum(self.statuses.values())
        summary.later_ranks = 1
        if summary.count == 0:
            summary.mean = summary.deviation = summary.most = None
            summary.quantiles = []
        bad = sum(self.statuses.get(name, 0) for name in ("4xx", "5xx", "others"))
        claims = status_claims(
            {name: count for name, count in self.statuses.items() if count},
            self.problems,
            self.line,
            bad=bad,
            words="requests that failed or whose status is no success",
        )
        series = all_series([summary], self.problems, _SEMANTICS)
        if not series:
            self.problems.add("none", "no latencies", self.line)
        ended = self.ended or form == "bombardier-json"
        return summarised_run(
            form,
            "bombardier",
            [summary],
            series,
            self.problems,
            state=EndState.FINISHED if ended else EndState.UNKNOWN,
            state_text="the report is whole" if ended else "the throughput at the end is missing",
            claims=[*claims, *self.claims],
            parameters=self.parameters,
            duration_ns=duration_ns(duration),
            stated=["address", "connections"] if "url" in self.parameters else [],
        )


@dataclass(frozen=True, slots=True)
class BombardierImporter:
    """Importer of bombardier's text and JSON."""

    name: str = "bombardier"
    looks_for: str = "`Statistics Avg Stdev Max` with `Reqs/sec`, or JSON with `numberOfConnections`"

    def detect(self, head: Head) -> Detection | None:
        """Recognise the format by the title of its table, or the keys of the JSON.

        None for any other file.
        """
        begin = head.text.lstrip()
        if '"numberOfConnections"' in head.text and '"result"' in head.text and "{" in begin[:4_096]:
            return Detection("bombardier-json", "bombardier", None, "JSON with `numberOfConnections`")
        if any(_TITLE.fullmatch(line) for line in head.lines) and "HTTP codes:" in head.text:
            return Detection("bombardier", "bombardier", None, "`Statistics Avg Stdev Max`")
        return None

    def parse(self, source: Source, beside: Sequence[Source]) -> list[ParsedRun]:  # noqa: ARG002
        """Return every test of the text, or the run of the JSON. Raise ContentUnreadable without results."""
        if '"numberOfConnections"' in source.head.text:
            return [_json_run(source)]
        runs: list[_BombardierRun] = []
        for line_no, text in text_lines(source):
            begin = _BEGIN.fullmatch(text)
            if begin is not None and len(runs) < MAX_RUNS:
                length = {"duration": begin[2]} if begin[2] else {"requests": whole(begin[3])}
                runs.append(
                    _BombardierRun(line_no, {"url": begin[1], "connections": whole(begin[4]), **length})
                )
            elif _TITLE.fullmatch(text) and (not runs or runs[-1].statuses) and len(runs) < MAX_RUNS:
                runs.append(_BombardierRun(line_no))
            elif runs:
                runs[-1].take(line_no, text)
        filled = [run for run in runs if run.statuses or run.summary.mean is not None]
        if not filled:
            raise nothing_read(source, "bombardier")
        return [run.finish("bombardier") for run in filled]


def _json_run(source: Source) -> ParsedRun:
    """Return the run of the JSON. Raise ContentUnreadable without numbers of answers."""
    document = json_document(source, "bombardier")
    spec, result = json_object(document.get("spec")), json_object(document.get("result"))
    run = _BombardierRun(1)
    for key, name in (
        ("numberOfConnections", "connections"),
        ("numberOfRequests", "requests"),
        ("rate", "rate_limit"),
    ):
        setting = json_count(spec.get(key))
        if setting is not None:
            run.parameters[name] = setting
    for key in ("url", "method", "client", "testType"):
        text = spec.get(key)
        if isinstance(text, str):
            run.parameters[key] = text[:400]
    for key, name in zip(
        ("req1xx", "req2xx", "req3xx", "req4xx", "req5xx", "others"), (*_GROUPS, "others"), strict=True
    ):
        count = json_count(result.get(key))
        if count is not None:
            run.statuses[name] = count
    latency, rates = json_object(result.get("latency")), json_object(result.get("rps"))
    run.summary.mean = exact_time(latency.get("mean"), NS_PER_US, "µs")
    run.summary.deviation = exact_time(latency.get("stddev"), NS_PER_US, "µs")
    run.summary.most = _whole_us(latency.get("max"))
    for key, value in json_object(latency.get("percentiles")).items():
        share, time = whole(key.strip()), _whole_us(value)
        if share is not None and time is not None and 0 < share < 100:
            run.summary.quantiles.append((Fraction(share, 100), time))
    run.summary.rate = json_number(rates.get("mean"))
    run.claims += number_claims("request", "rate_deviation_ops_per_s", json_number(rates.get("stddev")))
    run.claims += number_claims("request", "rate_max_ops_per_s", json_number(rates.get("max")))
    for key, quantity in (("bytesRead", "received_bytes"), ("bytesWritten", "sent_bytes")):
        run.claims += number_claims("request", quantity, json_number(result.get(key)))
    errors = result.get("errors")
    for error in errors[:100] if isinstance(errors, list) else ():
        entry = json_object(error)
        run.problems.add(
            "error", f"{entry.get('count')} requests failed: {str(entry.get('description'))[:200]}"
        )
    duration = exact_time(result.get("timeTakenSeconds"), NS_PER_S, "s")
    if duration is not None:
        run.claims.append(duration.claim("total", "duration_ns"))
    if not run.statuses:
        raise nothing_read(source, "bombardier")
    return run.finish("bombardier-json", duration)


def _whole_us(value: object) -> Time | None:
    """Return a JSON number of microseconds cut to a whole number, with equal bounds.

    None for any other value.
    """
    number = json_number(value)
    time = None if number is None else cut(number.text, NS_PER_US, "µs")
    if number is None or time is None:
        return None
    at_ns = int(number.value) * NS_PER_US
    return Time(time.text, at_ns, at_ns)


BOMBARDIER = BombardierImporter()
