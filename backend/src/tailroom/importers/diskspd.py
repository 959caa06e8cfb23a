"""The importer of diskspd: its text, and the XML of `-Rxml`.

Latencies have a histogram of buckets as fine as the clock (`-L`); times are printed in milliseconds with
three decimals, percentiles as values of that histogram. Operations are counted by thread and target: those of
a read or write are the sums. Without `-L` there are counts and rates only. diskspd keeps a number of
operations in flight and is a closed loop. Source: `ResultParser/ResultParser.cpp`, `XmlResultParser.cpp`,
`Common/Histogram.h`.
"""

import re
from collections.abc import Iterator
from datetime import datetime

from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.diskspd_timespan import NAMES, Timespan, add_setting, finish_all, start_time
from tailroom.importers.diskspd_xml import read_xml
from tailroom.importers.importer import Detection
from tailroom.importers.parsed_run import Claim, ParsedRun, Value
from tailroom.importers.printed import printed, whole
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import rounded
from tailroom.importers.text_runs import MAX_RUNS, ToolImporter, text_lines

_OF_ALL = ("", "total:", "Total latency distribution:")
"""The heading above the table of all targets; above the table of a single target is its path."""
_SECTION = re.compile(r"(Total|Read|Write) IO")
_TOTALS = re.compile(r"total:\s+(\d{1,20}) \|\s+(\d{1,18}) \|\s+([\d.]{1,20}) \|\s+([\d.]{1,20})(.*)")
_TABLE = re.compile(r"\s*%-ile \|\s*Read \(ms\) \|\s*Write \(ms\) \|\s*Total \(ms\)")
_ROW = re.compile(
    r"\s*(min|max|\d{1,2}(?:\.\d{1,6})?th|\d-nines) \|\s*([\d.]{1,20}|N/A) \|\s*([\d.]{1,20}|N/A) \|"
    r"\s*([\d.]{1,20}|N/A)"
)
_TEST_TIME = re.compile(r"actual test time:\s+([\d.]{1,15})s.*")
_BEGIN = re.compile(r"Results for timespan \d{1,6}:|Command Line: (.{1,400})")
_COMMAND = re.compile(r"Command Line: (.{1,400})")
_SETTINGS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), name)
    for pattern, name in (
        (r"block size: (.{1,40})", "block_size"),
        (r"number of outstanding I/O operations: (\d{1,9})", "request_count"),
        (r"threads per file: (\d{1,9})", "threads_per_file"),
        (r"total threads: (\d{1,9})", "threads"),
        (r"performing mix test \(read/write ratio: (\d{1,3}/\d{1,3})\)", "read_write_ratio"),
        (r"performing (read|write) test", "test"),
        (r"warm up time: (\d{1,9})s", "warmup_s"),
        (r"cool down time: (\d{1,9})s", "cooldown_s"),
        (r"duration: (\d{1,9})s", "planned_duration_s"),
    )
)
_XML_VERSION = re.compile(r"<(?:Version|VersionString)>([^<\s]{1,40})</")


def _detect(head: Head) -> Detection | None:
    """Recognise the format by its tables, its command line or the elements of its XML; else None."""
    text = head.text
    if re.search(r"thread \|\s+bytes\s+\|\s+I/Os\s+\|", text) or any(map(_TABLE.fullmatch, head.lines)):
        return Detection("diskspd", "diskspd", None, "`thread | bytes | I/Os | MiB/s | I/O per s`")
    if "<Results>" in text and "<TimeSpan" in text:
        version = _XML_VERSION.search(text)
        reason = "`<Results>`, `<TimeSpan>`"
        return Detection("diskspd-xml", "diskspd", version[1] if version else None, reason)
    if "Command Line:" in text and "diskspd" in text.lower() and "Input parameters:" in text:
        return Detection("diskspd", "diskspd", None, "`Command Line: … diskspd` and `Input parameters:`")
    return None


def _runs(source: Source) -> Iterator[ParsedRun]:
    """Yield a run for each timespan with a result."""
    return read_xml(source) if "<Results>" in source.head.text else _read_text(source)


def _read_text(source: Source) -> Iterator[ParsedRun]:
    """Return an iterator of the run of each timespan with a result."""
    spans: list[Timespan] = []
    parameters: dict[str, Value] = {}
    in_table = False
    target: str | None = None
    started_at: datetime | None = None
    above = ""
    for line_no, text in text_lines(source):
        stripped = text.strip()
        if (command := _COMMAND.fullmatch(stripped)) is not None:
            parameters["command_line"] = command[1]
        is_table = _TABLE.fullmatch(text) is not None
        begins = _BEGIN.fullmatch(stripped) and (not spans or spans[-1].summaries)
        if (begins and len(spans) <= MAX_RUNS) or (not spans and (is_table or _SECTION.fullmatch(stripped))):
            spans.append(Timespan(line_no))
        if (setting := _setting(stripped)) is not None:
            add_setting(parameters, *setting)
        elif stripped.startswith("start time:"):
            started_at = start_time(stripped.removeprefix("start time:").strip())
        elif _SECTION.fullmatch(stripped):
            spans[-1].section, in_table = stripped.split()[0].lower(), False
        elif is_table:
            in_table, target = True, None if above in _OF_ALL else above
        elif spans:
            _read_line(spans[-1], line_no, text, in_table=in_table, target=target)
        above = stripped[:200]
    return finish_all(spans, parameters, started_at)


def _setting(text: str) -> tuple[str, str] | None:
    """Return name and value of the setting that a line states; None for any other line."""
    for pattern, name in _SETTINGS:
        if (match := pattern.fullmatch(text)) is not None:
            return name, match[1]
    return None


def _read_line(span: Timespan, line_no: int, text: str, *, in_table: bool, target: str | None) -> None:
    """Store percentiles (`in_table`), the duration or totals that a line states; ignore other lines.

    `target` is the path of the table's target, None for all targets.
    """
    if in_table and (row := _ROW.fullmatch(text)) is not None:
        for name, value in zip(NAMES, (row[2], row[3], row[4]), strict=True):
            span.quantile(name, row[1], value, line_no, target)
        span.ended = span.ended or row[1] == "max"
    elif (time := _TEST_TIME.fullmatch(text.strip())) is not None:
        seconds = printed(time[1])
        if seconds is not None and seconds.value < 10**9:
            span.duration_ns = int(seconds.value * NS_PER_S)
    elif span.section is not None and (totals := _TOTALS.fullmatch(text.strip())) is not None:
        _store_totals(span, line_no, totals)
        span.ended = span.ended or span.section == "write"


def _store_totals(span: Timespan, line_no: int, match: re.Match[str]) -> None:
    """Store a line of totals: bytes, I/Os, MiB/s, I/O per s, then mean latency and deviation if measured."""
    name = span.section or "total"
    summary = span.summary(name, line_no)
    summary.line, summary.count, summary.rate = line_no, whole(match[2]), printed(match[4])
    span.add_count(name, "transferred_bytes", whole(match[1]), line_no)
    bandwidth = printed(match[3])
    if bandwidth is not None:
        text, bounds = f"{bandwidth.text} MiB/s", bandwidth.ends(1 << 20)
        span.claims.append(Claim(name, "bandwidth_bytes_per_s", text, *bounds, line=line_no))
    columns = [cell.strip() for cell in match[5].split("|") if cell.strip()]
    # With -D the deviation of the rate, of two decimals, stands among the latencies, of three.
    times = [cell for cell in columns if re.fullmatch(r"\d{1,12}\.\d{3}", cell)]
    if times and summary.count:
        summary.mean = rounded(times[0], NS_PER_MS, "ms")
        summary.deviation = rounded(times[1], NS_PER_MS, "ms") if len(times) > 1 else None


DISKSPD = ToolImporter("diskspd", "diskspd", _detect, _runs)
