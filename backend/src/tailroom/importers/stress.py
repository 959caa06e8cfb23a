"""The importers of cassandra-stress and scylla-bench.

cassandra-stress prints milliseconds with one decimal, since 4.0 with the unit; its percentiles come from an
HdrHistogram of three digits (since 3.2; before from a sample), and the count of partitions is that of
operations only where one operation reads one. In brackets stands each operation apart. scylla-bench prints
durations as Go does: `raw` from sending, `c-o fixed` from the moment at which its schedule meant to send.
Source: Cassandra `tools/stress` (`StressMetrics`, `TimingInterval`); scylla-bench `pkg/testrun`,
`pkg/results`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.importer import Detection
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun
from tailroom.importers.printed import printed, whole
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import Summary, Time, all_series, go_duration, rounded
from tailroom.importers.text_runs import MAX_RUNS, Value, nothing_read, summarised_run, text_lines

_ROW = re.compile(
    r"\s*((?:op|partition|row) rate|latency (?:mean|median|max|[\d.]{2,7}th percentile)|"
    r"total (?:partitions|operations|errors|operation time))\s*: (.{1,2000})",
    re.IGNORECASE,
)
_PARTS = re.compile(r"([\w-]{1,60}):\s*([\d.,]{1,40}|NaN)")
_FIRST = re.compile(r"\s*([\d.,]{1,40}|NaN)")
_PERCENTILE = re.compile(r"latency ([\d.]{2,7})th percentile")
_TIME_OF_DAY = re.compile(r"(\d{1,4}):(\d\d):(\d\d)")
_RUNNING = re.compile(r"Running (\S{1,60}) with (\d{1,9}) threads.*")
_TOTAL = "total"
_CASSANDRA = "one operation of cassandra-stress, from calling the driver to its answer, retries included"
_FIXED = re.compile(r"-rate\b.*\bfixed=")


@dataclass(slots=True)
class _Stress:
    line: int
    summaries: dict[str, Summary] = field(default_factory=dict)
    claims: list[Claim] = field(default_factory=list)
    problems: Problems = field(default_factory=Problems)
    parameters: dict[str, Value] = field(default_factory=dict)
    duration_ns: int | None = None
    ended: bool = False

    def row(self, line_no: int, name: str, rest: str) -> None:
        """`latency mean : 4.3 [WRITE:4.3]`: the value of all, then of each operation."""
        if name == "total operation time":
            self.ended = True
            time = _TIME_OF_DAY.search(rest)
            if time is not None:
                seconds = int(time[1]) * 3600 + int(time[2]) * 60 + int(time[3])
                self.duration_ns = seconds * NS_PER_S or None
            return
        first = _FIRST.match(rest)
        values = [(_TOTAL, first[1])] if first is not None else []
        begin = rest.find("[")
        values += _PARTS.findall(rest[begin:]) if begin >= 0 else []
        for operation, text in values:
            self._value(line_no, name, operation.lower(), text.replace(",", ""))

    def _value(self, line_no: int, name: str, operation: str, text: str) -> None:
        summary = self.summaries.setdefault(operation, Summary(operation, line_no, name=operation))
        if text == "NaN":
            return
        if name.startswith("total"):
            count = whole(text)
            if name == "total errors":
                summary.errors = count or 0
            elif count is not None and name in ("total partitions", "total operations"):
                summary.count = count
            return
        if name == "op rate":
            summary.rate = printed(text)
            return
        time = rounded(text, NS_PER_MS, "ms")
        if name.endswith("rate") or time is None:
            return
        percentile = _PERCENTILE.fullmatch(name)
        share = "50" if name == "latency median" else percentile[1] if percentile else None
        if share is not None:
            if Fraction(share) < 100:
                summary.quantiles.append((Fraction(share) / 100, _bucket(time)))
        elif name == "latency mean":
            summary.mean = _bucket(time)
        elif name == "latency max":
            summary.most = _bucket(time)

    def finish(self) -> ParsedRun:
        """The run. Where single operations stand there, the sum of one of them alone says nothing more."""
        parts = {name: one for name, one in self.summaries.items() if name != _TOTAL}
        if len(parts) == 1:
            self.summaries.pop(_TOTAL, None)
        # One operation may touch several partitions: the count only stands where the rates agree.
        for one in self.summaries.values():
            if one.count is not None and not self._is_count_of_operations(one):
                one.count = None
                self.problems.add(
                    "partitions",
                    f"{one.operation}: partitions are counted, and an operation touches several or none",
                    one.line,
                    note=True,
                )
        kept = list(self.summaries.values())
        for one in kept:
            if one.count is None:
                one.errors = 0
        series = all_series(kept, self.problems, _CASSANDRA)
        state, words = EndState.FINISHED, "the total time was printed"
        if not self.ended:
            state, words = EndState.UNKNOWN, "the end of the results is missing"
        return summarised_run(
            "cassandra-stress",
            "cassandra-stress",
            kept,
            series,
            self.problems,
            state=state,
            state_text=words,
            claims=self.claims,
            parameters=self.parameters,
            duration_ns=self.duration_ns,
            stated=["connections"] if "threads" in self.parameters else [],
        )

    def _is_count_of_operations(self, one: Summary) -> bool:
        rate, partitions = one.rate, self.parameters.get(f"partition rate {one.operation}")
        return rate is not None and partitions == rate.text


def _bucket(time: Time) -> Time:
    """A value of an HdrHistogram of three digits stands for its bucket."""
    return Time(time.text, time.lower_ns - time.lower_ns // 512, time.upper_ns + time.upper_ns // 512)


@dataclass(frozen=True, slots=True)
class CassandraStressImporter:
    """See `tailroom.importers.importer.Importer`."""

    name: str = "cassandra-stress"
    looks_for: str = "`Op rate : …` and `Latency mean : …` below `Results:`"

    def detect(self, head: Head) -> Detection | None:
        """By two rows of its results, or the head of its table."""
        rows = {found[1].lower() for line in head.lines if (found := _ROW.fullmatch(line)) is not None}
        if {"op rate", "latency mean"} <= rows:
            return Detection("cassandra-stress", "cassandra-stress", None, "`Op rate :` and `Latency mean :`")
        if re.search(r"(?m)^[ \t]*+type,\s+total ops,\s+op/s,\s+pk/s,", head.text):
            return Detection("cassandra-stress", "cassandra-stress", None, "`type, total ops, op/s, pk/s, …`")
        return None

    def parse(self, source: Source, beside: Sequence[Source]) -> list[ParsedRun]:  # noqa: ARG002
        """A run for each `Results:`."""
        runs: list[_Stress] = []
        running: dict[str, Value] = {}
        for line_no, text in text_lines(source):
            row = _ROW.fullmatch(text)
            if row is not None:
                name, rest = " ".join(row[1].lower().split()), row[2]
                if (name == "op rate" or not runs) and len(runs) < MAX_RUNS:
                    runs.append(_Stress(line_no, parameters=dict(running)))
                if name == "partition rate":
                    _partition_rates(runs[-1], rest)
                runs[-1].row(line_no, name, rest)
            elif (found := _RUNNING.match(text.strip().lstrip("# "))) is not None:
                running = {"command": found[1].lower(), "threads": int(found[2])}
        if not runs:
            raise nothing_read(source, "cassandra-stress")
        return [run.finish() for run in runs]


def _partition_rates(run: _Stress, rest: str) -> None:
    first = _FIRST.match(rest)
    begin = rest.find("[")
    found = [(_TOTAL, first[1])] if first is not None else []
    for operation, text in found + (_PARTS.findall(rest[begin:]) if begin >= 0 else []):
        run.parameters[f"partition rate {operation.lower()}"] = text.replace(",", "")


_SCYLLA_FACT = re.compile(r"([A-Z][\w /-]{1,40}):[ \t]+(\S.{0,120})")
_SCYLLA_LATENCY = re.compile(r"(raw|c-o fixed)(?: (read|write))? latency :|Latency:")
_SCYLLA_VALUE = re.compile(r"\s+(max|99\.9th|99th|95th|90th|median|mean):\s+(\S{1,40})")
_RAW = "one request, from sending it to its answer"
_FIXED_WORDS = "one request, from the moment at which the rate limit meant to send it to its answer"


@dataclass(frozen=True, slots=True)
class ScyllaBenchImporter:
    """See `tailroom.importers.importer.Importer`."""

    name: str = "scylla-bench"
    looks_for: str = "`Total ops:` and `raw latency :` below `Results`"

    def detect(self, head: Head) -> Detection | None:
        """By its results, or by its configuration."""
        lines = [line.strip() for line in head.lines]
        results = any(line.startswith("Total ops:") for line in lines)
        latency = any(_SCYLLA_LATENCY.fullmatch(line) for line in lines)
        settings = "Clustering row size:" in head.text and "Rows per request:" in head.text
        if (results and latency) or settings:
            return Detection(
                "scylla-bench", "scylla-bench", None, "`Total ops:`, `raw latency :` and settings"
            )
        return None

    def parse(self, source: Source, beside: Sequence[Source]) -> list[ParsedRun]:  # noqa: ARG002
        """The one run of the file."""
        facts: dict[str, tuple[int, str]] = {}
        parts: list[tuple[str, str | None, Summary]] = []
        for line_no, text in text_lines(source):
            if (title := _SCYLLA_LATENCY.fullmatch(text.strip())) is not None:
                kind = title[1] or "raw"
                parts.append((kind, title[2], Summary("total", line_no, name=text.strip(" :"))))
            elif parts and (value := _SCYLLA_VALUE.fullmatch(text)) is not None:
                _scylla_value(parts[-1][2], value[1], value[2])
            elif (fact := _SCYLLA_FACT.fullmatch(text.strip())) is not None:
                facts.setdefault(fact[1], (line_no, fact[2]))
        if not parts and "Total ops" not in facts:
            raise nothing_read(source, "scylla-bench")
        return [_scylla_run(facts, parts)]


def _scylla_value(summary: Summary, name: str, text: str) -> None:
    time = go_duration(text)
    if time is None:
        return
    held = _bucket(time)
    if name == "max":
        summary.most = held
    elif name == "mean":
        summary.mean = held
    else:
        share = Fraction("50" if name == "median" else name.removesuffix("th")) / 100
        summary.quantiles.append((share, held))


def _scylla_run(facts: dict[str, tuple[int, str]], parts: list[tuple[str, str | None, Summary]]) -> ParsedRun:
    problems = Problems()
    mode = facts.get("Mode", (0, ""))[1].lower()
    operation = mode if mode in ("read", "write", "scan") else "total"
    count = whole(facts.get("Total ops", (0, ""))[1])
    errors = whole(facts.get("Total errors", (0, ""))[1]) or 0
    apart = any(name is not None for _, name, _ in parts)
    summaries = list(_scylla_summaries(parts, operation, count, mixed=apart))
    for one in summaries:
        one.errors = errors if one.count is not None else 0
    series = [
        made
        for one in summaries
        if (made := one.series(problems, _FIXED_WORDS if one.clock == "response" else _RAW)) is not None
    ]
    rate = printed(facts.get("Operations/s", (0, ""))[1])
    claims = []
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
        duration_ns=None if time is None else time.lower_ns,
        closed_loop="unlimited" in facts.get("Maximum rate", (0, "unlimited"))[1],
        stated=["connections", "keys", "value_bytes"],
    )


def _scylla_summaries(
    parts: list[tuple[str, str | None, Summary]], operation: str, count: int | None, *, mixed: bool
) -> Iterator[Summary]:
    """The ones of single operations where they are; else those of all, under the mode's name."""
    for kind, name, summary in parts:
        if mixed and name is None:
            summary.operation = "total"
        else:
            summary.operation = name or operation
        summary.clock = "response" if kind == "c-o fixed" else "service"
        summary.count = count if name is None else None
        yield summary


CASSANDRA_STRESS = CassandraStressImporter()
SCYLLA_BENCH = ScyllaBenchImporter()
