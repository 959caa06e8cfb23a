"""The importer of scylla-bench.

It prints durations as Go does: `raw` from sending, `c-o fixed` from the moment at which its schedule meant to
send. Numbers are the last value of a bucket of an HdrHistogram of three digits whose finest bucket is the
largest power of two up to 50 µs, in the unit of `-hdr-latency-units` (nanoseconds, microseconds or
milliseconds, to which latencies are cut). Since 0.2 what takes more than three time-outs is counted as that
long; before it was left out. Rows that it prints meanwhile do not state their number of operations.
Source: scylla-bench `pkg/testrun`, `pkg/worker`, `pkg/results`, `main.go`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.units import NS_PER_MS, NS_PER_US, ceil_div
from tailroom.importers.importer import Detection
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun
from tailroom.importers.printed import amount, whole
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.statements import MAX_TIME_NS
from tailroom.importers.summaries import Summary, Time, go_duration
from tailroom.importers.text_runs import MAX_RUNS, nothing_read, summarised_run, text_lines

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
"""The unit of a number, and the buckets. Wider buckets first: numbers that fit them fit narrower buckets,
too, and zeros fit all of them.
"""
_RAW = "one request, from sending it to its answer"
_FIXED = "one request, from the moment at which the rate limit meant to send it to its answer"


@dataclass(frozen=True, slots=True)
class ScyllaBenchImporter:
    """Importer of scylla-bench's output: configuration, rows and results."""

    name: str = "scylla-bench"
    looks_for: str = "`Total ops:` and `raw latency :` below `Results`"

    def detect(self, head: Head) -> Detection | None:
        """Recognise the format by its results, or by its configuration. None for any other file."""
        lines = [line.strip() for line in head.lines]
        results = any(line.startswith("Total ops:") for line in lines)
        latency = any(_LATENCY.fullmatch(line) for line in lines)
        settings = "Clustering row size:" in head.text and "Rows per request:" in head.text
        if (results and latency) or settings:
            return Detection(
                "scylla-bench", "scylla-bench", None, "`Total ops:`, `raw latency :` and settings"
            )
        return None

    def parse(self, source: Source, beside: Sequence[Source]) -> list[ParsedRun]:  # noqa: ARG002
        """Return a run for each `Configuration` or block of results.

        Raise ContentUnreadable without results.
        """
        outputs = [_TestOutput()]
        for line_no, text in text_lines(source):
            if outputs[-1].is_over(text.strip()) and len(outputs) < MAX_RUNS:
                outputs.append(_TestOutput())
            outputs[-1].line(line_no, text)
        complete_outputs = [output for output in outputs if output.has_result]
        if not complete_outputs:
            raise nothing_read(source, "scylla-bench")
        return [output.finish() for output in complete_outputs]


@dataclass(slots=True)
class _TestOutput:
    """Parser of the output of one test; call `line` for each line, then `finish`."""

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
        """Whether there are latencies, rows, or the number of operations."""
        return bool(self.parts or self.course) or "Total ops" in self.facts

    def is_over(self, text: str) -> bool:
        """Return whether a line begins the output of the next test."""
        return (text == "Configuration" and bool(self.facts)) or (
            text.startswith("Time (avg):") and "Time (avg)" in self.facts
        )

    def line(self, line_no: int, text: str) -> None:
        """Store the content of one line; ignore lines of other programs, and rows after the first 5,000."""
        if self.rows < _MOST_ROWS and (row := _ROW.fullmatch(text)) is not None:
            self.rows += 1
            self.ended_ns = _add_row_claims(line_no, row, self.ended_ns, self.course)
        elif (title := _LATENCY.fullmatch(text.strip())) is not None:
            summary = Summary("total", line_no, name=text.strip(" :"))
            self.parts.append((title[1] or "raw", title[2], summary))
        elif self.parts and (value := _VALUE.fullmatch(text)) is not None:
            _set_value(self.parts[-1][2], value[1], value[2])
        elif (fact := _FACT.fullmatch(text.strip())) is not None:
            self.facts.setdefault(fact[1], (line_no, fact[2]))

    def finish(self) -> ParsedRun:
        """Return the run of the test; the last row gives its length if the results are missing."""
        run = _run(self.facts, self.parts)
        return replace(
            run, claims=(*run.claims, *self.course), duration_ns=run.duration_ns or self.ended_ns or None
        )


def _add_row_claims(line_no: int, row: re.Match[str], begin_ns: int, into: list[Claim]) -> int:
    """Add the claims of a row, about the time since `begin_ns`, to `into`; return the end of the row in ns.

    For an invalid row add nothing and return `begin_ns`.
    """
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


def _set_value(summary: Summary, name: str, text: str) -> None:
    """Set the time of a summary called `max`, `mean`, `median` or `99.9th`; ignore a text that is no time."""
    time = go_duration(text)
    if time is None:
        return
    if name == "max":
        summary.most = time
    elif name == "mean":
        summary.mean = time
    else:
        share = Fraction("50" if name == "median" else name.removesuffix("th")) / 100
        summary.quantiles.append((share, time))


def _replace_by_buckets(summary: Summary, limit_ns: int | None, problems: Problems) -> list[Claim]:
    """Replace each percentile and the largest by the bucket whose last value it is, and widen the mean.

    Latencies over `limit_ns` (three time-outs, None if unknown) are counted as that long: such numbers are
    lower bounds only. They and the mean are removed, reported, and returned as claims.
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
    """Return the edges in ns of the bucket of the layout that holds a printed time."""
    units = min(_ns(time), MAX_TIME_NS) // layout.unit_ns
    shift = max(0, units.bit_length() - layout.half_magnitude - 1)
    lower = units >> shift << shift
    return lower * layout.unit_ns, (lower + (1 << shift)) * layout.unit_ns


def _run(facts: dict[str, tuple[int, str]], parts: list[tuple[str, str | None, Summary]]) -> ParsedRun:
    """Return the run of one test from `facts` and `parts` of its `_TestOutput`."""
    problems = Problems()
    mode = facts.get("Mode", (0, ""))[1].lower()
    operation = mode if mode in ("read", "write", "scan") else "total"
    count = whole(facts.get("Total ops", (0, ""))[1])
    errors = whole(facts.get("Total errors", (0, ""))[1]) or 0
    apart = any(name is not None for _, name, _ in parts)
    summaries = list(_summaries(parts, operation, count, mixed=apart))
    timeout = go_duration(facts.get("Timeout", (0, ""))[1])
    claims = []
    for summary in summaries:
        summary.errors = errors if summary.count is not None else 0
        claims += _replace_by_buckets(summary, None if timeout is None else 3 * _ns(timeout), problems)
    series = [
        of_summary
        for summary in summaries
        if (of_summary := summary.series(problems, _FIXED if summary.clock == "response" else _RAW))
    ]
    rate = amount(facts.get("Operations/s", (0, ""))[1])
    if rate is not None:
        line = facts["Operations/s"][0]
        low, high = float(rate.value), float(rate.value + rate.ulp)
        claims.append(Claim("total", "throughput_ops_per_s", rate.text, low, high, line=line))
    time = go_duration(facts.get("Time (avg)", (0, ""))[1])
    ended = "Operations/s" in facts
    return summarised_run(
        "scylla-bench",
        "scylla-bench",
        summaries[:1],
        series,
        problems,
        state=EndState.FINISHED if ended else EndState.UNKNOWN,
        state_text="the results were printed" if ended else "the results are missing or cut",
        claims=claims,
        parameters={name.lower(): value for name, (_, value) in facts.items()},
        duration_ns=None if time is None else _ns(time),
        closed_loop="unlimited" in facts.get("Maximum rate", (0, "unlimited"))[1],
        stated=["connections", "keys", "value_bytes"],
    )


def _summaries(
    parts: list[tuple[str, str | None, Summary]], operation: str, count: int | None, *, mixed: bool
) -> Iterator[Summary]:
    """Set operation, clock and count of each summary, and yield it.

    If reads and writes are separate (`mixed`), the summary of both is `total`; else it is the mode's
    `operation`. `count` is that of all operations, and unknown for reads or writes alone.
    """
    for kind, name, summary in parts:
        if mixed and name is None:
            summary.operation = "total"
        else:
            summary.operation = name or operation
        summary.clock = "response" if kind == "c-o fixed" else "service"
        summary.count = count if name is None else None
        yield summary


SCYLLA_BENCH = ScyllaBenchImporter()
