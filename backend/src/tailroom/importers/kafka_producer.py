"""The importer of kafka-producer-perf-test: its line of totals, and since 4.0 that after `--warmup-records`.

Times are differences of a clock of whole milliseconds, so that each may be off by 1 ms either way. Above
500,000 records percentiles are of a sample, and only shown. A producer does not wait for acknowledgements
before it sends. Source: Kafka `tools/ProducerPerformance.java`.
"""

import re
from collections.abc import Iterator

from tailroom.domain.units import NS_PER_MS
from tailroom.importers.importer import Detection
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.printed import printed, whole
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import Summary, Time, all_series, rounded
from tailroom.importers.text_runs import PrintedRun, ToolImporter, finished, text_lines

_LINE = re.compile(
    r"(\d{1,18})( steady state)? records sent, ([\d.]{1,30}) records/sec \(([\d.]{1,30}) MB/sec\), "
    r"([\d.]{1,30}) ms avg latency, ([\d.]{1,30}) ms max latency"
    r"(?:, (\d{1,12}) ms 50th, (\d{1,12}) ms 95th, (\d{1,12}) ms 99th, (\d{1,12}) ms 99\.9th)?\."
)
_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d)")
"""Java prints the decimal sign of the machine's language; commas between figures have a blank behind them."""
_SHARES = ("50", "95", "99", "99.9")
_SAMPLED_FROM = 500_000
_SEMANTICS = "from send() of a record, waiting in the producer included, to its acknowledgement"


def _detect(head: Head) -> Detection | None:
    if any(_match(line) for line in head.lines):
        return Detection("kafka-producer", "kafka-producer-perf-test", None, "`… records sent, …`")
    return None


def _runs(source: Source) -> Iterator[ParsedRun]:
    """Yield a run for each line of totals; lines of progress, without percentiles, are ignored."""
    for line_no, text in text_lines(source):
        match = _match(text)
        if match is not None and match[7] is not None:
            yield _build_run(line_no, match)


def _match(text: str) -> re.Match[str] | None:
    """Return the match of a line of records sent, with decimal points; None for other lines."""
    return _LINE.fullmatch(_DECIMAL_COMMA.sub(".", text.strip()))


def _clock_difference(text: str) -> Time | None:
    """Return the bounds of a time in ms, widened by 1 ms on both sides; None for any other text."""
    time = rounded(text, NS_PER_MS, "ms")
    if time is None:
        return None
    return Time(time.text, max(0, time.lower_ns - NS_PER_MS), time.upper_ns + NS_PER_MS)


def _build_run(line_no: int, match: re.Match[str]) -> ParsedRun:
    """Return the run of totals; percentiles of over 500,000 records, which are sampled, are only claims."""
    run = PrintedRun(line_no, {"part": "steady state"} if match[2] else {})
    summary = Summary("request", line_no, clock="operation", name="records", later_ranks=1)
    summary.count, summary.rate = whole(match[1]), printed(match[3])
    run.add_number("request", "bandwidth_bytes_per_s", printed(match[4]), 1 << 20, line_no, sign=" MB/s")
    if summary.count:
        summary.mean, summary.most = _clock_difference(match[5]), _clock_difference(match[6])
        for share, text in zip(_SHARES, match.groups()[6:], strict=True):
            summary.set_time(share, _clock_difference(text))
    if (summary.count or 0) > _SAMPLED_FROM:
        reason = "percentiles are of a sample of the records: they are only shown"
        run.problems.note("sampled", reason, line_no)
        run.claims += [claim for claim in summary.printed() if claim.quantity == "latency_quantile_ns"]
        summary.quantiles = []
    series = all_series([summary], run.problems, _SEMANTICS)
    ending = finished("the totals were printed")
    return run.parsed(
        "kafka-producer", "kafka-producer-perf-test", [summary], series, ending, closed_loop=False
    )


KAFKA_PRODUCER = ToolImporter("kafka-producer", "kafka-producer-perf-test", _detect, _runs)
