"""The importer of RocksDB's db_bench: each benchmark of its output is a run.

With `--histogram` every bucket is printed with its count: `(left, right]` of whole microseconds, cut, so that
a latency lies from `left + 1` to below `right + 1`. Older versions print `[left, right)` and count like the
later ones. Median and percentiles are interpolated inside a bucket, so that they say no more than the
buckets. `micros/op` is the running time times the threads over the operations, and no latency. Source:
RocksDB `tools/db_bench_tool.cc`, `monitoring/histogram.cc`.
"""

import re
from dataclasses import dataclass, field, replace
from fractions import Fraction

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.units import NS_PER_S, NS_PER_US
from tailroom.importers.exact_counts import distribution_of
from tailroom.importers.importer import Detection
from tailroom.importers.parsed_run import ParsedRun, ParsedSeries, Value
from tailroom.importers.printed import printed, whole
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import Summary, Time, cut, rounded
from tailroom.importers.text_runs import MAX_RUNS, PrintedRun, ToolImporter, finished, text_lines

_NUMBER = r"\d{1,20}(?:\.\d{1,9})?"
_RESULT = re.compile(
    rf"(\w[\w\[\]-]{{0,60}})\s*:\s+({_NUMBER}) micros/op (?:({_NUMBER}) ops/sec)?(?:\s*({_NUMBER}) seconds "
    rf"(\d{{1,18}}) operations;?)?(.*)"
)
_TITLE = re.compile(r"Microseconds per (\w{1,30}):")
_COUNT = re.compile(rf"Count:\s*(\d{{1,18}})\s+Average:\s*({_NUMBER})\s+StdDev:\s*({_NUMBER})")
_ENDS = re.compile(rf"Min:\s*({_NUMBER})\s+Median:\s*({_NUMBER})\s+Max:\s*({_NUMBER})")
_PERCENTILES = re.compile(r"Percentiles:\s*(.*)")
_PERCENTILE = re.compile(rf"P(\d{{1,2}}(?:\.\d{{1,6}})?):\s*({_NUMBER})")
_BUCKET = re.compile(r"[\[(]\s*(\d{1,20}),\s*(\d{1,20})\s*[\])]\s+(\d{1,18})\s+[\d.]{1,12}%.*")
_FACTS = re.compile(r"(Keys|Values|Entries|Compression|RocksDB|Date|CPU|CPUCache):\s+(.{1,160})")
_BANDWIDTH = re.compile(r"[;\s]*(\d{1,12}\.\d) MB/s")
_SEMANTICS = "one operation of the benchmark, cut to whole microseconds, on the clock of its thread"
_MAX_BUCKETS = 1_000


@dataclass(slots=True)
class _Benchmark(PrintedRun):
    """Printed results of one benchmark; `buckets` holds rows (left µs, right µs, count) for each summary."""

    name: str = ""
    summaries: list[Summary] = field(default_factory=list)
    buckets: list[list[tuple[int, int, int]]] = field(default_factory=list)

    def histogram_line(self, line_no: int, text: str) -> None:
        """Store a line of a histogram, 1,000 buckets at most; ignore any other line."""
        if (title := _TITLE.fullmatch(text)) is not None:
            self.summaries.append(Summary(title[1].lower(), line_no, exact_ns=NS_PER_US, name=self.name))
            self.buckets.append([])
        elif not self.summaries:
            return
        elif (count := _COUNT.fullmatch(text)) is not None:
            summary = self.summaries[-1]
            summary.count = whole(count[1])
            summary.mean, summary.deviation = (rounded(count[at], NS_PER_US, "µs") for at in (2, 3))
        elif (ends := _ENDS.fullmatch(text)) is not None:
            summary = self.summaries[-1]
            summary.least, summary.most = (_cut_to_us(ends[at]) for at in (1, 3))
            self._add_quantile("50", ends[2])
        elif (percentiles := _PERCENTILES.fullmatch(text)) is not None:
            for share, value in _PERCENTILE.findall(percentiles[1]):
                self._add_quantile(share, value)
        elif (bucket := _BUCKET.fullmatch(text)) is not None and len(self.buckets[-1]) < _MAX_BUCKETS:
            self.buckets[-1].append((int(bucket[1]), int(bucket[2]), int(bucket[3])))

    def _add_quantile(self, share: str, text: str) -> None:
        """Add a percentile (`share` in per cent, `text` in µs) unless it is 100, repeated or impossible."""
        time = rounded(text, NS_PER_US, "µs")
        if time is not None and Fraction(share) < 100:
            quantiles = self.summaries[-1].quantiles
            if all(quantile != Fraction(share) / 100 for quantile, _ in quantiles):
                quantiles.append((Fraction(share) / 100, time))


def _cut_to_us(text: str) -> Time | None:
    """Return an extreme in whole µs with equal bounds, which `Summary.exact_ns` widens, or None."""
    time = cut(text, NS_PER_US, "µs")
    return None if time is None else Time(time.text, time.lower_ns, time.lower_ns)


def _detect(head: Head) -> Detection | None:
    for line in head.lines:
        text = line.rsplit("\r", 1)[-1].strip()
        if _RESULT.fullmatch(text) or _TITLE.fullmatch(text):
            version = re.search(r"(?m)^RocksDB:\s+version (\S{1,40})", head.text)
            return Detection("db_bench", "db_bench", version[1] if version else None, f"`{text[:50]}`")
    return None


def _runs(source: Source) -> list[ParsedRun]:
    """Return a run for each benchmark, at most `MAX_RUNS` + 1."""
    facts: dict[str, Value] = {}
    benchmarks: list[_Benchmark] = []
    version: str | None = None
    for line_no, raw in text_lines(source):
        text = raw.strip()
        if (result := _RESULT.fullmatch(text)) is not None and len(benchmarks) <= MAX_RUNS:
            benchmarks.append(_result(line_no, result))
        elif (fact := _FACTS.fullmatch(text)) is not None:
            facts[fact[1].lower()] = fact[2]
            version = fact[2].removeprefix("version ") if fact[1] == "RocksDB" else version
        elif benchmarks:
            benchmarks[-1].histogram_line(line_no, text)
    return [_build_run(benchmark, facts, version) for benchmark in benchmarks]


def _result(line_no: int, match: re.Match[str]) -> _Benchmark:
    """Return a new benchmark with the claims and duration of its line `readrandom : … micros/op …`."""
    benchmark = _Benchmark(line_no, name=match[1])
    bandwidth = _BANDWIDTH.match(match[6])
    numbers = (
        ("time_per_operation_ns", match[2], NS_PER_US, " µs"),
        ("throughput_ops_per_s", match[3], 1, ""),
        ("bandwidth_bytes_per_s", bandwidth and bandwidth[1], 1 << 20, " MB/s"),
    )
    for quantity, text, unit, sign in numbers:
        benchmark.add_number("total", quantity, printed(text or ""), unit, line_no, sign=sign)
    seconds, count = printed(match[4] or ""), whole(match[5] or "")
    if seconds is not None and seconds.value < 10**9:
        benchmark.duration_ns = int(seconds.value * NS_PER_S)
    benchmark.add_count("total", "operation_count", count, line_no)
    return benchmark


def _build_run(benchmark: _Benchmark, facts: dict[str, Value], version: str | None) -> ParsedRun:
    """Return the run of a benchmark; without histograms it has a problem. `facts` are of the whole file."""
    benchmark.parameters, benchmark.version = {"benchmark": benchmark.name, **facts}, version
    every = zip(benchmark.summaries, benchmark.buckets, strict=True)
    series = [_series(summary, buckets, benchmark.problems) for summary, buckets in every]
    if not benchmark.summaries:
        reason = f"{benchmark.name} has no latencies: db_bench prints them with --histogram"
        benchmark.problems.add("none", reason, benchmark.line)
    return benchmark.parsed(
        "db_bench",
        "db_bench",
        benchmark.summaries,
        [parsed for parsed in series if parsed is not None],
        finished(f"the result of {benchmark.name} was printed"),
        stated=["address", "keys", "value_bytes"],
    )


def _series(summary: Summary, buckets: list[tuple[int, int, int]], problems: Problems) -> ParsedSeries | None:
    """Return the series of an operation by exact counts, else by mean and extremes; None without either."""
    exact = _exact(summary, buckets, problems)
    if exact is None:
        # Without buckets, an interpolated percentile is no evidence about the operations.
        bare = replace(summary, quantiles=[])
        parsed = bare.series(problems, _SEMANTICS)
        return None if parsed is None else replace(parsed, printed=tuple(summary.printed()))
    parsed = summary.series_of(exact, _SEMANTICS)
    return replace(parsed, source_name=f"Microseconds per {summary.operation}")


def _exact(summary: Summary, buckets: list[tuple[int, int, int]], problems: Problems) -> LatencyDist | None:
    """Return the exact counts of buckets (left µs, right µs, count); None without any, or if wrong."""
    total = sum(count for _, _, count in buckets)
    if not total:
        return None
    if summary.count is not None and total != summary.count:
        problems.error(
            "total",
            f"the buckets of {summary.operation} hold {total} operations, its count is {summary.count}: the "
            "output is cut or damaged; the buckets were left out",
            summary.line,
        )
        return None
    try:
        edges_ns = [
            ((left + 1) * NS_PER_US if left else 0, (right + 1) * NS_PER_US, count)
            for left, right, count in buckets
        ]
        record = distribution_of(edges_ns)
    except DomainError:
        problems.error("bucket", "the buckets do not ascend; they were left out", summary.line)
        return None
    try:
        if summary.least is not None and summary.most is not None:
            ended = replace(
                record, min_ns=summary.least.lower_ns, max_ns=summary.most.lower_ns + NS_PER_US - 1
            )
            _ = ended.cells
            return ended
    except DomainError as error:
        problems.add("ends", f"{error}; smallest and largest were left out", summary.line)
    return record


DB_BENCH = ToolImporter("db_bench", "db_bench", _detect, _runs)
