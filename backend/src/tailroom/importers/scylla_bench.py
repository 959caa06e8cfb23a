"""The importer of scylla-bench.

It prints durations as Go does: `raw` from sending, `c-o fixed` from the moment at which its schedule meant to
send. Numbers are the last value of a bucket of an HdrHistogram of three digits whose finest bucket is the
largest power of two up to 50 µs, in the unit of `-hdr-latency-units` (nanoseconds, microseconds or
milliseconds, to which latencies are cut). Since 0.2 latencies over three time-outs are counted as that long;
before, they were left out. Rows during the test do not state their number of operations. Source: scylla-bench
`pkg/testrun`, `pkg/worker`, `pkg/results`, `main.go`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.units import NS_PER_MS, NS_PER_US, ceil_div
from tailroom.importers.importer import Detection
from tailroom.importers.parsed_run import Claim, ParsedRun
from tailroom.importers.printed import amount, whole
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.statements import MAX_TIME_NS, bucket_around_ns
from tailroom.importers.summaries import Summary, Time, all_series, go_duration
from tailroom.importers.text_runs import PrintedRun, ToolImporter, finished_if, sections

_FACT = re.compile(r"([A-Z][\w /()-]{1,40}):[ \t]+(\S.{0,120})")
_LATENCY = re.compile(r"(raw|c-o fixed)(?: (read|write))? latency :|Latency:")
_VALUE = re.compile(r"\s+(max|99\.9th|99th|95th|90th|median|mean):\s+(\S{1,40})")
_ROW = re.compile(
    r"\s*(\S{1,20})\s+(\d{1,12})\s+\d{1,12}\s+\d{1,12}((?:\s+[\d.]+[a-zµμ]{1,2}\S{0,20}){7})\s*"
)
_SHARES = {1: 0.999, 2: 0.99, 3: 0.95, 4: 0.9, 5: 0.5}
_MOST_ROWS = 5_000
_FINEST = HdrLayout(1 << 15)
_LAYOUTS = tuple(
    (tick_ns, HdrLayout(unit_ns, digits))
    for tick_ns, unit_ns in (
        (NS_PER_MS, NS_PER_MS),
        (NS_PER_US, 32 * NS_PER_US),
        (NS_PER_US, NS_PER_US),
        (1, _FINEST.unit_ns),
        (1, 1),
    )
    for digits in (1, 2, 3, 4, 5)
)
"""Unit of the numbers, and buckets; wider buckets first, because their numbers fit narrower buckets, too."""
_RAW = "one request, from sending it to its answer"
_FIXED = "one request, from the moment at which the rate limit meant to send it to its answer"


def _detect(head: Head) -> Detection | None:
    lines = [line.strip() for line in head.lines]
    results = any(line.startswith("Total ops:") for line in lines)
    latency = any(_LATENCY.fullmatch(line) for line in lines)
    settings = "Clustering row size:" in head.text and "Rows per request:" in head.text
    if (results and latency) or settings:
        return Detection("scylla-bench", "scylla-bench", None, "`Total ops:`, `raw latency :` and settings")
    return None


def _begin(line_no: int, text: str, output: "_TestOutput | None") -> "_TestOutput | None":
    """Return the output begun by the first line of the file or of the next test; None for other lines."""
    if output is not None and not output.is_over(text.strip()):
        return None
    begun = _TestOutput(1)
    begun.take(line_no, text)
    return begun


def _runs(source: Source) -> Iterator[ParsedRun]:
    """Yield a run for each test with results; a test begins with `Configuration` or another `Time (avg)`."""
    return (each.finish() for each in sections(source, _begin, _TestOutput.take) if each.has_result)


@dataclass(slots=True)
class _TestOutput(PrintedRun):
    """The output of one test as far as it was read."""

    facts: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Lines `name: text`, each with its number."""
    parts: list[tuple[str, str | None, Summary]] = field(default_factory=list)
    """Latencies: `raw` or `c-o fixed`, `read`, `write` or None for all, and their numbers."""
    course: list[Claim] = field(default_factory=list)
    """Claims of the rows that are printed during the test."""
    rows: int = 0
    ended_ns: int = 0
    """End of the last row, from the start of the test."""

    @property
    def has_result(self) -> bool:
        """Whether there are latencies, valid rows, or the number of operations."""
        return bool(self.parts or self.course) or "Total ops" in self.facts

    def is_over(self, text: str) -> bool:
        """Return whether a line begins the output of the next test."""
        return (text == "Configuration" and bool(self.facts)) or (
            text.startswith("Time (avg):") and "Time (avg)" in self.facts
        )

    def take(self, line_no: int, text: str) -> None:
        """Store the content of one line; ignore lines of other programs, and rows after the first 5,000."""
        if self.rows < _MOST_ROWS and (row := _ROW.fullmatch(text)) is not None:
            self.rows += 1
            self.ended_ns = _add_row_claims(line_no, row, self.ended_ns, self.course)
        elif (title := _LATENCY.fullmatch(text.strip())) is not None:
            summary = Summary("total", line_no, name=text.strip(" :"))
            self.parts.append((title[1] or "raw", title[2], summary))
        elif self.parts and (value := _VALUE.fullmatch(text)) is not None:
            self.parts[-1][2].set_time(value[1], go_duration(value[2]))
        elif (fact := _FACT.fullmatch(text.strip())) is not None:
            self.facts.setdefault(fact[1], (line_no, fact[2]))

    def finish(self) -> ParsedRun:
        """Return the run of the test; the last row gives its length if the results are missing."""
        mode = self.fact("Mode").lower()
        operation = mode if mode in ("read", "write", "scan") else "total"
        errors = whole(self.fact("Total errors")) or 0
        summaries = list(_summaries(self.parts, operation, whole(self.fact("Total ops"))))
        timeout, time = go_duration(self.fact("Timeout")), go_duration(self.fact("Time (avg)"))
        limit_ns = None if timeout is None else 3 * _ns(timeout)
        for summary in summaries:
            summary.errors = errors if summary.count is not None else 0
            self.claims += _replace_by_buckets(summary, limit_ns, self.problems)
        series = [
            parsed
            for summary in summaries
            for parsed in all_series(
                [summary], self.problems, _FIXED if summary.clock == "response" else _RAW
            )
        ]
        rate = amount(self.fact("Operations/s"))
        if rate is not None:
            line, low, high = self.facts["Operations/s"][0], float(rate.value), float(rate.value + rate.ulp)
            self.claims.append(Claim("total", "throughput_ops_per_s", rate.text, low, high, line=line))
        self.claims += self.course
        self.parameters = {name.lower(): value for name, (_, value) in self.facts.items()}
        self.duration_ns = (0 if time is None else _ns(time)) or self.ended_ns or None
        is_complete = "Operations/s" in self.facts
        return self.parsed(
            "scylla-bench",
            "scylla-bench",
            summaries[:1],
            series,
            finished_if(is_complete, "the results were printed", "the results are missing or cut"),
            closed_loop="unlimited" in self.facts.get("Maximum rate", (0, "unlimited"))[1],
            stated=["connections", "keys", "value_bytes"],
        )

    def fact(self, name: str) -> str:
        """Return the text of a line `name: text`; empty without it."""
        return self.facts.get(name, (0, ""))[1]


def _add_row_claims(line_no: int, row: re.Match[str], begin_ns: int, into: list[Claim]) -> int:
    """Add claims of a row from `begin_ns` to `into`; return its end in ns, or `begin_ns` if invalid."""
    end, times = go_duration(row[1]), [go_duration(text) for text in row[3].split()]
    if end is None or end.upper_ns <= begin_ns or any(time is None for time in times):
        return begin_ns
    span = begin_ns, end.middle_ns - begin_ns
    rate = int(row[2])
    into.append(
        Claim("total", "throughput_ops_per_s", row[2], max(0.0, rate - 0.5), rate + 0.5, None, line_no, *span)
    )
    names = {0: "latency_max_ns", 6: "latency_mean_ns"}
    for at, time in enumerate(times):
        if time is not None:
            claim = time.claim("total", names.get(at, "latency_quantile_ns"), line_no, _SHARES.get(at))
            into.append(replace(claim, start_ns=span[0], duration_ns=span[1]))
    return sum(span)


def _replace_by_buckets(summary: Summary, limit_ns: int | None, problems: Problems) -> list[Claim]:
    """Replace each percentile and the largest by the bucket whose last value it is, and widen the mean.

    They keep their bounds if no layout has all of them as last values. Latencies over `limit_ns` (three
    time-outs, None if unknown) are counted as that long: such numbers are lower bounds only. They and the
    mean are removed, reported, and returned as claims. Usually the result is empty.
    """
    times = [time for _, time in summary.quantiles] + ([summary.most] if summary.most is not None else [])
    layout = next(
        (
            layout
            for tick_ns, layout in _LAYOUTS
            if all(_bucket(time, layout)[1] - tick_ns == _ns(time) for time in times)
        ),
        None,
    )

    def bucket(time: Time) -> Time:
        lower, upper = (time.lower_ns, time.upper_ns + 1) if layout is None else _bucket(time, layout)
        return Time(time.text, lower, upper - 1)

    clipped = (
        [] if limit_ns is None else [time for time in times if _bucket(time, layout or _FINEST)[1] > limit_ns]
    )
    summary.quantiles = [(share, bucket(time)) for share, time in summary.quantiles]
    summary.most = None if summary.most is None else bucket(summary.most)
    if summary.mean is not None:
        # The middle of a bucket represents all of it.
        low, high = _bucket(summary.mean, layout or _FINEST)
        half = ceil_div(high - low, 2)
        mean = summary.mean
        summary.mean = Time(mean.text, max(0, mean.lower_ns - half), mean.upper_ns + half)
    if not clipped:
        return []
    problems.add(
        "clipped",
        f"{summary.name}: longer latencies are counted as three time-outs ({clipped[-1].text})",
        summary.line,
    )
    texts = {time.text for time in clipped}
    in_buckets = [
        claim for claim in summary.printed() if claim.printed in texts or claim.quantity == "latency_mean_ns"
    ]
    summary.quantiles = [(share, time) for share, time in summary.quantiles if time.text not in texts]
    summary.most = summary.mean = None
    return in_buckets


def _ns(time: Time) -> int:
    """Return a printed time in nanoseconds, the middle of its bounds; 0 for a printed zero."""
    return 0 if not any(sign in "123456789" for sign in time.text) else time.middle_ns


def _bucket(time: Time, layout: HdrLayout) -> tuple[int, int]:
    """Return the edges `[lower, upper)` in ns of the bucket of the layout that holds a printed time."""
    return bucket_around_ns(layout, min(_ns(time), MAX_TIME_NS))


def _summaries(
    parts: list[tuple[str, str | None, Summary]], operation: str, count: int | None
) -> Iterator[Summary]:
    """Set operation, clock and count of each summary, and yield it; only that of all has `count`."""
    of_all = "total" if any(name is not None for _, name, _ in parts) else operation
    for kind, name, summary in parts:
        summary.operation = name or of_all
        summary.clock = "response" if kind == "c-o fixed" else "service"
        summary.count = count if name is None else None
        yield summary


SCYLLA_BENCH = ToolImporter("scylla-bench", "scylla-bench", _detect, _runs)
